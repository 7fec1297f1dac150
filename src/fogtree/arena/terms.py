"""The terms of a match, made from options: openings, budget, sequential test, file of games."""

from __future__ import annotations

from pathlib import Path

from fogtree.agents.budget import Budget
from fogtree.arena.ledger import Ledger
from fogtree.arena.match import Terms
from fogtree.arena.openings import find_openings
from fogtree.arena.sequential import SequentialTest
from fogtree.game import Game


def match_terms(
    game: Game,
    *,
    games: int,
    seed: int,
    openings: str | None = None,
    budget: Budget | None = None,
    test: SequentialTest | None = None,
    file: Path | None = None,
) -> Terms:
    """Terms of a match of ``games`` games; finished games are kept in ``file``."""
    found = find_openings(game, openings, count=-(-games // 2), seed=seed)
    condition: dict[str, object] = {
        "game": str(game),
        "seed": seed,
        "seconds": budget.seconds if budget else 0,
        "nodes": budget.nodes if budget else 0,
    }
    if found is not None:
        condition["openings"] = found.name
    ledger = None if file is None else Ledger(file, condition)
    if found is None:
        return Terms(budget=budget, test=test, ledger=ledger)
    return Terms(
        starts=found.games,
        budget=budget,
        test=test,
        deals_per_task=found.deals_per_task,
        ledger=ledger,
    )
