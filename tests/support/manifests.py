"""Manifests of saved runs that say something else than fogtree would."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from fogtree.runs.manifest import with_digest


def read_manifest(folder: Path) -> dict[str, Any]:
    """The content of a run's manifest."""
    content: dict[str, Any] = json.loads((folder / "manifest.json").read_text())
    return content


def write_manifest(folder: Path, content: dict[str, Any]) -> None:
    """Write a manifest with the digest of its content, so that only what it says can be wrong."""
    (folder / "manifest.json").write_text(json.dumps(with_digest(content)))


def change_manifest(folder: Path, **changes: Any) -> None:
    """Change fields of a manifest, and its digest with them."""
    write_manifest(folder, read_manifest(folder) | changes)


def damage_manifest(folder: Path, **changes: Any) -> None:
    """Change fields of a manifest, but not its digest."""
    text = json.dumps(read_manifest(folder) | changes)
    (folder / "manifest.json").write_text(text)
