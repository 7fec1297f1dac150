"""Everything that can sit at a table: told what it may know, asked what it does."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field
from typing import ClassVar

from fogtree.agents.budget import Budget
from fogtree.game import Action, Game, State


@dataclass(frozen=True, slots=True)
class Observation:
    """What the table tells one player. At that player's own decision ``actions`` are what can be
    done and ``name`` is the information set's name, for an agent that asks for it."""

    player: int
    view: Hashable
    actions: tuple[Action, ...] = ()
    name: str | None = None


@dataclass(frozen=True, slots=True)
class Decision:
    """What an agent does, and as much of the reasons as it has."""

    action: Action
    mix: Mapping[Action, float] = field(default_factory=dict)  # probabilities it drew from
    values: Mapping[Action, float] = field(default_factory=dict)  # in payoff units
    belief: object | None = None
    stats: Mapping[str, float | str] = field(default_factory=dict)


class Agent(ABC):
    """One player. ``start`` begins a game; then it observes and acts until the game ends."""

    every_view: ClassVar[bool] = True
    """Whether it must be told of every change it can see, or only at its own decisions."""

    by_name: ClassVar[bool] = False
    """Whether it needs the names of its information sets, which long games take time to tell."""

    name: str

    @abstractmethod
    def start(self, game: Game, player: int, seed: str) -> None:
        """A new game begins. The same seed and the same observations make the same decisions."""

    @abstractmethod
    def observe(self, observation: Observation) -> None:
        """Something changed in what this player sees."""

    @abstractmethod
    def act(self, budget: Budget | None = None) -> Decision:
        """A decision at the last observation, which had actions."""

    def follow(self, action: Action) -> None:  # noqa: B027
        """This was done at the last observation, whatever the agent itself decided. Only somebody
        who replays a game says so; at a table the agent's own decision is what happens."""

    def ponder(self) -> None:  # noqa: B027
        """It is somebody else's turn: think ahead, if this agent can, until something happens."""

    def interrupt(self) -> None:  # noqa: B027
        """Another thread asks that a running ``act`` decide now; it may take a moment."""

    def close(self) -> None:  # noqa: B027
        """The agent is not needed any more."""


class Resigned(Exception):  # noqa: N818 - not an error: somebody gave up
    """Raised by an agent's ``act`` instead of a decision: the player gives the game up."""


class Clairvoyant(ABC):
    """An agent that is shown the whole state before it acts: a yardstick, not a player."""

    @abstractmethod
    def reveal(self, state: State) -> None:
        """The true state in which the next decision is made."""
