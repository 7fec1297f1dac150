"""The search agent for Fog-of-War chess: belief, tree and clock behind the agents' protocol."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field, replace
from typing import Any

from fogtree import _core
from fogtree.agents.protocol import Agent, Observation
from fogtree.errors import GameError, OptionError
from fogtree.fogchess.belief import BeliefLimits, FogBelief
from fogtree.fogchess.evaluators import NativeEvaluator, load_evaluator
from fogtree.fogchess.observation import FogObservation
from fogtree.game import Action, Game
from fogtree.games.fog_chess import FogChess
from fogtree.search.agent import Budget, Watcher
from fogtree.search.decision import SearchDecision, search_decision
from fogtree.search.options import SearchOptions

SAMPLE = 2048
"""Positions of the belief handed to the search at each move; it takes as many as it needs."""


@dataclass(frozen=True, slots=True)
class FogSearchSettings:
    """What a chess search agent is made of."""

    evaluator: str = "simple"
    options: SearchOptions = field(default_factory=SearchOptions)
    budget: Budget = field(default_factory=lambda: Budget(seconds=1.0))
    """Used when nobody says how long a move may take."""
    limits: BeliefLimits = field(default_factory=BeliefLimits)
    threads: int = 2
    """One solves; the others grow the tree. With 1, one thread does both in turn."""


class FogSearchAgent(Agent):
    """Plays by knowledge-limited subgame solving. It is told views, and its own moves; no more."""

    name = "search"

    def __init__(self, settings: FogSearchSettings | None = None) -> None:
        self.settings = settings or FogSearchSettings()
        self._evaluator: NativeEvaluator | None = None
        self._search: _core.FogChessSearch | None = None

    def start(self, game: Game, player: int, seed: str) -> None:
        if not isinstance(game, FogChess):
            raise GameError(f"this agent plays fog_chess, not {game}")
        position = _core.FogChessPosition(game.fen)
        belief = FogBelief.start(
            player, fen=game.fen, rules=game.rules, limits=self.settings.limits
        )
        self._begin(game, player, seed, position, belief)

    def start_from_view(self, game: FogChess, view: FogObservation, seed: str) -> None:
        """A game in which nothing is known but this view, of a position where its player is to
        move; ``game`` tells the rules."""
        if view.side != view.player:
            raise GameError("the player whose view this is must be to move")
        belief = FogBelief.from_view(view, rules=game.rules, limits=self.settings.limits)
        self._begin(game, view.player, seed, belief.native[0], belief)
        self.inside.forget()

    def _begin(
        self,
        game: FogChess,
        player: int,
        seed: str,
        position: _core.FogChessPosition,
        belief: FogBelief,
    ) -> None:
        evaluator = load_evaluator(self.settings.evaluator, rules=game.rules)
        if not isinstance(evaluator, NativeEvaluator):
            raise OptionError(
                f"the search needs a native evaluator, not '{self.settings.evaluator}'"
            )
        number = int.from_bytes(hashlib.sha256(seed.encode()).digest()[:6], "big")
        options = replace(self.settings.options, seed=number)
        self._evaluator = evaluator
        self._player = player
        self._belief = belief
        self._search = _core.FogChessSearch(
            evaluator.native, evaluator.native_rules, options.native(), player, position
        )
        self._turn = position.side
        self._seed = number
        self._ply = 0
        self._move: str | None = None

    @property
    def belief(self) -> FogBelief:
        """What we cannot rule out."""
        return self._belief

    def observe(self, observation: Observation) -> None:
        view = observation.view
        if not isinstance(view, FogObservation) or self._search is None:
            raise GameError("this agent observes views of a game of fog_chess that has started")
        if view.native.side == self._turn:  # nothing has moved since
            if len(self._belief) and view != self._belief.view:
                raise GameError("the search has to know the position that the game began with")
            return
        if self._move is not None:
            belief = self._belief.after_own_move(self._move, view)
            self._search.moved(self._belief.native[0].read_uci(self._move), view.native)
        else:
            belief = self._belief.after_other_move(view)
            self._search.saw(view.native)
        self._belief, self._move = belief, None
        self._turn = view.native.side
        self._ply += 1

    def follow(self, action: Action) -> None:
        if self._move is None:
            self.act(Budget(steps=1))  # the tree goes on from where something was decided
        self._move = str(action)

    def act(self, budget: Budget | None = None) -> SearchDecision:
        return self._decision(self._ready().decide(self._spend(budget).native()))

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
        spend = self._spend(budget).native()
        return self._decision(self._ready().watch(spend, watcher, every=every, looks=looks))

    @property
    def inside(self) -> _core.FogChessSearch:
        """The native search, to look at its tree."""
        if self._search is None:
            raise GameError("no game has started")
        return self._search

    def _ready(self) -> _core.FogChessSearch:
        if self._search is None or self._turn != self._player:
            raise GameError("it is not this agent's turn")
        self._search.know(self._belief.native.sample(SAMPLE, self._seed + self._ply))
        return self._search

    def _spend(self, budget: Budget | None) -> Budget:
        spend = budget or self.settings.budget
        if spend.expanders == 0 and spend.seconds > 0:
            return replace(spend, expanders=self.settings.threads - 1)
        return spend

    def _decision(self, raw: dict[str, Any]) -> SearchDecision:
        first = self._belief.native[0]
        names = [_core.fog_chess_write_uci(move) for move in raw["actions"]]
        chosen = _core.fog_chess_write_uci(raw["action"] if names else first.moves()[0])
        self._move = chosen
        return search_decision(
            raw,
            names or first.uci_moves(),
            chosen,
            belief=self._belief,
            belief_size=len(self._belief),
        )
