"""The settings of a search agent as they are written: ``search(time=0.5, threads=2)``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated

from msgspec import Meta

from fogtree.agents.budget import Budget
from fogtree.agents.clock import Clock
from fogtree.errors import UnknownNameError
from fogtree.search.options import SearchOptions, search_options
from fogtree.text.sizes import Size
from fogtree.text.validation import NotNegative, checked, names_of

SHARED = ("preset", "time", "nodes", "steps", "clock", "threads", "memory", "temperature")
"""Names of the settings that every game has."""
MAX_THREADS = 256
_Work = Annotated[int, Meta(ge=0, le=10**18)]


@dataclass(frozen=True, slots=True)
class NamedSettings:
    """The settings beside the search options, as they are written; None if not given."""

    preset: str | None = None
    time: NotNegative | None = None
    nodes: _Work | None = None
    steps: _Work | None = None
    threads: Annotated[int, Meta(ge=1, le=MAX_THREADS)] | None = None
    memory: Size | None = None
    temperature: NotNegative | None = None
    clock: Annotated[Clock | None, Meta(extra={"read": Clock.read})] = None
    evaluator: str | None = None
    ponder: bool = False
    cap: Annotated[int, Meta(ge=0, le=2**63 - 1)] | None = None
    compile: bool = True

    @property
    def budget(self) -> Budget | None:
        """The agent's own budget; None if none is given."""
        if self.time is None and self.nodes is None and self.steps is None:
            return None
        return Budget(seconds=self.time or 0.0, nodes=self.nodes or 0, steps=self.steps or 0)


def read_named(
    values: Mapping[str, object], own: Sequence[str] = (), preset: str = "paper"
) -> tuple[NamedSettings, SearchOptions]:
    """Split settings by name into those of the agent and those of the algorithm, and check both;
    values have their types or are texts. ``own`` are the optional settings that this game has;
    ``preset`` is used if none is named."""
    options = [name for name in names_of(SearchOptions) if name != "most_bytes"]
    known = [*own, *SHARED, *options]
    for name in values:
        if name not in known:
            raise UnknownNameError("setting of the search", name, known)
    beside = {name: value for name, value in values.items() if name not in options}
    changes = {name: value for name, value in values.items() if name in options}
    named = checked(beside, NamedSettings, texts=True)
    if named.memory is not None:
        changes["most_bytes"] = named.memory
    return named, search_options(named.preset or preset, **changes)
