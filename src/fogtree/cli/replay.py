"""``fogtree replay``: step through a recorded game, as one seat saw it or with everything shown."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from fogtree.errors import OptionError, UnknownNameError
from fogtree.registry import entry_of, game_by_name, seat_name, seat_number
from fogtree.terminal import options
from fogtree.terminal.console import output, print_json, printable, take_any_input

if TYPE_CHECKING:
    from fogtree.arena import GameRecord
    from fogtree.game import Game, State

ALL = "all"
_KEYS = "[Enter] on   [b] back   [e] end   [q] leave "


def replay(
    file: Annotated[
        Path,
        typer.Argument(metavar="FILE", help="Game records: JSON lines, or a game's own format."),
    ],
    as_: Annotated[
        str,
        typer.Option("--as", help="Whose view: a seat by name or number; 'all' sees everything."),
    ] = ALL,
    game: Annotated[int, typer.Option(min=1, help="Number of the game in the file, from 1.")] = 1,
    json: options.Json = False,
) -> None:
    """Step through a recorded game; every step is checked against the rules."""
    from fogtree.arena.record_files import replay_file

    record, states = replay_file(file, game)
    played = game_by_name(record.game)
    seat = _seat(as_, played)
    steps = list(_steps(played, record, states, seat))
    if json:
        print_json(_document(record, seat, steps))
    elif sys.stdin.isatty() and sys.stdout.isatty():
        take_any_input()
        _browse(steps)
    else:
        for step in steps:
            _print(step)


@dataclass(frozen=True, slots=True)
class Step:
    """One position of a replay, as it is printed."""

    number: int
    """The number of steps before it."""
    text: str
    """The line above the position: its number, who moved, and the news or the result."""
    board: str
    """The position as text for people."""
    action: str | None
    """The action that led here; None at the root, and if it is hidden from the seat shown."""
    view: str | None
    """The position in the notation of records; None if there is no notation."""


def _seat(text: str, game: Game) -> int | None:
    """The seat whose view is shown; None shows everything."""
    if text == ALL:
        return None
    try:
        return seat_number(game, text)
    except UnknownNameError:
        names = [*entry_of(game).seats, *map(str, range(game.players)), ALL]
        raise OptionError(f"--as must be one of {', '.join(names)}, not '{text[:40]}'") from None


def _steps(game: Game, record: GameRecord, states: list[State], seat: int | None) -> Iterator[Step]:
    """Every position of a game as one seat saw it; ``seat`` None shows everything."""
    from fogtree.arena.record import result_text

    for number, state in enumerate(states):
        before = states[number - 1] if number else None
        seen = before is not None and (seat is None or before.player == seat)
        action = record.steps[number - 1] if seen else None
        text = f"{number}/{len(states) - 1}  {_move_text(game, before, action)}"
        news = "" if seat is None else state.news(seat)
        if news and action is None:
            text += f"  {news}"
        if number + 1 == len(states):
            text += f"  {result_text(game, record, state)}."
        # Even after the end, when nothing is hidden, the view of the chosen seat is shown.
        view = state.full_record_view() if seat is None else state.record_view(seat)
        yield Step(number, text, _board(game, state, seat), action, view)


def _move_text(game: Game, before: State | None, action: str | None) -> str:
    """Who moved, and the action unless it is hidden (None)."""
    if before is None:
        return "the start"
    who = "chance" if before.player < 0 else seat_name(game, before.player)
    if entry_of(game).seats:
        who = who.capitalize()
    return f"{who} moves" if action is None else f"{who}: {before.action_name(action)}"


def _board(game: Game, state: State, seat: int | None) -> str:
    """A state as text, as a seat sees it; with ``seat`` None, all of it."""
    if seat is not None:
        return state.show(seat)
    seats = range(game.players)
    return state.show_all() or "\n".join(f"seat {n}: {state.show(n)}" for n in seats)


def _document(record: GameRecord, seat: int | None, steps: list[Step]) -> dict[str, Any]:
    """The replay as JSON."""
    return {
        "game": record.game,
        "agents": list(record.agents),
        "returns": list(record.returns),
        "as": ALL if seat is None else seat,
        "steps": [
            {"number": step.number, "action": step.action, "text": step.text, "view": step.view}
            for step in steps
        ],
    }


def _print(step: Step) -> None:
    """Print one position of a replay."""
    output().print(f"{printable(step.text)}\n{step.board}\n", soft_wrap=True)


def _browse(steps: list[Step]) -> None:
    """Print one step at a time; keys move forward, back or to the end."""
    at = 0
    while True:
        _print(steps[at])
        sys.stdout.write(_KEYS)
        sys.stdout.flush()
        line = sys.stdin.readline()
        word = line.strip().lower()
        if not line or word in ("q", "quit"):
            return
        if word == "e":
            at = len(steps) - 1
        elif word == "b":
            at = max(0, at - 1)
        elif at + 1 == len(steps):
            return
        else:
            at += 1
