"""Check options against the types of a dataclass or ``msgspec.Struct``, with errors in one line.

A field's type says which values it takes: ``int``, ``float``, ``bool``, ``str``, ``Literal``,
lists and tuples, and bounds as in ``Annotated[int, Meta(ge=1)]``. A field that can also be written
as text in a form of its own, such as a size in bytes, names the function that reads it, or returns
the text as it is: ``Annotated[int, Meta(ge=0, extra={"read": read_size})]``.
"""

from __future__ import annotations

import dataclasses
import math
import re
import sys
import typing
from collections.abc import Mapping
from functools import cache
from threading import RLock
from typing import Annotated, Any, TypeAlias, TypeVar

from msgspec import NODEFAULT, Meta, ValidationError, convert, defstruct, inspect

from fogtree.errors import OptionError, UnknownNameError, closest_name

Count: TypeAlias = Annotated[int, Meta(ge=0)]
Positive: TypeAlias = Annotated[int, Meta(ge=1)]
NotNegative: TypeAlias = Annotated[float, Meta(ge=0)]
PositiveNumber: TypeAlias = Annotated[float, Meta(gt=0)]
Finite: TypeAlias = Annotated[float, Meta(ge=-sys.float_info.max, le=sys.float_info.max)]
Share: TypeAlias = Annotated[float, Meta(ge=0, le=1)]

T = TypeVar("T")
Object = inspect.DataclassType | inspect.StructType
Array = inspect.ListType | inspect.VarTupleType | inspect.TupleType
SWITCHES = {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}

_BOUNDS = {">=": "at least", ">": "above", "<=": "at most", "<": "below"}
_PLURALS: dict[type, str] = {
    inspect.IntType: " of whole numbers",
    inspect.FloatType: " of numbers",
    inspect.StrType: " of texts",
}
_SHOWN = 60  # letters of a refused value
_ONE_AT_A_TIME = RLock()


def checked(
    data: object,
    kind: type[T],
    where: str = "",
    *,
    base: T | None = None,
    texts: bool = False,
    unknown: str | None = "option",
) -> T:
    """Convert plain data (from TOML, JSON or a spec) to ``kind`` and check every value.

    ``where`` comes before the name of a refused value: ``"[run] "``. Fields that ``data``
    does not name are as in ``base``, a dataclass instance, or as in ``kind``. With ``texts``,
    numbers and switches may be written as text: ``"0.5"``, ``"on"``. An unknown name is refused as
    an unknown ``unknown``; with None it is ignored.
    """
    reader = _Reader(where, texts, unknown)
    form: Any = kind
    plain = reader.prepare(data, _info(form), ())
    if base is None:
        return typing.cast(T, reader.convert(plain, form, ()))
    if not isinstance(plain, Mapping):
        raise reader.refused(_info(form), plain, ())
    values = {name: getattr(base, name) for name in names_of(form)} | dict(plain)
    found = reader.convert(values, _twin(form), ())
    changes = {name: getattr(found, name) for name in plain}
    return dataclasses.replace(base, **changes)  # type: ignore[type-var]


def check_fields(record: object, where: str = "") -> None:
    """Raise an :class:`OptionError` if a value of a dataclass instance does not fit its type; to be
    called by its ``__post_init__``. ``where`` comes before the name of the refused value."""
    reader = _Reader(where)
    form: Any = type(record)
    twin: Any = _twin(form)
    values = {name: getattr(record, name) for name in names_of(twin)}
    reader.convert(reader.prepare(values, _info(twin), ()), twin, ())


def names_of(kind: type) -> tuple[str, ...]:
    """The names of all fields of a dataclass or Struct."""
    info = _info(kind)
    assert isinstance(info, Object)
    return tuple(field.encode_name for field in info.fields)


@cache
def _info(kind: Any) -> inspect.Type:
    """The description of a type by msgspec: its fields, items and bounds.

    It must be asked before the first conversion: ``msgspec`` analyses a type once and keeps the
    result, and a thread that meets a type which another is still analysing crashes the process.
    """
    with _ONE_AT_A_TIME:
        return inspect.type_info(kind)


@cache
def _twin(kind: Any) -> type:
    """A Struct with the same fields as a dataclass, by which values are checked without an
    instance."""
    hints = typing.get_type_hints(kind, include_extras=True)
    return defstruct(kind.__name__, [(name, hints[name]) for name in names_of(kind)])


@dataclasses.dataclass(frozen=True, slots=True)
class _Reader:
    """One call of :func:`checked` or :func:`check_fields`, with its arguments: prepares the values,
    converts them, and words the errors."""

    where: str
    texts: bool = False
    unknown: str | None = "option"

    def prepare(self, value: object, info: inspect.Type, path: tuple[str, ...]) -> object:
        """A value made ready for :meth:`convert`, with parts that are given as text read. Unknown
        names, and numbers that are not finite, are errors. ``info`` is msgspec's description of the
        type; ``path`` are the names of the fields that lead to the value, for errors."""
        if isinstance(info, inspect.Metadata):
            read = (info.extra or {}).get("read")
            number = isinstance(_inner_type(info), inspect.IntType | inspect.FloatType)
            if read is not None and isinstance(value, str if number else str | int | float):
                value = read(str(value))
            info = info.type
        if isinstance(info, inspect.UnionType):
            others = [one for one in info.types if not isinstance(one, inspect.NoneType)]
            if value is None or len(others) != 1:
                return value
            return self.prepare(value, others[0], path)
        if isinstance(value, Mapping | list | tuple):
            return self._prepare_parts(value, info, path)
        if self.texts and isinstance(value, str):
            value = _from_text(value, info)
        if isinstance(info, inspect.IntType | inspect.FloatType):
            self._check_number(value, path)
        return value

    def _prepare_parts(self, value: Any, info: inspect.Type, path: tuple[str, ...]) -> object:
        """Prepare the items of a list or mapping, or the fields of a nested dataclass or struct. A
        value that does not fit its type is returned unchanged: the conversion refuses it."""
        if isinstance(info, Object) and isinstance(value, Mapping):
            return self._prepare_fields(value, info, path)
        if isinstance(info, Array) and isinstance(value, list | tuple):
            return [self.prepare(one, _item(info, i), path) for i, one in enumerate(value)]
        if isinstance(info, inspect.DictType) and isinstance(value, Mapping):
            return {
                key: self.prepare(one, info.value_type, (*path, str(key)))
                for key, one in value.items()
            }
        return value

    def _prepare_fields(
        self, values: Mapping[Any, object], info: Object, path: tuple[str, ...]
    ) -> dict[Any, object]:
        """Prepare the fields of a dataclass or struct that is given as a mapping. An unknown name
        is an error, or dropped if ``unknown`` is None."""
        known = {field.encode_name: field.type for field in info.fields}
        for name in values:
            if name not in known and self.unknown is not None:
                raise UnknownNameError(self.unknown, ".".join((*path, str(name))), known)
        return {
            name: self.prepare(value, known[name], (*path, name))
            for name, value in values.items()
            if name in known
        }

    def _check_number(self, value: object, path: tuple[str, ...]) -> None:
        """Refuse numbers that are not finite or have more than 64 bits."""
        if isinstance(value, float) and not math.isfinite(value):
            raise OptionError(f"{self._name(path)} must be finite, not {value}")
        if isinstance(value, int) and value.bit_length() > 64:
            raise OptionError(f"{self._name(path)} must fit in 64 bits, not {value.bit_length():,}")

    def convert(self, value: object, kind: Any, path: tuple[str, ...]) -> Any:
        """Convert a prepared value to the type ``kind`` by msgspec. Its errors become an
        OptionError that names the field in the user's words; ``path`` leads to the value from the
        top."""
        info = _info(kind)
        try:
            return convert(value, kind)
        except UnicodeEncodeError:  # half of a letter, from an undecodable byte
            raise OptionError(
                f"{self._name(path)}: a text has letters that cannot be written"
            ) from None
        except ValidationError as error:
            problem, _, at = str(error).partition(" - at ")
            for step in re.findall(r"\.(\w+)|\[(\d+)\]|\[\.\.\.\]", at):
                path, info, value = _follow(step, path, info, value)
            missing = re.fullmatch(r"Object missing required field `(\w+)`", problem)
            if missing is not None:
                raise OptionError(f"{self._name((*path, missing[1]))} is missing") from None
            bound = re.fullmatch(r"Expected `.+` (>=|<=|>|<) (\S+)", problem)
            if bound is None:
                raise self.refused(info, value, path) from None
            limit = f"{_BOUNDS[bound[1]]} {bound[2].removesuffix('.0')}"
            raise self._must_be(limit, value, path) from None

    def refused(self, info: inspect.Type, value: object, path: tuple[str, ...]) -> OptionError:
        """The error for a value of the wrong type, with a similar choice if there is one."""
        wanted = _described(info)
        choices = _choices(info)
        near = closest_name(value, choices) if isinstance(value, str) else None
        return self._must_be(wanted, value, path, f"; did you mean '{near}'?" if near else "")

    def _must_be(
        self, wanted: str, value: object, path: tuple[str, ...], hint: str = ""
    ) -> OptionError:
        """The error that says what the value at a path must be, as in "a whole number", and what it
        is; ``hint`` is added at the end."""
        try:
            shown = repr(value)
        except (RecursionError, ValueError):  # nested too deeply, or a number of very many digits
            shown = f"a {type(value).__name__}"
        if len(shown) > _SHOWN:
            shown = shown[:_SHOWN] + "…"
        return OptionError(f"{self._name(path)} must be {wanted}, not {shown}{hint}")

    def _name(self, path: tuple[str, ...]) -> str:
        """How an error names the value at this path of fields."""
        return (self.where + ".".join(path)).rstrip(": ") or "it"


def _follow(
    step: tuple[str, str], path: tuple[str, ...], info: inspect.Type, value: Any
) -> tuple[tuple[str, ...], inspect.Type, Any]:
    """Follow one step of the path in a msgspec error and return the path, type and value there.

    ``step`` is (name, "") for a field, ("", index) for an item of a list, or two empty texts for a
    value of a mapping. Only a field makes the path longer. For a mapping the value stays the whole
    mapping, because the error does not say which of its values is meant.
    """
    info = _inner_type(info)
    name, index = step
    if name and isinstance(info, Object):
        field = next(field for field in info.fields if field.encode_name == name)
        default = None if field.default is NODEFAULT else field.default
        return (*path, name), field.type, value.get(name, default)
    if index and isinstance(info, Array):
        return path, _item(info, int(index)), value[int(index)]
    if isinstance(info, inspect.DictType):  # which of its values it is, the text does not say
        return path, info.value_type, value
    return path, info, value


def _inner_type(info: inspect.Type) -> inspect.Type:
    """The type inside: without the metadata around it (such as bounds) and without an optional
    None."""
    if isinstance(info, inspect.Metadata):
        return _inner_type(info.type)
    if isinstance(info, inspect.UnionType):
        others = [one for one in info.types if not isinstance(one, inspect.NoneType)]
        return _inner_type(others[0]) if len(others) == 1 else inspect.UnionType(tuple(others))
    return info


def _item(info: Array, index: int) -> inspect.Type:
    """The type of an item of a list or tuple. Items beyond the end of a tuple, which are refused
    later, have the type of its last."""
    if isinstance(info, inspect.TupleType):
        return info.item_types[min(index, len(info.item_types) - 1)]
    return info.item_type


def _from_text(text: str, info: inspect.Type) -> object:
    """The number or switch that a text stands for, as the type asks; the text itself if it is
    neither."""
    if isinstance(info, inspect.BoolType):
        return SWITCHES.get(text.lower(), text)
    if not isinstance(info, inspect.IntType | inspect.FloatType):
        return text
    try:
        return int(text) if isinstance(info, inspect.IntType) else float(text)
    except ValueError:
        return text


def _choices(info: inspect.Type) -> list[str]:
    """The values of a ``Literal`` or an enumeration as texts; empty for any other type."""
    info = _inner_type(info)
    if isinstance(info, inspect.LiteralType):
        return [str(value) for value in info.values]
    if isinstance(info, inspect.EnumType):
        return [str(member.value) for member in info.cls]
    return []


def _described(info: inspect.Type) -> str:
    """The values that a type allows, in words that follow "must be"."""
    info = _inner_type(info)
    if isinstance(info, inspect.LiteralType | inspect.EnumType):
        return "one of " + ", ".join(f'"{choice}"' for choice in _choices(info))
    if isinstance(info, inspect.UnionType):
        return " or ".join(_described(one) for one in info.types)
    if isinstance(info, Array):
        return "a list" + _PLURALS.get(type(_inner_type(_item(info, 0))), "")
    if isinstance(info, Object | inspect.DictType):
        return "a group of names with values"
    if isinstance(info, inspect.CustomType):
        return f"a {info.cls.__name__}"
    words: dict[type, str] = {
        inspect.IntType: "a whole number",
        inspect.FloatType: "a number",
        inspect.BoolType: "true or false",
        inspect.StrType: "a text in quotes",
        inspect.NoneType: "None",
    }
    return words.get(type(info), "something else")
