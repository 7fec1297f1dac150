"""A player's view: everything that player may know, and nothing else."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass

from fogtree.errors import GameError
from fogtree.games.cambia.cards import NO_CARD
from fogtree.games.cambia.position import NOBODY, OVER, Position
from fogtree.games.cambia.rules import Rules

UNKNOWN = -1


@dataclass(frozen=True, slots=True)
class CambiaView:
    """One player's view. Cards are numbers as in :mod:`fogtree.games.cambia.cards`.

    ``known[p][i]`` is the card in slot i of player p's hand if this player has seen it, else
    ``UNKNOWN``; ``seen[p][i]`` has bit q set if player q has seen it. Looks and swaps happen in the
    open, so every player knows who has seen which card.
    """

    player: int
    step: int  # number of steps since the start
    event: int  # the last step, as a token
    phase: int
    actor: int  # the player who decides, or who gets the card that chance draws
    turn: int
    starter: int
    caller: int
    known: tuple[tuple[int, ...], ...]
    seen: tuple[tuple[int, ...], ...]
    drawn: int  # the card drawn and not placed yet, if this player has seen it
    from_discard: bool
    discard: tuple[int, ...]  # since the stock was last refilled; the last one is on top
    refilled: tuple[int, ...]  # cards that went into the stock when it was last refilled
    stock: int  # how many cards it has
    owed: int  # penalty cards still to be drawn
    other: int  # whose card was snapped or looked at with a king
    slot: int  # the slot of that card
    own: int  # the own slot looked at with a king


def view_of(
    position: Position, player: int, step: int, event: int, refilled: tuple[int, ...]
) -> CambiaView:
    """A player's view of a position of either engine, after ``step`` steps, of which ``event`` is
    the last as a token; once the game is over it shows all hands."""
    seen = position.seen
    if position.phase == OVER:
        seen = tuple(((1 << len(seen)) - 1,) * len(hand) for hand in seen)
    known = tuple(
        tuple(card if who >> player & 1 else UNKNOWN for card, who in zip(hand, whos, strict=True))
        for hand, whos in zip(position.hands, seen, strict=True)
    )
    return CambiaView(
        player=player,
        step=step,
        event=event,
        phase=position.phase,
        actor=position.actor,
        turn=position.turn,
        starter=position.starter,
        caller=position.caller,
        known=known,
        seen=seen,
        drawn=position.drawn if position.drawn_seen >> player & 1 else NO_CARD,
        from_discard=position.from_discard,
        discard=position.discard,
        refilled=refilled,
        stock=position.stock_size,
        owed=position.owed,
        other=position.other,
        slot=position.slot,
        own=position.own,
    )


def check_view(rules: Rules, player: int, view: Hashable, before: Hashable) -> None:
    """Refuse what is not a view of this game, is another player's, or cannot come after ``before``,
    an earlier view or None."""
    if not isinstance(view, CambiaView):
        raise GameError("this is not a view of cambia")
    if view.player != player:
        raise GameError(f"this is the view of player {view.player}, not of player {player}")
    if len(view.known) != rules.players:
        raise GameError(f"this is a view of cambia with {len(view.known)} players")
    if not isinstance(before, CambiaView):
        return
    if view.step < before.step or (view.step == before.step and view != before):
        raise GameError(f"view {view.step} of the game came after view {before.step}")
    same_start = before.starter in (NOBODY, view.starter)
    same_caller = before.caller in (NOBODY, view.caller)
    if not (same_start and same_caller and view.turn >= before.turn):
        raise GameError(f"view {view.step} is of another game than view {before.step}")


def legal_actions(rules: Rules, view: CambiaView) -> list[int]:
    """The numbers of the actor's legal actions, which depend on nothing that is hidden."""
    shown = Position(
        rules,
        hands=view.known,
        seen=view.seen,
        stock=(NO_CARD,) * view.stock,
        discard=view.discard,
        phase=view.phase,
        actor=view.actor,
        turn=view.turn,
        starter=view.starter,
        caller=view.caller,
        drawn=view.drawn,
        from_discard=view.from_discard,
        owed=view.owed,
        other=view.other,
        slot=view.slot,
        own=view.own,
    )
    return shown.legal()
