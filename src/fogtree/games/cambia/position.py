"""The rules of Cambia in plain Python: the reference of the native engine.

A position never changes: :meth:`Position.child` hands out a new one. Cards come from the stock by
chance one at a time, so the stock is a set of cards without an order, and refilling it only
puts the discarded cards back. Every card in a hand has the set of players who have seen it: looks,
swaps and discards happen in the open, so everybody knows who knows what.
"""

from __future__ import annotations

from bisect import bisect_left
from copy import copy
from dataclasses import dataclass
from typing import Final

from fogtree.errors import IllegalActionError
from fogtree.game import CHANCE, TERMINAL
from fogtree.games.cambia import actions as act
from fogtree.games.cambia.cards import (
    EIGHT,
    JACK,
    KING,
    NINE,
    NO_CARD,
    POINTS,
    QUEEN,
    SEVEN,
    TEN,
    rank_of,
)
from fogtree.games.cambia.rules import HAND_LIMIT, Rules

START, DRAWN, SNAP, ABILITY, GAP = range(5)  # a player decides
STARTER, DEAL, DRAW, PENALTY = range(5, 9)  # chance decides
OVER: Final = 9

NOBODY: Final = -1
Cards = tuple[int, ...]


@dataclass(slots=True)
class Position:
    """The complete state of a game; private methods change a fresh copy that ``child`` hands out.

    ``seen[p][i]`` has bit q set if player q has seen the card in slot i of player p's hand.
    """

    rules: Rules
    hands: tuple[Cards, ...]
    seen: tuple[Cards, ...]
    stock: Cards  # sorted: it has no order until chance draws from it
    discard: Cards  # the last one is on top
    phase: int = STARTER
    actor: int = 0  # the player who decides, or who gets the card that chance draws
    turn: int = 0  # the number of the present turn, from 0
    starter: int = NOBODY
    caller: int = NOBODY  # who called Cambia
    drawn: int = NO_CARD  # the card drawn and not placed yet
    drawn_seen: int = 0  # players who have seen that card, one bit each
    from_discard: bool = False  # whether that card was the top discard
    waiting: int = 0  # players who have yet to decide about a snap, one bit each
    owed: int = 0  # penalty cards still to be drawn
    other: int = NOBODY  # whose card was snapped, or looked at with a king
    slot: int = -1  # the slot of that card
    own: int = -1  # the own slot looked at with a king

    @classmethod
    def first(cls, rules: Rules) -> Position:
        """The position before anything is dealt."""
        empty: tuple[Cards, ...] = ((),) * rules.players
        return cls(rules, empty, empty, rules.deck, ())

    @property
    def stock_size(self) -> int:
        """The number of cards in the stock, under the name that the native engine has for it."""
        return len(self.stock)

    # The mover and the legal actions.

    @property
    def player(self) -> int:
        """Who moves: a player's number, CHANCE or TERMINAL."""
        if self.phase == OVER:
            return TERMINAL
        return CHANCE if self.phase >= STARTER else self.actor

    def legal(self) -> list[int]:
        """The numbers of the legal actions in rising order; none where no player decides."""
        if self.phase == START:
            return self._legal_start()
        if self.phase == DRAWN:
            return self._legal_drawn()
        if self.phase == SNAP:
            return self._legal_snap()
        if self.phase == ABILITY:
            return self._legal_ability(rank_of(self.discard[-1]))
        if self.phase == GAP:
            layout = act.layout(self.rules.players)
            own = range(len(self.hands[self.actor]))
            return [layout.pair(layout.fill_gap, i, 0, self.slot) for i in own]
        return []

    def _legal_start(self) -> list[int]:
        """The actions at the start of a turn: draw, take the top discard, call Cambia."""
        legal = []
        if self.stock or len(self.discard) > 1:
            legal.append(act.DRAW)
        if self.rules.draw_discard and self.discard:
            legal.append(act.DRAW_DISCARD)
        if self.caller == NOBODY and self.round >= self.rules.cambia_from_round:
            legal.append(act.CAMBIA)
        return legal

    @property
    def round(self) -> int:
        """The number of the present round, from 0; every player has one turn in a round."""
        return self.turn // self.rules.players

    def _legal_drawn(self) -> list[int]:
        """The actions with a drawn card: discard it, with or without its ability, or put it into an
        own slot."""
        legal = [act.DISCARD]
        if not self.from_discard and self._legal_ability(rank_of(self.drawn)):
            legal.append(act.DISCARD_ABILITY)
        legal.extend(act.REPLACE + slot for slot in range(len(self.hands[self.actor])))
        return legal

    def _legal_ability(self, rank: int) -> list[int]:
        """The actions that use the ability of a rank, none if it has none or no target; a king
        looks first and decides afterwards whether to swap."""
        layout = act.layout(self.rules.players)
        own = range(len(self.hands[self.actor]))
        if self.own >= 0:
            return [layout.king_keep, layout.king_swap]
        if rank in (SEVEN, EIGHT):
            return [act.LOOK_OWN + slot for slot in own]
        if rank in (NINE, TEN):
            return [
                layout.other(act.LOOK_OTHER, k, slot)
                for k, player in self._opponents()
                for slot in range(len(self.hands[player]))
            ]
        if rank in (JACK, QUEEN, KING):
            first = layout.king_look if rank == KING else layout.blind_swap
            return [
                layout.pair(first, i, k, slot)
                for k, player in self._opponents()
                if not self._locked(player)
                for i in own
                for slot in range(len(self.hands[player]))
            ]
        return []

    def _legal_snap(self) -> list[int]:
        """The answers of a player who may snap: pass, or name a card of any hand that may be
        snapped from."""
        layout = act.layout(self.rules.players)
        legal = [layout.pass_snap]
        legal.extend(layout.snap_own + slot for slot in range(len(self.hands[self.actor])))
        for k, player in self._opponents():
            if self._may_snap_from(player):
                slots = range(len(self.hands[player]))
                legal.extend(layout.other(layout.snap_other, k, slot) for slot in slots)
        return legal

    def _opponents(self) -> list[tuple[int, int]]:
        """The actor's opponents in turn order, each with its number from 0."""
        players = self.rules.players
        return [(k, (self.actor + 1 + k) % players) for k in range(players - 1)]

    def _locked(self, player: int) -> bool:
        """Whether a player's cards may not be moved, because this player called Cambia."""
        return self.rules.lock_caller and player == self.caller

    def _may_snap_from(self, player: int) -> bool:
        """Whether the actor may snap cards of this opponent: the rules allow it, and the opponent
        has not called Cambia, which locks a hand (``earlier_defects`` ignore the lock)."""
        open_hand = not self._locked(player) or self.rules.earlier_defects
        return self.rules.opponent_snap and open_hand

    # Chance.

    def chance(self) -> list[tuple[int, float]]:
        """Every outcome with its probability: who starts, or which card comes from the stock; none
        at a decision."""
        if self.player != CHANCE:
            return []
        if self.phase == STARTER:
            players = self.rules.players
            return [(player, 1 / players) for player in range(players)]
        pool = self.stock or self.discard[:-1]
        kinds = sorted(set(pool))
        return [(card, pool.count(card) / len(pool)) for card in kinds]

    # Steps.

    def child(self, action: int) -> Position:
        """The position after an action, or after a chance outcome."""
        after = copy(self)
        if self.phase == OVER:
            raise IllegalActionError("the game is over")
        if self.phase >= STARTER:
            if action not in dict(self.chance()):
                raise IllegalActionError(f"chance cannot bring {action!r} here")
            after._settle_chance(action)
        else:
            if action not in self.legal():
                raise IllegalActionError(f"action {action!r} is not legal here")
            after._act(action)
        return after

    def _act(self, action: int) -> None:
        """Apply a player's action."""
        move = act.layout(self.rules.players).moves[action]
        if self.phase == START:
            self._start_turn(action)
        elif self.phase == DRAWN:
            self._use_drawn(action, move.own)
        elif self.phase == ABILITY:
            self._use_ability(move)
        elif self.phase == SNAP:
            self._snap(move)
        else:
            self._fill_gap(move.own)

    def _start_turn(self, action: int) -> None:
        """Call Cambia, take the top discard, or let chance draw a card."""
        if action == act.CAMBIA:
            self.caller = self.actor
            self._next_turn()
        elif action == act.DRAW_DISCARD:
            self.drawn, self.discard = self.discard[-1], self.discard[:-1]
            self.drawn_seen = (1 << self.rules.players) - 1
            self.from_discard = True
            self.phase = DRAWN
        else:
            self.phase = DRAW

    def _use_drawn(self, action: int, slot: int) -> None:
        """Discard the drawn card or put it in an own slot; an ability or a snap may follow."""
        if action in (act.DISCARD, act.DISCARD_ABILITY):
            card, ability = self.drawn, action == act.DISCARD_ABILITY
        else:
            card = self.hands[self.actor][slot]
            self._put(self.actor, slot, self.drawn, self.drawn_seen)
            from_stock = self.rules.replace_abilities and not self.from_discard
            ability = from_stock and _has_ability(rank_of(card))
        self.discard = (*self.discard, card)
        self.drawn, self.drawn_seen, self.from_discard = NO_CARD, 0, False
        if ability and (self.rules.earlier_defects or self._legal_ability(rank_of(card))):
            self.phase = ABILITY
        else:
            self._open_snap()

    def _use_ability(self, move: act.Move) -> None:
        """Apply an action of a card's ability; a king's look is followed by a second decision."""
        me, bit = self.actor, 1 << self.actor
        if move.kind == "look_own":
            self._put(me, move.own, self.hands[me][move.own], self.seen[me][move.own] | bit)
        elif move.kind == "look_other":
            player = self._opponent(move.opponent)
            card, seen = self.hands[player][move.slot], self.seen[player][move.slot]
            self._put(player, move.slot, card, seen | bit)
        elif move.kind == "blind_swap":
            self._swap(move.own, self._opponent(move.opponent), move.slot)
        elif move.kind == "king_look":
            self.own, self.other, self.slot = move.own, self._opponent(move.opponent), move.slot
            for player, slot in ((me, self.own), (self.other, self.slot)):
                self._put(player, slot, self.hands[player][slot], self.seen[player][slot] | bit)
            return
        elif move.kind == "king_swap":
            self._swap(self.own, self.other, self.slot)
        self.own, self.other, self.slot = -1, NOBODY, -1
        self._open_snap()

    def _swap(self, own: int, player: int, slot: int) -> None:
        """Exchange an own card with another player's; who has seen a card moves along with it."""
        mine = self.hands[self.actor][own], self.seen[self.actor][own]
        theirs = self.hands[player][slot], self.seen[player][slot]
        self._put(self.actor, own, *theirs)
        self._put(player, slot, *mine)

    # Snapping.

    def _open_snap(self) -> None:
        """Find who may snap; they decide in turn, beginning with the player whose turn it is."""
        self.waiting = sum(1 << p for p in range(self.rules.players) if self._may_snap(p))
        self._ask_next()

    def _may_snap(self, player: int) -> bool:
        """Whether a player is asked about a snap. The caller never is; others always are with
        ``snap_always``, else if the own hand or, where opponents' cards may be snapped, any hand
        but the caller's has a card of the top discard's rank."""
        if player == self.caller:
            return False
        if self.rules.snap_always:
            return True
        rank = rank_of(self.discard[-1])
        hands = [
            hand
            for other, hand in enumerate(self.hands)
            if other == player or (self.rules.opponent_snap and other != self.caller)
        ]
        return any(rank_of(card) == rank for hand in hands for card in hand)

    def _ask_next(self) -> None:
        """Ask the next player who may snap; after the last one begin the next turn."""
        for k in range(self.rules.players):
            player = (self.turn_player + k) % self.rules.players
            if self.waiting >> player & 1:
                self.waiting ^= 1 << player
                self.phase, self.actor = SNAP, player
                return
        self._next_turn()

    @property
    def turn_player(self) -> int:
        """The player whose turn it is, even while others decide about a snap."""
        return (self.starter + self.turn) % self.rules.players

    def _snap(self, move: act.Move) -> None:
        """Apply the answer to a snap: a matching card is discarded, a wrong one costs penalty
        cards. After an opponent's card was snapped, the actor fills the gap with an own card."""
        if move.kind == "pass":
            self._ask_next()
            return
        mine = move.kind == "snap_own"
        player = self.actor if mine else self._opponent(move.opponent)
        slot = move.own if mine else move.slot
        card = self.hands[player][slot]
        if rank_of(card) != rank_of(self.discard[-1]):
            self._punish(player, slot)
            return
        self._take(player, slot)
        self.discard = (*self.discard, card)
        if mine or not self.hands[self.actor]:
            self._ask_next()
        else:
            self.phase, self.other, self.slot = GAP, player, slot

    def _punish(self, player: int, slot: int) -> None:
        """Return a wrongly snapped card, shown to all by some rules, and draw penalty cards."""
        if self.rules.show_wrong_snap:
            everybody = (1 << self.rules.players) - 1
            self._put(player, slot, self.hands[player][slot], everybody)
        self.owed = min(self.rules.penalty, HAND_LIMIT - len(self.hands[self.actor]))
        self.phase = PENALTY
        self._next_penalty()

    def _next_penalty(self) -> None:
        """End the penalty once all cards are drawn, or none is left to draw."""
        if self.owed == 0 or not (self.stock or len(self.discard) > 1):
            self.owed = 0
            self._ask_next()

    def _fill_gap(self, own: int) -> None:
        """Move an own card into the gap left by a snapped card of an opponent."""
        card, seen = self._take(self.actor, own)
        self._insert(self.other, self.slot, card, seen)
        self.other, self.slot = NOBODY, -1
        self._ask_next()

    # Turns.

    def _next_turn(self) -> None:
        """Begin the next player's turn, or end the game."""
        self.turn += 1
        self.actor = self.turn_player
        self.phase = START
        ended = self.turn >= self.rules.max_turns or self.actor == self.caller
        if ended or not self._legal_start():
            self.phase = OVER

    def _settle_chance(self, outcome: int) -> None:
        """Apply a chance outcome: who starts, or which card is drawn."""
        if self.phase == STARTER:
            self.starter = outcome
            self.phase, self.actor = DEAL, 0
            return
        self._draw_card(outcome)
        if self.phase == DEAL:
            self._deal(outcome)
        elif self.phase == DRAW:
            self.drawn, self.drawn_seen, self.phase = outcome, 1 << self.actor, DRAWN
        else:
            self._insert(self.actor, len(self.hands[self.actor]), outcome, 0)
            self.owed -= 1
            self._next_penalty()

    def _draw_card(self, card: int) -> None:
        """Take a card from the stock, which is refilled from the discard first if it is empty."""
        if not self.stock:
            self.stock, self.discard = tuple(sorted(self.discard[:-1])), self.discard[-1:]
        place = bisect_left(self.stock, card)
        self.stock = self.stock[:place] + self.stock[place + 1 :]

    def _deal(self, card: int) -> None:
        """Apply a card that is dealt: one to each hand in turn from player 0 until all are full;
        the next one starts the discard."""
        player, slot = self.actor, len(self.hands[self.actor])
        if slot == self.rules.hand:
            self.discard = (card,)
            self.phase, self.actor = START, self.starter
            return
        self._insert(player, slot, card, 1 << player if slot < self.rules.looks else 0)
        self.actor = (player + 1) % self.rules.players

    # Hands.

    def _opponent(self, number: int) -> int:
        """The player who is the opponent with this number, counted from 0 after the actor."""
        return (self.actor + 1 + number) % self.rules.players

    def _put(self, player: int, slot: int, card: int, seen: int) -> None:
        """Replace the card in a slot, and who has seen it."""
        self.hands = _changed(self.hands, player, slot, slot + 1, (card,))
        self.seen = _changed(self.seen, player, slot, slot + 1, (seen,))

    def _insert(self, player: int, slot: int, card: int, seen: int) -> None:
        """Insert a card into a hand before a slot, with who has seen it."""
        self.hands = _changed(self.hands, player, slot, slot, (card,))
        self.seen = _changed(self.seen, player, slot, slot, (seen,))

    def _take(self, player: int, slot: int) -> tuple[int, int]:
        """Remove a card from a hand; returns it with who has seen it."""
        taken = self.hands[player][slot], self.seen[player][slot]
        self.hands = _changed(self.hands, player, slot, slot + 1, ())
        self.seen = _changed(self.seen, player, slot, slot + 1, ())
        return taken

    # The end.

    def totals(self) -> list[int]:
        """The points in each hand."""
        return [sum(POINTS[card] for card in hand) for hand in self.hands]

    def returns(self) -> list[float]:
        """The payoffs: the lowest total wins, the caller alone if it ties; every loser pays 1,
        which the winners share."""
        totals = self.totals()
        best = min(totals)
        winners = [player for player, total in enumerate(totals) if total == best]
        if self.caller in winners:
            winners = [self.caller]
        share = (len(totals) - len(winners)) / len(winners)
        return [share if player in winners else -1.0 for player in range(len(totals))]


def _has_ability(rank: int) -> bool:
    """Whether cards of this rank have an ability when they are discarded."""
    return SEVEN <= rank <= KING


def _changed(
    hands: tuple[Cards, ...], player: int, first: int, last: int, cards: Cards
) -> tuple[Cards, ...]:
    """All hands, with the slots of one player's hand from ``first`` up to, but without, ``last``
    replaced by ``cards``."""
    hand = hands[player]
    return (*hands[:player], hand[:first] + cards + hand[last:], *hands[player + 1 :])
