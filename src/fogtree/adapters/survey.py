"""A bounded walk over a game: its actions, what players can notice, and the range of payoffs."""

from __future__ import annotations

import math
import random
from collections.abc import Hashable
from dataclasses import dataclass, field
from functools import lru_cache

from fogtree.deep.encoding import Fact, Nothing, new_facts
from fogtree.game import CHANCE, TERMINAL, Action, Game, State
from fogtree.game.checks import (
    checked_child,
    checked_edges,
    checked_player,
    checked_players,
    checked_returns,
    checked_root,
    checked_view,
)
from fogtree.tree.size import DEEPEST, guess_size, too_deep_error

MOST_HISTORIES = 10_000
"""Histories that a survey visits at the most."""

_SAMPLED_GAMES = 10
"""Random games by which the payoffs of a larger game are estimated."""

Trace = tuple[int, Hashable]
"""The number of steps in a player's history so far, and the last view."""

FIRST_TRACE: Trace = (-1, Nothing)


def notice(
    trace: Trace, view: Hashable, own: tuple[Action] | None
) -> tuple[Trace, list[tuple[Hashable, ...]]]:
    """A player's history after seeing the next state, and the facts that are new in it. A view
    equal to the last one adds nothing, unless the player has acted (``own``)."""
    step, before = trace
    if own is None and view == before:
        return trace, []
    move = None if own is None else str(own[0])
    return (step + 1, view), new_facts(step + 1, move, before, view)


@dataclass(slots=True)
class Survey:
    """The results of a walk over a game. It is ``complete`` if every history was visited; otherwise
    it covers some random games, and there are no ``facts``."""

    complete: bool = False
    actions: dict[str, None] = field(default_factory=dict)
    facts: dict[Fact, int] = field(default_factory=dict)
    """Every fact that a player can come to know, with its number."""
    payoffs: list[float] = field(default_factory=list)
    """The lowest and the highest payoff."""
    sums: list[float] = field(default_factory=list)
    """The lowest and the highest sum of all players' payoffs."""
    most_outcomes: int = 0
    """The largest number of outcomes of one chance event."""
    longest: int = 0
    """The largest number of steps in a game."""

    def add_end(self, returns: list[float]) -> None:
        """Record the payoffs at the end of a game."""
        self.payoffs = [min([*self.payoffs, *returns]), max([*self.payoffs, *returns])]
        total = math.fsum(returns)
        self.sums = [min([*self.sums, total]), max([*self.sums, total])]


def survey(game: Game) -> Survey:
    """Visit every history of a game, if there are not too many; else play some random games. The
    last few surveys are kept."""
    try:
        hash(game)
    except TypeError:
        return _survey(game)
    return _kept_survey(game)


def _survey(game: Game, most: int = MOST_HISTORIES) -> Survey:
    """A new survey of a game, complete if the game has at most ``most`` histories."""
    players = checked_players(game)
    found = Survey()
    guess = guess_size(game, groups=20, paths=10, enough=100.0 * most)
    if guess.lower_bound <= most and _walk(game, players, found, most):
        found.complete = True
        return found
    luck, found = random.Random(0), Survey()
    for _ in range(_SAMPLED_GAMES):
        _play(game, players, found, luck)
    return found


_kept_survey = lru_cache(maxsize=32)(_survey)


def _walk(game: Game, players: int, found: Survey, most: int) -> bool:
    """Visit every history and record it in ``found``; False if there are more than ``most``."""
    root = checked_root(game)
    looks = _Looks(game, found)
    stack = [(root, looks.at(root, (FIRST_TRACE,) * players, -1, None), 0)]
    visited = 0
    while stack:
        state, traces, depth = stack.pop()
        visited += 1
        if visited > most:
            return False
        if depth > DEEPEST:
            raise too_deep_error(game)
        found.longest = max(found.longest, depth)
        mover = checked_player(game, state.player, players)
        if mover == TERMINAL:
            found.add_end(checked_returns(game, state, players))
            continue
        for action in reversed(_edges(game, state, mover, found)):
            child = checked_child(game, state, action)
            stack.append((child, looks.at(child, traces, mover, action), depth + 1))
    return True


def _edges(game: Game, state: State, mover: int, found: Survey) -> list[Action]:
    """The actions or possible chance outcomes at a state. The texts of actions, and the largest
    number of outcomes of a chance event, are recorded in ``found``."""
    edges = checked_edges(game, state, mover)
    if mover == CHANCE:
        found.most_outcomes = max(found.most_outcomes, len(edges))
    else:
        found.actions.update(dict.fromkeys(map(str, edges)))
    return edges


class _Looks:
    """Follows the players' views from state to state, and numbers facts when they first occur."""

    def __init__(self, game: Game, found: Survey) -> None:
        self._game, self._found = game, found
        self._after: dict[tuple[Trace, Hashable, tuple[Action] | None], Trace] = {}

    def at(
        self, state: State, traces: tuple[Trace, ...], mover: int, action: Action
    ) -> tuple[Trace, ...]:
        """The players' traces at a state, given those at the state before it, in which ``mover``
        took ``action`` (-1 and None at the root)."""
        out = []
        for player, trace in enumerate(traces):
            view = checked_view(self._game, state, player)
            look = trace, view, (action,) if player == mover else None
            after = self._after.get(look)
            if after is None:
                after, facts = notice(*look)
                self._after[look] = after
                for fact in facts:
                    self._found.facts.setdefault(fact, len(self._found.facts))
            out.append(after)
        return tuple(out)


def _play(game: Game, players: int, found: Survey, luck: random.Random) -> None:
    """Play one game with random actions and chance outcomes, all equally likely, and record it in
    ``found``."""
    state = checked_root(game)
    for _ in range(DEEPEST):
        mover = checked_player(game, state.player, players)
        if mover == TERMINAL:
            found.add_end(checked_returns(game, state, players))
            return
        state = checked_child(game, state, luck.choice(_edges(game, state, mover, found)))
    raise too_deep_error(game)
