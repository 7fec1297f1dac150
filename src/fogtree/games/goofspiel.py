"""Goofspiel: bid your cards, each once, for prize cards that are turned up one by one.

S. M. Ross, "Goofspiel: the game of pure strategy", Journal of Applied Probability 8 (1971).
*Deviations:* the two bids of a trick are one after the other, the first unseen by the second
bidder. A tied prize is lost. The last cards are played by themselves. By default only who won
a trick is shown, not the bids, as in M. Lanctot's thesis (2013).
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

from fogtree import _core
from fogtree.errors import IllegalActionError
from fogtree.game import CHANCE, TERMINAL, Action, State
from fogtree.game.parameters import ParameterGame, parameter
from fogtree.registry import GameEntry


@dataclass(frozen=True)
class Goofspiel(ParameterGame):
    """Goofspiel: both bid a card for each prize; the higher bid takes it, a tie takes none."""

    short_name = "goofspiel"
    reading = (
        "each prize, and after the colon your bid for it: 4w won, 4l lost, 4t tied, or "
        "4v2 against a 2"
    )
    players = 2
    cards: int = parameter(4, "cards in each hand, and prizes", minimum=2, maximum=13)
    points: str = parameter(
        "descending", "the order of the prizes", choices=("descending", "ascending", "random")
    )
    hidden: bool = parameter(True, "show only who won a trick, not the bids")
    reward: str = parameter(
        "win_loss", "how points become payoffs", choices=("win_loss", "point_difference")
    )

    def all_actions(self) -> Sequence[Action]:
        """Every card, by which it is bid."""
        return range(1, self.cards + 1)

    def root(self) -> GoofspielState:
        """The state before the first choice: a fixed first prize is turned up already."""
        hand = tuple(range(1, self.cards + 1))
        prizes = hand[::-1] if self.points == "descending" else hand
        return GoofspielState(self, prizes, 0, (hand, hand), 0, ("", ""), 0, CHANCE).go_on()

    def tree_source(self) -> _core.NativeWalk | None:
        """The native walker of the tree; None for a class derived from this one, which may have
        other rules."""
        if type(self) is not Goofspiel:  # another class may have other rules
            return None
        order, wins = getattr(_core.GoofspielOrder, self.points), self.reward == "win_loss"
        return _core.goofspiel_walk(self.cards, order, self.hidden, wins)


@dataclass(slots=True, eq=False)
class GoofspielState(State):
    """Both hands, the prizes, and what each player has seen, first player first."""

    game: Goofspiel
    left: tuple[int, ...]  # prizes not turned up yet
    prize: int  # the one being bid for
    hands: tuple[tuple[int, ...], tuple[int, ...]]  # cards not bid yet
    lead: int  # points of the first player less those of the second
    views: tuple[str, str]  # the tricks as each player saw them
    bid: int  # the first player's, while the second chooses
    player: int

    def actions(self) -> Sequence[Action]:
        """The cards in the mover's hand, of which one is bid."""
        return self.hands[self.player]

    def chance(self) -> Sequence[tuple[Action, float]]:
        """Every prize that is not turned up yet, equally likely."""
        return [(prize, 1 / len(self.left)) for prize in self.left]

    def child(self, action: Action) -> GoofspielState:
        """The state after a prize is turned up or a bid is made; the first player's bid stays
        hidden until the second has bid."""
        if not isinstance(action, int):
            raise IllegalActionError(f"there is no card {action!r:.40}")
        if self.player == CHANCE:
            return self._turn_up(action)
        if self.player == 0:
            return GoofspielState(
                self.game, self.left, self.prize, self.hands, self.lead, self.views, action, 1
            )
        return self._settle(self.bid, action).go_on()

    def go_on(self) -> GoofspielState:
        """The state after all steps that leave no choice: a prize is turned up unless chance draws
        it, and the last prize is settled by the last card of each hand."""
        if len(self.left) == 1:
            last = self._turn_up(self.left[0])
            return last._settle(last.hands[0][0], last.hands[1][0])
        return self if self.game.points == "random" else self._turn_up(self.left[0])

    def _turn_up(self, prize: int) -> GoofspielState:
        """The state after this prize is turned up, in which the first player bids for it."""
        left = tuple(other for other in self.left if other != prize)
        views = (f"{self.views[0]} {prize}:", f"{self.views[1]} {prize}:")
        return GoofspielState(self.game, left, prize, self.hands, self.lead, views, 0, 0)

    def _settle(self, first: int, second: int) -> GoofspielState:
        """The state after both players' bids: the higher one takes the prize, a tie none."""
        hands = (_without(self.hands[0], first), _without(self.hands[1], second))
        lead = self.lead + self.prize * ((first > second) - (first < second))
        hidden = self.game.hidden
        views = (
            self.views[0] + _trick(first, second, hidden),
            self.views[1] + _trick(second, first, hidden),
        )
        player = CHANCE if self.left else TERMINAL
        return GoofspielState(self.game, self.left, 0, hands, lead, views, 0, player)

    def returns(self) -> tuple[float, float]:
        """The payoffs: half of the difference in points, or 1, 0 or -1 with the reward
        ``win_loss``."""
        gain = self.lead / 2
        if self.game.reward == "win_loss":
            gain = float((self.lead > 0) - (self.lead < 0))
        return gain, -gain

    def observation(self, player: int) -> Hashable:
        """The tricks as the player saw them, as text; ``Goofspiel.reading`` says how to read it."""
        return self.views[player]

    def name(self) -> str:
        """The mover's information set: the player, and the tricks as that player saw them."""
        return f"P{self.player}{self.views[self.player]}"


def _without(hand: tuple[int, ...], card: int) -> tuple[int, ...]:
    """A hand after one of its cards is played."""
    return tuple(other for other in hand if other != card)


def _trick(own: int, other: int, hidden: bool) -> str:
    """A trick as a player sees it: ``4w`` is "my four won", ``4v2`` "my four against a two"."""
    result = "w" if own > other else "l" if own < other else "t"
    return f"{own}{result}" if hidden else f"{own}v{other}"


def _rules(game: Goofspiel) -> str:
    """The rules for these cards, order of prizes and payoffs, in words."""
    order = {
        "descending": f"the prizes {game.cards} to 1 are turned up one by one",
        "ascending": f"the prizes 1 to {game.cards} are turned up one by one",
        "random": f"the prizes 1 to {game.cards} are turned up one by one in random order",
    }[game.points]
    told = "You are told who won a prize, not what was bid."
    end = "Most points win."
    if not game.hidden:
        told = "After each prize both bids are shown."
    if game.reward != "win_loss":
        end = "At the end the player with fewer points pays the other half of the difference."
    return (
        f"Both players hold the cards 1 to {game.cards}, and {order}. For each prize both bid one "
        "of their cards, unseen; the higher bid takes as many points as the prize shows, a tied "
        "prize is lost, and cards that were bid are gone. The last cards are bid by themselves. "
        f"{told} {end}"
    )


ENTRY = GameEntry(
    name="goofspiel",
    game=Goofspiel,
    agents=(),
    rules=_rules,
    web="fogtree.games.goofspiel_web:VIEW",
)
