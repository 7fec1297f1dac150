"""Kuhn poker: one card each, one bet.

H. W. Kuhn, "A simplified two-person poker", Contributions to the Theory of Games I (1950).
*Deviations:* any number of players, with one card more than players; ante and bet can be set.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from functools import cached_property

from fogtree.game import CHANCE, TERMINAL, Action, State
from fogtree.game.parameters import ParameterGame, parameter
from fogtree.games.cards import MOST_RANKS, rank_names, rank_words
from fogtree.registry import GameEntry
from fogtree.text.counts import counted, counted_in_words, listed


@dataclass(frozen=True)
class KuhnPoker(ParameterGame):
    """Kuhn poker: one card each, check or bet, then fold or call; the best card wins."""

    short_name = "kuhn_poker"
    reading = (
        "your card, then what was done: c check or call, b bet, f fold; at the end all cards shown"
    )
    players: int = parameter(2, "how many play", minimum=2, maximum=MOST_RANKS - 1)
    ante: int = parameter(1, "chips each player puts in before the deal", minimum=1)
    bet: int = parameter(1, "chips in a bet", minimum=1)

    @cached_property
    def deck(self) -> str:
        """All cards, the lowest first."""
        return rank_names(self.players + 1)

    def all_actions(self) -> Sequence[Action]:
        return ("check", "bet", "fold", "call")

    def root(self) -> KuhnState:
        """The state before the deal."""
        return KuhnState(self, "", "")

    def mover(self, cards: str, betting: str) -> int:
        """Who moves after these cards were dealt and these moves made, a letter each: a player's
        number, CHANCE while cards are missing, or TERMINAL. Without a bet everybody moves once; a
        bet is answered once by every other player."""
        if len(cards) < self.players:
            return CHANCE
        bettor = betting.find("b")
        moves = self.players if bettor < 0 else bettor + self.players  # of the whole game
        return TERMINAL if len(betting) == moves else len(betting) % self.players


class KuhnState(State):
    """Cards by player, and one letter per move: check or call ``c``, bet ``b``, fold ``f``."""

    __slots__ = ("betting", "cards", "game", "player")
    player: int

    def __init__(self, game: KuhnPoker, cards: str, betting: str) -> None:
        self.game = game
        self.cards = cards
        self.betting = betting
        self.player = game.mover(cards, betting)

    def actions(self) -> Sequence[Action]:
        """Fold or call after a bet, else check or bet."""
        return ("fold", "call") if "b" in self.betting else ("check", "bet")

    def chance(self) -> Sequence[tuple[Action, float]]:
        """Every card that is not dealt yet, equally likely."""
        left = [card for card in self.game.deck if card not in self.cards]
        return [(card, 1 / len(left)) for card in left]

    def child(self, action: Action) -> KuhnState:
        """The state after a card is dealt, or after an action, kept as its first letter."""
        if self.player == CHANCE:
            return KuhnState(self.game, self.cards + str(action), "")
        return KuhnState(self.game, self.cards, self.betting + str(action)[0])

    def callers(self) -> list[int]:
        """The players who have put in the bet: the bettor, and those who called."""
        bettor = self.betting.find("b")
        answers = enumerate(self.betting[bettor:], bettor) if bettor >= 0 else ()
        return [number % self.game.players for number, letter in answers if letter != "f"]

    def paid(self) -> list[int]:
        """The chips that each player has put in."""
        game, callers = self.game, self.callers()
        return [game.ante + (game.bet if p in callers else 0) for p in range(game.players)]

    def returns(self) -> Sequence[float]:
        """The chips that each player gains or loses: the highest card among those who put in the
        bet takes the pot, or among all players if nobody bet."""
        everyone, paid = range(self.game.players), self.paid()
        winner = max(self.callers() or everyone, key=lambda p: self.game.deck.index(self.cards[p]))
        return [float(sum(paid) * (p == winner) - paid[p]) for p in everyone]

    def observation(self, player: int) -> Hashable:
        """The own card and the betting, at the end also the cards shown; None before the player has
        a card."""
        if player >= len(self.cards):
            return None
        view = self.cards[player] + self.betting
        return view + self.cards_shown() if self.player == TERMINAL else view

    def cards_shown(self) -> str:
        """The cards face up at the end as observations write them: ``" K?Q"`` with ``?`` for a
        player who folded; empty if all but one did."""
        still_in = self.callers() or range(self.game.players)
        cards = [card if p in still_in else "?" for p, card in enumerate(self.cards)]
        return " " + "".join(cards) if len(still_in) > 1 else ""

    def name(self) -> str:
        """The mover's information set: the own card and the betting, such as ``Jcb``."""
        return self.cards[self.player] + self.betting


def _rules(game: KuhnPoker) -> str:
    """The rules for this number of players, ante and bet, in words."""
    ranks = rank_words(game.players + 1)
    bet = counted(game.bet, "chip")
    deal = (
        f"Each player puts {counted(game.ante, 'chip')} into the pot and gets one of "
        f"{counted_in_words(len(ranks), 'card')}: {listed(ranks, 'or')}. "
    )
    if game.players == 2:
        return deal + (
            f"The first player checks or bets {bet}; after a bet the other folds or calls, after a "
            "check the other may check or bet. Whoever folds loses the pot; otherwise the higher "
            "card takes it."
        )
    return deal + (
        f"In turn each player checks or bets {bet}. After a bet every other player in turn folds "
        "or calls, those who have checked too, and nobody bets again. Whoever folds has no part in "
        "the pot; the highest card of the players who have not folded takes it."
    )


ENTRY = GameEntry(
    name="kuhn_poker",
    game=KuhnPoker,
    rules=_rules,
    web="fogtree.games.poker_web:KUHN",
)
