"""``fogtree replay``: step through a game that was played, from one side or seeing all."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from fogtree.errors import FileFormatError, FogtreeError, OptionError
from fogtree.terminal import options
from fogtree.terminal.console import output, print_json, printable, take_any_input

if TYPE_CHECKING:
    from fogtree.arena import GameRecord
    from fogtree.game import State

ALL = "all"
_KEYS = "[Enter] on   [b] back   [e] end   [q] leave "


def replay(
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="Records, one JSON line each, or PGN.")
    ],
    as_: Annotated[
        str, typer.Option("--as", help="white, black or a seat's number; 'all' sees everything.")
    ] = ALL,
    game: Annotated[int, typer.Option(min=1, help="Which of the file's games.")] = 1,
    json: options.Json = False,
) -> None:
    """Step through a recorded game; every step is checked against the rules."""
    record, states = find_states(file, game)
    seat = _seat(as_, record)
    steps = [_step(record, states, number, seat) for number in range(len(states))]
    if json:
        print_json(_document(record, seat, steps))
    elif sys.stdin.isatty() and sys.stdout.isatty():
        take_any_input()
        _walk(steps)
    else:
        for step in steps:
            _print(step)


@dataclass(frozen=True, slots=True)
class Step:
    """What is shown at one point of a game."""

    number: int
    text: str
    board: str
    action: str | None
    view: str | None


def find_states(file: Path, number: int) -> tuple[GameRecord, list[State]]:
    """One of the games of a file with all its states; every step was checked."""
    from fogtree.arena import replay as follow

    record = find_record(file, number)
    try:
        return record, list(follow(record))
    except FogtreeError as error:
        raise FileFormatError(f"'{file}', game {number}: {error}") from error


def find_record(file: Path, number: int) -> GameRecord:
    """One of the games of a file."""
    from fogtree.arena import read_records
    from fogtree.games.fog_chess.pgn import read_pgn_file

    games = read_pgn_file(file) if file.suffix.lower() == ".pgn" else read_records(file)
    count = 0
    for count, record in enumerate(games, start=1):
        if count == number:
            return record
    raise FileFormatError(f"'{file}' has {count} games; there is no game {number}")


def _seat(text: str, record: GameRecord) -> int | None:
    """The seat that looks; None sees all."""
    chess = record.game.startswith("fog_chess")
    names = {str(number): number for number in range(len(record.agents))}
    if chess:
        names |= {"white": 0, "black": 1}
    if text != ALL and text not in names:
        raise OptionError(f"--as must be one of {', '.join([*names, ALL])}, not '{text[:40]}'")
    return names.get(text)


def _step(record: GameRecord, states: list[State], number: int, seat: int | None) -> Step:
    state = states[number]
    last = number + 1 == len(states)
    mover = states[number - 1].player if number else None
    seen = number > 0 and (seat is None or mover == seat)
    action = record.steps[number - 1] if seen else None
    text = f"{number}/{len(states) - 1}  {_told(states, number, action, mover)}"
    news = "" if seat is None else state.news(seat)
    if news and action is None:
        text += f"  {news}"
    if last:
        text += f"  {_end(state, record)}"
    # After the end nothing is hidden any more, but the side asked for stays the side shown.
    view = _whole(state) if seat is None else state.record_view(seat)
    return Step(number, text, _board(state, seat, len(record.agents)), action, view)


def _told(states: list[State], number: int, action: str | None, mover: int | None) -> str:
    from fogtree.games.fog_chess.game import FogChessState

    if mover is None:
        return "the start"
    before = states[number - 1]
    chess = isinstance(before, FogChessState)
    who = "chance" if mover < 0 else ("White", "Black")[mover] if chess else f"seat {mover}"
    if action is None:
        return f"{who} moves"
    return (
        f"{who}: {before.san(action)}" if isinstance(before, FogChessState) else f"{who}: {action}"
    )


def _board(state: State, seat: int | None, seats: int) -> str:
    from fogtree.games.fog_chess.game import FogChessState

    if seat is not None:
        return state.show(seat)
    if isinstance(state, FogChessState):
        from fogtree.games.fog_chess.board_text import whole_board

        return whole_board(state)
    return "\n".join(f"seat {number}: {state.show(number)}" for number in range(seats))


def _whole(state: State) -> str | None:
    from fogtree.games.fog_chess.game import FogChessState

    return state.fen if isinstance(state, FogChessState) else None


def _end(state: State, record: GameRecord) -> str:
    from fogtree.games.fog_chess.game import FogChessState

    if isinstance(state, FogChessState):
        from fogtree.games.fog_chess.board_text import ending

        return ending(state, record.resigned) + "."
    returns = ", ".join(f"{value:g}" for value in record.returns)
    return f"The end: {returns}."


def _document(record: GameRecord, seat: int | None, steps: list[Step]) -> dict[str, Any]:
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
    output().print(f"{printable(step.text)}\n{step.board}\n", soft_wrap=True)


def _walk(steps: list[Step]) -> None:
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
