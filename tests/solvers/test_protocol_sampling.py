"""Any game is sampled without compiling, by walking its states through the protocol."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from enum import Enum

import numpy as np
import pytest

from fogtree import (
    TERMINAL,
    Game,
    State,
    _core,
    exploitability,
    load_game,
    match,
    recipe,
    solve,
)
from fogtree.agents.hashed import HashedAgent
from fogtree.arena.play import play_game
from fogtree.errors import GameError, OptionError
from fogtree.game.simulators import HistoryKeys, simulator_of
from fogtree.solvers.recipes import SAMPLED_PREFIX
from fogtree.solvers.samplers import KINDS
from fogtree.solvers.simulated import SimulatedSolver, resume_simulated, simulate
from fogtree.solvers.trainers import Schedule, sampling_plan

LARGE = "battleship(height=3, width=3, ships=(2, 3), values=(1, 2), shots=6)"
SMALL = (
    "kuhn_poker",
    "kuhn_poker(players=3)",
    "leduc_poker",
    "liars_dice(sides=3)",
    "goofspiel(cards=3)",
    "battleship(height=1, width=2, shots=2)",
    "phantom_ttt(max_plies=4)",
    "matching_pennies",
    "rock_paper_scissors",
    "cambia(preset='tiny1')",
)


def protocol(game: Game) -> _core.SimulatedGame:
    """The simulator that walks the game in Python, also where there is a native one."""
    return _core.protocol_game(game, game.players)


@pytest.mark.parametrize("spec", SMALL)
def test_keys_are_the_information_sets_of_the_compiled_game(tree_of, spec):
    """Movers, actions, probabilities, payoffs and information sets, history by history."""
    tree, simulator = tree_of(spec), protocol(load_game(spec))
    keys = simulator.keys_of(tree.flat)
    assert len(set(keys.tolist())) == len(tree.infoset_names)
    assert simulator.histories(10**9) == len(tree.parent)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("spec", ["phantom_ttt(max_plies=3)", "matching_pennies"])
def test_the_same_numbers_as_on_the_compiled_game(tree_of, spec, kind):
    """Without chance the walks draw the same random numbers, to the last bit."""
    tree, game = tree_of(spec), load_game(spec)
    plan = sampling_plan(recipe(SAMPLED_PREFIX + kind), Schedule(batch=5, workers=2, seed=3))
    ours, theirs = protocol(game).trainer(plan), _core.hash_table_trainer(tree.flat, plan)
    ours.run(3)
    theirs.run(3)
    keys = protocol(game).keys_of(tree.flat).tolist()
    key_of_slot = dict(zip(tree.first_slot[:-1].tolist(), keys, strict=True))
    walked, compiled = ours.contents(), theirs.contents()
    assert walked["nodes"] == compiled["nodes"]
    assert walked["keys"].tolist() == [key_of_slot[slot] for slot in compiled["keys"].tolist()]
    for name in ("counts", "regret", "average", "baseline"):
        assert np.array_equal(walked[name], compiled[name]), name


@pytest.mark.parametrize("algorithm", ["mccfr-external", "mccfr-outcome", "mccfr-robust"])
def test_the_answer_is_that_of_the_compiled_sampler(tree_of, algorithm):
    tree = tree_of("kuhn_poker")
    walks = 20_000 if algorithm == "mccfr-outcome" else 5_000
    run = simulate("kuhn_poker", algorithm, iterations=walks, batch=50, seed=4)
    found = exploitability(tree, run.strategy().for_tree(tree, load_game("kuhn_poker")))
    compiled = solve(tree, algorithm, iterations=walks, batch=50, seed=4)
    assert run.sampled.infosets == 12
    assert found.exploitability < 0.04
    assert compiled.exploitability < 0.04
    assert found.value == pytest.approx(-1 / 18, abs=0.03)


def test_three_players(tree_of):
    spec = "kuhn_poker(players=3)"
    run = simulate(spec, "mccfr-external", iterations=2000, seed=1)
    tree = tree_of(spec)
    strategy = run.strategy().for_tree(tree, load_game(spec))
    uniform = simulate(spec, "mccfr-external", iterations=10).strategy()
    before = exploitability(tree, uniform.for_tree(tree, load_game(spec)))
    assert exploitability(tree, strategy).nash_conv < before.nash_conv / 4


def test_what_does_not_fit_is_sampled_and_played():
    run = simulate(LARGE, "mccfr-outcome", iterations=300, seed=2)
    assert run.iterations == 300
    assert run.sampled.infosets > 100
    result = match(LARGE, run.strategy(), "random", games=10, processes=1)
    assert result.games == 10


def test_games_of_openspiel():
    pytest.importorskip("pyspiel")
    run = simulate("openspiel:leduc_poker", "mccfr-outcome", iterations=200)
    assert run.sampled.infosets > 100


class Spy(HashedAgent):
    """Notes the keys that it looks up."""

    seen: list[int]

    def act(self, budget=None):
        if len(self.seat.to_act().actions) > 1:
            self.seen.append(self._keys.key(()))
        return super().act(budget)


@pytest.mark.parametrize(
    "spec", ["kuhn_poker", "goofspiel(cards=3)", "matching_pennies", "phantom_ttt(max_plies=4)"]
)
def test_an_agent_finds_every_information_set_that_was_sampled(spec):
    game = load_game(spec)
    strategy = simulate(game, "mccfr-external", iterations=400, seed=1).strategy()
    agents = [Spy(strategy), Spy(strategy)]
    for agent in agents:
        agent.seen = []
    for number in range(20):
        play_game(game, agents, seed=str(number))
    for agent in agents:
        assert agent.seen
        assert all(strategy.mix(key) is not None for key in agent.seen)


def test_a_replayed_action_counts_as_the_own_one():
    game = load_game("matching_pennies")
    one, other = HistoryKeys(game, 0), HistoryKeys(game, 0)
    for keys, action in ((one, "heads"), (other, "tails")):
        keys.notice(None)
        keys.follow(action)
        keys.notice(None)
    assert one.key(()) != other.key(())


def test_resumed_exactly(tmp_path):
    whole = simulate("leduc_poker", "mccfr-outcome", iterations=600, seed=3, save=tmp_path / "a")
    simulate("leduc_poker", "mccfr-outcome", iterations=200, seed=3, save=tmp_path / "b")
    rest = resume_simulated(tmp_path / "b", iterations=600)
    assert rest.sampled == whole.sampled
    mine, theirs = rest.strategy(), whole.strategy()
    assert np.array_equal(mine.keys, theirs.keys)
    assert np.array_equal(mine.probabilities, theirs.probabilities)


def test_memory_is_bounded():
    run = simulate(LARGE, "mccfr-outcome", iterations=10**6, memory=2_000_000, seed=1)
    assert run.stopped == "memory"
    assert run.sampled.bytes <= 600_000


def test_abstractions_are_refused_where_there_are_none():
    with pytest.raises(OptionError, match="has no abstractions"):
        SimulatedSolver("kuhn_poker", "mccfr-outcome", abstraction="hand")


class Colour(Enum):
    red = 1
    blue = 2


@dataclass(frozen=True)
class Choice(Game):
    """Each player chooses once; ``view`` is what the second sees of the first choice."""

    short_name = "choice"
    players = 2
    views: tuple[Hashable, Hashable] = (1, 2)
    counts: tuple[int, int] = (2, 2)
    wrong: str = ""

    def root(self) -> Chosen:
        return Chosen(self, ())


@dataclass(frozen=True)
class Chosen(State):
    game: Choice
    chosen: tuple[int, ...]

    @property
    def player(self) -> int:
        if self.chosen and self.game.wrong == "player":
            return 10**30
        return TERMINAL if len(self.chosen) == 2 else len(self.chosen)

    def actions(self) -> tuple[int, ...]:
        return (0, 1) if not self.chosen else tuple(range(self.game.counts[self.chosen[0]]))

    def child(self, action: Hashable) -> State:
        if self.game.wrong == "child":
            return None  # type: ignore[return-value]
        return self if self.game.wrong == "loop" else Chosen(self.game, (*self.chosen, action))

    def returns(self) -> tuple[float, ...]:
        if self.game.wrong == "returns":
            return (1.0,)
        same = self.chosen[0] == self.chosen[1] % 2
        return (1.0, -1.0) if same else (-1.0, 1.0)

    def observation(self, player: int) -> Hashable:
        return self.game.views[self.chosen[0]] if self.chosen and player == 1 else None


@dataclass(frozen=True)
class Endless(Game):
    """Forty actions at every decision, and no end."""

    short_name = "endless"
    players = 2

    def root(self) -> Forever:
        return Forever(0)


@dataclass(frozen=True)
class Forever(State):
    depth: int

    @property
    def player(self) -> int:
        return self.depth % 2

    def actions(self) -> tuple[int, ...]:
        return tuple(range(40))

    def child(self, action: Hashable) -> Forever:
        return Forever(self.depth + 1)

    def observation(self, player: int) -> Hashable:
        return self.depth


def test_a_path_without_end_is_told():
    with pytest.raises(GameError, match="is there a cycle"):
        simulate(Endless(), "mccfr-outcome", iterations=1)


def test_one_player_is_refused():
    class Alone(Endless):
        players = 1

    with pytest.raises(OptionError, match="one player"):
        simulate(Alone(), "mccfr-outcome", iterations=1)


def infosets(*views: Hashable) -> int:
    return simulate(Choice(views=views), "mccfr-external", iterations=50).sampled.infosets


class Same:
    """Has neither equality nor a repr of its own."""


def test_equal_views_are_one_information_set():
    assert infosets("a", "a") == 2
    assert infosets(1, 1.0) == infosets(True, 1) == infosets(np.int64(3), 3) == 2
    assert infosets((1, "a"), (1.0, "a")) == infosets(frozenset("ab"), frozenset("ba")) == 2
    assert infosets(2**70, float(2**70)) == 2


def test_different_views_are_two():
    pairs = [("a", "b"), ("1", 1), (None, 0), ((1, 2), (2, 1)), ((1,), 1), ("", b""), (0.5, 0.25)]
    pairs += [((("a",), "b"), (("a", "b"),)), (Colour.red, Colour.blue), (-1, 2**64 - 1)]
    pairs += [(frozenset("ab"), frozenset("ac")), ("a" * 8, "a" * 9), ("\ud800", "\ud801")]
    for pair in pairs:
        assert infosets(*pair) == 3, pair


def test_views_that_differ_in_every_process_are_refused():
    with pytest.raises(GameError, match=r"show their contents in repr\(\)"):
        infosets(Same(), Same())


@pytest.mark.parametrize(
    ("game", "says"),
    [
        (Choice(views=([1], [2])), "must be hashable"),
        (Choice(wrong="child"), "not a State"),
        (Choice(wrong="loop"), "leads back to the same state"),
        (Choice(wrong="player"), "1000000000000"),
        (Choice(wrong="returns"), "1 payoffs at the end of a game of 2"),
        (Choice(views=(1, 1), counts=(2, 3)), "could tell them apart"),
        (Choice(counts=(2, 2000)), "more than 1,024 actions"),
        (Choice(counts=(2, 0)), "no actions and is not the end"),
        (Endless(), "too long for this sampler; choose mccfr-outcome"),
    ],
)
def test_broken_games_are_told(game, says):
    with pytest.raises(GameError, match=says):
        simulate(game, "mccfr-external", iterations=50)


def test_errors_of_a_game_pass_through_and_the_solver_goes_on():
    class Failing(Choice):
        fails = True

        def root(self) -> Chosen:
            if self.fails:
                raise ZeroDivisionError("of the game")
            return super().root()

    game = Failing()
    solver = SimulatedSolver(game, "mccfr-external")
    with pytest.raises(ZeroDivisionError, match="of the game"):
        solver.run(10)
    Failing.fails = False
    assert solver.run(10)
    assert simulator_of(game).histories(10) == 7
