"""Tables, matches, tournaments and records, on more than one game."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from fogtree import Strategy, compile, load_game, solve
from fogtree.agents import (
    Agent,
    Decision,
    Observation,
    RandomAgent,
    agent_names,
    load_agent,
    quick_agent_names,
)
from fogtree.agents.tabular import TabularAgent
from fogtree.arena import (
    bradley_terry,
    play_game,
    play_match,
    play_tournament,
    read_record,
    read_records,
    replay,
    wilson,
    workers,
    write_records,
)
from fogtree.arena.match import TASKS_PER_WORKER
from fogtree.arena.record import ahead_of_others
from fogtree.errors import FileFormatError, IllegalActionError, OptionError, UnknownNameError
from fogtree.game import TERMINAL
from fogtree.games.cambia.view import CambiaView

GAMES = ("kuhn_poker", "kuhn_poker(players=3)", "goofspiel", "cambia", "cambia(players=4)")
BASELINES = (
    "random",
    "random_no_cambia",
    "random_late_cambia",
    "imperfect_greedy",
    "memory_heuristic",
    "aggressive_snap",
    "greedy",
)


def test_wilson_is_the_published_interval() -> None:
    """R. G. Newcombe, Statistics in Medicine 17 (1998), table I, method 3."""
    for wins, games, low, high in (
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ):
        found = wilson(wins, games)
        assert (found.low, found.high) == pytest.approx((low, high), abs=5e-5)


def test_ratings_find_the_strengths_results_were_made_of() -> None:
    strength = np.array([0.9, 0.1, -1.0])
    share = 1 / (1 + np.exp(strength[None, :] - strength[:, None]))
    ratings = bradley_terry(["a", "b", "c"], 100_000 * share * (1 - np.eye(3)))
    for rating, value in zip(ratings, strength, strict=True):
        assert rating.elo.value == pytest.approx(value * 400 / math.log(10), abs=0.1)
        assert rating.elo.low < rating.elo.value < rating.elo.high


@pytest.mark.parametrize("spec", GAMES)
def test_equal_seeds_make_equal_games_and_records_replay(spec: str) -> None:
    game = load_game(spec)
    agents = [RandomAgent() for _ in range(game.players)]
    one, two = (play_game(game, agents, seed="7").record for _ in range(2))
    assert one == two
    assert play_game(game, agents, seed="8").record != one
    again = read_record(one.to_json())
    assert again == one
    states = list(replay(again))
    assert states[-1].player == TERMINAL
    assert len(states) == len(one.steps) + 1


def test_a_deal_is_the_same_whoever_sits_where() -> None:
    """Same chance, other agents: the hands dealt and the stock's order do not change."""
    game = load_game("cambia")
    drawn = []
    for names in (("imperfect_greedy", "random_no_cambia"), ("random_no_cambia", "greedy")):
        agents = [load_agent(name, game) for name in names]
        record = play_game(game, agents, seed=f"own {names}", deal="5").record
        drawn.append([step for step in record.steps if len(step) == 2 or step[0] == "X"])
    shorter = min(map(len, drawn))
    assert shorter > 12
    assert drawn[0][:shorter] == drawn[1][:shorter]


def test_a_match_depends_on_the_seed_alone() -> None:
    options: dict[str, Any] = {"games": 120, "seed": 3, "keep_records": True}
    one = play_match("cambia", "imperfect_greedy", "random", **options)
    with workers(2) as run:
        two = play_match("cambia", "imperfect_greedy", "random", run=run, **options)
    assert one == two
    assert one.games == one.wins + one.draws + one.losses == len(one.records) == 120
    assert one.win_rate.low < one.win_rate.value < one.win_rate.high
    assert set(one.facts) == {"margin", "turns"}


def test_an_agent_against_itself_is_even_on_paired_deals() -> None:
    match = play_match("cambia", "imperfect_greedy", "imperfect_greedy", games=200)
    assert match.wins == match.losses
    assert match.facts["margin"].value == 0.0


def test_a_tournament_of_more_than_two_players() -> None:
    found = play_tournament(
        "cambia(players=3)", ["greedy", "random_no_cambia"], games=90, processes=1
    )
    odd = found.score("greedy", "random_no_cambia")
    assert odd is not None
    assert odd > 0.5
    assert len(found.matches) == 2
    assert found.score("random_no_cambia", "greedy") == found.matches[1].win_rate.value
    strongest, weakest = found.ratings
    assert (strongest.name, weakest.name) == ("greedy", "random_no_cambia")
    assert strongest.elo.low > 0 > weakest.elo.high


def test_everybody_who_can_sit_there_is_in_the_quick_agent_names() -> None:
    two, three = load_game("cambia"), load_game("cambia(players=3)")
    assert set(quick_agent_names(two)) - set(quick_agent_names(three)) == {"deep"}
    assert "search" not in quick_agent_names(two)
    found = play_tournament(three, quick_agent_names(three), games=3, processes=1)
    assert len(found.ratings) == 7


def test_ahead_of_the_others_is_a_half_on_average() -> None:
    assert ahead_of_others((2.0, -1.0, -1.0), 0) == 1.0
    assert ahead_of_others((2.0, -1.0, -1.0), 1) == 0.25
    assert ahead_of_others((0.5, 0.5, -1.0), 0) == 0.75
    assert ahead_of_others((0.0, 0.0), 1) == 0.5
    match = play_match("cambia(players=3)", "random", "random", games=300)
    assert match.ahead.low < 0.5 < match.ahead.high
    assert match.win_rate.high < 0.5  # of three players one wins
    two = play_match("cambia", "random", "imperfect_greedy", games=60)
    assert two.ahead.value == pytest.approx(two.win_rate.value)


def test_the_cross_table_adds_up() -> None:
    names = ["random", "imperfect_greedy", "greedy"]
    found = play_tournament("cambia", names, games=100, processes=1)
    score = found.score("greedy", "random")
    assert score is not None
    assert found.score("random", "greedy") == pytest.approx(1 - score)
    assert [rating.name for rating in found.ratings] == ["greedy", "imperfect_greedy", "random"]
    assert found.mean_score("greedy", ("random", "nobody")) is None


@pytest.mark.parametrize(
    ("agents", "message"),
    [(["random"], "at least two different"), (["random", "random"], "at least two different")],
)
def test_a_tournament_needs_two(agents: list[str], message: str) -> None:
    with pytest.raises(OptionError, match=message):
        play_tournament("cambia", agents, games=2)


def test_unknown_agents_are_named() -> None:
    with pytest.raises(UnknownNameError, match="did you mean 'greedy'"):
        play_match("cambia", "gredy", "random", games=2)
    with pytest.raises(UnknownNameError, match="agent for kuhn_poker"):
        play_match("kuhn_poker", "greedy", "random", games=2)


def test_every_baseline_is_there() -> None:
    assert set(agent_names(load_game("cambia"))) == {*BASELINES, "deep", "search"}


@pytest.mark.parametrize("name", BASELINES)
@pytest.mark.parametrize(
    "spec",
    [
        "cambia",
        "cambia(profile='training')",
        "cambia(profile='competitive', replace_abilities=True, snap_window='always')",
        "cambia(players=4, profile='competitive')",
        "cambia(preset='tiny2')",
    ],
)
def test_baselines_play_every_variant(spec: str, name: str) -> None:
    match = play_match(spec, name, "random", games=40)
    assert match.games == 40


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ("imperfect_greedy", "random"),
        ("memory_heuristic", "random_late_cambia"),
        ("aggressive_snap", "random_no_cambia"),
        ("greedy", "imperfect_greedy"),
    ],
)
def test_baselines_are_ordered_as_they_should_be(better: str, worse: str) -> None:
    assert play_match("cambia", better, worse, games=300).win_rate.low > 0.5


def test_only_the_clairvoyant_is_shown_hidden_cards() -> None:
    """What the others get at their decisions never has a card they have not seen."""
    game = load_game("cambia")
    told: list[Observation] = []

    class Watching(RandomAgent):
        every_view = True

        def observe(self, observation: Observation) -> None:
            told.append(observation)
            if observation.actions:
                super().observe(observation)

    for seed in range(10):
        play_game(game, [Watching(), load_agent("greedy", game)], seed=str(seed))
    for observation in told:
        view = observation.view
        assert isinstance(view, CambiaView)
        if view.phase != 9:
            for hand, seen in zip(view.known, view.seen, strict=True):
                assert all(c == -1 or who & 1 for c, who in zip(hand, seen, strict=True))


def test_an_agent_that_cheats_is_stopped() -> None:
    class Cheat(Agent):
        name = "cheat"

        def start(self, game: Any, player: int, seed: str) -> None:
            pass

        def observe(self, observation: Observation) -> None:
            pass

        def act(self, budget: Any = None) -> Decision:
            return Decision("win")

    with pytest.raises(IllegalActionError, match="cheat chose 'win'"):
        play_game(load_game("cambia"), [Cheat(), Cheat()], seed="1")


@pytest.mark.parametrize(
    "spec", ["kuhn_poker", "goofspiel", "phantom_ttt", "cambia(preset='tiny1')"]
)
def test_a_saved_strategy_plays_as_well_as_it_is(spec: str, tmp_path: Path) -> None:
    """The mean return of an equilibrium against itself is the game's value."""
    game = load_game(spec)
    run = solve(compile(game), "cfr+", iterations=300)
    file = run.strategy.save(tmp_path / "strategy.npz")
    agent = f"tabular:{file}"
    match = play_match(game, agent, "random", games=1000)
    assert match.return_mean.high > 0
    agents = [TabularAgent.load(file), TabularAgent.load(file)]
    gains = [play_game(game, agents, seed=str(n)).end.returns()[0] for n in range(1500)]
    error = 4 * np.std(gains) / math.sqrt(len(gains))
    assert np.mean(gains) == pytest.approx(run.value, abs=error + 0.01)


def test_a_strategy_for_another_game_is_refused(tmp_path: Path) -> None:
    file = Strategy.uniform(compile(load_game("kuhn_poker"))).save(tmp_path / "kuhn.npz")
    with pytest.raises(OptionError, match="this strategy is for 'kuhn_poker', not for 'cambia"):
        play_match("cambia(preset='tiny1')", f"tabular:{file}", "random", games=2)


@pytest.fixture
def line() -> dict[str, Any]:
    game = load_game("cambia")
    record = play_game(game, [RandomAgent(), RandomAgent()], seed="1").record
    document: dict[str, Any] = json.loads(record.to_json())
    return document


def test_records_travel_through_files(tmp_path: Path) -> None:
    match = play_match("cambia", "greedy", "random", games=10, keep_records=True)
    file = write_records(tmp_path / "games.jsonl", match.records)
    assert tuple(read_records(file)) == match.records
    for record in match.records:
        assert list(replay(record))[-1].returns() == list(record.returns)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"fogtree": "run"}, "not a game record of fogtree"),
        ({"version": 9}, "newer fogtree"),
        ({"steps": "draw"}, "'steps' is not a list of texts"),
        ({"returns": ["x", 1]}, "'returns' is not a list of numbers"),
        ({"game": 3}, "'game' is not a text"),
    ],
)
def test_foreign_records_are_refused(line: dict[str, Any], change: Any, message: str) -> None:
    with pytest.raises(FileFormatError, match=message):
        read_record(json.dumps(line | change))


def test_what_is_not_a_record(tmp_path: Path) -> None:
    for text in ("", "[]", "null", "{", "\x00"):
        with pytest.raises(FileFormatError):
            read_record(text)
    (tmp_path / "x").write_text("{}\n")
    with pytest.raises(FileFormatError, match="line 1"):
        list(read_records(tmp_path / "x"))
    with pytest.raises(FileFormatError, match="cannot read"):
        list(read_records(tmp_path / "nothing"))


@pytest.mark.parametrize(
    ("kind", "message"),
    [
        ("cut", "stops before the game is over"),
        ("longer", "goes on after the game is over"),
        ("other", r"step 11 of this game record, 'fly\\naway', is not possible"),
        ("returns", "other returns"),
        ("foreign", "step 1 of this game record, 'player . starts', is not possible"),
        ("seats", "has 3 agents; cambia has 2"),
    ],
)
def test_a_record_that_does_not_fit_is_refused(
    line: dict[str, Any], kind: str, message: str
) -> None:
    steps, returns = line["steps"], line["returns"]
    changed = {
        "cut": {"steps": steps[:-1]},
        "longer": {"steps": [*steps, "draw"]},
        "other": {"steps": [*steps[:10], "fly\naway", *steps[11:]]},
        "returns": {"returns": [-value + 0.5 for value in returns]},
        "foreign": {"game": "kuhn_poker"},
        "seats": {"agents": ["random"] * 3, "returns": [0, 0, 0]},
    }[kind]
    with pytest.raises(FileFormatError, match=message) as caught:
        list(replay(read_record(json.dumps(line | changed))))
    assert "\n" not in str(caught.value)


def test_tasks_are_handed_out_as_they_are_needed() -> None:
    pulled = []

    def tasks() -> Iterator[Any]:
        for number in range(10_000):
            pulled.append(number)
            yield [None] * number

    with workers(2) as run:
        results = run(len, tasks())  # type: ignore[arg-type]
        assert [next(results) for _ in range(3)] == [0, 1, 2]
        assert len(pulled) <= 2 * TASKS_PER_WORKER + 3
        results.close()  # type: ignore[attr-defined]
        assert list(run(len, ([None] * number for number in range(200)))) == list(range(200))
