"""Native scripts decide as the Python ones do; native matches count what was played."""

from __future__ import annotations

import random

import numpy as np
import pytest

import fogtree
from fogtree import _core
from fogtree.agents import Observation
from fogtree.arena import play_match
from fogtree.games.cambia.agents import Greedy
from fogtree.games.cambia.game import Cambia
from tests.support.networks import random_layers

SCRIPTED = ("imperfect_greedy", "memory_heuristic", "aggressive_snap", "greedy")
TABLES = (
    {},
    {"profile": "training"},
    {"profile": "competitive"},
    {"players": 4},
    {"snap_window": "always"},
    {"deck": "A 5 7 9 J K", "jokers": 2, "hand": 3},
)


def pythons_choice(agent, state, player: int) -> str:
    view = state.observation(player)
    if isinstance(agent, Greedy):
        agent.reveal(state)
    agent.observe(Observation(player, view, state.actions(), ""))
    return str(agent.act().action)


@pytest.mark.parametrize("parameters", TABLES, ids=str)
def test_scripts_decide_as_in_python(parameters):
    game = Cambia(**parameters)
    generator = random.Random(3)
    agents = {name: fogtree.agent(name, game) for name in SCRIPTED}
    compared = 0
    for _ in range(25):
        state = game.root()
        while state.player != -2:
            if state.player == -1:
                outcomes = state.chance()
                state = state.child(generator.choices(*zip(*outcomes, strict=True))[0])
                continue
            found = {}
            for name, agent in agents.items():
                agent.start(game, state.player, "1")
                found[name] = game.layout.texts[state.position.scripted(name)]
                assert found[name] == pythons_choice(agent, state, state.player), name
                compared += 1
            # Mostly sensible play, so that games go on; sometimes anything.
            sensible = found[generator.choice(SCRIPTED)]
            anything = generator.choice(state.actions())
            state = state.child(anything if generator.random() < 0.3 else sensible)
    assert compared > 400


def scripted(name: str) -> _core.DeepContestant:
    return _core.DeepContestant.scripted(name)


def native(**parameters) -> _core.DeepCambia:
    return _core.DeepCambia(Cambia(**parameters).native_rules)


@pytest.mark.parametrize("name", SCRIPTED)
def test_a_script_is_even_with_itself(name):
    """Every deal is played from both seats, and these leave nothing to chance."""
    score = _core.cambia_match(native(), scripted(name), scripted(name), 400, 1, 2)
    assert score.wins == score.losses
    assert score.wins + score.draws + score.losses == 400


def test_threads_change_nothing():
    game = native(players=3)
    sizes = game.feature_count, 16, game.action_count
    networks = [_core.DeepNetwork(random_layers(seed, *sizes)) for seed in range(4)]
    mixed = _core.DeepContestant([[networks[0]], networks[1:]], [1.0, 3.0], softmax=True)
    scores = [
        _core.cambia_match(game, mixed, scripted("random_late_cambia"), 300, 5, threads)
        for threads in (1, 2, 3)
    ]
    parts = [(s.wins, s.draws, s.losses, s.gains, s.turns, s.decisions) for s in scores]
    assert parts[0] == parts[1] == parts[2]
    assert sum(parts[0][:3]) == 300


def test_a_network_without_an_opinion_plays_at_random():
    game = native()
    weight = np.zeros((game.action_count, game.feature_count), np.float32)
    nothing = _core.DeepNetwork([(weight, np.zeros(game.action_count, np.float32))])
    for contestant in (
        _core.DeepContestant([[nothing]], softmax=True),
        _core.DeepContestant([[nothing]], uniform_fallback=True),
    ):
        score = _core.cambia_match(game, contestant, scripted("random"), 6000, 1, 2)
        assert abs(score.wins - score.losses) < 5 * np.sqrt(6000)
        better = _core.cambia_match(game, scripted("imperfect_greedy"), contestant, 2000, 1, 2)
        assert better.wins > 1300


def test_matches_agree_with_the_arena():
    """The same two scripts in the arena of Python agents, other deals: within chance."""
    score = _core.cambia_match(
        native(), scripted("imperfect_greedy"), scripted("aggressive_snap"), 20_000, 1, 2
    )
    rate = (score.wins + score.draws / 2) / 20_000
    games = 400
    arena = play_match(Cambia(), "imperfect_greedy", "aggressive_snap", games=games, seed=1)
    assert arena.win_rate.value == pytest.approx(rate, abs=5 * np.sqrt(0.25 / games))


def test_what_does_not_fit_is_refused():
    game = native()
    small = _core.DeepNetwork(random_layers(1, 3, 4, 5))
    right = _core.DeepNetwork(random_layers(1, game.feature_count, game.action_count))
    for bad in ([[small]], [[right] * 3], [[]]):
        with pytest.raises(ValueError):
            _core.cambia_match(game, _core.DeepContestant(bad), scripted("random"), 2, 0, 1)
    with pytest.raises(ValueError):
        scripted("nobody")
    with pytest.raises(ValueError):
        _core.cambia_match(
            game, _core.DeepContestant([[right]], [-1.0]), scripted("random"), 2, 0, 1
        )
