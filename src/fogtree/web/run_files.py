"""Saved runs of solvers and of training in one folder, as they are on disk now; nothing is written.

A run is a folder with ``metrics.jsonl``; see :mod:`fogtree.runs.folder`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from os import SEEK_END
from pathlib import Path
from typing import Any

from fogtree.deep.policy import POLICY
from fogtree.errors import FileFormatError
from fogtree.runs.folder import MANIFEST, MANIFEST_BYTES, METRICS
from fogtree.system.file_reader import open_file, read_text
from fogtree.system.path_lock import in_use

MOST_RUNS = 200
MOST_DEPTH = 3
"""Levels of folders below that of the server in which runs are looked for."""
MOST_LINES = 400
"""Lines of metrics that are sent; of longer files evenly spaced ones and the last."""
MOST_BYTES = 50_000_000
"""Size of a file of metrics; a larger one is not read."""
LONGEST_LINE = 20_000
"""Bytes at the end of the metrics in which the last line is looked for."""


def list_runs(folder: Path) -> list[dict[str, Any]]:
    """All runs in a folder as JSON rows: what each is, which agent plays what it has learnt, how
    far it is and when it last changed; the latest first."""
    rows = []
    for name in run_names(folder):
        path = folder / name
        manifest = _manifest(path)
        try:
            changed = (path / METRICS).stat().st_mtime
        except OSError:
            continue
        rows.append(
            {
                "name": name,
                "kind": str(manifest.get("fogtree", "")),
                "agent": _agent(path, name, manifest),
                "game": str(manifest.get("game", "")),
                "iteration": _last_line(path).get("iteration", manifest.get("iteration")),
                "changed": changed,
                "running": in_use(path),
            }
        )
    return sorted(rows, key=lambda row: -row["changed"])


def read_metrics(path: Path) -> list[dict[str, float]]:
    """The numbers of each line of a run's metrics by name, at most MOST_LINES of them; a
    nested number has a name like ``losses.regret``."""
    try:
        text = read_text(path / METRICS, MOST_BYTES)
    except FileFormatError:
        return []
    lines = text.splitlines()
    step = -(-len(lines) // MOST_LINES) or 1
    kept = lines[::-1][::step][::-1]
    return [flat for line in kept if (flat := _flat(_object(line)))]


def run_names(folder: Path) -> list[str]:
    """The runs by their paths within the folder."""
    found = []
    for path in _folders(folder, MOST_DEPTH):
        if (path / METRICS).is_file():
            found.append(path.relative_to(folder).as_posix())
        if len(found) == MOST_RUNS:
            break
    return found


def _folders(folder: Path, depth: int) -> Iterator[Path]:
    """A folder and those inside it, down to a depth; hidden ones and links are left out."""
    yield folder
    if depth == 0:
        return
    try:
        inner = sorted(p for p in folder.iterdir() if p.is_dir() and not p.is_symlink())
    except OSError:
        return
    for path in inner:
        if not path.name.startswith("."):
            yield from _folders(path, depth - 1)


def _last_line(path: Path) -> dict[str, Any]:
    """The last whole line of a run's metrics."""
    try:
        with open_file(path / METRICS) as file:
            file.seek(max(0, file.seek(0, SEEK_END) - LONGEST_LINE))
            lines = file.read(LONGEST_LINE).decode("utf-8", errors="replace").splitlines()
    except FileFormatError:
        return {}
    return next((found for line in lines[::-1] if (found := _object(line))), {})


def _agent(path: Path, name: str, manifest: dict[str, Any]) -> str | None:
    """The agent that plays what a run has learnt, such as ``deep:RUN``; None if there is none:
    training has not written networks yet, or a game was sampled without compiling it."""
    if manifest.get("fogtree") == "training" and (path / POLICY).is_file():
        return f"deep:{name}"
    if manifest.get("fogtree") == "run" and not manifest.get("table"):
        return f"tabular:{name}"
    return None


def _manifest(path: Path) -> dict[str, Any]:
    """A run's manifest; empty if it cannot be read."""
    try:
        return _object(read_text(path / MANIFEST, MANIFEST_BYTES))
    except FileFormatError:
        return {}


def _object(text: str) -> dict[str, Any]:
    """The JSON object of a text; empty if it is none."""
    try:
        content = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return content if isinstance(content, dict) else {}


def _flat(line: dict[str, Any], prefix: str = "") -> dict[str, float]:
    """The numbers of nested tables as one table, with names like ``losses.regret``."""
    out: dict[str, float] = {}
    for key, value in line.items():
        if isinstance(value, dict):
            out |= _flat(value, f"{prefix}{key}.")
        elif type(value) in (int, float) and abs(value) < 1e300:
            out[f"{prefix}{key}"] = value
    return out
