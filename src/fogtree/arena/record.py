"""A game that was played, step by step: one JSON line each, replayed exactly or refused."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from fogtree.errors import FileFormatError, FogtreeError
from fogtree.files import whole_file
from fogtree.game import CHANCE, TERMINAL, Game, State
from fogtree.games import load_game

_KIND = "game"
_VERSION = 1


@dataclass(frozen=True, slots=True)
class GameRecord:
    """Everything needed to see a game again. ``agents`` are in the order of the seats."""

    game: str
    agents: tuple[str, ...]
    seed: str
    steps: tuple[str, ...]  # actions and chance outcomes as people read them
    returns: tuple[float, ...]

    def to_json(self) -> str:
        return json.dumps({"fogtree": _KIND, "version": _VERSION, **asdict(self)})


def read_record(line: str) -> GameRecord:
    """A record from one line; anything else is one clear error."""
    try:
        content = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise FileFormatError("this line is not a game record: it is not JSON") from error
    if not isinstance(content, dict) or content.get("fogtree") != _KIND:
        raise FileFormatError("this line is not a game record of fogtree")
    if content.get("version") != _VERSION:
        raise FileFormatError(
            f"this game record was written by a newer fogtree (format {content.get('version')!r})"
        )
    return GameRecord(
        game=_text(content, "game"),
        agents=_texts(content, "agents"),
        seed=_text(content, "seed"),
        steps=_texts(content, "steps"),
        returns=_numbers(content, "returns"),
    )


def _text(content: dict[str, Any], key: str) -> str:
    value = content.get(key)
    if not isinstance(value, str):
        raise FileFormatError(f"this game record is damaged: '{key}' is not a text")
    return value


def _texts(content: dict[str, Any], key: str) -> tuple[str, ...]:
    value = content.get(key)
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise FileFormatError(f"this game record is damaged: '{key}' is not a list of texts")
    return tuple(value)


def _numbers(content: dict[str, Any], key: str) -> tuple[float, ...]:
    value = content.get(key)
    if not isinstance(value, list) or not all(type(item) in (int, float) for item in value):
        raise FileFormatError(f"this game record is damaged: '{key}' is not a list of numbers")
    return tuple(float(item) for item in value)


def write_records(path: str | Path, records: Iterable[GameRecord]) -> Path:
    """One line per game; never half a file."""
    path = Path(path)
    with whole_file(path) as out:
        for record in records:
            out.write(record.to_json().encode() + b"\n")
    return path


def read_records(path: str | Path) -> Iterator[GameRecord]:
    """The games of a file, one after the other."""
    try:
        text = Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise FileFormatError(f"cannot read game records from '{path}'") from error
    for number, line in enumerate(text.splitlines(), start=1):
        try:
            yield read_record(line)
        except FileFormatError as error:
            raise FileFormatError(f"'{path}', line {number}: {error}") from error


def replay(record: GameRecord, game: Game | None = None) -> Iterator[State]:
    """Every state of a recorded game, the root first; a record that does not fit is refused."""
    state = (game or load_game(record.game)).root()
    yield state
    for number, step in enumerate(record.steps, start=1):
        state = _follow(state, step, number)
        yield state
    if state.player != TERMINAL:
        raise FileFormatError("this game record stops before the game is over")
    if tuple(float(value) for value in state.returns()) != record.returns:
        raise FileFormatError("this game record names other returns than its own steps lead to")


def _follow(state: State, step: str, number: int) -> State:
    if state.player == TERMINAL:
        raise FileFormatError(f"this game record goes on after the game is over, at step {number}")
    known = [a for a, _ in state.chance()] if state.player == CHANCE else state.actions()
    action = next((a for a in known if str(a) == step), None)
    if action is None:
        raise FileFormatError(f"step {number} of this game record, '{step:.40}', is not possible")
    try:
        return state.child(action)
    except FogtreeError as error:
        raise FileFormatError(f"step {number} of this game record: {error}") from error
