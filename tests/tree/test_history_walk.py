"""The walk through a game's protocol gives the same tree as a plain walk in Python, bit for bit."""

from __future__ import annotations

import signal
import threading
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np
import pytest

from fogtree import CHANCE, TERMINAL, Game, State, compile, load_game
from fogtree.errors import GameError, InUseError
from fogtree.tree.history_walk import HistoryWalk
from tests.support.random_games import RandomGame
from tests.support.reference_walk import ReferenceWalk, assert_same_tree, walked


@dataclass(frozen=True)
class Odd(Game):
    """A game with values of many types."""

    start: State
    players: int = 2

    def root(self) -> State:
        return self.start


@dataclass(frozen=True, slots=True, eq=False)
class Place(State):
    """A state made of plain data."""

    player: int = TERMINAL
    children: tuple[tuple[object, object], ...] = ()
    weights: object = ()
    payoffs: object = (0.0, 0.0)
    views: tuple[object, ...] = (None, None)
    title: str | None = None

    def actions(self):
        return (action for action, _ in self.children)

    def chance(self):
        return self.weights

    def child(self, action):
        return next(child for known, child in self.children if known is action)

    def returns(self):
        return self.payoffs

    def observation(self, player):
        return self.views[player]

    def name(self):
        return self.title


def end(*payoffs) -> Place:
    return Place(payoffs=payoffs)


def chooses(player: int, *actions, views=(None, None), title=None) -> Place:
    ends = tuple((action, end(n, -n)) for n, action in enumerate(actions))
    return Place(player, ends, views=views, title=title)


def dealt(weights, *children, views=(None, None)) -> Place:
    return Place(
        CHANCE,
        tuple((pair[0], child) for pair, child in zip(list(weights), children, strict=False)),
        weights,
        views=views,
    )


ODD = {
    "labels by type": dealt(
        [(1, 0.5), (True, 0.5)], chooses(0, 1, "b", title="x"), chooses(1, True, "b", title="y")
    ),
    "equal views of other types": dealt(
        [("a", 0.5), ("b", 0.5)],
        chooses(0, "x", "y", views=(1, 2)),
        chooses(0, "x", "y", views=(1.0, True)),
    ),
    "outcomes without a chance": dealt(
        [("a", 0), ("b", 1)], None, chooses(0, "x", "y", views=("v", None))
    ),
    "weights of other types": dealt(
        (("a", Fraction(1, 4)), ("b", np.float32(0.75))), chooses(0, "x", "y"), end(1, -1)
    ),
    "outcomes as lists": dealt([["a", 0.25], ["b", 0.75]], end(1, 2), end(0, 0)),
    "payoffs as an array": Place(
        0, (("x", Place(payoffs=np.array([1.5, -2]))), ("y", Place(payoffs=[True, Fraction(1, 3)])))
    ),
    "payoffs that are large": chooses(0, 10**15, 2**60 + 1),
    "no names, the same view twice": Place(
        0,
        (
            ("l", chooses(0, "x", "y", views=("same", "o"))),
            ("r", chooses(0, "x", "y", views=("same", "o"))),
        ),
        views=("same", "o"),
    ),
    "only an end": end(3, 4),
    "half a surrogate": chooses(0, "\ud800", "b"),
}


@pytest.mark.parametrize("name", ODD)
def test_games_with_odd_values(name: str) -> None:
    game = Odd(ODD[name])
    assert_same_tree(walked(HistoryWalk(game)), walked(ReferenceWalk(game)))


@pytest.mark.parametrize("seed", range(40))
def test_random_games(seed: int) -> None:
    players = 2 + seed % 3
    game = RandomGame(seed, depth=3 + seed % 3, players=players, zero_sum=players == 2)
    mine, theirs = HistoryWalk(game), ReferenceWalk(game)
    more = True
    while more:
        more = mine.grow(1 + seed)
        assert theirs.grow(1 + seed) == more
        assert mine.nodes == theirs.nodes
        assert mine.share_visited() == pytest.approx(theirs.share_visited(), abs=1e-12)
    assert_same_tree(mine.parts(), theirs.parts())


@pytest.mark.parametrize(
    "spec", ["kuhn_poker", "kuhn_poker(players=3)", "leduc_poker", "liars_dice(sides=3)",
             "goofspiel(points='random', cards=3)", "matching_pennies", "phantom_ttt(max_plies=3)"],
)  # fmt: skip
def test_games_of_the_package(spec: str) -> None:
    game = load_game(spec)
    assert_same_tree(walked(HistoryWalk(game)), walked(ReferenceWalk(game)))


WRONG = {
    "no state": Place(0, (("a", 5), ("b", end(0, 0)))),
    "another player": Place(0, (("a", Place(player=2)),)),
    "a player that is no number": Place(0, (("a", Place(player=True)),)),
    "a huge player": Place(0, (("a", Place(player=2**70)),)),
    "no actions": Place(0),
    "equal texts": chooses(0, 1, "1"),
    "actions that are lists": chooses(0, [1], [2]),
    "outcomes that are lists": dealt([([1], 0.5), ([2], 0.5)], end(0, 0), end(0, 0)),
    "views that are lists": chooses(0, "a", "b", views=([1], None)),
    "later views that are lists": Place(0, (("a", chooses(0, "a", "b", views=([1], None))),)),
    "views that are arrays": Place(
        0,
        (("a", chooses(0, "a", "b", views=(np.arange(2), np.arange(2)))),),
        views=(None, np.arange(2)),
    ),
    "too few payoffs": Place(0, (("a", Place(payoffs=(1.0,))),)),
    "payoffs that are texts": Place(0, (("a", Place(payoffs="no")),)),
    "a payoff that is not finite": Place(0, (("a", Place(payoffs=(1.0, float("nan")))),)),
    "weights that do not sum to 1": dealt([("a", 0.5), ("b", 0.6)], end(0, 0), end(0, 0)),
    "negative weights": dealt([("a", -0.5), ("b", 1.5)], end(0, 0), end(0, 0)),
    "weights of nan": dealt([("a", float("nan")), ("b", 1.0)], end(0, 0), end(0, 0)),
    "outcomes that are numbers": dealt([], views=(None, None)),
    "a name that is a number": chooses(0, "a", "b", title=5),
    "the same name twice": Place(
        0, (("a", chooses(0, "a", "b", title="n")), ("b", chooses(1, "a", "b", title="n")))
    ),
    "other actions": dealt([("a", 0.5), ("b", 0.5)], chooses(0, "x", "y"), chooses(0, "x", "z")),
}


@pytest.mark.parametrize("name", WRONG)
def test_games_that_are_wrong_are_refused_with_the_same_words(name: str) -> None:
    said = []
    for walk in (HistoryWalk, ReferenceWalk):
        with pytest.raises(GameError) as caught:
            walked(walk(Odd(WRONG[name])))
        said.append(str(caught.value))
    assert said[0] == said[1]


def test_a_state_that_leads_to_itself_is_refused() -> None:
    @dataclass(frozen=True, slots=True, eq=False)
    class Round(Place):
        def child(self, action):
            return self

    with pytest.raises(GameError, match="back to the same state"):
        walked(HistoryWalk(Odd(Round(0, (("a", None),)))))


def test_errors_of_the_game_pass_through_and_end_the_walk() -> None:
    @dataclass(frozen=True, slots=True, eq=False)
    class Broken(Place):
        def child(self, action):
            raise KeyError("mine")

    walk = HistoryWalk(Odd(Broken(0, (("a", None),))))
    with pytest.raises(KeyError, match="mine"):
        walk.grow(10)
    with pytest.raises(ValueError, match="ended with an error"):
        walk.grow(10)


def test_a_game_that_calls_its_own_walk_is_refused() -> None:
    walks = []

    @dataclass(frozen=True, slots=True, eq=False)
    class Nested(Place):
        def child(self, action):
            walks[0].grow(1)
            return end(0, 0)

    walks.append(HistoryWalk(Odd(Nested(0, (("a", None),)))))
    with pytest.raises(InUseError):
        walks[0].grow(10)


def test_an_interrupt_ends_the_walk() -> None:
    main = threading.main_thread().ident

    @dataclass(frozen=True, slots=True, eq=False)
    class Interrupted(Place):
        def child(self, action):
            signal.pthread_kill(main, signal.SIGINT)
            return replace(self)

    with pytest.raises(KeyboardInterrupt):
        walked(HistoryWalk(Odd(Interrupted(0, (("a", None),)))))


def test_views_are_compared_with_the_view_before_only_if_another_moved() -> None:
    """A mover remembers the own action although the view stays the same."""
    tree = compile(Odd(ODD["no names, the same view twice"]))
    assert len(set(tree.infoset_names)) == 3
