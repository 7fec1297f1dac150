"""The base of all evaluators, which value every child of a position as if nothing were hidden.

All kinds answer the same question in one call, with values from −1 to 1. The rules decide first: a
child in which a king is gone, the other side has no move, or the mover's king can be taken next has
the value that the rules give it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Self

import numpy as np
from numpy.typing import NDArray

from fogtree._core import (
    FogChessEvaluator,
    FogChessEvaluatorRules,
    FogChessPosition,
    FogChessPythonEvaluator,
)
from fogtree.errors import FogtreeError
from fogtree.games.fog_chess.rules import DEFAULT_PRESET, preset

_STALEMATE = {"loss": 1.0, "draw": 0.0, "win": -1.0}
"""The value of a child for the side that moved there, if the other side has no move left, by the
result that the rules give the other side."""

Values = NDArray[np.float32]


class FogEvaluator(ABC):
    """Values positions; use it in a ``with`` block or close it."""

    def __init__(self, name: str, rules: str = DEFAULT_PRESET) -> None:
        """Take a name for messages, and the rule preset by which stalemate is valued."""
        self.name = name
        self.rules = preset(rules)
        self.native_rules = FogChessEvaluatorRules(
            self.rules.sight, _STALEMATE[self.rules.stalemate]
        )

    @abstractmethod
    def mover_values(self, position: FogChessPosition) -> Values:
        """The value of every child for the side to move, in the order of ``position.moves()``."""

    def children(self, position: FogChessPosition, player: int) -> Values:
        """The value of every child for a player, in the order of ``position.moves()``."""
        values = self.mover_values(position)
        return values if position.side == player else -values

    def children_of_all(self, positions: Sequence[FogChessPosition], player: int) -> list[Values]:
        """The values of all children of each of many positions, for a player."""
        return [self.children(position, player) for position in positions]

    def for_search(self) -> FogChessEvaluator:
        """The evaluator that search threads call: by default it calls ``mover_values``."""
        return FogChessPythonEvaluator(self._checked_values)

    def _checked_values(self, position: FogChessPosition) -> Values:
        """The values of all moves for the side to move; an error if there is not one for every
        move, or one is not from -1 to 1."""
        values = self.mover_values(position)
        if np.shape(values) != (position.count_moves(),):
            raise FogtreeError(f"the evaluator {self.name} must give one number for every move")
        if not (np.abs(values) <= 1).all():
            raise FogtreeError(f"the evaluator {self.name} must give numbers from -1 to 1")
        return values

    def close(self) -> None:  # noqa: B027
        """Release processes and memory of the evaluator."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()
