"""A player's view as a vector for a network, and back.

Players are numbered from the viewer (0) in turn order, so that every seat looks alike. Suits
are dropped but for the kings' colours: there are 15 kinds of cards.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from fogtree.games.cambia.cards import KING, POINTS, rank_of
from fogtree.games.cambia.rules import HAND_LIMIT, Rules
from fogtree.games.cambia.view import UNKNOWN, CambiaView

KINDS: Final = 15  # ace to queen, black king, red king, joker
_EMPTY, _HIDDEN = KINDS, KINDS + 1

Values = dict[str, tuple[int, ...]]


@dataclass(frozen=True, slots=True)
class Field:
    """A field of the vector: ``count`` whole numbers, each one-hot among ``choices``, or divided by
    ``scale``."""

    name: str
    count: int
    choices: int
    scale: float
    meaning: str

    @property
    def size(self) -> int:
        """The number of inputs that the field takes in the vector."""
        return self.count * max(self.choices, 1)


def _choice(name: str, count: int, choices: int, meaning: str) -> Field:
    """A field of ``count`` values, each encoded one-hot by ``choices`` inputs."""
    return Field(name, count, choices, 1.0, meaning)


def _number(name: str, count: int, scale: float, meaning: str) -> Field:
    """A field of ``count`` numbers, each encoded by one input: the number divided by ``scale``."""
    return Field(name, count, 0, scale, meaning)


def kind_number(card: int) -> int:
    """The number of a card's kind: 0 to 11 for ace to queen, 12 black king, 13 red king, 14
    joker."""
    rank = rank_of(card)
    return rank + 1 if rank > KING or (rank == KING and POINTS[card] < 0) else rank


class Encoding:
    """The fields of the vector for the rules of one game, and the conversion of views to vectors
    and back."""

    def __init__(self, rules: Rules) -> None:
        """List the fields of a vector for these rules; their sizes depend on the number of
        players."""
        self.rules = rules
        n, slots = rules.players, rules.players * HAND_LIMIT
        self.fields = (
            _choice("phase", 1, 10, "start, drawn, snap, ability, gap; then chance's and the end"),
            _choice("actor", 1, n, "who decides, from the viewer on"),
            _choice("starter", 1, n, "who took the first turn"),
            _choice("caller", 1, n + 1, "who called Cambia; the last choice: no player"),
            _choice("cards", slots, KINDS + 2, "each slot: a kind, or no card, or not seen"),
            _number("seen", slots * n, 1.0, "each slot and player: has that player seen the card"),
            _choice("drawn", 1, KINDS + 1, "the card in hand after a draw, or none"),
            _number("from_discard", 1, 1.0, "it was the top discard"),
            _choice("top", 1, KINDS + 1, "the top discard, or none"),
            _number("discarded", KINDS, 4.0, "cards of each kind in the discard"),
            _number("refilled", KINDS, 4.0, "cards of each kind that last refilled the stock"),
            _number("stock", 1, 54.0, "cards in the stock"),
            _number("turn", 1, float(rules.max_turns), "turns taken"),
            _number("owed", 1, 6.0, "penalty cards still to be drawn"),
            _choice(
                "other", 1, n + 1, "whose card was snapped or looked at by a king, or no player"
            ),
            _choice("slot", 1, HAND_LIMIT + 1, "which of theirs; the last choice is none"),
            _choice("own", 1, HAND_LIMIT + 1, "the own slot a king looked at, or none"),
        )
        self.size = sum(field.size for field in self.fields)

    def encode(self, view: CambiaView) -> NDArray[np.float32]:
        """The input vector of a view: ``size`` numbers, field after field."""
        out = np.zeros(self.size, dtype=np.float32)
        at = 0
        values = self.values(view)
        for field in self.fields:
            for value in values[field.name]:
                if field.choices:
                    out[at + value] = 1.0
                    at += field.choices
                else:
                    out[at] = value / field.scale
                    at += 1
        return out

    def decode(self, vector: NDArray[np.float32]) -> Values:
        """The whole numbers that a vector was made of, by field, as :meth:`values` gives them."""
        out: Values = {}
        at = 0
        for field in self.fields:
            part = vector[at : at + field.size]
            at += field.size
            if field.choices:
                numbers = part.reshape(field.count, field.choices).argmax(axis=1)
            else:
                numbers = np.rint(part * field.scale)
            out[field.name] = tuple(int(number) for number in numbers)
        return out

    def values(self, view: CambiaView) -> Values:
        """The whole numbers that a view has in every field, before they are one-hot or scaled."""
        n = self.rules.players
        order = [(view.player + k) % n for k in range(n)]

        def seat(player: int) -> int:
            """A player counted from the viewer on; the last number stands for no player."""
            return n if player < 0 else (player - view.player) % n

        return {
            "phase": (view.phase,),
            "actor": (seat(view.actor),),
            "starter": (seat(max(view.starter, 0)),),
            "caller": (seat(view.caller),),
            "cards": tuple(kind for p in order for kind in _slots(view.known[p])),
            "seen": tuple(
                who >> q & 1 for p in order for who in _padded(view.seen[p], 0) for q in order
            ),
            "drawn": (_kind_or_none(view.drawn),),
            "from_discard": (int(view.from_discard),),
            "top": (_kind_or_none(view.discard[-1] if view.discard else -1),),
            "discarded": _counts(view.discard),
            "refilled": _counts(view.refilled),
            "stock": (view.stock,),
            "turn": (view.turn,),
            "owed": (view.owed,),
            "other": (seat(view.other),),
            "slot": (view.slot if view.slot >= 0 else HAND_LIMIT,),
            "own": (view.own if view.own >= 0 else HAND_LIMIT,),
        }


def _padded(cards: Sequence[int], filling: int) -> list[int]:
    """Numbers by slot of a hand, filled up to the largest hand with ``filling``."""
    return [*cards, *[filling] * (HAND_LIMIT - len(cards))]


def _slots(hand: Sequence[int]) -> list[int]:
    """A hand as kinds of cards, or not seen, padded with empty slots to the largest hand."""
    known = [_HIDDEN if card == UNKNOWN else kind_number(card) for card in hand]
    return _padded(known, _EMPTY)


def _kind_or_none(card: int) -> int:
    """A card as its kind; the last number stands for no card."""
    return kind_number(card) if card >= 0 else KINDS


def _counts(cards: Sequence[int]) -> tuple[int, ...]:
    """How many cards there are of each kind."""
    counts = [0] * KINDS
    for card in cards:
        counts[kind_number(card)] += 1
    return tuple(counts)
