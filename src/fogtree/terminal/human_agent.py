"""A person at the keyboard, who plays one seat like any other agent."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from fogtree.agents.protocol import Agent, Decision, Observation
from fogtree.terminal.console import output, printable

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from fogtree.agents.budget import Budget
    from fogtree.arena import Played
    from fogtree.game import Game, State

QUIT = ("q", "quit", "exit")
HELP = ("help", "h", "?")
HOW_TO_CHOOSE = "Type an action's number or its name; q leaves the game."


class Left(Exception):  # noqa: N818 - not an error
    """Raised when the person leaves the game."""


class HumanAgent(Agent):
    """A person at the keyboard, who plays one seat like any other agent."""

    hint = "Type a number, help, or q to leave."

    def __init__(self) -> None:
        self.name = "you"
        self._to_show = ""
        self._names: dict[str, str] = {}  # of the actions, as people read them
        self._help = ""

    def show_end(self, played: Played, seat: int) -> None:
        """Print the final position as this seat sees it."""
        say(played.end.show(seat).strip())

    def show_result(self, played: Played, seat: int) -> None:
        """Print who won, and the payoff unless the game has numbers of its own to show."""
        gain = played.record.returns[seat]
        facts = {} if played.record.resigned is not None else played.end.facts(seat)
        worth = "" if facts or gain == 0 else f" {abs(gain):g}"
        say("You " + ("win" if gain > 0 else "lose" if gain < 0 else "draw") + f"{worth}.")
        if facts:
            say(", ".join(f"{what} {number:g}" for what, number in facts.items()))

    def watch(self, seat: int) -> Callable[[State], None] | None:
        """A function to call after every step: it prints the news that this seat may know, and
        keeps the seat's view and its actions for :meth:`act` to print if the seat moves next."""

        def see(state: State) -> None:
            """Print the news of a state; if this seat moves next, keep its view and actions."""
            news = state.news(seat)
            if news:
                say(news)
            mine = state.player == seat
            self._to_show = state.show(seat) if mine else ""
            self._names = {str(a): state.action_name(a) for a in state.actions()} if mine else {}

        return see

    def start(self, game: Game, player: int, seed: str) -> None:
        """Print the game's description and how to read its views."""
        del player, seed
        about = (type(game).__doc__ or "").strip().splitlines()[:1] if game.short_name else []
        reading = game.reading or "what your seat knows, as the game writes it"
        self._help = "\n".join([*about, f"You are shown {reading}."])
        say(self._help)

    def observe(self, observation: Observation) -> None:
        """Keep the legal actions for :meth:`act`; what the person sees comes from :meth:`watch`."""
        self._actions = observation.actions

    def act(self, budget: Budget | None = None) -> Decision:
        """Print the view and the actions, and read lines until one names an action."""
        del budget
        say("\n" + (self._to_show.strip() or "(nothing to see yet)"))
        texts = [self._names.get(str(action), str(action)) for action in self._actions]
        names = _choices(texts)
        choices = "   ".join(names.values())
        say(choices)
        while True:
            answer = ask()
            if answer.lower() in HELP and answer not in texts:
                say(f"{self._help}\n{HOW_TO_CHOOSE}\n{choices}")
                continue
            if answer in texts:
                return Decision(self._actions[texts.index(answer)])
            if answer in names:
                return Decision(self._actions[list(names).index(answer)])
            say(f"'{printable(answer)}' is not one of them; type its number, or q to leave.")


def _choices(texts: Sequence[str]) -> dict[str, str]:
    """The text to type for each action, mapped to how the action is listed: its number from 1, or
    its name if names are numbers themselves, such as those of cards.

    >>> _choices(["check", "bet"]), _choices(["2", "4"])
    ({'1': '[1] check', '2': '[2] bet'}, {'2': '2', '4': '4'})
    """
    if any(text.isdecimal() for text in texts):
        return {text: text for text in texts}
    return {str(number): f"[{number}] {text}" for number, text in enumerate(texts, 1)}


def ask() -> str:
    """Read one line from the keyboard; ``q`` or the end of input leaves the game."""
    sys.stdout.write("> ")
    sys.stdout.flush()
    line = sys.stdin.readline()
    if not line or line.strip().lower() in QUIT:
        raise Left
    return line.strip()


def say(text: str) -> None:
    """Print a line on standard output."""
    output().print(text, soft_wrap=True)
