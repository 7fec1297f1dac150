"""The settings of a search agent by name, as in ``search(time=0.5, threads=2, knowledge=3)``.

Every choice of :class:`~fogtree.search.options.SearchOptions` has its own name; beside those there
are ``preset``, ``time`` (seconds), ``nodes``, ``steps``, ``threads`` and ``memory`` (bytes, or with
a letter as in ``512M``) and ``clock`` (``60+0.5``), for chess and Cambia ``evaluator`` and
``ponder``, and for chess ``cap`` (positions of the belief).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields

from fogtree.agents.budget import Budget
from fogtree.errors import OptionError, UnknownNameError
from fogtree.search.agent import usual_threads
from fogtree.search.options import SearchOptions, read_like, read_option, search_options

SHARED = ("preset", "time", "nodes", "steps", "threads", "memory")
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


@dataclass(frozen=True, slots=True)
class Shared:
    """What the search takes in every game. ``budget`` is None if nothing is said about it."""

    options: SearchOptions
    budget: Budget | None
    threads: int


def shared_settings(
    values: Mapping[str, str], own: Sequence[str] = (), preset: str = "paper"
) -> Shared:
    """Read what is known in every game, and refuse what is neither that nor a game's ``own``; where
    no preset is named it is that one."""
    defaults = {field.name: field.default for field in fields(SearchOptions)}
    del defaults["most_bytes"]
    known = [*own, *SHARED, *defaults]
    for name in values:
        if name not in known:
            raise UnknownNameError("setting of the search", name, known)
    changes = {name: read_option(name, text) for name, text in values.items() if name in defaults}
    if "memory" in values:
        changes["most_bytes"] = read_memory(values["memory"])
    budget = None
    if any(name in values for name in ("time", "nodes", "steps")):
        budget = Budget(
            seconds=read_like(0.0, "time", values.get("time", "0")),
            nodes=read_like(0, "nodes", values.get("nodes", "0")),
            steps=read_like(0, "steps", values.get("steps", "0")),
        )
    return Shared(
        options=search_options(values.get("preset", preset), **changes),
        budget=budget,
        threads=read_like(1, "threads", values["threads"])
        if "threads" in values
        else usual_threads(),
    )
