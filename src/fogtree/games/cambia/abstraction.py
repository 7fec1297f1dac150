"""Abstractions: views with less information, which keep tables of sampled solvers small.

These are never the default. A player who forgets has no perfect recall, and regret minimization
then has no guarantee: it is known to stop at a plateau where the exact game goes on to converge.
The legal actions are always part of a key, so that one key never has two sets of actions.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import replace
from typing import Final

from fogtree.errors import UnknownNameError
from fogtree.game import Action
from fogtree.games.cambia.cards import POINTS
from fogtree.games.cambia.features import kind_number
from fogtree.games.cambia.view import CambiaView

_BUCKETS: Final = (0, 3, 6, 9)  # the highest points in each bucket but the last


def _no_history(view: CambiaView) -> Hashable:
    """The current view without its history."""
    return replace(view, step=0, event=0)


def _own_hand(view: CambiaView) -> Hashable:
    """The own cards by kind, the top discard and the drawn card, without others' cards."""
    return _hand_key(view, card_level("own_hand"))


def _own_hand_in_buckets(view: CambiaView) -> Hashable:
    """As own_hand, but every card only as low, middling or high."""
    return _hand_key(view, card_level("own_hand_in_buckets"))


def card_level(name: str) -> Callable[[int], int]:
    """How a card is remembered under an abstraction of the own hand; -1: none, or not seen."""
    return _bucket if name == "own_hand_in_buckets" else _kind


def _hand_key(view: CambiaView, level: Callable[[int], int]) -> Hashable:
    """What the player knows of the own hand, the top discard, the drawn card, whether Cambia was
    called, and the own slot looked at with a king."""
    own = tuple(level(card) for card in view.known[view.player])
    top = level(view.discard[-1]) if view.discard else -1
    called = view.caller >= 0
    own_slot = view.own if view.actor == view.player else -1
    return own, top, level(view.drawn), called, own_slot


def _kind(card: int) -> int:
    return kind_number(card) if card >= 0 else -1


def _bucket(card: int) -> int:
    return sum(POINTS[card] > highest for highest in _BUCKETS) if card >= 0 else -1


ABSTRACTIONS: Final[dict[str, Callable[[CambiaView], Hashable]]] = {
    "no_history": _no_history,
    "own_hand": _own_hand,
    "own_hand_in_buckets": _own_hand_in_buckets,
}


def abstract_key(name: str, view: CambiaView, actions: Sequence[Action]) -> Hashable:
    """The key of a decision under the abstraction of this name."""
    forget = ABSTRACTIONS.get(name)
    if forget is None:
        raise UnknownNameError("abstraction of cambia", name, ABSTRACTIONS)
    return tuple(actions), forget(view)
