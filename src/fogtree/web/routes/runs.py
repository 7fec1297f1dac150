"""Saved runs of solvers and of training in one folder, as they are on disk now; nothing is written.

A run is a folder with ``metrics.jsonl``; see :mod:`fogtree.runs.folder`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from fogtree.runs.folder import MANIFEST, METRICS
from fogtree.web.requests import reports_errors

MOST_RUNS = 200
MOST_DEPTH = 3
MOST_LINES = 400
"""Lines of metrics that are sent; of longer files evenly spaced ones and the last."""
MOST_BYTES = 50_000_000


@reports_errors
async def _runs(request: Request) -> Response:
    folder: Path | None = request.app.state.runs
    if folder is None:
        return JSONResponse({"folder": None, "runs": []})
    return JSONResponse({"folder": folder.name, "runs": await run_in_threadpool(list_runs, folder)})


@reports_errors
async def _metrics(request: Request) -> Response:
    folder: Path | None = request.app.state.runs
    name = request.query_params.get("run", "")
    if folder is None or name not in await run_in_threadpool(_names, folder):
        return JSONResponse({"error": "there is no such run"}, 404)
    return JSONResponse({"lines": await run_in_threadpool(read_metrics, folder / name)})


ROUTES = (
    Route("/api/runs", _runs, methods=["GET"]),
    Route("/api/runs/metrics", _metrics, methods=["GET"]),
)


def list_runs(folder: Path) -> list[dict[str, Any]]:
    """What each run is, how far it is and when it last changed, the latest first."""
    rows = []
    for name in _names(folder):
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
                "game": str(manifest.get("game", "")),
                "iteration": manifest.get("iteration"),
                "changed": changed,
            }
        )
    return sorted(rows, key=lambda row: -row["changed"])


def read_metrics(path: Path) -> list[dict[str, float]]:
    """The numbers of each line of metrics; one within another has a name like ``losses.regret``."""
    try:
        if (path / METRICS).stat().st_size > MOST_BYTES:
            return []
        text = (path / METRICS).read_text(encoding="utf-8")
    except (OSError, ValueError):
        return []
    lines = text.splitlines()
    step = -(-len(lines) // MOST_LINES) or 1
    kept = lines[::-1][::step][::-1]
    return [flat for line in kept if (flat := _flat(_object(line)))]


def _names(folder: Path) -> list[str]:
    """The runs by their paths within the folder."""
    found = []
    for path in _folders(folder, MOST_DEPTH):
        if (path / METRICS).is_file():
            found.append(path.relative_to(folder).as_posix())
        if len(found) == MOST_RUNS:
            break
    return found


def _folders(folder: Path, depth: int) -> Iterator[Path]:
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


def _manifest(path: Path) -> dict[str, Any]:
    try:
        return _object((path / MANIFEST).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}


def _object(text: str) -> dict[str, Any]:
    try:
        content = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return content if isinstance(content, dict) else {}


def _flat(line: dict[str, Any], prefix: str = "") -> dict[str, float]:
    out: dict[str, float] = {}
    for key, value in line.items():
        if isinstance(value, dict):
            out |= _flat(value, f"{prefix}{key}.")
        elif type(value) in (int, float) and abs(value) < 1e300:
            out[f"{prefix}{key}"] = value
    return out
