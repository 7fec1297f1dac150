"""The settings of a chess search agent by name, as in ``search(time=0.5, threads=2, knowledge=3)``.

Every choice of :class:`~fogtree.search.options.SearchOptions` has its own name; beside those there
are ``evaluator``, ``preset``, ``time`` (seconds), ``nodes``, ``steps``, ``clock`` (``60+0.5``),
``threads``, ``memory`` (bytes, or with a letter as in ``512M``), ``cap`` (positions of the belief)
and ``ponder``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, replace
from typing import Any

from fogtree.errors import OptionError, UnknownNameError
from fogtree.fogchess.belief import BeliefLimits
from fogtree.search.agent import Budget
from fogtree.search.clock import Clock
from fogtree.search.fog_chess import FogSearchSettings
from fogtree.search.options import SearchOptions, search_options

_OWN = (
    "evaluator",
    "preset",
    "time",
    "nodes",
    "steps",
    "clock",
    "threads",
    "memory",
    "cap",
    "ponder",
)
_UNITS = {"K": 1 << 10, "M": 1 << 20, "G": 1 << 30}


def read_memory(text: str) -> int:
    """Bytes from ``1000000``, ``500K``, ``512M`` or ``2G``; 0 is no bound."""
    unit = _UNITS.get(text[-1:].upper(), 1)
    try:
        size = float(text[:-1] if unit > 1 else text)
    except ValueError:
        size = -1.0
    if not 0 <= size < 2**40:
        raise OptionError(f"memory is written like 512M, not '{text[:40]}'")
    return int(size * unit)


def search_settings(values: Mapping[str, str]) -> FogSearchSettings:
    """One thread unless it says otherwise, because games run side by side."""
    choices = {field.name: field for field in fields(SearchOptions)}
    for name in values:
        if name not in _OWN and (name not in choices or name == "most_bytes"):
            known = [*_OWN, *(c for c in choices if c != "most_bytes")]
            raise UnknownNameError("setting of the search", name, known)
    changes = {
        name: _typed(name, values[name], choices[name].default)
        for name in values
        if name not in _OWN
    }
    if "memory" in values:
        changes["most_bytes"] = read_memory(values["memory"])
    limited = [name for name in ("time", "nodes", "steps") if name in values]
    budget = (
        Budget(
            seconds=_typed("time", values.get("time", "0"), 0.0),
            nodes=_typed("nodes", values.get("nodes", "0"), 0),
            steps=_typed("steps", values.get("steps", "0"), 0),
        )
        if limited
        else Budget(seconds=1.0)
    )
    limits = BeliefLimits(threads=1)
    if "cap" in values:
        limits = replace(limits, cap=_typed("cap", values["cap"], 0))
    return FogSearchSettings(
        evaluator=values.get("evaluator", "simple"),
        options=search_options(values.get("preset", "paper"), **changes),
        budget=budget,
        own_budget=bool(limited),
        clock=Clock.read(values["clock"]) if "clock" in values else None,
        limits=limits,
        threads=_typed("threads", values.get("threads", "1"), 1),
        ponder=_typed("ponder", values.get("ponder", "false"), False),
    )


def _typed(name: str, text: str, like: Any) -> Any:
    """A text as a value of the same kind as another one."""
    if isinstance(like, bool):
        if text not in ("true", "false"):
            raise OptionError(f"{name} must be true or false, not '{text[:40]}'")
        return text == "true"
    if isinstance(like, int | float):
        try:
            return type(like)(text)
        except ValueError:
            raise OptionError(f"{name} must be a number, not '{text[:40]}'") from None
    return text
