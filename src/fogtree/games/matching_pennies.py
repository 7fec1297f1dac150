"""Matching pennies, played once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from fogtree.game import Action
from fogtree.game.parameters import ParameterGame
from fogtree.games.matrix import MatrixState
from fogtree.registry import GameEntry

LABELS = ("heads", "tails")


@dataclass(frozen=True)
class MatchingPennies(ParameterGame):
    """Matching pennies: the first player wins if the two coins match, else the second."""

    short_name = "matching_pennies"
    reading = "nothing before the end, then your coin and the other's"
    players = 2

    def all_actions(self) -> Sequence[Action]:
        return LABELS

    def root(self) -> MatrixState:
        """The state before either coin is turned; the first player gets 1 for equal sides."""
        return MatrixState(
            LABELS, {(row, col): 1.0 if row == col else -1.0 for row in LABELS for col in LABELS}
        )


ENTRY = GameEntry(
    name="matching_pennies",
    game=MatchingPennies,
    rules=(
        "Both players turn a coin to heads or tails, unseen by the other. If the coins match, the "
        "first player wins 1; if they differ, the second player does."
    ),
    web="fogtree.games.matrix_web:VIEW",
)
