"""Kuhn and Leduc poker in the browser: cards, what everybody has put in, and the betting in words.

A seat is sent its own card, the public betting and, at the end, the cards that are shown.
"""

from __future__ import annotations

from typing import Any

from fogtree.game import TERMINAL, Action, State
from fogtree.games.kuhn_poker import KuhnState
from fogtree.games.leduc_poker import LeducState
from fogtree.games.table_log import Line, did, happened
from fogtree.registry import seat_name

_VERBS = {"b": "bet", "f": "fold", "r": "raise"}
_RANKS = {"T": "10", "J": "jack", "Q": "queen", "K": "king", "A": "ace"}
_SUITS = {"s": "spades", "h": "hearts", "d": "diamonds", "c": "clubs"}


class _PokerView:
    """The base of the views of both poker games: actions and deals in words."""

    def action_label(self, state: State, action: Action, seat: int) -> str:
        """An action as the page writes it: ``Raise``."""
        del state, seat
        return str(action).capitalize()

    def outcome_label(self, state: State, outcome: Action) -> str:
        """A deal in words: who is dealt which card, or which card is the shared one."""
        assert isinstance(state, KuhnState | LeducState)
        dealt = len(state.cards if isinstance(state, KuhnState) else state.hands)
        if dealt == state.game.players:
            return f"The shared card is the {_card_words(str(outcome))}"
        return f"The {seat_name(state.game, dealt)} is dealt the {_card_words(str(outcome))}"


class KuhnView(_PokerView):
    """The browser's view of Kuhn poker."""

    def seat_view(self, state: State, seat: int) -> dict[str, Any]:
        """The data that the page draws for one seat: the own card and the betting; at the end also
        the cards of all who have not folded."""
        assert isinstance(state, KuhnState)
        shown = state.cards_shown().strip() if state.player == TERMINAL else ""
        cards = [
            card if number == seat or (shown and shown[number] != "?") else None
            for number, card in enumerate(state.cards)
        ]
        return _view(cards, None, state.paid(), _kuhn_moves(state)) | {"player": seat}

    def full_view(self, state: State) -> dict[str, Any]:
        """All cards, for finished games."""
        assert isinstance(state, KuhnState)
        return _view(list(state.cards), None, state.paid(), _kuhn_moves(state))


class LeducView(_PokerView):
    """The browser's view of Leduc poker."""

    def seat_view(self, state: State, seat: int) -> dict[str, Any]:
        """The data that the page draws for one seat: the own card, the shared card and the betting;
        at the end also the cards of all who have not folded."""
        assert isinstance(state, LeducState)
        showdown = state.player == TERMINAL and len(state.seats) > 1
        cards = [
            card if number == seat or (showdown and number in state.seats) else None
            for number, card in enumerate(state.hands)
        ]
        return _view(cards, state.board, list(state.paid), _leduc_moves(state)) | {"player": seat}

    def full_view(self, state: State) -> dict[str, Any]:
        """All cards, for finished games."""
        assert isinstance(state, LeducState)
        return _view(list(state.hands), state.board, list(state.paid), _leduc_moves(state))


def _view(
    cards: list[str | None], board: str | None, paid: list[int], moves: list[Line]
) -> dict[str, Any]:
    """The data that the page draws: cards by seat (None: face down), the shared card, the chips
    that each seat has put in, and the moves. ``board`` is None in a game without a shared card, and
    empty before it is dealt."""
    missing = len(paid) - len(cards)
    return {
        "kind": "poker",
        "cards": [*cards, *[None] * missing],
        "board": board,
        "paid": paid,
        "moves": moves,
    }


def _card_words(card: str) -> str:
    """A card in words: ``Kh`` is the king of hearts, ``J`` a jack of no suit."""
    rank = _RANKS.get(card[0], card[0])
    return f"{rank} of {_SUITS[card[1]]}" if card[1:] else rank


def _kuhn_moves(state: KuhnState) -> list[Line]:
    """The betting so far in words, move by move."""
    players, moves, bet = state.game.players, [], False
    for number, letter in enumerate(state.betting):
        verbs = {**_VERBS, "c": "call" if bet else "check"}
        bet = bet or letter == "b"
        moves.append(did(number % players, verbs[letter]))
    return moves


def _leduc_moves(state: LeducState) -> list[Line]:
    """The betting and the shared card in words, move by move. A move is a letter without its
    player, who is found by following the turns."""
    players = state.game.players
    moves, still_in, mover, owing = [], list(range(players)), 0, False
    text = state.public
    while text:
        if text[0] == "/":
            moves.append(happened(f"The shared card is the {_card_words(state.board)}."))
            text = text[1 + len(state.board) :]
            mover, owing = still_in[0], False
            continue
        letter, text = text[0], text[1:]
        verbs = {**_VERBS, "c": "call" if owing else "check"}
        moves.append(did(mover, verbs[letter]))
        owing = owing or letter == "r"
        later = [seat for seat in still_in if seat > mover]
        after = later[0] if later else still_in[0]
        if letter == "f":
            still_in.remove(mover)
        mover = after
    return moves


KUHN = KuhnView()
LEDUC = LeducView()
