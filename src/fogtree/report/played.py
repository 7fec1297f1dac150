"""Analyses at the end of a history, for games without an analysis of their own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from fogtree.agents.budget import Budget
from fogtree.errors import OptionError
from fogtree.game import Game, History
from fogtree.report.analysis import AnalysisReport
from fogtree.search.agent import SearchAgent
from fogtree.search.analysis import LOOKS, examine, follow_history
from fogtree.search.settings import SearchDefaults, SearchSettings
from fogtree.search.tree_adapter import TreeAdapter


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayedSource:
    """A decision at the end of a recorded game or of moves, which include outcomes of chance. The
    game is compiled only if it fits into memory."""

    defaults: ClassVar[SearchDefaults] = replace(TreeAdapter.defaults, budget=Budget(steps=2000))
    places: ClassVar[tuple[str, ...]] = ("moves", "history", "infoset")

    game: Game
    moves: Sequence[str] | None = None
    history: History | None = None
    earlier: int = 1
    """How many of the player's decisions before this one are searched as well."""

    def analyse(self, settings: SearchSettings, looks: int = LOOKS) -> AnalysisReport:
        """Search at the end of the history and report the search."""
        history = self._history()
        agent = SearchAgent(history.game, settings)
        player = follow_history(
            agent, history, earlier=self.earlier, seed=str(settings.options.seed)
        )
        analysis = examine(
            agent.native,
            agent.adapter.notation,
            player,
            lambda callback: agent.watch(callback, looks=looks),
            agent.adapter.scale,
        )
        game, step, view = str(history.game), len(history.steps), history.end.show(player)
        return AnalysisReport(
            heading=f"{game}, step {step}: player {player} to decide",
            analysis=analysis,
            about={"game": game, "step": step, "player": player},
            view=view,
        )

    def trace(self, settings: SearchSettings) -> str:
        """Not possible here: always an error."""
        raise OptionError("only a search at an information set (infoset) can be traced")

    def _history(self) -> History:
        """The history that was given, or the one that the moves lead to."""
        if self.history is not None and self.moves is not None:
            raise OptionError("say moves or history, not both")
        if self.history is not None:
            return self.history
        return History.of_texts(self.game, self.moves or ())
