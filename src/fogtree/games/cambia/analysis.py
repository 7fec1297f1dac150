"""Analyses of Cambia: a game so far, seen by the player who is to decide.

The agent observes this player's views; the report holds what the agent knows. Possible
positions are the agent's own samples. Only ``all_seeing`` adds the truth.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from fogtree import _core
from fogtree.agents.budget import Budget
from fogtree.errors import OptionError
from fogtree.game import History
from fogtree.games.cambia.cards import kind_name
from fogtree.games.cambia.game import Cambia, CambiaState
from fogtree.games.cambia.position import Position
from fogtree.games.cambia.search import CambiaAdapter
from fogtree.report.analysis import AnalysisReport, Truth
from fogtree.search.agent import SearchAgent
from fogtree.search.analysis import LOOKS, examine, follow_history
from fogtree.search.settings import SearchDefaults, SearchSettings


class CambiaNotation:
    """Positions as one player writes them: the own cards first."""

    def __init__(self, inside: _core.CambiaSearch, game: Cambia, player: int) -> None:
        self._inside, self._texts, self._player = inside, game.layout.texts, player

    def action(self, number: int) -> str:
        return self._texts[number]

    def position(self, state: Any) -> str:
        return position_text(self._inside.table(state), self._player)

    def line(self, state: Any, numbers: Sequence[int]) -> Sequence[str]:
        steps = self._inside.steps(state, list(numbers))
        return [
            self._texts[number] if player >= 0 else f"card {kind_name(number)}"
            for player, number in steps
        ]


def position_text(position: Position | _core.CambiaPosition, player: int) -> str:
    """Both hands, the drawn card if there is one, and the top of the discard."""
    hands = [" ".join(map(kind_name, hand)) or "none" for hand in position.hands]
    drawn = "" if position.drawn < 0 else f", drawn {kind_name(position.drawn)}"
    top = f", discard {kind_name(position.discard[-1])}" if position.discard else ""
    return f"{hands[player]} against {hands[1 - player]}{drawn}{top}"


@dataclass(frozen=True, slots=True, kw_only=True)
class CambiaSource:
    """A decision in a game of Cambia, at the end of a history."""

    defaults: ClassVar[SearchDefaults] = replace(CambiaAdapter.defaults, budget=Budget(seconds=5.0))
    places: ClassVar[tuple[str, ...]] = ("history",)

    game: Cambia
    history: History | None = None
    earlier: int = 1
    """How many of the player's decisions before this one are searched as well."""
    all_seeing: bool = False

    def analyse(self, settings: SearchSettings, looks: int = LOOKS) -> AnalysisReport:
        history = self.history
        if history is None:
            raise OptionError("say with --record and --ply where cambia is to be searched")
        game, end = history.game, history.end
        assert isinstance(game, Cambia)
        assert isinstance(end, CambiaState)
        agent = SearchAgent(game, settings)
        seed = str(settings.options.seed)
        player = follow_history(agent, history, earlier=self.earlier, seed=seed)
        native = agent.native
        assert isinstance(native, _core.CambiaSearch)
        analysis = examine(
            native,
            CambiaNotation(native, game, player),
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
        raise OptionError("a search of cambia cannot be traced")
