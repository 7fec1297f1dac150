"""Tournaments: every pair plays, and the cross table adds up."""

from __future__ import annotations

import pytest

from fogtree.arena import tournament
from fogtree.errors import OptionError, UnknownNameError


def test_a_tournament_of_more_than_two_players() -> None:
    found = tournament("cambia(players=3)", ["greedy", "random_no_cambia"], games=90, processes=1)
    odd = found.score("greedy", "random_no_cambia")
    assert odd is not None
    assert odd > 0.5
    assert len(found.matches) == 2
    assert found.score("random_no_cambia", "greedy") == found.matches[1].win_rate.value
    strongest, weakest = found.ratings
    assert (strongest.name, weakest.name) == ("greedy", "random_no_cambia")
    assert strongest.elo.low > 0 > weakest.elo.high


def test_the_cross_table_adds_up() -> None:
    names = ["random", "imperfect_greedy", "greedy"]
    found = tournament("cambia", names, games=100, processes=1)
    score = found.score("greedy", "random")
    assert score is not None
    assert found.score("random", "greedy") == pytest.approx(1 - score)
    assert [rating.name for rating in found.ratings] == ["greedy", "imperfect_greedy", "random"]
    assert found.mean_score("greedy", ("random", "nobody")) is None


@pytest.mark.parametrize(
    ("agents", "message"),
    [(["random"], "at least two different"), (["random", "random"], "at least two different")],
)
def test_a_tournament_needs_two(agents: list[str], message: str) -> None:
    with pytest.raises(OptionError, match=message):
        tournament("cambia", agents, games=2)


def test_an_agent_that_cannot_play_is_refused_before_the_first_game() -> None:
    finished: list[int] = []
    agents = ["random", "equilibrium", "nobody"]
    with pytest.raises(UnknownNameError, match="nobody"):
        tournament("kuhn_poker", agents, games=2, processes=1, progress=finished.append)
    assert not finished
