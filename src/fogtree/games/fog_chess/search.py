"""The search on Fog-of-War chess: belief, evaluator and native search of one side."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, ClassVar

from fogtree import _core
from fogtree.agents.budget import Budget
from fogtree.agents.protocol import Observation
from fogtree.errors import GameError
from fogtree.game import Action, Game
from fogtree.games.fog_chess.belief import BeliefLimits, FogBelief
from fogtree.games.fog_chess.evaluator import FogEvaluator
from fogtree.games.fog_chess.evaluators import DEFAULT_EVALUATOR, load_evaluator
from fogtree.games.fog_chess.game import FogChess
from fogtree.games.fog_chess.observed_views import ObservedViews
from fogtree.games.fog_chess.rules import read_fen
from fogtree.search.adapter import SearchAdapter
from fogtree.search.decision import SearchDecision, search_decision
from fogtree.search.settings import SearchDefaults, SearchSettings

SAMPLE = 2048
"""Positions of the belief given to the search at each decision; the search may use fewer."""


class FogChessNotation:
    """How a search of chess is written in analyses: positions as FEN, moves in UCI."""

    def action(self, number: int) -> str:
        """A move in UCI notation."""
        return _core.fog_chess_write_uci(number)

    def position(self, state: Any) -> str:
        """A position of the native search as FEN."""
        fen: str = state.fen
        return fen

    def diagram(self, state: Any) -> str:
        """The pieces on the board, without the rights to castle or to take en passant."""
        return self.position(state).split()[0]

    def line(self, state: Any, numbers: Sequence[int]) -> Sequence[str]:
        """The moves of a line in UCI notation."""
        del state
        return [_core.fog_chess_write_uci(number) for number in numbers]


class FogChessAdapter(SearchAdapter):
    """Searches for one side of a game, whose belief it updates move by move.

    A view that the rules do not allow after the earlier ones is refused, or, if the belief is too
    large for that, makes the decision in which this is found fail. A belief that is only a sample
    and runs empty is restarted from the view alone; ``stats["restarts"]`` counts that.
    """

    defaults: ClassVar[SearchDefaults] = SearchDefaults(
        budget=Budget(seconds=1.0),
        preset="focus",
        evaluator=DEFAULT_EVALUATOR,
        cap=BeliefLimits().cap,
        can_ponder=True,
    )
    plain_evaluator: ClassVar[str | None] = "simple"
    published_scores: ClassVar[dict[str, float]] = {
        "purification off": 0.702,
        "frozen": 0.580,
        "uniform prior": 0.533,
        "two-sided expansion": 0.533,
        "simple evaluator": 0.819,
    }

    @classmethod
    def check(cls, settings: SearchSettings) -> None:
        """Refuse settings whose belief limits are wrong or whose evaluator cannot be loaded."""
        _limits(settings)
        if isinstance(settings.evaluator, str):
            load_evaluator(settings.evaluator).close()

    def __init__(self, game: Game, player: int, seed: int, settings: SearchSettings) -> None:
        """Load the evaluator and begin a native search with the belief of the game's start."""
        assert isinstance(game, FogChess)
        self._seed = seed
        self._closes_evaluator = isinstance(settings.evaluator, str)
        self.evaluator = _evaluator(settings.evaluator, game)
        try:
            self._search = _core.FogChessSearch(
                self.evaluator.for_search(),
                self.evaluator.native_rules,
                replace(settings.options, seed=seed).native(),
                player,
                read_fen(game.fen),
            )
        except BaseException:
            self.close()
            raise
        self.native = self._search
        self._views = ObservedViews(game, player, _limits(settings), self._search.stop_flag)
        self._searched = self._views.tracker.whole()
        """The belief of the last search, or a sample of it."""

    @property
    def to_act(self) -> bool:
        """Whether it is this player's turn."""
        return self._views.to_act

    @property
    def can_ponder(self) -> bool:
        """Whether the opponent is to move in a game that is not over."""
        return not self.to_act and self._views.tracker.goes_on

    @property
    def belief(self) -> FogBelief:
        """The whole belief, however long its enumeration takes."""
        return self._views.tracker.whole()

    def observe(self, observation: Observation) -> None:
        """Update belief and search by the next view: a move of either side, or another start of the
        game."""
        change = self._views.observe(observation)
        if change.kind == "restart":
            self._search.restart(change.view.native)
        elif change.move is not None:
            self._search.observe_own_move(change.move, change.view.native)
        elif change.kind == "move":
            self._search.observe_opponent_move(change.view.native)
        self._views.allow(observation.actions)

    def play(self, action: Action) -> None:
        """Record the player's own move at the last view."""
        self._views.play(action)

    def prepare(self, seconds: float | None = None, *, pondering: bool = False) -> None:
        """Make the positions of the belief the roots of the search; half of the time left may go
        into that."""
        began = time.perf_counter()
        self._searched = self._views.tracker.now(seconds)
        if not len(self._searched):
            raise GameError("the game is over: there is no position to search")
        if pondering and self.native.stop_flag.is_set:
            return
        left = None if seconds is None else seconds - (time.perf_counter() - began)
        self._search.move_to(
            self._searched.native,
            SAMPLE,
            self._seed + self._views.ply,
            None if left is None else left / 2,
            give_up=pondering,
        )

    def catch_up(self) -> None:
        """Enumerate positions of the belief for which :meth:`prepare` had no time, until the stop
        flag is set."""
        self._views.tracker.catch_up()

    @property
    def notation(self) -> FogChessNotation:
        """How the search's moves and positions are written in analyses."""
        return FogChessNotation()

    def decision(self, raw: _core.SearchResult) -> SearchDecision:
        """The native search's answer with moves in UCI notation."""
        moves = self._searched.native[0].uci_moves()
        names = [_core.fog_chess_write_uci(c.action) for c in raw.candidates]
        return search_decision(
            raw,
            names or moves,
            _core.fog_chess_write_uci(raw.action) if names else moves[0],
            belief=self._searched,
            belief_size=len(self._searched),
            allowed=self._views.actions,
            more={"restarts": self._views.tracker.restarts},
        )

    def close(self) -> None:
        """Close the evaluator, if this adapter loaded it."""
        if self._closes_evaluator:
            self.evaluator.close()


def _limits(settings: SearchSettings) -> BeliefLimits:
    """The belief's limits that the settings of a search ask for."""
    limits = BeliefLimits(threads=1 if settings.threads == 1 else 0)
    return limits if settings.cap is None else replace(limits, cap=settings.cap)


def _evaluator(evaluator: str | FogEvaluator, game: FogChess) -> FogEvaluator:
    """The evaluator that the settings name or contain; it must be for the game's rules."""
    if isinstance(evaluator, str):
        return load_evaluator(evaluator, rules=game.rules)
    if evaluator.rules.name != game.rules:
        raise GameError(
            f"{evaluator.name} is for the rules {evaluator.rules.name}, not {game.rules}"
        )
    return evaluator
