"""What a saved run's manifest says about how it was made."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Any

from fogtree.errors import FileFormatError, FogtreeError, OptionError
from fogtree.solvers.recipes import SAMPLED_PREFIX, Recipe, recipe
from fogtree.solvers.samplers import Sampler


def check_new(folder: str | Path | None, row: Recipe) -> None:
    """Refuses a folder that a run could not be kept in, before any work begins."""
    if folder is None:
        return
    if (Path(folder) / "manifest.json").exists():
        raise OptionError(f"'{folder}' already holds a run; resume it or choose another folder")
    if not isinstance(row.minimizer, str):
        raise OptionError(f"a run with a minimizer of your own ('{row.name}') cannot be saved")


def recipe_options(row: Recipe) -> dict[str, Any]:
    """A recipe as a manifest tells it. Infinite exponents are not numbers in JSON."""
    sampler = {} if row.sampler is None else {"sampler": asdict(row.sampler)}
    return {
        "algorithm": row.name,
        "minimizer": row.minimizer,
        "positive_exponent": str(row.positive_exponent),
        "negative_exponent": str(row.negative_exponent),
        "alternating": row.alternating,
        "averaging": row.averaging,
        "delay": row.delay,
        **sampler,
    }


def saved_recipe(folder: Path, manifest: dict[str, Any]) -> Recipe:
    """The recipe that a manifest tells."""
    name = manifest["algorithm"]
    try:
        return Recipe(
            name,
            manifest["minimizer"],
            alternating=manifest["alternating"],
            averaging=manifest["averaging"],
            delay=manifest["delay"],
            positive_exponent=float(manifest["positive_exponent"]),
            negative_exponent=float(manifest["negative_exponent"]),
            sampler=_saved_sampler(manifest),
        )
    except (ValueError, TypeError, FogtreeError) as error:
        raise FileFormatError(f"'{folder}' cannot be resumed: {error}") from error


def _saved_sampler(manifest: dict[str, Any]) -> Sampler | None:
    """With its constants; in runs saved without them they are those of the algorithm's name."""
    saved, name = manifest.get("sampler"), manifest["algorithm"]
    if saved is not None:
        return Sampler(**saved)
    return recipe(name).sampler if name.startswith(SAMPLED_PREFIX) else None


def saved_sampling(folder: Path, manifest: dict[str, Any]) -> dict[str, Any]:
    """Seed, batch and backend of a saved run; of one that samples nothing, any will do."""
    saved = manifest.get("sampling")
    if saved is None:
        return {"seed": 0, "batch": None, "backend": "threads"}
    types = {"seed": int, "batch": int, "backend": str}
    if not isinstance(saved, dict) or not all(
        isinstance(saved.get(key), kind) for key, kind in types.items()
    ):
        raise FileFormatError(f"'{folder / 'manifest.json'}' is damaged: 'sampling' is wrong")
    return {key: saved[key] for key in types}
