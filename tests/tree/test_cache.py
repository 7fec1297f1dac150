"""Compiled games on disk: found by the same game and rules only, verified, and bounded."""

from __future__ import annotations

import os
from dataclasses import dataclass, fields
from pathlib import Path

import numpy as np
import pytest

from fogtree import Game, State, compile, load_game
from fogtree.errors import CacheWarning, MemoryLimitError
from fogtree.games.kuhn_poker import KuhnPoker
from fogtree.tree import cache, game_tree
from fogtree.tree.cache import cached_trees, clear_cache


@pytest.fixture(autouse=True)
def kept(tmp_path, monkeypatch):
    """Keeps every game that is compiled, in a new folder."""
    monkeypatch.setenv("FOGTREE_CACHE", str(tmp_path / "trees"))
    monkeypatch.setattr(game_tree, "_WORTH_KEEPING", 0.0)
    return tmp_path / "trees"


def walked(monkeypatch) -> list[str]:
    """The games that are walked from now on."""
    seen: list[str] = []
    grow = game_tree.grow_to_end

    def note(game, *rest):
        seen.append(str(game))
        grow(game, *rest)

    monkeypatch.setattr(game_tree, "grow_to_end", note)
    return seen


@pytest.mark.parametrize(
    "spec", ["kuhn_poker", "leduc_poker", "liars_dice(sides=3)", "cambia(preset='tiny1')"]
)
def test_what_is_read_is_what_was_written(spec, monkeypatch):
    first = compile(spec)
    seen = walked(monkeypatch)
    again = compile(spec)
    assert seen == []
    for field in fields(first):
        mine, theirs = getattr(first, field.name), getattr(again, field.name)
        if isinstance(mine, np.ndarray):
            assert mine.dtype == theirs.dtype
            assert np.array_equal(mine, theirs), field.name
        elif field.name not in ("seconds", "native"):
            assert mine == theirs, field.name
    assert again.sizes() == first.sizes()


def test_other_parameters_and_other_rules_are_compiled(monkeypatch, kept):
    compile("kuhn_poker")
    seen = walked(monkeypatch)
    compile("kuhn_poker(players=3)")
    assert seen == ["kuhn_poker(players=3)"]
    monkeypatch.setattr(cache, "_sources", lambda game: iter([Path(__file__)]))
    compile("kuhn_poker")
    assert seen == ["kuhn_poker(players=3)", "kuhn_poker"]


@pytest.mark.parametrize("place", [0, 30, 200, -1])
def test_a_damaged_file_is_ignored_and_made_again(monkeypatch, kept, place):
    compile("leduc_poker")
    [path] = kept.iterdir()
    whole = path.read_bytes()
    path.write_bytes(whole[:place] + bytes([whole[place] ^ 1]) + whole[place:][1:])
    seen = walked(monkeypatch)
    with pytest.warns(CacheWarning, match="damaged"):
        compile("leduc_poker")
    assert seen == ["leduc_poker"]
    assert path.read_bytes() == whole


@pytest.mark.parametrize(
    "nodes", ["Infinity", "NaN", "-1", '"x"', "[" * 100_000], ids=lambda n: n[:9]
)
def test_the_list_leaves_files_with_a_wrong_header_out(kept, nodes):
    compile("leduc_poker")
    [path] = kept.iterdir()
    path.write_bytes(path.read_bytes().replace(b'"nodes": 9457', f'"nodes": {nodes}'.encode()))
    assert cached_trees() == []


def test_a_file_that_is_cut_off_is_ignored(kept):
    compile("leduc_poker")
    [path] = kept.iterdir()
    path.write_bytes(path.read_bytes()[:-1])
    with pytest.warns(CacheWarning, match="checksum"):
        compile("leduc_poker")
    path.write_bytes(b"")
    with pytest.warns(CacheWarning, match="damaged"):
        compile("leduc_poker")


def test_memory_is_bounded_also_by_the_cache(kept):
    compile("leduc_poker")
    with pytest.raises(MemoryLimitError):
        compile("leduc_poker", memory=100_000)


@dataclass(frozen=True)
class Listed(Game):
    """Kuhn poker with a parameter that may be no plain value."""

    players = 2
    more: object = ()

    def root(self) -> State:
        return KuhnPoker().root()


def test_games_without_an_identity_are_not_kept(kept):
    class Inside(KuhnPoker):
        pass

    compile(Inside())
    compile(Listed(more=[1]))
    assert not kept.exists()
    compile(Listed(more=(1, "a")))
    assert len(cached_trees()) == 1


def test_games_of_openspiel_are_kept_unless_their_rules_are_in_a_file(monkeypatch, tmp_path):
    pytest.importorskip("pyspiel", reason="needs OpenSpiel")
    compile("openspiel:kuhn_poker")
    seen = walked(monkeypatch)
    compile("openspiel:kuhn_poker")
    assert seen == []
    compile("openspiel:kuhn_poker(players=3)")
    assert seen == ["openspiel:kuhn_poker(players=3)"]
    assert len(cached_trees()) == 2
    file = tmp_path / "game.nfg"
    file.write_text('NFG 1 R "Pennies" { "A" "B" } { 2 2 } 1 -1 -1 1 -1 1 1 -1\n')
    compile(f"openspiel:nfg_game(filename={file})")
    assert len(cached_trees()) == 2


def test_the_least_used_file_goes(monkeypatch, kept):
    for spec in ("leduc_poker", "kuhn_poker(players=3)", "kuhn_poker"):
        compile(spec)
    size = {tree.game: tree.bytes for tree in cached_trees()}
    compile("leduc_poker")  # used again
    for number, tree in enumerate(cached_trees()):
        os.utime(tree.path, (1e9 - number, 1e9 - number))
    room = sum(size.values()) - size["kuhn_poker(players=3)"]
    monkeypatch.setenv("FOGTREE_CACHE_SIZE", str(room + size["kuhn_poker"]))
    compile("kuhn_poker(bet=2)")
    assert {tree.game for tree in cached_trees()} == {
        "kuhn_poker(bet=2)", "leduc_poker", "kuhn_poker",
    }  # fmt: skip
    assert clear_cache() == 3
    assert cached_trees() == []


def test_a_cache_that_cannot_be_written_is_no_error(monkeypatch, tmp_path):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("FOGTREE_CACHE", str(tmp_path / "file" / "trees"))
    assert compile("kuhn_poker").players == 2


def test_no_cache_if_so_wished(monkeypatch, kept):
    monkeypatch.setenv("FOGTREE_CACHE", "off")
    compile("kuhn_poker")
    assert not kept.exists()
    assert cached_trees() == []


def test_the_command(done, kept):
    compile(load_game("leduc_poker"))
    listed = done("cache", "list").output
    assert "leduc_poker" in listed
    assert "1 compiled game" in listed
    assert done("cache", "list", "--json").document["trees"][0]["nodes"] == 9457
    assert "1 compiled game deleted" in done("cache", "clear").output
