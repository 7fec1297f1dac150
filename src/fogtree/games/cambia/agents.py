"""Scripted agents for Cambia, from random play to one that sees every card."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import ClassVar

from fogtree.agents.budget import Budget
from fogtree.agents.protocol import Clairvoyant, Decision, Observation
from fogtree.agents.seat import GameAgent
from fogtree.games.cambia.actions import Move
from fogtree.games.cambia.cards import EIGHT, KING, NINE, POINTS, SEVEN, TEN, rank_of
from fogtree.games.cambia.game import Cambia, CambiaState
from fogtree.games.cambia.position import ABILITY, DRAWN, GAP, SNAP, START
from fogtree.games.cambia.view import UNKNOWN, CambiaView


@dataclass(frozen=True, slots=True)
class Script:
    """The constants of the scripted agents."""

    unknown: float = 6.5  # points expected of a card never seen
    enough_known: int = 3  # imperfect_greedy calls Cambia with this many known cards ...
    enough_points: float = 9.0  # ... and an estimate up to this ...
    late_turn: int = 20  # ... or after this turn
    keep_below: int = 3  # memory_heuristic replaces unknown cards by these or lower
    decent_chance: float = 0.25  # least probability of a match at which aggressive_snap snaps
    few_cards: int = 2  # aggressive_snap calls Cambia with at most this many cards ...
    few_points: float = 4.0  # ... or an estimate up to this
    good_draw: float = 3.0  # greedy expects others to draw no better in their last turn
    random_turn: int = 8  # random_late_cambia does not call before this turn


SCRIPT = Script()


class _CambiaAgent(GameAgent[Cambia]):
    """The base of the scripted agents: it keeps the last view and the legal moves; subclasses
    choose."""

    every_view: ClassVar[bool] = False
    plays = Cambia
    view: CambiaView

    def observe(self, observation: Observation) -> None:
        """Keep the player's view, and the legal moves with the texts of their actions."""
        super().observe(observation)
        assert isinstance(observation.view, CambiaView)  # the game has checked it
        self.view = observation.view
        texts = [str(action) for action in observation.actions]
        layout = self.game.layout
        self.moves = {layout.moves[layout.number[text]]: text for text in texts}

    def act(self, budget: Budget | None = None) -> Decision:
        """Play the move that the agent chooses, as text; scripts need no budget."""
        del budget
        self.seat.to_act()
        return Decision(self.moves[self.choose()])

    def choose(self) -> Move:
        """Choose one of the legal moves in ``self.moves``; every scripted agent implements this."""
        raise NotImplementedError

    def of_kind(self, *kinds: str) -> list[Move]:
        """The legal moves of these kinds."""
        return [move for move in self.moves if move.kind in kinds]


class RandomCaller(_CambiaAgent):
    """Plays at random, but calls Cambia only from turn ``first_turn`` on, or never if that is
    None."""

    first_turn: ClassVar[int | None]

    def choose(self) -> Move:
        """A random legal move; calling Cambia is left out before ``first_turn``."""
        moves = list(self.moves)
        early = self.first_turn is None or self.view.turn < self.first_turn
        others = [move for move in moves if move.kind != "cambia"]
        return self.random.choice(others if early and others else moves)


class RandomNoCambia(RandomCaller):
    """Plays at random, but never calls Cambia."""

    name = "random_no_cambia"
    first_turn = None


class RandomLateCambia(RandomCaller):
    """Plays at random, but calls Cambia only late in the game."""

    name = "random_late_cambia"
    first_turn = SCRIPT.random_turn


class ImperfectGreedy(_CambiaAgent):
    """Keeps its total low: remembers every card it has seen, and counts an unknown one as 6.5."""

    name = "imperfect_greedy"

    def choose(self) -> Move:
        """The move that suits the phase of the turn, such as the start of a turn or a chance to
        snap."""
        choices: dict[int, Callable[[], Move]] = {
            START: self.at_start,
            DRAWN: self.with_drawn,
            SNAP: self.at_snap,
            ABILITY: self.with_ability,
            GAP: self.into_gap,
        }
        return choices[self.view.phase]()

    # Cards and estimates.

    def card(self, player: int, slot: int) -> int:
        """The card in a slot of a player's hand as this player knows it; UNKNOWN if unseen."""
        return self.view.known[player][slot]

    def value(self, player: int, slot: int) -> float:
        """The points of a card; an unknown one counts as the mean of a deck."""
        card = self.card(player, slot)
        return SCRIPT.unknown if card == UNKNOWN else float(POINTS[card])

    def own_slots(self) -> range:
        """The slots of the own hand."""
        return range(len(self.view.known[self.player]))

    def is_known(self, slot: int) -> bool:
        """Whether the agent knows its own card in this slot."""
        return self.card(self.player, slot) != UNKNOWN

    def estimate(self) -> float:
        """The estimated points in the own hand."""
        return sum(self.value(self.player, slot) for slot in self.own_slots())

    def opponent_of(self, move: Move) -> int:
        """The player whose card a move names."""
        return (self.player + 1 + move.opponent) % self.game.players

    # Choices by phase.

    def wants_to_call(self) -> bool:
        """Whether the own hand is estimated low enough to call Cambia."""
        known = sum(self.is_known(slot) for slot in self.own_slots())
        enough = min(SCRIPT.enough_known, len(self.own_slots()))
        sure = known >= enough and self.estimate() <= SCRIPT.enough_points
        return sure or self.view.turn > SCRIPT.late_turn

    def at_start(self) -> Move:
        """Call Cambia if the own points seem low enough; else draw."""
        call = Move("cambia")
        if call in self.moves and self.wants_to_call():
            return call
        return next(iter(self.moves))  # from the stock if it has cards

    def slot_to_replace(self, points: int) -> int | None:
        """The own slot into which to put a drawn card with this many points: that of the worst own
        card, if the drawn card is better; else None."""
        return self.worse_slot(self.own_slots(), points)

    def worse_slot(self, slots: Iterable[int], points: int) -> int | None:
        """The slot with the most points among ``slots``, if its card has more than ``points``; else
        None."""
        worst = max(slots, key=lambda s: self.value(self.player, s), default=None)
        if worst is None or points >= self.value(self.player, worst):
            return None
        return worst

    def with_drawn(self) -> Move:
        """Keep a drawn card that is better than the worst own one; else discard it."""
        slot = self.slot_to_replace(POINTS[self.view.drawn])
        if slot is not None:
            return Move("replace", slot)
        ability = Move("discard_ability")
        if ability in self.moves and self.is_useful(rank_of(self.view.drawn)):
            return ability
        return Move("discard")

    def is_useful(self, rank: int) -> bool:
        """Whether to use the ability of a drawn card of this rank: only to look at own cards (7, 8,
        king), and only while one of them is unknown."""
        unknown = any(not self.is_known(slot) for slot in self.own_slots())
        return rank in (SEVEN, EIGHT, KING) and unknown

    def with_ability(self) -> Move:
        """Use an ability to look at unknown own cards, or to swap for fewer points."""
        if Move("king_swap") in self.moves:
            view = self.view
            gain = self.value(self.player, view.own) - self.value(view.other, view.slot)
            return Move("king_swap" if gain > 0 else "king_keep")
        return max(self.moves, key=self.ability_worth)

    def ability_worth(self, move: Move) -> float:
        """How much an ability move is worth, compared with other targets of the same ability: 1 for
        a look at an unknown card, the points gained for a blind swap. A king looks at unknown own
        cards first, and at low cards of the opponent."""
        if move.kind == "look_own":
            return float(not self.is_known(move.own))
        theirs = self.value(self.opponent_of(move), move.slot)
        if move.kind == "look_other":
            return float(self.card(self.opponent_of(move), move.slot) == UNKNOWN)
        if move.kind == "king_look":
            return 100.0 * (not self.is_known(move.own)) - theirs
        return self.value(self.player, move.own) - theirs

    def at_snap(self) -> Move:
        """Snap the known matching card with the most points, or pass."""
        rank = rank_of(self.view.discard[-1])
        sure = [move for move in self.of_kind("snap_own", "snap_other") if self.matches(move, rank)]
        return max(sure, key=self.snap_worth, default=Move("pass"))

    def snap_card(self, move: Move) -> int:
        """The card that a snap would discard: an own one, or one of an opponent's."""
        own = move.kind == "snap_own"
        return (
            self.card(self.player, move.own)
            if own
            else self.card(self.opponent_of(move), move.slot)
        )

    def matches(self, move: Move, rank: int) -> bool:
        """Whether the card that a snap would discard is known to have this rank."""
        card = self.snap_card(move)
        return card != UNKNOWN and rank_of(card) == rank

    def snap_worth(self, move: Move) -> float:
        """The points that leave the own hand by a snap; for an opponent's card those of the worst
        own card, which is given for it."""
        if move.kind == "snap_own":
            return self.value(self.player, move.own)
        return max((self.value(self.player, slot) for slot in self.own_slots()), default=0.0)

    def into_gap(self) -> Move:
        """After snapping an opponent's card: hand over the own card with the most points."""
        return max(self.moves, key=lambda move: self.value(self.player, move.own))


class MemoryHeuristic(ImperfectGreedy):
    """Keeps its total low as imperfect greedy does, but gives an unknown card away only for a 3 or
    less."""

    name = "memory_heuristic"

    def slot_to_replace(self, points: int) -> int | None:
        """A low drawn card replaces an unknown own card; any other replaces the worst known one, if
        it is better."""
        known = [slot for slot in self.own_slots() if self.is_known(slot)]
        unknown = [slot for slot in self.own_slots() if not self.is_known(slot)]
        if unknown and points <= SCRIPT.keep_below:
            return unknown[0]
        return self.worse_slot(known, points)


class AggressiveSnap(ImperfectGreedy):
    """Keeps its total low as imperfect greedy does, but snaps also cards that only may match,
    and calls Cambia only with very few points."""

    name = "aggressive_snap"

    def wants_to_call(self) -> bool:
        """Whether hardly any cards or points are left in the own hand."""
        few = len(self.own_slots()) <= SCRIPT.few_cards
        return few or self.estimate() <= SCRIPT.few_points

    def at_snap(self) -> Move:
        """Snap a card that is known to match; else try an unknown card if one of a few unknown ones
        must match."""
        sure = super().at_snap()
        if sure.kind != "pass":
            return sure
        hidden = [
            move
            for move in self.of_kind("snap_own", "snap_other")
            if self.snap_card(move) == UNKNOWN
        ]
        one_matches = not self.game.rules.snap_always  # else snaps are offered without a match
        if one_matches and hidden and 1 / len(hidden) >= SCRIPT.decent_chance:
            return hidden[0]
        return sure


class Greedy(ImperfectGreedy, Clairvoyant):
    """Plays as imperfect greedy does, but sees every card: a bound for play by such rules."""

    name = "greedy"

    def act(self, budget: Budget | None = None) -> Decision:
        """Look at the true state, then choose a move as the base class does."""
        state = self.true_state(self.seat.to_act())
        assert isinstance(state, CambiaState)  # it looks like the view, which has been checked
        self._hands = state.position.hands
        return super().act(budget)

    def card(self, player: int, slot: int) -> int:
        """The true card in a slot of a player's hand."""
        return self._hands[player][slot]

    def wants_to_call(self) -> bool:
        """Whether no opponent would be lower after one more turn that replaces its worst card."""
        mine = sum(POINTS[card] for card in self._hands[self.player])
        others = [hand for p, hand in enumerate(self._hands) if p != self.player]
        return all(mine <= self.after_a_turn(hand) for hand in others)

    def after_a_turn(self, hand: tuple[int, ...]) -> float:
        """The points of a hand after one more turn in which a good draw replaces its worst card."""
        points = [POINTS[card] for card in hand]
        gain = max(points, default=0) - SCRIPT.good_draw
        return sum(points) - max(gain, 0.0)

    def is_useful(self, rank: int) -> bool:
        """Whether a swap could improve the own worst card; looks show nothing new."""
        if rank in (SEVEN, EIGHT, NINE, TEN):
            return False
        worst = max((self.value(self.player, slot) for slot in self.own_slots()), default=0.0)
        locked = self.view.caller if self.game.rules.lock_caller else -1
        return any(
            POINTS[card] < worst
            for player, hand in enumerate(self._hands)
            if player not in (self.player, locked)
            for card in hand
        )

    def ability_worth(self, move: Move) -> float:
        """How much an ability move gains: only swaps can gain, because all cards are visible."""
        if move.kind in ("blind_swap", "king_look"):
            return self.value(self.player, move.own) - self.value(self.opponent_of(move), move.slot)
        return 0.0
