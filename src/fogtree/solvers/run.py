"""What a solver's run leaves behind, in memory and on disk.

A run on disk is a folder: ``manifest.json`` (what is being solved and how far), ``state-N.npz``
(all that is needed to go on exactly) and ``metrics.jsonl`` (one line per check). The manifest names
the state it belongs to and is replaced last, so a run killed at any moment is at its last save.
"""

from __future__ import annotations

import hashlib
import json
import math
from dataclasses import asdict, astuple, dataclass, field
from pathlib import Path
from typing import Any, Literal

import numpy as np

from fogtree.errors import FileFormatError, FogtreeError, OptionError
from fogtree.results import HasRows
from fogtree.solvers.recipes import Recipe
from fogtree.strategy import Strategy
from fogtree.system.files import archive_kind, check_version, read_arrays, whole_file, write_arrays
from fogtree.text.amounts import duration, short_number
from fogtree.tree import GameTree

Stopped = Literal["iterations", "until", "seconds", "memory", "interrupted", "terminated"]


@dataclass(frozen=True, slots=True)
class Check:
    """The answer measured once. ``seconds`` is solving time alone, checks left out; ``nodes`` are
    the histories visited, where they are counted."""

    iteration: int
    seconds: float
    exploitability: float
    value: float
    nodes: int = 0


@dataclass(frozen=True, slots=True)
class SampledWork:
    """What a sampled run has done. ``nodes`` are histories, counted as often as visited: chance,
    decisions and ends; ``infosets`` were seen at least once; ``bytes`` are those of the tables;
    ``constants`` are those that the sampler looks at."""

    nodes: int
    infosets: int
    bytes: int
    workers: int
    batch: int
    seed: int
    backend: str
    constants: dict[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Run(HasRows):
    """A finished (or interrupted) run. Exploitability is NashConv / players, exact, in double."""

    game: str
    algorithm: str
    recipe: Recipe
    iterations: int
    exploitability: float
    nash_conv: float
    value: float
    strategy: Strategy
    curve: tuple[Check, ...]
    seconds: float
    check_seconds: float
    compile_seconds: float
    stopped: Stopped
    precision: str
    threads: int
    folder: Path | None = None
    sampled: SampledWork | None = None

    def __repr__(self) -> str:
        return (
            f"<Run {self.game}, {self.algorithm}: {self.iterations:,} iterations in "
            f"{duration(self.seconds)}, exploitability {short_number(self.exploitability)}, "
            f"value {short_number(self.value)}>"
        )

    def rows(self) -> list[dict[str, Any]]:
        """One row per measurement."""
        return [asdict(check) for check in self.curve]

    @property
    def iterations_per_second(self) -> float:
        return self.iterations / self.seconds if self.seconds > 0 else math.nan

    def reached(self, exploitability: float) -> Check | None:
        """The first check at or below an exploitability."""
        return next((c for c in self.curve if c.exploitability <= exploitability), None)


@dataclass(slots=True)
class Progress:
    """Where a run stands; what is saved with the solver's state."""

    seconds: float = 0.0
    check_seconds: float = 0.0
    curve: list[Check] = field(default_factory=list)


def fingerprint(tree: GameTree) -> str:
    """Equal for equal compiled games, so that a state is never put on another one."""
    digest = hashlib.sha256()
    for part in (tree.parent, tree.player, tree.action, tree.index, tree.chance, tree.payoffs):
        digest.update(np.ascontiguousarray(part).tobytes())
    return digest.hexdigest()[:32]


def save_run(
    folder: Path,
    game: GameTree | str,
    options: dict[str, Any],
    state: dict[str, Any],
    progress: Progress,
) -> None:
    """Makes ``folder`` stand at this state; at no moment is it anything but whole.

    ``game`` is a name alone where there is no compiled game.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FileFormatError(f"cannot make folder '{folder}': {error.strerror}") from error
    name = f"state-{int(state['iteration'])}.npz"
    arrays = {key: value for key, value in state.items() if isinstance(value, np.ndarray)}
    numbers = {key: value for key, value in state.items() if key not in arrays}
    write_arrays(folder / name, "run-state", {"numbers": numbers}, arrays)
    with whole_file(folder / "metrics.jsonl") as out:
        for check in progress.curve:
            out.write((json.dumps(asdict(check)) + "\n").encode())
    manifest = {
        "fogtree": "run",
        "version": 1,
        "game": game if isinstance(game, str) else game.game,
        "fingerprint": "" if isinstance(game, str) else fingerprint(game),
        "state": name,
        "iteration": int(state["iteration"]),
        "seconds": progress.seconds,
        "check_seconds": progress.check_seconds,
        "checks": len(progress.curve),
        **options,
    }
    with whole_file(folder / "manifest.json") as out:
        out.write(json.dumps(manifest, indent=2).encode())
    for old in folder.glob("state-*.npz"):
        if old.name != name:
            old.unlink(missing_ok=True)
    for left_over in folder.glob(".*.part"):  # of a process that was killed while it wrote
        left_over.unlink(missing_ok=True)


def load_manifest(folder: Path) -> dict[str, Any]:
    path = folder / "manifest.json"
    try:
        manifest = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise FileFormatError(_no_run(folder, error)) from error
    except (ValueError, RecursionError) as error:
        raise FileFormatError(f"'{path}' is damaged") from error
    if isinstance(manifest, dict) and manifest.get("fogtree") == "training":
        raise FileFormatError(_is_training(folder, str(manifest.get("game"))))
    if not isinstance(manifest, dict) or manifest.get("fogtree") != "run":
        raise FileFormatError(f"'{path}' is not the manifest of a fogtree run")
    check_version(path, manifest)
    types = {
        "game": str,
        "fingerprint": str,
        "state": str,
        "iteration": int,
        "algorithm": str,
        "minimizer": str,
        "positive_exponent": str,
        "negative_exponent": str,
        "alternating": bool,
        "averaging": str,
        "delay": int,
        "precision": str,
        "threads": int,
        "seconds": (int, float),
        "check_seconds": (int, float),
        "checks": int,
        "goal": dict,
    }
    for key, kind in types.items():
        if not isinstance(manifest.get(key), kind):  # type: ignore[arg-type]
            raise FileFormatError(f"'{path}' is damaged: '{key}' is missing or wrong")
    if not all(0 <= manifest[key] < math.inf for key in ("seconds", "check_seconds", "checks")):
        raise FileFormatError(f"'{path}' is damaged: its times or counts cannot be")
    for key in ("iterations", "until", "seconds", "every"):
        limit = manifest["goal"].setdefault(key, None)
        whole = key in ("iterations", "every")
        if limit is not None and not isinstance(limit, int if whole else (int, float)):
            raise FileFormatError(f"'{path}' is damaged: its goal '{key}' is wrong")
    return manifest


def compiled_manifest(folder: Path) -> dict[str, Any]:
    """That of a run on a compiled game: a growing table has no strategy of the whole game."""
    manifest = load_manifest(folder)
    if manifest.get("table") is True:
        raise OptionError(
            f"'{folder}' is a run on a game too large to compile; write its table with  "
            f"fogtree resume {folder} --output FILE  and play it as  tabular:FILE"
        )
    return manifest


def _is_training(folder: Path, game: str) -> str:
    """Where to go with the folder of a training run."""
    table = folder / "strategy.npz"
    use = f"its strategy is {table}" if table.exists() else f"it plays as  deep:{folder}"
    known = _can_be_named(game)
    name = f"'{game}'" if known else "FILE.py:CLASS"
    go_on = f"fogtree train {name} --save '{folder}' --resume  goes on with it"
    where = "" if known else f", where FILE.py:CLASS is your own game '{game}'"
    return f"'{folder}' is a training run: {use}, and  {go_on}{where}"


def _can_be_named(game: str) -> bool:
    """Whether its name is enough to make it, or it is in somebody's own file."""
    from fogtree.registry import load_game  # noqa: PLC0415 - games are many, and imported when used

    try:
        load_game(game)
    except FogtreeError:
        return False
    return True


def _no_run(folder: Path, error: OSError) -> str:
    """Why there is no manifest to read."""
    if not folder.exists():
        return f"'{folder}' is not a saved run: there is no such folder"
    if not folder.is_dir():
        kind = archive_kind(folder)
        what = f"a fogtree {kind} file" if kind else "a file"
        return f"'{folder}' is not a saved run: it is {what}, and a run is a folder (solve --save)"
    if isinstance(error, FileNotFoundError):
        return f"'{folder}' is not a saved run: it has no manifest.json"
    return f"'{folder}' cannot be read: {error.strerror}"


def load_state(
    folder: Path, manifest: dict[str, Any], needed: tuple[str, ...] = ("strategy", "average")
) -> tuple[dict[str, Any], Progress]:
    name = Path(manifest["state"]).name
    header, arrays = read_arrays(folder / name, "run-state", needed)
    numbers = header.get("numbers")
    if not isinstance(numbers, dict):
        raise FileFormatError(f"'{folder / name}' is damaged")
    if numbers.get("iteration") != manifest["iteration"]:
        raise FileFormatError(
            f"'{folder}' is damaged: its manifest is at iteration {manifest['iteration']}, "
            f"'{name}' at iteration {numbers.get('iteration')}"
        )
    progress = Progress(float(manifest["seconds"]), float(manifest["check_seconds"]))
    damaged = FileFormatError(f"'{folder / 'metrics.jsonl'}' is missing or damaged")
    try:
        lines = (folder / "metrics.jsonl").read_text(encoding="utf-8").splitlines()
        progress.curve = [Check(**json.loads(line)) for line in lines[: manifest["checks"]]]
    except (OSError, ValueError, TypeError, RecursionError) as error:
        raise damaged from error
    numbers_only = all(
        isinstance(number, int | float) for check in progress.curve for number in astuple(check)
    )
    if len(progress.curve) != manifest["checks"] or not numbers_only:
        raise damaged
    return {**numbers, **arrays}, progress
