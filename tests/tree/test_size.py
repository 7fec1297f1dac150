"""Estimates of a tree's size, and early refusal of trees that are far too large."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import pytest

from fogtree import CHANCE, TERMINAL, Game, State, compile, load_game
from fogtree.errors import GameError, MemoryLimitError
from fogtree.game.tree_source import MeasuredSource
from fogtree.tree import CompileProgress
from fogtree.tree.history_walk import HistoryWalk
from fogtree.tree.size import guess_against, guess_size

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
    with pytest.raises(MemoryLimitError, match=r"by estimate it has about 3\.1e\+14"):
        compile(Wide(), memory=1 << 33)
    assert len(SEEN) < 1000  # of the thirty million that would have fitted


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
    with pytest.raises(GameError, match="is there a cycle"):
        compile(Wide(depth=10**9), memory=1 << 33)


@pytest.mark.parametrize(
    "spec", ["liars_dice(dice=3)", "cambia", "phantom_ttt(rows=3, columns=3, max_plies=9)"]
)
def test_sampling_is_offered(spec):
    with pytest.raises(MemoryLimitError, match="mccfr-outcome"):
        compile(load_game(spec), memory=1 << 33)


def test_more_memory_is_advised_where_it_might_help():
    with pytest.raises(MemoryLimitError, match=r"or allow more memory, or sample"):
        compile(load_game("goofspiel(cards=6)"), memory=1 << 24)


def test_paths_that_end_early_keep_the_bound_below():
    game = load_game("goofspiel(cards=4)")
    whole = guess_size(game)
    early = guess_size(game, enough=10)
    assert 10 / 2 < early.lower_bound < whole.lower_bound <= len(compile(game).parent)


def test_a_heavy_tail_takes_more_paths():
    pytest.importorskip("pyspiel")
    game = load_game("openspiel:tiny_bridge_4p")
    with pytest.raises(MemoryLimitError, match="by estimate it has about"):
        compile(game, memory=16 << 30)
    few, more = guess_against(game, 0), guess_against(game, 6e7)
    assert few.steps < more.steps < 200_000
    assert few.lower_bound < 6e7 < more.lower_bound


def test_an_estimate_does_not_go_on_for_a_game_that_seems_to_fit():
    game = load_game("goofspiel(cards=4)")
    assert guess_against(game, 1e9).steps == guess_size(game, paths=1).steps


@dataclass(frozen=True)
class Deal(Game):
    """A game with one wide chance event, which counts how often it is listed."""

    short_name = "deal"
    players = 1
    cards: int = 30_000

    def root(self) -> Dealt:
        return Dealt(self, None, False)


LISTED: list[int] = []


@dataclass(frozen=True)
class Dealt(State):
    game: Deal
    card: int | None
    done: bool

    @property
    def player(self) -> int:
        return CHANCE if self.card is None else TERMINAL if self.done else 0

    def chance(self) -> Sequence[tuple[int, float]]:
        LISTED.append(1)
        return [(card, 1 / self.game.cards) for card in range(self.game.cards)]

    def actions(self) -> tuple[str, str]:
        return ("a", "b")

    def child(self, action: Hashable) -> Dealt:
        return (
            Dealt(self.game, self.card, True)
            if self.card is not None
            else Dealt(self.game, int(str(action)), False)
        )

    def returns(self) -> tuple[float]:
        return (0.0,)

    def observation(self, player: int) -> Hashable:
        return self.card


def test_a_wide_deal_is_listed_twice_and_no_more():
    LISTED.clear()
    seen: list[CompileProgress] = []
    tree = compile(Deal(), progress=seen.append)
    assert len(tree.parent) == 1 + 3 * 30_000
    assert len(LISTED) == 2  # for the estimate, and for the walk
    assert all(now.expected == pytest.approx(len(tree.parent), rel=1e-3) for now in seen)


@pytest.mark.parametrize("spec", ["kuhn_poker", "liars_dice(sides=3)", "leduc_poker"])
def test_the_share_visited_is_that_of_equal_siblings(spec, tree_of):
    tree = tree_of(spec)
    children = [0] * len(tree.parent)
    for parent in tree.parent[1:].tolist():
        children[parent] += 1
    share = [1.0] * len(tree.parent)
    for node, parent in enumerate(tree.parent.tolist()):
        if node:
            share[node] = share[parent] / children[parent]
    walk = HistoryWalk(load_game(spec))
    assert isinstance(walk, MeasuredSource)
    assert walk.share_visited() == 0
    left = True
    while left:
        left = walk.grow(7)
        leaves = [share[n] for n in range(walk.nodes) if children[n] == 0]
        assert walk.share_visited() == pytest.approx(sum(leaves))
    assert walk.share_visited() == 1
