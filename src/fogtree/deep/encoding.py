"""Input vectors and output columns of networks for a compiled game.

By default a player's memory is encoded as a set of facts. A view is split into atoms (the letters
of a text, the fields of a record); an atom that changed since the view before is the fact (step,
position, atom), an own action the fact (step, action), and every fact that occurs in the game has
an input column. This keeps perfect recall, and similar histories have similar vectors. A game may
define ``features(view)`` instead; one that compiles its own tree may list the facts itself.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from itertools import zip_longest
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from fogtree.deep.sparse import SparseRows
from fogtree.errors import GameError, OptionError
from fogtree.game import TERMINAL, Action, Game, State
from fogtree.game.checks import (
    checked_child,
    checked_edges,
    checked_player,
    checked_root,
    checked_view,
    in_one_line,
)
from fogtree.game.tree_source import Memories, MemorySource
from fogtree.tree import GameTree

Vector = NDArray[np.float32]
Fact = tuple[Hashable, ...]

MOST_COLUMNS = 65_535  # column numbers are stored in 16 bits


@dataclass(frozen=True, eq=False)
class TreeEncoding:
    """The encoding of a compiled game for networks. Row ``memory[view[node, p]]`` is player p's
    input vector at a node; slot s has output column ``column[s]``, which is the same for equal
    action labels."""

    memory: SparseRows
    column: NDArray[np.int32]
    labels: tuple[str, ...]

    @property
    def size(self) -> int:
        """The length of an input vector."""
        return self.memory.width

    @property
    def outputs(self) -> int:
        """The number of output columns."""
        return len(self.labels)


def encode_tree(game: Game, tree: GameTree, *, own: bool = True) -> TreeEncoding:
    """The input vectors of all players' histories in a compiled game, and the output columns of its
    actions.

    ``own``: use the game's ``features(view)`` if it has them.
    """
    source = None if own else game.tree_source()
    if isinstance(source, MemorySource):
        memory = vectors_of(source.memories(), np.unique(tree.view))
    else:
        walk = MemoryWalk(game, tree, own)
        walk.run()
        memory = walk.vectors()
    labels = tuple(dict.fromkeys(label for names in tree.infoset_labels for label in names))
    number = {label: column for column, label in enumerate(labels)}
    column = [number[label] for names in tree.infoset_labels for label in names]
    return TreeEncoding(memory, np.array(column, dtype=np.int32), labels)


def vectors_of(memories: Memories, wanted: NDArray[np.int32]) -> SparseRows:
    """The input vectors of players' memories from a native walk, which lists for each memory the
    one before it and the numbers of its new facts (-1: none). One row each; rows that are not
    ``wanted`` are empty.

    Every pair of a step and a fact's number that occurs has a column.
    """
    step = _steps(memories.before)
    facts, most = memories.facts.astype(np.int64), int(memories.facts.max(initial=0)) + 1
    keys = np.where(facts >= 0, step[:, None] * most + facts, -1)
    found, column = np.unique(keys, return_inverse=True)
    none = int(found[0] < 0)
    _check_width(len(found) - none)
    columns = column.reshape(keys.shape).astype(np.int32) - none
    width = facts.shape[1]
    listed = np.full((len(wanted), width * (int(step.max(initial=0)) + 1)), -1, dtype=np.int32)
    at = wanted.astype(np.int64)
    for number in range(listed.shape[1] // width):
        there = np.flatnonzero(at >= 0)
        listed[there, number * width : (number + 1) * width] = columns[at[there]]
        at = np.where(at >= 0, memories.before[np.maximum(at, 0)], -1)
    rows = SparseRows.of_columns(listed, len(found) - none)
    counts = np.zeros(len(step), dtype=np.int64)
    counts[wanted] = np.diff(rows.first)
    return replace(rows, first=np.concatenate([[0], np.cumsum(counts)]))


def _steps(before: NDArray[np.int32]) -> NDArray[np.int64]:
    """The length of each memory (a player's own history), from the number of the one before it."""
    step = np.zeros(len(before), dtype=np.int64)
    at = before.astype(np.int64)
    while (there := at >= 0).any():
        step += there
        at = np.where(there, before[np.maximum(at, 0)], -1)
    return step


def _check_width(columns: int) -> None:
    """Refuse input vectors with too many columns."""
    if columns > MOST_COLUMNS:
        raise OptionError(
            f"vectors of {columns:,} numbers are too long; give the game features(view) of its own"
        )


def checked_vector(game: Game, found: object) -> Vector | None:
    """The vector that a game's ``features(view)`` returned, checked to be finite numbers; None if
    it returned None."""
    if found is None:
        return None
    try:
        with np.errstate(over="ignore"):
            vector = np.array(found, dtype=np.float32)
    except (TypeError, ValueError, OverflowError):
        vector = np.zeros((0, 0), dtype=np.float32)
    if vector.ndim != 1 or not vector.size or not np.isfinite(vector).all():
        raise GameError(
            f"{game}: features(view) must be a list of finite numbers, not {in_one_line(found)}"
        )
    return vector


class MemoryWalk:
    """Replays a game along its compiled tree, and collects the facts that each player learns on the
    way."""

    def __init__(self, game: Game, tree: GameTree, own: bool) -> None:
        """Prepare a walk along ``tree``; with ``own`` the game's ``features(view)`` are collected
        too."""
        self.game, self.tree, self.own = game, tree, own
        self.memories = int(tree.view.max(initial=0)) + 1
        # By memory: the memory before it, and the facts that are new since then.
        self.new_facts: dict[int, tuple[int, tuple[Fact, ...]]] = {}
        self.steps: dict[int, int] = {}
        self.own_vectors: dict[int, Vector] = {}

    def run(self) -> None:
        """Visit every node in preorder; ``path`` holds the states from the root to its parent."""
        tree = self.tree
        parent, action = tree.parent.tolist(), tree.action.tolist()
        view, player = tree.view.tolist(), tree.player.tolist()
        path: list[tuple[int, State, Sequence[Action]]] = []
        for node, above in enumerate(parent):
            if above < 0:
                state = checked_root(self.game)
                self._root(state, view[node])
            else:
                while path[-1][0] != above:
                    path.pop()
                _, before, edges = path[-1]
                if action[node] >= len(edges):
                    raise self._changed()
                move = edges[action[node]]
                if player[node] == TERMINAL:
                    continue
                state = checked_child(self.game, before, move)
                self._visit(node, before, move, state, view)
            if checked_player(self.game, state.player, tree.players) != player[node]:
                raise self._changed()
            path.append((node, state, self._edges(state, player[node])))

    def _edges(self, state: State, mover: int) -> Sequence[Action]:
        """The actions or outcomes of chance at a state; none at the end."""
        return () if mover == TERMINAL else checked_edges(self.game, state, mover)

    def _changed(self) -> GameError:
        """The error for a game whose rules are not those that were compiled."""
        return GameError(
            f"{self.game}: a state has another player or other actions when it is visited again; "
            "a game must not change"
        )

    def _root(self, state: State, memories: list[int]) -> None:
        """Record the players' histories at the root: their first observations."""
        for player, memory in enumerate(memories):
            self._remember(memory, -1, None, None, checked_view(self.game, state, player))

    def _visit(
        self, node: int, before: State, move: Action, state: State, view: list[list[int]]
    ) -> None:
        """Record the players' histories that occur first at this node."""
        above = self.tree.parent[node]
        earlier, mover = view[above], self.tree.player[above]
        for player, memory in enumerate(view[node]):
            if memory in self.steps:
                continue
            own = move if mover == player else None
            then = checked_view(self.game, before, player)
            now = checked_view(self.game, state, player)
            self._remember(memory, earlier[player], own, then, now)

    def _remember(
        self, memory: int, earlier: int, move: Action | None, then: Hashable, now: Hashable
    ) -> None:
        """Record a memory: its step and the facts that are new since the ``earlier`` memory (-1:
        there is none), when the view was ``then`` and the own action ``move``, if any, followed. If
        the game has features of the view ``now``, these are recorded instead."""
        before = then if earlier >= 0 else Nothing
        self.steps[memory], facts = self.new_step(self.steps.get(earlier, -1), move, before, now)
        given = self.game.features(now) if self.own and now is not None else None
        vector = checked_vector(self.game, given)
        if vector is not None:
            self.own_vectors[memory] = vector
            return
        self.new_facts[memory] = (earlier, tuple(facts))

    def new_step(
        self, step: int, move: Action | None, then: Hashable, now: Hashable
    ) -> tuple[int, list[Fact]]:
        """The step after ``step`` in a player's history, and the facts that are new in it."""
        return step + 1, new_facts(step + 1, move, then, now)

    def vectors(self, columns: FactColumns | None = None) -> SparseRows:
        """The input vector of every memory, a row each: the game's own features, or 1 for every
        fact that the player has learned so far, by given ``columns`` or by one column for each
        fact."""
        if self.own_vectors:
            return SparseRows.of_dense(self._own())
        if columns is None:
            columns = _NumberedFacts(fact for _, facts in self.new_facts.values() for fact in facts)
            _check_width(columns.width)
        known: dict[int, tuple[int, ...]] = {}
        for memory, (earlier, facts) in self.new_facts.items():  # earlier ones come first
            more = [column for fact in facts for column in columns.of(fact)]
            known[memory] = tuple(dict.fromkeys([*known.get(earlier, ()), *more]))
        rows = [known.get(memory, ()) for memory in range(self.memories)]
        first = np.concatenate([[0], np.cumsum([len(row) for row in rows])]).astype(np.int64)
        index = np.array([position for row in rows for position in row], dtype=np.uint16)
        ones = np.ones(len(index), dtype=np.float32)
        return SparseRows(first, index, ones, max(columns.width, 1))

    def _own(self) -> Vector:
        """The vectors that the game's ``features(view)`` gave, one row per memory."""
        sizes = {len(vector) for vector in self.own_vectors.values()}
        if len(sizes) != 1:
            raise GameError(
                f"{self.game}: features(view) has {sorted(sizes)} numbers, not one size"
            )
        out = np.zeros((self.memories, sizes.pop()), dtype=np.float32)
        for memory, vector in self.own_vectors.items():
            out[memory] = vector
        return out


class FactColumns(Protocol):
    """The input columns of facts."""

    @property
    def width(self) -> int:
        """The number of columns."""

    def of(self, fact: Fact) -> Sequence[int]:
        """The columns that are 1 where a player knows the fact."""


class _NumberedFacts:
    """One column for each fact, in the order in which they are given."""

    def __init__(self, facts: Iterable[Fact]) -> None:
        self._column: dict[Fact, int] = {}
        for fact in facts:
            self._column.setdefault(fact, len(self._column))
        self.width = len(self._column)

    def of(self, fact: Fact) -> Sequence[int]:
        return (self._column[fact],)


class Nothing:
    """Stands for the view before the first one, and for a missing atom: one at a position that the
    earlier view did not have."""


def new_facts(step: int, move: Action | None, then: Hashable, now: Hashable) -> list[Fact]:
    """The facts of one step in a player's history: the own action since the view ``then``, if there
    was one, and the atoms of the view ``now`` that have changed."""
    facts: list[Fact] = [] if move is None else [(step, "does", str(move))]
    if type(then) is str and type(now) is str and len(then) > 1 and len(now) > 1:
        pairs = enumerate(zip_longest(now, then[: len(now)]))  # what follows, only faster
        return facts + [(step, (place,), new) for place, (new, old) in pairs if new != old]
    old = dict(_atoms(then, ()))
    for position, atom in _atoms(now, ()):
        if old.get(position, Nothing) != atom:
            facts.append((step, position, atom))
    return facts


def _atoms(view: Any, position: tuple[Hashable, ...]) -> Iterator[tuple[tuple[Hashable, ...], Any]]:
    """The parts of a view that have no parts themselves (atoms), with their positions in it."""
    if is_dataclass(view) and not isinstance(view, type):
        for field in fields(view):
            yield from _atoms(getattr(view, field.name), (*position, field.name))
    elif isinstance(view, Mapping):
        for key, part in view.items():
            yield from _atoms(part, (*position, str(key)))
    elif isinstance(view, tuple) or (isinstance(view, str) and len(view) > 1):
        for number, part in enumerate(view):
            yield from _atoms(part, (*position, number))
    else:
        yield position, view
