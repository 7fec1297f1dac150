"""A training run in progress: iterations, checks in between, saving."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from time import monotonic, perf_counter
from typing import Any, TypeVar

from fogtree.deep.checkpoint import RunFolder
from fogtree.deep.engine import PreparedGame
from fogtree.deep.measure import RunningAverage, network_strategy
from fogtree.deep.network import Network
from fogtree.deep.policy import POLICY, Policy
from fogtree.deep.report import Moment, Report, TrainingRun
from fogtree.deep.training import DeepTrainer
from fogtree.deep.validator import Validation, validate
from fogtree.deep.win_rates import WinRate, win_rates
from fogtree.deep.worker_thread import WorkerThread
from fogtree.evaluate.best_response import exploitability
from fogtree.solvers.driving import interruptible
from fogtree.solvers.run import Stopped
from fogtree.strategy import Strategy

Result = TypeVar("Result")


class TrainingLoop:
    """Runs iterations in a worker thread, while the calling thread answers signals and reports."""

    def __init__(
        self,
        trainer: DeepTrainer,
        place: RunFolder | None,
        worker: WorkerThread,
        *,
        watch: Callable[[Report], None] | None,
        pulse: Callable[[Moment], None] | None,
        workers: int,
    ) -> None:
        self.trainer, self.place, self.worker, self.workers = trainer, place, worker, workers
        self.watch, self.pulse = watch, pulse
        self.options = trainer.options
        self.prepared: PreparedGame = trainer.prepared
        self.game = str(trainer.prepared.game)
        tree = self.prepared.tree
        keep = tree is not None and self.options.evaluation.exploitability
        self.mean = RunningAverage(tree.tree) if tree is not None and keep else None
        self.lines: list[dict[str, Any]] = []
        self.reports: list[Report] = []
        self.seconds = 0.0
        self.began = perf_counter()  # the present iteration
        self.asked: Callable[[], Stopped | None] = lambda: None

    def load(self) -> None:
        assert self.place is not None
        self.lines = self.place.load(self.trainer)
        self.seconds = float(self.lines[-1]["seconds"]) if self.lines else 0.0
        if self.mean is not None:
            self.mean.sums = self.place.sums(len(self.mean.sums))

    def save(self) -> float:
        if self.place is not None:
            sums = None if self.mean is None else self.mean.sums
            with self.trainer.counters.while_doing("saving"):
                self.place.save(self.trainer, self.game, self.lines, sums)
        return monotonic()

    def _in_worker(self, work: Callable[[], Result]) -> Result:
        return self.worker.run(work, self._look)

    def _look(self) -> None:
        if self.pulse is not None:
            doing = " and ".join(self.trainer.counters.doing)
            seconds = perf_counter() - self.began
            self.pulse(Moment(self.trainer.iteration, doing, seconds, self.asked()))

    def run(self) -> TrainingRun:
        stopped: Stopped | None = None
        logging = None
        if self.place is not None:
            self.place.make()
            if self.options.run.tensorboard:
                from fogtree.deep.tensorboard import EventLog  # noqa: PLC0415 - optional

                logging = EventLog(self.place.path)
        with interruptible() as self.asked:
            saved = self._in_worker(self.save)
            while stopped is None:
                stopped = self._stopped(self.asked())
                if stopped is not None:
                    break
                self.began = perf_counter()
                report = self._in_worker(self._iterate)
                self.lines.append(report.line())
                self.reports.append(report)
                if self.place is not None and (report.win_rates or report.exploitability):
                    self.place.write_metrics(self.lines)
                if self.watch is not None:
                    self.watch(report)
                if logging is not None:
                    logging.write(report)
                if monotonic() - saved > self.options.run.checkpoint_seconds:
                    saved = self._in_worker(self.save)
            self._in_worker(self.save)
            return self._in_worker(partial(self._result, stopped))

    def _stopped(self, asked: Stopped | None) -> Stopped | None:
        run = self.options.run
        if asked is not None:
            return asked
        if self.trainer.iteration >= run.iterations:
            return "iterations"
        return "seconds" if run.seconds and self.seconds >= run.seconds else None

    def _iterate(self) -> Report:
        trainer, counters = self.trainer, self.trainer.counters
        nodes, walked, start = counters.nodes, counters.walk_seconds, perf_counter()
        trainer.iterate()
        if self.mean is not None and self.options.run.average == "single":
            assert self.prepared.tree is not None
            played = network_strategy(self.prepared.tree, trainer.strategy(), mix=False)
            power = self.options.average.weight_exponent
            self.mean.add(played, float(trainer.iteration) ** power)
        self.seconds += perf_counter() - start
        samples = trainer.samples()
        checks = self._checks()
        return Report(
            iteration=trainer.iteration,
            seconds=self.seconds,
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
        run, done = self.options.run, self.trainer.iteration
        left = self.seconds / done * (run.iterations - done)
        return min(left, max(run.seconds - self.seconds, 0.0)) if run.seconds else left

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
            # A run that is made longer must not see that it was once to end here.
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
        if self.place is not None:
            policy.save(self.place.path / POLICY)
            self._latest().save(self.place.path / "latest.npz")
        return policy

    def _latest(self) -> Policy:
        """What was learnt last, without averaging."""
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
        """The average strategy as a table: of its network, or the exact one of those stored."""
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
        folder = None if self.place is None else self.place.path
        strategy = self._strategy()
        if folder is not None and strategy is not None:
            strategy.save(folder / "strategy.npz")
        return TrainingRun(
            game=self.game,
            iterations=trainer.iteration,
            seconds=self.seconds,
            nodes=trainer.counters.nodes,
            stopped=stopped,
            policy=policy,
            reports=tuple(self.reports),
            strategy=strategy,
            exploitability=self._exploitability(),
            folder=folder,
        )
