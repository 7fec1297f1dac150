"""The protocol of games: ``Game`` and ``State``, on which everything else is built.

A game hands out its root :class:`State`; a state says who moves, what can be done, and what each
player sees. That is all: information sets are *derived*, so perfect recall holds by construction.

**What a player knows.** ``observation(player)`` is the player's *current view*: anything hashable
that says what the player can see now (``None``: nothing yet). A player notices when the view
changes and remembers every view and every own action. Two states are indistinguishable to a player
exactly if that remembered history is equal; a step that leaves the view as it was goes unnoticed.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import Field, fields, is_dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Final

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from fogtree import _core
    from fogtree.game.tree_source import TreeSource

CHANCE: Final = -1
"""The ``player`` of a state where chance moves."""
TERMINAL: Final = -2
"""The ``player`` of a state where the game is over."""

Action = Hashable
"""An action is any hashable value; ``str(action)`` is what people read."""


def _missing(state: State, method: str) -> NotImplementedError:
    """The error for a state that lacks a method which the game needs."""
    return NotImplementedError(f"{type(state).__name__} has no method '{method}'")


class State(ABC):
    """One history of a game; immutable.

    Every game writes ``player``, ``actions``, ``child``, ``returns`` and ``observation``, and
    ``chance`` where chance moves. All other methods are optional.
    """

    __slots__ = ()

    @property
    @abstractmethod
    def player(self) -> int:
        """Who moves: a player's number from 0, ``CHANCE`` or ``TERMINAL``."""

    def actions(self) -> Sequence[Action]:
        """The legal actions of the player to move; equal for all states of one information set."""
        raise _missing(self, "actions")

    def chance(self) -> Sequence[tuple[Action, float]]:
        """At a chance state: every outcome with its probability, which sum to 1."""
        raise _missing(self, "chance")

    @abstractmethod
    def child(self, action: Action) -> State:
        """The state after an action or a chance outcome."""

    def returns(self) -> Sequence[float]:
        """At a terminal state: the payoff of each player."""
        raise _missing(self, "returns")

    @abstractmethod
    def observation(self, player: int) -> Hashable:
        """What the player can see now: anything hashable; None if nothing yet.

        A player notices when it changes, and remembers every view and every own action. Two states
        with equal memories are in one information set.
        """

    def name(self) -> str | None:
        """A short readable name of the mover's information set (``"Jcb"``); None if the game has no
        such names."""
        return None

    def show(self, player: int) -> str:
        """The player's view as text for people."""
        return str(self.observation(player))

    def show_all(self) -> str:
        """The whole state, for people, once nothing needs to be hidden; empty if the players' views
        together show everything."""
        return ""

    def action_name(self, action: Action) -> str:
        """An action as people write it in a list of moves."""
        return str(action)

    def result_text(self) -> str:
        """At a terminal state: who won and why, in one line; empty if the returns say it all."""
        return ""

    def full_record_view(self) -> str | None:
        """The whole state in one line, as game records write it; None if there is no notation."""
        return None

    def record_view(self, player: int) -> str:
        """The player's view as records of games keep it, in one line if possible."""
        return self.show(player)

    def news(self, player: int) -> str:
        """What just happened, as far as the player may know it; may be empty."""
        del player
        return ""

    def facts(self, player: int) -> Mapping[str, float]:
        """At a terminal state: numbers worth averaging over many games, such as a margin in points,
        as this player sees them; every terminal state has the same names."""
        del player
        return {}


class InfosetKeys(ABC):
    """Computes the hash keys of one player's information sets from that player's views."""

    @abstractmethod
    def notice(self, view: Hashable) -> None:
        """Take the player's new view into account."""

    def follow(self, action: Action) -> None:  # noqa: B027
        """Take the player's own action into account, before the next view. Does nothing if views
        show it anyway."""

    @abstractmethod
    def key(self, actions: Sequence[Action]) -> int:
        """The key of the information set at which the player decides now; ``actions`` are the legal
        ones there."""


class Game(ABC):
    """A game's rules with their parameters; usually a frozen dataclass.

    Every game writes ``players`` and ``root``. All other members are optional.
    """

    short_name: ClassVar[str] = ""
    reading: ClassVar[str] = ""
    """How to read a player's view, in one line."""
    abstractions: ClassVar[tuple[str, ...]] = ()
    """Names of the abstractions that the native simulator offers."""
    record_views: ClassVar[bool] = False
    """Whether records of games hold the views of all players."""
    players: int

    @abstractmethod
    def root(self) -> State:
        """The state before anything has happened."""

    @property
    def record_name(self) -> str:
        """The game's spec in records, with parameters whose defaults may change written out."""
        return str(self)

    @property
    def rules_text(self) -> str | None:
        """A text that tells games with different rules apart, under which the compiled game is kept
        on disk; None: the class and its parameters do, if they are plain values."""
        return None

    def tree_source(self) -> TreeSource | _core.NativeWalk | None:
        """A native walker of the game's tree, or None to walk it through this protocol."""
        return None

    def check_view(
        self, player: int, view: Hashable, actions: Sequence[Action], before: Hashable
    ) -> None:
        """Raise a :class:`~fogtree.errors.GameError` if a view cannot be what ``player`` sees with
        these legal actions, after the view ``before`` (None: none yet). A game whose views tell
        whose they are says so here; by default any view is accepted."""
        del player, view, actions, before

    def all_actions(self) -> Sequence[Action] | None:
        """Every action that a player may have somewhere in the game, in a fixed order, by which
        other libraries number actions; ``None`` if the game does not list them."""
        return None

    def features(self, view: Hashable) -> Sequence[float] | NDArray[Any] | None:
        """A player's view as a vector of fixed length for a network; ``None`` if the game does not
        define one."""
        del view
        return None

    def simulator(self, abstraction: str | None = None) -> _core.SimulatedGame | None:
        """A native simulator for sampled solvers, such as one from
        :func:`fogtree.native_simulator`; None to walk the states of this protocol."""
        del abstraction
        return None

    def table_keys(self, player: int, abstraction: str | None = None) -> InfosetKeys | None:
        """Finds one player's information sets in the table of a solver that sampled the game with
        :meth:`simulator`: their hash keys, from views. None if the game has no simulator; then
        keys are hashes of all that a player has seen and done."""
        del player, abstraction
        return None

    def responses(self) -> _core.ResponseGame | None:
        """The game for the native core, which computes best responses in it without compiling it;
        None if the game has no such form."""
        return None

    def __str__(self) -> str:
        """The name, with the fields of the dataclass that differ from their defaults."""
        name = self.short_name or type(self).__name__
        given = []
        declared: tuple[Field[Any], ...] = fields(self) if is_dataclass(self) else ()
        for field in declared:
            value = getattr(self, field.name)
            if isinstance(value, int | float | str | tuple | None) and value != field.default:
                given.append(f"{field.name}={value!r}")
        return f"{name}({', '.join(given)})" if given else name
