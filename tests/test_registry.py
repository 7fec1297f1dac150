"""Specs: what they make, and what is said about those that cannot be read."""

from __future__ import annotations

import json
import re
import subprocess
import sys

import pytest

import fogtree
from fogtree.errors import FogtreeError, OptionError, UnknownNameError
from fogtree.games.kuhn_poker import KuhnPoker
from fogtree.games.leduc_poker import LeducPoker
from fogtree.registry import describe_game, entry_of, game_names, load_game
from fogtree.text.specs import literal
from tests.support.paths import DOCS


def test_spec_makes_the_game() -> None:
    assert load_game("kuhn_poker") == KuhnPoker()
    assert load_game(" kuhn_poker() ") == KuhnPoker()
    assert load_game("leduc_poker(ranks=10, raises=1)") == LeducPoker(ranks=10, raises=1)


def test_lists_are_tuples() -> None:
    game = load_game("battleship(ships=[1, 2], loss_multiplier=2)")
    assert str(game) == "battleship(ships=(1, 2), loss_multiplier=2)"


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
            "leduc_poker: suit_isomorphism must be true or false, not 1",
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
            'goofspiel(points="up")',
            OptionError,
            'goofspiel: points must be one of "ascending", "descending", "random", not \'up\'',
        ),
        (
            "goofspiel(points=1)",
            OptionError,
            'goofspiel: points must be one of "ascending", "descending", "random", not 1',
        ),
        (
            "battleship(ships=2)",
            OptionError,
            "battleship: ships must be a list of whole numbers, not 2",
        ),
        (
            "battleship(ships=[1, 'x'])",
            OptionError,
            "battleship: ships must be a whole number, not 'x'",
        ),
        (
            "battleship(ships=[3, 3, 1])",
            OptionError,
            "battleship: ships (3, 3, 1) do not fit on the board",
        ),
        ("battleship(ships=[4])", OptionError, "battleship: ships (4,) do not fit on the board"),
        ("battleship(shots=7)", OptionError, "battleship: 7 shots, but only 6 squares"),
        ("battleship(values=[1, 2])", OptionError, "battleship: 1 ships, but 2 values"),
        (
            "battleship(loss_multiplier=1e999)",
            OptionError,
            "battleship: loss_multiplier must be finite, not inf",
        ),
        (
            "battleship(loss_multiplier='2')",
            OptionError,
            "battleship: loss_multiplier must be a number, not '2'",
        ),
        (
            "phantom_ttt(line=5)",
            OptionError,
            "phantom_ttt: a line of 5 does not fit on the board",
        ),
        (
            "leduc_poker(ranks=open('x'))",
            OptionError,
            "leduc_poker: ranks must be a whole number, not \"open('x')\"",
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
    assert info.rules.startswith("Each player puts 1 chip into the pot")
    assert info.signature == "kuhn_poker(players=2, ante=1, bet=1)"
    assert info.summary.startswith("Kuhn poker: ")


@pytest.mark.parametrize("name", game_names())
def test_every_game_is_described(name: str) -> None:
    info = describe_game(name)
    assert info.name == name
    assert info.summary.endswith(".")
    assert info.rules.endswith(".")
    assert all(parameter.help for parameter in info.parameters)
    assert load_game(info.signature) == load_game(name)


@pytest.mark.parametrize("name", game_names())
def test_every_game_has_its_page(name: str) -> None:
    page = (DOCS / "games" / f"{name}.md").read_text(encoding="utf-8")
    for parameter in describe_game(name).parameters:
        assert f"| `{parameter.name}` | `{literal(parameter.default)}` |" in page
    assert f"({name}.md)" in (DOCS / "games" / "index.md").read_text(encoding="utf-8")


def test_games_are_imported_when_asked_for() -> None:
    code = "import sys, fogtree.games; print([m for m in sys.modules if 'poker' in m])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_a_name_does_not_make_another_game_a_registered_one() -> None:
    class Other(KuhnPoker):
        short_name = "cambia"

    entry = entry_of(Other())
    assert entry.game is Other
    assert [agent.name for agent in entry.agents] == ["equilibrium"]  # none of Cambia's
    record = fogtree.play(Other(), [fogtree.agent("search", Other(), steps=5), "random"])
    assert record.returns[0] == -record.returns[1]


def _as_the_page_writes(text: str) -> str:
    """A parameter's text as a literal of a spec: the rule of web/src/games.ts."""
    if text in ("true", "false"):
        return text.capitalize()
    if "," in text:
        return f"[{text}]"
    return text if re.fullmatch(r"-?\d+(\.\d+)?", text) else json.dumps(text)


@pytest.mark.parametrize("name", game_names())
def test_every_version_that_a_page_offers_can_be_loaded(name: str) -> None:
    for given in entry_of(load_game(name)).sizes.values():
        written = ", ".join(f"{key}={_as_the_page_writes(text)}" for key, text in given.items())
        assert load_game(f"{name}({written})").players >= 1
