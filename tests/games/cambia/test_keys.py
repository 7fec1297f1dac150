"""Keys of information sets in Cambia: the simulator's equal those made from views."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

import fogtree
from fogtree import exploitability
from fogtree.agents.hashed import HashedAgent
from fogtree.arena import play_game
from fogtree.errors import FileFormatError, OptionError, UnknownNameError
from fogtree.game import TERMINAL
from fogtree.game.simulators import simulator_of
from fogtree.games.cambia.keys import ABSTRACTIONS
from fogtree.registry import load_game
from fogtree.solvers.simulated import resume_simulated, simulate
from fogtree.strategy.hashed import HashedStrategy
from tests.support.cambia_abstractions import abstract_key
from tests.support.cambia_play import play

SPECS = (
    "cambia",
    "cambia(profile='competitive', max_turns=40, cambia_from_round=9)",
    "cambia(profile='training', snap_window='always', deck='A 2 7 9 J K', cambia_from_round=6)",
    "cambia(players=4, hand=3, show_wrong_snap=False, cambia_from_round=3)",
    "cambia(players=6, suits=False, cambia_from_round=2)",
)


def numbered(states: list[Any]) -> list[int]:
    """The steps of a game as numbers of children."""
    steps = []
    for before, after in pairwise(states):
        if before.player >= 0:
            steps.append(before.position.legal().index(after.last.action))
        else:
            outcomes = [outcome for outcome, _ in before.position.chance()]
            steps.append(outcomes.index(after.last.action))
    return steps


@pytest.mark.parametrize("spec", SPECS)
def test_both_sides_fold_the_same_key(spec: str) -> None:
    """At every decision of random games, with all remembered and under every abstraction."""
    game, generator = load_game(spec), random.Random(spec)
    native: dict[str, dict[int, object]] = {name: {} for name in ABSTRACTIONS}
    for _ in range(4):
        states = play(game, generator)
        steps = numbered(states)
        for abstraction in (None, *ABSTRACTIONS):
            simulator = simulator_of(game, abstraction)
            keys = [game.table_keys(player, abstraction) for player in range(game.players)]
            for number, state in enumerate(states[:-1]):
                for player, own in enumerate(keys):
                    own.notice(state.observation(player))
                if state.player < 0:
                    continue
                key = keys[state.player].key(state.actions())
                assert key == simulator.key_after(steps[:number])
                if abstraction is None:
                    continue
                forgotten = abstract_key(
                    abstraction, state.observation(state.player), state.actions()
                )
                assert native[abstraction].setdefault(key, forgotten) == forgotten
    for name, found in native.items():  # and no two of them have one key
        assert len(set(found.values())) == len(found), name


def test_abstractions_stop_at_a_plateau(tree_of: Any) -> None:
    """Forgetting keeps the table small and costs exploitability; nothing forgotten costs none."""
    game, tree = load_game("cambia(preset='tiny1')"), tree_of("cambia(preset='tiny1')")
    sizes, gaps = [], []
    for abstraction in (None, *ABSTRACTIONS):
        run = simulate(game, "mccfr-external", abstraction=abstraction, iterations=60_000)
        sizes.append(run.sampled.infosets)
        strategy = run.strategy().for_tree(tree, game)
        gaps.append(exploitability(tree, strategy).exploitability)
    assert sizes == sorted(sizes, reverse=True)
    assert len(set(sizes)) >= 3
    assert gaps[0] < 0.01
    assert gaps[2] > 5 * gaps[0]


def test_a_table_is_saved_loaded_and_played(tmp_path: Any) -> None:
    game = load_game("cambia(max_turns=12)")
    run = simulate(
        game,
        "mccfr-outcome",
        abstraction="own_hand_in_buckets",
        iterations=20_000,
        seed=2,
        save=tmp_path / "run",
    )
    path = run.strategy().save(tmp_path / "table")
    table = HashedStrategy.load(path)
    assert (table.game, table.abstraction) == ("cambia(max_turns=12)", "own_hand_in_buckets")
    assert np.array_equal(table.probabilities, run.strategy().probabilities)
    more = resume_simulated(tmp_path / "run", iterations=21_000)
    assert more.abstraction == "own_hand_in_buckets"
    agents = [fogtree.agent(f"tabular:{path}", game), fogtree.agent("random", game)]
    known = []
    act = agents[0].act

    def noted(budget: Any = None) -> Any:
        decision = act(budget)
        known.append(decision.stats["known"])
        assert sum(decision.mix.values()) == pytest.approx(1, abs=1e-5)
        return decision

    agents[0].act = noted  # type: ignore[method-assign]
    for number in range(5):
        assert play_game(game, agents, seed=str(number)).end.player == TERMINAL
    assert sum(known) > len(known) / 2
    with pytest.raises(OptionError, match="is for"):
        play_game(load_game("cambia"), agents, seed="0")


@pytest.mark.parametrize("setting", ["engine='python'", "earlier_defects=True"])
def test_rules_without_a_native_simulator_are_walked_in_python(setting: str) -> None:
    game = load_game(f"cambia(preset='tiny1', {setting})")
    run = simulate(game, "mccfr-outcome", iterations=200)
    assert not run.solver.native
    agents = [HashedAgent(run.strategy()), HashedAgent(run.strategy())]
    assert play_game(game, agents, seed="0").record.returns
    with pytest.raises(OptionError, match="no native simulator"):
        simulate(game, "mccfr-outcome", abstraction="own_hand", iterations=1)


def test_bad_tables_and_names_are_told(tmp_path: Any) -> None:
    game = load_game("cambia")
    with pytest.raises(UnknownNameError, match="abstraction of cambia"):
        simulate(game, "mccfr-outcome", abstraction="own_hands", iterations=1)
    with pytest.raises(OptionError, match="has no abstractions"):
        simulate(load_game("liars_dice"), "mccfr-outcome", abstraction="own_hand", iterations=1)
    with pytest.raises(OptionError, match="at most 1,000 turns"):
        simulate(load_game("cambia(max_turns=1001)"), "mccfr-outcome", iterations=1)
    (tmp_path / "not").write_bytes(b"not a table")
    with pytest.raises(FileFormatError, match="damaged or not"):
        fogtree.agent(f"tabular:{tmp_path / 'not'}", game)
    run = simulate(game, "mccfr-outcome", abstraction="own_hand", iterations=1, batch=10)
    table = run.strategy()
    broken = HashedStrategy(table.game, None, table.keys[::-1], table.counts, table.probabilities)
    broken.save(tmp_path / "broken")
    with pytest.raises(FileFormatError, match="do not fit together"):
        HashedStrategy.load(tmp_path / "broken")
    for name in ("../own_hand", "\udc80"):
        unknown = HashedAgent(replace(table, abstraction=name))
        with pytest.raises(UnknownNameError, match="abstraction of cambia"):
            unknown.start(game, 0, "0")


def test_each_forgets_more_than_the_one_before() -> None:
    game, generator = load_game("cambia(preset='tiny2', deck='A 2 6')"), random.Random(4)
    decisions = [s for _ in range(800) for s in play(game, generator) if s.player >= 0]
    finer: list[object] = [state.name() for state in decisions]
    for name in ABSTRACTIONS:
        keys = [
            abstract_key(name, state.observation(state.player), state.actions())
            for state in decisions
        ]
        assert len(set(keys)) < len(set(finer))
        for key, state in zip(keys, decisions, strict=True):
            assert key[0] == tuple(state.actions())  # type: ignore[index]
        if name != "no_history":  # the coarser key is a function of the finer one
            coarse = dict(zip(finer, keys, strict=True))
            assert all(coarse[fine] == key for fine, key in zip(finer, keys, strict=True))
        finer = list(keys)
