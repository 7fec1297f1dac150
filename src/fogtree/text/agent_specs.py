"""How an agent is written down: a name, ``name:argument`` or ``name(setting=value, …)``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from fogtree.errors import OptionError


@dataclass(frozen=True, slots=True)
class AgentSpec:
    """An agent's name with its argument or its settings."""

    name: str
    argument: str = ""
    settings: Mapping[str, object] = field(default_factory=dict)

    def __str__(self) -> str:
        if self.settings:
            inner = ", ".join(f"{key}={value}" for key, value in self.settings.items())
            return f"{self.name}({inner})"
        return f"{self.name}:{self.argument}" if self.argument else self.name


def read_spec(text: str) -> AgentSpec:
    """Read ``belief-vote``, ``belief-vote:simple`` or ``search(time=0.5, threads=2)``."""
    name, bracket, rest = text.partition("(")
    if not bracket or ":" in name:
        name, _, argument = text.partition(":")
        return AgentSpec(name, argument)
    if not rest.endswith(")"):
        raise OptionError(f"'{text}' has no closing bracket")
    settings: dict[str, str] = {}
    for part in rest[:-1].split(","):
        key, equals, value = (word.strip() for word in part.partition("="))
        if not (key and equals and value) or key in settings:
            raise OptionError(f"'{text}' needs settings like name=value, each once")
        settings[key] = value
    return AgentSpec(name.strip(), settings=settings)


def split_specs(text: str) -> list[str]:
    """Split a list of agents at its commas, but not at commas between brackets."""
    parts, depth = [""], 0
    for letter in text:
        depth += (letter == "(") - (letter == ")")
        if letter == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += letter
    return [part.strip() for part in parts]
