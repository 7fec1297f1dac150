"""Somebody at the keyboard, who sits at the table like any other agent."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from fogtree.agents.protocol import Agent, Decision, Observation
from fogtree.cli.console import output, printable

if TYPE_CHECKING:
    from collections.abc import Callable

    from fogtree.arena import Played
    from fogtree.game import Game, State
    from fogtree.search import Budget

QUIT = ("q", "quit", "exit")


class Left(Exception):  # noqa: N818 - not an error: somebody got up
    """The person left the table."""


class Person(Agent):
    """Somebody at the keyboard."""

    hint = "Type a number, or q to leave."

    def __init__(self) -> None:
        self.name = "you"
        self._shown = ""

    def place(self, seat: int) -> str:
        """How the seat is called."""
        return f"seat {seat}"

    def show_end(self, played: Played, seat: int) -> None:
        """What can be said when all is over."""
        say(played.end.show(seat))

    def watch(self, seat: int) -> Callable[[State], None] | None:
        """Tells the news of every step, as this seat may know them."""

        def see(state: State) -> None:
            news = state.news(seat)
            if news:
                say(news)
            self._shown = state.show(seat) if state.player == seat else ""

        return see

    def start(self, game: Game, player: int, seed: str) -> None:
        """There is nothing to prepare."""

    def observe(self, observation: Observation) -> None:
        self._actions = observation.actions

    def act(self, budget: Budget | None = None) -> Decision:
        del budget
        say("\n" + self._shown)
        texts = [str(action) for action in self._actions]
        say("   ".join(f"[{number}] {text}" for number, text in enumerate(texts)))
        while True:
            answer = ask()
            if answer in texts:
                return Decision(self._actions[texts.index(answer)])
            if answer.isdecimal() and len(answer) < 10 and int(answer) < len(texts):
                return Decision(self._actions[int(answer)])
            say(f"'{printable(answer)}' is not one of them; type its number, or q to leave.")


def ask() -> str:
    sys.stdout.write("> ")
    sys.stdout.flush()
    line = sys.stdin.readline()
    if not line or line.strip().lower() in QUIT:
        raise Left
    return line.strip()


def say(text: str) -> None:
    output().print(text, soft_wrap=True)
