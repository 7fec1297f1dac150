"""A plain walk over every history of a game in Python, with which native walks are compared."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Hashable, Iterable
from dataclasses import fields
from itertools import combinations
from typing import Any

import numpy as np

from fogtree.errors import GameError
from fogtree.game import CHANCE, TERMINAL, Game, State
from fogtree.game.checks import (
    checked_actions,
    checked_outcomes,
    checked_player,
    checked_players,
    checked_returns,
    checked_root,
    same_views,
)
from fogtree.game.tree_source import TreeParts, TreeSource
from fogtree.tree.size import DEEPEST, too_deep_error

Own = tuple[Hashable] | None
"""An own action, wrapped so that any value can be one; ``None`` where another player acted."""

Edge = tuple[int, Hashable, int, float]
"""An action's number, the action, its label's number, and its probability (1 if it is chosen)."""

Known = tuple[tuple[int, ...], tuple[Hashable, ...]]
"""The number of each player's history, and each player's latest view."""

Visit = tuple[State, int, int, int, int, float, Known, int]
"""State, its mover, parent, action's number, label, probability, what is known, depth."""

_ROWS = 1 << 12
"""Histories whose columns are written at once."""


class ReferenceWalk:
    """One walk over a game, in steps; see :class:`fogtree.game.tree_source.TreeSource`.

    A player's history is a number, found by the number of the history before and the step since;
    so perfect recall holds by construction.
    """

    bytes_per_node = 1

    def __init__(self, game: Game) -> None:
        self.game = game
        self.players = checked_players(game)
        self.parent, self.index, self.action, self.label = (array("i") for _ in range(4))
        self.player, self.chance, self.view = array("b"), array("d"), array("i")
        self.payoffs = array("d")
        # Remembered histories: (earlier history, own action or None, view) -> number.
        self.memories: dict[tuple[int, Own, Hashable], int] = {}
        self.infoset_of: dict[int, int] = {}
        self.infosets: list[tuple[int, tuple[Any, ...], str | None, Hashable, int]] = []
        self.edges_of: list[tuple[Edge, ...]] = []  # by information set
        self.label_of: dict[tuple[type, Hashable], int] = {}
        self.state_types: set[type] = set()  # known to be states
        self.stack = [self.beginning()]

    def beginning(self) -> Visit:
        """The visit of the root, with each player's first observation."""
        root = checked_root(self.game)
        views = tuple([root.observation(p) for p in range(self.players)])
        numbers = tuple(self.remember(-1 - p, None, view) for p, view in enumerate(views))
        mover = checked_player(self.game, root.player, self.players)
        return root, mover, -1, 0, -1, 1.0, (numbers, views), 0

    @property
    def nodes(self) -> int:
        return len(self.parent)

    def grow(self, nodes: int) -> bool:
        """Visit up to ``nodes`` more histories; False when none is left."""
        last = self.nodes + nodes
        while self.stack and self.nodes < last:
            self._visit_some(min(last - self.nodes, _ROWS))
        return bool(self.stack)

    def share_visited(self) -> float:
        """The share of the game visited so far, if all children of a history had equal shares.

        It follows from the stack alone: siblings lie side by side in it, the last one deepest.
        """
        if not self.stack or not self.parent:
            return 0.0 if self.stack else 1.0
        _, _, node, number, *_ = self.stack[-1]
        path = [(node, number)]  # parents and numbers of children, from the next visit to the root
        while node > 0:
            path.append((self.parent[node], self.action[node]))
            node = self.parent[node]
        share, weight, place = 0.0, 1.0, 0
        for parent, number in reversed(path):
            deepest = self.stack[place]
            children = (deepest[3] if deepest[2] == parent else number) + 1
            weight /= children
            share += weight * number
            place += children - 1 - number
        return share

    def _visit_some(self, nodes: int) -> None:
        """Visit up to ``nodes`` more histories, and add a row of every column for each."""
        game, stack, players = self.game, self.stack, self.players
        view, payoffs = self.view, self.payoffs
        rows: list[tuple[int, int, int, int, float, int]] = []
        first = self.nodes
        while stack and len(rows) < nodes:
            state, mover, parent, number, label, chance, known, depth = stack.pop()
            view.extend(known[0])
            if mover == TERMINAL:
                rows.append((parent, mover, number, label, chance, len(payoffs) // players))
                payoffs.extend(checked_returns(game, state, players))
                continue
            if depth >= DEEPEST:
                raise too_deep_error(game)
            if mover == CHANCE:
                index, edges = -1, self.outcomes(state)
            else:
                index = self.infoset(state, mover, known)
                edges = self.edges_of[index]
            node = first + len(rows)
            rows.append((parent, mover, number, label, chance, index))
            for number, action, label, chance in edges:
                child = state.child(action)
                then = self.mover_after(state, action, child)
                seen = known if then == TERMINAL else self.look(child, mover, action, known)
                stack.append((child, then, node, number, label, chance, seen, depth + 1))
        if rows:
            columns: list[array[Any]] = [self.parent, self.player, self.action, self.label]
            columns += [self.chance, self.index]
            for column, values in zip(columns, zip(*rows, strict=True), strict=True):
                column.extend(values)

    def mover_after(self, state: State, action: Hashable, child: State) -> int:
        """Who moves at a child; the child is checked first."""
        if type(child) not in self.state_types:
            if not isinstance(child, State):
                raise GameError(f"{self.game}: action '{action!s:.40}' leads to no State")
            self.state_types.add(type(child))
        if child is state:
            raise GameError(f"{self.game}: action '{action!s:.40}' leads back to the same state")
        mover = child.player
        if type(mover) is int and TERMINAL <= mover < self.players:
            return mover
        return checked_player(self.game, mover, self.players)

    def remember(self, earlier: int, action: Own, view: Hashable) -> int:
        """The number of a player's history, given the earlier one and the step since."""
        key = (earlier, action, view)
        try:
            number = self.memories.get(key)
        except TypeError:
            raise GameError(
                f"{self.game}: views and actions must be hashable, not {view!r:.60}"
            ) from None
        if number is None:
            number = self.memories[key] = len(self.memories)
        return number

    def look(self, state: State, mover: int, action: Hashable, known: Known) -> Known:
        """The players' histories at a state, from their histories before it.

        At the end no player decides any more, so views there are not added.
        """
        numbers, views = list(known[0]), list(known[1])
        for p, before in enumerate(known[1]):
            view = state.observation(p)
            if p == mover:
                numbers[p] = self.remember(numbers[p], (action,), view)
                views[p] = view
            elif view is not before and not same_views(self.game, view, before):
                numbers[p] = self.remember(numbers[p], None, view)
                views[p] = view
        return tuple(numbers), tuple(views)

    def label_number(self, action: Hashable) -> int:
        # By type as well: True is not 1 to the person who reads it.
        try:
            return self.label_of.setdefault((type(action), action), len(self.label_of))
        except TypeError:
            raise GameError(
                f"{self.game}: actions and outcomes must be hashable, not {action!r:.60}"
            ) from None

    def edges(self, weighted: Iterable[tuple[Hashable, float]]) -> tuple[Edge, ...]:
        """Actions or outcomes with their probabilities as edges, the last one first."""
        found = [(k, a, self.label_number(a), weight) for k, (a, weight) in enumerate(weighted)]
        return tuple(reversed(found))

    def outcomes(self, state: State) -> tuple[Edge, ...]:
        """The possible outcomes of a chance state."""
        return self.edges(e for e in checked_outcomes(self.game, state) if e[1] > 0)

    def infoset(self, state: State, mover: int, known: Known) -> int:
        """The number of a decision's information set, whose actions are checked."""
        try:
            actions = tuple(state.actions())
        except TypeError:
            actions = checked_actions(self.game, state)
        history, view = known[0][mover], known[1][mover]
        number = self.infoset_of.get(history)
        if number is None:
            texts = {str(action) for action in actions}
            equal = any(one == other for one, other in combinations(actions, 2))
            if not actions or len(texts) != len(actions) or equal:
                raise GameError(f"{self.game}: actions must exist and differ, not {actions}")
            number = self.infoset_of[history] = len(self.infosets)
            self.infosets.append((mover, actions, self.name(state), view, history))
            self.edges_of.append(self.edges((action, 1.0) for action in actions))
        elif self.infosets[number][1] != actions:
            name = self.infosets[number][2] or view
            raise GameError(
                f"{self.game}: information set '{name}' has actions {self.infosets[number][1]} in "
                f"one history and {actions} in another; its player could tell them apart"
            )
        return number

    def name(self, state: State) -> str | None:
        name = state.name()
        if name is not None and not isinstance(name, str):
            raise GameError(f"{self.game}: the name of an information set is {name!r:.40}, no text")
        return name

    def names(self) -> tuple[str, ...]:
        """Names of the information sets: the game's own, which must be unique, else the view or the
        whole history."""
        by_view = [f"{mover}:{view}" for mover, _, _, view, _ in self.infosets]
        uses = Counter(by_view)
        last_steps = {number: step for step, number in self.memories.items()}
        out = []
        for (mover, _, given_name, _, known), short in zip(self.infosets, by_view, strict=True):
            own = short if uses[short] == 1 else f"{mover}:{_history_text(last_steps, known)}"
            out.append(own if given_name is None else given_name)
        seen: set[str] = set()
        for name in out:
            if name in seen:
                raise GameError(f"{self.game}: two information sets have the same name '{name}'")
            seen.add(name)
        return tuple(out)

    def parts(self) -> TreeParts:
        """The arrays of the tree, once every history has been visited."""
        names = self.names()
        return TreeParts(
            parent=np.frombuffer(self.parent, dtype=np.int32),
            player=np.frombuffer(self.player, dtype=np.int8),
            action=np.frombuffer(self.action, dtype=np.int32),
            index=np.frombuffer(self.index, dtype=np.int32),
            chance=np.frombuffer(self.chance, dtype=np.float64),
            view=np.frombuffer(self.view, dtype=np.int32).reshape(-1, self.players),
            payoffs=np.frombuffer(self.payoffs, dtype=np.float64).reshape(-1, self.players),
            label=np.frombuffer(self.label, dtype=np.int32),
            labels=tuple(str(action) for _, action in self.label_of),
            infoset_player=np.array([entry[0] for entry in self.infosets], dtype=np.int8),
            infoset_names=names,
            infoset_labels=tuple(tuple(str(a) for a in entry[1]) for entry in self.infosets),
        )


def _history_text(last_steps: dict[int, tuple[int, Own, Hashable]], number: int) -> str:
    """A player's history as text: own actions, and views where they changed. ``last_steps`` has the
    history before each one, and the action and the view since."""
    steps: list[tuple[Own, Hashable]] = []
    while number >= 0:
        number, action, view = last_steps[number]
        steps.append((action, view))
    parts: list[str] = []
    before: Hashable = None
    for action, view in reversed(steps):
        if action is not None:
            parts.append(str(action[0]))
        if view != before:
            parts.append(str(view))
        before = view
    return "/".join(parts)


def walked(source: TreeSource, step: int = 1 << 14) -> TreeParts:
    """All parts of a tree, in steps of this many histories."""
    while source.grow(step):
        pass
    return source.parts()


def assert_same_tree(mine: TreeParts, theirs: TreeParts) -> None:
    """Fail unless all arrays are equal bit by bit, and all texts too."""
    for field in fields(TreeParts):
        got, wanted = getattr(mine, field.name), getattr(theirs, field.name)
        if isinstance(wanted, np.ndarray):
            assert got.dtype == wanted.dtype, field.name
            assert got.shape == wanted.shape, field.name
            assert got.tobytes() == wanted.tobytes(), field.name
        elif field.name != "native":
            assert list(got) == list(wanted), field.name
