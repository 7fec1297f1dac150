"""Trained networks as agents, and what commands say about training folders."""

from __future__ import annotations

import shutil

import pytest

from fogtree import load_game
from fogtree.deep.config import options_from
from fogtree.deep.train import train
from tests.support.manifests import change_manifest

QUICK = {
    "run": {"iterations": 2},
    "traversal": {"traversals": 20},
    "network": {"hidden": [8]},
    "regret": {"steps": 5},
    "average": {"steps": 5},
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    place = tmp_path_factory.mktemp("training") / "kuhn"
    train(load_game("kuhn_poker"), options_from(QUICK), folder=place)
    return place


def test_networks_sit_at_every_compiled_game(done, folder):
    for agent in (f"deep:{folder}", f"deep:{folder / 'latest.npz'}"):
        words = "arena", "kuhn_poker", "--agents", f"random,{agent}", "--games", 20
        result = done(*words, "--workers", 1, "--json").document
        assert agent in str(result)


def test_an_agent_of_networks_plays_the_strategy_that_was_measured(folder):
    from fogtree.deep.agent import load_deep
    from fogtree.strategy import Strategy

    agent = load_deep(load_game("kuhn_poker"), folder)
    assert agent.strategy.difference(Strategy.load(folder / "strategy.npz")) == pytest.approx(
        dict.fromkeys(agent.strategy.names, 0.0), abs=1e-6
    )


@pytest.mark.parametrize("average", ["network", "single"])
def test_networks_of_histories_play_too(command, tmp_path, average):
    """A game with features of its own, trained without them."""
    options = options_from(
        {**QUICK, "network": {"hidden": [8], "encoding": "history"}, "run": {"iterations": 2}}
    )
    options = options_from({"run": {"iterations": 2, "average": average}}, options)
    train(load_game("cambia(preset='tiny1')"), options, folder=tmp_path / "run")
    agents = f"random,deep:{tmp_path / 'run'}"
    words = "arena", "cambia(preset='tiny1')", "--agents", agents, "--games", 4, "--workers", 1
    outcome = command(*words)
    assert outcome.status == 0, outcome.errors


def test_an_unknown_agent_of_a_small_game_hears_of_files(command):
    outcome = command("arena", "kuhn_poker", "--agents", "random,nobody")
    assert outcome.status == 2
    assert "known: random, equilibrium, search, tabular:FILE, deep:FILE" in outcome.errors


def test_networks_of_another_game_are_refused(command, folder):
    for game in ("leduc_poker", "fog_chess", "cambia"):
        outcome = command("arena", game, "--agents", f"random,deep:{folder}", "--games", 2)
        assert outcome.status == 2
        assert "these networks play kuhn_poker with 2 players, not" in outcome.errors


def test_a_folder_without_networks_is_told(command, tmp_path):
    (tmp_path / "empty").mkdir()
    outcome = command("arena", "kuhn_poker", "--agents", f"random,deep:{tmp_path / 'empty'}")
    assert outcome.status == 2
    assert "is a folder without a training run" in outcome.errors


def test_an_exploiter_takes_the_folder(command, folder):
    words = "exploit", "kuhn_poker", "--agent", f"deep:{folder}", "--method", "exact", "--json"
    outcome = command(*words)
    assert outcome.status == 0, outcome.errors
    assert outcome.document["bounds"][0]["value"] > 0


@pytest.mark.parametrize(
    "words",
    [
        ("strategy", "show", "FOLDER"),
        ("strategy", "diff", "FOLDER", "FOLDER"),
        ("exploitability", "kuhn_poker", "--strategy", "FOLDER"),
    ],
)
def test_commands_for_solved_runs_say_what_it_is(command, folder, words):
    outcome = command(*(folder if word == "FOLDER" else word for word in words))
    assert outcome.status == 2
    assert f"is a training run: its strategy is {folder / 'strategy.npz'}" in outcome.errors
    assert f"fogtree resume '{folder}'" in outcome.errors
    assert outcome.errors.count("\n") == 1


def test_resuming_a_run_of_an_own_game_asks_for_its_file(command, folder, tmp_path):
    """The run knows the game by its name alone, which need not be its class's."""
    place = tmp_path / "own"
    shutil.copytree(folder, place)
    change_manifest(place, game="high_card(bet=2)")
    outcome = command("resume", place)
    assert outcome.status == 2
    assert "is of game 'high_card(bet=2)', which cannot be made from that name" in outcome.errors
    assert "--game my_game.py:MyGame" in outcome.errors
    assert outcome.errors.count("\n") == 1


def test_without_tensorboard_no_folder_is_made(command, tmp_path, monkeypatch):
    import sys

    monkeypatch.setitem(sys.modules, "tensorboardX", None)
    monkeypatch.delitem(sys.modules, "fogtree.deep.tensorboard", raising=False)
    config = tmp_path / "training.toml"
    config.write_text("[run]\ntensorboard = true\n")
    outcome = command("train", "kuhn_poker", "--config", config, "--save", tmp_path / "run")
    assert outcome.status == 2
    assert "tensorboardX" in outcome.errors
    assert not (tmp_path / "run").exists()
