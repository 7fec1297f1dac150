"""One player's belief through a game, within the time that there is for it.

An update of millions of positions takes about a second. When there is less time, the views wait,
and a sample of the belief follows them instead; the enumeration goes on in the next call. So the
belief is exact wherever there was time for it.
"""

from __future__ import annotations

import time
from collections import deque
from dataclasses import dataclass

from fogtree._core import FogChessBeliefStep, FogChessPosition, StopFlag
from fogtree.errors import NotationError
from fogtree.games.fog_chess.belief import BeliefLimits, FogBelief
from fogtree.games.fog_chess.observation import FogObservation
from fogtree.games.fog_chess.rules import as_notation_errors
from fogtree.games.fog_chess.visible_position import known_position

AT_ONCE = 5_000
"""Positions that are updated as soon as a view comes, all views between two decisions together."""
GUESSES = 20_000
"""Positions drawn at most to restart a belief from the present view alone, if not all are found."""
_FEWEST, _MOST = 256, 16_384  # positions of a sample
_THIN = 64  # positions below which a sample is drawn anew
_SAMPLED_PER_SECOND = 500_000  # positions of a sample that are updated in a second, or more
_ENUMERATED_PER_SECOND = 300_000  # positions that are found from a view alone, or more
_ENUMERATION, _SAMPLING = 1 / 3, 1 / 2  # parts of the time after which each ends
_PIECE = 0.1  # seconds of native work after which Ctrl-C is heard


@dataclass(frozen=True, slots=True)
class _Update:
    """An update that waits to be enumerated: a move and the view after it or, with ``anew``, a view
    from which the belief starts again."""

    view: FogObservation
    move: int | None = None
    """The player's own move; None if the opponent moved."""
    anew: bool = False


class BeliefTracker:
    """Follows a player's views with a belief that is enumerated in full or, for lack of time,
    sampled.

    A view that cannot follow from the earlier ones is an error: at once if the belief is small,
    else in the call in which the enumeration comes to it.
    """

    def __init__(self, start: FogBelief, rules: str, limits: BeliefLimits, stop: StopFlag) -> None:
        """Start with a belief; setting ``stop`` ends the work of :meth:`now` and
        :meth:`catch_up`."""
        self._rules, self._limits, self._stop = rules, limits, stop
        self._full = start  # enumerated, but for the updates that wait
        self._waiting: deque[_Update] = deque()
        self._step: FogChessBeliefStep | None = None  # the first of these, in progress
        self._sample: FogBelief | None = None
        self._sampled = 0  # how many of the waiting updates the sample has followed
        self._room = AT_ONCE  # positions that may still be updated at once before a decision
        self.view = start.view
        """The last view."""
        self._known: tuple[FogObservation, FogChessPosition] | None = None  # of the last view
        self.restarts = 0
        """How often the belief was drawn anew from a view alone."""

    @property
    def over(self) -> bool:
        """Whether no position is left: the player's king was captured."""
        return not self.view.has_king if self._waiting else not len(self._full)

    @property
    def goes_on(self) -> bool:
        """Whether the side to move has a move, as far as this is known."""
        if self._waiting:
            return self.view.has_king
        return len(self._full) > 0 and self._full.native[0].count_moves() > 0

    @property
    def own_moves(self) -> FogChessPosition:
        """A position in which the player has its legal moves: a possible one or, while updates
        wait, one with the visible pieces only. The moves are the same in the whole belief."""
        if not self._waiting:
            return self._full.native[0]
        if self._known is None or self._known[0] is not self.view:
            self._known = self.view, known_position(self.view)
        return self._known[1]

    def observe(self, view: FogObservation, move: int | None = None) -> None:
        """Take the view after an own ``move`` or, without one, after a move of the opponent."""
        at_once = not self._waiting and len(self._full) <= self._room
        self._waiting.append(_Update(view, move))
        if at_once:
            self._room -= len(self._full)
            try:
                self._enumerate(None, None)
            except BaseException:
                self._waiting.clear()
                raise
        self.view = view

    def restart(self, view: FogObservation) -> None:
        """Begin again with the positions that a view alone allows; if there are none, raise an
        error and change nothing."""
        few = self._from_view(view, _FEWEST)
        self._waiting.clear()
        self._step = self._sample = None
        self._sampled = 0
        if few.complete:
            self._full = few
        else:
            self._waiting.append(_Update(view, anew=True))
            self._sample, self._sampled = few, 1
        self.view = view
        self.restarts += 1

    def whole(self) -> FogBelief:
        """The belief, however long its enumeration takes."""
        self._enumerate(None, None)
        self._room = AT_ONCE
        return self._full

    def catch_up(self) -> None:
        """Enumerate the waiting updates until the stop flag is set."""
        self._enumerate(None, self._stop)

    def now(self, seconds: float | None = None) -> FogBelief:
        """The belief or, if enumerating it would take too much of these seconds or the stop flag
        is set, a sample of it."""
        self._room = AT_ONCE
        began = time.perf_counter()
        end = None if seconds is None else began + _ENUMERATION * seconds
        if self._enumerate(end, self._stop):
            return self._full
        return self._follow_by_sample(began + _SAMPLING * (seconds or 0.0))

    def _enumerate(self, end: float | None, stop: StopFlag | None) -> bool:
        """Enumerate the waiting updates until the time ``end`` or until ``stop`` is set (None: no
        such limit); returns whether all are done."""
        while self._waiting:
            update = self._waiting[0]
            try:
                with as_notation_errors():
                    found = self._enumerated(update, end, stop)
            except NotationError:
                self._step = None
                if not self.restarts or update.anew:
                    raise
                found = self._restarted(update.view, self._most_from_view(end))
            except BaseException:
                self._step = None
                raise
            if found is None:
                return False
            self._waiting.popleft()
            self._step = None
            if not len(found) and update.view.has_king:
                found = self._restarted(update.view, self._most_from_view(end))
            self._full = found
            self._sampled -= 1
            if self._sampled < 0:
                self._sample = None
        self._sample, self._sampled = None, 0
        return True

    def _enumerated(
        self, update: _Update, end: float | None, stop: StopFlag | None
    ) -> FogBelief | None:
        """The belief after ``update``, the first that waits; None if it is not complete in time."""
        if update.anew:
            return self._from_view(update.view, self._most_from_view(end))
        if self._step is None:
            self._step = FogChessBeliefStep(self._full.native, update.move, update.view.native)
        piece = _PIECE
        while True:
            if end is not None:
                piece = min(_PIECE, end - time.perf_counter())
            if self._step.advance(stop, piece):
                return FogBelief(self._step.take())
            if piece < _PIECE or (stop is not None and stop.is_set):
                return None

    def _follow_by_sample(self, end: float) -> FogBelief:
        """A sample of the belief at the last view, of a size that can be updated until ``end``."""
        updates = list(self._waiting)
        if self._sample is None:
            found = self._follow(self._full, updates, end)
        else:
            found = self._follow(self._sample, updates[self._sampled :], end)
            if len(found) < _THIN and not updates[0].anew:
                again = self._follow(self._full, updates, end)
                found = max(found, again, key=len)
        if not len(found) and self.view.has_king:
            found = self._restarted(self.view, _FEWEST)
        self._sample, self._sampled = found, len(updates)
        return found

    def _follow(self, belief: FogBelief, updates: list[_Update], end: float) -> FogBelief:
        """A sample of a belief, followed through some updates. Its size is chosen for the time left
        until ``end``."""
        for number, update in enumerate(updates):
            left = max(0.0, end - time.perf_counter()) / (len(updates) - number)
            size = _FEWEST if self._stop.is_set else int(left * _SAMPLED_PER_SECOND)
            size = min(max(size, _FEWEST), _MOST)
            few = belief.native.reduced(size, self._limits.seed + number)
            try:
                with as_notation_errors():
                    if update.move is not None:
                        few = few.after_own_move(update.move, update.view.native)
                    else:
                        few = few.after_other_move(update.view.native)
            except NotationError:
                if not self.restarts:
                    raise
                return self._restarted(self.view, _FEWEST)
            belief = FogBelief(few)
        return belief

    def _restarted(self, view: FogObservation, limit: int) -> FogBelief:
        """A new belief from a view alone, because the old one ran empty: it was only a sample, or
        it had been restarted from a view and so did not include promoted pieces."""
        self.restarts += 1
        return self._from_view(view, limit)

    def _most_from_view(self, end: float | None) -> int:
        """The number of positions that can be found from a view alone before a time."""
        if end is None:
            return self._limits.cap
        left = end - time.perf_counter()
        return min(self._limits.cap, max(_FEWEST, int(left * _ENUMERATED_PER_SECOND)))

    def _from_view(self, view: FogObservation, limit: int) -> FogBelief:
        """The belief from one view alone: all positions that it allows if they are at most
        ``limit``, else a uniform sample of ``limit`` or ``GUESSES`` of them, whichever is less."""
        return FogBelief.from_view(
            view,
            samples=min(limit, GUESSES),
            limit=limit,
            rules=self._rules,
            limits=self._limits,
        )
