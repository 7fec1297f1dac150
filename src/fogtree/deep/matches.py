"""Win rates of networks against a game's other agents, every deal from both seats."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from fogtree.agents import load_agent
from fogtree.arena.statistics import wilson
from fogtree.arena.table import play_game
from fogtree.deep.engine import Arena
from fogtree.deep.policy import Policy
from fogtree.errors import OptionError


@dataclass(frozen=True, slots=True)
class WinRate:
    """A draw is half a win; the bounds are Wilson's, 95 %."""

    value: float
    low: float
    high: float
    games: int


def win_rates(
    policy: Policy,
    arena: Arena,
    opponents: Sequence[str],
    *,
    games: int,
    seed: int,
    threads: int = 1,
) -> dict[str, WinRate]:
    """By opponent. Full-size Cambia only: compiled games are measured exactly."""
    del threads
    if arena.tree is not None or arena.game.short_name != "cambia":
        raise OptionError("baselines are agents of full-size cambia; leave [evaluation] baselines")
    return {name: _against(policy, arena, name, games, seed) for name in opponents}


def _against(policy: Policy, arena: Arena, name: str, games: int, seed: int) -> WinRate:
    from fogtree.agents.deep import DeepAgent  # noqa: PLC0415 - it needs this package

    ours, theirs = DeepAgent(policy), load_agent(name, arena.game)
    points, played = 0.0, 0
    for deal in range(-(-games // 2)):
        for seat in range(2):
            agents = [ours, theirs] if seat == 0 else [theirs, ours]
            text = f"{seed}/{deal}"
            game = play_game(arena.game, agents, seed=f"{text}/{seat}", deal=text)
            gain = game.record.returns[seat]
            points += (gain > 0) + (gain == 0) / 2
            played += 1
    found = wilson(points, played)
    return WinRate(found.value, found.low, found.high, played)
