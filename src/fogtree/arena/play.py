"""One game between agents: the referee knows the state and sends each agent what it may see."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate

from fogtree.agents.budget import Budget
from fogtree.agents.protocol import Agent, Clairvoyant, Observation, Resigned
from fogtree.arena.record import GameRecord, result_text, returns_if_resigned
from fogtree.errors import GameError, IllegalActionError
from fogtree.game import CHANCE, TERMINAL, Action, Game, State
from fogtree.game.checks import (
    checked_actions,
    checked_child,
    checked_outcomes,
    checked_player,
    checked_returns,
    checked_root,
)
from fogtree.system.random_streams import derived_seed


@dataclass(frozen=True, slots=True)
class Played:
    """A finished game: its last state, and its record, which has the returns."""

    game: Game
    end: State
    record: GameRecord

    def result_text(self) -> str:
        """Who won and why, in one line."""
        return result_text(self.game, self.record, self.end)


def play_game(
    game: Game,
    agents: Sequence[Agent],
    *,
    seed: str,
    deal: str | None = None,
    budget: Budget | None = None,
    watch: Callable[[State], None] | None = None,
) -> Played:
    """Play one game.

    Chance outcomes depend only on ``deal`` (default: the seed), an agent's random choices on
    ``seed`` and its seat: equal seeds and agents give equal games. The seeds that agents get are
    derived one-way, so they say nothing about the deal or about each other. ``watch`` is called
    with every state.
    """
    luck = random.Random(derived_seed(seed if deal is None else deal, "chance"))
    for player, agent in enumerate(agents):
        agent.start(game, player, derived_seed(seed, f"agent {player}"))
    state = checked_root(game)
    steps: list[str] = []
    resigned: int | None = None
    referee = Referee(game, dict(enumerate(agents)))
    while True:
        mover = checked_player(game, state.player, len(agents))
        actions = referee.show(state, mover)
        if watch is not None:
            watch(state)
        if mover == TERMINAL:
            break
        try:
            if mover == CHANCE:
                action = draw_outcome(game, state, luck)
            else:
                action = ask_agent(state, actions, agents[mover], budget)
        except Resigned:
            resigned = mover
            break
        steps.append(str(action))
        state = checked_child(game, state, action)
    if resigned is None:
        returns = tuple(checked_returns(game, state, len(agents)))
    else:
        returns = returns_if_resigned(resigned, len(agents))
    names = tuple(agent.name for agent in agents)
    record = GameRecord(game.record_name, names, seed, tuple(steps), returns, resigned=resigned)
    return Played(game, state, record)


class Referee:
    """Sends every agent the changes of its view, and the agent to move its legal actions."""

    def __init__(self, game: Game, agents: Mapping[int, Agent]) -> None:
        """Begin a game, in which ``agents`` by seat have seen nothing yet."""
        self._game = game
        self._agents = agents
        self._views: dict[int, object] = dict.fromkeys(agents)

    def show(self, state: State, mover: int) -> tuple[Action, ...]:
        """Send the agents their views of a state, in which ``mover`` is to act; returns the legal
        actions, or none if the mover is not one of the agents."""
        actions: tuple[Action, ...] = ()
        for player, agent in self._agents.items():
            moves = mover == player
            if not moves and not agent.every_view:
                continue
            view = state.observation(player)
            if moves:
                actions = checked_actions(self._game, state)
                name = state.name() if agent.by_name else None
                agent.observe(Observation(player, view, actions, name))
            elif view != self._views[player]:
                agent.observe(Observation(player, view))
            self._views[player] = view
        return actions


def draw_outcome(game: Game, state: State, luck: random.Random) -> Action:
    """A random outcome of a chance state."""
    outcomes = checked_outcomes(game, state)
    bounds = list(accumulate(share for _, share in outcomes))
    return luck.choices([action for action, _ in outcomes], cum_weights=bounds)[0]


def ask_agent(
    state: State, possible: tuple[Action, ...], agent: Agent, budget: Budget | None
) -> Action:
    """The action that the agent to move chooses among the possible ones; any other is an error."""
    if not possible:
        raise GameError(f"{agent.name} has no legal action: this game cannot go on")
    if isinstance(agent, Clairvoyant):
        agent.reveal(state)
    action = agent.act(budget).action
    if action not in possible:
        raise IllegalActionError(f"{agent.name} chose '{action!s:.40}', which is not possible")
    return action
