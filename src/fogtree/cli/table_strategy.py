"""``strategy show`` of a table: a strategy whose game was sampled without being compiled."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fogtree.errors import OptionError
from fogtree.registry import load_game
from fogtree.terminal.console import output, print_json
from fogtree.terminal.inputs import find_named_game
from fogtree.terminal.strategy_rows import rows_to_show

if TYPE_CHECKING:
    from fogtree.evaluate import InfosetReport

_GAMES = 2000  # played to find out which information sets occur


def is_table(source: Path) -> bool:
    """Whether a file holds a sampled strategy of a game that was not compiled."""
    from fogtree.strategy.hashed import KIND
    from fogtree.system.archives import archive_kind

    return archive_kind(source) == KIND


def show_table(
    source: Path, name: str | None, *, top: int | None, min_reach: float, digits: int, json: bool
) -> None:
    """Print the information sets that occur most often in games played by a sampled strategy.
    ``name`` is the game, by default the one that the file names."""
    from fogtree.evaluate.table_inspection import inspect_table
    from fogtree.strategy.hashed import HashedStrategy

    strategy = HashedStrategy.load(source)
    game = find_named_game(strategy.game, source) if name is None else load_game(name)
    if str(game) != strategy.game:
        raise OptionError(f"'{source}' is for '{strategy.game}', not for '{game}'")
    reports = inspect_table(game, strategy, games=_GAMES)
    least = 0.0 if math.isnan(min_reach) else min_reach
    shown = rows_to_show(
        reports, top=len(reports) if json and top is None else top, min_reach=least
    )
    if json:
        rows = [infoset_row(report) for report in shown.reports]
        found = {"met": shown.total, "games": _GAMES, "total": len(strategy)}
        print_json({"game": strategy.game, "infosets": rows, **found})
        return
    from fogtree.cli.tables import StrategyTable

    console = output()
    console.print(StrategyTable(shown.reports, digits))
    console.print(
        f"Beside each action: its probability. {_GAMES:,} games by this strategy came to "
        f"{shown.total:,} information sets; the table has {len(strategy):,}. reach: the share of "
        "these games that came there. value: the mean of what the player got in them.",
        style="dim",
    )


def infoset_row(report: InfosetReport) -> dict[str, Any]:
    """One information set as a JSON object."""
    values = report.values or (None,) * len(report.actions)
    return {
        "infoset": report.name,
        "player": report.player,
        "reach": report.reach,
        "value": report.expected_value,
        "actions": {
            action: {"probability": share, "value": value}
            for action, share, value in zip(
                report.actions, report.probabilities, values, strict=True
            )
        },
    }
