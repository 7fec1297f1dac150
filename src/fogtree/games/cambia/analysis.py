"""Analysis of Cambia: a game so far, seen by the player who is to decide.

The agent is told this player's views; the result has in it what the agent knows. Possible tables
are the agent's own samples. Only ``all_seeing`` adds the truth.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from fogtree import _core
from fogtree.agents.protocol import Observation
from fogtree.errors import OptionError
from fogtree.games.cambia.cards import kind_name
from fogtree.games.cambia.game import Cambia, CambiaState
from fogtree.games.cambia.position import Position
from fogtree.search.agent import SearchAgent
from fogtree.search.analysis import LOOKS, Analysis, examine, searched_before
from fogtree.search.settings import SearchSettings


@dataclass(frozen=True, slots=True, eq=False)
class CambiaAnalysis:
    """An analysis at one step of a game. ``truth`` is the table as it is, if it was asked for."""

    game: Cambia
    step: int
    analysis: Analysis
    settings: SearchSettings
    truth: str | None

    @property
    def heading(self) -> str:
        return f"{self.game}, step {self.step}: player {self.analysis.player} to decide"


class CambiaWords:
    """Tables as one player writes them: the own cards first."""

    def __init__(self, inside: _core.CambiaSearch, game: Cambia, player: int) -> None:
        self._inside, self._texts, self._player = inside, game.layout.texts, player

    def action(self, number: int) -> str:
        return self._texts[number]

    def position(self, state: Any) -> str:
        return table_text(self._inside.table(state), self._player)

    def line(self, state: Any, numbers: Sequence[int]) -> Sequence[str]:
        steps = self._inside.steps(state, list(numbers))
        return [
            self._texts[number] if player >= 0 else f"card {kind_name(number)}"
            for player, number in steps
        ]


def table_text(table: Position | _core.CambiaPosition, player: int) -> str:
    """Both hands, the drawn card if there is one, and the top of the discard."""
    hands = [" ".join(map(kind_name, hand)) or "none" for hand in table.hands]
    drawn = "" if table.drawn < 0 else f", drawn {kind_name(table.drawn)}"
    top = f", discard {kind_name(table.discard[-1])}" if table.discard else ""
    return f"{hands[player]} against {hands[1 - player]}{drawn}{top}"


def analyse_cambia(
    game: Cambia,
    states: Sequence[CambiaState],
    settings: SearchSettings,
    *,
    earlier: int = 1,
    seed: str = "analysis",
    looks: int = LOOKS,
    all_seeing: bool = False,
) -> CambiaAnalysis:
    """The search of the player who is to decide at the last of a game's states, all of them from
    the first on. At the last ``earlier`` decisions before this one it searched as it will here."""
    end = states[-1]
    if end.player < 0:
        raise OptionError(f"at step {len(states) - 1} of this game nobody is to decide")
    player = end.player
    agent = SearchAgent(game, settings)
    agent.start(game, player, seed)
    searched = searched_before(states, earlier)
    for number, state in enumerate(states):
        actions = tuple(state.actions()) if state.player == player else ()
        agent.observe(Observation(player, state.observation(player), actions))
        if number in searched:
            agent.act()
    native = agent.native
    assert isinstance(native, _core.CambiaSearch)
    analysis = examine(
        native,
        CambiaWords(native, game, player),
        player,
        lambda callback: agent.watch(callback, looks=looks),
    )
    truth = table_text(end.position, player) if all_seeing else None
    return CambiaAnalysis(game, len(states) - 1, analysis, settings, truth)
