"""Monte Carlo samplers side by side: fogtree, OpenSpiel's C++ and LiteEFG, on one machine in turn.

    python benchmarks/sampling.py [--quick] [--json FILE]

A node is a history that a walk stands at, counted every time: chance, decisions and ends. An
iteration is one walk for each player. OpenSpiel and LiteEFG do not count nodes; theirs are those
that fogtree's sampler of the same name visits in as many iterations from the start, the same walk
with the same probabilities (LiteEFG explores a little differently in outcome sampling).
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median

from rich.console import Console
from rich.table import Table

from machine import machine
from peers.catalogue import SAMPLERS
from peers.environment import DEFAULT_FOLDER, EnvironmentFailedError, peer_python
from peers.games import GAMES
from peers.session import WorkerError, WorkerSession

OURS = "fogtree-sampled"
PAIR = "fogtree-sampled-2"
PEER = "openspiel-sampled"
TARGET = 0.03
TARGET_GAME = "liars_dice"


@dataclass(frozen=True)
class Plan:
    rounds: int
    window: float
    cap: float


QUICK = Plan(rounds=3, window=0.5, cap=10.0)
FULL = Plan(rounds=7, window=1.0, cap=60.0)


@dataclass(frozen=True)
class Pace:
    """One solver, game and algorithm. ``rates`` are nodes per second, one number per round."""

    solver: str
    game: str
    algorithm: str
    nodes_per_iteration: float
    rates: tuple[float, ...]

    @property
    def rate(self) -> float:
        return median(self.rates)


@dataclass(frozen=True)
class Arrival:
    """Seconds of sampling until the exploitability; ``None``: not within the cap."""

    solver: str
    seconds: float | None
    cap: float


@dataclass(frozen=True)
class Report:
    machine: dict[str, str]
    versions: dict[str, str]
    paces: tuple[Pace, ...]
    arrivals: tuple[Arrival, ...]
    failures: tuple[str, ...]

    def ratio(self, solver: str, other: str, game: str, algorithm: str) -> float | None:
        """Median over the rounds of one solver's rate divided by the other's in the same round."""
        found = {p.solver: p for p in self.paces if (p.game, p.algorithm) == (game, algorithm)}
        if solver not in found or other not in found:
            return None
        pairs = zip(found[solver].rates, found[other].rates, strict=True)
        return median(mine / theirs for mine, theirs in pairs)


def main(arguments: Sequence[str] | None = None) -> int:
    options = _parser().parse_args(arguments)
    plan = QUICK if options.quick else FULL
    try:
        theirs = peer_python(options.environment)
    except EnvironmentFailedError as error:
        print(error, file=sys.stderr)
        return 2
    report = _measure(plan, theirs)
    if options.json is not None:
        document = asdict(report) | {"ratios": _ratios(report)}
        options.json.write_text(json.dumps(document, indent=2) + "\n")
    show(report, Console(width=None if sys.stdout.isatty() else 140))
    return 0 if report.paces else 1


def _measure(plan: Plan, theirs: Path) -> Report:
    paces: list[Pace] = []
    arrivals: list[Arrival] = []
    failures: list[str] = []
    versions: dict[str, str] = {}
    for game in ("leduc", TARGET_GAME):
        sessions: dict[str, WorkerSession] = {}
        for name, entry in SAMPLERS.items():
            python = theirs if entry.needs_peer_environment else Path(sys.executable)
            try:
                sessions[name] = WorkerSession(entry, game, python)
                versions |= sessions[name].ask("build")["versions"]
            except WorkerError as error:
                sessions.pop(name, None)
                failures.append(f"{entry.title}, {GAMES[game].title}: {error}")
        for algorithm in ("external", "outcome"):
            paces += _paces(sessions, game, algorithm, plan)
        if game == TARGET_GAME:
            arrivals += [_arrival(name, session, plan) for name, session in sessions.items()]
        for session in sessions.values():
            session.close()
    return Report(machine(), versions, tuple(paces), tuple(arrivals), tuple(failures))


def _paces(sessions: dict[str, WorkerSession], game: str, algorithm: str, plan: Plan) -> list[Pace]:
    """Measure all solvers on a game, window by window in turn, so that what else the machine does
    hits all alike."""
    windows: dict[str, list[tuple[int, float]]] = {name: [] for name in sessions}
    for session in sessions.values():
        session.ask("start", algorithm=algorithm)
        session.ask("window", seconds=plan.window / 4)  # warm up
    for _ in range(plan.rounds):
        for name, session in sessions.items():
            done = session.ask("window", seconds=plan.window)
            windows[name].append((done["iterations"], done["seconds"]))
    out = []
    for name, taken in windows.items():
        total = sum(iterations for iterations, _ in taken)
        counted = sessions[OURS].ask("count", algorithm=algorithm, iterations=total)
        each = counted["nodes"] / counted["iterations"]
        rates = tuple(each * iterations / seconds for iterations, seconds in taken)
        out.append(Pace(name, game, algorithm, each, rates))
    return out


def _arrival(name: str, session: WorkerSession, plan: Plan) -> Arrival:
    done = session.ask("reach", algorithm="external", targets=[TARGET], cap=plan.cap)
    return Arrival(name, done["reached"].get(str(TARGET)), plan.cap)


def _ratios(report: Report) -> dict[str, dict[str, float | None]]:
    cases = dict.fromkeys((pace.game, pace.algorithm) for pace in report.paces)
    return {
        f"{game} {algorithm}": {
            "one thread / OpenSpiel": report.ratio(OURS, PEER, game, algorithm),
            "one thread / LiteEFG": report.ratio(OURS, "liteefg-sampled", game, algorithm),
            "two threads / one thread": report.ratio(PAIR, OURS, game, algorithm),
        }
        for game, algorithm in cases
    }


def show(report: Report, console: Console) -> None:
    table = Table(box=None, pad_edge=False, header_style="bold", padding=(0, 2, 0, 0))
    headings = ("game", "sampler", "solver", "M nodes/s", "x OpenSpiel", "nodes/iteration")
    for number, heading in enumerate(headings):
        table.add_column(heading, justify="left" if number < 3 else "right")
    for pace in report.paces:
        ratio = report.ratio(pace.solver, PEER, pace.game, pace.algorithm)
        table.add_row(
            GAMES[pace.game].title,
            pace.algorithm,
            SAMPLERS[pace.solver].title,
            f"{pace.rate / 1e6:.3g}",
            "-" if ratio is None else f"{ratio:.3g}",
            f"{pace.nodes_per_iteration:.1f}",
        )
    console.print(table)
    for case, ratios in _ratios(report).items():
        told = [f"{name} {value:.3g}" for name, value in ratios.items() if value is not None]
        console.print(f"{case}: " + ", ".join(told))
    for arrival in report.arrivals:
        taken = f"{arrival.seconds:.3g} s" if arrival.seconds else f"more than {arrival.cap:g} s"
        title = SAMPLERS[arrival.solver].title
        console.print(f"{GAMES[TARGET_GAME].title}, exploitability {TARGET}: {title} {taken}")
    for failure in report.failures:
        console.print(f"Not measured: {failure}", markup=False)
    versions = ", ".join(f"{name} {number}" for name, number in report.versions.items())
    ran_on = report.machine
    console.print(f"{ran_on['processor']}, {ran_on['cores']} cores, {ran_on['system']}; {versions}")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="half a minute instead of some")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write every number there")
    parser.add_argument(
        "--environment",
        type=Path,
        default=Path(os.environ.get("FOGTREE_BENCHMARK_ENV", DEFAULT_FOLDER)),
        help="folder of the peers' environment (default: .benchmark-env)",
    )
    return parser


if __name__ == "__main__":
    raise SystemExit(main())
