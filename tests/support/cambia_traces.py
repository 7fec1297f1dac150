"""600 games of an independent engine, kept in tests/games/cambia/data in a tight form.

The original writes the whole table after every step. Here a number says by how much it changed,
``null`` stands for cards that did not, and the action for its place among the legal ones.
``python -m tests.support.cambia_traces ORIGINAL.jsonl.gz`` packs them anew.
"""

from __future__ import annotations

import gzip
import json
import lzma
import sys
from pathlib import Path
from typing import Any

from tests.support.paths import ROOT

Trace = dict[str, Any]

PACKED = ROOT / "tests" / "games" / "cambia" / "data" / "traces.jsonl.xz"
_XZ = [{"id": lzma.FILTER_LZMA2, "preset": 9 | lzma.PRESET_EXTREME, "pb": 0, "lc": 4}]


def read_original(path: Path) -> list[Trace]:
    with gzip.open(path, "rt") as lines:
        return [json.loads(line) for line in lines]


def read_packed() -> list[Trace]:
    with lzma.open(PACKED, "rt") as lines:
        return [_unpacked(json.loads(line)) for line in lines]


def write_packed(traces: list[Trace]) -> None:
    text = "".join(json.dumps(_packed(t), separators=(",", ":")) + "\n" for t in traces)
    PACKED.write_bytes(lzma.compress(text.encode(), filters=_XZ))


def _first(trace: Trace) -> list[Any]:
    return [*trace["hands"], [trace["discard"]], 1, len(trace["stock"]), 0]


def _packed(trace: Trace) -> Trace:
    before, steps = _first(trace), []
    for player, phase, legal, action, hands, *rest in trace["steps"]:
        after = [*hands, *rest]
        changes = [
            new - old if isinstance(new, int) else None if new == old else new
            for old, new in zip(before, after, strict=True)
        ]
        steps.append([player, phase, legal, legal.index(action), *changes])
        before = after
    return {**trace, "steps": steps}


def _unpacked(trace: Trace) -> Trace:
    table, steps = _first(trace), []
    for player, phase, legal, place, *changes in trace["steps"]:
        table = [
            old + change if isinstance(change, int) else old if change is None else change
            for old, change in zip(table, changes, strict=True)
        ]
        steps.append([player, phase, legal, legal[place], table[:2], *table[2:]])
    return {**trace, "steps": steps}


if __name__ == "__main__":
    write_packed(read_original(Path(sys.argv[1])))
