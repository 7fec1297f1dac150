"""What the abstractions of Cambia keep of a view, written down independently of the hash keys."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import replace

from fogtree.game import Action
from fogtree.games.cambia.cards import POINTS
from fogtree.games.cambia.features import kind_number
from fogtree.games.cambia.view import CambiaView


def abstract_key(name: str, view: CambiaView, actions: Sequence[Action]) -> Hashable:
    """A decision as an abstraction remembers it."""
    if name == "no_history":
        return tuple(actions), replace(view, step=0, event=0)
    return tuple(actions), _hand(view, {"own_hand": _kind, "own_hand_in_buckets": _bucket}[name])


def _hand(view: CambiaView, level: Callable[[int], int]) -> Hashable:
    own = tuple(level(card) for card in view.known[view.player])
    top = level(view.discard[-1]) if view.discard else -1
    own_slot = view.own if view.actor == view.player else -1
    return own, top, level(view.drawn), view.caller >= 0, own_slot


def _kind(card: int) -> int:
    return kind_number(card) if card >= 0 else -1


def _bucket(card: int) -> int:
    return sum(POINTS[card] > highest for highest in (0, 3, 6, 9)) if card >= 0 else -1
