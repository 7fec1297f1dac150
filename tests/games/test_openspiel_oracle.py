"""Our games beside OpenSpiel's: the same tree, history by history."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest

from fogtree.game import CHANCE, TERMINAL, State
from fogtree.registry import load_game
from tests.support.history_walk import Visit, measure, outcomes, play, walk

pyspiel = pytest.importorskip("pyspiel")


def turn_based(game: str) -> str:
    return f"turn_based_simultaneous_game(game={game})"


def goofspiel(cards: int, order: str, returns: str, *, imp_info: bool = True) -> str:
    options = f"imp_info={imp_info},num_cards={cards},points_order={order},returns_type={returns}"
    return turn_based(f"goofspiel({options})")


def battleship(
    height: int, width: int, ships: str, values: str, shots: int, *,
    repeats: bool = False, loss: float = 1.0,
) -> str:  # fmt: skip
    board = f"board_height={height},board_width={width},ship_sizes={ships},ship_values={values}"
    rules = f"num_shots={shots},allow_repeated_shots={repeats},loss_multiplier={loss}"
    return f"battleship({board},{rules})"


PAIRS = {
    "rock_paper_scissors": turn_based("matrix_rps()"),
    "matching_pennies": turn_based("matrix_mp()"),
    "kuhn_poker": "kuhn_poker",
    "kuhn_poker(players=3)": "kuhn_poker(players=3)",
    "kuhn_poker(players=4)": "kuhn_poker(players=4)",
    "leduc_poker": "leduc_poker",
    "leduc_poker(suit_isomorphism=True)": "leduc_poker(suit_isomorphism=True)",
    "leduc_poker(ranks=4, players=3, suit_isomorphism=True)": (
        "leduc_poker(players=3,suit_isomorphism=True)"
    ),
    "goofspiel(cards=3)": goofspiel(3, "descending", "win_loss"),
    "goofspiel": goofspiel(4, "descending", "win_loss"),
    'goofspiel(points="ascending", reward="point_difference")': (
        goofspiel(4, "ascending", "point_difference")
    ),
    'goofspiel(points="random")': goofspiel(4, "random", "win_loss"),
    "goofspiel(cards=3, hidden=False)": goofspiel(3, "descending", "win_loss", imp_info=False),
    "battleship": battleship(2, 3, "[2]", "[1]", 2),
    "battleship(width=2, ships=(1, 2), values=(1, 3))": battleship(2, 2, "[1;2]", "[1;3]", 2),
    "battleship(height=3, width=1)": battleship(3, 1, "[2]", "[1]", 2),
    "battleship(height=1, width=4, ships=(1, 2), shots=3)": battleship(1, 4, "[1;2]", "[1;1]", 3),
    "battleship(width=2, ships=(1,), shots=3, repeats=True, loss_multiplier=2)": battleship(
        2, 2, "[1]", "[1]", 3, repeats=True, loss=2.0
    ),
    "liars_dice": "liars_dice",
    "liars_dice(sides=3)": "liars_dice(dice_sides=3)",
    "dark_hex(columns=2)": "dark_hex(num_rows=2,num_cols=2)",
    "dark_hex": "dark_hex(num_rows=2,num_cols=3)",
    "dark_hex(rows=3, columns=2)": "dark_hex(num_rows=3,num_cols=2)",
    "dark_hex(columns=2, abrupt=True)": "dark_hex(num_rows=2,num_cols=2,gameversion=adh)",
    "dark_hex(abrupt=True)": "dark_hex(num_rows=2,num_cols=3,gameversion=adh)",
}
LARGE = (
    "leduc_poker(ranks=4, players=3, suit_isomorphism=True)",
    "liars_dice",
    "dark_hex(rows=3, columns=2)",
    "dark_hex(abrupt=True)",
)
"""Games whose whole tree takes long; random plays compare them in every run."""


def marked(pairs: dict[str, str]) -> list[Any]:
    """The pairs as parameters of a test."""
    return [
        pytest.param(ours, theirs, marks=[pytest.mark.slow] * (ours in LARGE))
        for ours, theirs in pairs.items()
    ]


def their_walk(game: Any) -> Iterator[Any]:
    """Every history in the order in which ``walk`` visits ours."""
    stack = [game.new_initial_state()]
    while stack:
        state = stack.pop()
        yield state
        stack += [state.child(action) for action in state.legal_actions()]


def same_node(ours: State, theirs: Any) -> None:
    where = theirs.history_str()
    if theirs.is_terminal():
        assert ours.player == TERMINAL, where
        assert list(ours.returns()) == pytest.approx(theirs.returns(), abs=1e-12), where
        return
    assert len(outcomes(ours)) == len(theirs.legal_actions()), where
    if theirs.is_chance_node():
        assert ours.player == CHANCE, where
        chances = [p for _, p in theirs.chance_outcomes()]
        assert [p for _, p in ours.chance()] == pytest.approx(chances, abs=1e-12), where
    else:
        assert ours.player == theirs.current_player(), where


def information_state(theirs: Any) -> str:
    """OpenSpiel's information state. Classical dark hex also tells how many squares both players
    tried together, which "reveal-nothing" should hide and phantom tic-tac-toe does hide."""
    text: str = theirs.information_state_string()
    if theirs.get_game().get_type().short_name != "dark_hex":
        return text
    *board, tries, own = text.split("\n")
    assert tries == str(len(theirs.history()))
    return "\n".join((*board, own))


class SameInformation:
    """Checks that two games tell exactly the same histories apart."""

    def __init__(self) -> None:
        self.to_theirs: dict[Any, str] = {}
        self.to_ours: dict[Any, Any] = {}

    def check(self, visit: Visit, theirs: Any) -> None:
        same_node(visit.state, theirs)
        player = visit.state.player
        if player >= 0:
            memory, text = visit.memories[player], information_state(theirs)
            assert self.to_theirs.setdefault((player, memory), text) == text, visit.path
            assert self.to_ours.setdefault((player, text), memory) == memory, visit.path


@pytest.mark.long
@pytest.mark.parametrize(("ours", "theirs"), marked(PAIRS))
def test_same_tree_and_information_sets(ours: str, theirs: str) -> None:
    """Movers, action order, probabilities, payoffs and who can tell which histories apart."""
    same = SameInformation()
    pairs = zip(walk(load_game(ours)), their_walk(pyspiel.load_game(theirs)), strict=True)
    for visit, other in pairs:
        same.check(visit, other)


def test_same_tree_of_phantom_ttt_up_to_the_fourth_mark() -> None:
    same = SameInformation()
    game = load_game("phantom_ttt(rows=3, columns=3, max_plies=4)")
    stack = [pyspiel.load_game("phantom_ttt").new_initial_state()]
    for visit in walk(game):
        theirs = stack.pop()
        marks = sum(str(theirs).count(mark) for mark in "xo")
        if marks == 4:
            assert visit.state.player == TERMINAL
            continue
        same.check(visit, theirs)
        stack += [theirs.child(action) for action in theirs.legal_actions()]
    assert not stack


_FULL_TTT = "phantom_ttt(rows=3, columns=3, max_plies=9"


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        (f"{_FULL_TTT})", "phantom_ttt"),
        (f"{_FULL_TTT}, abrupt=True)", "phantom_ttt(gameversion=abrupt)"),
        ("dark_hex(rows=3, columns=3)", "dark_hex"),
        ("dark_hex(rows=3, columns=3, abrupt=True)", "dark_hex(gameversion=adh)"),
        ("dark_hex(rows=3, columns=4)", "dark_hex(num_rows=3,num_cols=4)"),
        *((ours, PAIRS[ours]) for ours in LARGE),
    ],
)
def test_same_random_plays(ours: str, theirs: str) -> None:
    game, other = load_game(ours), pyspiel.load_game(theirs)
    same, generator = SameInformation(), random.Random(3)
    for _ in range(1000):
        before, state = game.root(), other.new_initial_state()
        for visit in play(game, generator):
            if visit.path:
                chosen = outcomes(before).index(visit.path[-1])
                state = state.child(state.legal_actions()[chosen])
            same.check(visit, state)
            before = visit.state


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        ("liars_dice(dice=2, sides=2)", "liars_dice(numdice=2,dice_sides=2)"),
        pytest.param(
            "liars_dice(dice=2, sides=3)",
            "liars_dice(numdice=2,dice_sides=3)",
            marks=pytest.mark.slow,
        ),
    ],
)
def test_unordered_dice_leave_the_information_sets(ours: str, theirs: str) -> None:
    infosets: list[set[str]] = [set(), set()]
    for state in their_walk(pyspiel.load_game(theirs)):
        if state.current_player() >= 0:
            infosets[state.current_player()].add(state.information_state_string())
    assert measure(load_game(ours)).row()[2] == [len(found) for found in infosets]
