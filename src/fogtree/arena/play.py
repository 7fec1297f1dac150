"""One game between agents: the referee knows the state and sends each agent what it may see."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import accumulate

from fogtree.agents.budget import Budget
from fogtree.agents.protocol import Agent, Clairvoyant, Observation, Resigned
from fogtree.arena.record import GameRecord, result_text, returns_if_resigned
from fogtree.errors import GameError, IllegalActionError
from fogtree.game import CHANCE, TERMINAL, Action, Game, State
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
    state, steps, resigned = game.root(), [], None
    referee = _Referee(agents)
    while True:
        referee.show(state)
        if watch is not None:
            watch(state)
        if state.player == TERMINAL:
            break
        try:
            action = _draw(state, luck) if state.player == CHANCE else _ask(state, agents, budget)
        except Resigned:
            resigned = state.player
            break
        steps.append(str(action))
        state = state.child(action)
    if resigned is None:
        returns = tuple(float(value) for value in state.returns())
    else:
        returns = returns_if_resigned(resigned, len(agents))
    names = tuple(agent.name for agent in agents)
    record = GameRecord(game.record_name, names, seed, tuple(steps), returns, resigned=resigned)
    return Played(game, state, record)


class _Referee:
    """Sends every agent the changes of its view, and the agent to move its legal actions."""

    def __init__(self, agents: Sequence[Agent]) -> None:
        self._agents = agents
        self._views: list[object] = [None] * len(agents)

    def show(self, state: State) -> None:
        for player, agent in enumerate(self._agents):
            moves = state.player == player
            if not moves and not agent.every_view:
                continue
            view = state.observation(player)
            if moves:
                actions = tuple(state.actions())
                name = state.name() if agent.by_name else None
                agent.observe(Observation(player, view, actions, name))
            elif view != self._views[player]:
                agent.observe(Observation(player, view))
            self._views[player] = view


def _draw(state: State, luck: random.Random) -> Action:
    outcomes = state.chance()
    bounds = list(accumulate(share for _, share in outcomes))
    return luck.choices([action for action, _ in outcomes], cum_weights=bounds)[0]


def _ask(state: State, agents: Sequence[Agent], budget: Budget | None) -> Action:
    """The decision of the agent to move; an illegal action is an error."""
    agent, possible = agents[state.player], state.actions()
    if not possible:
        raise GameError(f"{agent.name} has no legal action: this game cannot go on")
    if isinstance(agent, Clairvoyant):
        agent.reveal(state)
    action = agent.act(budget).action
    if action not in possible:
        raise IllegalActionError(f"{agent.name} chose '{action!s:.40}', which is not possible")
    return action
