"""A training run in progress: iterations, evaluations in between, saving."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from time import perf_counter
from typing import TYPE_CHECKING, Any, TypeVar

from fogtree.deep.checkpoint import TrainingFolder
from fogtree.deep.evaluation import LATEST, TrainerEvaluator
from fogtree.deep.network import Network
from fogtree.deep.report import Activity, Report, TrainingRun
from fogtree.deep.trainer import Trainer
from fogtree.errors import TrainingError
from fogtree.runs.limits import Limits, Stopped
from fogtree.runs.loop import drive
from fogtree.runs.progress import Progress
from fogtree.runs.worker_thread import WorkerThread
from fogtree.system.termination import StopRequest, stop_requests

if TYPE_CHECKING:
    from fogtree.deep.tensorboard import EventLog

Result = TypeVar("Result")

METRICS_SECONDS = 2.0
"""Seconds between two writes of the metrics of a run."""


class TrainingTask:
    """A trainer on the run loop. The work is done in a thread, while the calling thread answers
    signals and calls ``pulse``; ``watch`` is called with a report after every iteration."""

    def __init__(
        self,
        trainer: Trainer,
        folder: TrainingFolder | None,
        worker: WorkerThread,
        *,
        watch: Callable[[Report], None] | None,
        pulse: Callable[[Activity], None] | None,
        workers: int,
    ) -> None:
        self.trainer, self.folder, self.worker = trainer, folder, worker
        self.watch, self._pulses = watch, pulse
        self.options = trainer.options
        self.game = str(trainer.prepared.game)
        self.evaluator = TrainerEvaluator(trainer, folder.path if folder else None, workers)
        self.lines: list[dict[str, Any]] = []
        self.reports: list[Report] = []
        self.progress = Progress()
        self._logging = self._event_log()
        self._written = -METRICS_SECONDS  # when the metrics were last due
        self._began = perf_counter()  # the current iteration
        self._before = 0, 0.0  # nodes and seconds of walking before it
        self._asked: StopRequest = lambda: None

    @property
    def iteration(self) -> int:
        """The number of iterations done."""
        return self.trainer.iteration

    def load(self) -> None:
        """Continue from the training that is saved in the folder."""
        assert self.folder is not None
        self.lines = self.folder.load_trainer(self.trainer, self.evaluator.sums)
        self.progress.seconds = float(self.lines[-1]["seconds"]) if self.lines else 0.0

    def run(self) -> TrainingRun:
        """Train until a limit is reached or a signal arrives."""
        run = self.options.run
        limits = Limits(run.iterations, seconds=run.seconds or None, every=1)
        with stop_requests() as self._asked:
            stopped = drive(
                self, limits, self.progress, self._asked, save_every=run.checkpoint_seconds
            )
            self.save()
            return self._in_worker(partial(self._result, stopped))

    def advance(self, count: int, seconds: float | None) -> None:
        """Do one iteration, however long it takes."""
        del count, seconds
        counters = self.trainer.counters
        self._began = perf_counter()
        self._before = counters.nodes, counters.walk_seconds
        self._in_worker(self._iterate)

    def pulse(self) -> None:
        """Do nothing: the caller's ``pulse`` is called during the work."""

    def check(self) -> None:
        """Evaluate and validate as often as the options say, and report the iteration."""
        report = self._in_worker(self._report)
        self.lines.append(report.line())
        self.reports.append(report)
        measured = report.win_rates or report.exploitability
        if self.folder is not None and (measured or self._metrics_due()):
            self.folder.write_metrics(self.lines)
        if self.watch is not None:
            self.watch(report)
        if self._logging is not None:
            self._logging.write(report)

    def _metrics_due(self) -> bool:
        """Whether the metrics on disk are so old that they should be written again; if so, the time
        is noted as that of the last write."""
        now = perf_counter()
        due = now - self._written > METRICS_SECONDS
        self._written = now if due else self._written
        return due

    def save(self) -> None:
        """Save the training in its folder, if it has one, from the worker thread."""
        if self.folder is not None:
            self._in_worker(partial(self._save, self.folder))

    def _save(self, folder: TrainingFolder) -> None:
        """Save the trainer, its metrics and the sums of the exact average strategy."""
        with self.trainer.counters.while_doing("saving"):
            folder.save_trainer(self.trainer, self.game, self.lines, self.evaluator.sums)

    def _in_worker(self, work: Callable[[], Result]) -> Result:
        """Run a part of an iteration in the worker thread, and answer signals meanwhile."""
        return self.worker.run(work, self._look)

    def _look(self) -> None:
        """Report the present activity to ``pulse``, and whether the run was asked to stop."""
        if self._pulses is not None:
            doing = " and ".join(self.trainer.counters.doing)
            seconds = perf_counter() - self._began
            self._pulses(Activity(self.trainer.iteration, doing, seconds, self._asked()))

    def _event_log(self) -> EventLog | None:
        """The TensorBoard log of the run, if the options ask for one."""
        if self.folder is None or not self.options.run.tensorboard:
            return None
        from fogtree.deep.tensorboard import EventLog  # noqa: PLC0415 - an optional dependency

        return EventLog(self.folder.path)

    def _iterate(self) -> None:
        """One iteration of the trainer. If training fails, the last good networks are kept in the
        folder."""
        before = list(self.trainer.current)
        try:
            self.trainer.iterate()
        except TrainingError as error:
            raise TrainingError(f"{error}{self._kept(before)}") from error
        self.evaluator.add_iteration()

    def _kept(self, good: list[Network]) -> str:
        """Keep the networks before a failed iteration in the folder; returns the words that say
        so."""
        if self.folder is None:
            return ""
        self.trainer.current = good
        networks = ""
        if good:
            self.evaluator.latest().save(self.folder.path / LATEST)
            networks = f", and {LATEST} has the last good networks"
        return f". '{self.folder.path}' is as it was last saved{networks}"

    def _report(self) -> Report:
        """The report of the iteration that has just ended."""
        trainer, counters = self.trainer, self.trainer.counters
        nodes, walked = self._before
        samples = trainer.samples()
        checks = self._checks()
        return Report(
            iteration=trainer.iteration,
            seconds=self.progress.seconds,
            nodes=counters.nodes,
            nodes_per_second=(counters.nodes - nodes) / max(counters.walk_seconds - walked, 1e-9),
            losses=dict(counters.losses),
            filled=trainer.filled(),
            bytes=sum(one.bytes for one in samples.values()),
            root_value=counters.root_value,
            left_seconds=self._left(),
            **checks,
        )

    def _left(self) -> float:
        """The estimated number of seconds until the run ends."""
        run, done, seconds = self.options.run, self.trainer.iteration, self.progress.seconds
        left = seconds / done * (run.iterations - done)
        return min(left, max(run.seconds - seconds, 0.0)) if run.seconds else left

    def _checks(self) -> dict[str, Any]:
        """The fields of a report that are measured only at some iterations."""
        trainer, options = self.trainer, self.options
        out: dict[str, Any] = {}
        every = options.validation.es_validation_interval
        if every and trainer.iteration % every == 0:
            out["validation"] = self.evaluator.validate()
        last = trainer.iteration == options.run.iterations
        interval = options.evaluation.interval
        regular = interval > 0 and trainer.iteration % interval == 0
        if last or regular:
            # A run that is continued later must not depend on where it once ended.
            before = None if regular else trainer.average_state()
            found = self.evaluator.evaluate()
            if found.exploitability is not None:
                out["exploitability"] = found.exploitability
            if options.evaluation.baselines:
                out["win_rates"] = self.evaluator.matches(found.policy)
                out["latest"] = self.evaluator.matches(self.evaluator.latest())
            if before is not None:
                trainer.set_average(before)
        return out

    def _result(self, stopped: Stopped) -> TrainingRun:
        """The result of the run, after a last evaluation."""
        trainer = self.trainer
        found = self.evaluator.evaluate()
        folder = None if self.folder is None else self.folder.path
        if folder is not None and found.strategy is not None:
            found.strategy.save(folder / "strategy.npz")
        return TrainingRun(
            game=self.game,
            iterations=trainer.iteration,
            seconds=self.progress.seconds,
            nodes=trainer.counters.nodes,
            stopped=stopped,
            policy=found.policy,
            reports=tuple(self.reports),
            strategy=found.strategy,
            exploitability=found.exploitability,
            folder=folder,
        )
