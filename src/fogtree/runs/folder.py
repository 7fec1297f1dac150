"""A run on disk: ``manifest.json``, ``state-N.npz`` and ``metrics.jsonl`` in one folder.

The manifest has the run's options and progress, the state file has everything needed to
continue exactly after N iterations, and the metrics are one JSON line per check. The manifest names
its state file and is replaced last, so a run that is killed at any moment is at its last save.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, Generic, TypeVar

from msgspec import to_builtins

from fogtree.errors import FileFormatError, OptionError
from fogtree.runs.manifest import Manifest
from fogtree.system.files import archive_kind, check_head, whole_file
from fogtree.system.folder_lock import FolderLock
from fogtree.system.records import parse_json, read_record

MANIFEST, METRICS = "manifest.json", "metrics.jsonl"

Kind = TypeVar("Kind", bound=Manifest)
Line = TypeVar("Line")


class RunFolder(Generic[Kind]):
    """The folder of a run whose manifest is of type ``kind``."""

    def __init__(self, path: str | Path, kind: type[Kind]) -> None:
        self.path, self.kind = Path(path), kind

    @property
    def exists(self) -> bool:
        """Whether a run is saved there."""
        return (self.path / MANIFEST).exists()

    def check_new(self) -> None:
        """Refuse a folder that already holds a run."""
        if self.exists:
            raise OptionError(
                f"'{self.path}' already holds a run; resume it or choose another folder"
            )

    def lock(self) -> FolderLock:
        """Make the folder if needed, and keep other processes from writing into it."""
        return FolderLock(self.path)

    def lock_saved(self) -> FolderLock:
        """Lock the folder of a saved run; refuse one without a run, and make none."""
        if not self.exists:
            self.manifest()
        return self.lock()

    def manifest(self) -> Kind:
        """The manifest, checked field by field."""
        path = self.path / MANIFEST
        try:
            text = path.read_bytes()
        except OSError as error:
            raise FileFormatError(_no_run(self.path, error)) from error
        content = parse_json(text, f"'{path}'")
        self.check_kind(content)
        return read_record(content, self.kind, f"'{path}'")

    def check_kind(self, content: Any) -> None:
        """Refuse the manifest of another kind or version."""
        check_head(self.path / MANIFEST, content, str(self.kind.__struct_config__.tag))

    def state_path(self, manifest: Kind) -> Path:
        """The state file that belongs to a manifest."""
        return self.path / Path(manifest.state).name

    def save(
        self, manifest: Kind, write_state: Callable[[Path], None], metrics: Iterable[object]
    ) -> None:
        """Write the state, the metrics and then the manifest; delete the files of earlier saves."""
        self.path.mkdir(parents=True, exist_ok=True)
        state = self.state_path(manifest)
        write_state(state)
        self.write_metrics(metrics)
        with whole_file(self.path / MANIFEST) as out:
            out.write(json.dumps(to_builtins(manifest), indent=2).encode())
        for old in self.path.glob("state-*.npz"):
            if old.name != state.name:
                old.unlink(missing_ok=True)
        for unfinished in self.path.glob(".*.part"):  # left by a process killed while it wrote
            unfinished.unlink(missing_ok=True)

    def write_metrics(self, metrics: Iterable[object]) -> None:
        """Replace the metrics by these lines."""
        with whole_file(self.path / METRICS) as out:
            for line in metrics:
                out.write((json.dumps(to_builtins(line)) + "\n").encode())

    def metrics(self, kind: type[Line]) -> list[Line]:
        """The saved metrics, one record of type ``kind`` per line; none if there is no file."""
        path = self.path / METRICS
        try:
            lines = path.read_text(encoding="utf-8").splitlines()
        except FileNotFoundError:
            return []
        except (OSError, ValueError) as error:
            raise FileFormatError(f"'{path}' is missing or damaged") from error
        where = f"'{path}'"
        return [read_record(parse_json(line, where), kind, where) for line in lines]


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
