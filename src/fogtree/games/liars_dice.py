"""Liar's dice: bid ever higher on all dice on the table, of which only your own are seen.

*Deviations* from OpenSpiel's game of the same name: a player's dice are rolled in one chance
event whose outcomes are unordered, so that with several dice each there are fewer histories and
the same information sets.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations_with_replacement
from math import factorial, prod

from fogtree import _core
from fogtree.game import CHANCE, TERMINAL, Action, InfosetKeys, State
from fogtree.game.parameters import ParameterGame, parameter
from fogtree.registry import GameEntry
from fogtree.text.counts import number_word

MOST_WALKED_BIDS = 24
"""Bids of the largest game whose best responses are computed."""


@dataclass(frozen=True)
class LiarsDice(ParameterGame):
    """Liar's dice: bid on the number of dice that show a face, or call the last bid a lie."""

    short_name = "liars_dice"
    reading = "your dice, then the bids: 2x5 is two fives or more; at the end the dice of both"
    players = 2
    dice: int = parameter(1, "dice of each player", minimum=1, maximum=5)
    sides: int = parameter(6, "faces of a die; the highest is wild", minimum=2, maximum=9)

    @cached_property
    def rolls(self) -> Sequence[tuple[Action, float]]:
        """The possible rolls of one player, faces in order, with their probabilities."""
        faces = "123456789"[: self.sides]
        rolls = ["".join(roll) for roll in combinations_with_replacement(faces, self.dice)]
        return [(roll, self._orders(roll) / self.sides**self.dice) for roll in rolls]

    def _orders(self, roll: str) -> int:
        """The number of orders in which these faces can be rolled, die by die."""
        return factorial(self.dice) // prod(factorial(n) for n in Counter(roll).values())

    @cached_property
    def bids(self) -> tuple[str, ...]:
        """All bids from the lowest: ``"2x5"`` says that two dice or more show a five."""
        return tuple(f"{n + 1}x{f + 1}" for n in range(2 * self.dice) for f in range(self.sides))

    @cached_property
    def legal(self) -> dict[str, tuple[str, ...]]:
        """The legal actions after each bid, and before the first (``""``)."""
        after = {bid: (*self.bids[n + 1 :], "liar") for n, bid in enumerate(self.bids)}
        return {"": self.bids, **after}

    def all_actions(self) -> Sequence[Action]:
        """All bids from the lowest, then the call "liar"."""
        return (*self.bids, "liar")

    def root(self) -> LiarsDiceState:
        """The state before the first player has rolled."""
        return LiarsDiceState(self, (), "", "", CHANCE)

    def tree_source(self) -> _core.NativeWalk | None:
        """The native walker of the tree; None for a class derived from this one, which may have
        other rules."""
        if type(self) is not LiarsDice:  # another class may have other rules
            return None
        return _core.liars_dice_walk(self.dice, self.sides)

    def simulator(self, abstraction: str | None = None) -> _core.SimulatedGame:
        """The native simulator for sampled solvers; the game has no abstraction."""
        del abstraction  # there is none
        return _core.simulated_liars_dice(self.dice, self.sides)

    def responses(self) -> _core.ResponseGame | None:
        """Native best responses without compiling; None if there are too many bids to walk, or for
        a class derived from this one."""
        if type(self) is not LiarsDice or len(self.bids) > MOST_WALKED_BIDS:
            return None
        return _core.liars_dice_responses(self.dice, self.sides)

    def table_keys(self, player: int, abstraction: str | None = None) -> LiarsDiceKeys:
        """An object that computes the keys of a player's information sets in a sampled solver's
        table."""
        del abstraction
        return LiarsDiceKeys(self, player)


class LiarsDiceKeys(InfosetKeys):
    """Computes keys of information sets from the last view, which shows all that a player knows:
    the own roll and the bids."""

    def __init__(self, game: LiarsDice, player: int) -> None:
        self._player = player
        self._rolls = [roll for roll, _ in game.rolls]
        self._bids = {bid: number for number, bid in enumerate(game.bids)}
        self._view = ""

    def notice(self, view: Hashable) -> None:
        """Keep the player's last view."""
        self._view = "" if view is None else str(view)

    def key(self, actions: Sequence[Action]) -> int:
        """The key of the information set: a hash of the player, the own roll and the bids."""
        del actions
        roll, *bids = self._view.split()
        numbers = [self._bids[bid] for bid in bids]
        return _core.liars_dice_key(self._player, self._rolls.index(roll), numbers)


class LiarsDiceState(State):
    """The rolls so far, the first player's first; the bids and the call as text, such as
    ``" 1x3 2x3 liar"``; the last bid, empty before the first; and who moves."""

    __slots__ = ("bids", "game", "last", "player", "rolls")
    player: int

    def __init__(
        self, game: LiarsDice, rolls: tuple[str, ...], bids: str, last: str, player: int
    ) -> None:
        self.game = game
        self.rolls = rolls
        self.bids = bids
        self.last = last
        self.player = player

    def actions(self) -> Sequence[Action]:
        """All higher bids and, after a bid, the call "liar"."""
        return self.game.legal[self.last]

    def chance(self) -> Sequence[tuple[Action, float]]:
        """The rolls of the next player, with their probabilities."""
        return self.game.rolls

    def child(self, action: Action) -> LiarsDiceState:
        """The state after a roll, a bid or the call "liar"."""
        word = str(action)
        if self.player == CHANCE:
            rolls = (*self.rolls, word)
            return LiarsDiceState(self.game, rolls, "", "", 0 if len(rolls) == 2 else CHANCE)
        bids = f"{self.bids} {word}"
        if word == "liar":
            return LiarsDiceState(self.game, self.rolls, bids, self.last, TERMINAL)
        return LiarsDiceState(self.game, self.rolls, bids, word, 1 - self.player)

    def returns(self) -> tuple[float, float]:
        """1 for the winner and -1 for the loser: the caller wins if fewer dice show the face than
        the last bid says; the highest face is wild."""
        count, face = self.last.split("x")
        table = "".join(self.rolls)
        wild = str(self.game.sides)
        shown = table.count(face) + (table.count(wild) if face != wild else 0)
        called_by_first = self.bids.count("x") % 2 == 0
        return (1.0, -1.0) if (shown < int(count)) == called_by_first else (-1.0, 1.0)

    def observation(self, player: int) -> Hashable:
        """The own roll and the bids, at the end also all rolls; None before the player has
        rolled."""
        if player >= len(self.rolls):
            return None
        view = self.rolls[player] + self.bids
        return f"{view} {' '.join(self.rolls)}" if self.player == TERMINAL else view

    def name(self) -> str:
        """The mover's information set: the own roll and the bids."""
        return self.rolls[self.player] + self.bids


def _rules(game: LiarsDice) -> str:
    """The rules for these dice, in words."""
    dice = "a die" if game.dice == 1 else f"{number_word(game.dice)} dice"
    faces = "" if game.sides == 6 else f" with the faces 1 to {game.sides}"
    face = min(5, game.sides)
    return (
        f"Each player rolls {dice}{faces} in secret. In turn a player bids that at least so many "
        f"of all dice show a face: 2x{face} says that there are two {face}s or more. A bid is "
        "higher than another if it names more dice, or as many with a higher face: "
        f"1x{game.sides} is below 2x1. Instead of bidding higher, a player may call the last bid a "
        f"lie; then all dice are shown, and a {game.sides} counts as every face. If the bid is "
        "true, the bidder wins 1, else the caller."
    )


ENTRY = GameEntry(
    name="liars_dice",
    game=LiarsDice,
    rules=_rules,
    training="fogtree.games.liars_dice_training:training_support",
    web="fogtree.games.liars_dice_web:VIEW",
)
