"""Any game, without compiling, for the reference traversal in Python.

Training walks states in the same way in the native core (``core/bindings/protocol_deep.cpp``).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from fogtree.deep.encoding import Vector
from fogtree.deep.history_encoding import Codes, HistoryEncoding, Memory
from fogtree.errors import GameError
from fogtree.game import CHANCE, TERMINAL, Action, Game, State
from fogtree.game.checks import (
    checked_actions,
    checked_outcomes,
    checked_player,
    checked_returns,
    checked_root,
    checked_state,
)
from fogtree.tree.size import DEEPEST, too_deep_error


class Place:
    """A state of a game with what each player remembers there."""

    __slots__ = ("columns", "depth", "edges", "memories", "player", "shares", "state")

    def __init__(self, state: State, player: int, memories: tuple[Memory, ...], depth: int) -> None:
        self.state, self.player, self.memories, self.depth = state, player, memories, depth
        self.edges: Sequence[Action] | None = None
        self.shares: Sequence[float] = ()
        self.columns: NDArray[np.int64] | None = None


class ProtocolGame:
    """A game that is not compiled as a :class:`~fogtree.deep.walkable.WalkableGame`."""

    def __init__(self, game: Game, encoding: HistoryEncoding) -> None:
        self.game, self.encoding = game, encoding
        self.players = encoding.players
        self.action_count, self.most_actions = encoding.action_count, encoding.most_actions
        self.feature_count, self.code_bytes = encoding.feature_count, encoding.code_bytes
        self.history_feature_count = self.players * self.feature_count
        self.history_code_bytes = self.players * self.code_bytes

    def root(self) -> Place:
        memories = (self.encoding.nothing,) * self.players
        return self._place(checked_root(self.game), memories, CHANCE, None, 0)

    def _place(
        self, state: State, before: tuple[Memory, ...], mover: int, move: Action, depth: int
    ) -> Place:
        """A state after a move, with the players' memories; the end of a game is not observed."""
        player = checked_player(self.game, state.player, self.players)
        if player == TERMINAL:
            return Place(state, player, before, depth)
        following, seen = self.encoding.next, state.observation
        memories = [
            following(memory, (move,) if seat == mover else None, seen(seat))
            for seat, memory in enumerate(before)
        ]
        return Place(state, player, tuple(memories), depth)

    def player(self, place: Place) -> int:
        return place.player

    def chance(self, place: Place) -> Sequence[float]:
        """The probabilities of the outcomes of chance."""
        self._edges(place)
        return place.shares

    def _edges(self, place: Place) -> Sequence[Action]:
        """The legal actions, or the outcomes of chance, at a place; the game is asked once."""
        if place.edges is None:
            if place.player == CHANCE:
                outcomes = checked_outcomes(self.game, place.state)
                place.edges = [outcome for outcome, _ in outcomes]
                place.shares = [share for _, share in outcomes]
            else:
                place.edges = checked_actions(self.game, place.state)
                if not place.edges:
                    raise GameError(f"{self.game}: a state has no actions and is not the end")
        return place.edges

    def columns(self, place: Place) -> NDArray[np.int64]:
        """The output columns of the legal actions."""
        if place.columns is None:
            place.columns = self.encoding.columns(self._edges(place))
        return place.columns

    def child(self, place: Place, number: int) -> Place:
        """The place after the action or chance outcome with this number, counted from 0."""
        move = self._edges(place)[number]
        state = place.state.child(move)
        if not isinstance(state, State) or state is place.state:
            checked_state(self.game, state, f"'{move!s:.40}' leads to")
            raise GameError(f"{self.game}: action '{move!s:.40}' leads back to the same state")
        if place.depth >= DEEPEST:
            raise too_deep_error(self.game)
        return self._place(state, place.memories, place.player, move, place.depth + 1)

    def returns(self, place: Place) -> Sequence[float]:
        return checked_returns(self.game, place.state, self.players)

    def code(self, place: Place) -> Codes:
        return place.memories[place.player].code

    def history_code(self, place: Place, viewer: int) -> Codes:
        """The codes of all players' memories; a value network has its viewer's side learnt."""
        del viewer
        return np.concatenate([memory.code for memory in place.memories])

    def decode(self, codes: Codes) -> Vector:
        return self.encoding.decode(codes)

    def decode_history(self, codes: Codes) -> Vector:
        """The input vectors of histories: those of all players side by side."""
        rows = np.ascontiguousarray(codes).reshape(-1, self.code_bytes)
        return self.encoding.decode(rows).reshape(-1, self.history_feature_count)
