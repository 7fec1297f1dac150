"""Analyses of Fog-of-War chess: a game so far, seen by the side that is to move.

The other side's moves are used only to compute the views of this side: the agent observes views,
and the report holds what the agent knows. Only ``all_seeing`` adds the truth.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from fogtree.agents.budget import Budget
from fogtree.agents.protocol import Observation
from fogtree.errors import OptionError
from fogtree.game import History
from fogtree.games.fog_chess.analysis_report import chess_report, true_position
from fogtree.games.fog_chess.board_text import COLORS
from fogtree.games.fog_chess.game import FogChess
from fogtree.games.fog_chess.observation import FogObservation
from fogtree.games.fog_chess.search import FogChessAdapter
from fogtree.games.fog_chess.trace import trace_search
from fogtree.report.analysis import AnalysisReport, Truth
from fogtree.search.agent import SearchAgent
from fogtree.search.analysis import LOOKS, examine, follow_history
from fogtree.search.settings import SearchDefaults, SearchSettings


@dataclass(frozen=True, slots=True, kw_only=True)
class FogChessSource:
    """A decision in a game of chess: after moves from a position that both sides know, in a
    recorded game, or from what one side sees alone."""

    defaults: ClassVar[SearchDefaults] = replace(
        FogChessAdapter.defaults, budget=Budget(seconds=5.0)
    )
    places: ClassVar[tuple[str, ...]] = ("moves", "fen", "history")
    """The fields that say at which decision to search."""

    game: FogChess
    fen: str | None = None
    """The start; or a fog FEN, which is all that one side sees."""
    moves: Sequence[str] | None = None
    """UCI moves from the start."""
    history: History | None = None
    """A game, instead of start and moves."""
    rules: str | None = None
    player: int | None = None
    """The side to move, to be checked."""
    earlier: int = 1
    """How many of the side's decisions before this one are searched as well."""
    all_seeing: bool = False

    def analyse(self, settings: SearchSettings, looks: int = LOOKS) -> AnalysisReport:
        """Search at the decision and report the search."""
        agent = SearchAgent(self.game, settings)
        truth: Truth | None = None
        own_moves: Sequence[str] = ()
        if self._is_fog:
            player = self._look(agent)
        else:
            history = self._history()
            player = self._follow(agent, history)
            first = 0 if history.states[0].player == player else 1
            own_moves = [str(move) for move in history.steps[first::2]]
            if self.all_seeing:
                truth = true_position(history, agent.belief)
        analysis = examine(
            agent.native,
            agent.adapter.notation,
            player,
            lambda callback: agent.watch(callback, looks=looks),
        )
        return chess_report(analysis, agent.belief, settings.evaluator, own_moves, truth)

    def trace(self, settings: SearchSettings) -> str:
        """Every step of the search at the last position of the game, as text."""
        if self._is_fog:
            raise OptionError("a trace follows a game; a fog FEN has no moves")
        agent = SearchAgent(self.game, settings)
        return trace_search(agent, self._follow(agent, self._history()))

    @property
    def _is_fog(self) -> bool:
        """Whether the given position is a fog FEN, which hides squares as ``?``."""
        return self.fen is not None and "?" in self.fen

    def _look(self, agent: SearchAgent) -> int:
        """Show the agent a view and nothing else; returns the player whose view it is."""
        if self.moves or self.history or self.all_seeing:
            raise OptionError("a fog FEN is all that is known: no moves, no record, no truth")
        assert self.fen is not None
        rules = self._rules
        view = FogObservation.from_fog_fen(self.fen, rules)
        if self.player is not None and self.player != view.player:
            raise OptionError("the fog FEN is the other side's view")
        if view.side != view.player:
            raise OptionError("the side whose view this is must be to move")
        agent.start(FogChess(rules=rules), view.player, str(agent.settings.options.seed))
        agent.observe(Observation(view.player, view))
        return view.player

    def _follow(self, agent: SearchAgent, history: History) -> int:
        """Show the agent the views of the side to move in a game; returns this side."""
        mover = history.end.player
        if mover >= 0 and self.player not in (None, mover):
            raise OptionError(
                f"after {len(history.steps)} plies {COLORS[mover]} is to move, "
                f"not {COLORS[1 - mover]}"
            )
        return follow_history(
            agent, history, earlier=self.earlier, seed=str(agent.settings.options.seed)
        )

    @property
    def _rules(self) -> str:
        """The game's rules if they are not the default ones, else the option ``rules``."""
        own = self.game.rules
        return own if self.rules is None or own != FogChess().rules else self.rules

    def _history(self) -> History:
        """The recorded game, or the one that ``fen`` and ``moves`` name."""
        if self.history is not None:
            if self.fen is not None or self.moves is not None:
                raise OptionError("a recorded game has its own start and moves")
            return self.history
        fen = self.game.fen if self.fen is None else self.fen
        return History.of(FogChess(rules=self._rules, fen=fen), self.moves or ())
