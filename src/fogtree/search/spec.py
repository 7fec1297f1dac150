"""The settings of a search agent by name, as in ``search(time=0.5, threads=2, knowledge=3)``.

Every choice of :class:`~fogtree.search.options.SearchOptions` has its own name; beside those there
are ``preset``, ``time`` (seconds), ``nodes``, ``steps``, ``threads`` and ``memory`` (bytes, or with
a letter as in ``512M``) and ``clock`` (``60+0.5``), for chess and Cambia ``evaluator`` and
``ponder``, and for chess ``cap`` (positions of the belief).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace

from fogtree.agents.clock import Clock
from fogtree.errors import OptionError, UnknownNameError
from fogtree.games.cambia.search import CambiaSearchSettings
from fogtree.games.fog_chess.belief import BeliefLimits
from fogtree.games.fog_chess.search import CHESS_PRESET, FogSearchSettings
from fogtree.search.agent import Budget, usual_threads
from fogtree.search.compiled import CompiledSearchSettings
from fogtree.search.options import SearchOptions, read_like, read_option, search_options

SHARED = ("preset", "time", "nodes", "steps", "threads", "memory")
CHESS = ("evaluator", "clock", "cap", "ponder")
CAMBIA = ("evaluator", "clock", "ponder")
COMPILED = ("clock",)
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


def chess_settings(values: Mapping[str, str]) -> FogSearchSettings:
    """All settings of the search on Fog-of-War chess."""
    shared = shared_settings(values, CHESS, CHESS_PRESET)
    limits = BeliefLimits(threads=1 if shared.threads == 1 else 0)
    if "cap" in values:
        limits = replace(limits, cap=read_like(0, "cap", values["cap"]))
    return FogSearchSettings(
        evaluator=values.get("evaluator", "simple"),
        options=shared.options,
        budget=shared.budget or Budget(seconds=1.0),
        own_budget=shared.budget is not None,
        clock=Clock.read(values["clock"]) if "clock" in values else None,
        limits=limits,
        threads=shared.threads,
        ponder=read_like(False, "ponder", values.get("ponder", "false")),
    )


def cambia_settings(values: Mapping[str, str]) -> CambiaSearchSettings:
    """All settings of the search on Cambia."""
    shared = shared_settings(values, CAMBIA)
    return CambiaSearchSettings(
        evaluator=values.get("evaluator", CambiaSearchSettings().evaluator),
        options=shared.options,
        budget=shared.budget or CambiaSearchSettings().budget,
        own_budget=shared.budget is not None,
        clock=Clock.read(values["clock"]) if "clock" in values else None,
        threads=shared.threads,
        ponder=read_like(False, "ponder", values.get("ponder", "false")),
    )


def compiled_settings(values: Mapping[str, str]) -> CompiledSearchSettings:
    """All settings of the search on compiled games."""
    shared = shared_settings(values, COMPILED)
    return CompiledSearchSettings(
        options=shared.options,
        budget=shared.budget or CompiledSearchSettings().budget,
        own_budget=shared.budget is not None,
        clock=Clock.read(values["clock"]) if "clock" in values else None,
        threads=shared.threads,
    )
