"""A process that walks parts of a game for :class:`fogtree.tree.parallel_walk.ParallelWalk`."""

from __future__ import annotations

import gc
import pickle
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from time import thread_time
from typing import Any, cast

from fogtree.errors import GameError
from fogtree.game import Game
from fogtree.system.task_process import serve
from fogtree.system.user_code import pickled
from fogtree.tree.history_walk import Group, HistoryWalk, Part

DEEPEST_TASK = 500
"""Moves of a path beyond which parts are not handed out, because each process follows the path."""


@dataclass(frozen=True, slots=True)
class Task:
    """Histories to begin at, in the order of the walk, and how many to visit at most."""

    groups: list[Group]
    nodes: int


@dataclass(frozen=True, slots=True)
class Answer:
    """The histories that were visited, and what is left of the task, in the order of the walk."""

    part: Part
    left: list[Group]
    prepare_seconds: float
    """Processor time of following the paths to the first histories."""
    walk_seconds: float
    """Processor time of visiting the histories."""


def packed_game(game: Game) -> bytes | None:
    """The first message to a worker; None if other processes cannot make the game again."""
    if type(game).__module__ in ("__main__", "__mp_main__") or not sys.executable:
        return None
    try:
        return pickled(game)
    except Exception:  # whatever the game's objects raise
        return None


def main() -> None:
    """The process: the first message is :func:`packed_game`'s, later ones are tasks."""
    serve(_prepared)


def _prepared(first: bytes) -> Callable[[bytes], bytes]:
    """The function that answers tasks, from the packed game."""
    game: Game = pickle.loads(first)
    wide: dict[bytes, Any] = {}
    gc.freeze()  # the collector seldom helps in a walk, and takes a third of its time
    gc.set_threshold(100_000, 50, 100)
    return lambda task: pickled(walk_part(game, pickle.loads(task), wide))


def walk_part(game: Game, task: Task, wide: dict[bytes, Any]) -> Answer:
    """Visit the histories of a task. An error if what was found would not be the same in another
    process. ``wide`` is kept from one task to the next."""
    start = thread_time()
    walk = HistoryWalk(game)
    walk.begin_at(task.groups, wide)
    prepared = thread_time()
    walk.grow(task.nodes)
    visited = thread_time()
    left = walk.pending()
    if any(len(path) > DEEPEST_TASK for path, *_ in left):
        raise GameError(f"{game}: the game is too deep to be divided")
    part = walk.part()
    _check_copies(part)
    return Answer(part, left, prepared - start, visited - prepared)


def _check_copies(part: Part) -> None:
    """Refuse objects that are not equal to their own copies, such as those that are compared by
    identity: another process could not find them again."""
    objects = {name: [one for one in part[name] if not _is_plain(one)] for name in _OBJECTS}
    if not any(objects.values()):
        return
    again = pickle.loads(pickled(objects))
    same = (
        _found(objects["views"], again["views"])
        and _found(objects["actions"], again["actions"])
        and _found(_typed(objects["labels"]), _typed(again["labels"]))
        and objects["infoset_actions"] == again["infoset_actions"]
        and objects["infoset_views"] == again["infoset_views"]
    )
    if not same:
        raise GameError("views or actions differ from their copies")


_PLAIN = frozenset((str, int, bool, bytes, type(None)))


def _is_plain(value: object) -> bool:
    """Whether an object is sure to equal its copies: a text or whole number, or a tuple of such."""
    kind = type(value)
    return kind in _PLAIN or (kind is tuple and all(map(_is_plain, cast("tuple[Any, ...]", value))))


_OBJECTS = "views", "actions", "labels", "infoset_actions", "infoset_views"


def _typed(actions: Iterable[Any]) -> list[Any]:
    """Actions with their types: True and 1 are different actions."""
    return [(type(action), action) for action in actions]


def _found(keys: list[Any], copies: list[Any]) -> bool:
    """Whether each copy finds its original in a dictionary."""
    numbers = {key: number for number, key in enumerate(keys)}
    return all(numbers.get(copy) == number for number, copy in enumerate(copies))
