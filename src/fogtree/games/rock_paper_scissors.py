"""Rock, paper, scissors, played once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from fogtree.game import Action
from fogtree.game.parameters import ParameterGame, parameter
from fogtree.games.matrix import MatrixState
from fogtree.registry import GameEntry

LABELS = ("rock", "paper", "scissors")


@dataclass(frozen=True)
class RockPaperScissors(ParameterGame):
    """Rock, paper, scissors: both choose at once; paper beats rock and is beaten by scissors."""

    short_name = "rock_paper_scissors"
    reading = "nothing before the end, then your choice and the other's"
    players = 2
    scissors: int = parameter(1, "what a win is worth when either player shows scissors", minimum=1)

    def all_actions(self) -> Sequence[Action]:
        return LABELS

    def root(self) -> MatrixState:
        """The state before either player has chosen, with the matrix of payoffs."""
        return MatrixState(
            LABELS, {(row, column): self._gain(row, column) for row in LABELS for column in LABELS}
        )

    def _gain(self, row: str, column: str) -> float:
        """The row player's payoff: 0 for equal choices, else 1 or -1, times ``scissors`` if either
        player shows scissors."""
        ahead = (LABELS.index(row) - LABELS.index(column)) % 3
        worth = float(self.scissors) if "scissors" in (row, column) else 1.0
        return (0.0, worth, -worth)[ahead]  # each label beats the one before it


def _rules(game: RockPaperScissors) -> str:
    """The rules with what scissors are worth, in words."""
    more = f", or {game.scissors} if either player shows scissors" if game.scissors > 1 else ""
    return (
        "Both players choose rock, paper or scissors at the same time. Rock beats scissors, "
        f"scissors beat paper, paper beats rock; the winner gets 1 from the loser{more}."
    )


ENTRY = GameEntry(
    name="rock_paper_scissors",
    game=RockPaperScissors,
    rules=_rules,
    web="fogtree.games.matrix_web:VIEW",
)
