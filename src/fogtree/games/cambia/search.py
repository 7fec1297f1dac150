"""The search on Cambia: belief, leaf values and native search of one player.

Zhang & Sandholm (2025), as for chess. *Deviations:* there are far too many possible positions to
list them, so those that the tree lacks are sampled, in groups that the opponent cannot tell apart;
and in the first search of a game, when the opponent has no alternate values yet, chance picks the
group.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, ClassVar

from fogtree import _core
from fogtree.agents.budget import Budget
from fogtree.agents.protocol import Observation
from fogtree.agents.seat import Seat
from fogtree.deep.value_network import ValueNetwork, read_value_network
from fogtree.errors import GameError, OptionError
from fogtree.game import Game
from fogtree.games.cambia.cards import kind_name
from fogtree.games.cambia.game import Cambia
from fogtree.games.cambia.position import Position
from fogtree.games.cambia.shipped_networks import shipped_values
from fogtree.games.cambia.view import CambiaView
from fogtree.search.adapter import SearchAdapter
from fogtree.search.decision import SearchDecision, search_decision
from fogtree.search.settings import SearchDefaults, SearchSettings
from fogtree.text.specs import parse_spec

GROUPS, GROUP_SIZE = 32, 8
"""Groups of sampled positions, and positions in a group, which the opponent cannot tell apart."""


def leaf_values(evaluator: str) -> ValueNetwork | None:
    """The value network that an evaluator's spec names; None for ``cards``, which values leaves by
    their cards without a network."""
    if evaluator == "cards":
        return None
    if evaluator in ("auto", "net"):
        return shipped_values()
    read = parse_spec(evaluator, "evaluator")
    if read.name != "net" or not read.argument:
        raise OptionError(
            f"leaf values of cambia are auto, cards, net or net:FILE, not '{evaluator[:40]}'"
        )
    return read_value_network(read.argument)


def leaf_network(evaluator: str, game: Cambia) -> _core.DeepNetwork | None:
    """The network that values leaves under this game's rules; None if leaves are valued by their
    cards."""
    found = leaf_values(evaluator)
    if found is None or (evaluator == "auto" and not found.fits(game, game.encoding.size)):
        return None
    found.check(game, game.encoding.size)
    return found.network.native()


class CambiaNotation:
    """Writes actions and positions of a search for analyses, with the player's own cards first; see
    :class:`fogtree.search.analysis.Notation`."""

    def __init__(self, native: _core.CambiaSearch, game: Cambia, player: int) -> None:
        self._native, self._texts, self._player = native, game.layout.texts, player

    def action(self, number: int) -> str:
        """The text of an action."""
        return self._texts[number]

    def position(self, state: Any) -> str:
        """A position of the native search as text."""
        return position_text(self._native.table(state), self._player)

    def diagram(self, state: Any) -> str:
        """The same text as :meth:`position`: nothing of it is left out."""
        return self.position(state)

    def line(self, state: Any, numbers: Sequence[int]) -> Sequence[str]:
        """The steps of a line from a position; a step of chance is the card that it gives."""
        steps = self._native.steps(state, list(numbers))
        return [
            self._texts[number] if player >= 0 else f"card {kind_name(number)}"
            for player, number in steps
        ]


def position_text(position: Position | _core.CambiaPosition, player: int) -> str:
    """Both hands, the player's own first, the drawn card if there is one, and the top discard."""
    hands = [" ".join(map(kind_name, hand)) or "none" for hand in position.hands]
    drawn = "" if position.drawn < 0 else f", drawn {kind_name(position.drawn)}"
    top = f", discard {kind_name(position.discard[-1])}" if position.discard else ""
    return f"{hands[player]} against {hands[1 - player]}{drawn}{top}"


class CambiaAdapter(SearchAdapter):
    """Searches for one of two players, whose belief it updates event by event.

    The evaluator is ``cards``, an estimate from the cards; ``net``, the network in the package;
    ``net:FILE``; or ``auto``: the network under the rules it was trained for, else the cards.
    """

    defaults: ClassVar[SearchDefaults] = SearchDefaults(
        budget=Budget(seconds=0.25), evaluator="auto", can_ponder=True
    )
    plain_evaluator: ClassVar[str | None] = "cards"
    plays_forced_actions: ClassVar[bool] = True

    @classmethod
    def check(cls, settings: SearchSettings) -> None:
        """Refuse settings whose evaluator cannot be loaded."""
        leaf_values(settings.evaluator)

    def __init__(self, game: Game, player: int, seed: int, settings: SearchSettings) -> None:
        """Begin a game with an empty belief and a native search for one player."""
        assert isinstance(game, Cambia)
        self._game, self._player = game, player
        self._seat = Seat(game, player)
        self._texts = game.layout.texts
        self._belief = _core.CambiaBelief(game.native_rules, player)
        self._search = _core.CambiaSearch(
            game.native_rules,
            replace(settings.options, seed=seed).native(),
            player,
            leaf_network(settings.evaluator, game),
        )
        self.native = self._search
        self._seed = seed
        self._step = 0
        self._actions: tuple[str, ...] = ()

    @property
    def to_act(self) -> bool:
        """Whether it is this player's turn."""
        return bool(self._actions)

    @property
    def can_ponder(self) -> bool:
        """Whether the search may ponder (think in the opponent's time): it is not our turn, and
        something has been seen."""
        return not self._actions and self._step > 0

    @property
    def belief(self) -> _core.CambiaBelief:
        """All that is known of the hidden cards, from which positions are sampled."""
        return self._belief

    def observe(self, observation: Observation) -> None:
        """Follow the next view; if the rules do not allow it, raise an error and change nothing."""
        view, before = observation.view, self._seat.last
        self._seat.take(observation)
        assert isinstance(view, CambiaView)  # the game has checked it
        if view.step != self._step:
            try:
                self._follow(view)
            except GameError:
                self._seat.last = before
                raise
        self._actions = tuple(str(action) for action in observation.actions)

    def _follow(self, view: CambiaView) -> None:
        """Add the event that led to the next view to the belief and to the search."""
        if view.step != self._step + 1:
            raise GameError(f"view {view.step} of the game came after view {self._step}")
        try:
            self._belief.observe(view.event)
        except ValueError as error:
            raise GameError(
                f"view {view.step} does not follow from the one before: {error}"
            ) from None
        self._search.observe(view.event)
        self._step = view.step

    def prepare(self, seconds: float | None = None, *, pondering: bool = False) -> None:
        """Make sampled positions of the belief the roots of the search; half of the ``seconds`` may
        go into that."""
        self._search.move_to(
            self._belief,
            GROUPS,
            GROUP_SIZE,
            self._seed + self._step,
            None if seconds is None else seconds / 2,
            give_up=pondering,
        )

    @property
    def notation(self) -> CambiaNotation:
        """How the search's actions and positions are written in analyses."""
        return CambiaNotation(self._search, self._game, self._player)

    def decision(self, raw: _core.SearchResult) -> SearchDecision:
        """The native search's answer with the texts of actions."""
        names = [self._texts[c.action] for c in raw.candidates]
        return search_decision(
            raw,
            names or self._actions,
            self._texts[raw.action] if names else self._actions[0],
            belief=self._belief,
            belief_size=None,
        )
