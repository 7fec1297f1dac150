"""A game's own search: how the agent finds it, and what it may declare."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

import pytest

import fogtree
from fogtree.agents import Budget
from fogtree.arena import play_game
from fogtree.errors import GameError
from fogtree.registry import GameEntry, load_game, register_game, unregister_game
from fogtree.search import PRESETS, SearchAgent, search_settings
from fogtree.search.adapter import find_adapter
from fogtree.search.settings import SearchDefaults
from fogtree.search.tree_adapter import TreeAdapter

NAME = "hidden_coin"


class OwnSearch(TreeAdapter):
    """The search on the compiled game with other defaults."""

    defaults: ClassVar[SearchDefaults] = SearchDefaults(budget=Budget(steps=5), preset="seed")


@pytest.fixture(autouse=True)
def registered() -> Iterator[None]:
    game = "tests.support.hidden_coin:HiddenCoin"
    register_game(GameEntry(name=NAME, game=game, search=f"{__name__}:OwnSearch"))
    yield
    unregister_game(NAME)


def test_a_game_declares_its_search_and_the_defaults() -> None:
    game = load_game(NAME)
    assert find_adapter(game) is OwnSearch
    assert find_adapter(load_game("kuhn_poker")) is TreeAdapter
    settings = search_settings(NAME)
    assert (settings.options, settings.budget) == (PRESETS["seed"], Budget(steps=5))
    agents = [fogtree.agent("search", game), fogtree.agent("random", game)]
    assert play_game(game, agents, seed="1").end.player < 0
    assert isinstance(agents[0], SearchAgent)
    assert isinstance(agents[0].adapter, OwnSearch)


def test_an_agent_plays_the_games_of_one_search() -> None:
    compiled = SearchAgent("kuhn_poker")
    compiled.start(load_game("leduc_poker"), 0, "seed")
    with pytest.raises(GameError, match="plays kuhn_poker, not hidden_coin"):
        compiled.start(load_game(NAME), 0, "seed")
