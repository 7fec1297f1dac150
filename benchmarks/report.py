"""Shows measurements: a table on the terminal, Markdown, JSON."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from statistics import median

from rich.console import Console
from rich.table import Table

from measure import TARGETS, Failure, Measurement
from peers.catalogue import SOLVERS
from peers.games import GAMES

HEADINGS = (
    "solver",
    "it/s",
    "× best peer",
    *(f"s to {target:.0e}".replace("e-0", "e-") for target in TARGETS),
    "check",
    "build",
    "memory",
    "game's own",
    "with check",
)


@dataclass(frozen=True)
class Report:
    """All measurements of one run of the benchmark."""

    machine: dict[str, str]
    measurements: tuple[Measurement, ...]
    failures: tuple[Failure, ...]

    def of(self, game: str) -> list[Measurement]:
        """The measurements of one game, in the order of the catalogue."""
        order = list(SOLVERS)
        found = [taken for taken in self.measurements if taken.game == game]
        return sorted(found, key=lambda taken: order.index(taken.solver))

    def games(self) -> list[str]:
        """Games with at least one measurement."""
        return [name for name in GAMES if self.of(name)]

    def versions(self) -> dict[str, str]:
        """Version of every library measured."""
        return {
            name: version for taken in self.measurements for name, version in taken.versions.items()
        }


def best_peer(taken: Iterable[Measurement]) -> Measurement | None:
    """The peer with the most iterations per second."""
    peers = [each for each in taken if SOLVERS[each.solver].needs_peer_environment]
    return max(peers, key=lambda each: each.rate, default=None)


def ratio(ours: Measurement, peer: Measurement) -> float:
    """Median over the rounds of our rate divided by the peer's in the same round."""
    pairs = zip(ours.rates, peer.rates, strict=False)  # a very slow solver has fewer rounds
    return median(mine / theirs for mine, theirs in pairs)


def show(report: Report, console: Console) -> None:
    """Print a table per game, then what it ran on."""
    for game in report.games():
        table = Table(title=GAMES[game].title, title_justify="left")
        for number, heading in enumerate(HEADINGS):
            table.add_column(heading, justify="right" if number else "left")
        for row in _rows(report.of(game)):
            table.add_row(*row)
        console.print(table)
    for failure in report.failures:
        where = f"{SOLVERS[failure.solver].title}, {GAMES[failure.game].title}"
        console.print(f"Not measured: {where}: {failure.reason}", markup=False)
    console.print(_footing(report), markup=False)


def markdown(report: Report) -> str:
    """The same as Markdown."""
    lines = []
    for game in report.games():
        lines += [f"## {GAMES[game].title}", "", _line(HEADINGS)]
        lines.append(_line(["---", *["---:"] * (len(HEADINGS) - 1)]))
        lines += [*map(_line, _rows(report.of(game))), ""]
    return "\n".join([*lines, _footing(report)])


def as_json(report: Report) -> str:
    """Everything, unrounded."""
    document = asdict(report) | {
        "versions": report.versions(),
        "ratios": {
            game: {
                taken.solver: ratio(taken, peer)
                for taken in report.of(game)
                if not SOLVERS[taken.solver].needs_peer_environment
            }
            for game in report.games()
            if (peer := best_peer(report.of(game))) is not None
        },
    }
    return json.dumps(document, indent=2) + "\n"


def _rows(taken: Sequence[Measurement]) -> list[list[str]]:
    peer = best_peer(taken)
    return [_row(each, peer) for each in taken]


def _row(taken: Measurement, peer: Measurement | None) -> list[str]:
    title = SOLVERS[taken.solver].title
    if taken.precision not in title:
        title += f", {taken.precision}"
    return [
        title,
        _number(taken.rate),
        "–" if peer is None else _number(ratio(taken, peer)),
        *(_seconds_to(taken, target) for target in TARGETS),
        _duration(taken.check_seconds),
        _duration(taken.build_seconds),
        _megabytes(taken.peak),
        _megabytes(taken.own_solving),
        _megabytes(taken.own_checking),
    ]


def _footing(report: Report) -> str:
    ran_on = report.machine
    versions = ", ".join(f"{name} {version}" for name, version in report.versions().items())
    return (
        f"{ran_on['processor']}, {ran_on['cores']} cores, one thread unless said, "
        f"{ran_on['system']}, Python {ran_on['python']}; {versions}. "
        "An iteration updates both players once (CFR+); exploitability is NashConv / 2; times to "
        "it are of the best algorithm named, without checks. Memory: the most resident while "
        "solving; the private part beyond the libraries' imports; the same with a check."
    )


def _seconds_to(taken: Measurement, target: float) -> str:
    if not taken.reached:
        return "–"
    found = taken.seconds_to(target)
    if found is None:
        return f">{taken.cap:g} s"
    seconds, algorithm = found
    return f"{_duration(seconds)} {algorithm}"


def _line(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cells) + " |"


def _number(value: float) -> str:
    if value >= 100:
        return f"{value:,.0f}"
    return f"{value:.3g}"


def _duration(seconds: float) -> str:
    for scale, unit in ((1.0, "s"), (1e-3, "ms")):
        if seconds >= scale:
            return f"{seconds / scale:.3g} {unit}"
    return f"{seconds * 1e6:.3g} µs"


def _megabytes(count: int) -> str:
    return f"{_number(count / 2**20)} MB"
