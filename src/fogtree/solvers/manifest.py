"""The manifest of a saved solver run: the game, the algorithm and the progress."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal, cast

import numpy as np
from msgspec import UNSET, Meta, Struct, UnsetType, to_builtins

from fogtree.errors import FileFormatError, FogtreeError
from fogtree.runs.manifest import Count, Goal, Manifest, Seconds
from fogtree.solvers.recipes import SAMPLED_PREFIX, Recipe, recipe
from fogtree.solvers.samplers import Sampler
from fogtree.text.choices import Averaging, Device, Precision
from fogtree.tree import GameTree

MOST_WORKERS = 4096


class Sampling(Struct):
    """How a sampled run draws its walks."""

    seed: Count
    batch: Annotated[int, Meta(ge=1)]
    backend: Literal["threads", "ray"]


class SolverManifest(Manifest, kw_only=True, tag="run"):
    """The manifest of a solver run. ``fingerprint`` is that of the compiled game, empty for a run
    on a simulator; such a run has ``table`` and ``abstraction``. Exponents are text, because JSON
    has no infinite numbers."""

    progress: ClassVar[tuple[str, ...]] = (
        *Manifest.progress, "seconds", "check_seconds", "checks", "goal", "device",
    )  # fmt: skip

    fingerprint: str
    seconds: Seconds
    check_seconds: Seconds
    checks: Count
    algorithm: str
    minimizer: str
    positive_exponent: str
    negative_exponent: str
    alternating: bool
    averaging: Averaging
    delay: Count
    sampler: dict[str, Any] | UnsetType = UNSET
    precision: Precision
    threads: Annotated[int, Meta(ge=1, le=MOST_WORKERS)]
    device: Device = "cpu"
    table: bool | UnsetType = UNSET
    abstraction: str | UnsetType | None = UNSET
    goal: Goal
    sampling: Sampling | UnsetType = UNSET

    def recipe(self, folder: Path) -> Recipe:
        """The algorithm of the run; the error names ``folder`` if the manifest has none."""
        try:
            return Recipe(
                self.algorithm,
                self.minimizer,
                alternating=self.alternating,
                averaging=self.averaging,
                delay=self.delay,
                positive_exponent=float(self.positive_exponent),
                negative_exponent=float(self.negative_exponent),
                sampler=self._sampler(),
            )
        except (ValueError, TypeError, FogtreeError) as error:
            raise FileFormatError(f"'{folder}' cannot be resumed: {error}") from error

    def _sampler(self) -> Sampler | None:
        """The sampler of the run; a run that was saved without its constants has those of its
        algorithm."""
        if self.sampler is not UNSET:
            return Sampler(**self.sampler)
        sampled = self.algorithm.startswith(SAMPLED_PREFIX)
        return recipe(self.algorithm).sampler if sampled else None


def new_manifest(
    game: GameTree | str,
    row: Recipe,
    goal: Goal,
    *,
    precision: str,
    threads: int,
    device: Device = "cpu",
    sampling: Sampling | UnsetType = UNSET,
    table: bool | UnsetType = UNSET,
    abstraction: str | UnsetType | None = UNSET,
) -> SolverManifest:
    """The manifest of a run before its first iteration; a game on a simulator is only a name."""
    return SolverManifest(
        game=game if isinstance(game, str) else game.game,
        fingerprint="" if isinstance(game, str) else fingerprint(game),
        state="",
        iteration=0,
        seconds=0.0,
        check_seconds=0.0,
        checks=0,
        algorithm=row.name,
        minimizer=str(row.minimizer),
        positive_exponent=str(row.positive_exponent),
        negative_exponent=str(row.negative_exponent),
        alternating=row.alternating,
        averaging=row.averaging,
        delay=row.delay,
        sampler=UNSET if row.sampler is None else to_builtins(row.sampler),
        precision=cast(Precision, precision),
        threads=threads,
        device=device,
        goal=goal,
        sampling=sampling,
        table=table,
        abstraction=abstraction,
    )


def fingerprint(tree: GameTree) -> str:
    """A hash of a compiled game, so that a state is never restored on another one."""
    digest = hashlib.sha256()
    for part in (tree.parent, tree.player, tree.action, tree.index, tree.chance, tree.payoffs):
        digest.update(np.ascontiguousarray(part).tobytes())
    return digest.hexdigest()[:32]
