"""Fixtures of the Fog-of-War chess tests."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from fogtree._core import fog_chess_choose_kernel, fog_chess_kernel, fog_chess_kernels
from fogtree.errors import FileFormatError
from fogtree.games.fog_chess.network.stockfish import export_stockfish_net, find_stockfish


@pytest.fixture(params=fog_chess_kernels())
def kernel(request: pytest.FixtureRequest) -> Iterator[str]:
    """Run a test with each native kernel that this processor has."""
    before = fog_chess_kernel()
    fog_chess_choose_kernel(request.param)
    yield request.param
    fog_chess_choose_kernel(before)


@pytest.fixture(scope="session")
def net_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The network of the Stockfish that is installed."""
    stockfish = find_stockfish()
    if stockfish is None:
        pytest.skip("stockfish is not installed")
    folder = tmp_path_factory.mktemp("net")
    try:
        return export_stockfish_net(stockfish, folder / "stockfish.nnue")
    except FileFormatError:
        pytest.skip("this stockfish has another network")
