"""Strategies as files: compact binary, JSON or CSV."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from fogtree.errors import FileFormatError, FogtreeError, OptionError, require
from fogtree.strategy.complete import Strategy
from fogtree.system.file_reader import read_text
from fogtree.system.files import write_text
from fogtree.tree import GameTree

FORMATS = ("json", "csv", "npz")
COLUMNS = ("infoset", "player", "action", "probability")


def format_of(path: Path) -> str:
    """The format that a file's ending names; without an ending it is binary."""
    ending = path.suffix.lower().lstrip(".")
    if ending and ending not in FORMATS:
        known = ", ".join(f".{kind}" for kind in FORMATS)
        raise OptionError(f"'{path}': a strategy's file ends in one of {known}, or has no ending")
    return ending or "npz"


def write_strategy(strategy: Strategy, path: str | Path, format: str | None = None) -> Path:
    """Write a strategy as ``npz`` (compact binary), ``json`` or ``csv``, by default as the path's
    ending says. The file appears only when it is complete; ``load_strategy`` reads it.

    >>> import fogtree, tempfile
    >>> tree = fogtree.compile("kuhn_poker")
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = fogtree.write_strategy(fogtree.Strategy.uniform(tree), f"{folder}/uniform.csv")
    ...     print(file.read_text().splitlines()[1])
    J,0,check,0.5
    """
    require(strategy, Strategy, "a strategy")
    path = Path(path)
    kind = format_of(path) if format is None else format
    if kind not in FORMATS:
        raise OptionError(f"format must be one of {', '.join(FORMATS)}, not {kind!r:.40}")
    if kind == "npz":
        return strategy.save(path)
    write_text(path, _as_json(strategy) if kind == "json" else _as_csv(strategy))
    return path


def _as_json(strategy: Strategy) -> str:
    """A JSON object with the game's name, and the mixes by information set and action."""
    return json.dumps({"game": strategy.game, "strategy": strategy.to_dict()}, indent=1) + "\n"


def _as_csv(strategy: Strategy) -> str:
    """A row per action of every information set, below the names of the columns."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    for row in strategy.rows():
        writer.writerow([row[column] for column in COLUMNS])
    return out.getvalue()


def read_csv(path: Path, tree: GameTree) -> Strategy:
    """The strategy of a CSV file with a row for every action of every information set. Its columns
    are those that :func:`write_strategy` writes, in any order; ``player`` may be missing."""
    try:
        return Strategy.from_rows(tree, _rows(path))
    except FileFormatError:
        raise
    except FogtreeError as error:
        raise FileFormatError(f"'{path}': {error}") from None


def _rows(path: Path) -> Iterator[Mapping[str, Any]]:
    """The rows of a CSV file below its header, each by the names of the columns, with the
    probability as a number; an error names the line."""
    reader = csv.reader(io.StringIO(read_text(path), newline=""), strict=True)
    try:
        header = next(reader, [])
        if not {"infoset", "action", "probability"} <= set(header):
            raise FileFormatError(f"'{path}' must have columns infoset, action and probability")
        for cells in reader:
            if len(cells) != len(header):
                problem = f"{len(cells)} cells under {len(header)} names of columns"
                raise FileFormatError(f"'{path}', line {reader.line_num}: {problem}")
            row: dict[str, Any] = dict(zip(header, cells, strict=True))
            try:
                row["probability"] = float(row["probability"])
            except ValueError:
                found = row["probability"]
                raise FileFormatError(
                    f"'{path}', line {reader.line_num}: probability must be a number, "
                    f"not {found!r:.40}"
                ) from None
            yield row
    except csv.Error as error:
        raise FileFormatError(f"'{path}', line {reader.line_num}: {error}") from None
