"""Games as environments of PettingZoo, checked by PettingZoo's own tests."""

from __future__ import annotations

import sys
import warnings
from functools import partial

import numpy as np
import pytest

import fogtree
from fogtree.errors import IllegalActionError, MissingExtraError, OptionError

pytest.importorskip("pettingzoo", reason="needs PettingZoo: pip install 'fogtree[pettingzoo]'")
from pettingzoo.test import api_test, render_test, seed_test

GAMES = (
    *fogtree.game_names(),
    "kuhn_poker(players=3)",
    "leduc_poker(ranks=4, players=3)",
    'goofspiel(points="random", hidden=False)',
    'cambia(preset="tiny1")',
    "cambia(players=3)",
    'fog_chess(fen="4k2r/4p3/8/3P4/3p4/8/4P3/4K2R w Kk - 94 60")',
)


@pytest.mark.parametrize("game", GAMES)
def test_the_tests_of_pettingzoo_pass(game: str, capsys: pytest.CaptureFixture[str]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it warns that dictionaries are no arrays
        api_test(fogtree.to_pettingzoo(game), num_cycles=60)
        assert capsys.readouterr().out.splitlines()[-1] == "Passed API test"
        seed_test(partial(fogtree.to_pettingzoo, game), num_cycles=30)
        render_test(partial(fogtree.to_pettingzoo, game))


def test_masks_rewards_and_order_of_a_game() -> None:
    env = fogtree.to_pettingzoo("kuhn_poker")
    env.reset(seed=3)
    assert env.possible_agents == ["player_0", "player_1"]
    assert env.agent_selection == "player_0"
    assert env.observe("player_0")["action_mask"].tolist() == [1, 1, 0, 0]
    assert env.observe("player_1")["action_mask"].tolist() == [0, 0, 0, 0]
    env.step(1)  # bet
    assert env.agent_selection == "player_1"
    assert env.last()[0]["action_mask"].tolist() == [0, 0, 1, 1]
    env.step(2)  # fold
    assert env.terminations == {"player_0": True, "player_1": True}
    assert env.rewards == {"player_0": 1.0, "player_1": -1.0}
    for agent in ("player_0", "player_1"):
        assert env.agent_selection == agent
        assert env.last()[1] == {"player_0": 1.0, "player_1": -1.0}[agent]
        env.step(None)
    assert env.agents == []


def test_an_observation_does_not_show_what_the_other_did_unseen() -> None:
    seen = set()
    for choice in range(3):
        env = fogtree.to_pettingzoo("rock_paper_scissors")
        env.reset(seed=1)
        env.step(choice)
        observation = env.observe("player_1")
        seen.add((observation["observation"].tobytes(), observation["action_mask"].tobytes()))
    assert len(seen) == 1


def test_an_observation_shows_the_own_card_and_not_the_other() -> None:
    env = fogtree.to_pettingzoo("kuhn_poker", render_mode="ansi")
    seen: dict[tuple[str, str], set[bytes]] = {}
    for seed in range(60):
        env.reset(seed=seed)
        cards = env.unwrapped._episode.state.cards
        assert env.render() == f"player_0:\n{cards[0]}"
        for agent, card in zip(env.agents, cards, strict=True):
            seen.setdefault((agent, card), set()).add(env.observe(agent)["observation"].tobytes())
    assert len(seen) == 6
    assert all(len(vectors) == 1 for vectors in seen.values())
    assert len(set().union(*seen.values())) == 6


def test_games_differ_without_a_seed() -> None:
    env = fogtree.to_pettingzoo("leduc_poker(ranks=10)")
    seen = set()
    for _ in range(20):
        env.reset()
        seen.add(env.observe("player_0")["observation"].tobytes())
    assert len(seen) > 3


def test_pictures_show_the_end() -> None:
    env = fogtree.to_pettingzoo("matching_pennies", render_mode="ansi")
    env.reset()
    assert env.render() == "player_0:"
    env.step(0)
    assert env.render() == "player_1:"
    env.step(1)
    lines = "player_0:\nheads against tails\nplayer_1:\ntails against heads\npayoffs: -1, 1"
    assert env.render() == lines


def test_mistakes_are_errors_in_one_line() -> None:
    env = fogtree.to_pettingzoo("kuhn_poker")
    env.reset(seed=1)
    before = env.last()[0]
    with pytest.raises(IllegalActionError, match="action 3 is not legal here"):
        env.step(3)
    after = env.last()[0]
    assert all(np.array_equal(before[key], after[key]) for key in before)
    with pytest.raises(OptionError, match="render_mode must be ansi, human or None"):
        fogtree.to_pettingzoo("kuhn_poker", render_mode="rgb_array")


def test_without_pettingzoo(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pettingzoo", None)
    monkeypatch.delitem(sys.modules, "fogtree.adapters.pettingzoo_env", raising=False)
    with pytest.raises(MissingExtraError, match=r"fogtree\[pettingzoo\]"):
        fogtree.to_pettingzoo("kuhn_poker")
