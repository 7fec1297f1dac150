"""Manifests of saved runs: typed records, read from and written to JSON."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Annotated, Any, ClassVar

from msgspec import UNSET, Meta, Struct, UnsetType, to_builtins

from fogtree.errors import FileFormatError
from fogtree.runs.limits import Every, Limits

FORMAT = 2
"""The format in which manifests are written. Those of format 1 have no digest."""
DIGEST = "digest"
"""In a manifest's JSON: the hash of everything else in it."""

Seconds = Annotated[float, Meta(ge=0, lt=1e300)]
Count = Annotated[int, Meta(ge=0)]


class Manifest(Struct, kw_only=True, tag_field="fogtree"):
    """The fields of every run's manifest; each kind of run adds a tag and fields of its own.

    ``state`` is the name of the state file that belongs to it.
    """

    progress: ClassVar[tuple[str, ...]] = ("state", "iteration")
    """Fields that change while a run goes on."""

    game: str
    state: str
    iteration: Count

    @classmethod
    def fingerprint_of(cls, content: Mapping[str, Any]) -> str:
        """A hash of everything in a manifest's JSON that stays the same for a whole run."""
        return _hash(cls.unchanging(content))

    @classmethod
    def unchanging(cls, content: Mapping[str, Any]) -> dict[str, Any]:
        """The part of a manifest's JSON that stays the same for a whole run."""
        changing = (*cls.progress, DIGEST)
        return {name: value for name, value in content.items() if name not in changing}

    def content(self) -> dict[str, Any]:
        """The manifest as a JSON object, with the version of the format and the digest."""
        fields: dict[str, Any] = to_builtins(self)
        kind = fields.pop("fogtree")
        return with_digest({"fogtree": kind, "version": FORMAT, **fields})


def with_digest(content: Mapping[str, Any]) -> dict[str, Any]:
    """A manifest's JSON with the digest of its content."""
    others = {name: value for name, value in content.items() if name != DIGEST}
    return {**others, DIGEST: _hash(others)}


def check_digest(content: Mapping[str, Any], where: str) -> None:
    """Refuse a manifest that was edited since it was written; ``where`` names it in the error."""
    if DIGEST not in content and content["version"] < FORMAT:
        return
    if content.get(DIGEST) != with_digest(content)[DIGEST]:
        raise FileFormatError(
            f"{where} was changed or damaged since it was saved; undo the change, or start a new "
            "run (resume has options for other limits)"
        )


def _hash(content: Mapping[str, Any]) -> str:
    """A hash of a JSON object, whatever the order of its names."""
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()[:32]


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
