"""The search of two-player zero-sum games that are not compiled, by their native rules or through
the protocol of games.

The belief is a list of histories: all that are possible while there are at most ``cap`` of them,
else a sample. Leaf values are means of random games.
"""

from __future__ import annotations

import multiprocessing
from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from fogtree import _core
from fogtree.agents.budget import Budget
from fogtree.agents.protocol import Observation
from fogtree.errors import GameError
from fogtree.game import Action, Game
from fogtree.game.simulators import HistoryKeys
from fogtree.search.adapter import SearchAdapter
from fogtree.search.decision import SearchDecision, belief_shares, labelled_decision
from fogtree.search.settings import SearchDefaults, SearchSettings
from fogtree.system.cores import cores
from fogtree.system.memory import usual_memory

_CAP = 1000
_PLAYOUTS = 4
"""Random games whose mean payoff is the value of a leaf."""


@dataclass(frozen=True, slots=True)
class PossibleHistory:
    """A history that the player cannot rule out: the labels of its actions and chance outcomes, and
    its probability (see :func:`~fogtree.search.decision.root_probabilities`)."""

    path: tuple[str, ...]
    probability: float


def share_of_memory() -> int:
    """The memory that one search may use: the usual part of free memory, divided by the number of
    cores in a worker process."""
    workers = cores() if multiprocessing.parent_process() is not None else 1
    return max(1, usual_memory() // workers)


class HistoryNotation:
    """Writes actions and positions of a game that is not compiled."""

    def __init__(self, native: _core.HistorySearch) -> None:
        self._native = native
        self._labels = native.actions()

    def action(self, number: int) -> str:
        """The label of one of our own actions at the root."""
        return self._labels[number]

    def position(self, state: Any) -> str:
        """All actions and chance outcomes that led to a position."""
        return " ".join(self._native.labels(state)) or "the start"

    def diagram(self, state: Any) -> str:
        """The same as :meth:`position`: there is no shorter picture of it."""
        return self.position(state)

    def line(self, state: Any, numbers: Sequence[int]) -> Sequence[str]:
        """The labels of the actions in a line that starts at a position."""
        return self._native.labels([*state, *numbers])[len(state) :]


class HistoryAdapter(SearchAdapter):
    """Searches a game without compiling it. The player's information set is identified by its name
    where the rules are native, else by a hash of the player's views and actions. Observations that
    agree with no history are refused."""

    defaults: ClassVar[SearchDefaults] = SearchDefaults(
        budget=Budget(steps=1000), cap=_CAP, can_compile=True
    )

    needs_names: ClassVar[bool] = True

    native: _core.HistorySearch

    def __init__(self, game: Game, player: int, seed: int, settings: SearchSettings) -> None:
        """Begin a search at the root, by native rules if the game has them; its memory is
        bounded."""
        self._game, self._player, self._seed = game, player, seed
        bound = settings.options.most_bytes or share_of_memory()
        source = game.tree_source()
        self._named = isinstance(source, _core.NativeWalk)
        options = replace(settings.options, seed=seed, most_bytes=bound).native()
        try:
            self.native = _core.HistorySearch(
                source if self._named else game,
                options,
                player,
                cap=settings.cap or _CAP,
                playouts=_PLAYOUTS,
            )
        except ValueError as error:
            if not self._named:  # the game's own
                raise
            raise GameError(f"{game} is {error}") from None
        self._keys = HistoryKeys(game, player)
        self._actions: dict[str, Action] = {}
        self._played = -1
        """The number of the action at the last decision; -1 while there is none."""
        self._steps: list[tuple[int, int]] = []
        """For each observation since the last decision: the hash of the player's history after it,
        and before it (the last own action included)."""
        self._turned = True
        """Whether the belief at the last observed decision is the root of the search."""

    @property
    def to_act(self) -> bool:
        return bool(self._actions)

    @property
    def belief(self) -> tuple[PossibleHistory, ...]:
        """All histories that this player cannot rule out, each with its probability."""
        self.prepare()
        shares = belief_shares(self.native.roots(), self.native.positions)
        return tuple(
            PossibleHistory(tuple(self.native.labels(path)), share)
            for path, share in shares.items()
        )

    def observe(self, observation: Observation) -> None:
        """Narrow the belief to the histories that agree with the next observation. If no history
        agrees with it, raise an error and change nothing."""
        if observation.player != self._player:
            raise GameError("that is the other player's view")
        actions = {str(action): action for action in observation.actions}
        keys = copy(self._keys)
        keys.notice(observation.view)
        steps = [*self._steps, (keys.key(observation.actions), self._keys.after_action)]
        if actions:
            fault = (
                self.native.follow_name(str(observation.name), self._played, list(actions))
                if self._named
                else self.native.follow(steps, list(actions))
            )
            if fault:
                raise GameError(f"{self._game}, view {str(observation.view)!r:.80}: {fault}")
            steps, self._played, self._turned = [], -1, False
        self._keys, self._steps, self._actions = keys, steps, actions

    def play(self, action: Action) -> None:
        """Record the action that this player takes at the last observation; the next observation
        must follow from it."""
        if str(action) not in self._actions:
            raise GameError(f"'{action!s:.40}' is not an action here")
        self._played = self.native.actions().index(str(action))
        self._keys.follow(self._actions[str(action)])

    def prepare(self, seconds: float | None = None, *, pondering: bool = False) -> None:
        """Make the present belief the root of the search, in at most half of the given seconds."""
        del pondering  # only games with a search of their own ponder
        if not self._turned:
            self.native.move_to(None if seconds is None else seconds / 2)
            self._turned = True

    @property
    def notation(self) -> HistoryNotation:
        return HistoryNotation(self.native)

    @property
    def scale(self) -> float:
        return self.native.scale

    def decision(self, raw: _core.SearchResult) -> SearchDecision:
        """The native search's answer with the names of actions, and the belief."""
        seed = f"{self._seed}/{self.native.key}"
        return labelled_decision(raw, self.native.actions(), seed, self.belief, self.scale)
