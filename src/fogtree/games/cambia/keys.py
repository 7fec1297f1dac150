"""Hash keys of information sets, computed from a player's views.

The native simulator (``core/games/cambia/keys.cpp``) folds the same numbers in the same order,
so that a strategy sampled there can be played here.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence

from fogtree import _core
from fogtree.game import Action, InfosetKeys
from fogtree.games.cambia.abstraction import card_level
from fogtree.games.cambia.actions import Layout
from fogtree.games.cambia.view import CambiaView


class CambiaKeys(InfosetKeys):
    """Keys with perfect recall hash every event; keys of an abstraction hash the last view."""

    def __init__(self, layout: Layout, player: int, abstraction: str | None) -> None:
        self._layout = layout
        self._abstraction = abstraction
        self._known = _core.extend_hash([player])
        self._step = 0
        self._view: CambiaView | None = None

    def notice(self, view: Hashable) -> None:
        assert isinstance(view, CambiaView)
        self._view = view
        if view.step > self._step:
            assert view.step == self._step + 1, "a view was left out"
            self._known = _core.extend_hash([view.event], self._known)
            self._step = view.step

    def key(self, actions: Sequence[Action]) -> int:
        assert self._view is not None
        if self._abstraction is None:
            return self._known
        numbers = [len(actions), *(self._layout.number[str(action)] for action in actions)]
        if self._abstraction == "no_history":
            return _core.extend_hash([*numbers, *_view_numbers(self._view)])
        return _core.extend_hash([*numbers, *_hand_numbers(self._view, self._abstraction)])


def _view_numbers(view: CambiaView) -> Iterator[int]:
    """Everything that the current view shows, as numbers."""
    yield from (view.player, view.phase, view.turn, view.starter, view.caller)
    yield from (view.drawn, int(view.from_discard), view.stock, view.owed)
    yield from (view.other, view.slot, view.own)
    for cards, viewers in zip(view.known, view.seen, strict=True):
        yield len(cards)
        for card, seen_by in zip(cards, viewers, strict=True):
            yield from (card, seen_by)
    yield from (len(view.discard), *view.discard)
    hashed = _core.extend_hash(list(view.refilled)) if view.refilled else 0
    yield hashed - (1 << 64) if hashed >> 63 else hashed  # as a signed number of 64 bits


def _hand_numbers(view: CambiaView, abstraction: str) -> Iterator[int]:
    """What an abstraction keeps of a view, as numbers: the own hand, the top discard, the drawn
    card, whether Cambia was called, and the own slot looked at with a king."""
    level = card_level(abstraction)
    own = view.known[view.player]
    yield from (len(own), *(level(card) for card in own))
    yield level(view.discard[-1]) if view.discard else -1
    yield from (level(view.drawn), int(view.caller >= 0), view.own)
