"""A player's observation of one step, as a number (a token) and as text.

Every action is taken in the open; what stays hidden is which cards were dealt, drawn and looked at.
So a player notices the action, the cards shown to that player, and who is to do what next. A
player's tokens since the beginning are exactly what that player knows.

Bits 0-9 are the action's number + 1 (0: chance), 10-15 and 16-21 the cards seen + 1 (or who
starts), 22-25 the phase afterwards, 26-28 the next player. The native engine writes the same
numbers.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from fogtree.games.cambia import actions as act
from fogtree.games.cambia.cards import names_of, rank_of
from fogtree.games.cambia.position import DEAL, DRAW, SNAP, STARTER, Position
from fogtree.games.cambia.rules import Rules

NOTHING: Final = 0

_ENDS_ON_DISCARD: Final = ("discard", "discard_ability", "replace")
"""Kinds of moves after which a card of the mover lies on top of the discard."""


def token_of(rules: Rules, before: Position, action: int, after: Position, player: int) -> int:
    """The observation of ``player``, as a token, when an action or chance outcome leads from
    ``before`` to ``after``."""
    if before.player < 0:
        step, cards = -1, _seen_by_chance(rules, before, action, player)
    else:
        step, cards = action, _seen_in_action(rules, before, action, after, player)
    first, second = (*cards, -1, -1)[:2]
    there = after.phase << 22 | after.actor << 26
    return step + 1 | (first + 1) << 10 | (second + 1) << 16 | there


def _seen_by_chance(rules: Rules, before: Position, outcome: int, player: int) -> tuple[int, ...]:
    """The card that a chance outcome shows to a player, if any. All see who starts, which stands
    for a card here, and the first discard; a player sees the cards that it draws and the first
    ``rules.looks`` cards that it is dealt."""
    dealt = len(before.hands[before.actor])
    mine = before.actor == player
    shown = (
        before.phase == STARTER
        # Once all hands are full, the next card dealt begins the discard.
        or (before.phase == DEAL and (dealt == rules.hand or (mine and dealt < rules.looks)))
        or (before.phase == DRAW and mine)
    )
    return (outcome,) if shown else ()


def _seen_in_action(
    rules: Rules, before: Position, action: int, after: Position, player: int
) -> tuple[int, ...]:
    """The cards that an action shows to a player: to all a card that is discarded or snapped (a
    wrong snap by some rules only), to the actor alone those looked at."""
    move = act.layout(rules.players).moves[action]
    actor = before.actor
    whose = (actor + 1 + move.opponent) % rules.players
    if move.kind in _ENDS_ON_DISCARD:
        return (after.discard[-1],)
    if move.kind in ("snap_own", "snap_other"):
        own = move.kind == "snap_own"
        card = before.hands[actor][move.own] if own else before.hands[whose][move.slot]
        right = rank_of(card) == rank_of(before.discard[-1])
        return (card,) if right or rules.show_wrong_snap else ()
    looked = []
    if actor == player and move.kind in ("look_own", "king_look"):
        looked.append(before.hands[actor][move.own])
    if actor == player and move.kind in ("look_other", "king_look"):
        looked.append(before.hands[whose][move.slot])
    return tuple(looked)


@dataclass(frozen=True, slots=True)
class Token:
    """A token in its parts: the action (-1 if chance moved), the cards seen, and the phase and the
    actor after the step."""

    action: int
    cards: tuple[int, ...]
    phase: int
    actor: int


def read_token(token: int) -> Token:
    """The parts of a token."""
    fields = (token >> 10 & 63) - 1, (token >> 16 & 63) - 1
    cards = tuple(card for card in fields if card >= 0)
    return Token((token & 1023) - 1, cards, token >> 22 & 15, token >> 26 & 7)


def token_text(rules: Rules, before: int, token: int) -> str:
    """One step of an information set's name, from its token and the token ``before`` it:
    ``first 0`` says who starts, ``0:discard=6`` is an action of player 0 with the card that it
    shows, ``+A`` a card seen by chance, and ``1?`` says that player 1 is asked about a snap."""
    actor, step = read_token(before).actor, read_token(token)
    if step.phase == DEAL and read_token(before).phase != DEAL:
        return f" first {step.cards[0]}"
    seen = ",".join(names_of(step.cards, suits=rules.suits))
    if step.action >= 0:
        text = f" {actor}:{act.layout(rules.players).texts[step.action]}"
        text += f"={seen}" if seen else ""
    else:
        text = f" +{seen}" if seen else ""
    return text + (f" {step.actor}?" if step.phase == SNAP else "")
