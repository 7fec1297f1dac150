"""``--rounding``: rounded strategies, and the exploitability that rounding adds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import fogtree

if TYPE_CHECKING:
    from fogtree import GameTree, Strategy


@dataclass(frozen=True, slots=True)
class Rounded:
    """A rounded strategy with its exploitability (NashConv / players) before and after."""

    strategy: Strategy
    digits: int
    players: int
    before: float
    after: float

    @classmethod
    def of(cls, tree: GameTree, strategy: Strategy, digits: int) -> Rounded:
        """Round a strategy, and measure its exploitability before and after."""
        rounded = strategy.rounded(digits)
        before, after = (fogtree.exploitability(tree, one) for one in (strategy, rounded))
        return cls(rounded, digits, tree.players, before.exploitability, after.exploitability)

    def document(self) -> dict[str, Any]:
        """The entry about the rounded strategy in the output of ``--json``."""
        nash_conv = self.after * self.players
        return {"digits": self.digits, "exploitability": self.after, "nash_conv": nash_conv}

    def __str__(self) -> str:
        decimals = f"{self.digits} decimal" + ("" if self.digits == 1 else "s")
        return (
            f"rounded to {decimals}: exploitability {self.after:.6g} instead of {self.before:.6g} "
            f"(NashConv / {self.players})"
        )
