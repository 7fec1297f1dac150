"""Records of games: one JSON line per game, which is replayed exactly or refused."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Annotated, Any, ClassVar

from msgspec import Meta

from fogtree.errors import FileFormatError, FogtreeError
from fogtree.game import CHANCE, TERMINAL, Game, State
from fogtree.game.checks import checked_players, checked_root
from fogtree.registry import game_by_name, seat_name
from fogtree.results import Drawn
from fogtree.system import records as system_records
from fogtree.system.file_reader import read_text
from fogtree.system.files import whole_file
from fogtree.text.validation import Finite
from fogtree.tree import AnyGame, game_of

_KIND = "game"
_VERSION = 1


@dataclass(frozen=True, slots=True)
class GameRecord(Drawn):
    """Everything needed to replay a game. ``agents`` are in the order of the seats.

    ``views`` says what each seat saw before the first step and after every step, as
    :meth:`State.record_view` writes it; it may be empty. ``resigned`` is the seat that gave up, if
    one did. ``ended`` is ``"agreement"`` if the players agreed on a draw, and ``"time"`` if the
    ``resigned`` seat did not give up but ran out of time. ``date`` is the day on which it was
    played, such as ``2026-11-17``, where that is known.
    """

    drawing: ClassVar[str] = "fogtree.report.notebook:record_html"

    game: str
    agents: tuple[str, ...]
    seed: str
    steps: tuple[str, ...]  # actions and chance outcomes as people read them
    returns: tuple[Finite, ...]
    views: tuple[tuple[str, ...], ...] = ()
    resigned: Annotated[int, Meta(ge=0, le=1000)] | None = None
    ended: str | None = None
    date: Annotated[str, Meta(pattern=r"^\d{4}-\d{2}-\d{2}\Z")] | None = None

    def __repr__(self) -> str:
        returns = ", ".join(f"{value:g}" for value in self.returns)
        return (
            f"<GameRecord {self.game}, {' - '.join(self.agents)}: {len(self.steps):,} steps, "
            f"returns {returns}>"
        )

    def to_json(self) -> str:
        """The record as one line of JSON."""
        content = asdict(self)
        if not self.views:
            del content["views"]
        for name in ("resigned", "ended", "date"):
            if content[name] is None:
                del content[name]
        return json.dumps({"fogtree": _KIND, "version": _VERSION, **content})


def returns_if_resigned(seat: int, players: int) -> tuple[float, ...]:
    """Returns if a seat resigns: it loses one point, which the others share."""
    return tuple(-1.0 if player == seat else 1 / (players - 1) for player in range(players))


def result_text(game: Game, record: GameRecord, end: State) -> str:
    """Who won a recorded game and why, in one line without a full stop."""
    if record.ended == "agreement":
        return "Drawn by agreement"
    if record.resigned is not None:
        winners = [seat for seat in range(checked_players(game)) if seat != record.resigned]
        names = " and ".join(seat_name(game, seat) for seat in winners)
        wins = "wins" if len(winners) == 1 else "win"
        how = "ran out of time" if record.ended == "time" else "resigned"
        return f"{names[0].upper()}{names[1:]} {wins}: {seat_name(game, record.resigned)} {how}"
    returns = ", ".join(f"{value:g}" for value in record.returns)
    return end.result_text() or f"The end: {returns}"


def ahead_of_others(returns: Sequence[float], seat: int) -> float:
    """The share of the other seats that have a smaller return than this seat; ties count half."""
    others = [value for other, value in enumerate(returns) if other != seat]
    points = sum((returns[seat] > value) + (returns[seat] == value) / 2 for value in others)
    return points / len(others) if others else 0.5


def with_views(record: GameRecord, game: Game | None = None) -> GameRecord:
    """The record with the views of every seat, found by replaying it."""
    played = game or game_by_name(record.game)
    states = list(replay(record, played))
    seats = range(len(record.agents))
    views = tuple(tuple(state.record_view(seat) for state in states) for seat in seats)
    return replace(record, game=played.record_name, views=views)


def read_record(line: str) -> GameRecord:
    """Read a record from one JSON line."""
    try:
        content = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise FileFormatError("this line is not a game record: it is not JSON") from error
    if not isinstance(content, dict) or content.get("fogtree") != _KIND:
        raise FileFormatError("this line is not a game record of fogtree")
    _check_version(content.get("version"))
    record = system_records.read_record(content, GameRecord, "this game record")
    _check_seats(record)
    return record


def _check_version(version: Any) -> None:
    """Refuse a record whose format version this fogtree does not read."""
    if type(version) is int and version > _VERSION:
        shown = str(version)[:20]
        raise FileFormatError(f"this game record was written by a newer fogtree (format {shown})")
    if type(version) is not int or version != _VERSION:
        raise FileFormatError("this game record is damaged: there is no such 'version'")


def _check_seats(record: GameRecord) -> None:
    """Refuse a record with another number of returns or views than agents, or an impossible end."""
    seats = len(record.agents)
    if len(record.returns) != seats:
        raise FileFormatError("this game record is damaged: it has other 'returns' than 'agents'")
    if len(record.views) not in (0, seats):
        raise FileFormatError("this game record is damaged: it has other 'views' than 'agents'")
    if record.ended not in (None, "agreement", "time"):
        raise FileFormatError("this game record is damaged: 'ended' must be 'agreement' or 'time'")
    if record.ended is not None and (record.ended == "time") == (record.resigned is None):
        raise FileFormatError("this game record is damaged: 'ended' and 'resigned' do not fit")


def write_records(path: str | Path, records: Iterable[GameRecord]) -> Path:
    """Write one line per game; the file appears only when it is complete."""
    path = Path(path)
    with whole_file(path) as out:
        for record in records:
            out.write(record.to_json().encode() + b"\n")
    return path


def read_records(path: str | Path) -> Iterator[GameRecord]:
    """The games of a file, one after the other."""
    game = 0
    for number, line in enumerate(read_text(Path(path)).split("\n"), start=1):
        if not line.strip():
            continue
        game += 1
        try:
            yield read_record(line)
        except FileFormatError as error:
            raise FileFormatError(f"'{path}', game {game}, line {number}: {error}") from error


def replay(record: GameRecord, game: AnyGame | None = None) -> Iterator[State]:
    """Every state of a recorded game, the root first; a record that does not fit is refused.

    ``game`` is needed only for a game that fogtree cannot find by name.

    >>> import fogtree
    >>> record = fogtree.play("kuhn_poker", ["random", "random"])
    >>> states = list(fogtree.replay(record))
    >>> len(states) == len(record.steps) + 1
    True
    """
    played = game_by_name(record.game) if game is None else game_of(game)
    _check_seats(record)
    if len(record.agents) != played.players:
        raise FileFormatError(
            f"this game record has {len(record.agents)} agents; {record.game} has {played.players}"
        )
    state = checked_root(played)
    _check_views(record, state, 0)
    yield state
    for number, step in enumerate(record.steps, start=1):
        state = _follow(state, step, number)
        _check_views(record, state, number)
        yield state
    if any(len(views) != len(record.steps) + 1 for views in record.views):
        raise FileFormatError("this game record has other views than steps")
    if _end_returns(record, state) != record.returns:
        raise FileFormatError("this game record names other returns than its own steps lead to")


def _end_returns(record: GameRecord, end: State) -> tuple[float, ...]:
    """The returns at the end of a replay; an error unless the game is over there, or was ended by
    the players."""
    if end.player == TERMINAL:
        if record.resigned is not None or record.ended is not None:
            raise FileFormatError("this game record resigns a game that is over")
        return tuple(float(value) for value in end.returns())
    if record.ended == "agreement":
        return (0.0,) * len(record.agents)
    if record.resigned is None:
        raise FileFormatError("this game record stops before the game is over")
    seats = len(record.agents)
    if seats < 2 or not 0 <= record.resigned < seats:
        raise FileFormatError(f"this game record has no seat {record.resigned} that could resign")
    return returns_if_resigned(record.resigned, seats)


def _check_views(record: GameRecord, state: State, number: int) -> None:
    """Refuse a record whose views after a step are not those that the rules give."""
    for seat, views in enumerate(record.views):
        if number >= len(views) or views[number] != state.record_view(seat):
            raise FileFormatError(
                f"after step {number} seat {seat} saw something else than this game record says"
            )


def _follow(state: State, step: str, number: int) -> State:
    """The state after one recorded step; an error names a step that is not possible."""
    if state.player == TERMINAL:
        raise FileFormatError(f"this game record goes on after the game is over, at step {number}")
    known = [a for a, _ in state.chance()] if state.player == CHANCE else state.actions()
    action = next((a for a in known if str(a) == step), None)
    if action is None:
        raise FileFormatError(f"step {number} of this game record, {step[:40]!r}, is not possible")
    try:
        return state.child(action)
    except FogtreeError as error:
        raise FileFormatError(f"step {number} of this game record: {error}") from error
