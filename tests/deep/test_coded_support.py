"""Games with codes of their own: what the native engine writes is what the game in Python says."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from fogtree import load_game
from fogtree.deep.coded_support import CodedGame, CodedTraining, WalkableStates
from fogtree.deep.engine import NativeEngine, PythonEngine
from fogtree.deep.exploit import exploit
from fogtree.deep.policy import Policy
from fogtree.deep.support import support_for
from fogtree.deep.train import train
from fogtree.deep.traversal import Task, Walks
from fogtree.deep.uncompiled_policy import policy_response_values
from fogtree.errors import OptionError, UnknownNameError
from fogtree.game import TERMINAL
from fogtree.games.hidden_board_training import HiddenBoardCodes
from fogtree.games.liars_dice_training import LiarsDiceCodes
from tests.support.history_walk import walk

SMALL = [
    "phantom_ttt(rows=2, columns=2, line=2, max_plies=4)",
    "phantom_ttt(rows=2, columns=2, line=2, max_plies=4, abrupt=True)",
    "dark_hex(columns=2)",
    "dark_hex(columns=2, abrupt=True)",
    "liars_dice(sides=2)",
    "liars_dice(dice=2, sides=2)",
]
LARGE = [
    "phantom_ttt(rows=3, columns=3, max_plies=9)",
    "phantom_ttt(rows=3, columns=3, max_plies=9, abrupt=True)",
    "dark_hex(rows=3, columns=3)",
    "dark_hex(rows=3, columns=3, abrupt=True)",
    "liars_dice(dice=2, sides=5)",
]


def coded(spec: str) -> CodedGame:
    game: Any = load_game(spec)
    if spec.startswith("liars_dice"):
        return LiarsDiceCodes(game)
    return HiddenBoardCodes(game, game.native)


@pytest.mark.parametrize("spec", SMALL)
def test_codes_tell_exactly_the_information_sets_apart(spec: str) -> None:
    codes = coded(spec)
    code_of: dict[Any, bytes] = {}
    for visit in walk(codes.game):
        mover = visit.state.player
        if mover >= 0:
            code = codes.code(visit.state.observation(mover)).tobytes()
            assert code_of.setdefault((mover, visit.memories[mover]), code) == code
    for player in (0, 1):
        mine = [code for (mover, _), code in code_of.items() if mover == player]
        assert len(set(mine)) == len(mine)


@pytest.mark.parametrize("spec", SMALL)
def test_native_walks_meet_the_codes_of_all_information_sets(spec: str) -> None:
    codes = coded(spec)
    states = [visit.state for visit in walk(codes.game) if visit.state.player >= 0]
    for player in (0, 1):
        expected = {
            codes.code(state.observation(player)).tobytes()
            for state in states
            if state.player == player and len(state.actions()) > 1
        }
        task = Task(Walks("external"), [], None, player, traversals=30_000, iteration=1, seed=1)
        rows = NativeEngine(codes.native).traverse(task).arrays()
        assert {row.tobytes() for row in rows["regret_codes"]} == expected


@pytest.mark.parametrize("spec", SMALL)
def test_native_walks_write_the_codes_of_histories(spec: str) -> None:
    codes = coded(spec)
    task = Task(Walks("rollout", exploration=1.0), [], None, 0, 2000, iteration=1, seed=1)
    rows = NativeEngine(codes.native).traverse(task).arrays()
    met = {row.tobytes() for row in rows["value_codes"]}
    assert len(met) >= 32
    assert met <= {
        codes.history_code(visit.state, viewer).tobytes()
        for visit in walk(codes.game)
        for viewer in (0, 1)
        if visit.state.player != TERMINAL
    }


@pytest.mark.parametrize("spec", SMALL)
def test_the_reference_walks_as_the_native_engine_does(spec: str) -> None:
    """Uniform play: the mean number of decisions and the mean inputs of both engines agree."""
    codes = coded(spec)
    task = Task(Walks("outcome", exploration=1.0), [], None, 1, 2000, iteration=1, seed=2)
    engines = PythonEngine(WalkableStates(codes)), NativeEngine(codes.native)
    found = [engine.traverse(task).arrays() for engine in engines]
    for rows in ("strategy_codes", "regret_codes"):
        assert len(found[0][rows]) == pytest.approx(len(found[1][rows]), rel=0.05)
    means = [codes.native.decode(rows["strategy_codes"]).mean(axis=0) for rows in found]
    assert means[0] == pytest.approx(means[1], abs=0.06)


def by_plan(codes: NDArray[np.uint8], plan: tuple[NDArray[Any], ...]) -> NDArray[np.float32]:
    """The inputs of networks from codes, as an accelerator decodes them."""
    source, kind, argument, scale = plan
    byte = codes[:, source].astype(np.int32)
    high = codes[:, np.minimum(source + 1, codes.shape[1] - 1)].astype(np.int32)
    numbers = np.where(kind == 3, byte + 256 * high, byte) / scale
    bits = np.where(kind == 1, byte >> argument & 1, numbers)
    return np.where(kind == 0, byte == argument, bits).astype(np.float32)


@pytest.mark.parametrize("spec", [*SMALL, *LARGE, "cambia"])
def test_an_accelerator_decodes_as_the_native_engine_does(spec: str) -> None:
    """Codes of information sets and of histories, whose inputs are others."""
    support: Any = CodedTraining(coded(spec)) if spec != "cambia" else support_for(load_game(spec))
    native = support.native_game
    task = Task(Walks("rollout", exploration=1.0), [], None, 0, 200, iteration=1, seed=1)
    rows = NativeEngine(native).traverse(task).arrays()
    policy, value = rows["strategy_codes"], rows["value_codes"]
    assert np.array_equal(by_plan(policy, support.decoding_plan()), native.decode(policy))
    whole = by_plan(value, support.decoding_plan(history=True))
    assert np.array_equal(whole, native.decode_history(value))


@pytest.mark.parametrize("spec", LARGE)
def test_large_games_have_support_and_small_ones_are_compiled(spec: str) -> None:
    game = load_game(spec)
    support = support_for(game)
    assert isinstance(support, CodedTraining)
    state: Any = game.root()
    while state.player < 0:
        state = state.child(state.chance()[0][0])
    vector = support.encode(state.observation(state.player))
    assert vector.shape == (support.inputs,)
    assert {support.column(action) for action in state.actions()} <= set(range(support.outputs))
    assert len(support.decoding_plan()[0]) == support.inputs
    with pytest.raises(OptionError, match="no trained networks"):
        support.shipped_policy()
    assert support_for(load_game(spec.partition("(")[0])) is None


def quick_options(**evaluation: bool) -> dict[str, dict[str, Any]]:
    """Two iterations that learn nothing."""
    fit = {"steps": 2, "batch": 16}
    return {
        "run": {"iterations": 2},
        "traversal": {"traversals": 4},
        "network": {"hidden": [8], "value_hidden": [8]},
        "regret": fit,
        "average": fit,
        "value": fit,
        "evaluation": evaluation,
    }


@pytest.mark.parametrize("spec", LARGE)
def test_large_games_are_trained_without_compiling(spec: str) -> None:
    run = train(spec, quick_options())
    assert run.iterations == 2
    assert run.exploitability is None


@pytest.mark.long
def test_training_is_measured_by_best_responses_if_so_wished(tmp_path: Path) -> None:
    spec, options = "liars_dice(dice=2, sides=4)", quick_options(responses=True)
    run = train(spec, options, folder=tmp_path / "run")
    policy = Policy.load(tmp_path / "run")
    expected = policy_response_values(policy, support_for(load_game(spec))).exploitability
    assert run.exploitability == pytest.approx(expected, abs=1e-6)
    assert 0 < expected < 1
    found = exploit(spec, policy)
    assert [bound.method for bound in found.bounds] == ["exact"]
    assert found["exact"].value == expected
    with pytest.raises(UnknownNameError, match="'trained'"):
        exploit(spec, policy, ["exact", "trained"])


def test_best_responses_that_are_not_there_are_refused() -> None:
    options = quick_options(responses=True)
    with pytest.raises(OptionError, match="cambia has none"):
        train("cambia", options)
    options["run"]["average"] = "single"
    with pytest.raises(OptionError, match="average = 'network' or 'last'"):
        train(LARGE[0], options)
