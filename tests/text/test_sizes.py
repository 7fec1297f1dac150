"""Sizes of memory have one meaning everywhere."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fogtree.errors import OptionError
from fogtree.text.sizes import MAX_SIZE, read_size


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("0", 0),
        ("1000000", 10**6),
        ("12B", 12),
        ("4G", 4 << 30),
        ("4GiB", 4 << 30),
        ("4GB", 4 * 10**9),
        (" 500 mb ", 5 * 10**8),
        ("1.5k", 1536),
        ("1.5kB", 1500),
        ("0.5T", 1 << 39),
    ],
)
def test_a_letter_alone_is_binary_and_with_b_decimal(text: str, size: int) -> None:
    assert read_size(text) == size


@pytest.mark.parametrize(
    "text",
    ["", "G", "much", "-1", "1e9", "4GBB", "4ib", "4 G B", "nan", "9" * 25, "١G", "10000000T"],
)
def test_what_is_no_size_is_refused(text: str) -> None:
    with pytest.raises(OptionError, match=r"^--memory must be a size as in 4GB"):
        read_size(text, "--memory")


@given(st.integers(0, MAX_SIZE))
def test_bytes_are_exact(size: int) -> None:
    assert read_size(str(size)) == size
