"""Folders of training data: nothing is lost by a kill, nothing is played twice."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace

import numpy as np
import pytest

from fogtree.errors import FileFormatError, OptionError
from fogtree.games.fog_chess.training import generate as generating
from fogtree.games.fog_chess.training import shards
from fogtree.games.fog_chess.training.generate import generate
from fogtree.games.fog_chess.training.rows import Kind
from fogtree.games.fog_chess.training.shards import (
    DataWriter,
    read_rows,
    shard_paths,
    statistics,
    stored_games,
)
from tests.games.fog_chess.training.conftest import SHORT

pytestmark = pytest.mark.long


@pytest.fixture
def folder(short_data, tmp_path):
    return shutil.copytree(short_data, tmp_path / "data")


def test_games_that_are_there_are_not_played_again(folder, monkeypatch):
    before, numbers = read_rows(folder)
    played = []

    def play(options, number):
        played.append(number)
        return before[numbers == 0]

    monkeypatch.setattr(generating, "play_one", play)
    counted = []
    assert generate(folder, SHORT, games=6, workers=1, progress=counted.append) == 6
    assert played == [4, 5]
    assert counted == [4, 1, 1]
    assert generate(folder, SHORT, games=6, workers=1) == 6
    assert played == [4, 5]


@pytest.mark.parametrize("cut", [1, 10, 30, 400])
def test_a_game_that_a_kill_cut_off_is_played_again(folder, cut, monkeypatch):
    before, numbers = read_rows(folder)
    if cut != 30:  # one game is really played; the others are known
        monkeypatch.setattr(generating, "play_one", lambda _, number: before[numbers == number])
    (shard,) = shard_paths(folder)
    whole = shard.read_bytes()
    shard.write_bytes(whole[:-cut])
    assert {game.number for game in stored_games(folder)} == {0, 1, 2}
    assert generate(folder, SHORT, games=4, workers=1) == 4
    after, same = read_rows(folder)
    assert after.tobytes() == before.tobytes()
    assert (same == numbers).all()
    assert shard.read_bytes() == whole


def test_the_order_of_writing_does_not_matter(short_data, tmp_path):
    rows, numbers = read_rows(short_data)
    writer = DataWriter(tmp_path / "other", SHORT)
    for number in (3, 0, 2, 1):
        writer.add(number, rows[numbers == number])
        writer.add(number, rows[:1])  # is there already
    writer.close()
    again, same = read_rows(tmp_path / "other")
    assert again.tobytes() == rows.tobytes()
    assert (same == numbers).all()


def test_a_full_shard_is_followed_by_another(short_data, tmp_path, monkeypatch):
    monkeypatch.setattr(shards, "SHARD_BYTES", 1)
    rows, numbers = read_rows(short_data)
    writer = DataWriter(tmp_path / "many", SHORT)
    for number in (0, 1):
        writer.add(number, rows[numbers == number])
    writer.close()
    writer = DataWriter(tmp_path / "many", SHORT)
    for number in (2, 3):
        writer.add(number, rows[numbers == number])
    writer.close()
    assert len(shard_paths(tmp_path / "many")) == 4
    assert read_rows(tmp_path / "many")[0].tobytes() == rows.tobytes()


def test_two_processes_do_not_write_at_once(tmp_path):
    writer = DataWriter(tmp_path / "data", SHORT)
    with pytest.raises(OptionError, match="in use"):
        DataWriter(tmp_path / "data", SHORT)
    writer.close()
    DataWriter(tmp_path / "data", SHORT).close()


def test_damage_is_found(folder):
    (shard,) = shard_paths(folder)
    whole = bytearray(shard.read_bytes())
    whole[len(whole) // 2] ^= 1
    shard.write_bytes(whole)
    with pytest.raises(FileFormatError, match="damaged"):
        read_rows(folder)
    with pytest.raises(FileFormatError, match="damaged"):
        DataWriter(folder, SHORT)


def test_a_wrong_length_does_not_drop_the_games_behind_it(folder):
    (shard,) = shard_paths(folder)
    whole = bytearray(shard.read_bytes())
    whole[19] = 127  # the length of the first record
    shard.write_bytes(whole)
    with pytest.raises(FileFormatError, match="damaged"):
        DataWriter(folder, SHORT)
    assert shard.read_bytes() == whole


def test_a_game_that_is_there_twice_is_refused(folder):
    (shard,) = shard_paths(folder)
    shard.write_bytes(shard.read_bytes() * 2)
    with pytest.raises(FileFormatError, match="game 0 is there twice"):
        read_rows(folder)


def test_rows_that_cannot_be_unpacked(folder):
    game = next(stored_games(folder))
    with pytest.raises(FileFormatError, match="rows of game 0 are damaged"):
        replace(game, payload=b"none").rows()
    with pytest.raises(FileFormatError, match="does not have"):
        replace(game, count=game.count + 1).rows()


def test_a_folder_of_other_options_or_versions(folder, tmp_path):
    with pytest.raises(OptionError, match=r"steps: 30, not 13"):
        DataWriter(folder, replace(SHORT, steps=13))
    with pytest.raises(FileFormatError, match="no training data"):
        read_rows(tmp_path)
    manifest = folder / "manifest.json"
    content = json.loads(manifest.read_text())
    manifest.write_text(json.dumps({**content, "version": 3}))
    with pytest.raises(FileFormatError, match="newer"):
        read_rows(folder)
    manifest.write_text(json.dumps({**content, "version": 1}))
    with pytest.raises(FileFormatError, match="format 1; this version reads 2"):
        read_rows(folder)
    DataWriter(tmp_path / "empty", SHORT).close()
    with pytest.raises(FileFormatError, match="no finished game"):
        read_rows(tmp_path / "empty")


def test_counts(short_data):
    found = statistics(short_data)
    rows, _ = read_rows(short_data)
    assert found["games"] == 4 == found["won"] + found["drawn"]
    assert found["rows"] == len(rows) == sum(found[kind.name] for kind in Kind)
    assert found["bytes"] < rows.nbytes
    assert 5 < found["plies_per_game"] <= found["longest_game"]


def test_processes_play_the_same_games(short_data, tmp_path):
    assert generate(tmp_path / "two", SHORT, games=2, workers=2) == 2
    rows, numbers = read_rows(short_data)
    again, _ = read_rows(tmp_path / "two")
    assert again.tobytes() == rows[numbers < 2].tobytes()
    assert np.isin([0, 1], [game.number for game in stored_games(tmp_path / "two")]).all()


def test_time_limits(tmp_path):
    assert generate(tmp_path / "none", SHORT, limit=0, workers=1) == 0
    with pytest.raises(OptionError, match="when to stop"):
        generate(tmp_path / "never", SHORT)
    assert not (tmp_path / "never").exists()
