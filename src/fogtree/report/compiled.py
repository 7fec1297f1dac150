"""Analyses of games that can be compiled: the search at one information set."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from fogtree.agents.budget import Budget
from fogtree.errors import OptionError
from fogtree.report.analysis import AnalysisReport
from fogtree.search.analysis import LOOKS
from fogtree.search.settings import SearchDefaults, SearchSettings
from fogtree.search.tree_analysis import analyse_tree, search_at, trace_tree
from fogtree.strategy import Strategy
from fogtree.tree import GameTree


@dataclass(frozen=True, slots=True, kw_only=True)
class CompiledSource:
    """A decision in a compiled game. On the way there the agent searches at each of its decisions,
    or it plays the ``blueprint``."""

    defaults: ClassVar[SearchDefaults] = SearchDefaults(budget=Budget(steps=10_000))
    places: ClassVar[tuple[str, ...]] = ("infoset",)

    game: GameTree
    infoset: str | None = None
    before: Budget | None = None
    """The budget of each search on the way; by default that of the analysis."""
    blueprint: Strategy | None = None

    def analyse(self, settings: SearchSettings, looks: int = LOOKS) -> AnalysisReport:
        """Search at the information set and report the search."""
        infoset = self._infoset()
        analysis = analyse_tree(
            self.game,
            infoset,
            settings.with_threads(settings.budget),
            settings.options,
            before=self.before,
            blueprint=self.blueprint,
            looks=looks,
        )
        return AnalysisReport(
            heading=f"{self.game.game}, {infoset}: player {analysis.player}",
            analysis=analysis,
            about={"game": self.game.game, "infoset": infoset, "player": analysis.player},
        )

    def trace(self, settings: SearchSettings) -> str:
        """Every step of the search at the information set, as text."""
        infoset, budget, options = self._infoset(), settings.budget, settings.options
        search = search_at(self.game, infoset, self.before or budget, options, self.blueprint)
        return trace_tree(search, infoset, budget, options)

    def _infoset(self) -> str:
        """The information set to search at; an error if none was named."""
        if self.infoset is None:
            known = ", ".join(self.game.infoset_names[:6])
            raise OptionError(
                f"say at which information set (infoset) {self.game.game} is to be searched: "
                f"{known}, ..."
            )
        return self.infoset
