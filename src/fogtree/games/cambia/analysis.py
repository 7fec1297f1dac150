"""Analyses of Cambia: a game so far, seen by the player who is to decide.

The agent observes this player's views; the report holds what the agent knows. Possible
positions are the agent's own samples. Only ``all_seeing`` adds the truth.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from fogtree.agents.budget import Budget
from fogtree.errors import OptionError
from fogtree.game import History
from fogtree.games.cambia.game import Cambia, CambiaState
from fogtree.games.cambia.search import CambiaAdapter, position_text
from fogtree.report.analysis import AnalysisReport, Truth
from fogtree.search.agent import SearchAgent
from fogtree.search.analysis import LOOKS, examine, follow_history
from fogtree.search.settings import SearchDefaults, SearchSettings


@dataclass(frozen=True, slots=True, kw_only=True)
class CambiaSource:
    """A decision in a game of Cambia, at the end of a history."""

    defaults: ClassVar[SearchDefaults] = replace(CambiaAdapter.defaults, budget=Budget(seconds=5.0))
    places: ClassVar[tuple[str, ...]] = ("history",)
    """The fields that say at which decision to search."""

    game: Cambia
    history: History | None = None
    earlier: int = 1
    """How many of the player's decisions before this one are searched as well."""
    all_seeing: bool = False

    def analyse(self, settings: SearchSettings, looks: int = LOOKS) -> AnalysisReport:
        """Search at the decision and report the search."""
        history = self.history
        if history is None:
            raise OptionError("say with --record and --ply where cambia is to be searched")
        game, end = history.game, history.end
        assert isinstance(game, Cambia)
        assert isinstance(end, CambiaState)
        agent = SearchAgent(game, settings)
        seed = str(settings.options.seed)
        player = follow_history(agent, history, earlier=self.earlier, seed=seed)
        analysis = examine(
            agent.native,
            agent.adapter.notation,
            player,
            lambda callback: agent.watch(callback, looks=looks),
        )
        step, evaluator = len(history.steps), str(settings.evaluator)
        truth = position_text(end.position, player)
        return AnalysisReport(
            heading=f"{game}, step {step}: player {player} to decide",
            analysis=analysis,
            about={"game": str(game), "step": step, "player": player, "evaluator": evaluator},
            facts={"evaluator": evaluator},
            truth=Truth(truth, truth) if self.all_seeing else None,
        )

    def trace(self, settings: SearchSettings) -> str:
        """Refuse: there is no notation for a trace of Cambia."""
        raise OptionError("a search of cambia cannot be traced")
