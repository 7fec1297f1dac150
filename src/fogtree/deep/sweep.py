"""Sweeps: several values of training options, each with several seeds, and what the runs reached.

A setting is ``key=value``, or ``section.key=value`` where several sections have the key. The runs
of a sweep are compared at their ends, and at the number of nodes that all of them reached.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from itertools import product
from typing import Any, cast, get_args

from fogtree.deep.config import TrainingMethod, TrainingOptions, uses
from fogtree.errors import OptionError, UnknownNameError
from fogtree.text.specs import read_value, split_specs

Tables = dict[str, dict[str, Any]]
Setting = tuple[str, str]
"""An option by section and key, and one of its values as it was written."""


def read_settings(texts: Iterable[str]) -> list[list[Setting]]:
    """The settings in texts such as ``regret.steps=50,100``: one list per option, with a setting
    for each of its values."""
    found: dict[str, list[Setting]] = {}
    for text in texts:
        key, equals, values = text.partition("=")
        if not equals or not values.strip():
            raise OptionError(f"cannot read --set {text!r}: write it like  key=value,value")
        name = option_name(key.strip())
        if name in found:
            raise OptionError(f"--set names {name} twice: write  {name}=value,value")
        found[name] = [(name, value) for value in dict.fromkeys(split_specs(values))]
    return list(found.values())


def option_name(key: str) -> str:
    """The name of an option with its section, ``regret.steps``, from that or from its key alone."""
    options = TrainingOptions()
    sections = {
        part.name: [option.name for option in fields(getattr(options, part.name))]
        for part in fields(options)
    }
    section, dot, rest = key.partition(".")
    if dot:
        if section not in sections:
            raise UnknownNameError("section", section, sorted(sections))
        if rest not in sections[section]:
            raise UnknownNameError(f"key in [{section}]", rest, sections[section])
        return key
    holding = [name for name, keys in sections.items() if key in keys]
    if not holding:
        known = sorted({one for keys in sections.values() for one in keys})
        raise UnknownNameError("training option", key, known)
    if len(holding) > 1:
        names = " or ".join(f"{name}.{key}" for name in holding)
        raise OptionError(f"several sections have '{key}': write {names}")
    return f"{holding[0]}.{key}"


def tables_of(settings: Iterable[Setting]) -> Tables:
    """Settings as nested tables of options."""
    out: Tables = {}
    for name, value in settings:
        section, _, key = name.partition(".")
        out.setdefault(section, {})[key] = read_value(value)
    return out


def grid(settings: Sequence[Sequence[Setting]], seeds: Sequence[int]) -> list[tuple[Setting, ...]]:
    """All combinations of the settings' values, each with every seed. Where methods are compared,
    each gets only the options that mean something to it."""
    by_seed = [[("run.seed", str(seed)) for seed in seeds]] if seeds else []
    combinations = list(product(*settings, *by_seed))
    methods = next((many for many in settings if many[0][0] == "run.method"), ())
    if len(methods) < 2 or any(method not in get_args(TrainingMethod) for _, method in methods):
        return combinations
    for many in settings:
        if not any(uses(cast(TrainingMethod, method), many[0][0]) for _, method in methods):
            raise OptionError(f"{many[0][0]} means nothing with the methods that are compared")
    return list(dict.fromkeys(_used(one, dict(one)["run.method"]) for one in combinations))


def _used(settings: tuple[Setting, ...], method: Any) -> tuple[Setting, ...]:
    """The settings that have an effect with a method."""
    return tuple(one for one in settings if uses(method, one[0]))


def short_names(settings: Sequence[Sequence[Setting]]) -> dict[str, str]:
    """A short name for each option that has several values in a sweep: its key, with the section
    only where two of these options have the same key."""
    names = [many[0][0] for many in settings if len(many) > 1]
    keys = [name.partition(".")[2] for name in names]
    return {
        name: key if keys.count(key) == 1 else name for name, key in zip(names, keys, strict=True)
    }


@dataclass(frozen=True, slots=True)
class Moment:
    """A measured exploitability (NashConv / 2, or a lower bound of it) in the course of a run."""

    nodes: int
    seconds: float
    exploitability: float


@dataclass(frozen=True, slots=True)
class SweepRun:
    """One finished run of a sweep."""

    settings: tuple[Setting, ...]
    iterations: int
    nodes: int
    seconds: float
    measured: tuple[Moment, ...]

    @classmethod
    def of(
        cls,
        settings: tuple[Setting, ...],
        document: Mapping[str, Any],
        lines: Iterable[Mapping[str, Any]],
    ) -> SweepRun:
        """A run from the JSON document that ``fogtree train --json`` prints, and the metrics of
        all its iterations."""
        moments = [
            Moment(line["nodes"], line["seconds"], line["exploitability"])
            for line in lines
            if line.get("exploitability") is not None
        ]
        end = document["nodes"], document["seconds"]
        if document["exploitability"] is not None:
            moments.append(Moment(*end, document["exploitability"]))
        return cls(settings, document["iterations"], *end, tuple(moments))

    def at(self, nodes: int) -> float | None:
        """The exploitability that was measured last before the run had visited more than ``nodes``
        nodes; None if there is none."""
        before = [moment for moment in self.measured if moment.nodes <= nodes]
        return before[-1].exploitability if before else None


@dataclass(frozen=True, slots=True)
class SweepRow:
    """Runs that differ by their seeds only; means over them."""

    settings: tuple[Setting, ...]
    runs: int
    seconds: float
    nodes: float
    final: tuple[float, ...]  # exploitability of each at its end; empty: not measured
    equal_nodes: int  # reached by all runs of the sweep
    at_equal_nodes: tuple[float, ...]


def sweep_rows(runs: Sequence[SweepRun]) -> list[SweepRow]:
    """The rows of a sweep's table, in the order of the runs."""
    groups: dict[tuple[Setting, ...], list[SweepRun]] = {}
    for run in runs:
        key = tuple(one for one in run.settings if one[0] != "run.seed")
        groups.setdefault(key, []).append(run)
    reached = min((run.nodes for run in runs), default=0)
    rows = []
    for key, many in groups.items():
        equal = [run.at(reached) for run in many]
        rows.append(
            SweepRow(
                settings=key,
                runs=len(many),
                seconds=sum(run.seconds for run in many) / len(many),
                nodes=sum(run.nodes for run in many) / len(many),
                final=tuple(run.measured[-1].exploitability for run in many if run.measured),
                equal_nodes=reached,
                at_equal_nodes=tuple(value for value in equal if value is not None),
            )
        )
    return rows
