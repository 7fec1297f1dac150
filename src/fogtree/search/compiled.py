"""The search agent for every compiled game: one more player at the table."""

from __future__ import annotations

import multiprocessing
from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field, replace
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from fogtree.agents.budget import Budget
from fogtree.agents.clock import Clock, RunningClock
from fogtree.agents.player_history import Story
from fogtree.agents.protocol import Agent, Observation
from fogtree.errors import GameError, OptionError
from fogtree.game import Action, Game
from fogtree.search.agent import (
    TreeSearchAgent,
    check_searchable,
    seed_number,
    uniform_values,
    usual_threads,
)
from fogtree.search.decision import SearchDecision
from fogtree.search.options import SearchOptions
from fogtree.search.spec import shared_settings
from fogtree.system.memory import usual_memory
from fogtree.system.processes import cores
from fogtree.tree import GameTree
from fogtree.tree import compile as compile_tree


@dataclass(frozen=True, slots=True)
class CompiledSearchSettings:
    """What a search agent for compiled games is made of."""

    options: SearchOptions = field(default_factory=SearchOptions)
    budget: Budget = field(default_factory=lambda: Budget(steps=1000))
    """Used when nobody says how much a decision may cost."""
    own_budget: bool = False
    """Keep to ``budget`` whatever is said at the table."""
    clock: Clock | None = None
    """For the whole game; every decision then takes its share of what is left."""
    threads: int = field(default_factory=usual_threads)
    """One solves; the others grow the tree. With 1, or without a limit of time, one thread does
    both in turn."""

    def __post_init__(self) -> None:
        if not 1 <= self.threads <= 256:
            raise OptionError(f"threads must be 1 to 256, not {self.threads}")


@dataclass(frozen=True, slots=True)
class _Compiled:
    game: Game
    tree: GameTree
    values: NDArray[np.float64]


_MOST_KEPT = 2
_kept: dict[tuple[str, Hashable], _Compiled] = {}


def _compiled(game: Game) -> _Compiled:
    """The game's tree and leaf values, once per process. Equal games are one; a game that does not
    say what it is equal to is one with itself."""
    try:
        hash(game)
        key: tuple[str, Hashable] = str(game), game
    except TypeError:
        key = str(game), id(game)
    if key not in _kept:
        tree = compile_tree(game, memory=_share_of_memory())
        check_searchable(tree)
        while len(_kept) >= _MOST_KEPT:
            del _kept[next(iter(_kept))]
        _kept[key] = _Compiled(game, tree, uniform_values(tree))
    return _kept[key]


def _share_of_memory() -> int:
    """A process that plays games beside others has its part of what is free."""
    beside = cores() if multiprocessing.parent_process() is not None else 1
    return max(1, usual_memory() // beside)


class CompiledSearchAgent(Agent):
    """Plays any two-player zero-sum game that can be compiled by knowledge-limited subgame solving.

    It is told views, and finds its information set as :class:`TabularAgent` does. One that cannot
    come after what it saw and did is refused with an error, and nothing changes.
    """

    by_name: ClassVar[bool] = True

    name = "search"

    def __init__(self, settings: CompiledSearchSettings | None = None) -> None:
        self.settings = settings or CompiledSearchSettings()
        self._search: TreeSearchAgent | None = None

    def start(self, game: Game, player: int, seed: str) -> None:
        if game.players != 2:
            raise OptionError(f"the search is for two players, not {game.players}")
        compiled = _compiled(game)
        options = replace(self.settings.options, seed=seed_number(seed))
        self._search = TreeSearchAgent(compiled.tree, player, options, compiled.values)
        self._story = Story(player)
        self._clock = RunningClock(self.settings.clock)
        self._actions: dict[str, Action] = {}

    def observe(self, observation: Observation) -> None:
        search = self._begun()
        if observation.player != search.player:
            raise GameError("that is the other player's view")
        story = self._story.seeing(observation.view)
        actions = {str(action): action for action in observation.actions}
        if actions:
            name = story.infoset(observation, search.tree.infoset_number)
            if name is None:
                shown = observation.name or observation.view
                raise GameError(f"{search.tree.game} has no information set {str(shown)!r:.80}")
            if set(actions) != set(search.tree.infoset_labels[search.tree.infoset(name)]):
                raise GameError(f"{search.tree.game} has other actions at {name!r:.80}")
            search.observe(name)
        self._story, self._actions = story, actions

    def act(self, budget: Budget | None = None) -> SearchDecision:
        search = self._begun()
        if not self._actions:
            raise GameError("it is not this agent's turn")
        spend = self._budget(budget)
        with self._clock.running():
            found = search.act(spend)
        named = self._actions
        decision = replace(
            found,
            action=named[str(found.action)],
            mix={named[str(text)]: share for text, share in found.mix.items()},
            values={named[str(text)]: value for text, value in found.values.items()},
        )
        self.follow(decision.action)
        return decision

    def _budget(self, told: Budget | None) -> Budget:
        settings = self.settings
        spend = told if told is not None and not settings.own_budget else settings.budget
        share = self._clock.time_for_move()
        if share is not None:
            spend = Budget(seconds=share)
        if spend.expanders == 0 and spend.seconds > 0:
            spend = replace(spend, expanders=settings.threads - 1)
        return spend

    def follow(self, action: Action) -> None:
        self._begun().follow(str(action))
        self._story = self._story.playing(action)

    def interrupt(self) -> None:
        if self._search is not None:
            self._search.inside.stop()

    def close(self) -> None:
        self._search = None

    @property
    def inside(self) -> TreeSearchAgent:
        """The search, to look at its tree."""
        return self._begun()

    def _begun(self) -> TreeSearchAgent:
        if self._search is None:
            raise GameError("no game has started")
        return self._search


def compiled_settings(values: Mapping[str, object]) -> CompiledSearchSettings:
    """All settings of the search on compiled games."""
    shared = shared_settings(values, ("clock",))
    return CompiledSearchSettings(
        options=shared.options,
        budget=shared.budget or CompiledSearchSettings().budget,
        own_budget=shared.budget is not None,
        clock=shared.named.clock,
        threads=shared.threads,
    )


def search_agent(**settings: object) -> CompiledSearchAgent:
    """A search agent with settings by name."""
    return CompiledSearchAgent(compiled_settings(settings))
