"""The agents of one game: started when first asked, brought up to date in their threads."""

from __future__ import annotations

import logging
import random
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass, replace

from fogtree.agents import Agent
from fogtree.agents.budget import Budget
from fogtree.errors import GameError
from fogtree.game import Action, Game, State
from fogtree.search.agent import SearchAgent
from fogtree.system.random_streams import derived_seed
from fogtree.web.engines import Engines
from fogtree.web.following import FollowingAgent
from fogtree.web.opponents import Roster, takes_time
from fogtree.web.storage import GameSetup, Step

_LOG = logging.getLogger("fogtree.web")
_SHORTEST = 0.02  # seconds that an agent gets at least
_LEAST_SHARE = 0.001  # a probability below this is not kept
Mix = tuple[tuple[str, float], ...]


@dataclass(frozen=True, slots=True)
class Chosen:
    """What an agent decided, as text, with the probabilities that it drew it from."""

    action: str
    mix: Mix = ()
    failed: bool = False
    """Whether the agent failed, so that the action was drawn at random."""


class Players:
    """The agents that sit in a game's seats."""

    def __init__(self, setup: GameSetup, game: Game, roster: Roster, engines: Engines) -> None:
        self._setup, self._game, self._roster, self._engines = setup, game, roster, engines
        self._players: dict[int, FollowingAgent] = {}
        self._budgets: dict[int, Budget] = {}  # as the agents' specs name them
        self._times_forgotten = 0
        self._lock = threading.Lock()  # of these: a thread that nobody waits for may still run

    def takes_time(self, seat: int) -> bool:
        """Whether the agent of a seat uses the time it is given."""
        return takes_time(self._setup.seats[seat].agent or "random", self._game)

    def decide(
        self, seat: int, line: list[tuple[State, Step]], state: State, deadline: float
    ) -> Chosen:
        """In a thread: show a seat's agent what happened, and return the action that it chooses at
        ``state``. It has until ``deadline``, a moment of the monotonic clock. An agent that fails
        is started once more if half of this time is left; if it fails again, the action is drawn at
        random."""
        halftime, times_forgotten = (time.monotonic() + deadline) / 2, self._times_forgotten
        for restarts in (1, 0):
            try:
                return self._decide(seat, line, state, deadline, times_forgotten)
            except Exception as error:
                if not self._drop(seat, times_forgotten):
                    break  # nobody waits for this decision any more, and the seat has a new agent
                again = restarts > 0 and time.monotonic() <= halftime
                self._warn(seat, "is started once more" if again else "plays at random", error)
                if not again:
                    break
        # An agent that cannot go on must not end the game.
        return Chosen(random_action(state), failed=True)

    def _warn(self, seat: int, what_follows: str, error: Exception) -> None:
        """Log the failure of an agent. The error's text may contain what the agent sees, so that
        only its kind is written down."""
        _LOG.warning(
            "game %s, seat %d: agent '%s' failed and %s: %s",
            self._setup.id,
            seat,
            self._setup.seats[seat].agent,
            what_follows,
            type(error).__name__,
        )

    def _decide(
        self,
        seat: int,
        line: list[tuple[State, Step]],
        state: State,
        deadline: float,
        times_forgotten: int,
    ) -> Chosen:
        """Show a seat's agent what happened, and let it decide before the deadline; it is started
        if there is none that fits the game."""
        player = self._players.get(seat)
        if player is None or not player.fits(line):
            player = self._start(seat, times_forgotten)
        player.follow(line, state)
        if isinstance(player.agent, SearchAgent):
            with self._engines.running(player.agent, deadline):
                return self._act(seat, player, deadline)
        return self._act(seat, player, deadline)

    def _act(self, seat: int, player: FollowingAgent, deadline: float) -> Chosen:
        """Let an agent decide before the deadline."""
        left = max(_SHORTEST, deadline - time.monotonic())
        self._limit_time(seat, player.agent, left)
        decision = player.act(Budget(seconds=left))
        return Chosen(str(decision.action), _kept_mix(decision.mix))

    def _start(self, seat: int, times_forgotten: int) -> FollowingAgent:
        """Make and start the agent of a seat; an error if agents were forgotten meanwhile."""
        self._drop(seat, times_forgotten)
        spec = self._setup.seats[seat].agent or "random"
        agent = self._roster.load(spec, self._game, against_people=True)
        agent.start(self._game, seat, derived_seed(self._setup.seed, f"agent {seat}"))
        player = FollowingAgent(agent, seat)
        with self._lock:
            if self._times_forgotten == times_forgotten:
                self._players[seat] = player
                if isinstance(agent, SearchAgent):
                    self._engines.add(agent)
                return player
        agent.close()
        raise GameError("the agent is no longer needed")

    def interrupt(self) -> None:
        """End running decisions soon."""
        for player in list(self._players.values()):
            player.agent.interrupt()

    def _drop(self, seat: int, times_forgotten: int) -> bool:
        """Forget the agent of a seat; if the seat asks for one again, another is started. If agents
        were forgotten since, nothing happens, and the answer is no."""
        with self._lock:
            if self._times_forgotten != times_forgotten:
                return False
            self._pop(seat)
            return True

    def _pop(self, seat: int) -> None:
        """Remove the agent of a seat, if it has one."""
        player = self._players.pop(seat, None)
        if player is not None and isinstance(player.agent, SearchAgent):
            self._engines.remove(player.agent)

    def forget(self) -> None:
        """Forget all agents, so that others are started at their seats' next decisions."""
        with self._lock:
            self._times_forgotten += 1
            for seat in list(self._players):
                self._pop(seat)

    def close(self) -> None:
        """Close all agents; none of them may be thinking."""
        for player in list(self._players.values()):
            player.agent.close()
        self.forget()

    def _limit_time(self, seat: int, agent: Agent, seconds: float) -> None:
        """Give a search with a budget of its own, such as a number of steps, a time limit too."""
        if not isinstance(agent, SearchAgent) or not agent.settings.own_budget:
            return
        own = self._budgets.setdefault(seat, agent.settings.budget)
        wanted = min(own.seconds, seconds) if own.seconds else seconds
        agent.settings = replace(agent.settings, budget=replace(own, seconds=wanted))


def random_action(state: State) -> str:
    """The text of a legal action that is drawn at random."""
    return str(random.choice(list(state.actions())))


def _kept_mix(mix: Mapping[Action, float]) -> Mix:
    """The actions of a mix as texts with their probabilities, if these are at least
    ``_LEAST_SHARE``; the largest first."""
    rows = [(str(action), round(float(share), 4)) for action, share in mix.items()]
    kept = [row for row in rows if row[1] >= _LEAST_SHARE]
    return tuple(sorted(kept, key=lambda row: -row[1]))
