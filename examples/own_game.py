"""A game of your own: one player knows whether he has the best hand, and may bet or bluff."""

from dataclasses import dataclass

from fogtree import CHANCE, TERMINAL, Game, State


@dataclass(frozen=True)
class HalfStreet(Game):
    """Player 0 holds an ace or a queen, player 1 always a king; both have put in one chip."""

    short_name = "half_street"
    players = 2
    bet: float = 2

    def root(self):
        return Hand(self, "", "")


@dataclass(frozen=True)
class Hand(State):
    game: HalfStreet
    card: str
    moves: str

    @property
    def player(self):
        return {"": 0 if self.card else CHANCE, "b": 1}.get(self.moves, TERMINAL)

    def chance(self):
        return [("A", 0.5), ("Q", 0.5)]

    def actions(self):
        return ("fold", "call") if self.moves else ("pass", "bet")

    def child(self, action):
        return Hand(self.game, self.card or action, self.moves + action[0] if self.card else "")

    def returns(self):
        stake = {"p": 1, "bf": 1, "bc": 1 + self.game.bet}[self.moves]
        wins = self.card == "A" or self.moves == "bf"
        return (stake, -stake) if wins else (-stake, stake)

    def observation(self, player):
        return (self.card if player == 0 else "K") + self.moves

    def name(self):
        return self.observation(self.player)
