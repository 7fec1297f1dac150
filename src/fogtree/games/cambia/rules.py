"""House rules: three profiles, small presets, and every rule by its own name."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from fogtree.errors import OptionError
from fogtree.games.cambia.cards import JOKERS, MOST_CARDS, kind_of, parse_deck

HAND_LIMIT: Final = 6
MOST_PLAYERS: Final = 6
STANDARD_DECK: Final = "A 2 3 4 5 6 7 8 9 T J Q K"

Values = dict[str, Any]

_BASE: Final[Values] = {
    "deck": STANDARD_DECK,
    "jokers": 2,
    "suits": True,
    "hand": 4,
    "looks": 2,
    "penalty": 2,
    "cambia_from_round": 0,
    "snap_window": "eligible",
    "show_wrong_snap": True,
}

PROFILES: Final[dict[str, Values]] = {
    "default": {
        "draw_discard": True,
        "opponent_snap": True,
        "replace_abilities": False,
        "lock_caller": True,
        "max_turns": 46,
    },
    "training": {
        "draw_discard": False,
        "opponent_snap": False,
        "replace_abilities": False,
        "lock_caller": True,
        "max_turns": 46,
    },
    "competitive": {
        "draw_discard": True,
        "opponent_snap": True,
        "replace_abilities": True,
        "lock_caller": False,
        "max_turns": 300,
    },
}

_TINY: Final[Values] = {
    "deck": "A 6",
    "jokers": 0,
    "suits": False,
    "looks": 1,
    "penalty": 1,
    "cambia_from_round": 1,
    "draw_discard": False,
    "opponent_snap": False,
    "max_turns": 3,
}

PRESETS: Final[dict[str, Values]] = {
    "full": {},
    "tiny1": {**_TINY, "hand": 1},
    "tiny2": {**_TINY, "hand": 2},
}


@dataclass(frozen=True, slots=True)
class Rules:
    """The complete rules of a game, explained by the parameters of
    :class:`~fogtree.games.cambia.game.Cambia`; ``deck`` is the sorted list of all cards."""

    players: int
    deck: tuple[int, ...]
    suits: bool
    hand: int
    looks: int
    penalty: int
    max_turns: int
    cambia_from_round: int
    draw_discard: bool
    opponent_snap: bool
    replace_abilities: bool
    lock_caller: bool
    snap_always: bool
    show_wrong_snap: bool
    earlier_defects: bool
    """Repeat two mistakes of earlier engines, to replay their games: a card's ability that has no
    legal target is not skipped, so that the game gets stuck; and the cards of a caller whose hand
    is locked may be snapped."""


def make_rules(
    players: int, profile: str, preset: str, earlier_defects: bool, given: Values
) -> Rules:
    """The rules of a game: the defaults, changed by the profile (one of :data:`PROFILES`), then by
    the preset (one of :data:`PRESETS`), then by the ``given`` values by rule, where None leaves a
    rule as it is. Rules that do not fit together are an error.

    Three rules are stored in another form than they are given: the text ``deck`` and the number of
    ``jokers`` become the list of cards, in which cards that play alike are equal unless ``suits``
    is set, and ``snap_window`` becomes ``snap_always``.
    """
    values = {**_BASE, **PROFILES[profile], **PRESETS[preset]}
    values.update({name: value for name, value in given.items() if value is not None})
    cards = [*parse_deck(values["deck"]), *JOKERS[: values.pop("jokers")]]
    if not values["suits"]:
        cards = [kind_of(card) for card in cards]
    values["deck"] = tuple(sorted(cards))
    values["snap_always"] = values.pop("snap_window") == "always"
    rules = Rules(players=players, earlier_defects=earlier_defects, **values)
    _check(rules)
    return rules


def _check(rules: Rules) -> None:
    """Raise an error if the rules do not fit together."""
    size, dealt = len(rules.deck), rules.players * rules.hand + 1
    if size > MOST_CARDS:
        raise OptionError(f"cambia: a deck has at most {MOST_CARDS} cards, not {size}")
    if size <= dealt:
        raise OptionError(
            f"cambia: {rules.players} players with {rules.hand} cards each need more than {dealt} "
            f"cards, but the deck has {size}"
        )
    if rules.looks > rules.hand:
        raise OptionError(f"cambia: {rules.looks} looks at a hand of {rules.hand}: give fewer")
