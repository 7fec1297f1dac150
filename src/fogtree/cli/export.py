"""Strategies as files: compact binary, JSON, or CSV."""

from __future__ import annotations

import csv
import io
import json
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING

from fogtree.errors import OptionError

if TYPE_CHECKING:
    from fogtree import Strategy


class Format(StrEnum):
    json = "json"
    csv = "csv"
    npz = "npz"


def format_of(path: Path) -> Format:
    """The format that a file's ending names; without an ending it is binary."""
    ending = path.suffix.lower().lstrip(".")
    if ending and ending not in list(Format):
        known = ", ".join(f".{kind}" for kind in Format)
        raise OptionError(f"'{path}': a strategy's file ends in one of {known}, or has no ending")
    return Format(ending or "npz")


def write_strategy(strategy: Strategy, path: Path, kind: Format | None = None) -> None:
    """Write a strategy; the file appears only when it is complete."""
    from fogtree.system.files import write_text

    kind = kind or format_of(path)
    if kind is Format.npz:
        strategy.save(path)
        return
    write_text(path, as_json(strategy) if kind is Format.json else as_csv(strategy))


def as_json(strategy: Strategy) -> str:
    return json.dumps({"game": strategy.game, "strategy": strategy.to_dict()}, indent=1) + "\n"


def as_csv(strategy: Strategy) -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["infoset", "player", "action", "probability"])
    for row in strategy.rows():
        writer.writerow([*row.values()])
    return out.getvalue()
