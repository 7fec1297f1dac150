"""Every choice of the search by name, and the ready-made sets of choices.

Zhang & Sandholm, "General search techniques without common knowledge for imperfect-information
games, and application to superhuman Fog of War chess" (2025): the preset ``paper``.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import Any, Literal

from fogtree import _core
from fogtree.errors import OptionError, UnknownNameError


@dataclass(frozen=True, slots=True)
class SearchOptions:
    """What the search does; each field can be changed alone."""

    knowledge: int = 2
    """Order k of the knowledge that is kept between moves; 0 stands for infinity."""
    frozen: bool = False
    """Nothing is learnt at own information sets off the actual one: they keep their old strategy,
    new ones the first they had."""
    sample: int = 256
    """So many possible positions are in the subgame at the least."""
    gifts: bool = True
    """Alternate values are lowered by what the opponent gave away."""
    uniform_prior: bool = False
    """Resolve's prior ignores how likely the opponent was to come here."""
    resolve: bool = True
    """The half of the root gadget that lets the opponent stay away."""
    maxmargin: bool = True
    """The half that gives as much as possible once all is safe."""
    tolerance: float = 1e-3
    """The opponent enters a subgame only if it gains more than this there; in values from −1 to 1.
    Without it an opponent to whom it is all the same may stay, and nothing ever counts as safe."""
    minimizer: Literal["pcfr_plus", "cfr_plus"] = "pcfr_plus"
    pruning: bool = True
    """What the other player's strategy never leads to is not walked."""
    answer: Literal["last", "average"] = "last"
    start: Literal["best", "proportional", "uniform"] = "best"
    """The first strategy of a new information set."""
    exploration: Literal["puct", "policy"] = "puct"
    exploration_constant: float = 1.0
    two_sided: bool = False
    """Both players explore at once, instead of in turn."""
    focus: bool = False
    """When it is our turn to explore we begin where we may be, not also where only the opponent
    thinks that we may be."""
    purification: Literal["stable", "argmax", "none"] = "stable"
    most_actions: int = 3
    """That a purified mix may keep."""
    iterations_per_expansion: int = 0
    """With one thread; 0 shares the thread out by ``solving``."""
    solving: float = 0.5
    """The solver's share of a single thread."""
    most_nodes: int = 0
    """The tree grows no further; 0: no bound."""
    most_carried: int = 200_000
    """Nodes that are kept from one search to the next, for copying them takes time; 0: no bound."""
    most_roots: int = 1024
    """Positions, possible for us or for somebody who is, that a subgame is begun with from the last
    tree; which ones is drawn, by how likely they are. 0: all of them."""
    most_bytes: int = 0
    """Memory for the tree, and while a move begins for what is kept of the last one too. When it is
    used up the tree grows no further, and the solver goes on; 0: no bound."""
    seed: int = 0

    def __post_init__(self) -> None:
        for name, least in (
            ("knowledge", 0),
            ("sample", 1),
            ("tolerance", 0),
            ("exploration_constant", 0),
            ("most_actions", 1),
            ("iterations_per_expansion", 0),
            ("most_nodes", 0),
            ("most_carried", 0),
            ("most_roots", 0),
            ("most_bytes", 0),
            ("seed", 0),
        ):
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, int | float) or not value >= least:
                raise OptionError(f"search option {name} must be at least {least}, not {value!r}")
        if not 0 < self.solving < 1:
            raise OptionError(f"search option solving must be between 0 and 1, not {self.solving}")
        for name, kind in _CHOICES.items():
            known = [member.name for member in kind]
            if getattr(self, name) not in known:
                raise UnknownNameError(f"search option {name}", str(getattr(self, name)), known)

    def native(self) -> _core.SearchOptions:
        out = _core.SearchOptions()
        for field in fields(self):
            value = getattr(self, field.name)
            kind = _CHOICES.get(field.name)
            setattr(out, field.name, value if kind is None else kind[value])
        return out


_SWITCHES = {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}


def read_option(name: str, text: str) -> Any:
    """The value of a search option as people write it: on, off, a number, ``inf`` for an order of
    knowledge, or one of its names."""
    if name == "knowledge" and text.lower() in ("inf", "infinity"):
        return 0
    default = {field.name: field.default for field in fields(SearchOptions)}[name]
    return read_like(default, f"search option {name}", text)


def read_like(other: Any, name: str, text: str) -> Any:
    """A text as a value of the same kind as another one."""
    if isinstance(other, bool):
        if text.lower() not in _SWITCHES:
            raise OptionError(f"{name} is on or off, not '{text[:40]}'")
        return _SWITCHES[text.lower()]
    if isinstance(other, int | float):
        try:
            return type(other)(text)
        except ValueError:
            raise OptionError(f"{name} is a number, not '{text[:40]}'") from None
    return text


_CHOICES: dict[str, Any] = {
    "minimizer": _core.SearchMinimizer,
    "answer": _core.SearchAnswer,
    "start": _core.SearchStart,
    "exploration": _core.SearchExploration,
    "purification": _core.SearchPurification,
}

PRESETS: dict[str, SearchOptions] = {
    "paper": SearchOptions(),
    "chess": SearchOptions(focus=True),
    "seed": SearchOptions(
        knowledge=3,
        minimizer="cfr_plus",
        answer="average",
        start="proportional",
        exploration="policy",
        purification="argmax",
        iterations_per_expansion=10,
    ),
}


def search_options(preset: str = "paper", **changes: Any) -> SearchOptions:
    """A preset with some choices replaced."""
    if preset not in PRESETS:
        raise UnknownNameError("search preset", preset, PRESETS)
    known = [field.name for field in fields(SearchOptions)]
    for name in changes:
        if name not in known:
            raise UnknownNameError("search option", name, known)
    return replace(PRESETS[preset], **changes)
