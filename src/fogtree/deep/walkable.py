"""The interface of a game in training: sample codes, their decoding to vectors, and walks.

A sample is stored as a *code*, a short row of bytes, and decoded to a vector when a network is
fitted to it. In a compiled game the code is the number of an information set, or of a history for
value networks; a game with its own native engine has its own codes.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from itertools import pairwise
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from fogtree.deep.encoding import TreeEncoding, Vector
from fogtree.deep.sparse import SparseRows
from fogtree.errors import OptionError
from fogtree.game import CHANCE
from fogtree.tree import GameTree

Codes = NDArray[np.uint8]

MOST_NUMBERS = 1 << 28
"""Most numbers in a dense array of input vectors: a gigabyte."""


class EncodedGame(Protocol):
    """The sizes of a game's samples and networks, and the decoding of codes to input vectors.

    ``action_count`` is the number of output columns, ``most_actions`` the largest number of actions
    at one decision, ``feature_count`` the length of an input vector, ``code_bytes`` that of a code.
    Sizes with ``history`` are those of value networks.
    """

    @property
    def players(self) -> int: ...
    @property
    def action_count(self) -> int: ...
    @property
    def most_actions(self) -> int: ...
    @property
    def feature_count(self) -> int: ...
    @property
    def code_bytes(self) -> int: ...
    @property
    def history_feature_count(self) -> int: ...
    @property
    def history_code_bytes(self) -> int: ...
    def decode(self, codes: Codes) -> Vector:
        """The input vectors of information sets, one row per code."""

    def decode_history(self, codes: Codes) -> Vector:
        """The input vectors of histories for value networks, one row per code."""


class WalkableGame(EncodedGame, Protocol):
    """A game that the reference traversal walks; its states are values of any type."""

    def root(self) -> Any:
        """The state before anything has happened."""

    def player(self, state: Any) -> int:
        """The player to move, ``CHANCE`` or ``TERMINAL``."""

    def chance(self, state: Any) -> Sequence[float]:
        """The probabilities of the outcomes of a chance node."""

    def columns(self, state: Any) -> NDArray[np.int64]:
        """The output columns of the legal actions, in order."""

    def child(self, state: Any, number: int) -> Any:
        """The state after the action or chance outcome with this number, counted from 0."""

    def returns(self, state: Any) -> Sequence[float]:
        """The payoff of each player at a terminal state."""

    def code(self, state: Any) -> Codes:
        """The code of the information set of the player to move."""

    def history_code(self, state: Any, viewer: int) -> Codes:
        """The code of the whole history, from the viewer's point of view."""


class TreeGame:
    """A compiled game as a :class:`WalkableGame`."""

    def __init__(self, tree: GameTree, encoding: TreeEncoding) -> None:
        """Find the input vector of every information set: that of its player's memory at the first
        node of the set."""
        self.tree, self.encoding = tree, encoding
        self.players = tree.players
        self.action_count = encoding.outputs
        self.most_actions = int(tree.infoset_actions.max(initial=1))
        self.code_bytes = self.history_code_bytes = 4
        here = np.flatnonzero(tree.player >= 0)
        first = np.zeros(len(tree.infoset_names), dtype=np.int64)
        first[tree.index[here[::-1]]] = here[::-1]
        self.memory_of = tree.view[first, tree.infoset_player].astype(np.int64)
        self.rows: SparseRows = encoding.memory.take(self.memory_of)
        self.feature_count = encoding.size
        self.history_feature_count = encoding.size * tree.players

    @cached_property
    def _children(self) -> list[list[int]]:
        """The children of every node."""
        children: list[list[int]] = [[] for _ in range(len(self.tree.parent))]
        for node in np.flatnonzero(self.tree.parent >= 0).tolist():
            children[self.tree.parent[node]].append(node)
        return children

    @cached_property
    def _columns(self) -> list[NDArray[np.int64]]:
        """The output columns of the actions, by information set."""
        column, first = self.encoding.column.astype(np.int64), self.tree.first_slot
        return [column[a:b] for a, b in pairwise(first)]

    @property
    def features(self) -> Vector:
        """The dense input vectors of all information sets."""
        self._check(len(self.rows) * self.feature_count)
        return self.rows.dense()

    def _check(self, numbers: int) -> None:
        """Refuse input vectors that take too much memory as a dense array."""
        if numbers > MOST_NUMBERS:
            raise OptionError(f"{self.tree.game}: a table of {numbers:,} inputs is too large")

    @property
    def history(self) -> Vector:
        """The dense input vectors of all histories, a row each: all players' memory vectors
        side by side."""
        count = len(self.tree.parent)
        self._check(count * self.history_feature_count)
        return self._histories(np.arange(count))

    def decode(self, codes: Codes) -> Vector:
        """The input vectors of information sets, whose codes are their numbers."""
        return self.rows.dense(_numbers(codes))

    def decode_history(self, codes: Codes) -> Vector:
        """The input vectors of histories, whose codes are the numbers of their nodes."""
        return self._histories(_numbers(codes))

    def _histories(self, nodes: NDArray[np.int64]) -> Vector:
        """The input vectors of these nodes, a row each: all players' memory vectors side by
        side."""
        views = self.tree.view[nodes].astype(np.int64)
        return self.encoding.memory.dense(views.reshape(-1)).reshape(len(nodes), -1)

    def code_count(self, *, history: bool) -> int:
        """The number of different codes: of information sets, or of histories."""
        return len(self.tree.parent if history else self.tree.infoset_names)

    def root(self) -> int:
        """The root's number; a state is the number of a node."""
        return 0

    def player(self, state: int) -> int:
        return int(self.tree.player[state])

    def chance(self, state: int) -> Sequence[float]:
        """The probabilities of the outcomes of a chance node."""
        assert self.player(state) == CHANCE
        return [float(self.tree.chance[child]) for child in self._children[state]]

    def columns(self, state: int) -> NDArray[np.int64]:
        """The output columns of the legal actions at a node."""
        return self._columns[int(self.tree.index[state])]

    def child(self, state: int, number: int) -> int:
        """The node after the action or chance outcome with this number, counted from 0."""
        return self._children[state][number]

    def returns(self, state: int) -> Sequence[float]:
        return [float(value) for value in self.tree.payoffs[self.tree.index[state]]]

    def code(self, state: int) -> Codes:
        """The code of the information set at a node: its number."""
        return _bytes(self.tree.index[state]).reshape(-1)

    def history_code(self, state: int, viewer: int) -> Codes:
        """The code of a history: its node's number."""
        del viewer  # the vector has every player's view
        return _bytes(state).reshape(-1)


def _numbers(codes: Codes) -> NDArray[np.int64]:
    """The numbers of histories or information sets from their codes: four bytes each, the low one
    first."""
    numbers: NDArray[np.int64] = (
        np.ascontiguousarray(codes).view("<i4").reshape(-1).astype(np.int64)
    )
    return numbers


def _bytes(numbers: Any) -> Codes:
    """The codes of histories or information sets from their numbers: four bytes each, the low one
    first."""
    codes: Codes = np.atleast_1d(np.asarray(numbers, dtype="<i4")).view(np.uint8).reshape(-1, 4)
    return codes
