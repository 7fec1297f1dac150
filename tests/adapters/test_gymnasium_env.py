"""One seat of a game as an environment of Gymnasium, checked by Gymnasium's own checker."""

from __future__ import annotations

import sys
import warnings

import numpy as np
import pytest

import fogtree
from fogtree.agents import RandomAgent
from fogtree.errors import MissingExtraError, OptionError

gymnasium = pytest.importorskip(
    "gymnasium", reason="needs Gymnasium: pip install 'fogtree[gymnasium]'"
)
check_env = pytest.importorskip("gymnasium.utils.env_checker").check_env

NAME = "fogtree.adapters.gymnasium_env:fogtree/Game-v0"


@pytest.mark.parametrize("game", [*fogtree.game_names(), "leduc_poker(players=3)"])
def test_the_checker_of_gymnasium_passes(game: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", message=".*infinity.*")  # Cambia's own features
        env = gymnasium.make(NAME, game=game, seat=1, disable_env_checker=True)
        check_env(env.unwrapped)


def test_a_strategy_that_never_folds_wins_what_it_should() -> None:
    """Against a random player, always betting and calling earns 1/3 as the first player of Kuhn
    poker: half of all bets are folded, and half are called, with an even chance."""
    env = fogtree.to_gymnasium("kuhn_poker", "random")
    rewards = []
    for seed in range(400):
        env.reset(seed=seed)
        _, reward, over, cut, _ = env.step(1)
        assert over
        assert not cut
        rewards.append(reward)
    assert set(rewards) == {-2.0, 1.0, 2.0}
    assert np.mean(rewards) == pytest.approx(0.5, abs=0.25)


def test_observations_and_rewards_are_those_of_the_seat() -> None:
    bets = fogtree.Strategy.from_mapping(
        fogtree.compile("kuhn_poker"), {card: {"bet": 1} for card in "JQK"}
    )
    env = fogtree.to_gymnasium("kuhn_poker", bets, seat=1, render_mode="ansi")
    observation, info = env.reset(seed=0)
    assert info == {}
    assert observation["action_mask"].tolist() == [0, 0, 1, 1]
    assert env.action_masks().tolist() == [False, False, True, True]
    assert env.render() in {f"player_1:\n{card}b" for card in "JQK"}
    observation, reward, over, _, _ = env.step(2)
    assert (reward, over) == (-1.0, True)
    assert not observation["action_mask"].any()
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.step(2)


def test_the_own_card_is_seen_and_not_the_opponents() -> None:
    bets = fogtree.Strategy.from_mapping(
        fogtree.compile("kuhn_poker"), {card: {"bet": 1} for card in "JQK"}
    )
    env = fogtree.to_gymnasium("kuhn_poker", bets, seat=1)
    seen: dict[str, set[bytes]] = {"J": set(), "Q": set(), "K": set()}
    for seed in range(60):
        vector = env.reset(seed=seed)[0]["observation"].tobytes()
        seen[env._episode.state.cards[1]].add(vector)
    assert [len(vectors) for vectors in seen.values()] == [1, 1, 1]
    assert len(set().union(*seen.values())) == 3


def test_an_illegal_action_ends_the_game_below_every_payoff() -> None:
    env = fogtree.to_gymnasium("leduc_poker(ranks=2, raises=1)")
    env.reset(seed=0)
    _, reward, over, _, info = env.step(0)
    assert over
    assert reward == -8.0  # the largest loss is 1 + 2 + 4
    assert info["illegal"].startswith("leduc_poker(ranks=2, raises=1): action 0 is not legal here")
    env = fogtree.to_gymnasium("kuhn_poker", illegal_reward=-0.5)
    env.reset(seed=0)
    assert env.step(3)[1] == -0.5


def test_games_without_a_decision_of_the_learner_are_dealt_again() -> None:
    game = "kuhn_poker(players=3)"
    env = fogtree.to_gymnasium(game, ["random", RandomAgent()], seat=2)
    for seed in range(20):
        observation, _ = env.reset(seed=seed)
        assert observation["action_mask"].any()


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"seat": 2}, "kuhn_poker has no seat 2; seats are 0 to 1"),
        ({"opponents": ["random", "random"]}, "kuhn_poker has 1 other seats, not 2"),
        ({"opponents": "nobody"}, "unknown agent for kuhn_poker"),
        ({"render_mode": "rgb_array"}, "render_mode must be"),
    ],
)
def test_mistakes_are_errors_in_one_line(options: dict[str, object], says: str) -> None:
    with pytest.raises(fogtree.FogtreeError, match=says) as caught:
        fogtree.to_gymnasium("kuhn_poker", **options)
    assert "\n" not in str(caught.value)


def test_an_agent_object_takes_one_seat() -> None:
    with pytest.raises(OptionError, match="one seat"):
        fogtree.to_gymnasium("kuhn_poker(players=3)", RandomAgent())


def test_without_gymnasium(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "gymnasium", None)
    monkeypatch.delitem(sys.modules, "fogtree.adapters.gymnasium_env", raising=False)
    with pytest.raises(MissingExtraError, match=r"fogtree\[gymnasium\]"):
        fogtree.to_gymnasium("kuhn_poker")
