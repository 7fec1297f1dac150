"""Manifests of saved runs: typed records, read from and written to JSON."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

Seconds = Annotated[float, Meta(ge=0, lt=1e300)]
Count = Annotated[int, Meta(ge=0)]


class Manifest(Struct, kw_only=True, tag_field="fogtree"):
    """What the manifest of every run says; a kind of run adds its tag and fields of its own.

    ``state`` is the name of the state file that belongs to it.
    """

    version: int = 1
    game: str
    state: str
    iteration: int
