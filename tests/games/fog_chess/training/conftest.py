"""A folder of data that the tests of training share."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from fogtree.games.fog_chess.training.generate import generate
from fogtree.games.fog_chess.training.self_play import SelfPlay

SHORT = SelfPlay(seed=3, steps=30, roots=2, leaves=5, inner=2)
OTHER = replace(SHORT, seed=4, leaves=1)


@pytest.fixture(scope="session")
def short_data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Four short games; tests must not change them."""
    folder = tmp_path_factory.mktemp("chess") / "data"
    assert generate(folder, SHORT, games=4, workers=1) == 4
    return folder


@pytest.fixture(scope="session")
def other_data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A short game by another seed; tests must not change it."""
    folder = tmp_path_factory.mktemp("chess") / "other"
    assert generate(folder, OTHER, games=1, workers=1) == 1
    return folder
