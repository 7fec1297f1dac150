"""Tabular solvers side by side: fogtree, OpenSpiel (C++, Python, JAX) and LiteEFG.

    python benchmarks/tabular.py [--quick] [--games leduc,kuhn] [--solvers liteefg]

The peers live in an environment of their own, made on the first run. How things
are measured, and why ratios are what to read, is in docs/explanation/benchmarks.md.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from rich.console import Console

from machine import machine
from measure import FULL, QUICK, Failure, Measurement, left_out, measure_game
from peers.catalogue import SOLVERS, SolverEntry
from peers.environment import DEFAULT_FOLDER, EnvironmentFailedError, peer_python
from peers.games import GAMES
from report import Report, as_json, markdown, show


def main(arguments: Sequence[str] | None = None) -> int:
    """Run what the command line asks for; 0 unless nothing could be measured."""
    options = _parser().parse_args(arguments)
    console = Console(stderr=True)
    entries = [SOLVERS[name] for name in options.solvers]
    try:
        pythons = _pythons(entries, options.environment)
    except EnvironmentFailedError as error:
        console.print(str(error), markup=False)
        return 2
    report = _measure(options, entries, pythons, console)
    if options.json is not None:
        options.json.write_text(as_json(report))
    if options.markdown:
        print(markdown(report))
    else:
        show(report, Console(width=None if sys.stdout.isatty() else 180))
    return 0 if report.measurements else 1


def _measure(
    options: argparse.Namespace,
    entries: Sequence[SolverEntry],
    pythons: dict[str, Path],
    console: Console,
) -> Report:
    plan = QUICK if options.quick else FULL
    cores = machine()["cores"]
    measurements: list[Measurement] = []
    failures: list[Failure] = []
    with console.status("") as status:
        for name in options.games:
            game = GAMES[name]
            chosen = []
            for entry in entries:
                if left_out(entry, game, plan):
                    failures.append(Failure(entry.name, name, "left out by --quick"))
                elif entry.threads > int(cores):
                    failures.append(Failure(entry.name, name, f"needs {entry.threads} cores"))
                else:
                    chosen.append(entry)
            taken, failed = measure_game(
                game, chosen, lambda entry: pythons[entry.name], plan, status.update
            )
            measurements += taken
            failures += failed
    return Report(machine(), tuple(measurements), tuple(failures))


def _pythons(entries: Sequence[SolverEntry], folder: Path) -> dict[str, Path]:
    """Interpreter of each solver; makes the peers' environment if one of them needs it."""
    ours = Path(sys.executable)
    peers = any(entry.needs_peer_environment for entry in entries)
    theirs = peer_python(folder) if peers else ours
    return {entry.name: theirs if entry.needs_peer_environment else ours for entry in entries}


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="3 minutes instead of 25")
    parser.add_argument(
        "--games", type=_names(GAMES), default=list(GAMES), help="of " + ", ".join(GAMES)
    )
    parser.add_argument(
        "--solvers", type=_names(SOLVERS), default=list(SOLVERS), help="of " + ", ".join(SOLVERS)
    )
    parser.add_argument("--json", type=Path, metavar="FILE", help="write every number there")
    parser.add_argument("--markdown", action="store_true", help="print Markdown, for the README")
    parser.add_argument(
        "--environment",
        type=Path,
        default=Path(os.environ.get("FOGTREE_BENCHMARK_ENV", DEFAULT_FOLDER)),
        help="folder of the peers' environment (default: .benchmark-env)",
    )
    return parser


def _names(known: Iterable[str]) -> Callable[[str], list[str]]:
    """A reader of comma-separated names, all of which must be known."""

    def read(text: str) -> list[str]:
        names = [name.strip() for name in text.split(",") if name.strip()]
        unknown = [name for name in names if name not in known]
        if unknown or not names:
            choices = ", ".join(known)
            wrong = ", ".join(unknown) or "an empty list"
            raise argparse.ArgumentTypeError(f"cannot measure {wrong}; choose of {choices}")
        return names

    return read


if __name__ == "__main__":
    raise SystemExit(main())
