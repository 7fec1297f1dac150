"""The protocol of agents: they are given observations and asked for decisions."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field
from functools import wraps
from typing import Any, ClassVar

from fogtree.agents.budget import Budget
from fogtree.errors import GameError
from fogtree.game import Action, Game, State


@dataclass(frozen=True, slots=True)
class Observation:
    """What one player sees of a state. Where the player is to decide, ``actions`` are the legal
    actions and ``name`` is the name of the information set, for agents that need it."""

    player: int
    view: Hashable
    actions: tuple[Action, ...] = ()
    name: str | None = None


@dataclass(frozen=True, slots=True)
class Decision:
    """The action that an agent plays, with the probabilities, values and numbers behind it if it
    has any."""

    action: Action
    mix: Mapping[Action, float] = field(default_factory=dict)
    """The probabilities from which the action was drawn."""
    values: Mapping[Action, float] = field(default_factory=dict)
    """The value of each action in payoffs."""
    belief: object | None = None
    """The positions that the agent holds possible, in a form of its own."""
    stats: Mapping[str, float | str] = field(default_factory=dict)
    """Numbers about the decision, such as nodes and seconds."""


def _with_checked_budget(act: Callable[..., Decision]) -> Callable[..., Decision]:
    """An agent's ``act`` that checks the type of its budget before the agent runs."""

    @wraps(act)
    def checked(agent: Agent, budget: Budget | None = None) -> Decision:
        Budget.check(budget)
        return act(agent, budget)

    return checked


class Agent(ABC):
    """Plays one seat. ``start`` begins a game; then the agent observes and acts until the end."""

    every_view: ClassVar[bool] = True
    """Whether the agent must see every change of its view, not only views at its own decisions."""

    by_name: bool = False
    """Whether the agent needs names of information sets, which are slow to make in long games."""

    name: str

    def __init_subclass__(cls, **options: Any) -> None:
        """Wrap the ``act`` of every subclass so that the type of its budget is checked first."""
        super().__init_subclass__(**options)
        if "act" in vars(cls):
            cls.act = _with_checked_budget(cls.act)  # type: ignore[method-assign]

    @abstractmethod
    def start(self, game: Game, player: int, seed: str) -> None:
        """Begin a game as ``player``. The same seed and the same observations lead to the same
        decisions, unless these are limited by time or made by several threads."""

    @abstractmethod
    def observe(self, observation: Observation) -> None:
        """Take the player's next view."""

    @abstractmethod
    def act(self, budget: Budget | None = None) -> Decision:
        """Decide at the last observation, which had actions."""

    def follow(self, action: Action) -> None:  # noqa: B027
        """Take the action that was played at the last observation, when a game is replayed. In a
        match the agent's own decision is played, and this is not called."""

    def ponder(self) -> None:  # noqa: B027
        """Start thinking ahead, if this agent can, while another player decides."""

    def catch_up(self) -> None:  # noqa: B027
        """Complete work for which the last decision had no time, while the agent would otherwise be
        idle; :meth:`interrupt` ends it."""

    def interrupt(self) -> None:  # noqa: B027
        """End a running ``act`` or ``catch_up`` soon; called from another thread."""

    def close(self) -> None:  # noqa: B027
        """Release processes and memory of the agent, which is not used afterwards."""


class Resigned(Exception):  # noqa: N818 - not an error
    """Raised by an agent's ``act`` instead of a decision: the player resigns."""


class Clairvoyant:
    """An agent that sees the whole state before it acts: an upper bound, not a fair opponent."""

    _revealed: State | None = None

    def reveal(self, state: State) -> None:
        """Take the true state in which the next decision is made."""
        self._revealed = state

    def true_state(self, seen: Observation) -> State:
        """The state that was revealed for the decision at this observation; it can be asked for
        once."""
        state, self._revealed = self._revealed, None
        if state is None:
            raise GameError("this agent sees the whole state: reveal it before every decision")
        if not isinstance(state, State) or state.observation(seen.player) != seen.view:
            raise GameError("the state that was revealed is not the one that was observed")
        return state
