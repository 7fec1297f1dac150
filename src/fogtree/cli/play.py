"""``fogtree play``: sit down at the table yourself."""

from __future__ import annotations

import random
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from fogtree.errors import OptionError
from fogtree.system.user_code import own_game
from fogtree.terminal import options
from fogtree.terminal.console import take_any_input
from fogtree.terminal.inputs import find_game

if TYPE_CHECKING:
    from fogtree.arena import GameRecord
    from fogtree.game import Game
    from fogtree.terminal.human_agent import Person


def play(
    game: options.GameArgument,
    *,
    against: Annotated[str, typer.Option(help="Who plays the other seats.")] = "random",
    seat: Annotated[int | None, typer.Option(min=0, help="Your seat, from 0.")] = None,
    as_: options.Side = None,
    seed: Annotated[
        str | None, typer.Option(help="The deal; the same seed, the same deal.")
    ] = None,
    seconds: Annotated[
        float | None,
        typer.Option("--seconds", "--time", help="How long the others may think about a move."),
    ] = None,
    record: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Write the game at its end to a new file, as 'replay' reads it."
        ),
    ] = None,
) -> None:
    """Play a game in the terminal: what you see, what you may do, and what just happened."""
    from fogtree.agents import load_agent
    from fogtree.arena import play_game
    from fogtree.terminal.human_agent import Left, say

    table = find_game(game)
    place = _seat(table, seat, as_)
    budget = options.move_budget(seconds, None)
    options.check_new_file(record)
    name = seed if seed is not None else str(random.SystemRandom().getrandbits(32))
    person = _person(table)
    agents = [person if p == place else load_agent(against, table) for p in range(table.players)]
    say(f"{table}, {person.place(place)} against {against}, seed {name}. {person.hint}")
    take_any_input()
    try:
        with own_game(game), suppress(Left):
            played = play_game(table, agents, seed=name, budget=budget, watch=person.watch(place))
            person.show_end(played, place)
            person.show_result(played, place)
            if record is not None:
                _write(record, played.record, table)
            return
        say("You left the game." + (f" {record} was not written." if record is not None else ""))
    finally:
        for agent in agents:
            agent.close()


def _seat(table: Game, seat: int | None, side: options.Color | None) -> int:
    if side is not None and table.short_name != "fog_chess":
        raise OptionError(f"{table} has no colours: choose a seat with --seat")
    if side is not None and seat is not None:
        raise OptionError("--as and --seat say the same: give one of them")
    place = options.color_number(side) if side is not None else seat or 0
    if place >= table.players:
        raise OptionError(f"{table} has {table.players} seats: 0 to {table.players - 1}")
    return place


def _person(table: Game) -> Person:
    if table.short_name == "fog_chess":
        from fogtree.games.fog_chess.human_agent import ChessPerson

        return ChessPerson()
    from fogtree.terminal.human_agent import Person

    return Person()


def _write(path: Path, record: GameRecord, table: Game) -> None:
    from fogtree.arena import with_views, write_records
    from fogtree.terminal.human_agent import say

    write_records(path, [with_views(record, table) if table.record_views else record])
    say(f"The game is in {path}.")
