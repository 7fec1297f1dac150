"""The agent that plays an exact equilibrium."""

from __future__ import annotations

import pytest

import fogtree
from fogtree.agents.equilibrium import solved_game
from fogtree.errors import GameError, OptionError


def test_it_plays_the_equilibrium_of_kuhn_poker() -> None:
    agent = fogtree.agent("equilibrium", "kuhn_poker")
    strategy = solved_game(fogtree.load_game("kuhn_poker")).equilibrium.strategy
    assert fogtree.exploitability("kuhn_poker", strategy).exploitability < 1e-8
    record = fogtree.play("kuhn_poker", [agent, "random"], seed="1")
    assert record.agents[0] == "equilibrium"


def test_games_of_three_players_have_none() -> None:
    with pytest.raises(OptionError, match="equilibrium is for two players, not 3"):
        fogtree.agent("equilibrium", "kuhn_poker(players=3)")
    assert "equilibrium" not in fogtree.agent_names("kuhn_poker(players=3)")


def test_large_games_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    from fogtree.agents import equilibrium

    equilibrium.solved_game.cache_clear()
    monkeypatch.setattr(equilibrium, "MOST_INFOSETS", 100)
    with pytest.raises(GameError, match="936 information sets, and only games of at most 100"):
        fogtree.agent("equilibrium", "leduc_poker")


def test_the_size_of_a_game_is_known_without_solving_it(monkeypatch: pytest.MonkeyPatch) -> None:
    from fogtree.agents import equilibrium

    assert not equilibrium.is_small(fogtree.load_game("liars_dice"))
    for most, small in ((935, False), (936, True)):
        monkeypatch.setattr(equilibrium, "MOST_INFOSETS", most)
        assert equilibrium.is_small(fogtree.load_game("leduc_poker")) is small
