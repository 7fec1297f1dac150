"""Solver runs on disk."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from msgspec.structs import replace

from fogtree.errors import FileFormatError, OptionError
from fogtree.runs.folder import METRICS, RunFolder, state_name
from fogtree.runs.progress import Check, Progress
from fogtree.solvers.manifest import SolverManifest
from fogtree.system.archives import read_arrays, write_arrays

_STATE = "run-state"


class SolverFolder(RunFolder[SolverManifest]):
    """The folder of a solver run."""

    def __init__(self, path: str | Path) -> None:
        super().__init__(path, SolverManifest)

    def check_kind(self, content: Any) -> None:
        """Refuse another kind of run; of a training run, say what to do with it instead."""
        if isinstance(content, dict) and content.get("fogtree") == "training":
            raise FileFormatError(_training_run_message(self.path))
        super().check_kind(content)

    def compiled_manifest(self) -> SolverManifest:
        """The manifest; an error if the run's game was not compiled, because then the run has no
        strategy for the whole game, only a table of the information sets it visited."""
        manifest = self.manifest()
        if manifest.table:
            raise OptionError(
                f"'{self.path}' is a run on a game too large to compile; write its table with  "
                f"fogtree resume {self.path} --output FILE  and play it as  tabular:FILE"
            )
        return manifest

    def save_state(
        self, manifest: SolverManifest, state: dict[str, Any], progress: Progress
    ) -> None:
        """Save a solver's state and progress under the run's manifest."""
        iteration = int(state["iteration"])
        now = replace(
            manifest,
            state=state_name(iteration),
            iteration=iteration,
            seconds=progress.seconds,
            check_seconds=progress.check_seconds,
            checks=len(progress.curve),
        )
        arrays = {key: value for key, value in state.items() if isinstance(value, np.ndarray)}
        numbers = {key: value for key, value in state.items() if key not in arrays}

        def write(path: Path, header: dict[str, Any]) -> None:
            """Write the state file."""
            write_arrays(path, _STATE, {"numbers": numbers, **header}, arrays)

        self.save(now, write, progress.curve)

    def load_state(
        self, manifest: SolverManifest, needed: tuple[str, ...], expected: int = 0
    ) -> tuple[dict[str, Any], Progress]:
        """The saved state, with at least the ``needed`` arrays, and the progress so far; the arrays
        are expected to have ``expected`` bytes, if that is known."""
        path = self.state_path(manifest)
        header, arrays = read_arrays(path, _STATE, needed, expected=expected)
        self.check_unchanged(header)
        numbers = header.get("numbers")
        if not isinstance(numbers, dict):
            raise FileFormatError(f"'{path}' is damaged")
        if numbers.get("iteration") != manifest.iteration:
            raise FileFormatError(
                f"'{self.path}' is damaged: its manifest is at iteration {manifest.iteration}, "
                f"'{path.name}' at iteration {numbers.get('iteration')}"
            )
        return {**numbers, **arrays}, Progress(
            manifest.seconds, manifest.check_seconds, self._curve(manifest)
        )

    def _curve(self, manifest: SolverManifest) -> list[Check]:
        """The checks up to the saved iteration. A process that was killed between writing the
        metrics and the manifest left later ones, or one more at that iteration."""
        lines = self.metrics(Check)
        curve = [check for check in lines if check.iteration <= manifest.iteration]
        extra = bool(curve) and curve[-1].iteration == manifest.iteration
        if manifest.checks not in (len(curve), len(curve) - extra):
            raise FileFormatError(
                f"'{self.path / METRICS}' is missing or damaged: it has {len(curve)} checks, the "
                f"manifest {manifest.checks}"
            )
        return curve


def _training_run_message(folder: Path) -> str:
    """The error for a training run where a solver run is expected: how to use or resume it."""
    strategy = folder / "strategy.npz"
    use = f"its strategy is {strategy}" if strategy.exists() else f"it plays as  deep:{folder}"
    return f"'{folder}' is a training run: {use}, and  fogtree resume '{folder}'  goes on with it"
