"""The search of every two-player zero-sum game without a search of its own."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from fogtree import _core
from fogtree.agents.player_history import PlayerHistory
from fogtree.agents.protocol import Observation
from fogtree.errors import GameError, MemoryLimitError
from fogtree.game import Action, Game
from fogtree.search.adapter import SearchAdapter
from fogtree.search.decision import SearchDecision
from fogtree.search.history_adapter import HistoryAdapter, share_of_memory
from fogtree.search.settings import SearchDefaults, SearchSettings
from fogtree.search.tree_analysis import TreeNotation
from fogtree.search.tree_search import (
    PossiblePosition,
    TreeSearch,
    check_searchable,
    uniform_values,
)
from fogtree.tree import GameTree
from fogtree.tree import compile as compile_tree


@dataclass(frozen=True, slots=True)
class _Compiled:
    """A compiled game with the leaf values of its search."""

    tree: GameTree
    values: NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class _Kept:
    """An entry of the cache of compiled games: a game, and what was made of it."""

    game: Game  # kept alive, so that no other object gets the id that is its key
    compiled: _Compiled | None
    """None if the game does not fit into memory."""


_MAX_KEPT = 2
_kept: dict[tuple[str, Hashable], _Kept] = {}


def _compiled(game: Game) -> _Compiled | None:
    """The game's tree and leaf values; None if the game does not fit into memory. The last results
    are cached for games that compare equal; a game without a hash equals only itself."""
    try:
        hash(game)
        key: tuple[str, Hashable] = str(game), game
    except TypeError:
        key = str(game), id(game)
    if key not in _kept:
        try:
            tree = compile_tree(game, memory=share_of_memory())
        except MemoryLimitError:
            found = None
        else:
            check_searchable(tree)
            found = _Compiled(tree, uniform_values(tree))
        while len(_kept) >= _MAX_KEPT:
            del _kept[next(iter(_kept))]
        _kept[key] = _Kept(game, found)
    return _kept[key].compiled


class TreeAdapter(SearchAdapter):
    """Searches a compiled game; it finds its information set by name as :class:`TabularAgent` does.

    An information set that cannot follow the player's views and actions is refused.
    """

    defaults: ClassVar[SearchDefaults] = HistoryAdapter.defaults
    needs_names: ClassVar[bool] = True

    @classmethod
    def begin(cls, game: Game, player: int, seed: int, settings: SearchSettings) -> SearchAdapter:
        """A search of the compiled game; without compiling if the game does not fit into memory or
        the settings say so."""
        if not settings.compile or _compiled(game) is None:
            return HistoryAdapter(game, player, seed, settings)
        return cls(game, player, seed, settings)

    def __init__(self, game: Game, player: int, seed: int, settings: SearchSettings) -> None:
        """Begin a search of the compiled game; an error if the game does not fit into memory."""
        compiled = _compiled(game)
        if compiled is None:
            raise MemoryLimitError(f"{game} does not fit into memory")
        options = replace(settings.options, seed=seed)
        self._search = TreeSearch(compiled.tree, player, options, compiled.values)
        self.native = self._search.native
        self._history = PlayerHistory(player)
        self._to_act = False

    @property
    def to_act(self) -> bool:
        return self._to_act

    @property
    def belief(self) -> tuple[PossiblePosition, ...]:
        return self._search.belief()

    def observe(self, observation: Observation) -> None:
        """Move to the information set of the next observation; one that cannot follow is an error,
        and nothing changes."""
        search, tree = self._search, self._search.tree
        if observation.player != search.player:
            raise GameError("that is the other player's view")
        history = self._history.after_view(observation.view)
        if observation.actions:
            name = history.infoset(observation, tree.infoset_number)
            if name is None:
                shown = observation.name or observation.view
                raise GameError(f"{tree.game} has no information set {str(shown)!r:.80}")
            if set(map(str, observation.actions)) != set(tree.infoset_labels[tree.infoset(name)]):
                raise GameError(f"{tree.game} has other actions at {name!r:.80}")
            search.place(name)
        self._history, self._to_act = history, bool(observation.actions)

    def play(self, action: Action) -> None:
        """Record an own action, in the search and in the player's history."""
        self._search.follow(str(action))
        self._history = self._history.after_action(action)

    def prepare(self, seconds: float | None = None, *, pondering: bool = False) -> None:
        """Make the last observed information set the root of the search tree, in at most half of
        the ``seconds``."""
        del pondering  # only games with a search of their own ponder
        self._search.turn(None if seconds is None else seconds / 2)

    @property
    def notation(self) -> TreeNotation:
        """How actions and positions are written at the information set that is searched."""
        tree = self._search.tree
        return TreeNotation(tree, tree.infoset_names[self._search.here()])

    @property
    def scale(self) -> float:
        return self._search.scale

    def decision(self, raw: _core.SearchResult) -> SearchDecision:
        return self._search.decision(raw)
