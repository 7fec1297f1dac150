"""A saved strategy as an agent."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

import fogtree
from fogtree import Strategy, compile, load_game, solve
from fogtree.arena import (
    play_game,
    play_match,
)
from fogtree.errors import OptionError


@pytest.mark.long
@pytest.mark.parametrize(
    "spec",
    [
        "kuhn_poker",
        "goofspiel",
        "phantom_ttt",
        pytest.param("cambia(preset='tiny1')", marks=pytest.mark.slow),
    ],
)
def test_a_saved_strategy_plays_as_well_as_it_is(spec: str, tmp_path: Path) -> None:
    """The mean return of an equilibrium against itself is the game's value."""
    game = load_game(spec)
    run = solve(compile(game), "cfr+", iterations=300)
    file = run.strategy.save(tmp_path / "strategy.npz")
    agent = f"tabular:{file}"
    match = play_match(game, agent, "random", games=1000)
    assert match.return_mean.high > 0
    agents = [fogtree.agent(agent, game), fogtree.agent(agent, game)]
    gains = [play_game(game, agents, seed=str(n)).end.returns()[0] for n in range(1500)]
    error = 4 * np.std(gains) / math.sqrt(len(gains))
    assert np.mean(gains) == pytest.approx(run.value, abs=error + 0.01)


def test_a_strategy_for_another_game_is_refused(tmp_path: Path) -> None:
    file = Strategy.uniform(compile(load_game("kuhn_poker"))).save(tmp_path / "kuhn.npz")
    with pytest.raises(OptionError, match="this strategy is for 'kuhn_poker', not for 'cambia"):
        play_match("cambia(preset='tiny1')", f"tabular:{file}", "random", games=2)
