"""A player's view of Cambia as text for terminals, and news in the words of any display.

People read the cards of a hand counted from 1; actions in records count them from 0.
"""

from __future__ import annotations

from dataclasses import dataclass

from fogtree.games.cambia.actions import Move, layout
from fogtree.games.cambia.cards import NO_CARD, names_of
from fogtree.games.cambia.position import DEAL, DRAW, OVER, PENALTY, SNAP, STARTER
from fogtree.games.cambia.rules import Rules
from fogtree.games.cambia.tokens import Token, read_token
from fogtree.games.cambia.view import UNKNOWN, CambiaView
from fogtree.text.counts import counted


@dataclass(frozen=True)
class Words:
    """How news names cards and players; this class names them in a few letters, for terminals."""

    rules: Rules

    def card(self, card: int) -> str:
        """The name of a card."""
        return names_of((card,), suits=self.rules.suits)[0]

    def player(self, player: int) -> str:
        """The name of a player who is not the reader."""
        return f"player {player}"


def view_text(rules: Rules, view: CambiaView, first_slot: int = 1) -> str:
    """A view as text of several lines: all hands as this player knows them, with slots counted from
    ``first_slot``; a star marks cards that an opponent has seen."""
    lines = [_head(rules, view)]
    for player, (hand, seen) in enumerate(zip(view.known, view.seen, strict=True)):
        cells = []
        for slot, (card, seen_by) in enumerate(zip(hand, seen, strict=True), first_slot):
            text = "?" if card == UNKNOWN else Words(rules).card(card)
            cells.append(f"{slot}: {text}{_star(rules, view, seen_by)}")
        lines.append("  " + _seat(rules, player, view.player) + "   ".join(cells))
    if view.drawn != NO_CARD and view.actor == view.player:
        gap = "  " if rules.players == 2 else "       "
        lines.append(f"  in hand{gap}{Words(rules).card(view.drawn)}")
    if any("*" in line for line in lines):
        others = "the other player" if rules.players == 2 else "the players named"
        lines.append(f"  (* seen by {others})")
    return "\n".join(lines)


def _head(rules: Rules, view: CambiaView) -> str:
    """The first line: turn, stock, top discard, and who called Cambia."""
    if view.phase == OVER:
        text = f"Over after {counted(view.turn, 'turn')}."
    else:
        text = f"Turn {view.turn + 1} of at most {rules.max_turns}."
    top = Words(rules).card(view.discard[-1]) if view.discard else "none"
    text += f" Stock {view.stock}, discard {top}."
    if view.caller >= 0:
        text += f" {_first(_who(Words(rules), view.caller, view.player))} called Cambia."
    return text


def _star(rules: Rules, view: CambiaView, seen_by: int) -> str:
    """The mark of a card that opponents have seen: a star, with more than two players followed by
    their numbers; empty if none has seen it or the game is over. Bit p of ``seen_by`` is set if
    player p has seen the card."""
    others = [p for p in range(rules.players) if p != view.player and seen_by >> p & 1]
    if not others or view.phase == OVER:
        return ""
    return "*" if rules.players == 2 else "*" + "".join(map(str, others))


def news_text(words: Words, actor: int, phase: int, view: CambiaView) -> str:
    """The last step in words, as the player with this view observed it; ``actor`` and ``phase`` are
    those before the step. Empty if there is nothing to tell."""
    token = read_token(view.event)
    if token.action >= 0:
        text = _action_text(words, actor, token, view)
    else:
        text = _chance_text(words, actor, phase, token, view)
    if text and token.phase == SNAP and token.actor == view.player:
        text += " You may snap."
    return text


def _who(words: Words, player: int, me: int) -> str:
    """A player in the words of the reader, who is the player ``me``: "you" or a name."""
    return "you" if player == me else words.player(player)


def _first(who: str) -> str:
    """A player's name with a capital, to begin a sentence."""
    return who[0].upper() + who[1:]


def _seat(rules: Rules, player: int, me: int) -> str:
    """The label of a player's row for the reader ``me``: the name and, with more than two players,
    the number by which actions of ``me`` name that player (``+1`` is next in turn order)."""
    if rules.players == 2:
        return f"{_who(Words(rules), player, me):<9}"
    ahead = (player - me) % rules.players
    return f"{_who(Words(rules), player, me) + (f' (+{ahead})' if ahead else ''):<14}"


def _chance_text(words: Words, actor: int, phase: int, token: Token, view: CambiaView) -> str:
    """A chance step in words, as this player observed it; empty if there is nothing to tell."""
    if phase == STARTER:
        return f"{_first(_who(words, token.cards[0], view.player))} will start."
    cards = " and ".join(words.card(card) for card in token.cards)
    if phase == DEAL and cards and view.discard:
        return f"The discard begins with {cards}."
    if phase == DEAL and cards:
        return f"You look at your card {len(view.known[view.player])}: {cards}."
    if phase == DRAW and cards:
        return f"You draw {cards}."
    if phase == PENALTY:
        s = "" if actor == view.player else "s"
        return f"{_first(_who(words, actor, view.player))} take{s} a penalty card."
    return ""


def _action_text(words: Words, actor: int, token: Token, view: CambiaView) -> str:
    """An action of ``actor`` in words, as this player observed it."""
    move = layout(words.rules.players).moves[token.action]
    me = actor == view.player
    who = _first(_who(words, actor, view.player))
    s = "" if me else "s"
    es = "" if me else "es"
    own = f"{'your' if me else 'their'} card {move.own + 1}"
    other = _other_card(words, actor, move, view)
    cards = [words.card(card) for card in token.cards]
    found = f": {' and '.join(cards)}" if cards else ""
    right = view.discard[-1:] == token.cards[:1]  # a right card lies on top of the discard
    snapped = f"{found}, {'right' if right else _wrong(view)}."
    text = {
        "draw": f"{who} draw{s} from the stock.",
        "draw_discard": f"{who} take{s} {_taken(words, view)} from the discard.",
        "cambia": f"{who} call{s} Cambia!",
        "discard": f"{who} discard{s} {''.join(cards)}.",
        "discard_ability": f"{who} discard{s} {''.join(cards)} and use{s} it.",
        "replace": f"{who} replace{s} {own}, discarding {''.join(cards)}.",
        "look_own": f"{who} look{s} at {own}{found}.",
        "look_other": f"{who} look{s} at {other}{found}.",
        "blind_swap": f"{who} swap{s} {own} with {other}, unseen.",
        "king_look": f"{who} look{s} at {own} and {other}{found}.",
        "king_keep": f"{who} leave{s} them where they are.",
        "king_swap": f"{who} swap{s} them.",
        "pass": f"{who} do{es} not snap.",
        "snap_own": f"{who} snap{s} {own}{snapped}",
        "snap_other": f"{who} snap{s} {other}{snapped}",
        "fill_gap": f"{who} move{s} {own} into the gap.",
    }[move.kind]
    return text + (" The game is over." if view.phase == OVER else "")


def _taken(words: Words, view: CambiaView) -> str:
    """The card that was taken from the discard, which all have seen."""
    return "the top card" if view.drawn == NO_CARD else f"the {words.card(view.drawn)}"


def _wrong(view: CambiaView) -> str:
    """A wrong snap in words, with the penalty cards that it costs, if it costs any."""
    if view.owed == 0:
        return "wrong"
    return f"wrong: {counted(view.owed, 'penalty card')}"


def _other_card(words: Words, actor: int, move: Move, view: CambiaView) -> str:
    """The opponent's card that a move names, in words; empty if it names none."""
    if move.opponent < 0:
        return ""
    player = (actor + 1 + move.opponent) % words.rules.players
    whose = "your" if player == view.player else f"{words.player(player)}'s"
    return f"{whose} card {move.slot + 1}"
