"""The study of the search's exploitability: its numbers, its processes, and resuming it."""

import json

import numpy as np
import pytest

from fogtree import load_game
from fogtree.agents import Budget
from fogtree.cli import main
from fogtree.errors import FileFormatError, OptionError
from fogtree.evaluate import exploitability
from fogtree.search import SearchOptions, TreeSearch
from fogtree.search.behaviour import behaviour_strategy, mixture, own_paths
from fogtree.strategy import Strategy
from fogtree.studies import safety as study
from fogtree.tree import compile as compile_tree

BUDGET = Budget(steps=120)
LIARS = "liars_dice(sides=2)"


class Stopped(Exception):
    pass


@pytest.mark.parametrize("knowledge", [1, 2, 0])
def test_behaviour_is_what_an_agent_led_to_each_information_set_does(knowledge):
    tree = compile_tree(load_game("phantom_ttt(rows=1, columns=4, line=2, max_plies=4)"))
    options = SearchOptions(knowledge=knowledge, frozen=True, purification="none", seed=3)
    found = behaviour_strategy(tree, options, BUDGET)
    paths = own_paths(tree)
    assert max(map(len, paths)) >= 1
    for number, path in enumerate(paths):
        agent = TreeSearch(tree, int(tree.infoset_player[number]), options)
        for step in [*path, number]:
            agent.observe(tree.infoset_names[step])
            decision = agent.act(BUDGET)
        first = tree.first_slot[number]
        labels = tree.infoset_labels[number]
        assert list(found.probabilities[first : first + len(labels)]) == [
            decision.mix.get(label, 0.0) for label in labels
        ]


def test_an_agent_that_has_branched_off_leaves_the_other_where_it_was():
    tree = compile_tree(load_game("leduc_poker"))
    paths = own_paths(tree)
    number = next(n for n, path in enumerate(paths) if len(path) == 1)
    first = tree.infoset_names[paths[number][0]]
    after = tree.infoset_names[number]
    agents = [
        TreeSearch(tree, int(tree.infoset_player[number]), SearchOptions(seed=1)) for _ in range(2)
    ]
    with pytest.raises(OptionError, match="once it has searched"):
        agents[0].branch(first)
    for agent in agents:
        agent.observe(first)
        agent.act(BUDGET)
    agents[0].branch(after).act(BUDGET)
    found = [agent.branch(after).act(BUDGET) for agent in agents]
    for agent in agents:
        agent.observe(after)
        found.append(agent.act(BUDGET))
    assert len({(str(d.candidates), d.value, d.nodes, d.carried_nodes) for d in found}) == 1


def test_the_numbers_do_not_depend_on_the_number_of_processes():
    chosen = study.conditions([2], ["both", "none"], ["paper"])
    alone = study.safety(["kuhn_poker", LIARS], BUDGET, chosen=chosen, seeds=2)
    together = study.safety(["kuhn_poker", LIARS], BUDGET, chosen=chosen, seeds=2, workers=2)
    assert [(r.game, r.condition) for r in alone] == [
        (game, condition) for game in ("kuhn_poker", LIARS) for condition in chosen
    ]
    assert [r.exploitability for r in alone] == [r.exploitability for r in together]
    assert [r.value for r in alone] == [r.value for r in together]


def test_the_mixture_of_seeds_is_what_a_player_gets_who_draws_one_of_them():
    tree = compile_tree(load_game("leduc_poker"))
    generator = np.random.default_rng(7)
    drawn = [random_strategy(tree, generator) for _ in range(3)]
    fixed = random_strategy(tree, generator)
    mixed = mixture(tree, drawn)
    for player in (0, 1):
        parts = [value(tree, strategy, fixed, player) for strategy in drawn]
        assert value(tree, mixed, fixed, player) == pytest.approx(np.mean(parts), abs=1e-12)


def random_strategy(tree, generator):
    slots = generator.random(len(Strategy.uniform(tree).probabilities))
    sums = np.add.reduceat(slots, tree.first_slot[:-1])
    return Strategy.of(tree, slots / np.repeat(sums, np.diff(tree.first_slot)))


def value(tree, own, other, player):
    """Player 0's value if ``player`` plays its part of ``own`` and the other one that of other."""
    mine = np.repeat(np.asarray(tree.infoset_player) == player, np.diff(tree.first_slot))
    both = np.where(mine, own.for_tree(tree), other.for_tree(tree))
    return exploitability(tree, Strategy.of(tree, both)).value


def test_one_result_tells_every_seed_and_the_mixture():
    condition = study.conditions([1], ["none"], [])[0]
    budget = Budget(steps=15)
    together = study.measure("kuhn_poker", condition, budget, seeds=3)
    alone = [study.measure("kuhn_poker", condition, budget, seed=seed) for seed in range(3)]
    assert together.by_seed == tuple(result.exploitability for result in alone)
    assert len(set(together.by_seed)) > 1
    # The best response to a mixture cannot gain as much as the best responses to its parts.
    assert together.exploitability < np.mean(together.by_seed)


def test_a_study_that_was_stopped_goes_on(tmp_path, monkeypatch):
    file = tmp_path / "safety.jsonl"
    chosen = study.conditions([1, 2], ["both"], [])
    whole = study.safety([LIARS], BUDGET, chosen=chosen, seeds=1)
    parts = len(study._first_infosets(LIARS, study.compile_tree)) * len(chosen)
    searched, told, most = [], [], parts // 2 + 1  # two conditions are ready, the third is begun
    search = study._search

    def counted(part):
        if len(searched) == most:
            raise Stopped
        searched.append(part)
        return search(part)

    monkeypatch.setattr(study, "_search", counted)
    with pytest.raises(Stopped):
        study.safety(
            [LIARS],
            BUDGET,
            chosen=chosen,
            seeds=1,
            file=file,
            progress=lambda *now: told.append(now),
        )
    assert told == [(done, len(chosen)) for done in range(len(chosen) // 2 + 1)]
    assert len(file.read_text().splitlines()) == 1 + len(chosen) // 2
    with file.open("a") as out:
        out.write('{"game": "liars')  # what a kill leaves behind
    searched.clear()
    again = study.safety([LIARS], BUDGET, chosen=chosen, seeds=1, file=file)
    assert len(searched) == parts // 2
    assert [r.exploitability for r in again] == [r.exploitability for r in whole]
    searched.clear()
    assert study.safety([LIARS], BUDGET, chosen=chosen, seeds=1, file=file) == again
    assert not searched


def test_a_file_of_other_steps_or_of_something_else_is_refused(tmp_path):
    file = tmp_path / "safety.jsonl"
    chosen = study.conditions([2], ["both"], [])
    study.safety(["kuhn_poker"], BUDGET, chosen=chosen, file=file)
    for budget, seeds in ((Budget(steps=121), 5), (BUDGET, 4)):
        with pytest.raises(OptionError, match="other conditions"):
            study.safety(["kuhn_poker"], budget, chosen=chosen, seeds=seeds, file=file)
    file.write_text('{"fogtree": "ablation"}\n')
    with pytest.raises(FileFormatError, match="not a fogtree safety file"):
        study.safety(["kuhn_poker"], BUDGET, chosen=chosen, file=file)


def test_the_command_keeps_what_is_finished(tmp_path, capsys):
    file = tmp_path / "safety.jsonl"
    command = [
        "study",
        "safety",
        "kuhn_poker",
        "--steps",
        "100",
        "--orders",
        "2",
        "--gadgets",
        "both",
    ]
    command += ["--presets", "", "--workers", "1", "--file", str(file), "--json"]
    assert main(command) == 0
    first = json.loads(capsys.readouterr().out)
    assert len(file.read_text().splitlines()) == 3
    assert main(command) == 0
    assert json.loads(capsys.readouterr().out) == first
