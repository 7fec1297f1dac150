"""``fogtree play``: sit down at the table yourself."""

from __future__ import annotations

import random
import sys
from typing import TYPE_CHECKING, Annotated

import typer

from fogtree.agents.protocol import Agent, Decision, Observation
from fogtree.cli import options
from fogtree.cli.console import output, printable
from fogtree.cli.sources import find_game
from fogtree.errors import OptionError

if TYPE_CHECKING:
    from collections.abc import Callable

    from fogtree.game import Game, State
    from fogtree.search import Budget

QUIT = ("q", "quit", "exit")


def play(
    game: options.GameArgument,
    against: Annotated[str, typer.Option(help="Who plays the other seats.")] = "random",
    seat: Annotated[int, typer.Option(min=0, help="Your seat, from 0.")] = 0,
    seed: Annotated[
        str | None, typer.Option(help="The deal; the same seed, the same deal.")
    ] = None,
) -> None:
    """Play a game in the terminal: what you see, what you may do, and what just happened."""
    from fogtree.agents import load_agent
    from fogtree.arena import play_game

    table = find_game(game)
    if seat >= table.players:
        raise OptionError(f"{table} has {table.players} seats: 0 to {table.players - 1}")
    name = seed if seed is not None else str(random.SystemRandom().getrandbits(32))
    person = Person()
    agents = [person if p == seat else load_agent(against, table) for p in range(table.players)]
    _say(f"{table}, seat {seat} against {against}, seed {name}. Type a number, or q to leave.")
    try:
        played = play_game(table, agents, seed=name, watch=person.watch(seat))
    except Left:
        _say("You left the game.")
        return
    returns = [float(value) for value in played.end.returns()]
    _say(played.end.show(seat))
    _say("You " + ("win" if returns[seat] > 0 else "lose" if returns[seat] < 0 else "draw") + ".")
    facts = played.end.facts(seat)
    if facts:
        _say(", ".join(f"{what} {number:g}" for what, number in facts.items()))


class Left(Exception):  # noqa: N818 - not an error: somebody got up
    """The person left the table."""


class Person(Agent):
    """Somebody at the keyboard."""

    def __init__(self) -> None:
        self.name = "you"
        self._shown = ""

    def watch(self, seat: int) -> Callable[[State], None]:
        """Tells the news of every step, as this seat may know them."""

        def see(state: State) -> None:
            news = state.news(seat)
            if news:
                _say(news)
            self._shown = state.show(seat) if state.player == seat else ""

        return see

    def start(self, game: Game, player: int, seed: str) -> None:
        """There is nothing to prepare."""

    def observe(self, observation: Observation) -> None:
        self._actions = observation.actions

    def act(self, budget: Budget | None = None) -> Decision:
        del budget
        _say("\n" + self._shown)
        texts = [str(action) for action in self._actions]
        _say("   ".join(f"[{number}] {text}" for number, text in enumerate(texts)))
        while True:
            answer = _ask()
            if answer in texts:
                return Decision(self._actions[texts.index(answer)])
            if answer.isdecimal() and int(answer) < len(texts):
                return Decision(self._actions[int(answer)])
            _say(f"'{printable(answer)}' is not one of them; type its number, or q to leave.")


def _ask() -> str:
    sys.stdout.write("> ")
    sys.stdout.flush()
    line = sys.stdin.readline()
    if not line or line.strip().lower() in QUIT:
        raise Left
    return line.strip()


def _say(text: str) -> None:
    output().print(text, soft_wrap=True)
