"""Another game of the same people, once all of them want it."""

from __future__ import annotations

from collections.abc import Callable

from fogtree.web.game_log import Event
from fogtree.web.storage import GameSetup


class Rematch:
    """The next game after a finished one: who wants it, and the game once it is agreed on."""

    def __init__(
        self,
        setup: GameSetup,
        make: Callable[[GameSetup], GameSetup],
        agreed: GameSetup | None = None,
    ) -> None:
        """``make`` makes and stores the next game, in which every player moves from seat ``n`` to
        seat ``n - 1``; ``agreed`` is that game, if it was made before."""
        self._setup, self._make = setup, make
        self.agreed = agreed
        self._people = {seat for seat, who in enumerate(setup.seats) if who.agent is None}
        self._wanted_by: set[int] = set()

    def ask(self, seat: int) -> None:
        """Note that a seat wants the next game; it is made when all people want it."""
        self._wanted_by.add(seat)
        if self.agreed is None and self._wanted_by >= self._people:
            self.agreed = self._make(self._setup)

    def event(self, seat: int, asking: int | None = None) -> Event:
        """The event for a seat. Once the next game is agreed on: its id, and this player's seat and
        key there; before that: ``by``, the seat that asks for another game."""
        if self.agreed is None:
            return {"type": "rematch", "by": asking}
        new_seat = (seat - 1) % len(self._setup.seats)
        key = self.agreed.seats[new_seat].key
        return {"type": "rematch", "id": self.agreed.id, "seat": new_seat, "key": key}
