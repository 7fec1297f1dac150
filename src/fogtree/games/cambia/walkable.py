"""Full-size Cambia for the reference traversal: its own vectors, written out as they are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from fogtree.deep.encoding import Vector
from fogtree.deep.walkable import Codes, DeepGame
from fogtree.errors import OptionError
from fogtree.game import Game
from fogtree.games.cambia.game import Cambia, CambiaState


class CambiaTable:
    """Both a :class:`~fogtree.deep.walkable.DeepGame` and a table: a code is a vector's bytes."""

    def __init__(self, game: Game) -> None:
        if not isinstance(game, Cambia):
            raise OptionError(f"this walks cambia, not {game}")
        self.cambia = game
        self.game: DeepGame = self
        self._encoding = game.encoding
        self.players = game.players
        self.action_count = game.layout.count
        self.most_actions = 36 * (game.players - 1)
        self.feature_count = self.history_feature_count = self._encoding.size
        self.code_bytes = self.history_code_bytes = 4 * self._encoding.size

    def decode(self, codes: Codes) -> Vector:
        return np.ascontiguousarray(codes).view(np.float32)

    decode_history = decode

    def root(self) -> CambiaState:
        return self.cambia.root()

    def player(self, place: CambiaState) -> int:
        return place.player

    def chance(self, place: CambiaState) -> Sequence[float]:
        return [share for _, share in place.chance()]

    def columns(self, place: CambiaState) -> NDArray[np.int64]:
        return np.array(place.position.legal(), dtype=np.int64)

    def child(self, place: CambiaState, number: int) -> CambiaState:
        if place.player >= 0:
            return place.child(place.actions()[number])
        return place.child(place.chance()[number][0])

    def returns(self, place: CambiaState) -> Sequence[float]:
        return place.returns()

    def code(self, place: CambiaState) -> Codes:
        return self._encoding.encode(place.observation(place.player)).view(np.uint8)

    def history_code(self, place: CambiaState, viewer: int) -> Codes:
        """The viewer's view with every card face up; who has seen what stays as it is."""
        view = place.observation(viewer)
        shown = replace(view, known=place.position.hands, drawn=place.position.drawn)
        return self._encoding.encode(shown).view(np.uint8)
