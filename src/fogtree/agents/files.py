"""The agent ``tabular:FILE``: plays a strategy that a file or the folder of a run holds."""

from __future__ import annotations

from pathlib import Path

from fogtree.agents.hashed import HashedAgent
from fogtree.agents.protocol import Agent
from fogtree.agents.tabular import TabularAgent
from fogtree.game import Game
from fogtree.strategy.hashed import KIND
from fogtree.system.files import archive_kind


def load_tabular(game: Game, file: str) -> Agent:
    """An agent for a strategy file: of a compiled game, or of a sampled game with hashed keys."""
    path = Path(file)
    if path.is_dir():
        return TabularAgent.of_run(path, game)
    return HashedAgent.load(path) if archive_kind(path) == KIND else TabularAgent.load(path)
