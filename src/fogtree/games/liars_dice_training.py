"""Training on liar's dice with so many dice that it is too large to be compiled."""

from __future__ import annotations

from collections.abc import Hashable

import numpy as np

from fogtree import _core
from fogtree.deep.coded_support import CodedGame, CodedTraining
from fogtree.deep.support import TrainingSupport
from fogtree.deep.walkable import Codes
from fogtree.game import Action, Game, State
from fogtree.games.liars_dice import LiarsDice, LiarsDiceState

MOST_COMPILED_HISTORIES = 4_000_000
"""Histories of the largest game that is compiled to be trained on."""


class LiarsDiceCodes(CodedGame):
    """The codes of liar's dice for networks: how many dice of a hand show each face, and who made
    each bid."""

    def __init__(self, game: LiarsDice) -> None:
        self.game = game
        self.native = _core.DeepLiarsDice(game.dice, game.sides)
        self._rolls = {roll: number for number, (roll, _) in enumerate(game.rolls)}
        self._columns = {action: number for number, action in enumerate(game.all_actions())}

    def column(self, action: Action) -> int:
        """The output column of an action."""
        return self._columns[action]

    def code(self, view: Hashable) -> Codes:
        """The code of an information set: the mover's roll and the bids."""
        roll, *bids = str(view).split()
        return self._code([self._rolls[roll]], bids, len(bids) % 2)

    def history_code(self, state: State, viewer: int) -> Codes:
        """The code of a whole history: both rolls, the viewer's first (-1: not yet rolled), and the
        bids."""
        assert isinstance(state, LiarsDiceState)
        rolls = [self._rolls[roll] for roll in state.rolls] + [-1, -1]
        bids = [bid for bid in state.bids.split() if bid != "liar"]
        return self._code([rolls[viewer], rolls[1 - viewer]], bids, viewer)

    def _code(self, rolls: list[int], bids: list[str], viewer: int) -> Codes:
        """The code of these rolls, by number, and bids, from the point of view of ``viewer``."""
        numbers = [self._columns[bid] for bid in bids]
        return np.asarray(self.native.code(rolls, numbers, viewer))


def training_support(game: Game) -> TrainingSupport | None:
    """How to train on a game that is too large to be compiled; None if it is small enough, or is of
    a derived class."""
    assert isinstance(game, LiarsDice)
    # Bids rise, so each is made or not: 2 ** bids ways to bid, each with and without a call.
    histories = len(game.rolls) ** 2 * 2 ** (len(game.bids) + 1)
    small = histories <= MOST_COMPILED_HISTORIES or type(game) is not LiarsDice
    return None if small else CodedTraining(LiarsDiceCodes(game))
