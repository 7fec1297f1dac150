"""Numbers and lists of things as sentences have them."""

from __future__ import annotations

import pytest

from fogtree.text.counts import counted, counted_in_words, figure, listed


@pytest.mark.parametrize(
    ("number", "text"),
    [(0, "0"), (2.0, "2"), (1234567, "1,234,567"), (1234567.5, "1,234,567.5"), (1e-7, "1e-07")],
)
def test_no_digit_is_left_out(number: float, text: str) -> None:
    assert figure(number) == text


def test_one_thing_has_no_s() -> None:
    assert [counted(n, "chip") for n in (0, 1, 1.0, 1.5)] == [
        "0 chips",
        "1 chip",
        "1 chip",
        "1.5 chips",
    ]
    assert [counted_in_words(n, "card") for n in (1, 10, 11)] == [
        "one card",
        "ten cards",
        "11 cards",
    ]


def test_lists() -> None:
    assert listed(("a",)) == "a"
    assert listed(("a", "b")) == "a and b"
    assert listed(["a", "b", "c"], "or") == "a, b or c"
