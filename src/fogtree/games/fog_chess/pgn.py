"""Games of Fog-of-War chess as PGN, the notation that chess programs exchange.

S. J. Edwards, "Portable game notation specification" (1994). The variant is ``fogofwar``; a header
``Rules`` names the preset, and comments say what either side saw, as fog FENs. *Deviations:*
comments, variations and annotations are skipped; a date that is not complete is not read.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, repeat
from pathlib import Path

from fogtree.arena.record import GameRecord, replay
from fogtree.arena.record_files import PlayedClock
from fogtree.errors import FileFormatError, FogtreeError, OptionError
from fogtree.game import TERMINAL, State
from fogtree.games.fog_chess.game import FogChess, FogChessState
from fogtree.games.fog_chess.rules import DEFAULT_PRESET, START_FEN
from fogtree.registry import game_by_name
from fogtree.system.file_reader import read_text
from fogtree.system.files import whole_file

VARIANT = "fogofwar"
_RESULTS = {"1-0": (1.0, -1.0), "0-1": (-1.0, 1.0), "1/2-1/2": (0.0, 0.0)}
_LINE = 80  # characters in a line of moves
_GLYPHS = {"": [], "!": ["$1"], "?": ["$2"], "!!": ["$3"], "??": ["$4"]}
"""The numeric annotation glyphs of a verdict on a move."""
_AGREEMENT = "drawn by agreement"
_OUT_OF_TIME = "ran out of time"
_DAY = re.compile(r"\d{4}\.\d{2}\.\d{2}", re.ASCII)
_TAG = re.compile(r'\[\s*(\w{1,64})\s+"((?:[^"\\]|\\.)*)"\s*\]')
_TOKEN = re.compile(
    r"(?P<skip>\s+|\{[^}]*\}|;[^\n]*|^%[^\n]*|\$\d+|\d+\.+|\d+(?![\d/-]))"
    r"|(?P<open>\()|(?P<close>\))|(?P<result>1-0|0-1|1/2-1/2|\*)"
    r"|(?P<move>[A-Za-z][^\s(){};$.]*|0-0(?:-0)?[+#!?]*)",
    re.MULTILINE,
)


def write_pgn(
    record: GameRecord,
    *,
    views: bool = True,
    signs: Sequence[str] = (),
    clock: PlayedClock | None = None,
) -> str:
    """A finished game as PGN, by default with both sides' views as comments. ``signs`` are verdicts
    on its moves in their order, such as ``??``; they become numeric annotation glyphs. ``clock``
    adds the tag ``TimeControl`` and what every mover's clock showed, as ``[%clk 0:09:58]``."""
    game = game_by_name(record.game)
    if not isinstance(game, FogChess):
        raise FileFormatError(f"PGN is for chess, not for {record.game}")
    states = list(replay(record, game))
    result = next(name for name, returns in _RESULTS.items() if returns == record.returns)
    headers = {
        "Event": "Fog-of-War chess",
        "Site": "local",
        "Date": (record.date or "????-??-??").replace("-", "."),
        "Round": "-",
        "White": record.agents[0],
        "Black": record.agents[1],
        "Result": result,
        "Variant": VARIANT,
        "Rules": game.rules,
        "Termination": _termination(states[-1], record),
    }
    if clock is not None:
        increment = f"+{clock.increment:g}" if clock.increment else ""
        headers["TimeControl"] = f"{clock.seconds:g}{increment}"
    if record.seed:
        headers["Seed"] = record.seed
    if game.fen != START_FEN:
        headers |= {"SetUp": "1", "FEN": game.fen}
    tags = "".join(f'[{name} "{_quoted(value)}"]\n' for name, value in headers.items())
    told = _comments(states, views, clock)
    return f"{tags}\n{_movetext(states, record.steps, result, told, signs)}\n"


class PgnFormat:
    """PGN as a format of game records."""

    def write(
        self,
        path: Path,
        records: Iterable[GameRecord],
        *,
        views: bool = True,
        signs: Sequence[str] = (),
        clock: PlayedClock | None = None,
    ) -> None:
        """Write all games in one file, or nothing if that fails."""
        with whole_file(path) as out:
            for number, record in enumerate(records):
                text = write_pgn(record, views=views, signs=signs, clock=clock)
                out.write((("\n" if number else "") + text).encode())

    def read(self, path: Path) -> Iterator[GameRecord]:
        """The games of a file."""
        text = read_text(path)
        try:
            yield from read_pgn(text)
        except FileFormatError as error:
            raise FileFormatError(f"'{path}', {error}") from None


PGN = PgnFormat()


def read_pgn(text: str) -> Iterator[GameRecord]:
    """Read the games of a text; a game of another variant is an error in one line."""
    at = _after_blank(text, 0)
    number = 0
    while at < len(text):
        number += 1
        try:
            headers, at = _read_headers(text, at)
            moves, at = _read_moves(text, at)
            yield _record(headers, moves)
        except FogtreeError as error:
            raise FileFormatError(f"game {number}: {error}") from None
        at = _after_blank(text, at)


def _termination(end: State, record: GameRecord) -> str:
    """Why the game ended, for the header ``Termination``."""
    assert isinstance(end, FogChessState)
    if record.ended == "agreement":
        return _AGREEMENT
    if record.resigned is not None:
        side = ("white", "black")[record.resigned]
        return f"{side} {_OUT_OF_TIME if record.ended == 'time' else 'resigned'}"
    return end.outcome.reason if end.outcome is not None else "unterminated"


def _quoted(text: str) -> str:
    """A text as the value of a PGN tag: unprintable characters become spaces, quotes are
    escaped."""
    printable = "".join(c if c.isprintable() else " " for c in text)
    return printable.replace("\\", "\\\\").replace('"', '\\"')


def _movetext(
    states: Sequence[State],
    steps: tuple[str, ...],
    result: str,
    comments: Sequence[list[str]],
    signs: Sequence[str],
) -> str:
    """The moves with their signs, and with comments before the first and after every one, in lines
    of limited width."""
    for sign in signs:
        if sign not in _GLYPHS:
            raise OptionError(f"signs of moves are {', '.join(filter(None, _GLYPHS))}")
    words = [*comments[0]]
    for number, (state, step, sign) in enumerate(
        zip(states, steps, chain(signs, repeat("")), strict=False)
    ):
        assert isinstance(state, FogChessState)
        if state.player == 0:
            words.append(f"{state.position.fullmove}.")
        elif comments[number] or number == 0:  # Black's move needs a number after a comment
            words.append(f"{state.position.fullmove}...")
        words += [state.san(step), *_GLYPHS[sign], *comments[number + 1]]
    lines = [""]
    for word in [*words, result]:
        if len(lines[-1]) + len(word) >= _LINE:
            lines.append("")
        lines[-1] += f" {word}" if lines[-1] else word
    return "\n".join(lines)


def _comments(states: Sequence[State], views: bool, clock: PlayedClock | None) -> list[list[str]]:
    """The comment on each state as words, none where there is nothing to say: the time that the
    player who moved last had left, and what both sides see."""
    left = [None, *(clock.left if clock is not None else ())]
    comments = []
    for state, seconds in zip(states, chain(left, repeat(None)), strict=False):
        # A clock is one word, because not every program reads one with a new line in it.
        words = [] if seconds is None else [f"[%clk {_clock(seconds)}]"]
        if views:
            words += f"[%white {state.record_view(0)}] [%black {state.record_view(1)}]".split()
        if words:
            words[0] = "{" + words[0]
            words[-1] += "}"
        comments.append(words)
    return comments


def _clock(seconds: float) -> str:
    """The time on a clock in whole seconds: ``0:09:58``."""
    minutes, rest = divmod(max(0, int(seconds)), 60)
    return f"{minutes // 60}:{minutes % 60:02}:{rest:02}"


def _after_blank(text: str, at: int) -> int:
    """The index of the first character from ``at`` on that is not white space."""
    while at < len(text) and (text[at].isspace() or text[at] == "\ufeff"):
        at += 1
    return at


def _read_headers(text: str, at: int) -> tuple[dict[str, str], int]:
    """The tags that begin at an index of the text, and the index after them."""
    headers: dict[str, str] = {}
    while match := _TAG.match(text, at):
        headers[match[1]] = re.sub(r"\\(.)", r"\1", match[2])
        at = _after_blank(text, match.end())
    return headers, at


def _read_moves(text: str, at: int) -> tuple[list[str], int]:
    """The moves of the main line from an index of the text on, with the result last, and the index
    after them."""
    words: list[str] = []
    depth = 0
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None:
            raise FileFormatError(f"cannot read '{' '.join(text[at : at + 20].split())}'")
        at = match.end()
        if match["open"]:
            depth += 1
        elif match["close"]:
            depth -= 1
            if depth < 0:
                raise FileFormatError("a variation ends that did not begin")
        elif depth == 0 and match["move"]:
            words.append(match["move"].rstrip("!?"))
        elif depth == 0 and match["result"]:
            return [*words, match["result"]], at
    raise FileFormatError("the moves end without a result")


def _date(header: str) -> str | None:
    """The day of a header ``Date`` as year-month-day; None if it is not complete."""
    return header.replace(".", "-") if _DAY.fullmatch(header) else None


def _record(headers: dict[str, str], words: list[str]) -> GameRecord:
    """A game record from headers and moves, replayed to check it."""
    variant = headers.get("Variant", "")
    if variant.lower().replace(" ", "").replace("-", "") != VARIANT:
        if not variant:
            raise FileFormatError(
                "this is ordinary chess; only games of Fog-of-War chess are read, with the tag "
                f'[Variant "{VARIANT}"]'
            )
        raise FileFormatError(f"the variant is '{variant[:40]}', not {VARIANT}")
    game = FogChess(rules=headers.get("Rules", DEFAULT_PRESET), fen=headers.get("FEN", START_FEN))
    state, steps = game.root(), []
    for word in words[:-1]:
        if state.player == TERMINAL:
            raise FileFormatError(f"the game is over before '{word[:20]}'")
        steps.append(state.read_san(word))
        state = state.child(steps[-1])
    result = words[-1]
    if result not in _RESULTS:
        raise FileFormatError("the game is not over")
    resigned, ended = None, None
    termination = headers.get("Termination", "")
    if state.player != TERMINAL and result != "1/2-1/2":
        resigned = 1 if result == "1-0" else 0
        ended = "time" if termination.endswith(_OUT_OF_TIME) else None
    elif state.player != TERMINAL and termination == _AGREEMENT:
        ended = "agreement"
    agents = (headers.get("White", "?"), headers.get("Black", "?"))
    record = GameRecord(
        game.record_name,
        agents,
        headers.get("Seed", ""),
        tuple(steps),
        _RESULTS[result],
        resigned=resigned,
        ended=ended,
        date=_date(headers.get("Date", "")),
    )
    for _ in replay(record, game):  # the result must be the one that the moves lead to
        pass
    return record
