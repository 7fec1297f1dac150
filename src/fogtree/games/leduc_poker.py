"""Leduc poker: two betting rounds around one shared card.

F. Southey et al., "Bayes' bluff: opponent modelling in poker", UAI 2005.
*Deviations:* ranks, suits, raises and players can be set. Cards of one rank differ by
their suit, although suits decide nothing, unless ``suit_isomorphism`` is set.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from functools import cached_property

from fogtree import _core
from fogtree.errors import OptionError
from fogtree.game import CHANCE, TERMINAL, Action, State
from fogtree.game.parameters import ParameterGame, parameter
from fogtree.games.cards import MOST_RANKS, rank_names, rank_words
from fogtree.registry import GameEntry
from fogtree.text.counts import counted, counted_in_words, listed, number_word

ANTE = 1
RAISES = (2, 4)
"""Chips in a raise before and after the shared card."""

_MOST_NATIVE_RAISES = 10_000
"""Raises in a round of the largest game that is walked natively."""


@dataclass(frozen=True)
class LeducPoker(ParameterGame):
    """Leduc poker: one card each, a betting round, a shared card, another betting round."""

    short_name = "leduc_poker"
    reading = (
        "your card, then what was done: c check or call, r raise, f fold; after / the shared card"
    )
    ranks: int = parameter(3, "different ranks in the deck", minimum=2, maximum=MOST_RANKS)
    suits: int = parameter(2, "cards of each rank", minimum=1, maximum=4)
    raises: int = parameter(2, "most raises in a betting round", minimum=0)
    players: int = parameter(2, "how many play", minimum=2, maximum=10)
    suit_isomorphism: bool = parameter(False, "deal ranks only, without suits", advanced=True)

    def __post_init__(self) -> None:
        """Refuse a deck with too few cards for the players and the shared card."""
        super().__post_init__()
        cards = self.ranks * self.suits
        if cards <= self.players:
            message = f"leduc_poker: {self.players} players need at least {self.players + 1} cards"
            raise OptionError(f"{message}, but ranks={self.ranks}, suits={self.suits} has {cards}")

    @cached_property
    def rank_names(self) -> str:
        """The letters of the ranks, the lowest first."""
        return rank_names(self.ranks)

    @cached_property
    def deck(self) -> dict[str, int]:
        """How many copies there are of each card, the lowest card first: one of each card with a
        suit, or one for every suit if cards have a rank only."""
        names = self.rank_names
        if self.suit_isomorphism or self.suits == 1:
            return dict.fromkeys(names, self.suits)
        return dict.fromkeys((rank + suit for rank in names for suit in "shdc"[: self.suits]), 1)

    def all_actions(self) -> Sequence[Action]:
        return ("fold", "call", "check", "raise") if self.raises else ("check",)

    def root(self) -> LeducState:
        """The state before the deal, when everybody has paid the ante."""
        seats = tuple(range(self.players))
        return LeducState(self, (), "", "", (ANTE,) * self.players, seats, 0, 0, CHANCE)

    def tree_source(self) -> _core.NativeWalk | None:
        """The native walk over the game's tree; None for rules that it does not cover."""
        if type(self) is not LeducPoker or self.raises > _MOST_NATIVE_RAISES:
            return None  # another class may have other rules
        return _core.leduc_poker_walk(
            self.players, self.rank_names, self.suits, self.raises, self.suit_isomorphism
        )


@dataclass(slots=True, eq=False)
class LeducState(State):
    """Cards by player, the shared card, and where the betting stands."""

    game: LeducPoker
    hands: tuple[str, ...]  # the card of each player
    board: str  # the shared card; empty before it is dealt
    public: str  # what everyone has seen: a letter per move, and "/" before the shared card
    paid: tuple[int, ...]  # chips that each player has put in
    seats: tuple[int, ...]  # the players who have not folded
    raised: int  # raises in this round
    waiting: int  # players who must still answer in this round
    player: int

    def actions(self) -> Sequence[Action]:
        """Fold or call if the player owes chips, else check; raise while the round allows another
        raise."""
        owing = self.paid[self.player] < max(self.paid)
        passive = ("fold", "call") if owing else ("check",)
        return (*passive, "raise") if self.raised < self.game.raises else passive

    def chance(self) -> Sequence[tuple[Action, float]]:
        """Every card that is not in a hand, with its probability."""
        left = [(card, n - self.hands.count(card)) for card, n in self.game.deck.items()]
        total = sum(n for _, n in left)
        return [(card, n / total) for card, n in left if n]

    def child(self, action: Action) -> LeducState:
        """The state after a card is dealt or the mover acts."""
        word = str(action)
        return self._deal(word) if self.player == CHANCE else self._act(word)

    def _deal(self, card: str) -> LeducState:
        """The state after a private card, or the shared card, is dealt."""
        game, seats = self.game, self.seats
        hands, board, public = (*self.hands, card), "", ""
        if len(hands) > game.players:
            hands, board, public = self.hands, card, f"{self.public}/{card}"
        mover = CHANCE if len(hands) < game.players else seats[0]
        return LeducState(game, hands, board, public, self.paid, seats, 0, len(seats), mover)

    def _act(self, word: str) -> LeducState:
        """The state after the mover folds, checks, calls or raises."""
        game, mover, seats, paid = self.game, self.player, self.seats, list(self.paid)
        waiting, raised = self.waiting - 1, self.raised
        later = [seat for seat in seats if seat > mover]
        after = later[0] if later else seats[0]
        if word == "fold":
            seats = tuple(seat for seat in seats if seat != mover)
        else:
            paid[mover] = max(paid)
        if word == "raise":
            paid[mover] += RAISES[bool(self.board)]
            waiting, raised = len(seats) - 1, raised + 1
        if len(seats) == 1 or (waiting == 0 and self.board):
            after = TERMINAL
        elif waiting == 0:
            after = CHANCE
        hands, board, public = self.hands, self.board, self.public + word[0]
        return LeducState(game, hands, board, public, tuple(paid), seats, raised, waiting, after)

    def returns(self) -> Sequence[float]:
        """The chips that each player gains or loses: the best hands among the players who have not
        folded share the pot."""
        strengths = [self._strength(seat) for seat in self.seats]
        best = max(strengths)
        winners = [
            seat for seat, strength in zip(self.seats, strengths, strict=True) if strength == best
        ]
        share = sum(self.paid) / len(winners)
        return [share * (p in winners) - paid for p, paid in enumerate(self.paid)]

    def _strength(self, seat: int) -> tuple[bool, int]:
        """The strength of a player's hand, for comparisons: whether the card pairs the shared card,
        then its rank from 0."""
        rank = self.hands[seat][0]
        return self.board[:1] == rank, self.game.rank_names.index(rank)

    def observation(self, player: int) -> Hashable:
        """The own card and all public steps; at a showdown also the hands of those still in."""
        if player >= len(self.hands):
            return None
        view = self.hands[player] + self.public
        if self.player != TERMINAL or len(self.seats) == 1:
            return view
        shown = [hand if p in self.seats else "?" for p, hand in enumerate(self.hands)]
        return f"{view} {','.join(shown)}"

    def name(self) -> str:
        """The mover's information set: the own card and all public steps."""
        return self.hands[self.player] + self.public


def _rules(game: LeducPoker) -> str:
    """The rules for this deck and these numbers of players and raises, in words."""
    ranks, two = rank_words(game.ranks), game.players == 2
    cards = counted_in_words(game.ranks * game.suits, "card")
    each = "" if game.suits == 1 else f"{number_word(game.suits)} each of "
    better = "higher" if two else "highest"
    betting = (
        "Nobody may raise, so all players only check, in two rounds; one shared card is turned up "
        "between them. "
        if game.raises == 0
        else "A betting round follows, then one shared card is turned up, then another betting "
        f"round; a raise is {RAISES[0]} chips in the first round and {RAISES[1]} in the second, "
        f"at most {counted_in_words(game.raises, 'raise')} a round. "
    )
    winner = (
        f"The {better} card wins"
        if game.suits == 1
        else f"Whoever pairs the shared card wins, otherwise the {better} card; equal cards share "
        "the pot"
    )
    fold = "" if game.raises == 0 else "; whoever folds loses the pot"
    return (
        f"Each player puts {counted(ANTE, 'chip')} into the pot and gets one of {cards}: "
        f"{each}{listed(ranks, 'or' if game.suits == 1 else 'and')}. {betting}{winner}{fold}."
    )


ENTRY = GameEntry(
    name="leduc_poker",
    game=LeducPoker,
    rules=_rules,
    web="fogtree.games.poker_web:LEDUC",
)
