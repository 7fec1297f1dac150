"""Hash keys of information sets, computed from a player's views.

The native simulator (``core/games/cambia/keys.cpp``) folds the same numbers in the same order,
so that a strategy sampled there can be played here.

Keys of an abstraction forget a part of what the player saw, which keeps tables of sampled solvers
small. An abstraction is never the default: without perfect recall, regret minimization has no
guarantee and is known to stop at a plateau.

One key never has two sets of legal actions: keys of an abstraction include the legal actions, and
without an abstraction the events that are hashed determine them.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from typing import Final

from fogtree import _core
from fogtree.errors import GameError
from fogtree.game import Action, InfosetKeys
from fogtree.games.cambia.actions import Layout
from fogtree.games.cambia.cards import POINTS
from fogtree.games.cambia.features import kind_number
from fogtree.games.cambia.view import CambiaView

ABSTRACTIONS: Final = ("no_history", "own_hand", "own_hand_in_buckets")
"""Each forgets more than the one before: how the present view came about; all but the own hand, the
top discard and the drawn card; and of these cards all but how many points they have, roughly."""

_BUCKETS: Final = (0, 3, 6, 9)  # the highest points in each bucket but the last


class CambiaKeys(InfosetKeys):
    """Computes keys of information sets: of all events for perfect recall, of the last view under
    an abstraction."""

    def __init__(self, layout: Layout, player: int, abstraction: str | None) -> None:
        """Begin a game; ``abstraction`` is one of :data:`ABSTRACTIONS`, or None for perfect
        recall."""
        self._layout = layout
        self._abstraction = abstraction
        self._known = _core.extend_hash([player])
        self._step = 0
        self._view: CambiaView | None = None

    def notice(self, view: Hashable) -> None:
        """Add the event that led to the next view to the hash of all events."""
        if view is None:  # before the deal
            return
        assert isinstance(view, CambiaView)
        if view.step > self._step + 1:
            raise GameError(f"view {view.step} of the game came after view {self._step}")
        self._view = view
        if view.step > self._step:
            self._known = _core.extend_hash([view.event], self._known)
            self._step = view.step

    def key(self, actions: Sequence[Action]) -> int:
        """The key of the present decision: without an abstraction the hash of all events, which
        determine the legal ``actions``; under an abstraction the hash of the ``actions`` and of the
        part of the last view that it keeps."""
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
    """The part of a view that an abstraction by hand keeps, as numbers: the own hand, the top
    discard, the drawn card, whether Cambia was called, and the own slot looked at with a king."""
    level = _bucket if abstraction == "own_hand_in_buckets" else _kind
    own = view.known[view.player]
    yield from (len(own), *(level(card) for card in own))
    yield level(view.discard[-1]) if view.discard else -1
    yield from (level(view.drawn), int(view.caller >= 0), view.own)


def _kind(card: int) -> int:
    """The number of a card's kind; -1 if the card is unknown or there is none."""
    return kind_number(card) if card >= 0 else -1


def _bucket(card: int) -> int:
    """The bucket of a card by its points, 0 to 4; -1 if the card is unknown or there is none."""
    return sum(POINTS[card] > highest for highest in _BUCKETS) if card >= 0 else -1
