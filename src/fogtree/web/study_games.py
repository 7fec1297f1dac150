"""The games that the lab, the walk-through, training and matches accept, checked and compiled."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from fogtree.adapters import reads_files
from fogtree.errors import MemoryLimitError, OptionError
from fogtree.game import Game
from fogtree.registry import game_by_name, game_names
from fogtree.system.user_code import is_user_code
from fogtree.text.specs import parse_spec
from fogtree.tree import GameTree, compile
from fogtree.web.game_size import too_large
from fogtree.web.limits import Limits
from fogtree.web.own_code import OwnCode

_LONGEST = 400  # characters of a spec


def read_spec(content: dict[str, Any]) -> str:
    """The spec of a game in a request."""
    spec = content.get("game")
    if not isinstance(spec, str) or not 0 < len(spec) <= _LONGEST:
        raise OptionError("'game' must be a text")
    return spec


def read_whole(content: dict[str, Any], key: str, default: int, least: int, most: int) -> int:
    """The whole number ``key`` of a request, which must be from ``least`` to ``most``."""
    value = content.get(key, default)
    if type(value) is not int or not least <= value <= most:
        raise OptionError(f"'{key}' must be a whole number from {least} to {most:,}")
    return value


class StudyGames:
    """Finds games by their specs: those of the list, other libraries' and visitors' own."""

    def __init__(self, limits: Limits, own_code: OwnCode) -> None:
        self._limits, self.own_code = limits, own_code

    def check(self, spec: str) -> None:
        """Raise an error if a game cannot be made, or is far too large to be compiled."""
        if is_user_code(spec):
            self.own_code.check(spec)
        else:
            self._check_size(_load(spec))

    def find(self, spec: str) -> Game:
        """A game for a match between agents; one that does not come with fogtree must be small
        enough to be compiled."""
        if is_user_code(spec):
            self.own_code.check(spec)
            raise OptionError("games from a file are solved and explained here, not played")
        game = _load(spec)
        if parse_spec(spec).name not in game_names():
            self._check_size(game)
        return game

    def compile(
        self, spec: str, breathe: Callable[[], None], memory: int | None = None
    ) -> GameTree:
        """Compile a game; ``breathe`` is called often and may raise an error to end it."""
        memory = memory or self._limits.compile_bytes
        if is_user_code(spec):
            return self.own_code.compile(spec, memory, breathe)
        return compile(_load(spec), memory=memory, progress=lambda _: breathe())

    def _check_size(self, game: Game) -> None:
        """Refuse a game that is far too large to be compiled."""
        why = too_large(game, self._limits.compile_bytes)
        if why is not None:
            raise MemoryLimitError(why)


def _load(spec: str) -> Game:
    """A game by its spec; files of the server are not read for visitors."""
    if reads_files(spec):
        raise OptionError("games are not read from files of this server")
    return game_by_name(spec)
