"""A game is checked again while its views are encoded for networks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from fogtree.deep.encoding import encode_tree
from fogtree.errors import GameError
from fogtree.game import CHANCE, TERMINAL, Game, State
from fogtree.tree import compile

Change = Callable[[Any], Any]


@dataclass(frozen=True)
class Guess(Game):
    """A player guesses a coin; after it was compiled, its answers may change."""

    players = 1
    vector: Any = None

    def root(self) -> Any:
        return _answer("root", Toss(0))

    def features(self, view: Any) -> Any:
        return self.vector


@dataclass(frozen=True)
class Toss(State):
    depth: int

    @property
    def player(self) -> Any:
        return _answer("player", (CHANCE, 0, TERMINAL)[self.depth])

    def chance(self) -> Any:
        return _answer("chance", [("heads", 0.5), ("tails", 0.5)])

    def actions(self) -> Any:
        return _answer("actions", ["heads", "tails"])

    def child(self, action: Any) -> Any:
        return _answer("child", Toss(self.depth + 1))

    def returns(self) -> Any:
        return (1.0,)

    def observation(self, player: int) -> Any:
        return _answer("observation", self.depth)


CHANGES: dict[str, Change] = {}


def _answer(method: str, right: Any) -> Any:
    return CHANGES.get(method, lambda value: value)(right)


@pytest.fixture(autouse=True)
def _unchanged():
    yield
    CHANGES.clear()


@pytest.mark.parametrize(
    "vector",
    [[1.0, "x"], 5, "x", np.zeros((2, 2)), [], [float("nan")] * 3, [1e300], {"a": 1.0}, [None]],
)
def test_features_are_a_list_of_finite_numbers(vector):
    game = Guess(vector)
    with pytest.raises(GameError, match=r"features\(view\) must be a list of finite numbers, not"):
        encode_tree(game, compile(game))


def test_features_that_are_right():
    game = Guess([1, 0.5, True])
    assert encode_tree(game, compile(game)).size == 3


@pytest.mark.parametrize(
    ("method", "change", "says"),
    [
        ("player", lambda mover: None if mover == 0 else mover, "player None to move"),
        ("player", lambda mover: 0 if mover == CHANCE else mover, "must not change"),
        ("actions", lambda _: ["heads"], "must not change"),
        ("actions", lambda _: 5, "actions must be"),
        ("chance", lambda _: [("heads", 1.0)], "must not change"),
        ("chance", lambda _: [5], "chance outcomes must be"),
        ("root", lambda _: "x", "the root is 'x', which is not a State"),
        ("child", lambda _: "x", "leads to 'x', which is not a State"),
        ("observation", lambda _: [], "views must be hashable"),
    ],
)
def test_a_game_that_changes_after_it_was_compiled_is_refused(method, change, says):
    game = Guess()
    tree = compile(game)
    encode_tree(game, tree)
    CHANGES[method] = change
    with pytest.raises(GameError, match=says):
        encode_tree(game, tree)
