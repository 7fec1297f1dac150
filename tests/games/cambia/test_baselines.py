"""The scripted agents of Cambia in matches."""

from __future__ import annotations

import pytest

import fogtree
from fogtree import load_game
from fogtree.agents import (
    Observation,
    RandomAgent,
    agent_names,
)
from fogtree.arena import (
    play_game,
    play_match,
)
from fogtree.games.cambia.view import CambiaView

BASELINES = (
    "random",
    "random_no_cambia",
    "random_late_cambia",
    "imperfect_greedy",
    "memory_heuristic",
    "aggressive_snap",
    "greedy",
)


def test_every_baseline_is_there() -> None:
    assert set(agent_names(load_game("cambia"))) == {*BASELINES, "deep", "search"}


@pytest.mark.parametrize("name", BASELINES)
@pytest.mark.parametrize(
    "spec",
    [
        "cambia",
        "cambia(profile='training')",
        "cambia(profile='competitive', replace_abilities=True, snap_window='always')",
        "cambia(players=4, profile='competitive')",
        "cambia(preset='tiny2')",
    ],
)
def test_baselines_play_every_variant(spec: str, name: str) -> None:
    match = play_match(spec, name, "random", games=40)
    assert match.games == 40


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ("imperfect_greedy", "random"),
        ("memory_heuristic", "random_late_cambia"),
        ("aggressive_snap", "random_no_cambia"),
        ("greedy", "imperfect_greedy"),
    ],
)
def test_baselines_are_ordered_as_they_should_be(better: str, worse: str) -> None:
    assert play_match("cambia", better, worse, games=300).win_rate.low > 0.5


def test_only_the_clairvoyant_is_shown_hidden_cards() -> None:
    """What the others get at their decisions never has a card they have not seen."""
    game = load_game("cambia")
    told: list[Observation] = []

    class Watching(RandomAgent):
        every_view = True

        def observe(self, observation: Observation) -> None:
            told.append(observation)
            if observation.actions:
                super().observe(observation)

    for seed in range(10):
        play_game(game, [Watching(), fogtree.agent("greedy", game)], seed=str(seed))
    for observation in told:
        view = observation.view
        assert isinstance(view, CambiaView)
        if view.phase != 9:
            for hand, seen in zip(view.known, view.seen, strict=True):
                assert all(c == -1 or who & 1 for c, who in zip(hand, seen, strict=True))
