"""Parameters of games: declared once as dataclass fields, checked, described and written back."""

from __future__ import annotations

import dataclasses
import math
from dataclasses import dataclass
from typing import Any

from fogtree.errors import OptionError
from fogtree.game.protocol import Game

_KINDS = {int: "a whole number", float: "a number", bool: "True or False", str: "a text in quotes"}


@dataclass(frozen=True)
class Parameter:
    """One parameter of a game, as a person would be told about it."""

    name: str
    default: object
    help: str

    def __str__(self) -> str:
        return f"{self.name}={literal(self.default)}"


@dataclass(frozen=True)
class _Rule:
    """What a parameter's value must be."""

    help: str
    minimum: int | None
    maximum: int | None
    choices: tuple[str, ...]
    kind: type | None


def parameter(
    default: object,
    help: str,
    *,
    minimum: int | None = None,
    maximum: int | None = None,
    choices: tuple[str, ...] = (),
    kind: type | None = None,
) -> Any:
    """A dataclass field that says what it means and which values make sense.

    For a tuple of whole numbers, ``minimum`` and ``maximum`` bound each of them. A parameter whose
    default is None, for "as another parameter says", needs the ``kind`` of its other values.
    """
    rule = _Rule(help, minimum, maximum, choices, kind)
    return dataclasses.field(default=default, metadata={"rule": rule})


class ParameterGame(Game):
    """A game whose parameters are dataclass fields made by :func:`parameter`."""

    def __post_init__(self) -> None:
        for field, rule in _rules(type(self)):
            _check(self.short_name, field, rule, getattr(self, field.name))

    def __str__(self) -> str:
        given = [
            f"{field.name}={literal(value)}"
            for field, _ in _rules(type(self))
            if (value := getattr(self, field.name)) != field.default
        ]
        return f"{self.short_name}({', '.join(given)})" if given else self.short_name

    @classmethod
    def parameters(cls) -> tuple[Parameter, ...]:
        """Every parameter in the order of declaration."""
        return tuple(Parameter(f.name, f.default, rule.help) for f, rule in _rules(cls))


def literal(value: object) -> str:
    """A parameter's value as it is written in a game's spec."""
    return f'"{value}"' if isinstance(value, str) else repr(value)


def _rules(cls: type[ParameterGame]) -> list[tuple[dataclasses.Field[Any], _Rule]]:
    fields: tuple[dataclasses.Field[Any], ...] = dataclasses.fields(cls)  # type: ignore[arg-type]
    return [(field, field.metadata["rule"]) for field in fields]


def _check(game: str, field: dataclasses.Field[Any], rule: _Rule, value: object) -> None:
    where = f"{game}: {field.name}"
    if isinstance(field.default, tuple):
        if not isinstance(value, tuple) or not value:
            raise OptionError(f"{where} must be a list of whole numbers, not {value!r}")
        items: tuple[object, ...] = value
        kind: type = int
    else:
        items, kind = (value,), rule.kind or type(field.default)
    if value is None and field.default is None:
        return
    for item in items:
        if type(item) is not kind and (kind, type(item)) != (float, int):
            raise OptionError(f"{where} must be {_KINDS[kind]}, not {item!r}")
        if rule.choices and item not in rule.choices:
            known = ", ".join(literal(choice) for choice in rule.choices)
            raise OptionError(f"{where} must be one of {known}, not {item!r}")
        if isinstance(item, int | float):
            _check_range(where, item, rule.minimum, rule.maximum)


def _check_range(where: str, value: float, minimum: int | None, maximum: int | None) -> None:
    if not math.isfinite(value):
        raise OptionError(f"{where} must be finite, not {value}")
    if minimum is not None and value < minimum:
        raise OptionError(f"{where} must be at least {minimum}, not {value}")
    if maximum is not None and value > maximum:
        raise OptionError(f"{where} must be at most {maximum}, not {value}")
