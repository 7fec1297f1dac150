"""The search agent: plays any two-player zero-sum game by knowledge-limited subgame solving.

Zhang & Sandholm, "General search techniques without common knowledge for imperfect-information
games, and application to superhuman Fog of War chess" (2025).
"""

from __future__ import annotations

import hashlib
import random
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from fogtree import _core
from fogtree.agents.budget import Budget
from fogtree.agents.clock import RunningClock
from fogtree.agents.protocol import Agent, Observation
from fogtree.errors import GameError, OptionError, require
from fogtree.game import Action, Game
from fogtree.search.adapter import SearchAdapter, find_adapter
from fogtree.search.decision import SearchDecision, drawn_by_value, forced_decision
from fogtree.search.native import NativeSearch, SearchCallback
from fogtree.search.pondering import Pondering
from fogtree.search.settings import SearchSettings
from fogtree.tree import AnyGame, game_of

_SHORTEST = 0.001  # seconds that a search gets at least
_ALONE = 0.005  # seconds up to which starting more threads takes longer than they help


def seed_number(seed: str) -> int:
    """The seed of the native search: the first 48 bits of the hash of a game's seed."""
    require(seed, str, "a seed as a text")
    return int.from_bytes(hashlib.sha256(seed.encode()).digest()[:6], "big")


def search_settings(game: AnyGame, **changes: Any) -> SearchSettings:
    """The default settings of the search in a game, with some fields replaced."""
    return _adapter_of(game).defaults.settings(**changes)


def search_agent(game: AnyGame, **settings: Any) -> SearchAgent:
    """Searches ahead from the positions that fit what it has seen, and mixes its actions.

    Settings are given by name, each typed or a text. An evaluator that cannot be loaded is an error
    here, not at the start of a game.
    """
    adapter = _adapter_of(game)
    chosen = adapter.defaults.read(settings)
    adapter.check(chosen)
    return SearchAgent(game, chosen)


def _adapter_of(game: AnyGame) -> type[SearchAdapter]:
    """The class that connects the search to this game: the game's own or a general one."""
    return find_adapter(game_of(game))


class SearchAgent(Agent):
    """Plays one side of a game by search. It is given views and its own actions, nothing else.

    A view that cannot follow from the earlier ones is refused with an error, and nothing changes.
    """

    # Here, because __del__ comes even if __init__ was interrupted.
    _pondering: Pondering | None = None
    _adapter: SearchAdapter | None = None

    def __init__(
        self, game: AnyGame, settings: SearchSettings | None = None, **changes: Any
    ) -> None:
        """An agent for ``game``, or for all games without a search of their own. Without
        ``settings`` it has the game's defaults; ``changes`` replace some of their fields."""
        self._made_for = game
        self._adapter_type = _adapter_of(game)
        self.name = "search"
        self.by_name = self._adapter_type.needs_names
        defaults = self._adapter_type.defaults
        chosen = settings or defaults.settings()
        self.settings = replace(chosen, **changes) if changes else chosen
        defaults.check(self.settings)

    def start(self, game: Game, player: int, seed: str) -> None:
        """Begin a game: make the adapter, which keeps the belief, and start the clock."""
        if find_adapter(game) is not self._adapter_type:
            raise GameError(f"this agent plays {self._made_for}, not {game}")
        if game.players != 2:
            raise OptionError(f"the search is for two players, not {game.players}")
        self.close()
        self._adapter = self._adapter_type.begin(game, player, seed_number(seed), self.settings)
        self._clock = RunningClock(self.settings.clock)
        self._random = random.Random(seed)  # draws actions if there is a temperature
        self._actions: dict[str, Action] = {}
        self._observing = 0.0  # seconds that the last observation took

    @property
    def adapter(self) -> SearchAdapter:
        """The adapter that connects the search to the game; an error if no game has started."""
        if self._adapter is None:
            raise GameError("no game has started")
        return self._adapter

    @property
    def native(self) -> NativeSearch:
        """The native search, to inspect its tree."""
        return self.adapter.native

    @property
    def belief(self) -> Any:
        """The positions that this player cannot rule out, as the game keeps them."""
        return self.adapter.belief

    def observe(self, observation: Observation) -> None:
        """Stop pondering and update the belief by the next view; then ponder again if the settings
        say so."""
        began = time.perf_counter()
        adapter = self.adapter
        self._stop_pondering()
        adapter.native.stop_flag.clear()  # an earlier decision's, if it came after its end
        adapter.observe(observation)
        self._observing = time.perf_counter() - began
        self._actions = {str(action): action for action in observation.actions}
        if self.settings.ponder:
            self.ponder()

    def follow(self, action: Action) -> None:
        """Record an own action that was played without :meth:`act`."""
        self.adapter.play(action)

    def act(self, budget: Budget | None = None) -> SearchDecision:
        """Search and choose an action; a single legal action may be played without a search."""
        if len(self._actions_now()) == 1 and self._adapter_type.plays_forced_actions:
            return forced_decision(*self._actions.values())
        return self._searched(budget, lambda native, limits: native.decide(limits))

    def watch(
        self,
        callback: SearchCallback,
        budget: Budget | None = None,
        *,
        every: bool = False,
        looks: int = 0,
    ) -> SearchDecision:
        """Decide as :meth:`act` does, but search even if there is a single action. Call
        ``callback`` during the search: as often as ``looks`` says (0: never) and, with ``every``
        and a single thread, also after each expansion and iteration."""
        Budget.check(budget)
        self._actions_now()
        return self._searched(
            budget,
            lambda native, limits: native.watch(limits, callback, every=every, looks=looks),
        )

    def _actions_now(self) -> dict[str, Action]:
        """The actions of the last observation by name, if it is this player's turn."""
        if not self.adapter.to_act:
            raise GameError("it is not this agent's turn")
        return self._actions

    def _searched(
        self,
        budget: Budget | None,
        search: Callable[[NativeSearch, _core.SearchBudget], _core.SearchResult],
    ) -> SearchDecision:
        """Decide by ``search``, which runs the native search within the limits it is given, and
        record the chosen action as played. The time spent on the last observation counts against
        the budget."""
        began = time.perf_counter() - self._observing
        adapter = self.adapter
        self._stop_pondering()
        adapter.native.stop_flag.clear()
        spend = self._budget(budget)
        with self._clock.running(self._observing):
            self._observing = 0.0
            adapter.prepare(_left(spend, began))
            left = _left(spend, began)
            if left is not None:
                spend = replace(spend, seconds=left)
                spend = self.settings.with_threads(spend) if left > _ALONE else spend
            found = adapter.decision(search(adapter.native, spend.native()))
        if self.settings.temperature > 0:
            found = drawn_by_value(found, self._actions, self.settings.temperature, self._random)
        decision = self._with_actions(found)
        adapter.play(decision.action)
        return decision

    def _budget(self, given: Budget | None) -> Budget:
        """The budget of a decision: the share of the clock if there is one, else the agent's own
        budget, else the given one."""
        share = self._clock.time_for_move()
        if share is not None:
            return Budget(seconds=share)
        return self.settings.budget if given is None or self.settings.own_budget else given

    def _with_actions(self, decision: SearchDecision) -> SearchDecision:
        """The decision with the game's action objects in place of their names."""
        named = self._actions
        return replace(
            decision,
            action=named.get(str(decision.action), decision.action),
            mix={named.get(str(name), name): share for name, share in decision.mix.items()},
            values={named.get(str(name), name): value for name, value in decision.values.items()},
        )

    def ponder(self) -> None:
        """Start to search in a thread of its own while the opponent is to act, if the game's
        adapter can; the next observation or decision ends it."""
        if self._pondering is None and self._adapter is not None and self._adapter.can_ponder:
            self._pondering = Pondering(self._adapter, self.settings.threads)

    def _stop_pondering(self) -> None:
        """End the search that :meth:`ponder` started, if one runs, and wait for its thread."""
        pondering, self._pondering = self._pondering, None
        if pondering is not None:
            pondering.end()

    def limit_memory(self, size: int) -> None:
        """Bound the memory of the search tree, in bytes, from the next decision on."""
        options = replace(self.settings.options, most_bytes=size)
        self.settings = replace(self.settings, options=options)
        self._stop_pondering()
        if self._adapter is not None:
            self._adapter.native.limit_memory(size)

    def catch_up(self) -> None:
        """While the agent is idle, complete the belief if the last decision had only the time to
        sample it; :meth:`interrupt` ends this. Does nothing while the agent ponders."""
        if self._pondering is None and self._adapter is not None:
            self._adapter.catch_up()

    def interrupt(self) -> None:
        """End a running search or :meth:`catch_up` soon; called from another thread."""
        if self._adapter is not None:
            self._adapter.native.stop_flag.set()

    def close(self) -> None:
        """Stop pondering and release the native search; :meth:`start` may begin another game."""
        self._stop_pondering()
        adapter, self._adapter = self._adapter, None
        if adapter is not None:
            adapter.close()

    def __del__(self) -> None:
        """Release the native search of an agent that was not closed, without waiting for a thread
        that ponders."""
        if self._pondering is not None:  # its thread may be the one that runs this
            self._pondering.leave()
        if self._adapter is not None:
            self._adapter.close()


def _left(budget: Budget, began: float) -> float | None:
    """Seconds left of a budget since the time ``began``, at least a millisecond; None if it does
    not limit the time."""
    if budget.seconds <= 0:
        return None
    return max(_SHORTEST, budget.seconds - (time.perf_counter() - began))
