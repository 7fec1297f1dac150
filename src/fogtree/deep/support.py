"""The interface by which a game that is too large to compile can be trained.

The game's entry in the registry names a function that takes the game and returns its
:class:`TrainingSupport`, or None where the game's parameters make it small enough to compile.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import Any, Protocol

from numpy.typing import NDArray

from fogtree import _core
from fogtree.deep.encoding import Vector
from fogtree.deep.policy import Policy
from fogtree.deep.walkable import WalkableGame
from fogtree.game import Action, Game
from fogtree.registry import entry_of, resolve


class MatchScore(Protocol):
    """Results of a match, counted for the first of the two sides."""

    @property
    def wins(self) -> int: ...
    @property
    def draws(self) -> int: ...
    @property
    def losses(self) -> int: ...


class TrainingSupport(Protocol):
    """One game's own walks, network inputs and matches."""

    @property
    def game(self) -> Game: ...

    @property
    def symmetric(self) -> bool:
        """Whether every seat sees the game in the same way, so that one network plays all."""

    @property
    def default_options(self) -> Mapping[str, Mapping[str, Any]]:
        """Training options that differ from the general defaults, by section."""

    @property
    def native_game(self) -> _core.DeepGame:
        """The game that the native engine walks."""

    def decoding_plan(self, *, history: bool = False) -> tuple[NDArray[Any], ...]:
        """How an accelerator decodes the native game's codes of information sets, or of histories:
        for every input its source byte, kind, argument and scale."""

    def walkable_game(self) -> WalkableGame:
        """The game that the reference traversal in Python walks."""

    @property
    def inputs(self) -> int:
        """Length of the vectors that :meth:`encode` returns."""

    @property
    def outputs(self) -> int:
        """Number of output columns of a network."""

    def encode(self, view: Hashable) -> Vector:
        """A player's view as the input of a network."""

    def column(self, action: Action) -> int:
        """The output column of an action."""

    def shipped_policy(self) -> Policy:
        """The trained networks that come with the package."""

    @property
    def scripted_agents(self) -> tuple[str, ...]:
        """Names of the agents that native matches know; none where there are no matches."""

    def scripted(self, name: str) -> _core.DeepContestant:
        """One of the scripted agents, for :meth:`match`."""

    @property
    def has_matches(self) -> bool:
        """Whether :meth:`match` plays; the bounds of trained exploiters come from such matches."""

    def match(
        self,
        first: _core.DeepContestant,
        second: _core.DeepContestant,
        *,
        games: int,
        seed: int,
        threads: int,
    ) -> MatchScore:
        """Plays games between two sides; every deal is played from both seats."""


def support_for(game: Game) -> TrainingSupport | None:
    """The support that a game brings along; None if the game is compiled to be trained."""
    entry = entry_of(game)
    if entry.training is None:
        return None
    found: TrainingSupport | None = resolve(entry.training)(game)
    return found
