"""A game that is registered from outside is known everywhere, with nothing else touched."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import fogtree
from fogtree import compile, solve
from fogtree.agents import agent_names
from fogtree.arena import play_match, replay
from fogtree.errors import OptionError, UnknownNameError
from fogtree.registry import (
    AgentEntry,
    GameEntry,
    describe_game,
    game_names,
    load_game,
    register_game,
    unregister_game,
)
from tests.support.command_line import Command
from tests.support.hidden_coin import HiddenCoin

HOME = "tests.support.hidden_coin"
NAME = "hidden_coin"
VALUE = 4 / (2 + 3) - 1  # of [[-2, 1], [1, -1]], by hand: the left hand is used 2 times in 5


@pytest.fixture(autouse=True)
def registered() -> Iterator[None]:
    agent = AgentEntry(name="always_left", make=f"{HOME}:AlwaysLeft")
    register_game(GameEntry(name=NAME, game=f"{HOME}:HiddenCoin", agents=(agent,)))
    yield
    unregister_game(NAME)


def test_it_is_loaded_and_described() -> None:
    assert NAME in game_names()
    assert load_game(f"{NAME}(worth=4)") == HiddenCoin(worth=4)
    assert describe_game(NAME).signature == "hidden_coin(worth=2)"
    with pytest.raises(UnknownNameError, match="parameter of hidden_coin 'price'"):
        load_game(f"{NAME}(price=4)")


def test_it_is_compiled_and_solved() -> None:
    tree = compile(load_game(NAME))
    assert len(tree.infoset_names) == 2
    run = solve(tree, "cfr+", iterations=2000)
    assert run.value == pytest.approx(VALUE, abs=1e-3)


def test_its_agent_plays_a_match() -> None:
    game = load_game(NAME)
    assert {"random", "always_left", "search"} <= set(agent_names(game))
    assert fogtree.agent("always_left", game).name == "always_left"
    result = play_match(game, "always_left", "random", games=20, seed=3, keep_records=True)
    assert result.games == 20
    assert len(result.records) == 20
    for record in result.records:
        replay(record)
        assert record.steps[record.agents.index("always_left")] == "left"


def test_the_command_line_knows_it(done: Command) -> None:
    assert NAME in done("games").output
    assert done("info", NAME, "--json").document["game"] == NAME
    solved = done("solve", NAME, "-n", 2000, "--json").document
    assert solved["value"] == pytest.approx(VALUE, abs=1e-3)
    found = done(
        "arena", NAME, "--agents", "always_left,random", "--games", 20, "--workers", 1, "--json"
    ).document
    assert found["matches"][0]["games"] == 20
    assert found["agents"] == ["always_left", "random"]


def test_the_search_plays_it(done: Command) -> None:
    names = "always_left,search(steps=20)"
    played = ("--games", 2, "--workers", 1, "--json")
    assert done("arena", NAME, "--agents", names, *played).document["matches"][0]["games"] == 2


def test_a_saved_run_of_it_is_resumed(done: Command) -> None:
    done("solve", NAME, "-n", 50, "--save", "run", "--json")
    assert done("resume", "run", "-n", 80, "--json").document["iterations"] == 80


def test_a_name_is_registered_once() -> None:
    for name in (NAME, "kuhn_poker"):
        with pytest.raises(OptionError, match=f"already a game called '{name}'"):
            register_game(GameEntry(name=name, game=HiddenCoin))


def test_it_is_gone_after_it_was_removed() -> None:
    unregister_game(NAME)
    with pytest.raises(UnknownNameError, match="unknown game 'hidden_coin'"):
        load_game(NAME)
    register_game(GameEntry(name=NAME, game=HiddenCoin))
