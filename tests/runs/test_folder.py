"""Folders of runs: complete after every save, and refused in one line if they are not."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from fogtree.errors import FileFormatError, OptionError
from fogtree.runs.folder import RunFolder
from fogtree.runs.manifest import Manifest, with_digest
from fogtree.runs.progress import Check
from fogtree.system.path_lock import lock_folder
from tests.support.manifests import (
    change_manifest,
    damage_manifest,
    read_manifest,
    write_manifest,
)


class CountManifest(Manifest, kw_only=True, tag="count"):
    """The manifest of a kind of run that only counts."""

    goal: int


def saved(path: Path, iteration: int) -> RunFolder[CountManifest]:
    folder = RunFolder(path, CountManifest)
    manifest = CountManifest(
        game="none", state=f"state-{iteration}.npz", iteration=iteration, goal=9
    )
    checks = [Check(number, 0.5, 0.1, 0.0) for number in range(iteration)]
    with lock_folder(path):
        folder.save(manifest, lambda state, header: state.touch(), checks)
    return folder


def test_a_save_replaces_the_one_before(tmp_path):
    saved(tmp_path, 1)
    (tmp_path / ".state-2.npz.77.part").touch()  # of a process that was killed
    folder = saved(tmp_path, 2)
    names = sorted(path.name for path in tmp_path.iterdir())
    assert names == ["manifest.json", "metrics.jsonl", "state-2.npz"]
    assert folder.manifest() == CountManifest(game="none", state="state-2.npz", iteration=2, goal=9)
    assert [check.iteration for check in folder.metrics(Check)] == [0, 1]
    first = next(iter(json.loads((tmp_path / "manifest.json").read_text()).items()))
    assert first == ("fogtree", "count")


def test_a_save_that_fails_leaves_the_one_before(tmp_path):
    folder = saved(tmp_path, 1)
    later = CountManifest(game="none", state="state-2.npz", iteration=2, goal=9)

    def fail(path: Path, header: object) -> None:
        path.touch()
        raise OSError("the disk is full")

    with pytest.raises(OSError, match="full"):
        folder.save(later, fail, [])
    assert folder.manifest().iteration == 1
    assert folder.state_path(folder.manifest()).exists()


def test_new_and_saved_folders(tmp_path):
    folder = RunFolder(tmp_path / "run", CountManifest)
    folder.check_new()
    with pytest.raises(FileFormatError, match="there is no such folder"):
        folder.lock_saved()
    assert not folder.path.exists()
    saved(folder.path, 1)
    with pytest.raises(OptionError, match="already holds a run"):
        folder.check_new()
    with folder.lock_saved(), pytest.raises(OptionError, match="in use"):
        folder.lock_saved()


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"fogtree": "run"}, "is not a fogtree count file but a fogtree run file"),
        ({"version": 3}, "was written by a newer fogtree"),
        ({"goal": "far"}, "is damaged: goal must be a whole number, not 'far'"),
        ({"iteration": None}, "is damaged: iteration must be a whole number"),
    ],
)
def test_other_manifests_are_refused(tmp_path, changes, reason):
    folder = saved(tmp_path, 1)
    change_manifest(folder.path, **changes)
    with pytest.raises(FileFormatError, match=reason) as caught:
        folder.manifest()
    assert "\n" not in str(caught.value)


def test_metrics_that_are_not_metrics(tmp_path):
    folder = saved(tmp_path, 1)
    for wrong in ("{", '{"iteration": 1}', "\udcff"):
        (tmp_path / "metrics.jsonl").write_bytes(wrong.encode(errors="surrogateescape"))
        with pytest.raises(FileFormatError, match=r"damaged|not text"):
            folder.metrics(Check)
    (tmp_path / "metrics.jsonl").unlink()
    assert folder.metrics(Check) == []


@pytest.mark.parametrize("state", ["../elsewhere/state-1.npz", "..", "", "policy.npz"])
def test_a_manifest_cannot_name_another_file_as_its_state(tmp_path, state):
    folder = saved(tmp_path, 1)
    change_manifest(folder.path, state=state)
    with pytest.raises(FileFormatError, match=r"the state after iteration 1 is in state-1\.npz"):
        folder.manifest()


def test_a_folder_in_which_another_process_has_begun_is_not_new(tmp_path):
    folder = RunFolder(tmp_path / "run", CountManifest)
    folder.check_new()
    saved(folder.path, 1)  # another process began and ended meanwhile
    with pytest.raises(OptionError, match="already holds a run"):
        folder.lock_new()
    with folder.lock_saved():  # and the lock was given back
        pass


def test_a_changed_manifest_is_noticed(tmp_path):
    folder = RunFolder(tmp_path, CountManifest)
    headers: list[dict[str, object]] = []
    manifest = CountManifest(game="none", state="state-1.npz", iteration=1, goal=9)
    folder.save(manifest, lambda state, header: headers.append(header), [])
    folder.check_unchanged(headers[0])
    folder.check_unchanged({})  # saved by a version that wrote no fingerprint
    change_manifest(folder.path, game="another")
    with pytest.raises(FileFormatError, match="was changed"):
        folder.check_unchanged(headers[0])


def test_a_manifest_with_another_digest_is_refused(tmp_path):
    folder = saved(tmp_path, 1)
    whole = read_manifest(tmp_path)
    for changes in ({"goal": 8}, {"more": None}, {"digest": "0" * 32}, {"digest": None}):
        damage_manifest(tmp_path, **changes)
        with pytest.raises(FileFormatError, match="was changed or damaged since it was saved"):
            folder.manifest()
        write_manifest(tmp_path, whole)
    damage_manifest(tmp_path, version=1)  # an older manifest may not have a wrong one either
    with pytest.raises(FileFormatError, match="was changed or damaged"):
        folder.manifest()


def test_only_older_manifests_have_no_digest(tmp_path):
    folder = saved(tmp_path, 1)
    content = read_manifest(tmp_path)
    del content["digest"]
    (tmp_path / "manifest.json").write_text(json.dumps(content))
    with pytest.raises(FileFormatError, match="was changed or damaged"):
        folder.manifest()
    (tmp_path / "manifest.json").write_text(json.dumps({**content, "version": 1}))
    older = folder.manifest()
    folder.save(older, lambda state, header: state.touch(), [])
    assert read_manifest(tmp_path) == with_digest({**content, "version": 2})


def test_leftovers_of_a_killed_process_are_cleared(tmp_path):
    folder = saved(tmp_path, 1)
    for name in ("state-2.npz", ".state-2.npz.77.part", ".manifest.json.77.part"):
        (tmp_path / name).touch()
    folder.clear(folder.manifest())
    names = sorted(path.name for path in tmp_path.iterdir())
    assert names == ["manifest.json", "metrics.jsonl", "state-1.npz"]


def test_a_cut_line_of_metrics_is_refused(tmp_path):
    folder = saved(tmp_path, 2)
    path = tmp_path / "metrics.jsonl"
    path.write_bytes(path.read_bytes()[:-1])
    with pytest.raises(FileFormatError, match="its last line is cut off"):
        folder.metrics(Check)
