"""Matches: they depend on the seed alone, and paired deals are fair."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

import fogtree
from fogtree.arena import (
    play_match,
    workers,
)
from fogtree.arena.match import TASKS_PER_WORKER
from fogtree.arena.record import ahead_of_others
from fogtree.errors import GameError, UnknownNameError
from fogtree.game import Game, State
from fogtree.games.kuhn_poker import KuhnPoker


def test_a_match_depends_on_the_seed_alone() -> None:
    options: dict[str, Any] = {"games": 120, "seed": 3, "keep_records": True}
    one = play_match("cambia", "imperfect_greedy", "random", **options)
    with workers(2) as run:
        two = play_match("cambia", "imperfect_greedy", "random", run=run, **options)
    assert one == two
    assert one.games == one.wins + one.draws + one.losses == len(one.records) == 120
    assert one.win_rate.low < one.win_rate.value < one.win_rate.high
    assert set(one.facts) == {"margin", "turns"}


def test_an_agent_against_itself_is_even_on_paired_deals() -> None:
    match = play_match("cambia", "imperfect_greedy", "imperfect_greedy", games=200)
    assert match.wins == match.losses
    assert match.facts["margin"].value == 0.0


def test_ahead_of_the_others_is_a_half_on_average() -> None:
    assert ahead_of_others((2.0, -1.0, -1.0), 0) == 1.0
    assert ahead_of_others((2.0, -1.0, -1.0), 1) == 0.25
    assert ahead_of_others((0.5, 0.5, -1.0), 0) == 0.75
    assert ahead_of_others((0.0, 0.0), 1) == 0.5
    match = play_match("cambia(players=3)", "random", "random", games=300, seed=1)
    assert match.ahead.low < 0.5 < match.ahead.high
    assert match.win_rate.high < 0.5  # of three players one wins
    two = play_match("cambia", "random", "imperfect_greedy", games=60)
    assert two.ahead.value == pytest.approx(two.win_rate.value)


def test_tasks_are_handed_out_as_they_are_needed() -> None:
    pulled = []

    def tasks() -> Iterator[Any]:
        for number in range(10_000):
            pulled.append(number)
            yield [None] * number

    with workers(2) as run:
        results = run(len, tasks())  # type: ignore[arg-type]
        assert [next(results) for _ in range(3)] == [0, 1, 2]
        assert len(pulled) <= 2 * TASKS_PER_WORKER + 3
        results.close()  # type: ignore[attr-defined]
        assert list(run(len, ([None] * number for number in range(200)))) == list(range(200))


def test_an_unknown_option_is_refused() -> None:
    with pytest.raises(UnknownNameError, match="option of a match 'gmaes'; did you mean 'games'"):
        fogtree.match("kuhn_poker", "random", "random", gmaes=2)  # type: ignore[call-arg]
    with pytest.raises(UnknownNameError, match="'workers'; known: games, seed"):
        fogtree.tournament("kuhn_poker", ["random", "search"], workers=2)  # type: ignore[call-arg]


def test_a_game_that_raises_stop_iteration_is_an_error() -> None:
    class Ending(KuhnPoker):
        short_name = ""

        def root(self) -> State:
            raise StopIteration

    with pytest.raises(GameError, match="raised StopIteration"):
        play_match(Ending(), "random", "random", games=2)


@pytest.mark.parametrize("readings", range(12))
def test_a_number_of_players_that_stops_being_one_is_an_error(readings: int) -> None:
    """Whichever reading of ``players`` is the first to give no whole number."""
    left = readings

    class Changing(Game):
        short_name = ""

        @property
        def players(self) -> Any:
            nonlocal left
            left -= 1
            return 2 if left >= 0 else 0.5

        def root(self) -> State:
            return KuhnPoker().root()

    with pytest.raises(GameError, match=r"players must be a whole number .* not 0\.5"):
        fogtree.match(Changing(), "random", "random", games=20)
