"""One game in progress between learners of another library and agents of fogtree."""

from __future__ import annotations

import random
from collections.abc import Mapping

from fogtree.adapters.learner_encoding import LearnerEncoding
from fogtree.agents import Agent
from fogtree.agents.protocol import Resigned
from fogtree.arena.play import Referee, ask_agent, draw_outcome
from fogtree.arena.record import returns_if_resigned
from fogtree.deep.encoding import Vector
from fogtree.game import CHANCE, TERMINAL, Action, State
from fogtree.game.checks import checked_child, checked_player, checked_returns, checked_root
from fogtree.system.random_streams import derived_seed


class Episode:
    """A game that stops at every decision of a learner; agents and chance play by themselves.

    Learners and agents get their own views only. The seeds of agents are derived one-way, as in a
    match, so they tell nothing about the deal.
    """

    def __init__(self, encoding: LearnerEncoding, agents: Mapping[int, Agent], seed: str) -> None:
        """Begin a game and play to the first decision of a learner; learners have the seats without
        an agent."""
        self._game, self._agents = encoding.game, agents
        self._luck = random.Random(derived_seed(seed, "chance"))
        for player, agent in agents.items():
            agent.start(self._game, player, derived_seed(seed, f"agent {player}"))
        self._referee = Referee(self._game, agents)
        seats = range(self._game.players)
        self._memories = {p: encoding.memory(p) for p in seats if p not in agents}
        self.returns: tuple[float, ...] | None = None
        """The payoffs, once the game is over."""
        self._enter(checked_root(self._game), -1, None)
        self._go_on()

    @property
    def mover(self) -> int:
        """The learner to move, or ``TERMINAL``."""
        return TERMINAL if self.returns is not None else self._mover

    def knowledge(self, player: int) -> Vector:
        """Everything that the learner in this seat knows now, as a vector."""
        return self._memories[player].vector()

    def play(self, action: Action) -> None:
        """Play a legal action of the learner to move, and go on to the next decision."""
        self._step(action)
        self._go_on()

    def _step(self, action: Action) -> None:
        """Play an action of the mover, or take a chance outcome, and enter the next state."""
        self._enter(checked_child(self._game, self.state, action), self._mover, action)

    def _enter(self, state: State, mover: int, action: Action) -> None:
        """Move to a state, to which ``action`` of the player ``mover`` has led (-1 at the root and
        after chance), and show every seat its new view."""
        self.state = state
        self._mover = checked_player(self._game, state.player, self._game.players)
        for player, memory in self._memories.items():
            memory.look(state.observation(player), (action,) if player == mover else None)
        self._possible = self._referee.show(state, self._mover)

    def _go_on(self) -> None:
        """Play on until a learner is to move or the game is over."""
        while self._mover not in self._memories:
            if self._mover == TERMINAL:
                self.returns = tuple(checked_returns(self._game, self.state, self._game.players))
                return
            if self._mover == CHANCE:
                self._step(draw_outcome(self._game, self.state, self._luck))
                continue
            try:
                action = ask_agent(self.state, self._possible, self._agents[self._mover], None)
            except Resigned:
                self.returns = returns_if_resigned(self._mover, self._game.players)
                return
            self._step(action)
