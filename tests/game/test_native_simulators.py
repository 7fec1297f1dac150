"""Games of other packages, in C, are sampled like the package's own and like their protocol."""

from __future__ import annotations

import ctypes
import gc
import subprocess
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from fogtree import _core, compile, exploitability, include_dir, native_simulator, recipe
from fogtree.agents import Budget, Decision
from fogtree.agents.hashed import HashedAgent
from fogtree.arena.play import play_game
from fogtree.errors import FogtreeError, GameError, OptionError
from fogtree.game import Action, Game, InfosetKeys, State
from fogtree.game.simulators import infoset_keys
from fogtree.games.liars_dice import LiarsDice
from fogtree.solvers.recipes import SAMPLED_PREFIX
from fogtree.solvers.samplers import KINDS
from fogtree.solvers.simulated import SimulatedSolver, resume_simulated, simulate
from fogtree.solvers.trainers import Schedule, sampling_plan
from tests.support.compilers import compiler, shared_library
from tests.support.paths import ROOT

DICE = ROOT / "examples" / "native_simulator" / "liars_dice.c"
FAULTY = ROOT / "tests" / "support" / "faulty_simulator.c"
SIZES = [(1, 2), (1, 4), (2, 2)]


def library(source: Any) -> ctypes.CDLL:
    return shared_library(source.read_text(), "c", "-std=c11", "-O1", f"-I{include_dir()}")


class DiceKeys(InfosetKeys):
    """The keys of liars_dice.c, from the last view."""

    def __init__(self, game: LiarsDice, player: int) -> None:
        self._game, self._player, self._view = game, player, ""

    def notice(self, view: Hashable) -> None:
        self._view = str(view or "")

    def key(self, actions: Sequence[Action]) -> int:
        roll, *bids = self._view.split()
        rolls = [name for name, _ in self._game.rolls]
        own = -1 - 2 * rolls.index(roll) - self._player
        return _core.extend_hash([*map(self._game.bids.index, bids), own])


@dataclass(frozen=True)
class DiceInC(LiarsDice):
    """Liar's dice with the simulator in C."""

    def simulator(self, abstraction: str | None = None) -> _core.SimulatedGame:
        return native_simulator(library(DICE).liars_dice, self.dice, self.sides)

    def table_keys(self, player: int, abstraction: str | None = None) -> Any:
        return DiceKeys(self, player)


class Unplayable(DiceInC):
    """Cannot find its information sets in a table."""

    def table_keys(self, player: int, abstraction: str | None = None) -> None:
        return None


@pytest.mark.parametrize(("dice", "sides"), SIZES)
def test_every_history_is_that_of_the_compiled_game(dice, sides):
    game = DiceInC(dice, sides)
    tree, simulator = compile(LiarsDice(dice, sides)), game.simulator()
    keys = simulator.keys_of(tree.flat)
    assert len(set(keys.tolist())) == len(tree.infoset_names)
    assert simulator.histories(10**9) == len(tree.parent)
    with pytest.raises(GameError, match="simulator and tree differ in"):
        simulate(game, iterations=1).strategy().for_tree(compile("kuhn_poker"), game)


@pytest.mark.parametrize("kind", KINDS)
def test_the_same_numbers_as_through_the_protocol(kind):
    """Walks draw the same random numbers as those through the states in Python, to the last bit."""
    game = DiceInC(2, 2)
    plan = sampling_plan(recipe(SAMPLED_PREFIX + kind), Schedule(batch=7, workers=2, seed=3))
    native, protocol = game.simulator(), _core.protocol_game(game, 2)
    tree = compile(game)
    of_protocol = dict(
        zip(protocol.keys_of(tree.flat).tolist(), native.keys_of(tree.flat).tolist(), strict=True)
    )
    ours, theirs = native.trainer(plan), protocol.trainer(plan)
    ours.run(3)
    theirs.run(3)
    found, expected = ours.contents(), theirs.contents()
    assert found["nodes"] == expected["nodes"]
    assert found["keys"].tolist() == [of_protocol[key] for key in expected["keys"].tolist()]
    for name in ("counts", "regret", "average", "baseline"):
        assert np.array_equal(found[name], expected[name]), name


@pytest.mark.parametrize("algorithm", ["mccfr-external", "mccfr-outcome"])
def test_the_strategy_is_as_good_as_that_of_the_built_in_simulator(algorithm):
    tree = compile(LiarsDice(1, 3))
    exploited = []
    for game in (DiceInC(1, 3), LiarsDice(1, 3)):
        run = simulate(game, algorithm, iterations=20_000, batch=50, seed=1)
        measured = exploitability(tree, run.strategy().for_tree(tree, game))
        exploited.append(measured.exploitability)
        assert run.solver.native
    assert max(exploited) < 0.05


def same(first: SimulatedSolver, second: SimulatedSolver) -> bool:
    ours, theirs = first.state(), second.state()
    return ours.keys() == theirs.keys() and all(
        np.array_equal(ours[name], theirs[name]) for name in ours
    )


def test_equal_seeds_give_equal_runs_and_resuming_changes_nothing(tmp_path):
    game, options = DiceInC(1, 4), {"workers": 2, "batch": 10, "seed": 5}
    whole = simulate(game, "mccfr-outcome", iterations=400, **options)
    again = simulate(game, "mccfr-outcome", iterations=400, **options)
    assert same(whole.solver, again.solver)
    other = simulate(game, "mccfr-outcome", iterations=400, **{**options, "seed": 6})
    assert not same(whole.solver, other.solver)
    half = simulate(game, "mccfr-outcome", iterations=200, save=tmp_path / "run", **options)
    assert not same(whole.solver, half.solver)
    resumed = resume_simulated(tmp_path / "run", game=game, iterations=400)
    assert same(whole.solver, resumed.solver)


def test_agents_find_their_information_sets():
    game, known = DiceInC(1, 3), list[float]()
    strategy = simulate(game, "mccfr-external", iterations=2000).strategy()

    class Spy(HashedAgent):
        def act(self, budget: Budget | None = None) -> Decision:
            choice = len(self.seat.to_act().actions) > 1
            decision = super().act(budget)
            known.extend([decision.stats["known"]] if choice else [])
            return decision

    for number in range(20):
        play_game(game, [Spy(strategy), Spy(strategy)], seed=str(number))
    assert len(known) > 30
    assert all(known)


def test_without_table_keys_nobody_plays_a_table():
    with pytest.raises(GameError, match=r"native simulator but no table_keys\(\)"):
        infoset_keys(Unplayable(1, 3), 0)


FAULTS = {
    1: "version 77 of fogtree_simulator.h, this fogtree reads version 1",
    2: "state_bytes is 0, not 1 to 1024",
    3: "state_bytes is 1025, not 1 to 1024",
    4: "players is 1, not 2 to 60",
    5: "players is 61, not 2 to 60",
    6: r"root\(\) is NULL",
    7: r"player\(\) is NULL",
    8: r"choices\(\) is NULL",
    9: r"step\(\) is NULL",
    10: r"key\(\) is NULL",
    11: r"payoff\(\) is NULL",
    12: r"player\(\) returns 2, but there are 2 players",
    13: r"player\(\) returns -3, but there are 2 players",
    14: r"choices\(\) returns 1025; there can be 1 to 1024 actions",
    15: r"choices\(\) returns 0; there can be 1 to 1024 actions",
    16: r"choices\(\) returns 0; there can be 1 to 10000000 outcomes of chance",
    17: r"choices\(\) returns 10000001; there can be",
    18: "probabilities of a chance move sum to 1.5",
    19: r"probability\(\) returns a number that is not 0 or more",
    20: r"probability\(\) returns a number that is not 0 or more",
    21: r"payoff\(\) does not return a finite number",
    22: "more than 10,000 moves; is there a cycle",
    23: "too long for this sampler; choose mccfr-outcome",
    24: "an information set has more actions in one history than in another",
}


@dataclass(frozen=True)
class Faulty(Game):
    """A game whose simulator has a fault."""

    fault: int = 0
    players = 2

    def root(self) -> State:
        return LiarsDice().root()

    def simulator(self, abstraction: str | None = None) -> _core.SimulatedGame:
        return native_simulator(library(FAULTY).faulty, self.fault)


@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("workers", [1, 2])
def test_a_faulty_simulator_is_refused_in_one_line(fault, workers):
    algorithm = "mccfr-external" if fault == 23 else "mccfr-outcome"
    with pytest.raises(GameError, match=FAULTS[fault]) as refused:
        simulate(Faulty(fault=fault), algorithm, iterations=100, workers=workers)
    assert "\n" not in str(refused.value)


def test_the_game_without_a_fault_is_sampled():
    assert simulate(Faulty(), "mccfr-outcome", iterations=100).sampled.infosets == 3
    assert Faulty().simulator().histories(100) == 1 + 2 + 4 + 8


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ((7,), "not a value of type int"),
        (("liars_dice.so",), "not a value of type str"),
        ((None,), "not a value of type NoneType"),
        ((ctypes.c_void_p(0),), "not a value of type c_void_p"),
    ],
)
def test_other_values_are_refused(arguments, says):
    with pytest.raises(OptionError, match=says):
        native_simulator(*arguments)


def test_wrong_arguments_of_a_function():
    function = library(DICE).liars_dice
    with pytest.raises(GameError, match=r"liars_dice\(\) returns NULL"):
        native_simulator(function, 0, 6)
    with pytest.raises(OptionError, match="liars_dice: argument 2"):
        native_simulator(function, 1, object())
    with pytest.raises(OptionError, match="the function is NULL"):
        native_simulator(ctypes.CFUNCTYPE(ctypes.c_void_p)())


def capsule(address: int, name: bytes, destroyed: list[int] | None = None) -> Any:
    """A capsule that notes its destruction."""
    new = ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p)(
        ("PyCapsule_New", ctypes.pythonapi)
    )
    if destroyed is None:
        return new(address, name, None)
    function = ctypes.PYFUNCTYPE(None, ctypes.c_void_p)(lambda _: destroyed.append(1))
    KEPT.append(function)
    return new(address, name, ctypes.cast(function, ctypes.c_void_p))


KEPT: list[Any] = []
RIGHT, WRONG = b"fogtree.simulator", b"numpy.simulator"


def address() -> int:
    function = library(FAULTY).faulty
    function.restype = ctypes.c_void_p
    return int(function(0))


def test_a_capsule_lives_as_long_as_what_samples_it():
    destroyed: list[int] = []
    simulator = native_simulator(capsule(address(), RIGHT, destroyed))
    plan = sampling_plan(recipe("mccfr-outcome"), Schedule(batch=5, workers=1, seed=0))
    trainer = simulator.trainer(plan)
    gc.collect()
    assert not destroyed
    del simulator
    gc.collect()
    assert not destroyed
    trainer.run(2)
    del trainer
    gc.collect()
    assert destroyed == [1]


def test_capsules_of_other_libraries_are_refused():
    with pytest.raises(GameError, match=r"in a capsule named 'fogtree\.simulator'"):
        native_simulator(capsule(address(), WRONG))
    with pytest.raises(OptionError, match="takes no arguments"):
        native_simulator(capsule(address(), RIGHT), 1)
    for value in (7, "text"):
        with pytest.raises(FogtreeError, match="capsule"):
            _core.provided_game(value)


@pytest.mark.parametrize(("suffix", "standard"), [("c", "c99"), ("cpp", "c++11")])
def test_the_header_is_plain_c_and_c_plus_plus(tmp_path, suffix, standard):
    source = tmp_path / f"use.{suffix}"
    source.write_text("#include <fogtree_simulator.h>\nfogtree_simulator empty;\n")
    options = [f"-std={standard}", "-pedantic", "-Wall", "-Wextra", "-Werror", "-fsyntax-only"]
    command = [compiler(suffix), *options, f"-I{include_dir()}", str(source)]
    subprocess.run(command, check=True)
