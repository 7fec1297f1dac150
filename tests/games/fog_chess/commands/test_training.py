"""``fogtree chess data``, ``train-net`` and ``match``."""

from __future__ import annotations

import json

import pytest

from fogtree.games.fog_chess.training.rows import Kind


def test_data(done, command):
    words = ("chess", "data", "games", "--games", 2, "--steps", 8, "--roots", 1, "--leaves", 2)
    found = done(*words, "--workers", 1, "--json").document
    assert (found["folder"], found["games"]) == ("games", 2)
    assert found["rows"] == sum(found[kind.name] for kind in Kind) > 20
    told = done(*words, "--workers", 1).output
    assert "2 games in games" in told
    assert f"{found['rows']:,} positions" in " ".join(told.split())
    refused = command(*words, "--seed", 1)
    assert refused.status == 2
    assert "other options" in refused.errors
    assert command("chess", "data", "x").status == 2
    assert command("chess", "data", "x", "--games", 1, "--teacher", "nobody").status == 2


def test_data_of_quick_games(done):
    words = ("chess", "data", "quick", "--quick", "--games", 2, "--leaves", 3, "--workers", 1)
    found = done(*words, "--json").document
    assert found["rows"] == found["played"] + found["leaf"] > 10
    told = " ".join(done(*words).output.split())
    assert "2 games in quick" in told
    assert "drawn" not in told
    assert "plies" not in told


@pytest.mark.parametrize("option", ["--roots", "--inner"])
def test_options_that_mean_nothing_in_quick_games_are_refused(command, tmp_path, option):
    refused = command("chess", "data", "x", "--quick", "--games", 1, option, 5)
    assert refused.status == 2
    assert option in refused.errors
    assert not (tmp_path / "x").exists()


def test_data_depends_on_the_seed_alone(done, tmp_path):
    def shard(folder, seed):
        words = ("--games", 1, "--steps", 8, "--roots", 1, "--leaves", 2, "--workers", 1)
        done("chess", "data", folder, *words, "--seed", seed)
        return (tmp_path / folder / "games-0.fogdata").read_bytes()

    assert shard("one", 7) == shard("two", 7) != shard("three", 8)


@pytest.mark.long
def test_train_net(done, command, tmp_path):
    pytest.importorskip("jax", reason="needs JAX: pip install 'fogtree[deep]'")
    done("chess", "data", "games", "--games", 3, "--steps", 8, "--workers", 1, "--leaves", 3)
    words = ("chess", "train-net", "games", "--save", "run", "--steps", 3, "--batch", 32)
    told = " ".join(done(*words, "--held-out", 3).output.split())
    assert "3 steps in" in told
    assert "use it as evaluator net:run/net.fognet" in told
    again = done(*words, "--held-out", 3, "--json").document
    assert again == json.loads((tmp_path / "run" / "net.json").read_text())
    assert command("chess", "train-net", "missing", "--save", "x").status == 2
    assert command(*words, "--result", 0, "--search", 0, "--teacher", 0).status == 2


def test_match(done, command):
    words = ("chess", "match", "simple", "net", "--games", 2, "--steps", 5, "--workers", 1)
    found = done(*words, "--json").document
    assert found["games"] == 2
    assert found["first"] == "search(threads=1, evaluator=simple)"
    assert found["score"]["value"] == found["win_rate"]["value"]
    assert found["budget"]["steps"] == 5
    assert "interval by pairs of games" in done(*words).output
    assert command(*words, "--seconds", 1).status == 2
    assert command("chess", "match", "nobody", "--games", 2).status == 2
    kept = (*words, "--file", "match.jsonl", "--json")
    assert done(*kept).document == done(*kept).document == found
