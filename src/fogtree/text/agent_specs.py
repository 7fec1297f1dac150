"""How an agent is written down: a name, ``name:option`` or ``name(setting=value, …)``."""

from __future__ import annotations

from dataclasses import dataclass, field

from fogtree.errors import OptionError


@dataclass(frozen=True, slots=True)
class AgentSpec:
    """The parts of what was written."""

    name: str
    option: str = ""
    settings: dict[str, str] = field(default_factory=dict)


def read_spec(text: str) -> AgentSpec:
    """``belief-vote``, ``belief-vote:simple`` or ``search(time=0.5, threads=2)``."""
    name, bracket, rest = text.partition("(")
    if not bracket or ":" in name:
        name, _, option = text.partition(":")
        return AgentSpec(name, option)
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
    """Agents separated by commas; those between brackets separate settings."""
    parts, depth = [""], 0
    for letter in text:
        depth += (letter == "(") - (letter == ")")
        if letter == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += letter
    return [part.strip() for part in parts]
