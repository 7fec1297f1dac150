"""Best responses without compiling beside those of the compiled game, and published figures."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from fogtree import Strategy, _core, exploitability, load_game
from fogtree.deep.coded_support import CodedTraining
from fogtree.deep.network import Network
from fogtree.deep.policy import Policy
from fogtree.deep.uncompiled_policy import policy_response_values
from fogtree.errors import OptionError
from fogtree.evaluate.uncompiled import (
    DecisionBlock,
    all_slots,
    best_response_values,
    blocks,
    responses_of,
)
from fogtree.game.simulators import simulator_of
from fogtree.games.hidden_board_training import HiddenBoardCodes
from fogtree.games.liars_dice_training import LiarsDiceCodes
from fogtree.solvers.simulated import simulate
from fogtree.strategy.hashed import HashedStrategy

SMALL = [
    "dark_hex(columns=2)",
    "dark_hex(columns=2, abrupt=True)",
    "dark_hex",
    "dark_hex(abrupt=True)",
    "dark_hex(rows=3, columns=2)",
    "dark_hex(rows=5, columns=1, abrupt=True)",
    "phantom_ttt(rows=2, columns=2, line=2, max_plies=9)",
    "phantom_ttt(rows=2, columns=3, line=3, max_plies=9)",
    "phantom_ttt(rows=2, columns=3, line=3, max_plies=9, abrupt=True)",
    "phantom_ttt(rows=1, columns=5, line=3, max_plies=9)",
    "phantom_ttt(rows=1, columns=5, line=3, max_plies=9, abrupt=True)",
    "liars_dice(sides=3)",
    "liars_dice(dice=2, sides=2)",
]


def random_table(spec: str, tree: Any, seed: int) -> HashedStrategy:
    """A random strategy with some certain actions, by the keys of the game's simulator."""
    game, dice = load_game(spec), np.random.default_rng(seed)
    counts = np.asarray(tree.infoset_actions)
    shares = [dice.dirichlet(np.full(count, 0.5)) for count in counts]
    for share in shares[::5]:
        share[:] = np.eye(len(share))[dice.integers(len(share))]
    keys = simulator_of(game).keys_of(tree.flat)
    return HashedStrategy.of(game, None, keys, counts.astype(np.int32), np.concatenate(shares))


@pytest.mark.parametrize("spec", SMALL)
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_values_are_those_of_the_compiled_game(tree_of: Any, spec: str, seed: int) -> None:
    tree, game = tree_of(spec), load_game(spec)
    table = random_table(spec, tree, seed)
    expected = exploitability(tree, table.for_tree(tree, game))
    for threads in (1, 3):
        found = best_response_values(game, table, threads=threads)
        assert found.best_response_values == pytest.approx(expected.best_response_values, abs=2e-6)
    assert found.nash_conv == pytest.approx(expected.nash_conv, abs=4e-6)
    assert found.exploitability == found.nash_conv / 2


@pytest.mark.parametrize("spec", SMALL)
def test_decisions_are_information_sets_of_the_compiled_game(tree_of: Any, spec: str) -> None:
    tree, game = tree_of(spec), load_game(spec)
    responses = responses_of(game)
    keys = simulator_of(game).keys_of(tree.flat)
    counts = np.asarray(tree.infoset_actions)
    number_of = {int(key): number for number, key in enumerate(keys)}
    for player in (0, 1):
        mine = np.flatnonzero(np.asarray(tree.infoset_player) == player)
        assert responses.infosets(player) == len(mine)
        (block,) = blocks(responses, player)
        numbers = [number_of[int(key)] for key in block.keys]
        assert len(set(numbers)) == len(numbers) == responses.decisions(player)
        assert set(numbers) <= set(mine.tolist())
        assert block.counts.tolist() == counts[numbers].tolist()
        assert len(block.columns) == responses.slots(player)
        assert all_slots(responses, player, DecisionBlock.uniform).sum() == pytest.approx(
            len(numbers), rel=1e-5
        )
        assert block.before[0] == -1
        assert (block.before < block.first).all()


@pytest.mark.parametrize("spec", ["dark_hex", "phantom_ttt(rows=2, columns=3, max_plies=9)"])
def test_a_sampled_table_is_measured(tree_of: Any, spec: str) -> None:
    tree, game = tree_of(spec), load_game(spec)
    table = simulate(game, "mccfr-outcome", iterations=20_000, seed=1).strategy()
    expected = exploitability(tree, table.for_tree(tree, game)).exploitability
    found = best_response_values(game, table).exploitability
    assert found == pytest.approx(expected, abs=1e-5)
    uniform = exploitability(tree, Strategy.uniform(tree)).exploitability
    assert best_response_values(game).exploitability == pytest.approx(uniform, abs=1e-6)
    assert found < uniform


@pytest.mark.parametrize("spec", ["dark_hex", "dark_hex(abrupt=True)", "liars_dice(sides=3)"])
@pytest.mark.parametrize("mix", [True, False])
def test_networks_are_measured(tree_of: Any, spec: str, mix: bool) -> None:
    """Beside the same networks asked at every information set of the compiled game."""
    tree, game = tree_of(spec), load_game(spec)
    codes: Any = LiarsDiceCodes if spec.startswith("liars") else HiddenBoardCodes
    support = CodedTraining(codes(game) if codes is LiarsDiceCodes else codes(game, game.native))
    sizes = (support.inputs, 16, support.outputs)
    networks = tuple(random_network(seed, *sizes) for seed in (1, 2))
    policy = Policy(game.short_name, 2, mix, (networks,), (1.0,))
    slots = np.zeros(tree.slots)
    for number, name in enumerate(tree.infoset_names):
        player = int(tree.infoset_player[number])
        view = name[2:] if not spec.startswith("liars") else name
        columns = [support.column(action) for action in tree.infoset_labels[number]]
        mixed = policy.probabilities(networks[player], support.encode(view), columns)
        slots[tree.first_slot[number] : tree.first_slot[number + 1]] = mixed
    expected = exploitability(tree, Strategy.of(tree, slots))
    found = policy_response_values(policy, support, threads=2)
    assert found.best_response_values == pytest.approx(expected.best_response_values, abs=1e-5)


def random_network(seed: int, *sizes: int) -> Network:
    dice = np.random.default_rng(seed)
    layers = Network.make(sizes, (seed,)).layers
    last = dice.normal(size=layers[-1][0].shape).astype(np.float32)
    return Network((*layers[:-1], (last, layers[-1][1])))


def test_openspiel_agrees() -> None:
    pyspiel = pytest.importorskip("pyspiel")
    exploit = pytest.importorskip("open_spiel.python.algorithms.exploitability")
    policies = pytest.importorskip("open_spiel.python.policy")
    pairs = {
        "dark_hex(columns=2, abrupt=True)": "dark_hex(num_rows=2,num_cols=2,gameversion=adh)",
        "liars_dice(sides=3)": "liars_dice(dice_sides=3)",
        "liars_dice(dice=2, sides=2)": "liars_dice(numdice=2,dice_sides=2)",
    }
    for ours, theirs in pairs.items():
        game = pyspiel.load_game(theirs)
        expected = exploit.nash_conv(game, policies.UniformRandomPolicy(game))
        found = best_response_values(load_game(ours)).nash_conv
        assert found == pytest.approx(expected, abs=1e-6), ours


def test_published_numbers_of_information_sets() -> None:
    """Dark hex on nine squares: the README of G. Farina's exp-a-spiel, 2025."""
    responses = responses_of(load_game("dark_hex(rows=3)"))
    assert [responses.infosets(player) for player in (0, 1)] == [3_720_850, 2_352_067]


@pytest.mark.slow
def test_published_best_responses_to_uniform_play() -> None:
    """As above: each player's gain over the value 0.333684 and its opposite."""
    found = best_response_values(load_game("dark_hex(rows=3)"), threads=2).best_response_values
    assert found == pytest.approx((0.333684 + 0.666318, 1.166488 - 0.333684), abs=2e-6)


def test_wrong_arguments_are_refused() -> None:
    with pytest.raises(OptionError, match="has no best responses"):
        best_response_values(load_game("kuhn_poker"))
    assert responses_of(load_game("phantom_ttt")) is None  # ends before the board is full
    responses = responses_of(load_game("dark_hex"))
    with pytest.raises(ValueError, match="player"):
        responses.decisions(2)
    with pytest.raises(ValueError, match="decision"):
        responses.describe(0, 5, 10**9)
    with pytest.raises(ValueError, match="slot"):
        responses.best_response(0, np.ones(3, dtype=np.float32))
    mixes = all_slots(responses, 1, DecisionBlock.uniform)
    with pytest.raises(ValueError, match="threads"):
        responses.best_response(0, mixes, 0)
    with pytest.raises(ValueError, match="squares"):
        _core.HiddenBoard.chain(["a1", "b1"], 1, 2, False).responses()
