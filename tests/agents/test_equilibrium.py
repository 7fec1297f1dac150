"""The agent that plays an exact equilibrium."""

from __future__ import annotations

import pytest

import fogtree
from fogtree.agents.equilibrium import solved_game
from fogtree.errors import GameError, OptionError
from tests.support.hidden_coin import HiddenCoin


def test_it_plays_the_equilibrium_of_kuhn_poker() -> None:
    agent = fogtree.agent("equilibrium", "kuhn_poker")
    strategy = solved_game(fogtree.load_game("kuhn_poker")).equilibrium.strategy
    assert fogtree.exploitability("kuhn_poker", strategy).exploitability < 1e-8
    record = fogtree.play("kuhn_poker", [agent, "random"], seed="1")
    assert record.agents[0] == "equilibrium"


def test_it_plays_a_game_of_ones_own() -> None:
    game = HiddenCoin()
    assert "equilibrium" in fogtree.agent_names(game)
    record = fogtree.play(game, ["equilibrium", "random"], seed="1")
    assert record.agents == ("equilibrium", "random")


def test_it_plays_a_game_that_cannot_be_hashed() -> None:
    class Unhashable(HiddenCoin):
        __hash__ = None  # type: ignore[assignment]

    game = Unhashable()
    assert fogtree.play(game, ["equilibrium", "random"], seed="1").agents[0] == "equilibrium"


def test_games_of_three_players_have_none() -> None:
    with pytest.raises(OptionError, match="equilibrium is for two players, not 3"):
        fogtree.agent("equilibrium", "kuhn_poker(players=3)")
    assert "equilibrium" not in fogtree.agent_names("kuhn_poker(players=3)")


def test_large_games_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    from fogtree.agents import equilibrium

    monkeypatch.setattr(equilibrium, "MOST_INFOSETS", 100)
    game = "leduc_poker(suits=1, ranks=4)"  # another than in other tests: solved games are kept
    count = len(fogtree.compile(game).infoset_names)
    with pytest.raises(GameError, match=f"{count} information sets, and only games of at most 100"):
        fogtree.agent("equilibrium", game)


def test_the_size_of_a_game_is_known_without_solving_it(monkeypatch: pytest.MonkeyPatch) -> None:
    from fogtree.agents import equilibrium

    assert not equilibrium.is_small(fogtree.load_game("liars_dice"))
    for most, small in ((935, False), (936, True)):
        monkeypatch.setattr(equilibrium, "MOST_INFOSETS", most)
        assert equilibrium.is_small(fogtree.load_game("leduc_poker")) is small
