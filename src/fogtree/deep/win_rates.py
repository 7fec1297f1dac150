"""Win rates of networks against a game's scripted agents, by native matches."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from fogtree.agents import agent_groups
from fogtree.arena.statistics import wilson
from fogtree.deep.policy import Policy
from fogtree.deep.support import TrainingSupport
from fogtree.errors import OptionError, UnknownNameError
from fogtree.game import Game


@dataclass(frozen=True, slots=True)
class WinRate:
    """A share of games won, a draw counting half, with its 95 % Wilson interval."""

    value: float
    low: float
    high: float
    games: int


def check_baselines(game: Game, support: TrainingSupport | None, opponents: Sequence[str]) -> None:
    """Refuse opponents that cannot be matched against networks; an empty list always passes."""
    if not opponents:
        return
    if support is None or not support.scripted_agents:
        raise OptionError(f"[evaluation] baselines: {game} has no matches against other agents")
    known = (*support.scripted_agents, *agent_groups(game))
    for name in opponents:
        if name not in known:
            raise UnknownNameError("agent in [evaluation] baselines", name, known)


def win_rates(
    policy: Policy,
    support: TrainingSupport,
    opponents: Sequence[str],
    *,
    games: int,
    seed: int,
    threads: int = 1,
) -> dict[str, WinRate]:
    """Win rates by opponent; a group's is the mean over its members, which are listed as well."""
    check_baselines(support.game, support, opponents)
    groups = agent_groups(support.game)
    ours = policy.native()
    members = [member for name in opponents for member in groups.get(name, (name,))]
    rates: dict[str, WinRate] = {}
    for name in dict.fromkeys(members):
        theirs = support.scripted(name)
        score = support.match(ours, theirs, games=games, seed=seed, threads=threads)
        played = score.wins + score.draws + score.losses
        found = wilson(score.wins + score.draws / 2, played)
        rates[name] = WinRate(found.value, found.low, found.high, played)
    means = {name: _mean([rates[m] for m in groups[name]]) for name in opponents if name in groups}
    return rates | means


def _mean(rates: Sequence[WinRate]) -> WinRate:
    """The mean of win rates with a 95 % interval, for which their errors count as independent."""
    count = len(rates)
    value = sum(rate.value for rate in rates) / count
    half_width = sum(((rate.high - rate.low) / 2) ** 2 for rate in rates) ** 0.5 / count
    games = sum(rate.games for rate in rates)
    return WinRate(value, value - half_width, value + half_width, games)
