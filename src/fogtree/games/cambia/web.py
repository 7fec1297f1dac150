"""Cambia in the browser: the table as one player knows it, made from that player's view alone.

In texts for the browser ``{1}`` stands for the name of player 1, which the page knows; cards of a
hand are counted from 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from fogtree.game import Action, State
from fogtree.games.cambia.actions import Move
from fogtree.games.cambia.cards import (
    EIGHT,
    JACK,
    KING,
    NINE,
    NO_CARD,
    QUEEN,
    SEVEN,
    TEN,
    card_words,
    kind_of,
    names_of,
    points_of,
    rank_of,
)
from fogtree.games.cambia.game import CambiaState
from fogtree.games.cambia.position import ABILITY, DRAWN, GAP, OVER, SNAP, START, STARTER
from fogtree.games.cambia.rules import Rules
from fogtree.games.cambia.view import UNKNOWN, CambiaView
from fogtree.games.cambia.view_text import Words

_PerSlot = Sequence[Sequence[int]]
"""A number for every card in every hand."""

_PHASES = {
    START: "start",
    DRAWN: "drawn",
    SNAP: "snap",
    ABILITY: "ability",
    GAP: "gap",
    OVER: "over",
}


class _PageWords(Words):
    """The words of the web page: cards written out, players as marks that the page replaces by
    names."""

    def card(self, card: int) -> str:
        """A card written out, such as ``10 of diamonds``."""
        return card_words(card, suits=self.rules.suits)

    def player(self, player: int) -> str:
        """The mark that the page replaces by the player's name, such as ``{1}``."""
        return f"{{{player}}}"


class CambiaWebView:
    """The browser's view of a game of Cambia."""

    def seat_view(self, state: State, seat: int) -> dict[str, Any]:
        """The data that the page draws for one seat: the table as this player knows it."""
        assert isinstance(state, CambiaState)
        table = _table(state.game.rules, state.observation(seat))
        return table | {"news": state.news_in(_PageWords(state.game.rules), seat)}

    def action_label(self, state: State, action: Action, seat: int) -> str:
        """An action in words to the player who may take it, such as "Look at your card 2"."""
        assert isinstance(state, CambiaState)
        return _label(state.game.rules, _move(state, action), state.observation(seat), "your")

    def review_label(self, state: State, action: Action) -> str:
        """An action in words to others than its player, for reviews: "Look at own card 2"."""
        assert isinstance(state, CambiaState)
        view = state.observation(state.player)
        return _label(state.game.rules, _move(state, action), view, "own")

    def outcome_label(self, state: State, outcome: Action) -> str:
        """An outcome of chance in words: who starts, or which card comes."""
        assert isinstance(state, CambiaState)
        words = _PageWords(state.game.rules)
        if state.position.phase == STARTER:
            return f"{words.player(int(str(outcome).split()[1]))} starts"
        return f"By chance: {words.card(state.game.card_numbers[str(outcome)])}"

    def timeout_action(self, state: State) -> Action | None:
        """The action taken when the time for a decision is over: not to snap; None at other
        decisions, which have no such limit."""
        assert isinstance(state, CambiaState)
        return "pass" if state.position.phase == SNAP else None

    def full_view(self, state: State) -> dict[str, Any]:
        """The data that the page draws of finished games: all cards face up."""
        assert isinstance(state, CambiaState)
        rules, position = state.game.rules, state.position
        table = _table(rules, state.observation(0))
        hands = _hands(rules, position.hands, position.seen)
        held = None if position.drawn == NO_CARD else _face(rules, position.drawn)
        return {**table, "player": None, "hands": hands, "drawn": held, "totals": _totals(hands)}


def _move(state: CambiaState, action: Action) -> Move:
    """An action's kind, and the cards and players that it names."""
    layout = state.game.layout
    return layout.moves[layout.number[str(action)]]


def _table(rules: Rules, view: CambiaView) -> dict[str, Any]:
    """Everything that the page draws of one player's view, as JSON."""
    hands = _hands(rules, view.known, view.seen)
    return {
        "kind": "cambia",
        "player": view.player,
        "step": view.step,
        "phase": _PHASES.get(view.phase, "dealing"),
        "actor": view.actor,
        "turn": view.turn,
        "most_turns": rules.max_turns,
        "caller": view.caller if view.caller >= 0 else None,
        "hands": hands,
        "drawn": None if view.drawn == NO_CARD else _face(rules, view.drawn),
        "holding": view.phase == DRAWN,
        "from_discard": view.from_discard,
        "discard": [_face(rules, card) for card in view.discard[-3:]],
        "discarded": len(view.discard),
        "stock": view.stock,
        "penalty": rules.penalty,
        "locked": rules.lock_caller,
        "snap_always": rules.snap_always,
        "looked": _looked(view),
        "totals": _totals(hands) if view.phase == OVER else None,
        "values": _values(rules),
    }


def _hands(rules: Rules, hands: _PerSlot, seen: _PerSlot) -> list[list[dict[str, Any]]]:
    """The cards of every player as the page draws them, each with the players who have seen it."""
    return [
        [_card(rules, card, mask, rules.players) for card, mask in zip(cards, masks, strict=True)]
        for cards, masks in zip(hands, seen, strict=True)
    ]


def _card(rules: Rules, card: int, seen: int, players: int) -> dict[str, Any]:
    """A card in a hand: its face if known, and who has seen it."""
    face = None if card == UNKNOWN else _face(rules, card)
    return {"face": face, "seen_by": [player for player in range(players) if seen >> player & 1]}


def _face(rules: Rules, card: int) -> dict[str, Any]:
    """A card's name and points, for the page."""
    return {"name": names_of((card,), suits=rules.suits)[0], "points": points_of(card)}


def _looked(view: CambiaView) -> dict[str, int] | None:
    """The two cards that a king looked at, which may now be swapped; None at other times."""
    if view.phase != ABILITY or view.own < 0:
        return None
    return {"own": view.own, "other": view.other, "slot": view.slot}


def _totals(hands: list[list[dict[str, Any]]]) -> list[int]:
    """The points of every hand, whose cards must all be face up."""
    return [sum(card["face"]["points"] for card in hand) for hand in hands]


def _values(rules: Rules) -> list[dict[str, Any]]:
    """For every kind of card in the deck: its points and its ability."""
    values: dict[tuple[int, int], dict[str, Any]] = {}
    for card in rules.deck:
        rank, points = rank_of(card), points_of(card)
        name = card_words(kind_of(card), suits=False)
        values[rank, points] = {"card": name, "points": points, "ability": _ability(rank)}
    return [values[key] for key in sorted(values, key=lambda key: (key[1], key[0]))]


def _ability(rank: int) -> str:
    """What the ability of a rank allows, in words; empty if the rank has none."""
    abilities = {
        SEVEN: "look at an own card",
        EIGHT: "look at an own card",
        NINE: "look at another's card",
        TEN: "look at another's card",
        JACK: "swap two cards unseen",
        QUEEN: "swap two cards unseen",
        KING: "look at two cards, then swap them or not",
    }
    return abilities.get(rank, "")


def _label(rules: Rules, move: Move, view: CambiaView, mine: str) -> str:
    """An action in words, with the cards that its player knows; ``mine`` says *your* or *own*."""
    words = _PageWords(rules)
    held = " the card" if view.drawn == NO_CARD else " the " + words.card(view.drawn)
    top = "" if not view.discard else " the " + words.card(view.discard[-1])
    own = f"{mine} card {move.own + 1}" + _known(rules, view, view.player, move.own)
    whose = (view.player + 1 + move.opponent) % rules.players
    theirs = f"{words.player(whose)}'s card {move.slot + 1}"
    other = theirs + _known(rules, view, whose, move.slot)
    return {
        "draw": "Draw from the stock",
        "draw_discard": f"Take{top} from the discard",
        "cambia": "Call Cambia",
        "discard": f"Discard{held}",
        "discard_ability": f"Discard{held} and use it: {_ability_of(view)}",
        "replace": f"Put{held} in place of {own}",
        "look_own": f"Look at {own}",
        "look_other": f"Look at {other}",
        "blind_swap": f"Swap {own} with {other}",
        "king_look": f"Look at {own} and {other}",
        "king_keep": "Leave them where they are",
        "king_swap": "Swap them",
        "pass": "Do not snap",
        "snap_own": f"Snap {own}",
        "snap_other": f"Snap {other}",
        "fill_gap": f"Move {own} into the gap",
    }[move.kind]


def _ability_of(view: CambiaView) -> str:
    """The ability of the card that the player holds, in words."""
    return "" if view.drawn == NO_CARD else _ability(rank_of(view.drawn))


def _known(rules: Rules, view: CambiaView, player: int, slot: int) -> str:
    """The card in a slot of a player's hand in brackets, if the viewer knows it; else empty."""
    hand = view.known[player]
    known = 0 <= slot < len(hand) and hand[slot] != UNKNOWN
    return f" (the {_PageWords(rules).card(hand[slot])})" if known else ""


VIEW = CambiaWebView()
