"""The agents of every game that is compiled before it is played."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from fogtree.agents.protocol import Agent


def search_agent(settings: Mapping[str, str] | None = None) -> Agent:
    """The search, which has a module of its own."""
    from fogtree.search.compiled import CompiledSearchAgent  # noqa: PLC0415 - few tables need it
    from fogtree.search.spec import compiled_settings  # noqa: PLC0415

    return CompiledSearchAgent(compiled_settings(settings or {}))


AGENTS: dict[str, Callable[[], Agent]] = {"search": search_agent}
THINKERS: dict[str, str] = {"search": "takes its time for every decision"}
FOR_TWO: dict[str, str] = {"search": "is for two players"}
WITH_SETTINGS: dict[str, Callable[[Mapping[str, str]], Agent]] = {"search": search_agent}
