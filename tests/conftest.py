"""Compiled games, shared by all tests of one session, and Ray where it is installed."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from functools import cache
from types import ModuleType

import pytest

from fogtree import GameTree, compile, load_game

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # A shell without job control starts background work with Ctrl-C ignored, and programs that the
    # tests start would inherit that.
    signal.signal(signal.SIGINT, signal.default_int_handler)

SMALL_GAMES = (
    "rock_paper_scissors",
    "matching_pennies",
    "kuhn_poker",
    "kuhn_poker(players=3)",
    "leduc_poker",
    "liars_dice(sides=3)",
    "goofspiel(cards=3)",
    "goofspiel(cards=4)",
)


@cache
def compiled(spec: str) -> GameTree:
    return compile(load_game(spec))


@pytest.fixture(scope="session")
def tree_of() -> Callable[[str], GameTree]:
    return compiled


@pytest.fixture(scope="module")
def ray() -> Iterator[ModuleType]:
    """Its cluster ends with the module; a test that asks for it is skipped without the extra."""
    ray = pytest.importorskip("ray", reason="needs Ray: pip install 'fogtree[ray]'")
    yield ray
    ray.shutdown()
