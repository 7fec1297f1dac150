"""Manifests of saved runs: typed records, read from and written to JSON."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Annotated, Any, ClassVar

from msgspec import UNSET, Meta, Struct, UnsetType

from fogtree.runs.limits import Every, Limits

Seconds = Annotated[float, Meta(ge=0, lt=1e300)]
Count = Annotated[int, Meta(ge=0)]


class Manifest(Struct, kw_only=True, tag_field="fogtree"):
    """The fields of every run's manifest; each kind of run adds a tag and fields of its own.

    ``state`` is the name of the state file that belongs to it.
    """

    progress: ClassVar[tuple[str, ...]] = ("state", "iteration")
    """Fields that change while a run goes on."""

    version: int = 1
    game: str
    state: str
    iteration: Count

    @classmethod
    def fingerprint_of(cls, content: Mapping[str, Any]) -> str:
        """A hash of everything in a manifest's JSON that stays the same for a whole run."""
        text = json.dumps(cls.unchanging(content), sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()[:32]

    @classmethod
    def unchanging(cls, content: Mapping[str, Any]) -> dict[str, Any]:
        """The part of a manifest's JSON that stays the same for a whole run."""
        return {name: value for name, value in content.items() if name not in cls.progress}


class Goal(Struct):
    """The limits of a saved run, so that it can be resumed without repeating them."""

    iterations: int | None = None
    until: float | None = None
    seconds: float | None = None
    every: int | None = None
    memory: int | UnsetType | None = UNSET

    @classmethod
    def of(cls, limits: Limits, memory: int | UnsetType | None = UNSET) -> Goal:
        """The goal of a run with these limits; a schedule of the user's own is not saved."""
        every = limits.every if isinstance(limits.every, int) else None
        return cls(limits.iterations, limits.until, limits.seconds, every, memory)

    def limits(
        self,
        iterations: int | None = None,
        until: float | None = None,
        seconds: float | None = None,
        every: Every | None = None,
    ) -> Limits:
        """The given limits, or the saved ones if none is given. ``every`` is no limit but the
        iterations between two measurements: without it the saved number holds."""
        if iterations is None and until is None and seconds is None:
            iterations, until, seconds = self.iterations, self.until, self.seconds
        return Limits(iterations, until, seconds, self.every if every is None else every)
