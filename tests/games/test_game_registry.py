"""Specs: what they make, and what is said about those that cannot be read."""

from __future__ import annotations

import subprocess
import sys

import pytest

from fogtree.errors import FogtreeError, OptionError, UnknownNameError
from fogtree.games import describe_game, game_names, load_game
from fogtree.games.kuhn_poker import KuhnPoker
from fogtree.games.leduc_poker import LeducPoker


def test_spec_makes_the_game() -> None:
    assert load_game("kuhn_poker") == KuhnPoker()
    assert load_game(" kuhn_poker() ") == KuhnPoker()
    assert load_game("leduc_poker(ranks=10, raises=1)") == LeducPoker(ranks=10, raises=1)


def test_defaults_are_not_written() -> None:
    assert str(load_game("leduc_poker(raises=2, ranks=10)")) == "leduc_poker(ranks=10)"
    assert str(load_game("leduc_poker(ranks=3)")) == "leduc_poker"


@pytest.mark.parametrize(
    ("spec", "kind", "message"),
    [
        ("kuhn_pokr", UnknownNameError, "unknown game 'kuhn_pokr'; did you mean 'kuhn_poker'?"),
        (
            "leduc_poker(rank=3)",
            UnknownNameError,
            "unknown parameter of leduc_poker 'rank'; did you mean 'ranks'?",
        ),
        (
            "leduc_poker(ranks='x')",
            OptionError,
            "leduc_poker: ranks must be a whole number, not 'x'",
        ),
        (
            "leduc_poker(ranks=True)",
            OptionError,
            "leduc_poker: ranks must be a whole number, not True",
        ),
        (
            "leduc_poker(ranks=2.5)",
            OptionError,
            "leduc_poker: ranks must be a whole number, not 2.5",
        ),
        (
            "leduc_poker(suit_isomorphism=1)",
            OptionError,
            "leduc_poker: suit_isomorphism must be True or False, not 1",
        ),
        ("leduc_poker(ranks=1)", OptionError, "leduc_poker: ranks must be at least 2, not 1"),
        ("leduc_poker(ranks=99)", OptionError, "leduc_poker: ranks must be at most 13, not 99"),
        (
            "leduc_poker(players=6)",
            OptionError,
            "leduc_poker: 6 players need at least 7 cards, but ranks=3, suits=2 has 6",
        ),
        (
            "matching_pennies(sides=2)",
            OptionError,
            "matching_pennies takes no parameters, but 'sides' was given",
        ),
        (
            "leduc_poker(ranks=open('x'))",
            OptionError,
            "leduc_poker: ranks must be a plain number, text in quotes, True or False, or a list",
        ),
    ],
)
def test_what_is_wrong_is_said(spec: str, kind: type[FogtreeError], message: str) -> None:
    with pytest.raises(kind) as caught:
        load_game(spec)
    assert str(caught.value) == message


@pytest.mark.parametrize(
    "spec",
    [
        "",
        "(",
        "leduc_poker(",
        "leduc_poker(3)",
        "leduc_poker(*[3])",
        "leduc_poker(**{'ranks': 3})",
        "leduc_poker(ranks=3, ranks=4)",
        "a.b(ranks=3)",
        "leduc_poker(ranks=3); 1",
        "leduc_poker\x00",
        "kuhn_poker\n+",
        "3",
        "[" * 5000,
        "leduc_poker(ranks=" + "-" * 5000 + "1)",
    ],
)
def test_unreadable_specs_are_one_clear_error(spec: str) -> None:
    with pytest.raises(OptionError) as caught:
        load_game(spec)
    assert "\n" not in str(caught.value)


def test_description() -> None:
    info = describe_game("kuhn_poker")
    assert info.signature == "kuhn_poker(players=2, ante=1, bet=1)"
    assert info.summary.startswith("Kuhn poker: ")


@pytest.mark.parametrize("name", game_names())
def test_every_game_is_described(name: str) -> None:
    info = describe_game(name)
    assert info.name == name
    assert info.summary.endswith(".")
    assert all(parameter.help for parameter in info.parameters)
    assert load_game(info.signature) == load_game(name)


def test_games_are_imported_when_asked_for() -> None:
    code = "import sys, fogtree.games; print([m for m in sys.modules if 'poker' in m])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
