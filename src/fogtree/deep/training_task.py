"""A training run in progress: iterations, evaluations in between, saving."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from time import perf_counter
from typing import TYPE_CHECKING, Any, TypeVar

from fogtree.deep.checkpoint import TrainingFolder
from fogtree.deep.engine import PreparedGame
from fogtree.deep.measure import RunningAverage, network_strategy
from fogtree.deep.network import Network
from fogtree.deep.policy import POLICY, Policy
from fogtree.deep.report import Moment, Report, TrainingRun
from fogtree.deep.training import DeepTrainer
from fogtree.deep.validator import Validation, validate
from fogtree.deep.win_rates import WinRate, win_rates
from fogtree.evaluate.best_response import exploitability
from fogtree.runs.limits import Limits, Stopped
from fogtree.runs.loop import drive
from fogtree.runs.progress import Progress
from fogtree.runs.worker_thread import WorkerThread
from fogtree.strategy import Strategy
from fogtree.system.termination import StopRequest, stop_requests

if TYPE_CHECKING:
    from fogtree.deep.tensorboard import EventLog

Result = TypeVar("Result")


class TrainingTask:
    """A trainer on the run loop. The work is done in a thread, while the calling thread answers
    signals and calls ``pulse``; ``watch`` is called with a report after every iteration."""

    def __init__(
        self,
        trainer: DeepTrainer,
        folder: TrainingFolder | None,
        worker: WorkerThread,
        *,
        watch: Callable[[Report], None] | None,
        pulse: Callable[[Moment], None] | None,
        workers: int,
    ) -> None:
        self.trainer, self.folder, self.worker, self.workers = trainer, folder, worker, workers
        self.watch, self._pulses = watch, pulse
        self.options = trainer.options
        self.prepared: PreparedGame = trainer.prepared
        self.game = str(trainer.prepared.game)
        tree = self.prepared.tree
        keep = tree is not None and self.options.evaluation.exploitability
        self.mean = RunningAverage(tree.tree) if tree is not None and keep else None
        self.lines: list[dict[str, Any]] = []
        self.reports: list[Report] = []
        self.progress = Progress()
        self._logging = self._event_log()
        self._began = perf_counter()  # the current iteration
        self._before = 0, 0.0  # nodes and seconds of walking before it
        self._asked: StopRequest = lambda: None

    @property
    def iteration(self) -> int:
        return self.trainer.iteration

    def load(self) -> None:
        """Continue from the folder."""
        assert self.folder is not None
        sums = None if self.mean is None else self.mean.sums
        self.lines = self.folder.load_trainer(self.trainer, sums)
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
        """Nothing: the watcher's ``pulse`` is called during the work."""

    def check(self) -> None:
        """Evaluate and validate as often as the options say, and report the iteration."""
        report = self._in_worker(self._report)
        self.lines.append(report.line())
        self.reports.append(report)
        if self.folder is not None and (report.win_rates or report.exploitability):
            self.folder.write_metrics(self.lines)
        if self.watch is not None:
            self.watch(report)
        if self._logging is not None:
            self._logging.write(report)

    def save(self) -> None:
        if self.folder is not None:
            self._in_worker(partial(self._save, self.folder))

    def _save(self, folder: TrainingFolder) -> None:
        sums = None if self.mean is None else self.mean.sums
        with self.trainer.counters.while_doing("saving"):
            folder.save_trainer(self.trainer, self.game, self.lines, sums)

    def _in_worker(self, work: Callable[[], Result]) -> Result:
        return self.worker.run(work, self._look)

    def _look(self) -> None:
        if self._pulses is not None:
            doing = " and ".join(self.trainer.counters.doing)
            seconds = perf_counter() - self._began
            self._pulses(Moment(self.trainer.iteration, doing, seconds, self._asked()))

    def _event_log(self) -> EventLog | None:
        if self.folder is None or not self.options.run.tensorboard:
            return None
        from fogtree.deep.tensorboard import EventLog  # noqa: PLC0415 - an optional dependency

        return EventLog(self.folder.path)

    def _iterate(self) -> None:
        trainer = self.trainer
        trainer.iterate()
        if self.mean is not None and self.options.run.average == "single":
            assert self.prepared.tree is not None
            played = network_strategy(self.prepared.tree, trainer.strategy(), mix=False)
            power = self.options.average.weight_exponent
            self.mean.add(played, float(trainer.iteration) ** power)

    def _report(self) -> Report:
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
            filled={name: len(one) / one.capacity for name, one in samples.items()},
            bytes=sum(one.bytes for one in samples.values()),
            root_value=counters.root_value,
            left_seconds=self._left(),
            **checks,
        )

    def _left(self) -> float:
        run, done, seconds = self.options.run, self.trainer.iteration, self.progress.seconds
        left = seconds / done * (run.iterations - done)
        return min(left, max(run.seconds - seconds, 0.0)) if run.seconds else left

    def _checks(self) -> dict[str, Any]:
        trainer, options = self.trainer, self.options
        out: dict[str, Any] = {}
        every = options.validation.es_validation_interval
        if every and trainer.iteration % every == 0:
            out["validation"] = self._validate()
        last = trainer.iteration == options.run.iterations
        interval = options.evaluation.interval
        regular = interval > 0 and trainer.iteration % interval == 0
        if last or regular:
            # A run that is continued later must not depend on where it once ended.
            before = None if regular else trainer.average_state()
            policy = self._keep_policies()
            if self.mean is not None:
                out["exploitability"] = self._exploitability()
            if options.evaluation.baselines:
                out["win_rates"] = self._matches(policy)
                out["latest"] = self._matches(self._latest())
            if before is not None:
                trainer.set_average(before)
        return out

    def _matches(self, policy: Policy) -> dict[str, WinRate]:
        options, support = self.options, self.prepared.support
        assert support is not None, "checked before the run"
        with self.trainer.counters.while_doing("evaluating by matches"):
            return win_rates(
                policy,
                support,
                options.evaluation.baselines,
                games=options.evaluation.games,
                seed=options.run.seed,
                threads=self.workers,
            )

    def _keep_policies(self) -> Policy:
        policy = self._policy()
        if self.folder is not None:
            policy.save(self.folder.path / POLICY)
            self._latest().save(self.folder.path / "latest.npz")
        return policy

    def _latest(self) -> Policy:
        """The last strategy, without averaging."""
        trainer = self.trainer
        name = self.prepared.game.short_name or self.game
        return Policy(name, trainer.game.players, False, (tuple(trainer.regret),), (1.0,))

    def _validate(self) -> Validation:
        trainer, options = self.trainer, self.options
        players = range(trainer.game.players)
        value = [trainer.value[trainer.owner(p)] for p in players] if trainer.value else []
        with trainer.counters.while_doing("validating"):
            return validate(
                self.prepared.engine,
                trainer.strategy(),
                value,
                depth=options.validation.es_validation_depth,
                traversals=options.validation.es_validation_traversals,
                iteration=trainer.iteration,
                seed=options.run.seed + 1,
                uniform_fallback=options.traversal.uniform_fallback,
            )

    def _policy(self) -> Policy:
        """The average strategy so far."""
        trainer = self.trainer
        name, players = self.prepared.game.short_name or self.game, trainer.game.players
        if self.options.run.average == "network":
            return Policy.average(name, players, trainer.fit_average())
        power = self.options.average.weight_exponent
        weights = tuple(float(t + 1) ** power for t in range(len(trainer.stored)))
        return Policy(name, players, False, tuple(trainer.stored), weights)

    def _strategy(self) -> Strategy | None:
        """The average strategy of a compiled game: of its network, or of the stored networks."""
        tree = self.prepared.tree
        if tree is None or self.mean is None:
            return None
        if self.options.run.average == "single":
            return self.mean.strategy()
        networks: Sequence[Network] = self.trainer.average
        players = range(self.trainer.game.players)
        return network_strategy(tree, [networks[self.trainer.owner(p)] for p in players], mix=True)

    def _exploitability(self) -> float | None:
        strategy = self._strategy()
        if strategy is None or self.prepared.tree is None:
            return None
        with self.trainer.counters.while_doing("evaluating exploitability"):
            return exploitability(self.prepared.tree.tree, strategy).exploitability

    def _result(self, stopped: Stopped) -> TrainingRun:
        trainer = self.trainer
        policy = self._keep_policies()
        folder = None if self.folder is None else self.folder.path
        strategy = self._strategy()
        if folder is not None and strategy is not None:
            strategy.save(folder / "strategy.npz")
        return TrainingRun(
            game=self.game,
            iterations=trainer.iteration,
            seconds=self.progress.seconds,
            nodes=trainer.counters.nodes,
            stopped=stopped,
            policy=policy,
            reports=tuple(self.reports),
            strategy=strategy,
            exploitability=self._exploitability(),
            folder=folder,
        )
