"""A game and an agent that the package does not know, to be registered from outside."""

from __future__ import annotations

from dataclasses import dataclass

from fogtree.agents import RandomAgent
from fogtree.agents.protocol import Decision
from fogtree.game import TERMINAL, State
from fogtree.game.parameters import ParameterGame, parameter

HANDS = ("left", "right")


@dataclass(frozen=True)
class HiddenCoin(ParameterGame):
    """Hide a coin in one hand; a right guess wins it, and the left hand's coin is worth more."""

    short_name = "hidden_coin"
    players = 2
    worth: int = parameter(2, "what the coin in the left hand is worth", minimum=1)

    def root(self) -> HiddenCoinState:
        return HiddenCoinState(self.worth)


@dataclass(frozen=True)
class HiddenCoinState(State):
    worth: int
    done: tuple[str, ...] = ()

    @property
    def player(self) -> int:
        return len(self.done) if len(self.done) < 2 else TERMINAL

    def actions(self) -> tuple[str, ...]:
        return HANDS

    def child(self, action: str) -> HiddenCoinState:
        return HiddenCoinState(self.worth, (*self.done, action))

    def returns(self) -> tuple[float, float]:
        hidden, guessed = self.done
        lost = self.worth if hidden == "left" else 1
        gain = float(-lost if hidden == guessed else 1)
        return gain, -gain

    def observation(self, player: int) -> object:
        return self.done if self.player == TERMINAL else None


class AlwaysLeft(RandomAgent):
    """Takes the first action that is allowed."""

    def __init__(self) -> None:
        super().__init__("always_left")

    def act(self, budget: object = None) -> Decision:
        return Decision(self.seat.to_act().actions[0])
