"""A training run on disk.

Beside the files of every run (see :mod:`fogtree.runs.folder`), with one line of metrics per
iteration, the folder has ``network-N.npz``, the networks of iteration N (with average ``single``),
and ``policy.npz`` and ``latest.npz``, the average and the last strategy at the last evaluation.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from msgspec import UNSET, Struct, UnsetType
from numpy.typing import NDArray

from fogtree.deep.config import RUN_OPTIONS_KEPT, SECTIONS_KEPT, TrainingOptions
from fogtree.deep.network import Network
from fogtree.deep.trainer import Trainer
from fogtree.errors import FileFormatError, OptionError
from fogtree.runs.folder import METRICS, RunFolder, state_name
from fogtree.runs.manifest import Count, Manifest, Seconds
from fogtree.system.archives import (
    check_head,
    read_archive,
    read_arrays,
    read_header,
    write_arrays,
)
from fogtree.system.records import read_record

_STATE, _STORED = "training-state", "stored-networks"


class _Moment(Struct):
    """The fields of a line of metrics that are needed to resume a run."""

    iteration: Count
    seconds: Seconds


class TrainingManifest(Manifest, kw_only=True, tag="training"):
    """The manifest of a training run: the game, the options and the progress; for a game that is
    not compiled also the fingerprint of its encoding."""

    options: TrainingOptions
    encoding: str | UnsetType = UNSET

    @classmethod
    def unchanging(cls, content: Mapping[str, Any]) -> dict[str, Any]:
        """The part of a manifest's JSON that stays the same for a whole run: without the options
        that a resumed run may change."""
        options = content["options"]
        run = options.get("run", {})
        kept = {name: options.get(name) for name in SECTIONS_KEPT}
        if "policy" not in options:  # of a version without policies
            del kept["policy"]
        kept["run"] = {name: run.get(name) for name in RUN_OPTIONS_KEPT}
        if "method" not in run:  # of a version with one method
            del kept["run"]["method"]
        if run.get("compiled") is not False:  # as in versions that compiled every game
            del kept["run"]["compiled"]
        return {**super().unchanging(content), "options": kept}


class TrainingFolder(RunFolder[TrainingManifest]):
    """The folder of a training run."""

    def __init__(self, path: str | Path) -> None:
        super().__init__(path, TrainingManifest)
        self._written = 0  # the last iteration whose networks are in the folder

    def save_trainer(
        self,
        trainer: Trainer,
        game: str,
        metrics: list[dict[str, Any]],
        sums: NDArray[np.float64] | None,
    ) -> None:
        """Save the trainer's state and the ``metrics``, one line per iteration; ``sums`` are those
        of the exact average strategy, None if none is kept."""
        state = trainer.state()
        if sums is not None:
            state["sums"] = sums

        def write(path: Path, header: dict[str, Any]) -> None:
            """Write the state file, and the networks of iterations that the folder does not have
            yet."""
            write_arrays(path, _STATE, header, state, compressed=False)
            self._store(trainer)

        manifest = TrainingManifest(
            game=game,
            iteration=trainer.iteration,
            state=state_name(trainer.iteration),
            options=trainer.options,
            encoding=trainer.prepared.encoding or UNSET,
        )
        self.save(manifest, write, metrics)

    def load_trainer(
        self, trainer: Trainer, sums: NDArray[np.float64] | None
    ) -> list[dict[str, Any]]:
        """Restore a trainer, and write the saved sums of its exact average strategy to ``sums``;
        returns the metrics of all iterations so far."""
        manifest = self.manifest()
        if (manifest.encoding or "") != trainer.prepared.encoding:
            raise OptionError(
                f"'{self.path}' holds a run of {manifest.game} by other rules: its actions or "
                "views have changed since it began"
            )
        path = self.state_path(manifest)
        state = read_archive(path, _STATE)
        header = state.pop("header", None)
        if header is not None:  # version 0.1.0 wrote none
            check_head(path, read_header(header), _STATE)
            self.check_unchanged(read_header(header))
        try:
            trainer.restore(state)
        except FileFormatError as error:
            raise FileFormatError(f"'{path}' is damaged: {error}") from error
        if trainer.iteration != manifest.iteration:
            raise FileFormatError(
                f"'{self.path}' is damaged: its manifest is at iteration {manifest.iteration}, "
                f"'{path.name}' at iteration {trainer.iteration}"
            )
        if trainer.options.run.average == "single":
            trainer.stored = self._stored(trainer)
        if sums is not None:
            saved = state.get("sums")
            if saved is None or saved.shape != sums.shape or saved.dtype != sums.dtype:
                raise FileFormatError(f"'{self.path}' holds a run of another game")
            sums[:] = saved
        lines = self.metrics(dict[str, Any])[: trainer.iteration]
        where = f"'{self.path / METRICS}'"
        done = [read_record(line, _Moment, where).iteration for line in lines]
        if done != list(range(1, trainer.iteration + 1)):
            raise FileFormatError(f"{where} is damaged: iterations are missing")
        self.clear(manifest)
        self._written = trainer.iteration
        return lines

    def _store(self, trainer: Trainer) -> None:
        """Write the networks of the iterations since the last save."""
        first = trainer.iteration - len(trainer.stored) + 1
        for number, networks in enumerate(trainer.stored, start=first):
            if number <= self._written:
                continue
            arrays: dict[str, Any] = {}
            for owner, network in enumerate(networks):
                arrays.update(network.arrays(f"{owner}/"))
            path = self.path / f"network-{number}.npz"
            write_arrays(path, _STORED, {"owners": len(networks)}, arrays)
        self._written = trainer.iteration

    def clear(self, manifest: TrainingManifest) -> None:
        """As in the base class; also delete networks of later iterations, which a killed process
        left."""
        super().clear(manifest)
        for path in self.path.glob("network-*.npz"):
            number = path.stem.removeprefix("network-")
            if number.isdecimal() and int(number) > manifest.iteration:
                path.unlink(missing_ok=True)

    def _stored(self, trainer: Trainer) -> list[tuple[Network, ...]]:
        """The networks of every iteration so far, read from the folder: one network per owner
        (see :meth:`~fogtree.deep.trainer.Trainer.owner`)."""
        out, sizes = [], trainer.sizes(value=False)
        for number in range(1, trainer.iteration + 1):
            path = self.path / f"network-{number}.npz"
            header, arrays = read_arrays(path, _STORED, ())
            owners = range(trainer.owners)
            try:
                found = tuple(Network.of_arrays(arrays, f"{owner}/") for owner in owners)
            except (FileFormatError, LookupError, ValueError, TypeError) as error:
                raise FileFormatError(f"'{path}' is damaged: {error}") from error
            if header.get("owners") != len(found) or any(one.sizes != sizes for one in found):
                raise FileFormatError(f"'{path}' is damaged: its networks do not fit")
            out.append(found)
        return out
