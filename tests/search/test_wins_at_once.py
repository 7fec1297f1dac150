"""An action that wins at once is played alone, at a first decision and at a later one."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import pytest

from fogtree.agents import Budget
from fogtree.agents.protocol import Observation
from fogtree.game import TERMINAL, Game, State
from fogtree.search import SearchAgent, search_options

_ACTIONS = tuple("abcdefgh")
_BUDGET = Budget(steps=100)
_AS_IT_IS = search_options(purification="none")


@dataclass(frozen=True)
class Race(Game):
    """Player 0 hides one of so many ``numbers``, then player 1 acts, ``decisions`` times in all.
    Every last action of player 1 wins, but all but ``fast`` after one more action. If ``unsafe``,
    ``fast`` loses where that number is hidden."""

    players = 2
    short_name = "race"
    decisions: int = 1
    fast: str = "h"
    unsafe: int | None = None
    numbers: int = 3

    def root(self) -> State:
        return Racing(self, ())


@dataclass(frozen=True)
class Racing(State):
    game: Race
    played: tuple[Any, ...]

    @property
    def player(self) -> int:
        ends = 2 * self.game.decisions
        if len(self.played) < ends:
            return len(self.played) % 2
        return TERMINAL if self.played[ends - 1] == self.game.fast or len(self.played) > ends else 1

    def actions(self) -> tuple[Any, ...]:
        if len(self.played) == 2 * self.game.decisions:
            return ("on", "also on")
        return range(1, self.game.numbers + 1) if self.player == 0 else _ACTIONS

    def child(self, action: Any) -> State:
        return replace(self, played=(*self.played, action))

    def returns(self) -> tuple[float, float]:
        lost = self.played[-2:] == (self.game.unsafe, self.game.fast)
        return (1.0, -1.0) if lost else (-1.0, 1.0)

    def observation(self, player: int) -> tuple[Any, ...]:
        last = 2 * self.game.decisions
        return (len(self.played), *self.played[player:last:2], *self.played[last:])


def _decide(game: Race, seed: str, budget: Budget = _BUDGET, **settings: Any) -> Any:
    """Player 1's last decision; its earlier actions are b."""
    agent, state = SearchAgent(game, **settings), game.root()
    agent.start(game, 1, seed)
    decision = None
    for _ in range(game.decisions):
        agent.observe(Observation(1, state.observation(1)))
        state = state.child(2)
        actions = tuple(state.actions())
        agent.observe(Observation(1, state.observation(1), actions, state.name()))
        decision = agent.act(budget)
        state = state.child("b")
        agent.follow("b")
    return decision


# Before a second decision positions are drawn that the search does not open; only in compiled games
# are they looked at all the same.
@pytest.mark.parametrize(("compile", "decisions"), [(True, 1), (True, 2), (False, 1)])
@pytest.mark.parametrize("fast", ["c", "h"])
def test_it_is_played_alone(compile: bool, decisions: int, fast: str) -> None:
    for seed in "abc":
        decision = _decide(Race(decisions, fast), seed, compile=compile)
        assert decision.belief_size == 3**decisions
        assert decision.mix == {fast: 1.0}
        assert decision.wins_at_once


@pytest.mark.parametrize("compile", [True, False])
@pytest.mark.parametrize("decisions", [1, 2])
def test_it_must_win_wherever_we_may_be(compile: bool, decisions: int) -> None:
    for seed in "abc":
        assert not _decide(Race(decisions, unsafe=1), seed, compile=compile).wins_at_once


@pytest.mark.long
@pytest.mark.parametrize("compile", [True, False])
@pytest.mark.parametrize("steps", [1, 20, 1000])
def test_positions_that_were_not_opened_count_too(compile: bool, steps: int) -> None:
    """After an action outside the mix of the last search, few possible positions are opened."""
    for seed in "abc":
        game = Race(2, unsafe=150, numbers=300)
        decision = _decide(game, seed, compile=compile, budget=Budget(steps=steps))
        assert not decision.wins_at_once


@pytest.mark.long
def test_a_compiled_position_need_not_be_opened() -> None:
    for seed in "abc":
        game = Race(2, numbers=300)
        decision = _decide(game, seed, compile=True, budget=Budget(steps=20))
        assert decision.mix == {"h": 1.0}
        assert decision.wins_at_once


def test_a_strategy_that_is_not_purified_is_played_as_it_is() -> None:
    assert not _decide(Race(), "a", compile=True, options=_AS_IT_IS).wins_at_once


@pytest.mark.parametrize("decisions", [1, 2])
def test_the_rules_are_not_asked_after_the_search(
    decisions: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Looking for such an action takes no time of its own, however slow the rules are."""
    calls: list[tuple[Any, ...]] = []
    child = Racing.child

    def counted(self: Racing, action: Any) -> State:
        calls.append(self.played)
        return child(self, action)

    monkeypatch.setattr(Racing, "child", counted)
    counts = []
    for options in (_AS_IT_IS, search_options()):
        calls.clear()
        _decide(Race(decisions), "a", compile=False, options=options)
        counts.append(len(calls))
    assert counts[0] == counts[1]
