"""Games as numbers for a network: what a player knows as a vector, actions as output columns.

A compiled game needs nothing: every step of what a player remembers becomes a few ones. The view is
taken apart into atoms (the letters of a text, the fields of a record); whatever changed since the
view before is written down as (step, place, atom), an own action as (step, action), and each such
fact that occurs in the game has a column. That is perfect recall, and histories that differ little
look alike. A game that knows better defines ``features(view)`` and is asked instead.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fogtree.errors import GameError, OptionError
from fogtree.game import CHANCE, TERMINAL, Action, Game, State
from fogtree.tree import GameTree

Vector = NDArray[np.float32]
Fact = tuple[Hashable, ...]

MOST_NUMBERS = 1 << 28
"""Of all vectors of a compiled game together; a gigabyte."""


@dataclass(frozen=True, eq=False)
class TreeEncoding:
    """A compiled game for networks. ``memory[view[node, p]]`` is what player p knows at a node;
    slot s is output column ``column[s]``; equal labels share a column."""

    memory: Vector
    column: NDArray[np.int32]
    labels: tuple[str, ...]

    @property
    def size(self) -> int:
        return int(self.memory.shape[1])

    @property
    def outputs(self) -> int:
        return len(self.labels)


def encode_tree(game: Game, tree: GameTree, *, own: bool = True) -> TreeEncoding:
    """Vectors for everything that players of a compiled game can remember.

    ``own`` is whether the game's ``features(view)`` is used, if it has one.
    """
    remembered = _Remembered(game, tree, own)
    remembered.walk()
    labels = tuple(dict.fromkeys(label for names in tree.infoset_labels for label in names))
    number = {label: column for column, label in enumerate(labels)}
    column = [number[label] for names in tree.infoset_labels for label in names]
    return TreeEncoding(remembered.vectors(), np.array(column, dtype=np.int32), labels)


class _Remembered:
    """One walk over the game beside its compiled tree."""

    def __init__(self, game: Game, tree: GameTree, own: bool) -> None:
        self.game, self.tree, self.own = game, tree, own
        count = int(tree.view.max(initial=0)) + 1
        self.facts: list[tuple[int, Fact] | None] = [None] * count
        self.lines: dict[int, tuple[int, tuple[Fact, ...]]] = {}  # memory: earlier one, news
        self.steps: dict[int, int] = {}
        self.own_vectors: dict[int, Sequence[float] | NDArray[Any]] = {}

    def walk(self) -> None:
        tree = self.tree
        parent, action = tree.parent.tolist(), tree.action.tolist()
        view, player = tree.view.tolist(), tree.player.tolist()
        path: list[tuple[int, State, Sequence[Action]]] = []
        for node, above in enumerate(parent):
            if above < 0:
                state = self.game.root()
                self._root(state, view[node])
            else:
                while path[-1][0] != above:
                    path.pop()
                _, before, edges = path[-1]
                move = edges[action[node]]
                if player[node] == TERMINAL:
                    continue
                state = before.child(move)
                self._look(node, before, move, state, view)
            path.append((node, state, _edges(state)))

    def _root(self, state: State, memories: list[int]) -> None:
        for player, memory in enumerate(memories):
            self._keep(memory, -1, None, None, state.observation(player))

    def _look(
        self, node: int, before: State, move: Action, state: State, view: list[list[int]]
    ) -> None:
        earlier = view[self.tree.parent[node]]
        for player, memory in enumerate(view[node]):
            if memory in self.steps:
                continue
            own = move if before.player == player else None
            then = before.observation(player)
            self._keep(memory, earlier[player], own, then, state.observation(player))

    def _keep(
        self, memory: int, earlier: int, move: Action | None, then: Hashable, now: Hashable
    ) -> None:
        step = self.steps.get(earlier, -1) + 1
        self.steps[memory] = step
        vector = self.game.features(now) if self.own and now is not None else None
        if vector is not None:
            self.own_vectors[memory] = vector
            return
        old = dict(_atoms(then, ())) if earlier >= 0 else {}
        news: list[Fact] = [] if move is None else [(step, "does", str(move))]
        for place, atom in _atoms(now, ()):
            if old.get(place, _Nothing) != atom:
                news.append((step, place, atom))
        self.lines[memory] = (earlier, tuple(news))

    def vectors(self) -> Vector:
        if self.own_vectors:
            return self._own()
        column: dict[Fact, int] = {}
        for _, news in self.lines.values():
            for fact in news:
                column.setdefault(fact, len(column))
        rows = len(self.facts)
        if rows * len(column) > MOST_NUMBERS:
            raise OptionError(
                f"{self.game}: {rows:,} vectors of {len(column):,} numbers are too many; "
                "give the game a features(view) of its own"
            )
        out = np.zeros((rows, max(len(column), 1)), dtype=np.float32)
        for memory in sorted(self.lines, key=self.steps.__getitem__):
            earlier, news = self.lines[memory]
            if earlier >= 0:
                out[memory] = out[earlier]
            out[memory, [column[fact] for fact in news]] = 1.0
        return out

    def _own(self) -> Vector:
        sizes = {len(vector) for vector in self.own_vectors.values()}
        if len(sizes) != 1:
            raise GameError(
                f"{self.game}: features(view) has {sorted(sizes)} numbers, not one size"
            )
        out = np.zeros((len(self.facts), sizes.pop()), dtype=np.float32)
        for memory, vector in self.own_vectors.items():
            out[memory] = vector
        return out


class _Nothing:
    """What was at a place that did not exist."""


def _edges(state: State) -> Sequence[Action]:
    if state.player == CHANCE:
        return [outcome for outcome, share in state.chance() if share > 0]
    return state.actions() if state.player >= 0 else ()


def _atoms(view: Any, place: tuple[Hashable, ...]) -> Iterator[tuple[tuple[Hashable, ...], Any]]:
    """A view's parts that have no parts, and where they are."""
    if is_dataclass(view) and not isinstance(view, type):
        for field in fields(view):
            yield from _atoms(getattr(view, field.name), (*place, field.name))
    elif isinstance(view, Mapping):
        for key, part in view.items():
            yield from _atoms(part, (*place, str(key)))
    elif isinstance(view, tuple) or (isinstance(view, str) and len(view) > 1):
        for number, part in enumerate(view):
            yield from _atoms(part, (*place, number))
    else:
        yield place, view
