"""The interface between the search agent and a game."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, ClassVar

from fogtree import _core
from fogtree.agents.protocol import Observation
from fogtree.game import Action, Game
from fogtree.registry import entry_of, resolve
from fogtree.search.analysis import Notation
from fogtree.search.decision import SearchDecision
from fogtree.search.native import NativeSearch
from fogtree.search.settings import SearchDefaults, SearchSettings

TREE_ADAPTER = "fogtree.search.tree_adapter:TreeAdapter"
"""The adapter of every game that has no search of its own: it compiles the game if it fits."""


class SearchAdapter(ABC):
    """One player's side of one game: it keeps the player's belief and drives the game's native
    search.

    A game registers its subclass as ``GameEntry.search``. The agent makes one object per game
    played, hands it observations and actions, and calls :meth:`prepare` before every search.
    """

    defaults: ClassVar[SearchDefaults]
    """The settings that the game has, and their defaults."""
    plain_evaluator: ClassVar[str | None] = None
    """The game's simplest evaluator, which an ablation study compares with."""
    published_scores: ClassVar[dict[str, float]] = {}
    """Published scores of the full agent in an ablation study, by the name of the switch."""
    needs_names: ClassVar[bool] = False
    """Whether observations must have the names of information sets."""
    plays_forced_actions: ClassVar[bool] = False
    """Whether a decision with a single action is made without a search."""

    native: NativeSearch
    """The native search."""

    @classmethod  # noqa: B027
    def check(cls, settings: SearchSettings) -> None:
        """Raise an error if something that the settings name, such as a file, is missing."""

    @abstractmethod
    def __init__(self, game: Game, player: int, seed: int, settings: SearchSettings) -> None:
        """Start a search for one player of a game."""

    @classmethod
    def begin(cls, game: Game, player: int, seed: int, settings: SearchSettings) -> SearchAdapter:
        """A search for one player of a game; a subclass may return another kind of search for a
        large game."""
        return cls(game, player, seed, settings)

    @property
    @abstractmethod
    def to_act(self) -> bool:
        """Whether it is this player's turn."""

    @property
    def can_ponder(self) -> bool:
        """Whether the search may ponder, that is, think while the opponent is to act."""
        return False

    @property
    @abstractmethod
    def belief(self) -> Any:
        """The positions that this player cannot rule out, as the game keeps them."""

    @abstractmethod
    def observe(self, observation: Observation) -> None:
        """Take an observation; an impossible one raises an error and changes nothing."""

    def play(self, action: Action) -> None:  # noqa: B027
        """Take the player's own action at the last observation."""

    def prepare(  # noqa: B027
        self, seconds: float | None = None, *, pondering: bool = False
    ) -> None:
        """Give the native search its roots: the positions that are possible now, as many as can be
        found in a part of the ``seconds``. The native search's stop flag ends this soon; with
        ``pondering`` the search may then stay at its old roots."""

    def catch_up(self) -> None:  # noqa: B027
        """Complete work on the belief for which :meth:`prepare` had no time, until the native
        search's stop flag is set."""

    @abstractmethod
    def decision(self, raw: _core.SearchResult) -> SearchDecision:
        """The native search's answer with the names of actions, and the belief."""

    @property
    @abstractmethod
    def notation(self) -> Notation:
        """How the search's actions and positions are written, at the last observation."""

    @property
    def scale(self) -> float:
        """The payoff that the native search's value 1 stands for."""
        return 1.0

    def close(self) -> None:  # noqa: B027
        """Release the evaluator's resources, such as the processes of an engine."""


def find_adapter(game: Game) -> type[SearchAdapter]:
    """The search adapter that a game registered, or the one for all other games."""
    found: type[SearchAdapter] = resolve(entry_of(game).search or TREE_ADAPTER)
    return found
