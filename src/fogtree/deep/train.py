"""A whole training run: iterations, checks in between, saving, going on."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from time import monotonic, perf_counter
from typing import Any, Literal

from fogtree.deep.checkpoint import RunFolder
from fogtree.deep.config import TrainingOptions, TraversalOptions, default_options
from fogtree.deep.engine import Arena, EngineName, prepare
from fogtree.deep.fitting import Backend, NumpyBackend
from fogtree.deep.matches import WinRate, check_baselines, win_rates
from fogtree.deep.measure import RunningAverage, network_strategy
from fogtree.deep.network import Network
from fogtree.deep.pipelined import PipelinedTrainer
from fogtree.deep.policy import Policy
from fogtree.deep.training import DeepTrainer
from fogtree.deep.validator import Validation, validate
from fogtree.errors import OptionError
from fogtree.evaluate.best_response import exploitability
from fogtree.game import Game
from fogtree.solvers.driving import interruptible
from fogtree.solvers.run import Stopped
from fogtree.strategy import Strategy

Device = Literal["cpu", "gpu"]
WorkerBackend = Literal["threads", "ray"]


@dataclass(frozen=True, slots=True)
class Report:
    """One iteration. ``seconds`` is training time alone, checks left out."""

    iteration: int
    seconds: float
    nodes: int
    nodes_per_second: float  # of this iteration's walks
    losses: dict[str, float]
    filled: dict[str, float]  # share of each reservoir that holds samples
    bytes: int  # of the reservoirs
    root_value: float
    validation: Validation | None = None
    exploitability: float | None = None  # of the average strategy
    win_rates: dict[str, WinRate] = field(default_factory=dict)  # of the average strategy
    latest: dict[str, WinRate] = field(default_factory=dict)  # of the last one
    left_seconds: float | None = None

    def line(self) -> dict[str, Any]:
        """As JSON has it: nothing that was not measured."""
        out = {key: value for key, value in asdict(self).items() if value not in (None, {})}
        out.pop("left_seconds", None)
        return out


@dataclass(frozen=True, eq=False)
class TrainingRun:
    """A finished or interrupted run. ``strategy`` and ``exploitability`` only of compiled games."""

    game: str
    iterations: int
    seconds: float
    nodes: int
    stopped: Stopped
    policy: Policy
    reports: tuple[Report, ...]
    strategy: Strategy | None
    exploitability: float | None
    folder: Path | None


def make_backend(device: Device, threads: int) -> Backend:
    """NumPy on a CPU; JAX on an accelerator."""
    if device == "cpu":
        return NumpyBackend()
    if device != "gpu":
        raise OptionError(f"device must be cpu or gpu, not {device}")
    from fogtree.deep.jax_backend import JaxBackend  # noqa: PLC0415 - an optional dependency

    return JaxBackend()


def train(
    game: Game,
    options: TrainingOptions | None = None,
    *,
    folder: str | Path | None = None,
    device: Device = "cpu",
    workers: int = 1,
    backend: WorkerBackend = "threads",
    resume: bool = False,
    engine: EngineName = "native",
    watch: Callable[[Report], None] | None = None,
) -> TrainingRun:
    """Trains on a game; with a ``folder`` the run is kept there and can be resumed exactly.

    Resuming takes the options from the folder; given ones may change how long it goes on.
    """
    place = None if folder is None else RunFolder(Path(folder))
    if place is not None and place.exists and not resume:
        raise OptionError(f"'{folder}' already holds a run; resume it or choose another folder")
    if resume:
        if place is None:
            raise OptionError("resuming needs the run's folder")
        options = _resumed(place, str(game), options)
    options = options or default_options(game)
    check_baselines(game, options.evaluation.baselines)
    own = options.network.encoding == "auto"
    values = options.needs_value
    arena = prepare(game, own_features=own, engine=engine, threads=workers, values=values)
    if backend == "ray":
        arena = _on_ray(arena, workers, own_features=own)
    elif engine == "native" and _asks_device(options, device):
        arena = _on_device(arena, workers, options.traversal, accelerator=device == "gpu")
    kind = PipelinedTrainer if options.run.pipelined else DeepTrainer
    trainer = kind(
        arena, options, make_backend(device, workers), None if place is None else place.path
    )
    course = _Course(trainer, place, watch, workers)
    try:
        if resume:
            course.load()
        return course.run()
    finally:
        close = getattr(arena.engine, "close", None)
        if close is not None:
            close()


def _asks_device(options: TrainingOptions, device: Device) -> bool:
    inference = options.traversal.inference
    return inference == "device" or (inference == "auto" and device == "gpu")


def _on_device(
    arena: Arena, threads: int, options: TraversalOptions, *, accelerator: bool
) -> Arena:
    from fogtree.deep.accelerator import AcceleratorEngine  # noqa: PLC0415 - an optional dependency

    engine = AcceleratorEngine(
        arena.engine.game,
        threads,
        arena.tree,
        accelerator=accelerator,
        groups=options.device_groups,
        lanes=options.device_batch,
        precision=options.precision,
    )
    return replace(arena, engine=engine)


def _on_ray(arena: Arena, workers: int, *, own_features: bool) -> Arena:
    from fogtree.deep.ray_engine import RayEngine  # noqa: PLC0415 - an optional dependency

    return replace(arena, engine=RayEngine(arena, workers, own_features=own_features))


def _resumed(place: RunFolder, game: str, given: TrainingOptions | None) -> TrainingOptions:
    manifest = place.manifest()
    if manifest.get("game") != game:
        raise OptionError(f"'{place.path}' holds a run of {manifest.get('game')}, not of {game}")
    saved = place.options()
    if given is None:
        return saved
    for section in ("traversal", "network", "regret", "average", "value", "storage"):
        if getattr(given, section) != getattr(saved, section):
            raise OptionError(f"[{section}] is not as it was when this run began")
    same = ("seed", "average", "pipelined")
    if any(getattr(given.run, name) != getattr(saved.run, name) for name in same):
        raise OptionError(f"[run] {', '.join(same)} must be as they were when this run began")
    return given


class _Course:
    """The run in progress."""

    def __init__(
        self,
        trainer: DeepTrainer,
        place: RunFolder | None,
        watch: Callable[[Report], None] | None,
        workers: int,
    ) -> None:
        self.trainer, self.place, self.watch, self.workers = trainer, place, watch, workers
        self.options = trainer.options
        self.arena: Arena = trainer.arena
        self.game = str(trainer.arena.game)
        tree = self.arena.tree
        keep = tree is not None and self.options.evaluation.exploitability
        self.mean = RunningAverage(tree.tree) if tree is not None and keep else None
        self.lines: list[dict[str, Any]] = []
        self.reports: list[Report] = []
        self.seconds = 0.0

    def load(self) -> None:
        assert self.place is not None
        self.lines = self.place.load(self.trainer)
        self.seconds = float(self.lines[-1]["seconds"]) if self.lines else 0.0
        if self.mean is not None:
            self.mean.sums = self.place.sums(len(self.mean.sums))

    def save(self) -> float:
        if self.place is not None:
            sums = None if self.mean is None else self.mean.sums
            self.place.save(self.trainer, self.game, self.lines, sums)
        return monotonic()

    def run(self) -> TrainingRun:
        stopped: Stopped | None = None
        logging = None
        if self.place is not None:
            self.place.make()
            if self.options.run.tensorboard:
                from fogtree.deep.tensorboard import EventLog  # noqa: PLC0415 - optional

                logging = EventLog(self.place.path)
        with interruptible() as asked:
            saved = self.save()
            while stopped is None:
                stopped = self._stopped(asked())
                if stopped is not None:
                    break
                report = self._iterate()
                self.lines.append(report.line())
                self.reports.append(report)
                if self.place is not None and (report.win_rates or report.exploitability):
                    self.place.write_metrics(self.lines)
                if self.watch is not None:
                    self.watch(report)
                if logging is not None:
                    logging.write(report)
                if monotonic() - saved > self.options.run.checkpoint_seconds:
                    saved = self.save()
            self.save()
        return self._result(stopped)

    def _stopped(self, asked: Stopped | None) -> Stopped | None:
        run = self.options.run
        if asked is not None:
            return asked
        if self.trainer.iteration >= run.iterations:
            return "iterations"
        return "seconds" if run.seconds and self.seconds >= run.seconds else None

    def _iterate(self) -> Report:
        trainer, tally = self.trainer, self.trainer.tally
        nodes, walked, start = tally.nodes, tally.walk_seconds, perf_counter()
        trainer.iterate()
        if self.mean is not None and self.options.run.average == "single":
            assert self.arena.tree is not None
            played = network_strategy(self.arena.tree, trainer.strategy(), mix=False)
            power = self.options.average.weight_exponent
            self.mean.add(played, float(trainer.iteration) ** power)
        self.seconds += perf_counter() - start
        samples = trainer.samples()
        checks = self._checks()
        return Report(
            iteration=trainer.iteration,
            seconds=self.seconds,
            nodes=tally.nodes,
            nodes_per_second=(tally.nodes - nodes) / max(tally.walk_seconds - walked, 1e-9),
            losses=dict(tally.losses),
            filled={name: len(one) / one.capacity for name, one in samples.items()},
            bytes=sum(one.bytes for one in samples.values()),
            root_value=tally.root_value,
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
        if last or (interval and trainer.iteration % interval == 0):
            policy = self._keep_policies()
            if self.mean is not None:
                out["exploitability"] = self._exploitability()
            if options.evaluation.baselines:
                out["win_rates"] = self._matches(policy)
                out["latest"] = self._matches(self._latest())
        return out

    def _matches(self, policy: Policy) -> dict[str, WinRate]:
        options = self.options
        return win_rates(
            policy,
            self.arena.game,
            options.evaluation.baselines,
            games=options.evaluation.games,
            seed=options.run.seed,
            threads=self.workers,
        )

    def _keep_policies(self) -> Policy:
        policy = self._policy()
        if self.place is not None:
            policy.save(self.place.path / "policy.npz")
            self._latest().save(self.place.path / "latest.npz")
        return policy

    def _latest(self) -> Policy:
        """What was learnt last, without averaging."""
        trainer = self.trainer
        name = self.arena.game.short_name or self.game
        return Policy(name, trainer.game.players, False, (tuple(trainer.regret),), (1.0,))

    def _validate(self) -> Validation:
        trainer, options = self.trainer, self.options
        players = range(trainer.game.players)
        value = [trainer.value[trainer.owner(p)] for p in players] if trainer.value else []
        return validate(
            self.arena.engine,
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
        name, players = self.arena.game.short_name or self.game, trainer.game.players
        if self.options.run.average == "network":
            return Policy.average(name, players, trainer.fit_average())
        power = self.options.average.weight_exponent
        weights = tuple(float(t + 1) ** power for t in range(len(trainer.stored)))
        return Policy(name, players, False, tuple(trainer.stored), weights)

    def _strategy(self) -> Strategy | None:
        """The average strategy as a table: of its network, or the exact one of those stored."""
        tree = self.arena.tree
        if tree is None or self.mean is None:
            return None
        if self.options.run.average == "single":
            return self.mean.strategy()
        networks: Sequence[Network] = self.trainer.average
        players = range(self.trainer.game.players)
        return network_strategy(tree, [networks[self.trainer.owner(p)] for p in players], mix=True)

    def _exploitability(self) -> float | None:
        strategy = self._strategy()
        if strategy is None or self.arena.tree is None:
            return None
        return exploitability(self.arena.tree.tree, strategy).exploitability

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
            nodes=trainer.tally.nodes,
            stopped=stopped,
            policy=policy,
            reports=tuple(self.reports),
            strategy=strategy,
            exploitability=self._exploitability(),
            folder=folder,
        )


__all__ = ["Report", "TrainingRun", "train"]
