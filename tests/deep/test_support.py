"""A game's own training support: which games have one, and what it is used for."""

from __future__ import annotations

import numpy as np
import pytest

import fogtree
from fogtree import load_game
from fogtree.agents import agent_groups
from fogtree.deep.config import COMPILED_GAME, default_options, options_from
from fogtree.deep.engine import prepare
from fogtree.deep.support import support_for
from fogtree.deep.train import train
from fogtree.deep.win_rates import check_baselines, win_rates
from fogtree.errors import OptionError, UnknownNameError


def test_only_games_too_large_to_compile_have_one():
    assert support_for(load_game("kuhn_poker")) is None
    assert support_for(load_game("cambia(preset='tiny1')")) is None
    assert support_for(load_game("cambia")) is not None


def test_both_engines_and_the_agent_see_the_same_sizes():
    game = load_game("cambia")
    support = support_for(game)
    for engine in ("native", "python"):
        prepared = prepare(game, engine=engine)
        assert prepared.symmetric
        assert prepared.tree is None
        assert prepared.engine.game.feature_count == support.inputs
        assert prepared.engine.game.action_count == support.outputs
    state = game.root()
    while state.player < 0:
        state = state.child(state.chance()[0][0])
    assert support.encode(state.observation(state.player)).shape == (support.inputs,)
    assert len({support.column(action) for action in state.actions()}) == len(state.actions())


def test_default_options_are_the_games_own():
    assert default_options(load_game("kuhn_poker")) == options_from(COMPILED_GAME)
    assert default_options(load_game("cambia")).evaluation.baselines == ("mi5", "mi3")
    assert default_options(load_game("cambia(players=3)")).evaluation.baselines == ()
    assert default_options(load_game("cambia")).value.capacity == 1_000_000


def test_win_rates_against_every_scripted_agent():
    game = load_game("cambia")
    support = support_for(game)
    rates = win_rates(support.shipped_policy(), support, support.scripted_agents, games=4, seed=1)
    assert set(rates) == set(support.scripted_agents)
    members = agent_groups(game)["mi3"]
    grouped = win_rates(support.shipped_policy(), support, ["mi3"], games=4, seed=1)
    assert grouped["mi3"].value == pytest.approx(np.mean([rates[name].value for name in members]))


def test_opponents_without_native_matches_are_refused():
    game = load_game("cambia")
    for name in ("search", "deep", "nobody"):
        with pytest.raises(UnknownNameError, match="baselines"):
            check_baselines(game, support_for(game), [name])
    for spec in ("kuhn_poker", "cambia(players=3)", "cambia(preset='tiny1')"):
        other = load_game(spec)
        with pytest.raises(OptionError, match="no matches"):
            check_baselines(other, support_for(other), ["random"])
    with pytest.raises(OptionError, match="no matches"):
        train("kuhn_poker", options_from({"evaluation": {"baselines": ["random"]}}))


def test_the_reference_engine_trains_without_compiling():
    options = options_from(
        {
            "run": {"iterations": 1},
            "traversal": {"sampling_method": "outcome", "traversals": 1},
            "network": {"hidden": [4]},
            "regret": {"steps": 1},
            "average": {"steps": 1},
        }
    )
    assert train(load_game("cambia(max_turns=2)"), options, engine="python").iterations == 1


def test_the_shipped_networks_play_a_smaller_preset_and_refuse_another_game():
    game = load_game("cambia(preset='tiny1')")
    agent = fogtree.agent("deep", game)
    agent.start(game, 0, "seed")
    with pytest.raises(OptionError, match="was loaded for"):
        agent.start(load_game("kuhn_poker"), 0, "seed")
