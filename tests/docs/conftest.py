"""What the examples of the documentation leave behind is cleared away."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from fogtree.registry import game_names, unregister_game


@pytest.fixture(autouse=True)
def games_of_examples() -> Iterator[None]:
    """Games that an example registers are there in its own test only."""
    before = set(game_names())
    yield
    for name in set(game_names()) - before:
        unregister_game(name)
