"""Messages of errors are one line, whatever they quote."""

from __future__ import annotations

import pickle

import pytest

import fogtree
from fogtree.errors import FogtreeError, GameError, OptionError, UnknownNameError

NAMES = ["a\nb", "a\r\nb", "a\x0bb", "a\x85b", "a\u2028b", "\n"]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("read", [fogtree.load_strategy, fogtree.load_game, fogtree.recipe])
def test_a_name_of_several_lines_is_quoted_in_one(read, name):
    with pytest.raises(FogtreeError) as error:
        read(name)
    assert len(str(error.value).splitlines()) == 1


def test_letters_stay_as_they_are():
    assert str(OptionError("größer als 10² · ‘x’, \\n, \t")) == "größer als 10² · ‘x’, \\n, \t"
    assert str(OptionError("a\nb")) == "a\\nb"
    error = pickle.loads(pickle.dumps(OptionError("a\nb")))
    assert (type(error), str(error)) == (OptionError, "a\\nb")
    assert str(UnknownNameError("game", "x\ny", ["xy"])).startswith("unknown game 'x\\ny'; ")


def test_long_names_are_shortened():
    name = "x" * 100_000
    text = str(GameError(f"two information sets have the same name '{name}'"))
    assert text.startswith("two information sets have the same name 'xxx")
    assert len(text) < 400


def test_long_texts_are_shortened_whatever_they_are_made_of():
    assert len(str(GameError("a b " * 10_000))) < 1500
    assert len(str(UnknownNameError("game", "x", ["y" * 5000 for _ in range(20)]))) < 1500


def test_usual_messages_stay_whole():
    text = "a sentence of some words " * 20
    assert str(GameError(text)) == text
