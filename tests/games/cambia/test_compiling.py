"""Small games of Cambia as trees: the native walk against the protocol's, and their equilibria."""

from __future__ import annotations

import re

import numpy as np
import pytest

from fogtree import Strategy, compile, exploitability, load_game
from fogtree.errors import MemoryLimitError
from tests.support.cambia_equilibria import UNTIL, rows
from tests.support.paths import DOCS

ALIKE = (
    "preset='tiny1'",
    "preset='tiny1', max_turns=1, draw_discard=True, opponent_snap=True, snap_window='always'",
    "preset='tiny2', max_turns=1",
    "deck='7S JS KH AS', jokers=0, suits=False, hand=1, looks=0, penalty=1, max_turns=2, "
    "replace_abilities=True, show_wrong_snap=False, opponent_snap=False",
    "players=3, deck='AS AH 9S 9H 6S', jokers=0, suits=False, hand=1, penalty=1, looks=1, "
    "max_turns=1, lock_caller=False, snap_window='always', opponent_snap=False",
)

LARGEST = "cambia(preset='tiny2')"

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


def test_the_information_set_that_the_page_explains() -> None:
    page = (DOCS / "games" / "cambia.md").read_text(encoding="utf-8")
    shown = re.search(r"The name of an information set[^`]*`([^`]+)`", page)
    assert shown is not None
    assert shown[1] in compile(load_game("cambia(preset='tiny1')")).infoset_names


@pytest.mark.long
@pytest.mark.parametrize(
    "spec",
    ["cambia(preset='tiny1')", pytest.param("cambia(preset='tiny2')", marks=pytest.mark.slow)],
)
def test_sizes_and_what_playing_at_random_loses(spec: str) -> None:
    tree = compile(load_game(spec))
    sizes = tree.sizes()
    assert (sizes.nodes, sizes.terminals, sizes.infosets[0]) == SIZES[spec]
    assert sizes.infosets[0] == sizes.infosets[1]
    measured = exploitability(tree, Strategy.uniform(tree))
    assert measured.exploitability == pytest.approx(UNIFORM[spec], abs=1e-12)


STARTER = {  # what the first turn is worth, by linear program: our own count
    "cambia(preset='tiny1')": 33 / 35,
    "cambia(preset='tiny1', draw_discard=True, max_turns=2)": 3 / 35,
    "cambia(preset='tiny2', max_turns=1)": 9 / 35,
    "cambia(preset='tiny2', max_turns=2)": 1 / 5,
    "cambia(preset='tiny2')": 6 / 7,
}


def assert_every_way_agrees(spec: str) -> None:
    uniform, *solved, exact = rows(compile(load_game(spec)))
    assert uniform.exploitability == pytest.approx(UNIFORM.get(spec, uniform.exploitability))
    assert exact.exploitability < 1e-12
    assert exact.value == pytest.approx(0.0, abs=1e-12)  # both start equally often
    assert exact.starter == pytest.approx(STARTER[spec], abs=1e-12)
    for row in solved:
        assert row.exploitability <= UNTIL
        assert row.value == pytest.approx(exact.value, abs=2 * UNTIL)
        assert row.starter == pytest.approx(exact.starter, abs=4 * UNTIL)


@pytest.mark.parametrize("spec", [spec for spec in STARTER if spec != LARGEST])
def test_every_algorithm_finds_the_linear_programs_answer(spec: str) -> None:
    assert_every_way_agrees(spec)


@pytest.mark.slow
def test_every_algorithm_finds_the_linear_programs_answer_to_tiny2() -> None:
    assert_every_way_agrees(LARGEST)


def test_the_whole_game_is_too_large() -> None:
    with pytest.raises(MemoryLimitError):
        compile(load_game("cambia"), memory=1 << 28)
