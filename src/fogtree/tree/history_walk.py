"""Visits every history of a game through its protocol, and checks the game on the way."""

from __future__ import annotations

from array import array
from collections.abc import Hashable
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
    checked_state,
)
from fogtree.game.tree_source import TreeParts
from fogtree.tree.size import DEEPEST, too_deep_error

Own = tuple[Hashable] | None
"""An own action, wrapped so that any value can be one; ``None`` where another player acted."""

Visit = tuple[State, int, int, int, float, tuple[tuple[int, Hashable], ...], int]
"""State, parent, action's number, label, probability, what each player knows, depth."""


class HistoryWalk:
    """One walk over a game, in steps; see :class:`fogtree.game.tree_source.TreeSource`.

    A player's history is a number, found by the number of the history before and the step since;
    so perfect recall holds by construction.
    """

    bytes_per_node = 270
    """Most bytes per history from compiling to solving, measured on several games, including
    Python's own objects."""

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
        self.label_of: dict[tuple[type, Hashable], int] = {}
        self.stack = [self.beginning()]

    def beginning(self) -> Visit:
        """The visit of the root, with each player's first observation."""
        root = checked_state(self.game, self.game.root(), "the root is")
        known: list[tuple[int, Hashable]] = []
        for p in range(self.players):
            view = root.observation(p)
            known.append((self.remember(-1 - p, None, view), view))
        return root, -1, 0, -1, 1.0, tuple(known), 0

    @property
    def nodes(self) -> int:
        return len(self.parent)

    def grow(self, nodes: int) -> bool:
        """Visit up to ``nodes`` more histories; False when none is left."""
        stack = self.stack
        last = self.nodes + nodes
        while stack and len(self.parent) < last:
            state, parent, number, label, chance, known_here, depth = stack.pop()
            node = len(self.parent)
            if depth > DEEPEST:
                raise too_deep_error(self.game)
            mover = state.player
            self.parent.append(parent)
            self.player.append(checked_player(self.game, mover, self.players))
            self.action.append(number)
            self.label.append(label)
            self.chance.append(chance)
            self.view.extend([k[0] for k in known_here])
            if mover == TERMINAL:
                self.index.append(len(self.payoffs) // self.players)
                self.payoffs.extend(checked_returns(self.game, state, self.players))
                continue
            if mover == CHANCE:
                self.index.append(-1)
                edges = [e for e in checked_outcomes(self.game, state) if e[1] > 0]
            else:
                edges = self.choices(state, mover, known_here[mover])
            for k in range(len(edges) - 1, -1, -1):
                action, probability = edges[k]
                child = state.child(action)
                if child is state:
                    raise GameError(f"{self.game}: action {action!s} leads back to the same state")
                if not isinstance(child, State):
                    raise GameError(f"{self.game}: action {action!s} leads to no State")
                seen = self.look(child, mover, action, known_here)
                stack.append(
                    (child, node, k, self.label_number(action), probability, seen, depth + 1)
                )
        return bool(stack)

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

    def same(self, view: Hashable, before: Hashable) -> bool:
        try:
            return bool(view == before)
        except ValueError:  # arrays have no single answer
            raise GameError(
                f"{self.game}: views must compare as equal or not, {view!r:.60} does not"
            ) from None

    def look(
        self, state: State, mover: int, action: Hashable, known: tuple[tuple[int, Hashable], ...]
    ) -> tuple[tuple[int, Hashable], ...]:
        """The players' histories at a state, from their histories before it.

        At the end no player decides any more, so views there are not added.
        """
        if state.player == TERMINAL:
            return known
        out = []
        for p in range(self.players):
            earlier, before = known[p]
            view = state.observation(p)
            if p == mover:
                out.append((self.remember(earlier, (action,), view), view))
            elif self.same(view, before):
                out.append(known[p])
            else:
                out.append((self.remember(earlier, None, view), view))
        return tuple(out)

    def label_number(self, action: Hashable) -> int:
        # By type as well: True is not 1 to the person who reads it.
        return self.label_of.setdefault((type(action), action), len(self.label_of))

    def choices(
        self, state: State, mover: int, known: tuple[int, Hashable]
    ) -> list[tuple[Hashable, float]]:
        """The legal actions of a decision, after checks against its information set."""
        try:
            actions = tuple(state.actions())
        except TypeError:
            actions = checked_actions(self.game, state)
        number = self.infoset_of.get(known[0])
        if number is None:
            if not actions or len({str(action) for action in actions}) != len(actions):
                raise GameError(f"{self.game}: actions must be some and distinct, not {actions}")
            number = self.infoset_of[known[0]] = len(self.infosets)
            self.infosets.append((mover, actions, self.name(state), known[1], known[0]))
        elif self.infosets[number][1] != actions:
            name = self.infosets[number][2] or known[1]
            raise GameError(
                f"{self.game}: information set '{name}' has actions {self.infosets[number][1]} in "
                f"one history and {actions} in another; its player could tell them apart"
            )
        self.index.append(number)
        return [(action, 1.0) for action in actions]

    def name(self, state: State) -> str | None:
        name = state.name()
        if name is not None and not isinstance(name, str):
            raise GameError(f"{self.game}: the name of an information set is {name!r:.40}, no text")
        return name

    def names(self) -> tuple[str, ...]:
        """Names of the information sets: the game's own, which must be unique, else the view or the
        whole history."""
        by_view = [f"{mover}:{view}" for mover, _, _, view, _ in self.infosets]
        taken: dict[str, int] = {}
        for name in by_view:
            taken[name] = taken.get(name, 0) + 1
        story = {number: key for key, number in self.memories.items()}
        out = []
        for (mover, _, given_name, _, known), short in zip(self.infosets, by_view, strict=True):
            own = short if taken[short] == 1 else f"{mover}:{_history_text(story, known)}"
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


def _history_text(story: dict[int, tuple[int, Own, Hashable]], number: int) -> str:
    """A player's history as text: own actions, and views where they changed."""
    steps: list[tuple[Own, Hashable]] = []
    while number >= 0:
        number, action, view = story[number]
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
