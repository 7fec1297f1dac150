"""The rules of Cambia in words, with the house rules of one game."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fogtree.games.cambia.cards import RANKS, card_words, kind_of, points_of, rank_of
from fogtree.text.counts import counted, counted_in_words, listed, number_word

if TYPE_CHECKING:
    from fogtree.games.cambia.game import Cambia
    from fogtree.games.cambia.rules import Rules


def rules_text(game: Cambia) -> str:
    """The rules of a game in four paragraphs, a line each."""
    rules = game.rules
    return "\n".join((_aim(rules), _turn(rules), _snap(rules), _end(rules)))


def _aim(rules: Rules) -> str:
    """The deal, what the players see of it, and what every card counts."""
    looked = {0: "has looked at none of them", rules.hand: "has looked at all of them once"}
    some = f"has looked at {number_word(rules.looks)} of them once"
    if rules.hand == 1:
        looked = {0: "has not looked at it", 1: "has looked at it once"}
    return (
        f"Everybody has {counted_in_words(rules.hand, 'card')} face down and "
        f"{looked.get(rules.looks, some)}; the cards that you have seen stay shown to "
        f"you, so you need not remember them. The lowest total wins: {_points(rules)}."
    )


def _points(rules: Rules) -> str:
    """What the cards in the deck count in a hand."""
    kinds = sorted({kind_of(card) for card in rules.deck}, key=points_of)
    found = [(card_words(card, suits=False), points_of(card)) for card in kinds]
    words = [f"{name} {points}" for name, points in found if name != str(points)]
    if any(name == str(points) for name, points in found):
        words.append("every other card its number")
    return ", ".join(words)


def _turn(rules: Rules) -> str:
    """What a player does in a turn, and what discarded cards are good for."""
    take = " unseen from the stock"
    if rules.draw_discard:
        take = ", either unseen from the stock or the top card of the discard"
    abilities = _abilities(rules)
    text = (
        f"In your turn you take a card{take}. You put it in place of one of yours, which you "
        "discard, or you discard the card that you took."
    )
    if not abilities:
        return text
    text += f" A card from the stock that you discard may be used: {abilities}."
    if rules.replace_abilities:
        text += " If a card from the stock replaces one of these, the replaced one must be used."
    return text


def _abilities(rules: Rules) -> str:
    """The abilities of the cards in the deck."""
    there = {RANKS[rank_of(card)] for card in rules.deck if rank_of(card) < len(RANKS)}
    words = {"T": "10", "J": "jack", "Q": "queen", "K": "king"}
    groups = (
        ("78", "look at an own card"),
        ("9T", "look at an opponent's card"),
        ("JQ", "swap two cards unseen"),
        ("K", "look at two cards, then swap them or not"),
    )
    found = []
    for ranks, ability in groups:
        names = [words.get(rank, rank) for rank in ranks if rank in there]
        if names:
            article = "an" if names[0] == "8" else "a"
            found.append(f"{article} {listed(names, 'or')} lets you {ability}")
    return ", ".join(found)


def _snap(rules: Rules) -> str:
    """Who may snap, what a wrong snap costs, and who is asked."""
    text = (
        "A card of the same rank as the discard may be snapped, your own or an opponent's: it "
        "leaves the hand, and for an opponent's card you give one of yours."
        if rules.opponent_snap
        else "A card of your own of the same rank as the discard may be snapped: it leaves the "
        "hand. Opponents' cards cannot be snapped."
    )
    back = "puts the card back" + (", seen by all," if rules.show_wrong_snap else "")
    more = counted_in_words(rules.penalty, "more card")
    cost = f"costs {more} from the stock" if rules.penalty else "costs nothing"
    asked = "You are asked about a snap after every discard, whether some card matches or not."
    if not rules.snap_always:
        which = "some card that you may snap"
        if _caller_may_be_snapped(rules):  # those cards may be named, but nobody is asked for them
            which = "a card of yours or of somebody who has not called Cambia"
        asked = (
            f"You are asked about a snap only when {which} matches, so the question itself tells "
            "you something."
        )
    return f"{text} A wrong snap {back} and {cost}. {asked}"


def _caller_may_be_snapped(rules: Rules) -> bool:
    """Whether the cards of the player who called Cambia may be snapped by others."""
    return rules.opponent_snap and (not rules.lock_caller or rules.earlier_defects)


def _end(rules: Rules) -> str:
    """How the game ends, and who starts."""
    text = "Whoever calls Cambia ends the game after one more turn of the others"
    if rules.cambia_from_round:
        rounds = rules.cambia_from_round
        first = "round" if rounds == 1 else counted(rounds, "round")
        text += f"; nobody may call it in the first {first}"
    locked = (
        "The caller's hand is locked: nobody may swap or snap its cards, nor may the caller snap."
    )
    if not rules.lock_caller:
        locked = "The caller's hand is not locked, but the caller may no longer snap."
    elif _caller_may_be_snapped(rules):
        locked = (
            "The caller's hand is locked: nobody may swap its cards, but they may be snapped; the "
            "caller may no longer snap."
        )
    return (
        f"{text}. {locked} After {counted(rules.max_turns, 'turn')} the game ends in any case. Who "
        "starts is drawn by lot, whichever seat you have: first and second player are names of "
        "seats only."
    )
