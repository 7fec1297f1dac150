"""Live bars on standard error, drawn only on a terminal."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from math import exp, log
from time import monotonic
from typing import TYPE_CHECKING

from fogtree.runs.progress import Pulse
from fogtree.terminal.console import messages
from fogtree.text.amounts import duration, rounded

if TYPE_CHECKING:
    from rich.progress import Progress

    from fogtree import Check
    from fogtree.tree import CompileProgress

PATIENCE = 1.0
"""Seconds of compiling after which its progress is shown."""


@contextmanager
def compiling(name: str) -> Iterator[Callable[[CompileProgress], None] | None]:
    """Yields a function to call with the progress of compiling a game: it shows the histories
    visited, and how many there are by estimate, if that takes long. None if there is no
    terminal."""
    console = messages()
    if not console.is_terminal:
        yield None
        return
    start = monotonic()
    status = console.status("")

    def seen(now: CompileProgress) -> None:
        """Show the progress, once compiling has taken longer than PATIENCE seconds."""
        if monotonic() - start > PATIENCE:
            status.update(
                f"compiling {name}: {now.histories:,} of about {rounded(now.expected)} histories"
            )
            status.start()

    try:
        yield seen
    finally:
        status.stop()


class Meter:
    """Estimates how far a run is from the limit that it will reach first."""

    def __init__(self, iterations: int | None, until: float | None, seconds: float | None) -> None:
        self.iterations, self.until, self.seconds = iterations, until, seconds
        self.checks: list[Check] = []

    def left(self, iteration: int, seconds: float) -> float | None:
        """Estimated seconds until the first limit is reached, by the pace so far: ``iteration``
        iterations in ``seconds``. None if nothing can be estimated."""
        guesses = []
        if self.iterations is not None and iteration > 0:
            guesses.append(seconds / iteration * max(self.iterations - iteration, 0))
        if self.seconds is not None:
            guesses.append(max(self.seconds - seconds, 0.0))
        needed = self.needed()
        if needed is not None and iteration > 0:
            guesses.append(seconds / iteration * max(needed - iteration, 0.0))
        return min(guesses, default=None)

    def needed(self) -> float | None:
        """The estimated number of iterations at which the exploitability ``until`` is reached, if
        it falls as a power of iterations; None if it cannot be estimated."""
        if not self.until or len(self.checks) < 3:
            return None
        late = self.checks[-1]
        # The slope is taken over the last factor of 8 in iterations: the curve's recent part.
        early = next(c for c in self.checks if c.iteration * 8 >= late.iteration)
        if not 0 < late.exploitability < early.exploitability:
            return None
        power = log(early.exploitability / late.exploitability) / log(
            late.iteration / early.iteration
        )
        # In logarithms: a curve that hardly falls needs more iterations than a float can count.
        far = log(late.iteration) + log(late.exploitability / self.until) / power
        return exp(far) if far < 700 else None

    def share(self, iteration: int, seconds: float) -> float:
        """The share of the run that is done, from 0 to 1, by estimate."""
        left = self.left(iteration, seconds)
        if left is None:
            return 0.0
        return seconds / (seconds + left) if seconds + left > 0 else 1.0


def line_within(parts: Sequence[tuple[int, str]], room: int) -> str:
    """Texts with ranks joined to one line of at most ``room`` characters: those with the highest
    ranks are left out until it fits or one is left."""
    kept = list(parts)
    while len(kept) > 1 and sum(len(text) + 2 for _, text in kept) - 2 > room:
        kept.remove(max(kept))
    return "  ".join(text for _, text in kept)


class SolveBar:
    """The progress bar of a solver: iteration, iterations per second, exploitability and the time
    to go. It is drawn only on a terminal."""

    def __init__(self, name: str, meter: Meter, players: int, base: Pulse | None = None) -> None:
        """``meter`` estimates the time to go, ``players`` is what NashConv is divided by, ``base``
        is where a resumed run continues (by default the beginning)."""
        self.name, self.meter, self.players = name, meter, players
        self.base = base or Pulse(0, 0.0)
        self.first: Pulse | None = None  # the first pulse: nodes are counted from it on
        self.bar: Progress | None = None

    def __enter__(self) -> SolveBar:
        console = messages()
        if console.is_terminal:
            from rich.progress import BarColumn, Progress, TextColumn

            self.bar_width = min(24, console.width // 8)
            self.shown = self.name if len(self.name) <= console.width // 3 else ""
            self.bar = Progress(
                TextColumn("{task.description}", markup=False),
                BarColumn(bar_width=self.bar_width),
                TextColumn("{task.fields[state]}", markup=False),
                console=console,
                transient=True,
            )
            self.task = self.bar.add_task(self.shown, total=1.0, state="")
            self.bar.start()
        return self

    def __exit__(self, *error: object) -> None:
        if self.bar is not None:
            self.bar.stop()

    def check(self, check: Check) -> None:
        """Note a measurement of the exploitability, to be shown at the next pulse."""
        self.meter.checks.append(check)

    def pulse(self, now: Pulse) -> None:
        """Update the bar with the present iteration, speed, exploitability and remaining time."""
        if self.bar is None:
            return
        first = self.first = self.first or now
        since = now.seconds - self.base.seconds
        pace = (now.iteration - self.base.iteration) / since if since > 0 else 0.0
        sampled = now.nodes > 0 and since > 0
        parts = [(3 if sampled else 0, f"iteration {now.iteration:,}"), (5, f"{pace:,.0f}/s")]
        if sampled:
            parts.append((1, f"{(now.nodes - first.nodes) / since / 1e6:.0f} M nodes/s"))
            parts.append((2, f"{now.infosets:,} information sets"))
        if self.meter.checks:
            last = self.meter.checks[-1].exploitability
            parts.append((0 if sampled else 1, f"exploitability {last:.3g}"))
            parts.append((6, f"(NashConv / {self.players})"))
        left = self.meter.left(now.iteration, now.seconds)
        if left is not None:
            parts.append((4, f"about {duration(left)} left"))
        room = self.bar.console.width - self.bar_width - 3
        needed = sum(len(text) + 2 for rank, text in parts if rank <= 4)
        name = "" if sampled and len(self.shown) + needed > room else self.shown
        state = line_within(parts, room - len(name))
        share = self.meter.share(now.iteration, now.seconds)
        self.bar.update(self.task, description=name, completed=share, state=state)
