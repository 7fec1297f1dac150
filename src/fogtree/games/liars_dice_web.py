"""Liar's dice in the browser: the own dice, the bids and, after the call, all dice, made from the
seat's observation alone."""

from __future__ import annotations

from typing import Any

from fogtree.game import Action, State
from fogtree.games.liars_dice import LiarsDice, LiarsDiceState
from fogtree.games.table_log import did, happened
from fogtree.registry import seat_name

_COUNTS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
"""Numbers of dice in words; two players have ten dice at most."""


class LiarsDiceView:
    """The browser's view of liar's dice."""

    def seat_view(self, state: State, seat: int) -> dict[str, Any]:
        """The data that the page draws for one seat: the own dice and the bids; after the call the
        dice of both."""
        assert isinstance(state, LiarsDiceState)
        game, told = state.game, state.observation(seat)
        own, *said = [""] if told is None else str(told).split()
        shown = said[-2:] if "liar" in said else None
        rolls = shown or [own if number == seat else "" for number in (0, 1)]
        return _view(game, rolls, said[:-2] if shown else said) | {"player": seat}

    def action_label(self, state: State, action: Action, seat: int) -> str:
        """An action in words: a bid, or the call that the last bid is a lie."""
        del state, seat
        return "Call it a lie" if action == "liar" else f"Bid {bid_words(str(action))}"

    def outcome_label(self, state: State, outcome: Action) -> str:
        """An outcome of chance in words: who rolls which faces."""
        assert isinstance(state, LiarsDiceState)
        who = seat_name(state.game, len(state.rolls))
        return f"The {who} rolls {' and '.join(str(outcome))}"

    def full_view(self, state: State) -> dict[str, Any]:
        """The data that the page draws with nothing hidden: all dice and bids."""
        assert isinstance(state, LiarsDiceState)
        rolls = [*state.rolls, "", ""][:2]
        return _view(state.game, rolls, state.bids.split()) | {"player": None}


def bid_words(bid: str) -> str:
    """A bid in words.

    >>> bid_words("2x6"), bid_words("1x3")
    ('two 6s', 'one 3')
    """
    count, _, face = bid.partition("x")
    return f"{_COUNTS[int(count)]} {face}{'' if count == '1' else 's'}"


def _view(game: LiarsDice, rolls: list[str], said: list[str]) -> dict[str, Any]:
    """The data that the page draws, from the rolls of both players as text (empty: hidden) and the
    bids and call that were ``said``. ``dice`` has a number for each die of each player, None if
    hidden; ``called`` is the player who called, or None; ``count`` is how many dice support the
    last bid, once all are shown."""
    bids = [one for one in said if one != "liar"]
    called = len(bids) % 2 if len(said) > len(bids) else None
    moves = [did(number % 2, "bid", bid_words(bid)) for number, bid in enumerate(bids)]
    count = None
    if called is not None:
        count = _count(game, "".join(rolls), bids[-1])
        moves += [did(called, "call", "it a lie"), happened(_verdict(count, bids[-1]))]
    return {
        "kind": "liars_dice",
        "sides": game.sides,
        "dice": [[int(face) for face in roll] or [None] * game.dice for roll in rolls],
        "bids": bids,
        "called": called,
        "count": count,
        "moves": moves,
    }


def _count(game: LiarsDice, table: str, bid: str) -> int:
    """How many of all dice on the table show the face of a bid or the wild face."""
    face, wild = bid.partition("x")[2], str(game.sides)
    return sum(die in (face, wild) for die in table)


def _verdict(count: int, bid: str) -> str:
    """The sentence after a call: how many dice support the bid, and whether it was true."""
    holds = count >= int(bid.partition("x")[0])
    dice = "one die counts" if count == 1 else f"{_COUNTS[count]} dice count"
    return f"{dice.capitalize()} for it: the bid {'was true' if holds else 'was a lie'}."


VIEW = LiarsDiceView()
