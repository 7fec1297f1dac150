"""Values for the arguments of the public interface: sound objects, and others that do not fit."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

import fogtree
from tests.attack.fickle_game import ANYTHING, PlannedError

ALLOWED = (fogtree.FogtreeError, TypeError, ValueError, OverflowError, MemoryError, PlannedError)
"""The errors by which an abuse may end."""
QUICK: dict[str, Any] = {
    "run": {"iterations": 1},
    "traversal": {"traversals": 5},
    "network": {"hidden": [4]},
    "regret": {"steps": 2, "batch": 8},
    "average": {"steps": 2, "batch": 8},
}
SMALL = ("kuhn_poker", "matching_pennies", "rock_paper_scissors", "goofspiel(cards=3)")
NUMBERS: tuple[Any, ...] = (
    0, 1, 2, 3, -1, True, None, "x", "3", 0.5, float("nan"), float("inf"), -float("inf"), [], (),
    10**30, -(10**30), 2**63, 2**32, np.int64(2), np.float32(1.5), 1e-300, object(), 3.0,
)  # fmt: skip
COUNTS = ("iterations", "games", "steps", "every", "until", "seconds", "delay", "threads",
          "workers", "seed", "batch", "memory", "player", "processes", "looks",
          "digits")  # fmt: skip

Tell = Callable[[str], None]

given: list[Any] = []
"""Values that were handed over in this case."""


@cache
def cast() -> dict[str, Any]:
    """Sound objects of many kinds."""
    tree = fogtree.compile("kuhn_poker")
    run = fogtree.solve(tree, iterations=10)
    other = fogtree.compile("matching_pennies")
    return {
        "tree": tree,
        "game": fogtree.load_game("kuhn_poker"),
        "other": other,
        "run": run,
        "strategy": run.strategy,
        "other strategy": fogtree.Strategy.uniform(other),
        "record": fogtree.play("kuhn_poker", ["random", "random"]),
        "recipe": fogtree.recipe("cfr"),
        "budget": fogtree.Budget(steps=3),
        "agent": fogtree.agent("random", "kuhn_poker"),
    }


def anything(luck: random.Random) -> Any:
    """Any value at all: sound objects, names, and nonsense."""
    kind = luck.randrange(4)
    if kind == 0:
        return luck.choice(list(cast().values()))
    if kind == 1:
        return luck.choice([*SMALL, "random", "search", "cfr", "J", "nothing", "x(", "openspiel:x"])
    return luck.choice(NUMBERS if kind == 2 else ANYTHING)


def fitting(name: str, luck: random.Random, folder: Path) -> Any:
    """A value for the parameter of this name, of the right kind most of the time."""
    value = _fitting(name, luck, folder)
    given.append(value)
    return value


def _fitting(name: str, luck: random.Random, folder: Path) -> Any:
    if luck.random() < 0.3:
        return anything(luck)
    known = cast()
    agents = ["random", "search(steps=3)", known["strategy"], known["other strategy"], "greedy"]
    values: dict[str, Callable[[], Any]] = {
        "game": lambda: luck.choice([*SMALL, known["tree"], known["game"], known["other"]]),
        "strategy": lambda: luck.choice([known["strategy"], known["other strategy"]]),
        "algorithm": lambda: luck.choice(["cfr", "cfr+", "mccfr-external", "hedge", "x"]),
        "algorithms": lambda: luck.choice([["cfr", "cfr+"], ["cfr"], [], ["x"], "cfr"]),
        "agents": lambda: luck.choices(agents, k=luck.randrange(4)),
        "first": lambda: luck.choice(agents),
        "second": lambda: luck.choice(agents),
        "agent": lambda: luck.choice(agents),
        "player": lambda: luck.choice([0, 1, 2, -1, known["strategy"], "random"]),
        "options": lambda: luck.choice([QUICK, {}, {"run": 5}, {"x": {}}, {"run": {"seed": -1}}]),
        "folder": lambda: luck.choice(
            [folder / "run", folder, str(folder / "a"), Path("/dev/null")]
        ),
        "save": lambda: luck.choice([folder / "run", folder, str(folder / "a"), Path("/dev/null")]),
        "file": lambda: luck.choice([folder / "f.jsonl", folder, "/dev/null", "/dev/full"]),
        "record": lambda: known["record"],
        "budget": lambda: known["budget"],
        "progress": lambda: raiser if luck.random() < 0.3 else lambda *given: None,
        "pulse": lambda: raiser if luck.random() < 0.3 else lambda *given: None,
        "watch": lambda: raiser if luck.random() < 0.3 else lambda *given: None,
        "deals": lambda: luck.choice([["JQ"], ["x"], [], "JQ", [5]]),
        "method": lambda: luck.choice(["exact", ["exact"], ["local"], "x"]),
        "methods": lambda: luck.choice(["exact", ["exact"], ["local"], "x", []]),
        "name": lambda: luck.choice([*SMALL, "x", ""]),
        "spec": lambda: luck.choice([*SMALL, "x", ""]),
    }
    if name in COUNTS:
        return luck.choice(NUMBERS)
    return values[name]() if name in values else anything(luck)


def raiser(*given: object) -> None:
    """A callback that fails."""
    raise PlannedError("from a callback")


def texts(values: Any) -> list[str]:
    """Short texts of values, for findings."""
    found = []
    for value in values:
        try:
            found.append(repr(value)[:120])
        except PlannedError:
            found.append("an object without text")
    return found
