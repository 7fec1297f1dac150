"""The cards of Cambia: a number each, four to a rank from the ace up, then the jokers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from fogtree.errors import OptionError

RANKS: Final = "A23456789TJQK"
SUITS: Final = "CDHS"
NO_CARD: Final = -1
MOST_CARDS: Final = 54

SEVEN, EIGHT, NINE, TEN, JACK, QUEEN, KING, JOKER = 6, 7, 8, 9, 10, 11, 12, 13

NAMES: Final = (*(rank + suit for rank in RANKS for suit in SUITS), "XR", "XB")
"""The names of all cards by their numbers."""
CODE: Final = {name: code for code, name in enumerate(NAMES)}
"""The number of each card by its name."""
JOKERS: Final = (CODE["XR"], CODE["XB"])
"""The cards that are jokers, red and black."""
_RED: Final = "DH"
_RANK_WORDS: Final = {"A": "ace", "T": "10", "J": "jack", "Q": "queen", "K": "king"}
_SUIT_WORDS: Final = ("clubs", "diamonds", "hearts", "spades")


def rank_of(card: int) -> int:
    """The number of a card's rank: 0 for an ace to 12 for a king, 13 for a joker."""
    return card // 4


def points_of(card: int) -> int:
    """The points of a card in a hand: red king -1, joker 0, ace 1, face value to ten, jack 11,
    queen 12, black king 13."""
    rank = rank_of(card)
    if rank == JOKER:
        return 0
    if rank == KING and SUITS[card % 4] in _RED:
        return -1
    return rank + 1


POINTS: Final = tuple(points_of(card) for card in range(MOST_CARDS))


def kind_of(card: int) -> int:
    """The card that stands for all cards that play like this one: the spade of the rank, the king
    of hearts for red kings, the red joker for jokers."""
    rank = rank_of(card)
    if rank == JOKER:
        return CODE["XR"]
    suit = "H" if points_of(card) == -1 else "S"
    return rank * 4 + SUITS.index(suit)


def kind_name(card: int) -> str:
    """The name of a card's kind: its rank, ``A`` or ``7``; ``KH`` for red kings, ``KS`` for black
    ones; ``X`` for a joker."""
    rank = rank_of(card)
    if rank == JOKER:
        return "X"
    return NAMES[kind_of(card)] if rank == KING else RANKS[rank]


def parse_deck(text: str) -> list[int]:
    """Cards from a text: ``"AS TH"`` two cards, ``"A 6"`` all aces and all sixes."""
    cards: list[int] = []
    for word in text.split():
        if len(word) == 1 and word in RANKS:
            cards.extend(range(RANKS.index(word) * 4, RANKS.index(word) * 4 + 4))
        elif word in CODE:
            cards.append(CODE[word])
        else:
            raise OptionError(
                f"cambia: no card is called {word[:20]!r}; write them like  AS TH XR  or  A 6"
            )
    return sorted(cards)


def card_words(card: int, *, suits: bool) -> str:
    """A card in words: ``10 of diamonds`` or, where suits do not matter, ``10``; ``joker``.

    >>> card_words(CODE["TD"], suits=True), card_words(CODE["KH"], suits=False)
    ('10 of diamonds', 'red king')
    """
    rank = rank_of(card)
    if rank == JOKER:
        return "joker"
    word = _RANK_WORDS.get(RANKS[rank], RANKS[rank])
    if suits:
        return f"{word} of {_SUIT_WORDS[card % 4]}"
    colour = "red " if points_of(card) == -1 else "black "
    return colour + word if rank == KING else word


def names_of(cards: Sequence[int], *, suits: bool) -> list[str]:
    """Short names of cards: with ``suits`` like ``7H``, else those of their kinds, like ``7``."""
    return [NAMES[card] if suits else kind_name(card) for card in cards]
