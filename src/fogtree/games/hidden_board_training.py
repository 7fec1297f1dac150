"""Training on hidden boards that are too large to be compiled."""

from __future__ import annotations

from collections.abc import Hashable
from functools import cache

import numpy as np

from fogtree import _core
from fogtree.deep.coded_support import CodedGame, CodedTraining
from fogtree.deep.support import TrainingSupport
from fogtree.deep.walkable import Codes
from fogtree.game import Action, Game, State
from fogtree.games.hidden_board import HiddenBoard

MOST_COMPILED_HISTORIES = 2_000_000
"""Histories of the largest board that is compiled to be trained on."""


class HiddenBoardCodes(CodedGame):
    """The codes of a hidden board for networks: the squares that a player tried in their order, and
    who has each of them."""

    def __init__(self, game: HiddenBoard, native: _core.HiddenBoard) -> None:
        self.game = self._board = game
        self.native = _core.DeepHiddenBoard(native)
        self._columns = {name: number for number, name in enumerate(game.squares)}

    def column(self, action: Action) -> int:
        """The output column of an action: the number of its square."""
        return self._columns[str(action)]

    def code(self, view: Hashable) -> Codes:
        """The code of an information set: the squares that the mover has tried."""
        return np.asarray(self.native.code([self._board.tried(view)]))

    def history_code(self, state: State, viewer: int) -> Codes:
        """The code of a whole history: both players' tried squares, the viewer's first."""
        views = [self._board.tried(state.observation(player)) for player in (viewer, 1 - viewer)]
        return np.asarray(self.native.code(views))


@cache
def _too_large_to_compile(game: HiddenBoard) -> bool:
    """Whether a board has too many histories to be compiled for training."""
    simulator = game.simulator()
    return simulator is not None and (
        simulator.histories(MOST_COMPILED_HISTORIES + 1) > MOST_COMPILED_HISTORIES
    )


def training_support(game: Game) -> TrainingSupport | None:
    """How to train on a board that is too large to be compiled; None if it is small enough or has
    no native rules."""
    assert isinstance(game, HiddenBoard)
    if game.native is None or not _too_large_to_compile(game):
        return None
    return CodedTraining(HiddenBoardCodes(game, game.native))
