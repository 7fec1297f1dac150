"""Estimates of a tree's size, and early refusal of trees that are far too large."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass

import pytest

from fogtree import TERMINAL, Game, State, compile, load_game
from fogtree.errors import GameError, MemoryLimitError
from fogtree.tree.size import guess_size

GAMES = [
    "kuhn_poker",
    "kuhn_poker(players=3)",
    "leduc_poker",
    "liars_dice",
    "liars_dice(sides=3)",
    "goofspiel(cards=4)",
    "battleship",
    "phantom_ttt(max_plies=4)",
]


@pytest.mark.parametrize("spec", GAMES)
def test_guesses_are_near_and_bounds_are_below(spec, tree_of):
    nodes = len(tree_of(spec).parent)
    guess = guess_size(load_game(spec))
    assert guess.lower_bound <= nodes
    assert nodes / 5 < guess.mean < nodes * 5


def test_the_same_paths_every_time():
    game = load_game("liars_dice")
    assert guess_size(game) == guess_size(game)


def test_a_tree_where_all_paths_branch_alike_is_guessed_exactly(tree_of):
    nodes = len(tree_of("goofspiel(cards=4)").parent)
    guess = guess_size(load_game("goofspiel(cards=4)"))
    assert guess.mean == pytest.approx(nodes)
    assert guess.lower_bound == pytest.approx(nodes / 2, rel=0.01)  # 1e-6 to the power of 1/20


@dataclass(frozen=True)
class Wide(Game):
    """A game that counts how much of it is looked at."""

    short_name = "wide"
    players = 2
    depth: int = 30
    lean: bool = False  # only the last action goes on

    def root(self) -> Line:
        return Line(self, 0, 0)


SEEN: list[int] = []


@dataclass(frozen=True)
class Line(State):
    game: Wide
    depth: int
    last: int

    @property
    def player(self) -> int:
        ended = self.depth == self.game.depth or (self.game.lean and self.depth and self.last < 2)
        return TERMINAL if ended else self.depth % 2

    def actions(self) -> tuple[int, ...]:
        return (0, 1, 2)

    def child(self, action: Hashable) -> Line:
        SEEN.append(1)
        return Line(self.game, self.depth + 1, int(str(action)))

    def returns(self) -> tuple[float, float]:
        return (0.0, 0.0)

    def observation(self, player: int) -> Hashable:
        return (self.depth, self.last)


def test_what_is_far_too_large_is_refused_after_a_look():
    SEEN.clear()
    with pytest.raises(MemoryLimitError, match=r"by estimate about 3\.1e\+14"):
        compile(Wide(), memory=1 << 33)
    assert len(SEEN) < 100  # of the thirty million that would have fitted


def test_what_fits_is_never_refused_by_the_guess(tree_of):
    nodes = len(tree_of("liars_dice").parent)
    tree = compile(load_game("liars_dice"), memory=(nodes + 1) * 270)
    assert len(tree.parent) == nodes


def test_a_lean_tree_is_not_taken_for_a_wide_one():
    game = Wide(depth=300, lean=True)
    assert len(compile(game).parent) == 1 + 3 * 300
    assert guess_size(game).lower_bound <= 901


def test_cycles_are_told_as_such():
    with pytest.raises(GameError, match="is there a cycle"):
        guess_size(Wide(depth=10**9))


@pytest.mark.parametrize("spec", ["liars_dice(dice=3)", "cambia"])
def test_sampling_is_offered_where_it_is_possible(spec):
    with pytest.raises(MemoryLimitError, match="mccfr-outcome"):
        compile(load_game(spec), memory=1 << 33)


def test_more_memory_is_advised_where_it_might_help():
    with pytest.raises(MemoryLimitError, match=r"or allow more memory$"):
        compile(load_game("goofspiel(cards=6)"), memory=1 << 24)


def test_sampling_is_not_offered_where_it_is_not():
    with pytest.raises(MemoryLimitError, match=r"choose smaller parameters$"):
        compile(load_game("phantom_ttt(rows=3, columns=3, max_plies=9)"), memory=1 << 33)


def test_paths_that_end_early_keep_the_bound_below():
    game = load_game("goofspiel(cards=4)")
    whole = guess_size(game)
    early = guess_size(game, enough=10)
    assert 10 / 2 < early.lower_bound < whole.lower_bound <= len(compile(game).parent)
