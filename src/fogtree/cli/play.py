"""``fogtree play``: play a game yourself, in the terminal."""

from __future__ import annotations

import secrets
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from fogtree.errors import OptionError
from fogtree.registry import entry_of, load_game, resolve, seat_name, seat_number
from fogtree.system.user_code import user_game_errors
from fogtree.terminal import options
from fogtree.terminal.console import take_any_input

if TYPE_CHECKING:
    from fogtree.arena import GameRecord
    from fogtree.game import Game


def play(
    game: options.GameArgument,
    *,
    against: Annotated[str, typer.Option(help="The agent that plays the other seats.")] = "random",
    seat: Annotated[
        str, typer.Option("--as", metavar="SEAT", help="Your seat, by its name or number.")
    ] = "0",
    seed: Annotated[
        str | None, typer.Option(help="Random seed; the same seed gives the same deal.")
    ] = None,
    seconds: Annotated[
        float | None,
        typer.Option("--seconds", "--time", help="Seconds per move of the other agents."),
    ] = None,
    record: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Write the finished game to a new file, for 'fogtree replay'."
        ),
    ] = None,
) -> None:
    """Play a game in the terminal against an agent."""
    from fogtree.agents import agent
    from fogtree.arena import play_game
    from fogtree.terminal.human_agent import HumanAgent, Left, say

    loaded = load_game(game)
    place = seat_number(loaded, seat)
    budget = options.move_budget(seconds, None)
    options.check_new_file(record)
    name = secrets.token_hex(16) if seed is None else _text(seed)
    human = resolve(entry_of(loaded).human) or HumanAgent
    person: HumanAgent = human()
    agents = [person if p == place else agent(against, loaded) for p in range(loaded.players)]
    say(f"{loaded}, {seat_name(loaded, place)} against {against}. {person.hint}")
    take_any_input()
    try:
        with user_game_errors(game), suppress(Left):
            played = play_game(loaded, agents, seed=name, budget=budget, watch=person.watch(place))
            person.show_end(played, place)
            person.show_result(played, place)
            if seed is None:  # not earlier: whoever has it can compute what is hidden
                say(f"The same deal again: --seed {name}")
            if record is not None:
                _write(record, played.record, loaded)
            return
        say("You left the game." + (f" {record} was not written." if record is not None else ""))
    finally:
        for one in agents:
            one.close()


def _text(seed: str) -> str:
    """Return the seed unchanged; an error if it has characters that a record cannot hold."""
    try:
        seed.encode()
    except UnicodeEncodeError:
        raise OptionError("--seed has letters that cannot be written") from None
    return seed


def _write(path: Path, record: GameRecord, game: Game) -> None:
    """Write the record of the game, and say where it is."""
    from fogtree.arena.record_files import write_games
    from fogtree.terminal.human_agent import say

    write_games(path, [record], game)
    say(f"The game is in {path}.")
