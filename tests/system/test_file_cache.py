"""Files that agents play from are read once, and again when they change."""

from __future__ import annotations

import os

import fogtree
from fogtree.strategy import Strategy
from fogtree.system.file_cache import read_once


def test_a_file_is_read_again_only_when_it_has_changed(tmp_path):
    file, times = tmp_path / "words", []

    def load(path):
        times.append(path)
        return path.read_text()

    read = read_once(load)
    file.write_text("one")
    assert [read(file), read(str(file))] == ["one", "one"]
    assert times == [file]
    file.write_text("two")
    os.utime(file, ns=(0, file.stat().st_mtime_ns + 1))  # clocks of files are coarse
    assert read(file) == "two"
    assert times == [file, file]


def test_agents_share_what_was_read(tree_of, tmp_path):
    Strategy.uniform(tree_of("kuhn_poker")).save(tmp_path / "kuhn.npz")
    first, second = (
        fogtree.agent("tabular", "kuhn_poker", file=tmp_path / "kuhn.npz") for _ in range(2)
    )
    assert first.strategy is second.strategy
