"""What a saved run's manifest says about how it was made."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from fogtree.errors import FileFormatError, UnknownNameError
from fogtree.solvers.recipes import Recipe, recipe


def saved_recipe(folder: Path, manifest: dict[str, Any]) -> Recipe:
    try:
        return recipe(
            manifest["algorithm"],
            alternating=manifest["alternating"],
            averaging=manifest["averaging"],
            delay=manifest["delay"],
        )
    except UnknownNameError as error:
        raise FileFormatError(f"'{folder}' cannot be resumed: {error}") from error


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
