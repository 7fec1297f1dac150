"""Targets of networks that hold cumulative regrets."""

from __future__ import annotations

import numpy as np
import pytest

from fogtree.deep.cumulative_regrets import cumulative_targets, discount
from fogtree.deep.fitting import Data
from fogtree.deep.network import Network


def test_discounts_are_those_of_dcfr():
    assert discount(1, 1.5) == 0.0
    assert discount(2, 1.5) == 0.5
    assert discount(5, 1.5) == pytest.approx(8 / 9)
    assert [discount(t, 1.0) for t in (2, 3, 4)] == pytest.approx([1 / 2, 2 / 3, 3 / 4])
    assert discount(2, 0.0) == 0.5  # a half, always


def test_positive_regrets_of_legal_actions_are_carried_on():
    weight = np.array([[2.0, -3.0], [-1.0, 4.0], [5.0, 6.0]], dtype=np.float32)
    last = Network(((weight, np.zeros(3, dtype=np.float32)),))
    data = Data(
        codes=np.array([[0], [1]], dtype=np.uint8),
        decode=lambda codes: np.eye(2, dtype=np.float32)[codes[:, 0]],
        columns=np.array([[1, 0], [2, -1]], dtype=np.int16),
        targets=np.array([[0.5, -7.0], [1.0, 0.0]], dtype=np.float32),
        weights=np.ones(2, dtype=np.float32),
    )
    found = cumulative_targets(data, last, 0.5)
    assert found.targets.tolist() == [[0.5, -6.0], [4.0, 0.0]]
    assert cumulative_targets(data, None, 0.5) is data
    assert data.targets[0, 1] == -7.0  # the given rows are as they were
