"""Reach and values of a strategy for a game that was not compiled, estimated by playing games."""

from __future__ import annotations

import random
from dataclasses import dataclass, field

from fogtree.evaluate.inspect import InfosetReport, Inspection
from fogtree.game import CHANCE, TERMINAL, Game, State
from fogtree.game.checks import (
    checked_actions,
    checked_child,
    checked_outcomes,
    checked_player,
    checked_players,
    checked_returns,
    checked_root,
)
from fogtree.game.simulators import infoset_keys
from fogtree.strategy.hashed import HashedStrategy


@dataclass(slots=True)
class _Met:
    """An information set that occurred in the games played, with its player's return in each of
    them."""

    name: str
    player: int
    actions: tuple[str, ...]
    shares: tuple[float, ...]
    returns: list[float] = field(default_factory=list)


def inspect_table(
    game: Game, strategy: HashedStrategy, *, games: int = 2000, seed: int = 0
) -> Inspection:
    """Estimate reach and values of a strategy for a game that was not compiled, by playing
    ``games`` games in which every player follows it.

    The result has the information sets that occurred in these games. Reach is the share of games in
    which an information set occurred, the expected value the mean return of its player in those.
    Values of single actions are not estimated. Where the strategy has no entry, play is uniform.
    """
    luck, met = random.Random(seed), dict[int, _Met]()
    for _ in range(games):
        _play(game, strategy, luck, met)
    return Inspection(
        InfosetReport(
            name=one.name,
            player=one.player,
            actions=one.actions,
            probabilities=one.shares,
            reach=len(one.returns) / games,
            values=None,
            expected_value=sum(one.returns) / len(one.returns),
        )
        for one in met.values()
    )


def _play(game: Game, strategy: HashedStrategy, luck: random.Random, met: dict[int, _Met]) -> None:
    """Play one game by the strategy, and add the returns to the information sets that occurred in
    it."""
    players = checked_players(game)
    keys = [infoset_keys(game, player, strategy.abstraction) for player in range(players)]
    state, passed = checked_root(game), list[_Met]()
    while (mover := checked_player(game, state.player, players)) != TERMINAL:
        for player, memory in enumerate(keys):
            memory.notice(state.observation(player))
        if mover == CHANCE:
            outcomes = checked_outcomes(game, state)
            action = luck.choices([a for a, _ in outcomes], [share for _, share in outcomes])[0]
        else:
            actions = checked_actions(game, state)
            key = keys[mover].key(actions)
            if key not in met:
                met[key] = _new(state, mover, tuple(map(str, actions)), strategy, key)
            passed.append(met[key])
            action = luck.choices(actions, met[key].shares)[0]
            keys[mover].follow(action)
        state = checked_child(game, state, action)
    returns = checked_returns(game, state, players)
    for one in passed:
        one.returns.append(returns[one.player])


def _new(
    state: State, mover: int, actions: tuple[str, ...], strategy: HashedStrategy, key: int
) -> _Met:
    """The entry of an information set that occurs for the first time: the mover's at ``state``,
    with the strategy's mix, uniform if there is none."""
    mix = strategy.mix(key) if len(actions) > 1 else None
    even = (1 / len(actions),) * len(actions)
    shares = even if mix is None else tuple(map(float, mix))
    name = state.name() or f"{mover}:{state.observation(mover)}"
    return _Met(name, mover, actions, shares)
