"""A small random game whose methods can be broken in many ways, at random moments."""

from __future__ import annotations

import itertools
import random
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from fogtree import CHANCE, TERMINAL, Game, State
from tests.support.random_games import RandomGame


class PlannedError(Exception):
    """Raised by a broken game on purpose."""


class Contrary:
    """An object that cannot be compared, hashed or written."""

    def __eq__(self, other: object) -> bool:
        raise PlannedError("no comparison")

    def __hash__(self) -> int:
        raise PlannedError("no hash")

    def __repr__(self) -> str:
        raise PlannedError("no text")

    def __float__(self) -> float:
        raise PlannedError("no number")


class Unreadable:
    """A hashable object whose text is none."""

    def __str__(self) -> str:
        return 5  # type: ignore[return-value]  # noqa: PLE0307


ANYTHING: tuple[Any, ...] = (
    None, True, 0, 1, -1, 5, -3, 10**30, 0.5, float("nan"), float("inf"), "", "x", b"x", [], {},
    (), [[]], [None], object(), Contrary(), Unreadable(), np.zeros(2), np.float64(1), np.int8(1),
    lambda: 0, int, "a\nb", "\x1b[2J", "\ud800", 1 + 2j, iter([0, 1]), range(2), {0: 1}, {0, 1},
)  # fmt: skip
WRONG: dict[str, tuple[Any, ...]] = {
    "player": (5, -3, 99, None, "0", 1.0, float("nan"), 10**30, -(10**30), [], np.int64(1), True),
    "actions": ([], None, 3, [0, 0], ["0", 0], [[]], [{}], [None], [float("nan")] * 2, "", "ab",
                [Contrary()], [Unreadable(), 1], list(range(3000)), [0, "a\nb"], ["\ud800", "x"],
                [1, True], ["x" * 10_000, "y"], np.arange(2), np.zeros((2, 2))),
    "chance": ([], None, [(0, 0.9)], [(0, 1.5), (1, -0.5)], [(0, float("nan"))], [(0, "x")], [(0,)],
               [(0, 0.5), (0, 0.5)], [0, 1], [(0, 1, 2)], [([], 1.0)], [(0, None)], "ab", 3,
               [(0, float("inf"))], [(0, 1e-320), (1, 1.0)], [(0, 1 + 0j)], {0: 1.0},
               [(Contrary(), 1.0)], [(0, True)]),
    "child": (None, 3, "x", object(), Contrary()),
    "returns": ((), (1,), (1, 2, 3), None, "12", ("a", "b"), (float("nan"), 0.0),
                (float("inf"), 0.0), 3, (None, None), ([1], [2]), (1 + 0j, 0), (10**400, 0),
                (1e308, -1e308), (Contrary(), 0), {0: 1, 1: 2}, np.zeros((2, 2)), (1e-320, 0)),
    "observation": ([], {}, [[]], float("nan"), Contrary(), Unreadable(), "x" * 100_000,
                    np.zeros(2), (), ((((),),),), "a\nb", "\ud800", 10**400),
    "name": ("x", "", 5, [], "a\nb", "x" * 100_000, "\ud800", "\x1b[2J", Contrary(), Unreadable(),
             b"x", None),
    "show": (5, None, "\x1b[2J", "\ud800", [], Contrary(), "x" * 100_000),
    "news": (5, None, "\x1b[2J", "\ud800", [], Contrary()),
    "features": ([], [1.0], [float("nan")] * 3, "x", np.zeros((2, 2)), 5, [1.0, "x"], [1e300] * 3),
    "facts": (None, {"x": "y"}, {5: 1.0}, [], {"x": float("nan")}),
    "root": (None, 5, "x", Contrary()),
    "players": (0, 1, -1, 3, "2", None, 2.0, 10**9, True, [], float("nan")),
    "text": (5, None, "", "a\nb", "\ud800", "kuhn_poker", "fog_chess", "cambia", "x" * 10_000),
}  # fmt: skip
REFUSED = {
    ("returns", "(nan, 0.0)"), ("returns", "(1,)"), ("returns", "()"), ("returns", "(1, 2, 3)"),
    ("returns", "(inf, 0.0)"), ("returns", "('a', 'b')"), ("returns", "None"),
    ("chance", "[]"), ("chance", "[(0, 0.9)]"), ("chance", "[(0, 1.5), (1, -0.5)]"),
    ("chance", "[(0, nan)]"), ("actions", "[]"), ("actions", "[0, 0]"), ("actions", "None"),
    ("player", "5"), ("player", "-3"), ("player", "99"), ("player", "None"), ("root", "None"),
    ("players", "0"), ("players", "-1"), ("players", "None"), ("players", "1000000000"),
}  # fmt: skip
"""Faults that compiling must refuse if they are always there."""
ERRORS = (PlannedError, ValueError, TypeError, KeyError, IndexError, ZeroDivisionError,
          AttributeError, RecursionError, MemoryError, StopIteration, OSError, AssertionError,
          NotImplementedError, UnicodeDecodeError)  # fmt: skip


@dataclass(frozen=True)
class Fault:
    """What is wrong with a method, and when."""

    method: str
    kind: str
    """raise, value or fickle (another value at every call)."""
    number: int
    when: str
    """always, deep (not at the root), late (after some calls) or sometimes."""

    def __str__(self) -> str:
        return f"{self.method} {self.kind} {self.wrong_text} {self.when}"

    @property
    def wrong_text(self) -> str:
        if self.kind == "raise":
            return ERRORS[self.number % len(ERRORS)].__name__
        try:
            return repr(self.values[self.number % len(self.values)])[:60]
        except PlannedError:
            return "an object without text"

    @property
    def values(self) -> tuple[Any, ...]:
        return WRONG[self.method] if self.kind == "value" else ANYTHING

    def act(self, right: Any, luck: random.Random) -> Any:
        """Raise, or return something wrong in place of what is right."""
        if self.kind == "raise":
            error = ERRORS[self.number % len(ERRORS)]
            if error is UnicodeDecodeError:
                raise UnicodeDecodeError("utf-8", b"\xff", 0, 1, "planned")
            raise error("planned\nin two lines")
        if self.kind == "fickle":
            if isinstance(right, list | tuple) and luck.random() < 0.7:
                return type(right)(luck.sample(list(right), len(right)))
            return luck.choice([right, luck.choice(ANYTHING)])
        return self.values[self.number % len(self.values)]


@dataclass(frozen=True)
class FickleGame(Game):
    """A random game with faults."""

    seed: int
    faults: tuple[Fault, ...] = ()
    depth: int = 3
    endless: bool = False
    met: set[str] = field(default_factory=set, compare=False)
    calls: Any = field(default_factory=itertools.count, compare=False)

    def wrong(self, method: str, depth: int, right: Any) -> Any:
        """What a method returns, which may be wrong."""
        for fault in self.faults:
            if fault.method != method:
                continue
            call = next(self.calls)
            luck = random.Random(self.seed * 1_000_003 + call)
            due = {
                "always": True,
                "deep": depth > 0,
                "late": call > 40,
                "sometimes": luck.random() < 0.2,
            }[fault.when]
            if due:
                self.met.add(str(fault))
                return fault.act(right, luck)
        return right

    @property
    def inner(self) -> RandomGame:
        return RandomGame(self.seed, self.depth)

    @property
    def players(self) -> Any:
        return self.wrong("players", 0, 2)

    def root(self) -> Any:
        return self.wrong("root", 0, FickleState(self, self.inner.root(), 0))

    def features(self, view: Any) -> Any:
        return self.wrong("features", 1, None)

    def __str__(self) -> Any:
        return self.wrong("text", 0, f"fickle{self.seed}")

    short_name = property(lambda self: self.wrong("text", 0, ""))  # type: ignore[assignment]


class FickleState(State):
    """A state of a fickle game."""

    def __init__(self, game: FickleGame, inner: Any, depth: int) -> None:
        self.game, self.inner, self.depth = game, inner, depth

    @property
    def player(self) -> Any:
        right = self.inner.player
        if right == TERMINAL and self.game.endless:
            right = 0
        return self.game.wrong("player", self.depth, right)

    def actions(self) -> Any:
        if self.inner.player in (TERMINAL, CHANCE):
            return [0, 1]
        return self.game.wrong("actions", self.depth, self.inner.actions())

    def chance(self) -> Any:
        return self.game.wrong("chance", self.depth, self.inner.chance())

    def child(self, action: Any) -> Any:
        if self.game.endless and self.inner.player == TERMINAL:
            right = FickleState(self.game, self.inner, self.depth + 1)
        else:
            right = FickleState(self.game, self.inner.child(action), self.depth + 1)
        return self.game.wrong("child", self.depth, right)

    def returns(self) -> Any:
        return self.game.wrong("returns", self.depth, self.inner.returns())

    def observation(self, player: int) -> Any:
        right = self.inner.observation(player)
        if self.game.endless:
            right = (*right, self.depth)
        return self.game.wrong("observation", self.depth, right)

    def name(self) -> Any:
        return self.game.wrong("name", self.depth, None)

    def show(self, player: int) -> Any:
        return self.game.wrong("show", self.depth, str(self.inner.observation(player)))

    def news(self, player: int) -> Any:
        return self.game.wrong("news", self.depth, "")

    def facts(self, player: int) -> Any:
        return self.game.wrong("facts", self.depth, {})


def random_game(seed: int) -> FickleGame:
    """A game with one or two faults, from a seed."""
    luck = random.Random(f"fickle {seed}")
    faults = []
    for _ in range(luck.choice([1, 1, 1, 2])):
        method = luck.choice(list(WRONG))
        kind = luck.choice(["raise", "value", "value", "value", "fickle"])
        when = luck.choice(["always", "always", "deep", "late", "sometimes"])
        if method == "players":  # what is asked for many times, by everybody
            when = "always"
        faults.append(Fault(method, kind, luck.randrange(1000), when))
    endless = luck.random() < 0.05
    return FickleGame(seed, () if endless else tuple(faults), luck.choice([2, 3, 4]), endless)
