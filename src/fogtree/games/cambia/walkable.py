"""Cambia for the reference traversal in Python, with uncompressed input vectors as codes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from fogtree.deep.encoding import Vector
from fogtree.deep.walkable import Codes
from fogtree.games.cambia.game import Cambia, CambiaState


class WalkableCambia:
    """A :class:`~fogtree.deep.walkable.WalkableGame` whose codes are the vectors' bytes."""

    def __init__(self, game: Cambia) -> None:
        """Take the sizes of codes and vectors from the game; a code has four bytes per input."""
        self.cambia = game
        self._encoding = game.encoding
        self.players = game.players
        self.action_count = game.layout.count
        # Swaps have most targets: one of 6 own slots and one of 6 of each opponent.
        self.most_actions = 36 * (game.players - 1)
        self.feature_count = self.history_feature_count = self._encoding.size
        self.code_bytes = self.history_code_bytes = 4 * self._encoding.size

    def decode(self, codes: Codes) -> Vector:
        """The input vectors of codes, which are the bytes of those vectors."""
        return np.ascontiguousarray(codes).view(np.float32)

    decode_history = decode

    def root(self) -> CambiaState:
        return self.cambia.root()

    def player(self, state: CambiaState) -> int:
        return state.player

    def chance(self, state: CambiaState) -> Sequence[float]:
        """The probabilities of the outcomes of a chance state."""
        return [share for _, share in state.chance()]

    def columns(self, state: CambiaState) -> NDArray[np.int64]:
        """The output columns of the legal actions: their numbers."""
        return np.array(state.position.legal(), dtype=np.int64)

    def child(self, state: CambiaState, number: int) -> CambiaState:
        """The state after the action or chance outcome with this number, counted from 0."""
        if state.player >= 0:
            return state.child(state.actions()[number])
        return state.child(state.chance()[number][0])

    def returns(self, state: CambiaState) -> Sequence[float]:
        return state.returns()

    def code(self, state: CambiaState) -> Codes:
        """The code of the mover's information set: the bytes of the vector of the mover's view."""
        return self._encoding.encode(state.observation(state.player)).view(np.uint8)

    def history_code(self, state: CambiaState, viewer: int) -> Codes:
        """The code of the whole history: the viewer's view with every card visible. Who has seen
        which card is encoded as it is."""
        view = state.observation(viewer)
        shown = replace(view, known=state.position.hands, drawn=state.position.drawn)
        return self._encoding.encode(shown).view(np.uint8)
