"""One seat of a game: takes the observations of its player and refuses all others."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Generic, TypeVar

from fogtree.agents.protocol import Agent, Observation
from fogtree.errors import GameError, OptionError
from fogtree.game import Game
from fogtree.game.checks import checked_players


@dataclass(slots=True)
class Seat:
    """The seat of one player, with the last observation."""

    game: Game
    player: int
    last: Observation | None = None

    def take(self, observation: Observation) -> None:
        """Accept the next observation; if it cannot be this player's next one, raise an error and
        change nothing."""
        if observation.player != self.player:
            raise GameError(f"this agent has seat {self.player}, and not seat {observation.player}")
        before = None if self.last is None else self.last.view
        self.game.check_view(self.player, observation.view, observation.actions, before)
        self.last = observation

    def to_act(self) -> Observation:
        """The last observation; an error unless the player is to act there."""
        if self.last is None or not self.last.actions:
            raise GameError("it is not this agent's turn")
        return self.last


class SeatedAgent(Agent):
    """An agent that checks its observations. Its ``start`` must call :meth:`sit`."""

    _seat: Seat | None = None

    def sit(self, game: Game, player: int) -> None:
        """Begin a game in a seat."""
        if not 0 <= player < checked_players(game):
            raise GameError(f"{game} has no seat {player}")
        self._seat = Seat(game, player)

    @property
    def seat(self) -> Seat:
        """The seat in the game that has started."""
        if self._seat is None:
            raise GameError("no game has started")
        return self._seat

    def observe(self, observation: Observation) -> None:
        """Accept the next observation; one that cannot be this player's next is an error."""
        self.seat.take(observation)


OneGame = TypeVar("OneGame", bound=Game)


class GameAgent(SeatedAgent, Generic[OneGame]):
    """The base of agents that play one game: keeps the game, the seat and a random generator."""

    plays: type[OneGame]

    def start(self, game: Game, player: int, seed: str) -> None:
        """Begin a game, which must be of the class that this agent plays."""
        if not isinstance(game, self.plays):
            raise OptionError(f"{self.name} plays {self.plays.short_name}, not {game}")
        self.sit(game, player)
        self.game = game
        self.player = player
        self.random = random.Random(seed)
