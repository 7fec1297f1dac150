"""An agent that is brought up to date with a game whenever it is asked."""

from __future__ import annotations

from collections.abc import Sequence

from fogtree.agents import Agent, Decision, Observation
from fogtree.agents.budget import Budget
from fogtree.game import State
from fogtree.web.storage import Step


class FollowingAgent:
    """Brings an agent up to date: shows it the observations of its seat that it has not seen yet,
    in order."""

    def __init__(self, agent: Agent, seat: int) -> None:
        """``agent`` must have been started."""
        self.agent, self.seat = agent, seat
        self._steps: list[Step] = []
        self._shown = 0  # the number of states that the agent was shown
        self._view: object = None
        self._acted: tuple[int, str] | None = None  # its last decision: step number and action

    def fits(self, line: Sequence[tuple[State, Step]]) -> bool:
        """Whether the agent has seen only steps of this game so far; not if a move was taken back
        since."""
        seen = self._steps
        return len(seen) <= len(line) and all(
            mine == step for mine, (_, step) in zip(seen, line, strict=False)
        )

    def follow(self, line: Sequence[tuple[State, Step]], now: State) -> None:
        """Show the agent what happened since the last call; ``line`` is the whole game up to the
        state ``now``. Actions of this seat that the agent did not choose itself are replayed to
        it."""
        for number in range(len(self._steps), len(line)):
            state, step = line[number]
            self._show(number, state)
            if state.player == self.seat and self._acted != (number, step.value):
                self.agent.follow(next(a for a in state.actions() if str(a) == step.value))
            self._steps.append(step)
        self._show(len(line), now)

    def act(self, budget: Budget) -> Decision:
        """Let the agent decide at the state ``now`` of the last :meth:`follow`."""
        decision = self.agent.act(budget)
        self._acted = len(self._steps), str(decision.action)
        return decision

    def _show(self, number: int, state: State) -> None:
        """Show the agent the state with this number, counted from 0, if its seat is to move there
        or its view has changed; a state that it was shown before is skipped."""
        if number < self._shown:
            return
        self._shown = number + 1
        mine = state.player == self.seat
        view = state.observation(self.seat)
        if mine or (self.agent.every_view and view != self._view):
            actions = tuple(state.actions()) if mine else ()
            name = state.name() if mine and self.agent.by_name else None
            self.agent.observe(Observation(self.seat, view, actions, name))
        self._view = view
