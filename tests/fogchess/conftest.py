"""Fixtures of the Fog-of-War chess tests."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from fogtree._core import fog_chess_choose_kernel, fog_chess_kernel, fog_chess_kernels


@pytest.fixture(params=fog_chess_kernels())
def kernel(request: pytest.FixtureRequest) -> Iterator[str]:
    """Run a test with each native kernel that this processor has."""
    before = fog_chess_kernel()
    fog_chess_choose_kernel(request.param)
    yield request.param
    fog_chess_choose_kernel(before)
