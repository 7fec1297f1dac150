"""Which games have an exact equilibrium by linear programming, and why others have none."""

from __future__ import annotations

from fogtree.tree import GameTree


def not_solvable(tree: GameTree) -> str | None:
    """Why a game has no linear program, in words that follow its name; None if it has one. Games of
    constant sum have one, as zero-sum games do."""
    kind = "is not a two-player zero-sum game"
    if tree.players != 2:
        return f"{kind}: it has {tree.players} players"
    if tree.payoff_kind == "general-sum":
        return f"{kind}: its payoffs do not add up to the same number at every end"
    return None
