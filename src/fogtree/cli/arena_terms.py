"""What ``fogtree arena`` agrees on before a match, and what it writes after it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from fogtree.errors import OptionError

if TYPE_CHECKING:
    from fogtree.agents.budget import Budget
    from fogtree.arena import Ledger, SequentialTest, Terms, Tournament
    from fogtree.game import Game

CHESS_DEALS_PER_TASK = 1  # games of chess are long


def find_terms(
    table: Game,
    openings: str | None,
    *,
    games: int,
    seed: int,
    budget: Budget | None,
    sprt: str | None,
    pgn: Path | None,
    file: Path | None = None,
) -> Terms:
    """Budget, openings and test as they were asked for; chess has a book if nothing is said."""
    from fogtree.arena import Terms

    test = _read_test(sprt) if sprt is not None else None
    condition = {
        "game": str(table),
        "seed": seed,
        "seconds": budget.seconds if budget else 0,
        "nodes": budget.nodes if budget else 0,
    }
    if table.short_name != "fog_chess":
        if openings is not None or pgn is not None:
            raise OptionError(f"--openings and --pgn are for chess, not for {table}")
        return Terms(budget=budget, test=test, ledger=_ledger(file, condition))
    from fogtree.games.fog_chess.game import FogChess
    from fogtree.games.fog_chess.openings import openings as find_openings
    from fogtree.games.fog_chess.rules import START_FEN

    assert isinstance(table, FogChess)
    spec = openings or ("book" if table.fen == START_FEN else "start")
    starts = find_openings(table, spec, -(-games // 2), seed)
    return Terms(
        starts=tuple(starts),
        budget=budget,
        test=test,
        deals_per_task=CHESS_DEALS_PER_TASK,
        ledger=_ledger(file, {**condition, "openings": spec}),
    )


def _ledger(file: Path | None, condition: dict[str, object]) -> Ledger | None:
    from fogtree.arena import Ledger

    return None if file is None else Ledger(file, condition)


def _read_test(text: str) -> SequentialTest:
    from fogtree.arena import SequentialTest

    try:
        low, high = (float(part) for part in text.split(","))
    except ValueError:
        raise OptionError(f"--sprt needs two numbers, as in 0,20, not '{text[:40]}'") from None
    return SequentialTest(low, high)


def write_games(table: Game, result: Tournament, records: Path | None, pgn: Path | None) -> None:
    """All games, once the last is over: nobody may read hidden things while they are played."""
    from fogtree.arena import with_views, write_records

    played = [record for match in result.matches for record in match.records]
    if records is not None:
        # A game of chess began at an opening, which its record names.
        game = None if table.short_name == "fog_chess" else table
        seen = (with_views(record, game) for record in played)
        write_records(records, seen if table.record_views else played)
    if pgn is not None:
        from fogtree.games.fog_chess.pgn import write_pgn_file

        write_pgn_file(pgn, played)
