"""Small games of Cambia as trees: the native walk against the protocol's, and their equilibria."""

from __future__ import annotations

import numpy as np
import pytest

from fogtree import Strategy, compile, equilibrium, exploitability, load_game, solve
from fogtree.errors import MemoryLimitError

ALIKE = (
    "preset='tiny1'",
    "preset='tiny1', max_turns=1, draw_discard=True, opponent_snap=True, snap_window='always'",
    "preset='tiny2', max_turns=1",
    "deck='7S JS KH AS', jokers=0, suits=False, hand=1, looks=0, penalty=1, max_turns=2, "
    "replace_abilities=True, show_wrong_snap=False, opponent_snap=False",
    "players=3, deck='AS AH 9S 9H 6S', jokers=0, suits=False, hand=1, penalty=1, looks=1, "
    "max_turns=1, lock_caller=False, snap_window='always', opponent_snap=False",
)

SIZES = {  # histories, ends, information sets of each player: our own count, so it cannot drift
    "cambia(preset='tiny1')": (8_967, 3_904, 2_036),
    "cambia(preset='tiny2')": (3_051_451, 1_726_704, 301_378),
}
UNIFORM = {
    "cambia(preset='tiny1')": 0.5459821428571427,
    "cambia(preset='tiny2')": 0.7973765432098653,
}


@pytest.mark.parametrize("parameters", ALIKE)
def test_the_native_walk_is_the_protocols(parameters: str) -> None:
    native = compile(load_game(f"cambia({parameters})"))
    reference = compile(load_game(f"cambia({parameters}, engine='python')"))
    for name in ("parent", "player", "action", "index", "chance", "payoffs", "infoset_player"):
        assert np.array_equal(getattr(native, name), getattr(reference, name)), name
    assert native.infoset_names == reference.infoset_names
    assert native.infoset_labels == reference.infoset_labels
    edges = [[tree.labels[label] for label in tree.label[1:]] for tree in (native, reference)]
    assert edges[0] == edges[1]


@pytest.mark.parametrize("spec", SIZES)
def test_sizes_and_what_playing_at_random_loses(spec: str) -> None:
    tree = compile(load_game(spec))
    sizes = tree.sizes()
    assert (sizes.nodes, sizes.terminals, sizes.infosets[0]) == SIZES[spec]
    assert sizes.infosets[0] == sizes.infosets[1]
    measured = exploitability(tree, Strategy.uniform(tree))
    assert measured.exploitability == pytest.approx(UNIFORM[spec], abs=1e-12)


@pytest.mark.parametrize(
    "spec",
    [
        "cambia(preset='tiny1')",
        "cambia(preset='tiny1', draw_discard=True, max_turns=2)",
        "cambia(preset='tiny2', max_turns=1)",
    ],
)
def test_every_algorithm_finds_the_linear_programs_value(spec: str) -> None:
    tree = compile(load_game(spec))
    exact = equilibrium(tree)
    assert exploitability(tree, exact.strategy).exploitability < 1e-8
    assert exact.value == pytest.approx(0.0, abs=1e-8)  # both start equally often
    for algorithm in ("cfr+", "dcfr", "pcfr+"):
        run = solve(tree, algorithm, until=1e-6, iterations=200_000)
        assert run.exploitability <= 1e-6
        assert run.value == pytest.approx(exact.value, abs=2e-6)


def test_the_whole_game_is_too_large() -> None:
    with pytest.raises(MemoryLimitError):
        compile(load_game("cambia"), memory=1 << 28)
