"""The search agent for Fog-of-War chess: belief, tree and clock behind the agents' protocol."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial

from fogtree import _core
from fogtree.agents.budget import Budget
from fogtree.agents.clock import Clock, RunningClock
from fogtree.agents.protocol import Agent, Observation
from fogtree.errors import FogtreeError, GameError, OptionError
from fogtree.game import Action, Game
from fogtree.games.fog_chess.belief import BeliefLimits, FogBelief
from fogtree.games.fog_chess.evaluators import FogEvaluator, load_evaluator
from fogtree.games.fog_chess.game import FogChess
from fogtree.games.fog_chess.observation import FogObservation
from fogtree.search.agent import Watcher, seed_number, usual_threads
from fogtree.search.decision import SearchDecision, search_decision
from fogtree.search.options import PRESETS, SearchOptions
from fogtree.search.pondering import Pondering
from fogtree.search.spec import shared_settings

CHESS_PRESET = "chess"
"""Choices of the search in chess, unless others are named."""

SAMPLE = 2048
"""Positions of the belief handed to the search at each move; it takes as many as it needs."""

GUESSES = 20_000
"""Positions drawn from the view alone when nothing else is left to go by."""


@dataclass(frozen=True, slots=True)
class FogSearchSettings:
    """What a chess search agent is made of."""

    evaluator: str = "simple"
    options: SearchOptions = PRESETS[CHESS_PRESET]
    budget: Budget = field(default_factory=lambda: Budget(seconds=1.0))
    """Used when nobody says how long a move may take."""
    own_budget: bool = False
    """Keep to ``budget`` whatever is said at the table."""
    clock: Clock | None = None
    """For the whole game; every move then takes its share of what is left."""
    limits: BeliefLimits = field(default_factory=BeliefLimits)
    threads: int = field(default_factory=usual_threads)
    """One solves; the others grow the tree. With 1, one thread does both in turn."""
    ponder: bool = False
    """Go on searching while the other side thinks."""

    def __post_init__(self) -> None:
        if not 1 <= self.threads <= 256:
            raise OptionError(f"threads must be 1 to 256, not {self.threads}")


class FogSearchAgent(Agent):
    """Plays by knowledge-limited subgame solving. It is told views, and its own moves; no more.

    A view that the rules do not allow after what was seen before is refused with an error, and
    nothing changes. Where the belief is only a sample and runs empty, it is begun anew from the
    view alone; ``stats["restarts"]`` counts that.
    """

    name = "search"

    def __init__(
        self, settings: FogSearchSettings | None = None, evaluator: FogEvaluator | None = None
    ) -> None:
        """With an ``evaluator`` of your own, which you close yourself, that of the settings is not
        loaded."""
        self._pondering: Pondering | None = None
        self.settings = settings or FogSearchSettings()
        self._own_evaluator = evaluator
        self._evaluator: FogEvaluator | None = None
        self._search: _core.FogChessSearch | None = None

    def start(self, game: Game, player: int, seed: str) -> None:
        if not isinstance(game, FogChess):
            raise GameError(f"this agent plays fog_chess, not {game}")
        self._rest()
        self._let_go()
        self._search = None
        evaluator = self._load_evaluator(game)
        number = seed_number(seed)
        options = replace(self.settings.options, seed=number)
        position = _core.FogChessPosition(game.fen)
        self._game = game
        self._player = player
        self._belief = FogBelief.start(
            player, fen=game.fen, rules=game.rules, limits=self.settings.limits
        )
        self._search = _core.FogChessSearch(
            evaluator.for_search(), evaluator.native_rules, options.native(), player, position
        )
        self._turn = position.side
        self._seed = number
        self._ply = 0
        self._restarts = 0
        self._looked = False
        self._allowed: tuple[str, ...] = ()
        self._clock = RunningClock(self.settings.clock)
        self._move: str | None = None

    def _load_evaluator(self, game: FogChess) -> FogEvaluator:
        chosen = self._own_evaluator
        if chosen is None:
            self._evaluator = load_evaluator(self.settings.evaluator, rules=game.rules)
            return self._evaluator
        if chosen.rules.name != game.rules:
            raise GameError(f"{chosen.name} is for the rules {chosen.rules.name}, not {game.rules}")
        return chosen

    def _let_go(self) -> None:
        """End what the evaluator may have started."""
        evaluator, self._evaluator = self._evaluator, None
        if evaluator is not None:
            evaluator.close()

    @property
    def belief(self) -> FogBelief:
        """What we cannot rule out."""
        return self._belief

    def observe(self, observation: Observation) -> None:
        view = observation.view
        if not isinstance(view, FogObservation) or self._search is None:
            raise GameError("this agent observes views of a game of fog_chess that has started")
        if view.player != self._player:
            raise GameError("that is the other player's view")
        self._rest()
        if view.side != self._turn:
            self._step_or_guess(view)
        elif view != self._belief.view:
            if self._looked:
                raise GameError("nothing has moved, but the view is another one")
            self._guess(view)
        self._looked = True
        self._allowed = self._playable(observation)
        if self.settings.ponder:
            self.ponder()

    def _playable(self, observation: Observation) -> tuple[str, ...]:
        """What somebody allows us; own moves are the same in the whole belief."""
        allowed = tuple(str(action) for action in observation.actions)
        if self._turn == self._player and len(self._belief):
            known = self._belief.native[0].uci_moves()
            for move in allowed:
                if move not in known:
                    raise GameError(f"'{move[:40]}' cannot be played here")
        return allowed

    def _step_or_guess(self, view: FogObservation) -> None:
        try:
            self._step(view)
        except FogtreeError:
            if self._looked:
                raise
            self._guess(view)

    def _guess(self, view: FogObservation) -> None:
        """The game did not begin where it was said to: all that is known is what is seen."""
        assert self._search is not None
        self._belief = self._from_view(view)
        self._search.guess(view.native)
        self._turn = view.side

    def _step(self, view: FogObservation) -> None:
        assert self._search is not None
        own = self._turn == self._player
        if own:
            if self._move is None:
                raise GameError("we were to move, and nobody said what we played")
            belief = self._belief.after_own_move(self._move, view)
        else:
            belief = self._belief.after_other_move(view)
        if not len(belief) and _has_king(view):
            belief = self._from_view(view)
        if own:
            self._search.moved(self._belief.native[0].read_uci(str(self._move)), view.native)
        else:
            self._search.saw(view.native)
        self._belief, self._move = belief, None
        self._turn = view.side
        self._ply += 1

    def _from_view(self, view: FogObservation) -> FogBelief:
        belief = FogBelief.from_view(
            view, samples=GUESSES, rules=self._game.rules, limits=self.settings.limits
        )
        if not len(belief):
            raise GameError("no position looks like that")
        self._restarts += 1
        return belief

    def follow(self, action: Action) -> None:
        self._move = str(action)

    def interrupt(self) -> None:
        if self._search is not None:
            self._search.stop()

    def close(self) -> None:
        self._rest()
        self._let_go()

    def __del__(self) -> None:
        if self._pondering is not None:  # whose thread may be the one that we are called in
            self._pondering.leave()
        self._let_go()

    def act(self, budget: Budget | None = None) -> SearchDecision:
        return self._act(budget, lambda search, spend: search.decide(spend))

    def watch(
        self,
        watcher: Watcher,
        budget: Budget | None = None,
        *,
        every: bool = False,
        looks: int = 0,
    ) -> SearchDecision:
        """``act`` while somebody looks on: ``looks`` times during the search or, in a search of one
        thread, after ``every`` expansion and iteration."""
        return self._act(
            budget, lambda search, spend: search.watch(spend, watcher, every=every, looks=looks)
        )

    @property
    def inside(self) -> _core.FogChessSearch:
        """The native search, to look at its tree."""
        if self._search is None:
            raise GameError("no game has started")
        return self._search

    def _act(
        self,
        budget: Budget | None,
        search: Callable[[_core.FogChessSearch, _core.SearchBudget], _core.SearchResult],
    ) -> SearchDecision:
        began = time.perf_counter()
        if self._search is None or self._turn != self._player:
            raise GameError("it is not this agent's turn")
        self._rest()
        spend = self._budget(budget)
        with self._clock.running():
            self._search.know(self._possible())
            if spend.seconds > 0:
                left = max(0.001, spend.seconds - (time.perf_counter() - began))
                expanders = spend.expanders or self.settings.threads - 1
                spend = replace(spend, seconds=left, expanders=expanders)
            return self._decision(search(self._search, spend.native()))

    def _budget(self, told: Budget | None) -> Budget:
        settings = self.settings
        share = self._clock.time_for_move()
        if share is not None:
            return Budget(seconds=share)
        return told if told is not None and not settings.own_budget else settings.budget

    def _possible(self) -> list[_core.FogChessPosition]:
        if not len(self._belief):
            raise GameError("the game is over: there is no position to search")
        return self._belief.native.sample(SAMPLE, self._seed + self._ply)

    def ponder(self) -> None:
        """Search from where the other side is to move, until something is observed."""
        if self._search is None or self._turn == self._player or self._pondering is not None:
            return
        if not len(self._belief) or not self._belief.native[0].moves():
            return  # the game is over
        know = partial(self._search.know, self._possible())
        self._pondering = Pondering(self._search, know, self.settings.threads)

    def _rest(self) -> None:
        """End pondering, if there is any."""
        pondering, self._pondering = self._pondering, None
        if pondering is not None:
            pondering.end()

    def _decision(self, raw: _core.SearchResult) -> SearchDecision:
        first = self._belief.native[0]
        names = [_core.fog_chess_write_uci(c.action) for c in raw.candidates]
        decision = search_decision(
            raw,
            names or first.uci_moves(),
            _core.fog_chess_write_uci(raw.action if names else first.moves()[0]),
            belief=self._belief,
            belief_size=len(self._belief),
            allowed=self._allowed,
            more={"restarts": self._restarts},
        )
        self._move = str(decision.action)
        return decision


def _has_king(view: FogObservation) -> bool:
    return "Kk"[view.player] in view.fog_fen.split()[0]


def chess_settings(values: Mapping[str, object]) -> FogSearchSettings:
    """All settings of the search on Fog-of-War chess."""
    shared = shared_settings(values, ("evaluator", "clock", "cap", "ponder"), CHESS_PRESET)
    limits = BeliefLimits(threads=1 if shared.threads == 1 else 0)
    if shared.named.cap is not None:
        limits = replace(limits, cap=shared.named.cap)
    return FogSearchSettings(
        evaluator=shared.named.evaluator or "simple",
        options=shared.options,
        budget=shared.budget or Budget(seconds=1.0),
        own_budget=shared.budget is not None,
        clock=shared.named.clock,
        limits=limits,
        threads=shared.threads,
        ponder=shared.named.ponder,
    )


def search_agent(**settings: object) -> FogSearchAgent:
    """A search agent with settings by name; an evaluator that cannot be loaded is an error now."""
    chosen = chess_settings(settings)
    load_evaluator(chosen.evaluator).close()
    return FogSearchAgent(chosen)
