"""One-shot games: both players choose at once, and a matrix has the payoffs of the first."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from fogtree.game import TERMINAL, Action, State

Payoffs = dict[tuple[Action, Action], float]
"""The payoff of the first player, the row player, for each pair of choices (row, column)."""


class MatrixState(State):
    """A state of a one-shot game: the row player chooses first, unseen by the column player."""

    __slots__ = ("chosen", "labels", "payoffs", "player")
    player: int

    def __init__(
        self, labels: Sequence[Action], payoffs: Payoffs, chosen: tuple[Action, ...] = ()
    ) -> None:
        """``labels`` are the choices that each player has, ``chosen`` those made so far, the row
        player's first."""
        self.labels = labels
        self.payoffs = payoffs
        self.chosen = chosen
        self.player = len(chosen) if len(chosen) < 2 else TERMINAL

    def actions(self) -> Sequence[Action]:
        """The choices, which are the same for both players."""
        return self.labels

    def child(self, action: Action) -> MatrixState:
        """The state after the next player's choice."""
        return MatrixState(self.labels, self.payoffs, (*self.chosen, action))

    def returns(self) -> tuple[float, float]:
        """The row player's payoff by the matrix, and its negative for the column player."""
        row, column = self.chosen
        gain = self.payoffs[row, column]
        return gain, -gain

    def observation(self, player: int) -> Hashable:
        """None until both have chosen, then both choices."""
        return self.chosen if self.player == TERMINAL else None

    def show(self, player: int) -> str:
        """Both choices, once both players have chosen."""
        return (
            f"{self.chosen[player]} against {self.chosen[1 - player]}"
            if self.player == TERMINAL
            else ""
        )

    def name(self) -> str:
        """The name of the mover's only information set: the other's choice is never known."""
        return ("row", "column")[self.player]
