"""Goofspiel in the browser: hands, prizes and bids as one player knows them, made from what the
seat has observed and bid."""

from __future__ import annotations

import re
from typing import Any

from fogtree.game import Action, State
from fogtree.games.goofspiel import Goofspiel, GoofspielState
from fogtree.games.table_log import Line, did, happened

_TRICK = re.compile(r"(\d+):(?:(\d+)(?:([wlt])|v(\d+)))?")
"""A prize, the own bid, and its result or the other's bid."""

Trick = dict[str, Any]
"""A settled prize, as :func:`_trick` makes it."""


class GoofspielView:
    """The browser's view of goofspiel."""

    def seat_view(self, state: State, seat: int) -> dict[str, Any]:
        """The data that the page draws for one seat: the own hand, the prize and the bids as far as
        this seat knows them."""
        assert isinstance(state, GoofspielState)
        told = str(state.observation(seat))
        tricks = [_trick(found, seat) for found in _TRICK.finditer(told) if found[2]]
        bids: list[int | None] = [None, None]
        if seat == 0 and state.player == 1:
            bids[0] = state.bid
        left = state.game.cards - len(tricks)
        hands: list[list[int | None]] = [[None] * left for _ in (0, 1)]
        spent = [trick["bids"][seat] for trick in tricks]
        hands[seat] = [card for card in range(1, state.game.cards + 1) if card not in spent]
        return _view(state.game, told, tricks, hands, bids) | {
            "player": seat,
            "moves": [line for trick in tricks for line in _lines(trick, seat)],
        }

    def action_label(self, state: State, action: Action, seat: int) -> str:
        """An action in words: the card to bid."""
        del state, seat
        return f"Bid {action}"

    def outcome_label(self, state: State, outcome: Action) -> str:
        """An outcome of chance in words: the prize that is turned up."""
        del state
        return f"The prize is {outcome}"

    def full_view(self, state: State) -> dict[str, Any]:
        """The data that the page draws with nothing hidden: both hands and all bids."""
        assert isinstance(state, GoofspielState)
        tricks = [_trick(found, 0) for found in _TRICK.finditer(state.views[0]) if found[2]]
        others = [_trick(found, 1) for found in _TRICK.finditer(state.views[1]) if found[2]]
        for trick, other in zip(tricks, others, strict=True):
            trick["bids"] = [trick["bids"][0], other["bids"][1]]
        bids = [state.bid if state.player == 1 else None, None]
        hands: list[list[int | None]] = [list(hand) for hand in state.hands]
        return _view(state.game, state.views[0], tricks, hands, bids) | {"player": None}


def _trick(found: re.Match[str], seat: int) -> Trick:
    """A settled prize, as it was found in the view of ``seat``: the bids by seat (None: not shown),
    and who took it (None: a tie)."""
    prize, own = int(found[1]), int(found[2])
    if found[4]:
        other: int | None = int(found[4])
        gain = (own > int(found[4])) - (own < int(found[4]))
    else:
        other = own if found[3] == "t" else None
        gain = {"w": 1, "l": -1, "t": 0}[found[3]]
    bids = [own, other] if seat == 0 else [other, own]
    return {"prize": prize, "bids": bids, "winner": None if gain == 0 else seat ^ (gain < 0)}


def _view(
    game: Goofspiel,
    told: str,
    tricks: list[Trick],
    hands: list[list[int | None]],
    bids: list[int | None],
) -> dict[str, Any]:
    """The data that the page draws; the prizes are read from a player's view, ``told``, and
    ``bids`` are those for the present prize."""
    shown = [int(found[1]) for found in _TRICK.finditer(told)]
    return {
        "kind": "goofspiel",
        "prize": shown[-1] if len(shown) > len(tricks) else None,
        "prizes_left": [card for card in range(game.cards, 0, -1) if card not in shown],
        "tricks": tricks,
        "hands": hands,
        "bids": bids,
        "points": [sum(t["prize"] for t in tricks if t["winner"] == seat) for seat in (0, 1)],
    }


def _lines(trick: Trick, seat: int) -> list[Line]:
    """The lines of the log about a settled prize, for the player at ``seat``."""
    own, other = trick["bids"][seat], trick["bids"][1 - seat]
    against = f" against {other}" if other is not None and other != own else ""
    bid = happened(f"You bid {own}{against} for the prize {trick['prize']}.")
    if trick["winner"] is None:
        return [bid, happened("Both bid the same: nobody gets it.")]
    return [bid, did(trick["winner"], "take", f"the prize {trick['prize']}")]


VIEW = GoofspielView()
