"""``solve`` and ``resume``: run an algorithm until it is good enough, and lose nothing."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic, perf_counter
from typing import Any

from fogtree.errors import FileFormatError, FogtreeError, OptionError
from fogtree.evaluate import exploitability as exact_exploitability
from fogtree.game import Game
from fogtree.solvers.recipes import Averaging, Recipe, recipe
from fogtree.solvers.run import (
    Check,
    Progress,
    Run,
    Stopped,
    fingerprint,
    load_manifest,
    load_state,
    save_run,
)
from fogtree.solvers.tabular import Precision, TabularSolver
from fogtree.strategy import Strategy
from fogtree.tree import GameTree, compile

SAVE_EVERY_SECONDS = 30.0
STEP_SECONDS = 0.05  # how long the engine runs before we look at the clock and the keyboard

Watcher = Callable[[Check], None]
Pulse = Callable[[int, float], None]
Every = int | Callable[[int], int]


def solve(
    game: Game | GameTree,
    algorithm: str | Recipe = "cfr+",
    *,
    iterations: int | None = None,
    until: float | None = None,
    seconds: float | None = None,
    every: Every | None = None,
    alternating: bool | None = None,
    averaging: Averaging | None = None,
    delay: int | None = None,
    precision: Precision = "float64",
    threads: int = 1,
    save: str | Path | None = None,
    progress: Watcher | None = None,
    pulse: Pulse | None = None,
) -> Run:
    """Runs ``algorithm`` until it reaches ``iterations``, exploitability ``until`` or ``seconds``.

    The answer is measured every ``every`` iterations (default: at 1, 2, 5, 10, 20, 50, ...) and at
    the end; ``every`` may also be a function from an iteration to the next one to measure at.
    Ctrl-C ends the run early and loses nothing. With ``save`` the run is kept in that folder from
    its first moment, and :func:`resume` goes on from it. ``progress`` is called with every
    measurement, ``pulse`` many times a second with the iteration and the solving time.
    """
    row = recipe(algorithm, alternating=alternating, averaging=averaging, delay=delay)
    limits = _Limits(iterations, until, seconds, every)
    if save is not None and (Path(save) / "manifest.json").exists():
        raise OptionError(f"'{save}' already holds a run; resume it or choose another folder")
    if save is not None and (not isinstance(row.minimizer, str) or callable(every)):
        raise OptionError("a run with a minimizer or a schedule of your own cannot be saved")
    tree = game if isinstance(game, GameTree) else compile(game)
    solver = TabularSolver(tree, row, precision=precision, threads=threads)
    folder = Path(save) if save is not None else None
    return _drive(solver, limits, Progress(), folder, watcher=progress, pulse=pulse)


def resume(
    folder: str | Path,
    *,
    game: Game | GameTree | None = None,
    iterations: int | None = None,
    until: float | None = None,
    seconds: float | None = None,
    every: Every | None = None,
    progress: Watcher | None = None,
    pulse: Pulse | None = None,
) -> Run:
    """Goes on with a saved run exactly as if it had never stopped.

    ``iterations`` and ``seconds`` count from the run's beginning; if no limit is given, those of
    the saved run hold. ``game`` is needed only for games that fogtree cannot find by name.
    """
    folder = Path(folder)
    manifest = load_manifest(folder)
    goal = manifest["goal"]
    if iterations is None and until is None and seconds is None:
        iterations, until, seconds = goal["iterations"], goal["until"], goal["seconds"]
    limits = _Limits(iterations, until, seconds, goal["every"] if every is None else every)
    solver, so_far = _restored(folder, manifest, game)
    return _drive(solver, limits, so_far, folder, watcher=progress, pulse=pulse)


def saved_strategy(folder: str | Path, *, game: Game | GameTree | None = None) -> Strategy:
    """The answer of a saved run, as it stands; nothing is solved or written."""
    folder = Path(folder)
    solver, _ = _restored(folder, load_manifest(folder), game)
    return solver.strategy()


def _restored(
    folder: Path, manifest: dict[str, Any], game: Game | GameTree | None
) -> tuple[TabularSolver, Progress]:
    """A solver that stands where the saved run stood."""
    try:
        row = Recipe(
            manifest["algorithm"],
            manifest["minimizer"],
            alternating=manifest["alternating"],
            averaging=manifest["averaging"],
            delay=manifest["delay"],
            positive_exponent=float(manifest["positive_exponent"]),
            negative_exponent=float(manifest["negative_exponent"]),
        )
    except (ValueError, FogtreeError) as error:
        raise FileFormatError(f"'{folder}' does not name an algorithm that is known") from error
    if game is None:
        from fogtree.games import load_game  # noqa: PLC0415 - games are many, and imported when used

        game = load_game(manifest["game"])
    tree = game if isinstance(game, GameTree) else compile(game)
    if fingerprint(tree) != manifest["fingerprint"]:
        raise OptionError(f"'{folder}' was made with other rules of '{manifest['game']}'")
    solver = TabularSolver(tree, row, precision=manifest["precision"], threads=manifest["threads"])
    state, so_far = load_state(folder, manifest)
    solver.restore(state)
    return solver, so_far


class _Limits:
    """When to stop and when to measure."""

    def __init__(
        self,
        iterations: int | None,
        until: float | None,
        seconds: float | None,
        every: Every | None,
    ) -> None:
        if iterations is None and until is None and seconds is None:
            raise OptionError("say when to stop: iterations, until (exploitability) or seconds")
        if iterations is not None and (not isinstance(iterations, int) or iterations < 0):
            raise OptionError(f"iterations must be a whole number from 0, not {iterations}")
        if until is not None and not until >= 0:
            raise OptionError(f"until must be at least 0, not {until}")
        if seconds is not None and not seconds >= 0:
            raise OptionError(f"seconds must be at least 0, not {seconds}")
        if every is not None and not callable(every) and (not isinstance(every, int) or every < 1):
            raise OptionError(f"every must be a whole number from 1, not {every}")
        self.iterations, self.until, self.seconds, self.every = iterations, until, seconds, every

    def goal(self) -> dict[str, Any]:
        """What is saved with a run, so that it can be resumed without saying it again."""
        every = self.every if isinstance(self.every, int) else None
        limits = {"iterations": self.iterations, "until": self.until, "seconds": self.seconds}
        return {**limits, "every": every}

    def next_check(self, iteration: int) -> int:
        """The first iteration after this one at which the answer is measured."""
        if callable(self.every):
            return max(iteration + 1, self.every(iteration))
        if self.every is not None:
            return (iteration // self.every + 1) * self.every
        scale = 1
        while True:
            for step in (1, 2, 5):
                if step * scale > iteration:
                    return step * scale
            scale *= 10


@contextmanager
def _interruptible() -> Iterator[Callable[[], bool]]:
    """Turns Ctrl-C into a flag; a second one is an ordinary KeyboardInterrupt."""
    pressed = threading.Event()
    if threading.current_thread() is not threading.main_thread():
        yield pressed.is_set
        return
    before = signal.getsignal(signal.SIGINT)

    def press(number: int, frame: Any) -> None:
        if pressed.is_set():
            raise KeyboardInterrupt
        pressed.set()

    signal.signal(signal.SIGINT, press)
    try:
        yield pressed.is_set
    finally:
        signal.signal(signal.SIGINT, before)


def _drive(
    solver: TabularSolver,
    limits: _Limits,
    progress: Progress,
    folder: Path | None,
    *,
    watcher: Watcher | None,
    pulse: Pulse | None,
) -> Run:
    options = {
        "algorithm": solver.recipe.name,
        "minimizer": solver.recipe.minimizer,
        "positive_exponent": str(solver.recipe.positive_exponent),
        "negative_exponent": str(solver.recipe.negative_exponent),
        "alternating": solver.recipe.alternating,
        "averaging": solver.recipe.averaging,
        "delay": solver.recipe.delay,
        "precision": solver.precision,
        "threads": solver.threads,
        "goal": limits.goal(),
    }

    def save() -> float:
        if folder is not None:
            save_run(folder, solver.tree, options, solver.state(), progress)
        return monotonic()

    step = 1
    with _interruptible() as interrupted:
        saved = save()  # at once: a folder that cannot be written is found before the work is done
        while True:
            stopped = _stopped(solver, limits, progress, interrupted())
            if stopped is not None:
                break
            due = limits.next_check(solver.iteration)
            ends = due if limits.iterations is None else min(due, limits.iterations)
            count = min(step, ends - solver.iteration)
            start = perf_counter()
            solver.run(count)
            took = perf_counter() - start
            progress.seconds += took
            step = _next_step(step, count, took)
            if pulse is not None:
                pulse(solver.iteration, progress.seconds)
            if solver.iteration == due:
                _measure(solver, progress, watcher)
            if monotonic() - saved > SAVE_EVERY_SECONDS:
                saved = save()
        if not progress.curve or progress.curve[-1].iteration != solver.iteration:
            _measure(solver, progress, watcher)
        save()
    return _finish(solver, progress, stopped, folder)


def _stopped(
    solver: TabularSolver, limits: _Limits, progress: Progress, interrupted: bool
) -> Stopped | None:
    if interrupted:
        return "interrupted"
    if limits.iterations is not None and solver.iteration >= limits.iterations:
        return "iterations"
    if limits.seconds is not None and progress.seconds >= limits.seconds:
        return "seconds"
    if (
        limits.until is not None
        and progress.curve
        and progress.curve[-1].iteration == solver.iteration
        and progress.curve[-1].exploitability <= limits.until
    ):
        return "until"
    return None


def _next_step(step: int, count: int, took: float) -> int:
    """As many iterations as fit in STEP_SECONDS, growing at most fourfold at a time."""
    if took <= 0:
        return step * 4
    fitting = max(1, int(count * STEP_SECONDS / took))
    return min(fitting, max(step, count) * 4)


def _measure(solver: TabularSolver, progress: Progress, watcher: Watcher | None) -> None:
    start = perf_counter()
    result = solver.evaluate()
    progress.check_seconds += perf_counter() - start
    check = Check(solver.iteration, progress.seconds, result.exploitability, result.value)
    progress.curve.append(check)
    if watcher is not None:
        watcher(check)


def _finish(
    solver: TabularSolver, progress: Progress, stopped: Stopped, folder: Path | None
) -> Run:
    strategy = solver.strategy()
    exact = exact_exploitability(solver.tree, strategy)
    return Run(
        game=solver.tree.game,
        algorithm=solver.recipe.name,
        recipe=solver.recipe,
        iterations=solver.iteration,
        exploitability=exact.exploitability,
        nash_conv=exact.nash_conv,
        value=exact.value,
        strategy=strategy,
        curve=tuple(progress.curve),
        seconds=progress.seconds,
        check_seconds=progress.check_seconds,
        compile_seconds=solver.tree.seconds,
        stopped=stopped,
        precision=solver.precision,
        threads=solver.threads,
        folder=folder,
    )
