"""The search agent for Fog-of-War chess: belief, tree and clock behind the agents' protocol."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field, replace
from typing import Any

from fogtree import _core
from fogtree.agents.protocol import Agent, Decision, Observation
from fogtree.errors import GameError, OptionError
from fogtree.fogchess.belief import BeliefLimits, FogBelief
from fogtree.fogchess.evaluators import NativeEvaluator, load_evaluator
from fogtree.fogchess.observation import FogObservation
from fogtree.game import Action, Game
from fogtree.games.fog_chess import FogChess
from fogtree.search.agent import Budget
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
        evaluator = load_evaluator(self.settings.evaluator, rules=game.rules)
        if not isinstance(evaluator, NativeEvaluator):
            raise OptionError(
                f"the search needs a native evaluator, not '{self.settings.evaluator}'"
            )
        number = int.from_bytes(hashlib.sha256(seed.encode()).digest()[:6], "big")
        options = replace(self.settings.options, seed=number)
        position = _core.FogChessPosition(game.fen)
        self._evaluator = evaluator
        self._player = player
        self._belief = FogBelief.start(
            player, fen=game.fen, rules=game.rules, limits=self.settings.limits
        )
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
        self._move = str(action)

    def act(self, budget: Budget | None = None) -> Decision:
        if self._search is None or self._turn != self._player:
            raise GameError("it is not this agent's turn")
        self._search.know(self._belief.native.sample(SAMPLE, self._seed + self._ply))
        spend = budget or self.settings.budget
        if spend.expanders == 0 and spend.seconds > 0:
            spend = replace(spend, expanders=self.settings.threads - 1)
        raw = self._search.decide(spend.native())
        return self._decision(raw)

    def _decision(self, raw: dict[str, Any]) -> Decision:
        write = _core.fog_chess_write_uci
        names = [write(move) for move in raw["actions"]]
        if not names:  # too little time even for one look: any legal move
            names = self._belief.native[0].uci_moves()
            raw = {**raw, "action": self._belief.native[0].moves()[0]}
            share = [1.0 / len(names)] * len(names)
            raw["probabilities"], raw["values"] = share, [0.0] * len(names)
        self._move = write(raw["action"])
        keys = (
            "value",
            "p_max",
            "nodes",
            "infosets",
            "iterations",
            "steps",
            "touched",
            "depth",
            "seconds",
            "bytes",
            "carried_nodes",
            "carried_infosets",
            "sampled",
        )
        stats: dict[str, float | str] = {key: raw[key] for key in keys}
        stats["belief_size"] = len(self._belief)
        return Decision(
            action=self._move,
            mix={n: p for n, p in zip(names, raw["probabilities"], strict=True) if p > 0},
            values=dict(zip(names, raw["values"], strict=True)),
            belief=self._belief,
            stats=stats,
        )
