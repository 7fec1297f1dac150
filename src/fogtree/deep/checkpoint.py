"""A training run on disk: a folder that is whole at every moment.

``manifest.json`` names the state it belongs to and is replaced last; ``state-N.npz`` has everything
after N iterations; with average ``single`` every iteration's networks are in ``network-N.npz``;
``metrics.jsonl`` has one line per iteration. ``policy.npz`` is the average strategy and
``latest.npz`` the last one, as of the last evaluation.
"""

from __future__ import annotations

import json
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fogtree.deep.config import TrainingOptions, options_from
from fogtree.deep.network import Network
from fogtree.deep.training import DeepTrainer
from fogtree.errors import FileFormatError, OptionError
from fogtree.system.files import check_version, read_arrays, whole_file, write_arrays

MANIFEST, METRICS = "manifest.json", "metrics.jsonl"
_STORED = "stored-networks"


class RunFolder:
    """Where a run keeps itself."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def make(self) -> None:
        try:
            self.path.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise FileFormatError(f"cannot make folder '{self.path}': {error.strerror}") from error

    @property
    def exists(self) -> bool:
        return (self.path / MANIFEST).exists()

    def manifest(self) -> dict[str, Any]:
        path = self.path / MANIFEST
        try:
            content = json.loads(path.read_text(encoding="utf-8"))
        except FileNotFoundError as error:
            raise FileFormatError(f"'{self.path}' holds no training run") from error
        except (OSError, ValueError) as error:
            raise FileFormatError(f"'{path}' is damaged: {error}") from error
        if not isinstance(content, dict) or content.get("fogtree") != "training":
            raise FileFormatError(f"'{self.path}' holds no training run")
        check_version(self.path / MANIFEST, content)
        return content

    def save(
        self,
        trainer: DeepTrainer,
        game: str,
        metrics: list[dict[str, Any]],
        sums: NDArray[np.float64] | None = None,
    ) -> None:
        """Makes the folder stand at the trainer's state; ``sums`` are those of the average."""
        self.make()
        before = self.manifest()["state"] if self.exists else None
        name = f"state-{trainer.iteration}.npz"
        state = trainer.state()
        if sums is not None:
            state["sums"] = sums
        with whole_file(self.path / name) as out:
            np.savez(out, **state)  # type: ignore[arg-type]
        self._store(trainer)
        self.write_metrics(metrics)
        manifest = {
            "fogtree": "training",
            "version": 1,
            "game": game,
            "iteration": trainer.iteration,
            "state": name,
            "options": trainer.options.to_dict(),
        }
        with whole_file(self.path / MANIFEST) as out:
            out.write(json.dumps(manifest, indent=2).encode())
        if before is not None and before != name:
            (self.path / before).unlink(missing_ok=True)

    def write_metrics(self, metrics: list[dict[str, Any]]) -> None:
        with whole_file(self.path / METRICS) as out:
            out.write("".join(json.dumps(line) + "\n" for line in metrics).encode())

    def _store(self, trainer: DeepTrainer) -> None:
        first = trainer.iteration - len(trainer.stored) + 1
        for number, networks in enumerate(trainer.stored, start=first):
            path = self.path / f"network-{number}.npz"
            if not path.exists():
                arrays: dict[str, Any] = {}
                for owner, network in enumerate(networks):
                    arrays.update(network.arrays(f"{owner}/"))
                write_arrays(path, _STORED, {"owners": len(networks)}, arrays)

    def options(self) -> TrainingOptions:
        try:
            return options_from(self.manifest()["options"])
        except (KeyError, OptionError) as error:
            raise FileFormatError(f"'{self.path / MANIFEST}' is damaged: {error}") from error

    def load(self, trainer: DeepTrainer) -> list[dict[str, Any]]:
        """Puts the saved state on a trainer; returns the metrics so far."""
        trainer.restore(self._state())
        if trainer.options.run.average == "single":
            trainer.stored = self.stored(trainer.iteration)
        return self.metrics()[: trainer.iteration]

    def _state(self) -> dict[str, NDArray[Any]]:
        path = self.path / str(self.manifest()["state"])
        try:
            with zipfile.ZipFile(path), np.load(path, allow_pickle=False) as archive:
                return {name: archive[name] for name in archive.files}
        except Exception as error:  # whatever zip and array headers raise on foreign bytes
            raise FileFormatError(f"'{path}' is damaged or missing") from error

    def sums(self, size: int) -> NDArray[np.float64]:
        """Those of the average strategy."""
        sums = self._state().get("sums")
        if sums is None or sums.shape != (size,):
            raise FileFormatError(f"'{self.path}' holds a run of another game")
        return sums

    def stored(self, iterations: int) -> list[tuple[Network, ...]]:
        """Every iteration's networks, by owner."""
        out = []
        for number in range(1, iterations + 1):
            header, arrays = read_arrays(self.path / f"network-{number}.npz", _STORED, ())
            owners = range(int(header.get("owners", 0)))
            out.append(tuple(Network.of_arrays(arrays, f"{owner}/") for owner in owners))
        return out

    def metrics(self) -> list[dict[str, Any]]:
        path = self.path / METRICS
        try:
            return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
        except FileNotFoundError:
            return []
        except (OSError, ValueError) as error:
            raise FileFormatError(f"'{path}' is damaged: {error}") from error
