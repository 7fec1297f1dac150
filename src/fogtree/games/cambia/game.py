"""Cambia as a game: the reference and the native engine behind the Game and State protocol."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any, TypeGuard

import numpy as np
from numpy.typing import NDArray

from fogtree import _core
from fogtree.errors import GameError, IllegalActionError, OptionError
from fogtree.game import CHANCE, TERMINAL, Action, Game, State
from fogtree.game.parameters import ParameterGame, parameter
from fogtree.games.cambia.actions import Layout, layout
from fogtree.games.cambia.cards import names_of
from fogtree.games.cambia.compiling import CambiaTreeSource
from fogtree.games.cambia.features import Encoding
from fogtree.games.cambia.keys import ABSTRACTIONS, CambiaKeys
from fogtree.games.cambia.position import PENALTY, STARTER, Position
from fogtree.games.cambia.rules import (
    HAND_LIMIT,
    MOST_PLAYERS,
    PRESETS,
    PROFILES,
    Rules,
    make_rules,
)
from fogtree.games.cambia.tokens import NOTHING, token_of, token_text
from fogtree.games.cambia.view import CambiaView, check_view, legal_actions, view_of
from fogtree.games.cambia.view_text import Words, news_text, view_text

MOST_SAMPLED_TURNS = 1000
"""Turns of the longest game that the native simulator plays."""
_NOT_RULES = ("players", "profile", "preset", "earlier_defects", "engine")
"""Parameters that are not single rules; the others change one rule of the profile each."""

_LISTED = 20
"""Actions that an error names at the most."""


@dataclass(frozen=True)
class Cambia(ParameterGame):
    """Cambia: swap and snap cards that lie face down; the lowest hand wins."""

    short_name = "cambia"
    reading = "everybody's cards by their places, with ? for those that you do not know"
    abstractions = ABSTRACTIONS
    players: int = parameter(2, "how many play", minimum=2, maximum=MOST_PLAYERS)
    profile: str = parameter(
        "default", "a set of house rules; each can be changed below", choices=tuple(PROFILES)
    )
    preset: str = parameter(
        "full", "a smaller game, solved exactly", choices=tuple(PRESETS), advanced=True
    )
    deck: str | None = parameter(None, 'cards: "AS TH", or whole ranks: "A 6"', advanced=True)
    jokers: int | None = parameter(None, "jokers in the deck (2 by default)", minimum=0, maximum=2)
    suits: bool | None = parameter(None, "tell suits apart where they do not matter", advanced=True)
    hand: int | None = parameter(
        None, "cards dealt to each (4 by default)", minimum=1, maximum=HAND_LIMIT
    )
    looks: int | None = parameter(
        None, "own cards seen at the start (2 by default)", minimum=0, maximum=HAND_LIMIT
    )
    penalty: int | None = parameter(
        None, "cards drawn for a wrong snap (2 by default)", minimum=0, maximum=HAND_LIMIT
    )
    max_turns: int | None = parameter(
        None, "turns after which the game ends (46 by default)", minimum=1, maximum=10_000
    )
    cambia_from_round: int | None = parameter(
        None,
        "the first round in which Cambia may be called (0 by default)",
        minimum=0,
        maximum=1000,
    )
    draw_discard: bool | None = parameter(None, "the top discard may be drawn (by default yes)")
    opponent_snap: bool | None = parameter(None, "others' cards may be snapped (by default yes)")
    replace_abilities: bool | None = parameter(
        None, "a replaced card's ability must be used (by default no)"
    )
    lock_caller: bool | None = parameter(
        None, "the caller's hand cannot be touched (by default yes)"
    )
    snap_window: str | None = parameter(
        None,
        "when a snap is asked for: if a card is eligible (by default), or always",
        choices=("eligible", "always"),
    )
    show_wrong_snap: bool | None = parameter(
        None, "a wrongly snapped card is seen by all (by default yes)"
    )
    earlier_defects: bool = parameter(
        False, "repeat two mistakes of earlier engines", advanced=True
    )
    engine: str = parameter(
        "native", "which engine plays", choices=("native", "python"), advanced=True
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        _ = self.rules  # raises an error if the parameters do not fit together

    def __getstate__(self) -> dict[str, Any]:
        return asdict(self)  # cached properties are computed again

    @cached_property
    def rules(self) -> Rules:
        """The complete rules that the parameters stand for."""
        given = {name: value for name, value in asdict(self).items() if name not in _NOT_RULES}
        return make_rules(self.players, self.profile, self.preset, self.earlier_defects, given)

    @cached_property
    def native_rules(self) -> _core.CambiaRules:
        """The rules as the native engine takes them; suits are already in the cards of the deck."""
        values: dict[str, Any] = asdict(self.rules)
        del values["suits"]
        return _core.CambiaRules(**values)

    @cached_property
    def layout(self) -> Layout:
        """The numbering of the game's actions."""
        return layout(self.players)

    @cached_property
    def card_names(self) -> dict[int, str]:
        """The names of the cards in the deck by their numbers."""
        cards = sorted(set(self.rules.deck))
        return dict(zip(cards, names_of(cards, suits=self.rules.suits), strict=True))

    @cached_property
    def card_numbers(self) -> dict[str, int]:
        """The numbers of the cards in the deck by their names."""
        return {name: card for card, name in self.card_names.items()}

    def root(self) -> CambiaState:
        """The position before the deal, of the native engine or of the reference."""
        first: Any = (
            _core.CambiaPosition.first(self.native_rules)
            if self.engine == "native"
            else Position.first(self.rules)
        )
        return CambiaState(self, first, 0, None, ())

    def all_actions(self) -> Sequence[Action]:
        """The texts of all actions, by their numbers."""
        return self.layout.texts

    @cached_property
    def encoding(self) -> Encoding:
        """How views become input vectors of networks."""
        return Encoding(self.rules)

    def check_view(
        self, player: int, view: Hashable, actions: Sequence[Action], before: Hashable
    ) -> None:
        """Refuse a view that does not belong to this game and player, or actions that are not legal
        in it."""
        check_view(self.rules, player, view, before)
        assert isinstance(view, CambiaView)
        if not actions:
            return
        legal = [self.layout.texts[number] for number in legal_actions(self.rules, view)]
        if view.actor != player or any(str(action) not in legal for action in actions):
            raise GameError("these are not the legal actions of this view")

    def features(self, view: Hashable) -> NDArray[np.float32] | None:
        """The view as an input vector of a network; None if it is not a view of Cambia."""
        return self.encoding.encode(view) if isinstance(view, CambiaView) else None

    def tree_source(self) -> CambiaTreeSource | None:
        """The native walker; None for the reference engine and with ``earlier_defects``."""
        if self.engine != "native" or self.earlier_defects:
            return None
        return CambiaTreeSource(self.rules, self.native_rules)

    def simulator(self, abstraction: str | None = None) -> _core.SimulatedGame | None:
        """The native simulator; None for the reference engine and with ``earlier_defects``."""
        if self.engine != "native" or self.earlier_defects:
            return None
        if self.rules.max_turns > MOST_SAMPLED_TURNS:
            raise OptionError(f"cambia: sampled games have at most {MOST_SAMPLED_TURNS:,} turns")
        return _core.simulated_cambia(self.native_rules, abstraction or "")

    def table_keys(self, player: int, abstraction: str | None = None) -> CambiaKeys:
        """An object that computes the keys of a player's information sets in a sampled solver's
        table."""
        return CambiaKeys(self.layout, player, abstraction)


def is_full_cambia(game: Game) -> TypeGuard[Cambia]:
    """Whether a game is full-size Cambia, not a preset that is small enough to compile."""
    return isinstance(game, Cambia) and game.preset == "full"


@dataclass(frozen=True, slots=True)
class _Step:
    """The step that led to a state, from which each player's observation is computed."""

    before: CambiaState
    action: int


@dataclass(slots=True, eq=False, repr=False)
class CambiaState(State):
    """A position of either engine, and how it was reached."""

    game: Cambia
    position: Position
    steps: int  # actions and chance outcomes since the root
    last: _Step | None  # None at the root
    refilled: tuple[int, ...]  # cards that went into the stock when it was last refilled

    def __repr__(self) -> str:
        who = {TERMINAL: "over", CHANCE: "chance moves"}
        return f"<{self.game}, step {self.steps}: {who.get(self.player, f'player {self.player}')}>"

    @property
    def player(self) -> int:
        """Who moves: a player's number, CHANCE or TERMINAL."""
        return self.position.player

    def actions(self) -> Sequence[Action]:
        """The legal actions as texts, with slots counted from 0."""
        texts = self.game.layout.texts
        return tuple(texts[action] for action in self.position.legal())

    def chance(self) -> Sequence[tuple[Action, float]]:
        """Every outcome of chance as text, with its probability."""
        outcomes = self.position.chance()
        return [(self._outcome_text(outcome), share) for outcome, share in outcomes]

    def _outcome_text(self, outcome: int) -> str:
        """The name of a chance outcome: who starts, or a card."""
        if self.position.phase == STARTER:
            return f"player {outcome} starts"
        return self.game.card_names[outcome]

    def _outcome_number(self, text: str) -> int:
        """The number of an outcome of chance that is written as text; -1 if there is none."""
        if self.position.phase != STARTER:
            return self.game.card_numbers.get(text, -1)
        starts = [f"player {player} starts" for player in range(self.game.players)]
        return starts.index(text) if text in starts else -1

    def child(self, action: Action) -> CambiaState:
        """The state after an action or a chance outcome, which is given as text."""
        position = self.position
        if position.player >= 0:
            number = self.game.layout.number.get(str(action), -1)
        else:
            number = self._outcome_number(str(action))
        try:
            after = position.child(number)
        except (ValueError, IllegalActionError):
            raise IllegalActionError(self._why_not(action)) from None
        refilled = self.refilled
        # A draw from an empty stock first refills it from the discard, but for the top card.
        if position.stock_size == 0 and position.phase > STARTER and position.phase <= PENALTY:
            refilled = tuple(sorted(position.discard[:-1]))
        return CambiaState(self.game, after, self.steps + 1, _Step(self, number), refilled)

    def _why_not(self, action: Action) -> str:
        """The error for an illegal action, with some of the legal ones."""
        if self.player == TERMINAL:
            return "cambia: the game is over"
        what = repr(str(action)[:40])
        if self.player == CHANCE:
            return f"cambia: chance cannot bring {what} now"
        legal = [str(action) for action in self.actions()]
        more = f" and {len(legal) - _LISTED} more" if len(legal) > _LISTED else ""
        possible = (", ".join(legal[:_LISTED]) or "nothing") + more
        return f"cambia: {what} is not possible now; possible: {possible}"

    def returns(self) -> Sequence[float]:
        """The payoffs of a finished game; an error before its end."""
        if self.player != TERMINAL:
            raise GameError("cambia: the game is not over: nobody has won yet")
        return self.position.returns()

    def totals(self) -> Sequence[int]:
        """The points in each hand."""
        return self.position.totals()

    def facts(self, player: int) -> Mapping[str, float]:
        """The margin in points over the best opponent, and the number of turns."""
        totals = self.totals()
        best = min(total for other, total in enumerate(totals) if other != player)
        return {"margin": float(best - totals[player]), "turns": float(self.position.turn)}

    def event(self, player: int) -> int:
        """The player's observation of the last step, as a token."""
        if self.last is None:
            return NOTHING
        before = self.last.before.position
        return token_of(self.game.rules, before, self.last.action, self.position, player)

    def observation(self, player: int) -> CambiaView:
        return view_of(self.position, player, self.steps, self.event(player), self.refilled)

    def show(self, player: int) -> str:
        """The player's view as text, with slots counted from 1."""
        return view_text(self.game.rules, self.observation(player))

    def record_view(self, player: int) -> str:
        """The view with the cards of a hand counted from 0, as in actions."""
        return view_text(self.game.rules, self.observation(player), first_slot=0)

    def action_name(self, action: Action) -> str:
        """An action with the cards of a hand counted from 1, as views count them for people."""
        layout, text = self.game.layout, str(action)
        return layout.readable[layout.number[text]] if text in layout.number else text

    def news(self, player: int) -> str:
        """What just happened, as far as the player may know it, in the words of a terminal."""
        return self.news_in(Words(self.game.rules), player)

    def news_in(self, words: Words, player: int) -> str:
        """What just happened, as far as the player may know it; ``words`` names cards and
        players."""
        if self.last is None:
            return ""
        before = self.last.before.position
        return news_text(words, before.actor, before.phase, self.observation(player))

    def name(self) -> str:
        """The name of the mover's information set: the mover's observations step by step, which are
        all that this player knows."""
        player, tokens = self.player, []
        state: CambiaState = self
        while state.last is not None:
            tokens.append(state.event(player))
            state = state.last.before
        tokens.append(NOTHING)
        tokens.reverse()
        rules = self.game.rules
        return f"P{player}" + "".join(token_text(rules, *pair) for pair in pairwise(tokens))
