"""Exceptions, whose messages tell the user what to do next.

Every mistake a user can make raises a :class:`FogtreeError`; the command line shows its
message in one line and exits with status 2.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable

_LINE_BREAK = re.compile("[\n\r\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")
_LONG_WORD, _WORD_END = 300, 100  # letters of a word in a message, and of each end of a longer one
_LONG_TEXT, _TEXT_END = 1500, 600  # letters of a message, and of each end of a longer one


def shortened(message: str) -> str:
    """A message in which very long words, such as names that it quotes, are shortened, and which is
    shortened itself if it is still very long."""
    if len(message) <= _LONG_WORD:
        return message
    words = (_ends(word, _LONG_WORD, _WORD_END) for word in message.split(" "))
    return _ends(" ".join(words), _LONG_TEXT, _TEXT_END)


def _ends(text: str, most: int, kept: int) -> str:
    """The text; of one with more than ``most`` letters, the first and the last ``kept`` with "…"
    between them."""
    return text if len(text) <= most else f"{text[:kept]}…{text[-kept:]}"


class FogtreeError(Exception):
    """Base class of everything this package raises on purpose. The message is one line of limited
    length, whatever names it quotes."""

    def __str__(self) -> str:
        line = _LINE_BREAK.sub(lambda found: repr(found[0])[1:-1], super().__str__())
        return shortened(line)


class GameError(FogtreeError):
    """A game breaks the rules that every game must keep."""


class MinimizerError(FogtreeError):
    """A user-defined minimizer breaks the protocol of minimizers."""


class IllegalActionError(FogtreeError):
    """An action that is not legal in this state; the state has not changed."""


def closest_name(name: str, names: list[str]) -> str | None:
    """The most similar name: compared as spelt, and if none is similar, ignoring case and less
    strictly; None if there is still none."""
    close = difflib.get_close_matches(name, names, n=1, cutoff=0.7)
    if close:
        return close[0]
    folded = {one.lower(): one for one in names}
    close = difflib.get_close_matches(name.lower(), folded, n=1, cutoff=0.5)
    return folded[close[0]] if close else None


_LISTED = 20  # names in a list
_SHOWN = 100  # letters of an unknown name in an error


def _listed(names: list[str]) -> str:
    """Names as a list; of very many, the first ones and the number left out."""
    shown = ", ".join(names[:_LISTED])
    more = len(names) - _LISTED
    return f"{shown} and {more:,} more" if more > 0 else shown


class UnknownNameError(FogtreeError):
    """No game, algorithm, information set or action has this name."""

    def __init__(
        self, kind: str, name: object, known: Iterable[str], meant: str | None = None
    ) -> None:
        """Say that no ``kind`` has this ``name``, and suggest ``meant``, by default the most
        similar of the ``known`` names."""
        names = list(known)
        name = str(name)[:_SHOWN]
        if meant is None:
            meant = closest_name(name, names)
        hint = f"did you mean '{meant}'?" if meant else f"known: {_listed(names)}"
        super().__init__(f"unknown {kind} '{name}'; {hint}")


class OptionError(FogtreeError):
    """An option has a value that makes no sense."""


def require(value: object, kind: type | tuple[type, ...], what: str) -> None:
    """Raise an :class:`OptionError` unless a value is of the type ``kind``. ``what`` says in the
    error what is needed, as in "a strategy"."""
    if not isinstance(value, kind):
        raise OptionError(f"{what} is needed, not a value of type {type(value).__name__}")


class MemoryLimitError(FogtreeError):
    """The work would not fit into the available memory."""


class TrainingError(FogtreeError):
    """Training cannot continue, because a network has numbers that are not finite."""


class ThreadLimitError(FogtreeError):
    """The system does not start as many threads as the work needs."""


class InUseError(FogtreeError):
    """An agent, search or solver is used by two threads at once, or from inside its callback."""


class FileFormatError(FogtreeError):
    """A file cannot be read or written, is damaged, or has another format than expected."""


class NotationError(FogtreeError):
    """The text of a position, a move, a game record or a UCI command cannot be read, or is against
    the rules of its game."""


class MissingExtraError(FogtreeError):
    """An optional dependency is needed and not installed."""

    def __init__(self, package: str, extra: str) -> None:
        super().__init__(f"this needs '{package}': install it with  pip install 'fogtree[{extra}]'")


class CacheWarning(UserWarning):
    """A compiled game that was kept on disk cannot be used."""
