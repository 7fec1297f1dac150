"""The agent ``tabular:FILE``: plays a strategy that a file or the folder of a run holds."""

from __future__ import annotations

from pathlib import Path

from fogtree.agents.hashed import HashedAgent
from fogtree.agents.protocol import Agent
from fogtree.agents.tabular import TabularAgent
from fogtree.game import Game
from fogtree.solvers import load_strategy
from fogtree.strategy import Strategy
from fogtree.strategy.hashed import KIND, HashedStrategy
from fogtree.system.archives import archive_kind
from fogtree.system.file_cache import last_change, read_once
from fogtree.tree import compile

_hashed = read_once(HashedStrategy.load)
_complete: dict[tuple[Path, int, str], Strategy] = {}  # by path, time of its last change and game


def load_tabular(game: Game, file: str | Path, memory: int | None = None) -> Agent:
    """An agent for a strategy file, of a compiled game or of a sampled game with hashed keys, or
    for the folder of a run. A file is read, and a game compiled for it, once per process;
    ``memory`` is the number of bytes that compiling may use."""
    path, name = Path(file), f"tabular:{file}"
    if archive_kind(path) == KIND:
        return HashedAgent(_hashed(path), name)
    key = path, last_change(path), str(game)
    if key not in _complete:
        if len(_complete) > 4:
            _complete.clear()
        _complete[key] = load_strategy(path, compile_named=lambda _: compile(game, memory=memory))
    return TabularAgent(_complete[key], name)
