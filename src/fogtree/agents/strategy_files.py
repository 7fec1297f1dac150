"""The agent ``tabular:FILE``: plays a strategy that a file or the folder of a run holds."""

from __future__ import annotations

from pathlib import Path

from fogtree.agents.hashed import HashedAgent
from fogtree.agents.protocol import Agent
from fogtree.agents.tabular import TabularAgent
from fogtree.game import Game
from fogtree.solvers import saved_strategy
from fogtree.strategy import Strategy
from fogtree.strategy.hashed import KIND, HashedStrategy
from fogtree.system.file_cache import read_once
from fogtree.system.files import archive_kind

_complete, _hashed = read_once(Strategy.load), read_once(HashedStrategy.load)
_of_runs: dict[tuple[Path, int, str], Strategy] = {}  # by run folder, time of saving and game


def load_tabular(game: Game, file: str | Path) -> Agent:
    """An agent for a strategy file, of a compiled game or of a sampled game with hashed keys, or
    for the folder of a run."""
    path, name = Path(file), f"tabular:{file}"
    if path.is_dir():
        return TabularAgent(_of_run(path, game), name)
    if archive_kind(path) == KIND:
        return HashedAgent(_hashed(path), name)
    return TabularAgent(_complete(path), name)


def _of_run(folder: Path, game: Game) -> Strategy:
    """The average strategy of a saved run; the game is compiled once per process."""
    manifest = folder / "manifest.json"
    key = folder, manifest.stat().st_mtime_ns if manifest.exists() else 0, str(game)
    if key not in _of_runs:
        if len(_of_runs) > 4:
            _of_runs.clear()
        _of_runs[key] = saved_strategy(folder, game=game)
    return _of_runs[key]
