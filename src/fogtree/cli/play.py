"""``fogtree play``: sit down at the table yourself."""

from __future__ import annotations

import random
from typing import Annotated

import typer

from fogtree.cli import options
from fogtree.cli.sources import find_game
from fogtree.errors import OptionError


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
    from fogtree.cli.person import Left, Person, say

    table = find_game(game)
    if seat >= table.players:
        raise OptionError(f"{table} has {table.players} seats: 0 to {table.players - 1}")
    name = seed if seed is not None else str(random.SystemRandom().getrandbits(32))
    person = Person()
    agents = [person if p == seat else load_agent(against, table) for p in range(table.players)]
    say(f"{table}, seat {seat} against {against}, seed {name}. Type a number, or q to leave.")
    try:
        played = play_game(table, agents, seed=name, watch=person.watch(seat))
    except Left:
        say("You left the game.")
        return
    returns = [float(value) for value in played.end.returns()]
    say(played.end.show(seat))
    say("You " + ("win" if returns[seat] > 0 else "lose" if returns[seat] < 0 else "draw") + ".")
    facts = played.end.facts(seat)
    if facts:
        say(", ".join(f"{what} {number:g}" for what, number in facts.items()))
