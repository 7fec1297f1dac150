"""A training run on disk.

Beside the files of every run (see :mod:`fogtree.runs.folder`), with one line of metrics per
iteration, the folder has ``network-N.npz``, the networks of iteration N (with average ``single``),
and ``policy.npz`` and ``latest.npz``, the average and the last strategy at the last evaluation.
"""

from __future__ import annotations

import zipfile
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fogtree.deep.config import TrainingOptions
from fogtree.deep.network import Network
from fogtree.deep.training import DeepTrainer
from fogtree.errors import FileFormatError
from fogtree.runs.folder import RunFolder
from fogtree.runs.manifest import Manifest
from fogtree.system.files import read_arrays, whole_file, write_arrays

_STORED = "stored-networks"


class TrainingManifest(Manifest, kw_only=True, tag="training"):
    """The manifest of a training run: the game, the options and the progress."""

    options: TrainingOptions


class TrainingFolder(RunFolder[TrainingManifest]):
    """The folder of a training run."""

    def __init__(self, path: str | Path) -> None:
        super().__init__(path, TrainingManifest)

    def save_trainer(
        self,
        trainer: DeepTrainer,
        game: str,
        metrics: list[dict[str, Any]],
        sums: NDArray[np.float64] | None,
    ) -> None:
        """Save the trainer's state; ``sums`` are those of the exact average strategy."""
        state = trainer.state()
        if sums is not None:
            state["sums"] = sums

        def write(path: Path) -> None:
            with whole_file(path) as out:
                np.savez(out, **state)  # type: ignore[arg-type]
            self._store(trainer)

        manifest = TrainingManifest(
            game=game,
            iteration=trainer.iteration,
            state=f"state-{trainer.iteration}.npz",
            options=trainer.options,
        )
        self.save(manifest, write, metrics)

    def load_trainer(
        self, trainer: DeepTrainer, sums: NDArray[np.float64] | None
    ) -> list[dict[str, Any]]:
        """Restore a trainer and the ``sums`` of its average; returns the metrics so far."""
        path = self.state_path(self.manifest())
        try:
            with zipfile.ZipFile(path), np.load(path, allow_pickle=False) as archive:
                state = {name: archive[name] for name in archive.files}
        except Exception as error:  # zip and array headers raise many kinds
            raise FileFormatError(f"'{path}' is damaged or missing") from error
        trainer.restore(state)
        if trainer.options.run.average == "single":
            trainer.stored = self._stored(trainer.iteration)
        if sums is not None:
            saved = state.get("sums")
            if saved is None or saved.shape != sums.shape:
                raise FileFormatError(f"'{self.path}' holds a run of another game")
            sums[:] = saved
        return self.metrics(dict[str, Any])[: trainer.iteration]

    def _store(self, trainer: DeepTrainer) -> None:
        """Write the networks of the iterations since the last save."""
        first = trainer.iteration - len(trainer.stored) + 1
        for number, networks in enumerate(trainer.stored, start=first):
            path = self.path / f"network-{number}.npz"
            if not path.exists():
                arrays: dict[str, Any] = {}
                for owner, network in enumerate(networks):
                    arrays.update(network.arrays(f"{owner}/"))
                write_arrays(path, _STORED, {"owners": len(networks)}, arrays)

    def _stored(self, iterations: int) -> list[tuple[Network, ...]]:
        """The networks of every iteration, by owner."""
        out = []
        for number in range(1, iterations + 1):
            header, arrays = read_arrays(self.path / f"network-{number}.npz", _STORED, ())
            owners = range(int(header.get("owners", 0)))
            out.append(tuple(Network.of_arrays(arrays, f"{owner}/") for owner in owners))
        return out
