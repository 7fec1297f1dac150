"""An agent that is brought up to date with a game whenever it is asked."""

from __future__ import annotations

from collections.abc import Sequence

from fogtree.agents import Agent, Observation
from fogtree.game import State
from fogtree.web.storage import Step


class FollowingAgent:
    """Shows an agent the observations of its seat that it has not seen yet, in their order."""

    def __init__(self, agent: Agent, seat: int) -> None:
        """``agent`` must have been started."""
        self.agent, self.seat = agent, seat
        self._followed = 0
        self._view: object = None

    def follow(self, line: Sequence[tuple[State, Step]], now: State) -> None:
        """Show what has happened since the last call; ``line`` is the whole game up to ``now``."""
        for state, step in line[self._followed :]:
            self._show(state)
            if state.player == self.seat:
                self.agent.follow(next(a for a in state.actions() if str(a) == step.value))
        self._followed = len(line)
        self._show(now)

    def _show(self, state: State) -> None:
        mine = state.player == self.seat
        view = state.observation(self.seat)
        if mine or (self.agent.every_view and view != self._view):
            actions = tuple(state.actions()) if mine else ()
            name = state.name() if mine and self.agent.by_name else None
            self.agent.observe(Observation(self.seat, view, actions, name))
        self._view = view
