"""A training run in a folder: it can be killed and continued, and ends with a network.

Beside the files of every run (see :mod:`fogtree.runs.folder`) the folder then has ``net.fognet``
and ``net.json``, which says what the network was made of and how well it fits.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from msgspec import Struct, structs, to_builtins
from numpy.typing import NDArray

from fogtree.errors import FileFormatError, FogtreeError, OptionError
from fogtree.games.fog_chess.evaluators import native_net
from fogtree.games.fog_chess.network.check import check_net
from fogtree.games.fog_chess.network.file import net_sha256, write_net
from fogtree.games.fog_chess.network.net import FogNet
from fogtree.games.fog_chess.training.fit import Fitter
from fogtree.games.fog_chess.training.options import TrainOptions
from fogtree.games.fog_chess.training.rows import position_of, unpacked
from fogtree.games.fog_chess.training.shards import check_options
from fogtree.games.fog_chess.training.targets import (
    TARGETS,
    DataFacts,
    Examples,
    TrainingData,
    load_data,
)
from fogtree.runs.folder import RunFolder, state_name
from fogtree.runs.limits import Limits, Stopped
from fogtree.runs.loop import drive
from fogtree.runs.manifest import Manifest, Seconds
from fogtree.runs.progress import Progress
from fogtree.system.archives import read_arrays, write_arrays
from fogtree.system.files import write_text
from fogtree.system.records import read_record
from fogtree.system.termination import stop_requests
from fogtree.text.validation import Count, Finite

NETWORK, REPORT = "net.fognet", "net.json"
_STATE = "chess-net-state"
CHECKS = 20
"""Measurements on the held-out games during a run."""
COMPARED = 500
"""Held-out positions on which the native inference is compared with JAX."""
MOST_DIFFERENCE = 0.02
"""The largest difference of a value that rounding explains."""


class _StateHeader(Struct):
    """What a saved state has beside the network: the sum of losses since the last measurement, and
    of how many steps it is."""

    total: Finite
    steps: Count


class NetManifest(Manifest, kw_only=True, tag="chess-net"):
    """The manifest of a run: options, data and progress."""

    progress = (*Manifest.progress, "seconds")

    options: TrainOptions
    start_sha256: str
    """The hash of the network that training started from."""
    data: DataFacts
    seconds: Seconds = 0.0


class Losses(Struct, kw_only=True):
    """One line of metrics: mean squared errors on the held-out games after some steps."""

    step: int
    seconds: float
    loss: float | None  # of the fitted rows since the last line
    held_out: float  # the mix
    targets: dict[str, float | None]  # every target by itself


@dataclass(frozen=True, slots=True)
class NetRun:
    """A run that has ended, with what its ``net.json`` says; ``report`` is empty if it was
    interrupted."""

    folder: Path
    stopped: Stopped
    report: dict[str, Any]


def train_net(
    data: Sequence[Path],
    options: TrainOptions,
    folder: Path,
    *,
    accelerator: bool = False,
    seconds: float | None = None,
    watch: Callable[[int], None] = lambda step: None,
) -> NetRun:
    """Train a network on the data folders, or continue the run in the folder.

    Training ends after the steps of the options or after ``seconds`` in all, those of a continued
    run included; then the network and its report are written. A run that is interrupted is only
    saved. ``watch`` is called with the number of steps done.
    """
    run = RunFolder(folder, NetManifest)
    loaded = load_data(
        data, options.mix, played_weight=options.played_weight, held_out=options.held_out
    )
    start = options.first_network()
    manifest = NetManifest(
        game="fog_chess",
        state=state_name(0),
        iteration=0,
        options=options,
        start_sha256=net_sha256(start),
        data=loaded.facts,
    )
    begun = run.exists
    if begun:
        _check_same(run, manifest)
    fitter = Fitter(options, start, loaded.fitted, accelerator=accelerator)
    with run.lock_saved() if begun else run.lock_new():
        task = NetTask(run, manifest, fitter, loaded, watch)
        if begun:
            task.load(run.manifest())
        every = max(1, options.steps // CHECKS)
        limits = Limits(options.steps, seconds=seconds, every=every)
        with stop_requests() as asked:
            stopped = drive(task, limits, task.progress, asked)
            task.save()
        if stopped in ("interrupted", "terminated"):
            return NetRun(folder, stopped, {})
        return NetRun(folder, stopped, task.finish())


class NetTask:
    """A training run as the run loop drives it: it fits, measures, saves, and writes the
    network."""

    def __init__(
        self,
        folder: RunFolder[NetManifest],
        manifest: NetManifest,
        fitter: Fitter,
        data: TrainingData,
        watch: Callable[[int], None],
    ) -> None:
        self.folder, self.fitter, self.data, self._watch = folder, fitter, data, watch
        self.progress = Progress()
        self._manifest = manifest
        self.lines: list[Losses] = []
        self._total, self._steps = 0.0, 0

    @property
    def iteration(self) -> int:
        """The number of steps done."""
        return self.fitter.step

    def load(self, manifest: NetManifest) -> None:
        """Continue from the run that is saved in the folder."""
        path = self.folder.state_path(manifest)
        content, arrays = read_arrays(path, _STATE)
        self.folder.check_unchanged(content)
        header = read_record(content, _StateHeader, f"'{path}'")
        try:
            self.fitter.restore(arrays)
        except FileFormatError as error:
            raise FileFormatError(f"'{path}' is damaged: {error}") from error
        self._total, self._steps = header.total, header.steps
        self.progress.seconds = manifest.seconds
        self.lines = [
            line for line in self.folder.metrics(Losses) if line.step <= manifest.iteration
        ]

    def advance(self, count: int, seconds: float | None) -> None:
        """Do some steps of fitting; the first call also measures the untrained network."""
        del seconds
        if not self.lines:
            self.check()
        self._total += self.fitter.advance(count) * count
        self._steps += count

    def pulse(self) -> None:
        """Report the number of steps done."""
        self._watch(self.iteration)

    def check(self) -> None:
        """Measure the network on the held-out games."""
        self._measure(self._total / self._steps if self._steps else None)
        self._total, self._steps = 0.0, 0

    def save(self) -> None:
        """Write the fitter's state, the metrics and the manifest to the folder."""
        manifest = structs.replace(
            self._manifest,
            state=state_name(self.iteration),
            iteration=self.iteration,
            seconds=self.progress.seconds,
        )
        more = {"total": self._total, "steps": self._steps}

        def write(path: Path, header: dict[str, Any]) -> None:
            """Write the file of the state, with the sum of losses added to its header."""
            write_arrays(path, _STATE, header | more, self.fitter.arrays(), compressed=False)

        self.folder.save(manifest, write, self.lines)

    def finish(self) -> dict[str, Any]:
        """Write the network and its report; returns the report."""
        facts, options = self.data.facts, self.fitter.options
        if not self.lines or self.lines[-1].step != self.iteration:
            self.check()
            self.save()
        net = self.fitter.network(
            f"Trained by fogtree chess train-net: {facts.rows:,} rows of {facts.games:,} games, "
            f"{self.iteration:,} steps of {options.batch:,}, seed {options.seed}"
        )
        report = {
            "fogtree": "chess-net-report",
            "version": 1,
            "sha256": net_sha256(net),
            "steps": self.iteration,
            "seconds": round(self.progress.seconds, 1),
            "options": to_builtins(options),
            "start_sha256": self._manifest.start_sha256,
            "data": to_builtins(facts),
            "fitted_rows": len(self.data.fitted),
            "held_out_rows": len(self.data.held_out),
            "before": to_builtins(self.lines[0]),
            "after": to_builtins(self.lines[-1]),
            "native": compare(self.fitter, net, self.data.held_out),
        }
        write_net(net, self.folder.path / NETWORK)
        write_text(self.folder.path / REPORT, json.dumps(report, indent=2) + "\n")
        return report

    def _measure(self, loss: float | None) -> None:
        """Add a line of metrics: the present network's errors on the held-out games."""
        found = losses(self.fitter.values(self.data.held_out.boards), self.data.held_out)
        mixed = found.pop("mix")
        assert mixed is not None
        self.lines.append(
            Losses(
                step=self.iteration,
                seconds=round(self.progress.seconds, 3),
                loss=loss,
                held_out=mixed,
                targets=found,
            )
        )


def losses(found: NDArray[np.float32], examples: Examples) -> dict[str, float | None]:
    """Mean squared errors of values to the mix and to every target; None where none is known."""

    def error(wanted: NDArray[np.float32], weights: NDArray[np.float32]) -> float | None:
        """The weighted mean squared error to a target, over the rows that have it; None if none
        has."""
        known = ~np.isnan(wanted)
        if not known.any():
            return None
        squares = (found[known].astype(np.float64) - wanted[known]) ** 2
        return float(np.average(squares, weights=weights[known]))

    even = np.ones_like(examples.weights)
    single = {name: error(examples.parts[name], even) for name in TARGETS}
    return {"mix": error(examples.targets, examples.weights), **single}


def compare(fitter: Fitter, net: FogNet, examples: Examples) -> dict[str, Any]:
    """Compare the native inference of the written network with JAX's model, on held-out positions,
    and with the reference in NumPy, which it must equal number for number."""
    boards = examples.boards[:: max(1, len(examples) // COMPARED)][:COMPARED]
    native = native_net(net, quiescence=False)
    said = [native.evaluate(position_of(board)) / net.unit for board in unpacked(boards)]
    gaps = np.abs(np.tanh(said) - fitter.values(boards))
    checked = check_net(net, positions=50)
    found = {
        "positions": len(boards),
        "mean_difference": float(gaps.mean()),
        "largest_difference": float(gaps.max()),
        "differences_to_reference": checked.differences,
        "largest_sum": checked.largest_sum,
    }
    if not checked.good or gaps.max() > MOST_DIFFERENCE:
        raise FogtreeError(f"the written network does not compute what was trained: {found}")
    return found


def _check_same(run: RunFolder[NetManifest], now: NetManifest) -> None:
    """Refuse to continue a run with other options, another first network or other data."""
    before = run.manifest()
    check_options(run.path, before.options, now.options)
    if before.start_sha256 != now.start_sha256:
        raise OptionError(
            f"'{run.path}' started from another network: '{now.options.start}' has changed since; "
            "choose another folder"
        )
    if before.data.sha256 != now.data.sha256:
        raise OptionError(
            f"'{run.path}' was made from other data ({before.data.rows:,} rows, now "
            f"{now.data.rows:,}); choose another folder"
        )
