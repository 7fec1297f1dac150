"""Parameters of games: declared once as dataclass fields, checked, described and written back."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from functools import cache
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

from msgspec import Meta

from fogtree.game.protocol import Game
from fogtree.text.specs import literal
from fogtree.text.validation import checked


@dataclass(frozen=True)
class _Bounds:
    """The arguments of :func:`parameter` but the default, kept in the metadata of a field."""

    help: str
    minimum: int | None
    maximum: int | None
    choices: tuple[str, ...]
    advanced: bool


@dataclass(frozen=True)
class Parameter:
    """The description of one parameter of a game, for lists and forms."""

    name: str
    default: object
    help: str
    kind: str = "text"
    """The type of its values: text, whole number, number, switch or list."""
    minimum: int | None = None
    maximum: int | None = None
    choices: tuple[str, ...] = ()
    """The texts that are allowed; none: any text."""
    advanced: bool = False
    """Whether it is for tests and experiments rather than for people who play."""

    def __str__(self) -> str:
        return f"{self.name}={literal(self.default)}"

    def to_dict(self) -> dict[str, Any]:
        """The parameter as JSON data, for forms."""
        return dataclasses.asdict(self)


def parameter(
    default: object,
    help: str,
    *,
    minimum: int | None = None,
    maximum: int | None = None,
    choices: tuple[str, ...] = (),
    advanced: bool = False,
) -> Any:
    """A dataclass field for a parameter of a game, with its help text and the values that are
    allowed; its type is the annotation's. ``minimum`` and ``maximum`` bound every number of a
    tuple. Forms show ``advanced`` parameters separately."""
    bounds = _Bounds(help, minimum, maximum, choices, advanced)
    return dataclasses.field(default=default, metadata={"bounds": bounds})


class ParameterGame(Game):
    """A game whose parameters are dataclass fields made by :func:`parameter`."""

    def __post_init__(self) -> None:
        """Check the type and range of every parameter; lists become tuples, so that the game can be
        hashed."""
        for name, kind in _types(type(self)).items():
            value = getattr(self, name)
            checked(value, kind, f"{self.short_name}: {name}")
            if isinstance(value, list):  # so that the game can be hashed
                object.__setattr__(self, name, tuple(value))

    def __str__(self) -> str:
        given = [
            f"{field.name}={literal(value)}"
            for field in _fields(type(self))
            if (value := getattr(self, field.name)) != field.default
        ]
        return f"{self.short_name}({', '.join(given)})" if given else self.short_name

    @classmethod
    def parameters(cls) -> tuple[Parameter, ...]:
        """Every parameter in the order of declaration."""
        hints = get_type_hints(cls)
        return tuple(_described(field, hints[field.name]) for field in _fields(cls))


def _fields(cls: type[ParameterGame]) -> tuple[dataclasses.Field[Any], ...]:
    """The dataclass fields of a game's class, one per parameter."""
    return dataclasses.fields(cls)  # type: ignore[arg-type]


def _bounds(field: dataclasses.Field[Any]) -> _Bounds:
    """The help text and the bounds that :func:`parameter` put into a field's metadata."""
    bounds: _Bounds = field.metadata["bounds"]
    return bounds


_KINDS = {int: "whole number", float: "number", bool: "switch"}


def _described(field: dataclasses.Field[Any], hint: Any) -> Parameter:
    """The description of a parameter for lists and forms, from its dataclass field and type."""
    bounds = _bounds(field)
    kind = "list" if get_origin(hint) is tuple else "text"
    for one in (hint, *get_args(hint)) if kind == "text" else ():
        kind = _KINDS.get(one, kind)
    return Parameter(
        field.name,
        field.default,
        bounds.help,
        kind,
        bounds.minimum,
        bounds.maximum,
        bounds.choices,
        bounds.advanced,
    )


@cache
def _types(cls: type[ParameterGame]) -> dict[str, Any]:
    """The type of every parameter by name, with its bounds as ``msgspec`` metadata."""
    hints = get_type_hints(cls)
    return {field.name: _bounded(hints[field.name], _bounds(field)) for field in _fields(cls)}


def _bounded(kind: Any, bounds: _Bounds) -> Any:
    """A type with its bounds or choices as ``msgspec`` metadata."""
    inner = get_args(kind)
    if get_origin(kind) is tuple:
        item = _bounded(inner[0], bounds)
        return Annotated[tuple[item, ...], Meta(min_length=1)]  # type: ignore[valid-type]
    if inner:  # a union: ``int | None``
        return Union[tuple(_bounded(one, bounds) for one in inner)]  # noqa: UP007
    if kind is str and bounds.choices:
        return Literal[bounds.choices]
    if kind in (int, float):
        return Annotated[kind, Meta(ge=bounds.minimum, le=bounds.maximum)]
    return kind
