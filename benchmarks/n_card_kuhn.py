"""Kuhn poker with any number of cards, as a user of fogtree would write it in Python."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

from fogtree.game import CHANCE, TERMINAL, Action, Game, State

_NEXT = {"": 0, "c": 1, "b": 1, "cb": 0}
"""Who moves after these letters; everything else ends the game."""


@dataclass(frozen=True)
class NCardKuhn(Game):
    """Kuhn poker whose first chance event deals both cards at once."""

    short_name = "n_card_kuhn"
    players = 2
    cards: int = 330

    def root(self) -> KuhnState:
        return KuhnState(self.cards, None, "")


class KuhnState(State):
    """The two cards, and one letter per move."""

    __slots__ = ("betting", "cards", "hands", "player")
    player: int

    def __init__(self, cards: int, hands: tuple[int, int] | None, betting: str) -> None:
        self.cards, self.hands, self.betting = cards, hands, betting
        self.player = CHANCE if hands is None else _NEXT.get(betting, TERMINAL)

    def actions(self) -> Sequence[Action]:
        return ("fold", "call") if self.betting.endswith("b") else ("check", "bet")

    def chance(self) -> Sequence[tuple[Action, float]]:
        n = self.cards
        return [((a, b), 1 / (n * (n - 1))) for a in range(n) for b in range(n) if a != b]

    def child(self, action: Action) -> KuhnState:
        if isinstance(action, tuple):
            return KuhnState(self.cards, action, "")
        return KuhnState(self.cards, self.hands, self.betting + str(action)[0])

    def returns(self) -> tuple[float, float]:
        assert self.hands is not None
        betting = self.betting
        if betting.endswith("f"):
            first = 1.0 if betting == "bf" else -1.0
        else:
            pot = 2.0 if "b" in betting else 1.0
            first = pot if self.hands[0] > self.hands[1] else -pot
        return first, -first

    def observation(self, player: int) -> Hashable:
        return None if self.hands is None else (self.hands[player], self.betting)
