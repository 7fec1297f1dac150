"""Games that processes make again from their pickled copies, some of them wrongly."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import permutations
from typing import Any

from fogtree import CHANCE, TERMINAL, Game, State

ANTE = 1.0
"""The payoff of winning; a test changes it in its own process only."""


class Token:
    """An object that is equal to nothing but itself, in the process it was made in."""


class Unreadable:
    """An object that can be pickled, but not read again."""

    def __reduce__(self) -> tuple[Any, ...]:
        return int, ("no number",)


TOKEN = Token()
NAN = float("nan")


@dataclass(frozen=True)
class Cards(Game):
    """Two players get cards, one after the other, and bid three times in turn; a card turns up in
    the middle. ``fault`` says what is wrong after the deal ``when``."""

    cards: int = 4
    fault: str = ""
    when: tuple[int, ...] = (2, 3)
    tag: Any = None

    @property
    def players(self) -> int:
        return 2

    def root(self) -> Bids:
        return Bids(self, (), ())


@dataclass(frozen=True, slots=True)
class Bids(State):
    """The cards dealt and the bids."""

    game: Cards
    dealt: tuple[int, ...]
    bids: tuple[str, ...]

    @property
    def faulty(self) -> str:
        return self.game.fault if self.dealt[:2] == self.game.when else ""

    @property
    def player(self) -> int:
        if len(self.dealt) < 2 or (len(self.bids) == 2 and len(self.dealt) == 2):
            return CHANCE
        return TERMINAL if len(self.bids) == 4 else len(self.bids) % 2

    def chance(self) -> list[tuple[int, float]]:
        left = [card for card in range(self.game.cards) if card not in self.dealt]
        return [(card, 1 / len(left)) for card in left]

    def actions(self) -> list[str]:
        if self.faulty == "actions" and self.bids:
            return ["low", "other"]
        return ["low", "high"]

    def child(self, action: Any) -> Bids:
        if self.faulty == "raises" and len(self.bids) == 3:
            raise ValueError(f"the rules fail after {self.bids}")
        if self.faulty == "exits" and len(self.bids) == 3:
            raise SystemExit("the rules end the program")
        if isinstance(action, int):
            return Bids(self.game, (*self.dealt, action), self.bids)
        return Bids(self.game, self.dealt, (*self.bids, action))

    def returns(self) -> list[float]:
        win = ANTE * (1 + self.bids.count("high"))
        return [win, -win] if self.dealt[0] > self.dealt[1] else [-win, win]

    def observation(self, player: int) -> Any:
        own = self.dealt[player] if len(self.dealt) > player else None
        if self.faulty == "token":
            return (own, TOKEN)
        if self.faulty == "nan":
            return (own, NAN)
        return (own, self.dealt[2:], self.bids)


@dataclass(frozen=True)
class Ranks(Game):
    """Three players with a card each, dealt at once; each in turn passes or bets."""

    cards: int = 4
    players: int = 3

    def root(self) -> Ranking:
        return Ranking(self, None, "")


@dataclass(frozen=True, slots=True)
class Ranking(State):
    game: Ranks
    hands: tuple[int, ...] | None
    bets: str

    @property
    def player(self) -> int:
        if self.hands is None:
            return CHANCE
        return TERMINAL if len(self.bets) == 5 else len(self.bets) % 3

    def chance(self) -> list[tuple[tuple[int, ...], float]]:
        deals = list(permutations(range(self.game.cards), 3))
        return [(deal, 1 / len(deals)) for deal in deals]

    def actions(self) -> tuple[str, str]:
        return ("pass", "bet")

    def child(self, action: Any) -> Ranking:
        if isinstance(action, tuple):
            return Ranking(self.game, action, "")
        return Ranking(self.game, self.hands, self.bets + action[0])

    def returns(self) -> tuple[float, ...]:
        assert self.hands is not None
        return tuple(hand * (1.0 + self.bets.count("b")) for hand in self.hands)

    def observation(self, player: int) -> Any:
        return None if self.hands is None else (self.hands[player], self.bets)
