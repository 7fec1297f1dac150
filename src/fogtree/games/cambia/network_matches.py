"""Win rates of networks against a game's other agents, every deal from both seats."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from fogtree import _core
from fogtree.agents import agent_groups, agent_names
from fogtree.arena.statistics import wilson
from fogtree.deep.policy import Policy
from fogtree.errors import OptionError, UnknownNameError
from fogtree.game import Game
from fogtree.games.cambia.game import Cambia, is_full_cambia


@dataclass(frozen=True, slots=True)
class WinRate:
    """A draw is half a win; the bounds are Wilson's, 95 %."""

    value: float
    low: float
    high: float
    games: int


def contestant(policy: Policy) -> _core.DeepContestant:
    """Networks at the native table."""
    return _core.DeepContestant(
        [[network.native() for network in networks] for networks in policy.networks],
        list(policy.weights),
        softmax=policy.mix,
    )


def check_baselines(game: Game, opponents: Sequence[str]) -> None:
    """Refuses opponents that do not exist; they are agents of full-size Cambia."""
    if not opponents:
        return
    if not is_full_cambia(game) or game.players != 2:
        raise OptionError("[evaluation] baselines are for full-size cambia with two players")
    known = [name for name in (*agent_names(game), *agent_groups(game)) if name != "deep"]
    for name in opponents:
        if name not in known:
            raise UnknownNameError("agent in [evaluation] baselines", name, known)


def win_rates(
    policy: Policy, game: Game, opponents: Sequence[str], *, games: int, seed: int, threads: int = 1
) -> dict[str, WinRate]:
    """By opponent; the name of a group stands for the mean over its members."""
    check_baselines(game, opponents)
    assert isinstance(game, Cambia)
    groups = agent_groups(game)
    table, ours = _core.DeepCambia(game.native_rules), contestant(policy)
    members = [member for name in opponents for member in groups.get(name, (name,))]
    single: dict[str, WinRate] = {}
    for name in dict.fromkeys(members):
        theirs = _core.DeepContestant.scripted(name)
        score = _core.cambia_match(table, ours, theirs, games, seed, threads)
        played = score.wins + score.draws + score.losses
        found = wilson(score.wins + score.draws / 2, played)
        single[name] = WinRate(found.value, found.low, found.high, played)
    out = dict(single)
    for name in opponents:
        if name in groups:
            out[name] = _mean([single[member] for member in groups[name]])
    return out


def _mean(rates: Sequence[WinRate]) -> WinRate:
    """The intervals of the members are added as independent errors."""
    count = len(rates)
    value = sum(rate.value for rate in rates) / count
    reach = sum(((rate.high - rate.low) / 2) ** 2 for rate in rates) ** 0.5 / count
    return WinRate(value, value - reach, value + reach, sum(rate.games for rate in rates))
