"""A run on disk: ``manifest.json``, ``state-N.npz`` and ``metrics.jsonl`` in one folder.

The manifest has the run's options and progress, the state file has everything needed to
continue exactly after N iterations, and the metrics are one JSON line per check. The manifest names
its state file and is replaced last, so a run that is killed at any moment is at its last save.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, Generic, TypeVar

from msgspec import to_builtins

from fogtree.errors import FileFormatError, OptionError
from fogtree.runs.manifest import FORMAT, Manifest, check_digest
from fogtree.system.archives import archive_kind, check_head
from fogtree.system.file_reader import read_bytes, read_text
from fogtree.system.files import whole_file
from fogtree.system.path_lock import PathLock, lock_folder
from fogtree.system.records import parse_json, read_record

MANIFEST, METRICS = "manifest.json", "metrics.jsonl"
MANIFEST_BYTES = 16 << 20
"""The largest manifest that is read."""
FINGERPRINT = "run"
"""In a state's header: the fingerprint of the manifest that it was saved with."""

Kind = TypeVar("Kind", bound=Manifest)
Line = TypeVar("Line")


class RunFolder(Generic[Kind]):
    """The folder of a run whose manifest is of type ``kind``."""

    def __init__(self, path: str | Path, kind: type[Kind]) -> None:
        self.path, self.kind = Path(path), kind

    @property
    def exists(self) -> bool:
        """Whether a run is saved there."""
        return os.path.lexists(self.path / MANIFEST)

    def check_new(self) -> None:
        """Refuse a folder that already holds a run."""
        if self.exists:
            raise OptionError(
                f"'{self.path}' already holds a run; resume it or choose another folder"
            )

    def lock_new(self) -> PathLock:
        """Make and lock the folder of a new run; refuse it if another process has saved a run there
        since :meth:`check_new`."""
        lock = lock_folder(self.path)
        try:
            self.check_new()
        except BaseException:
            lock.release()
            raise
        return lock

    def lock_saved(self) -> PathLock:
        """Lock the folder of a saved run; refuse a folder without a run, which is not created."""
        if not self.exists:
            self.manifest()
        return PathLock(self.path)

    def manifest(self) -> Kind:
        """The manifest, checked field by field."""
        return self._read_manifest()[0]

    def _read_manifest(self) -> tuple[Kind, str]:
        """The manifest, and the fingerprint of its fields that stay the same for a whole run."""
        path = self.path / MANIFEST
        if not path.is_file():
            raise FileFormatError(_no_run(self.path))
        content = parse_json(read_bytes(path, MANIFEST_BYTES), f"'{path}'")
        self.check_kind(content)
        check_digest(content, f"'{path}'")
        manifest = read_record(content, self.kind, f"'{path}'")
        if manifest.state != state_name(manifest.iteration):
            raise FileFormatError(
                f"'{path}' is damaged: the state after iteration {manifest.iteration} is in "
                f"{state_name(manifest.iteration)}, not in '{manifest.state:.40}'"
            )
        return manifest, self.kind.fingerprint_of(content)

    def check_kind(self, content: Any) -> None:
        """Refuse the manifest of another kind or version."""
        kind = str(self.kind.__struct_config__.tag)
        check_head(self.path / MANIFEST, content, kind, newest=FORMAT)

    def check_unchanged(self, state: Mapping[str, Any]) -> None:
        """Refuse a manifest whose game or options were changed since the state was saved: the
        state's header, ``state``, has the fingerprint that the manifest had then."""
        written = state.get(FINGERPRINT)
        if written is not None and written != self._read_manifest()[1]:
            raise FileFormatError(
                f"'{self.path / MANIFEST}' was changed: its game or its options are not those that "
                "the run was saved with; undo the change, or start a new run"
            )

    def state_path(self, manifest: Kind) -> Path:
        """The state file that belongs to a manifest."""
        return self.path / state_name(manifest.iteration)

    def save(
        self,
        manifest: Kind,
        write_state: Callable[[Path, dict[str, Any]], None],
        metrics: Iterable[object],
    ) -> None:
        """Write the state, the metrics and then the manifest; delete the files of earlier saves.

        ``write_state(path, header)`` writes the state file, with the entries of ``header`` in its
        header.
        """
        self.path.mkdir(parents=True, exist_ok=True)
        content = manifest.content()
        state = self.state_path(manifest)
        write_state(state, {FINGERPRINT: self.kind.fingerprint_of(content)})
        self.write_metrics(metrics)
        with whole_file(self.path / MANIFEST) as out:
            out.write(json.dumps(content, indent=2).encode())
        self.clear(manifest)

    def clear(self, manifest: Kind) -> None:
        """Delete files that do not belong to the last save: states of earlier saves, and
        half-written files of a killed process."""
        for old in self.path.glob(state_name("*")):
            if old.name != manifest.state:
                old.unlink(missing_ok=True)
        for unfinished in self.path.glob(".*.part"):
            unfinished.unlink(missing_ok=True)

    def write_metrics(self, metrics: Iterable[object]) -> None:
        """Replace the metrics by these lines."""
        with whole_file(self.path / METRICS) as out:
            for line in metrics:
                out.write((json.dumps(to_builtins(line)) + "\n").encode())

    def metrics(self, kind: type[Line]) -> list[Line]:
        """The saved metrics, one record of type ``kind`` per line; none if there is no file."""
        path = self.path / METRICS
        if not os.path.lexists(path):
            return []
        lines = read_text(path).split("\n")
        if lines.pop():
            raise FileFormatError(f"'{path}' is damaged: its last line is cut off")
        where = f"'{path}', line "
        return [
            read_record(parse_json(line, f"{where}{number}"), kind, f"{where}{number}")
            for number, line in enumerate(lines, start=1)
        ]


def kind_of_run(folder: Path) -> str | None:
    """The kind of the run in a folder, as the field ``fogtree`` of its manifest names it: "run" (of
    solve), "training" (of train) or "chess-net" (of a chess network). None if the folder has no
    manifest, or the manifest names no kind."""
    path = folder / MANIFEST
    if not path.is_file():
        return None
    content = parse_json(read_bytes(path, MANIFEST_BYTES), f"'{path}'")
    kind = content.get("fogtree") if isinstance(content, dict) else None
    return kind if isinstance(kind, str) else None


def state_name(iteration: int | str) -> str:
    """The name of the state file after this many iterations; ``*`` gives the pattern of all."""
    return f"state-{iteration}.npz"


def _no_run(folder: Path) -> str:
    """The text of the error for a folder without a manifest, with the reason."""
    if not folder.exists():
        return f"'{folder}' is not a saved run: there is no such folder"
    if not folder.is_dir():
        kind = archive_kind(folder)
        what = f"a fogtree {kind} file" if kind else "a file"
        return f"'{folder}' is not a saved run: it is {what}, and a run is a folder (solve --save)"
    return f"'{folder}' is not a saved run: it has no manifest.json"
