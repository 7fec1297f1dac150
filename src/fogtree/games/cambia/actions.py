"""The numbers of Cambia's actions: 146 with two players, listed in the game's page of the docs.

With more players, each block that names an opponent's card is repeated per opponent: the first
opponent is the next player in turn order.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Final

from fogtree.games.cambia.rules import HAND_LIMIT

DRAW, DRAW_DISCARD, CAMBIA, DISCARD, DISCARD_ABILITY = range(5)
REPLACE: Final = 5
LOOK_OWN: Final = REPLACE + HAND_LIMIT
LOOK_OTHER: Final = LOOK_OWN + HAND_LIMIT


@dataclass(frozen=True, slots=True)
class Move:
    """An action in its parts: its kind, the own slot, the opponent (counted from 0 in turn order)
    and the opponent's slot; -1 where it names none."""

    kind: str
    own: int = -1
    opponent: int = -1
    slot: int = -1


class Layout:
    """The numbering of actions for a number of players: where each block of similar actions
    begins."""

    def __init__(self, players: int) -> None:
        """Number the actions: the blocks lie one after another, each as long as the slots and
        opponents that its actions name. Slots count from 0 in ``texts``, from 1 in ``readable``."""
        others, pairs = players - 1, HAND_LIMIT * HAND_LIMIT
        self.opponents = others
        self.blind_swap = LOOK_OTHER + HAND_LIMIT * others
        self.king_look = self.blind_swap + pairs * others
        self.king_keep = self.king_look + pairs * others
        self.king_swap = self.king_keep + 1
        self.pass_snap = self.king_swap + 1
        self.snap_own = self.pass_snap + 1
        self.snap_other = self.snap_own + HAND_LIMIT
        self.fill_gap = self.snap_other + HAND_LIMIT * others
        self.count = self.fill_gap + pairs
        self.moves = tuple(self._move(action) for action in range(self.count))
        self.texts = tuple(self._text(move, 0) for move in self.moves)
        self.readable = tuple(self._text(move, 1) for move in self.moves)
        self.number = {text: action for action, text in enumerate(self.texts)}

    def other(self, first: int, opponent: int, slot: int) -> int:
        """The number of the action that names this slot of an opponent, in the block that begins at
        ``first``."""
        return first + opponent * HAND_LIMIT + slot

    def pair(self, first: int, own: int, opponent: int, slot: int) -> int:
        """The number of the action that names an own slot and one of an opponent, in the block that
        begins at ``first``."""
        return first + (opponent * HAND_LIMIT + own) * HAND_LIMIT + slot

    def _move(self, action: int) -> Move:
        """An action's parts from its number, by the block that the number lies in."""
        plain = {
            DRAW: "draw",
            DRAW_DISCARD: "draw_discard",
            CAMBIA: "cambia",
            DISCARD: "discard",
            DISCARD_ABILITY: "discard_ability",
            self.king_keep: "king_keep",
            self.king_swap: "king_swap",
            self.pass_snap: "pass",
        }
        if action in plain:
            return Move(plain[action])
        for kind, first in (("fill_gap", self.fill_gap), ("snap_other", self.snap_other)):
            if action >= first:
                return self._split(kind, action - first)
        if action >= self.snap_own:
            return Move("snap_own", action - self.snap_own)
        blocks = (
            ("king_look", self.king_look),
            ("blind_swap", self.blind_swap),
            ("look_other", LOOK_OTHER),
        )
        for kind, first in blocks:
            if action >= first:
                return self._split(kind, action - first)
        if action >= LOOK_OWN:
            return Move("look_own", action - LOOK_OWN)
        return Move("replace", action - REPLACE)

    @staticmethod
    def _split(kind: str, rest: int) -> Move:
        """The parts of an action that names another player's slot, from its number ``rest`` within
        the block of its kind: the inverse of :meth:`other` and :meth:`pair`."""
        if kind in ("snap_other", "look_other"):
            return Move(kind, opponent=rest // HAND_LIMIT, slot=rest % HAND_LIMIT)
        rest, slot = divmod(rest, HAND_LIMIT)
        opponent, own = divmod(rest, HAND_LIMIT)
        return Move(kind, own, -1 if kind == "fill_gap" else opponent, slot)

    def _text(self, move: Move, first: int) -> str:
        """An action in words, with slots counted from ``first``, 0 or 1."""
        own, slot = move.own + first, move.slot + first
        other = f"other {slot}" if self.opponents == 1 else f"+{move.opponent + 1} {slot}"
        return {
            "draw": "draw",
            "draw_discard": "take discard",
            "cambia": "cambia",
            "discard": "discard",
            "discard_ability": "discard and use",
            "replace": f"replace {own}",
            "look_own": f"look own {own}",
            "look_other": f"look {other}",
            "blind_swap": f"swap {own} with {other}",
            "king_look": f"look {own} and {other}",
            "king_keep": "keep",
            "king_swap": "swap",
            "pass": "pass",
            "snap_own": f"snap own {own}",
            "snap_other": f"snap {other}",
            "fill_gap": f"move {own} to gap {slot}",
        }[move.kind]


@cache
def layout(players: int) -> Layout:
    """The numbering of actions for a number of players, made once."""
    return Layout(players)
