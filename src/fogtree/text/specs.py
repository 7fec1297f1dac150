"""One grammar for everything that is chosen by a name with settings: games, agents, evaluators.

======================  ================================================================
``name``                no settings: ``random``
``name:argument``       one argument, usually a file: ``tabular:FILE``
``name(key=value, …)``  settings: ``search(time=0.5, threads=2)``
``spec, spec, …``       a list, where a command takes one
======================  ================================================================

A value is a number, ``true`` or ``false`` (also ``on``, ``off``, ``yes``, ``no``), ``None``, a text
in quotes, a list or tuple of these, or else a plain text as it stands. A comma ends a value where
``key=`` or the bracket follows. A text that has a comma before ``key=``, a bracket without its
partner or blanks at its ends is written in quotes, as in Python; so is an argument with commas in
a list.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from fogtree.errors import OptionError, require
from fogtree.text.validation import SWITCHES

_PARTNERS = {")": "(", "]": "[", "}": "{"}
_OPENING = ("'", '"', "(", "[", "{")
_NAME = re.compile(r"[^\W\d][\w+-]*")
_KEY = re.compile(r"\s*([^\W\d]\w*)\s*=(.*)", re.DOTALL)
_SIMPLE = re.compile(r"[\w./:+~@%-]+")
_SHOWN = 80  # letters of a text that cannot be read


@dataclass(frozen=True, slots=True)
class Spec:
    """A name with an argument or with settings. ``parse_spec(str(spec))`` is the same again."""

    name: str
    argument: str = ""
    settings: Mapping[str, object] = field(default_factory=dict)

    def __str__(self) -> str:
        if self.settings:
            inner = ", ".join(f"{key}={_written(value)}" for key, value in self.settings.items())
            return f"{self.name}({inner})"
        return f"{self.name}:{_written_argument(self.argument)}" if self.argument else self.name


def parse_spec(text: str, what: str = "game") -> Spec:
    """Read ``name``, ``name:argument`` or ``name(key=value, …)``; ``what`` is named in an error."""
    require(text, str, f"the name of {'an' if what[:1] in 'aeiou' else 'a'} {what}")
    try:
        return _parsed(text.strip())
    except _UnreadableError as problem:
        shown = repr(text[:_SHOWN])
        raise OptionError(
            f"cannot read {what} {shown}: {problem}; write it like  name(key=value)"
        ) from None


def split_specs(text: str) -> list[str]:
    """Split a list of specs at its commas, but not at commas in brackets or quotes."""
    try:
        return [part.strip() for part in _split(text)]
    except _UnreadableError as problem:
        raise OptionError(f"cannot read {text[:_SHOWN]!r}: {problem}") from None


def read_value(text: str) -> object:
    """A value of a setting: a number, a switch, None, a text in quotes, a list, or a plain text."""
    text = text.strip()
    if text == "None":
        return None
    if text[:1] in _OPENING:
        try:
            return _immutable(ast.literal_eval(text))
        except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
            if text[0] in "'\"":
                raise OptionError(f"{text[:_SHOWN]!r} is not a text in quotes") from None
            return text
    if text.isascii() and any(letter.isdigit() for letter in text):
        return _number(text)
    return SWITCHES.get(text.lower(), text)


def literal(value: object) -> str:
    """A value as Python writes it, with texts in double quotes."""
    if isinstance(value, str):
        escaped = value.replace("\\", "\\\\").replace('"', '\\"')
        return f'"{escaped}"' if value.isprintable() else repr(value)
    if isinstance(value, tuple):
        inner = ", ".join(literal(one) for one in value)
        return f"({inner},)" if len(value) == 1 else f"({inner})"
    # Python reads 1e999 as infinity, which has no literal of its own.
    return repr(value).replace("inf", "1e999") if isinstance(value, float) else repr(value)


class _UnreadableError(Exception):
    """The reason why a text cannot be read; in an error it follows the text."""


def _parsed(text: str) -> Spec:
    """A spec from its text; an error says why it cannot be read."""
    found = _NAME.match(text)
    if found is None:
        raise _UnreadableError("it does not begin with a name")
    name, rest = found[0], text[found.end() :].strip()
    if rest[:1] == ":":
        return Spec(name, _argument(rest[1:].strip()))
    if "\0" in text:
        raise _UnreadableError("it has a character with code 0")
    if not rest:
        return Spec(name)
    if rest[0] != "(":
        raise _UnreadableError(f"'{rest[:20]}' cannot follow the name")
    if rest[-1] != ")":
        list(_split(rest))  # raises if a bracket is open
        raise _UnreadableError("something follows the last bracket")
    return Spec(name, settings=_settings(list(_split(rest[1:-1]))))


def _settings(parts: list[str]) -> dict[str, object]:
    """The settings by key, from the parts between commas. A part without ``key=`` belongs to the
    value before it, for example a path that contains a comma."""
    texts: dict[str, str] = {}
    key = ""
    if not parts[-1].strip():
        parts = parts[:-1]
    for part in parts:
        found = _KEY.fullmatch(part)
        if found is None and (not key or texts[key].lstrip()[:1] in _OPENING):
            raise _UnreadableError(f"'{part.strip()[:20]}' has no key")
        if found is None:
            texts[key] += f",{part}"
            continue
        key = found[1]
        if key in texts:
            raise _UnreadableError(f"'{key}' is there twice")
        texts[key] = found[2]
    for key, text in texts.items():
        if not text.strip():
            raise _UnreadableError(f"'{key}' has no value")
    return {key: _checked_value(text) for key, text in texts.items()}


def _checked_value(text: str) -> object:
    """:func:`read_value`, whose error becomes the :class:`_UnreadableError` of this module."""
    try:
        return read_value(text)
    except OptionError as error:
        raise _UnreadableError(str(error)) from None


def _argument(text: str) -> str:
    """The argument of a spec from the text after ``name:``; quotes around it are removed."""
    if text[:1] in ("'", '"') and text[-1:] == text[:1] and len(text) > 1:
        value = _checked_value(text)
        if isinstance(value, str):
            return value
    return text


def _split(text: str) -> Iterator[str]:
    """The parts between commas that are in no bracket and no quotes."""
    opened: list[str] = []
    start = place = 0
    before = ","  # the last letter that is not blank: after a letter a quote is an apostrophe
    while place < len(text):
        letter = text[place]
        if letter in "'\"" and before in "=,:([{":
            place = _quote_end(text, place)
        elif letter in "([{":
            opened.append(letter)
        elif letter in _PARTNERS and (not opened or opened.pop() != _PARTNERS[letter]):
            raise _UnreadableError(f"'{letter}' closes no bracket")
        elif letter == "," and not opened:
            yield text[start:place]
            start = place + 1
        if not letter.isspace():
            before = letter
        place += 1
    if opened:
        raise _UnreadableError(f"'{opened[-1]}' is not closed")
    yield text[start:]


def _quote_end(text: str, start: int) -> int:
    """The index of the quotation mark that ends the text which begins at ``start``; a backslash
    escapes the next character."""
    place = start + 1
    while place < len(text) and text[place] != text[start]:
        place += 1 + (text[place] == "\\")
    if place >= len(text):
        raise _UnreadableError("a text in quotes does not end")
    return place


def _immutable(value: object) -> object:
    """The value with all lists replaced by tuples, also those inside others, so that it is
    immutable."""
    return tuple(_immutable(one) for one in value) if isinstance(value, list | tuple) else value


def _number(text: str) -> object:
    """The whole or decimal number that a text stands for, also with a prefix as in ``0x1f``; the
    text itself if it is no number."""
    for read in (int, float, lambda digits: int(digits, 0)):
        try:
            return read(text)
        except ValueError:
            continue
    return text


def _written(value: object) -> str:
    """A value as text that :func:`read_value` reads back to the same value."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str) and _SIMPLE.fullmatch(value) and read_value(value) == value:
        return value
    return literal(value)


def _written_argument(text: str) -> str:
    """The argument of a spec, in quotes where that is needed."""
    simple = text == text.strip() and text.isprintable() and not set(text) & set(",'\"()[]{}")
    return text if simple else literal(text)
