"""Every game has a test file, or a folder of them, with its name."""

from __future__ import annotations

from pathlib import Path

import pytest

from fogtree.registry import game_names


@pytest.mark.parametrize("name", game_names())
def test_it_is_tested_by_name(name: str) -> None:
    here = Path(__file__).parent
    assert (here / f"test_{name}.py").exists() or any((here / name).glob("test_*.py"))
