"""The options of the search algorithm, and presets of them.

Zhang & Sandholm, "General search techniques without common knowledge for imperfect-information
games, and application to superhuman Fog of War chess" (2025): the preset ``paper``.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Annotated, Any, Literal, TypeAlias

from msgspec import Meta

from fogtree import _core
from fogtree.errors import UnknownNameError
from fogtree.text.sizes import Size
from fogtree.text.validation import Count, NotNegative, check_fields, checked

_MAX_32, _MAX_64 = 2**31 - 1, 2**63 - 1


def _read_order(text: str) -> int | str:
    """An order of knowledge as it is written: 0 for infinity; other text is returned unchanged, to
    be read as a number."""
    return 0 if text.lower() in ("inf", "infinity") else text


Order: TypeAlias = Annotated[int, Meta(ge=0, le=_MAX_32, extra={"read": _read_order})]
LargeCount: TypeAlias = Annotated[int, Meta(ge=0, le=_MAX_64)]
SmallCount: TypeAlias = Annotated[int, Meta(ge=0, le=_MAX_32)]
SmallPositive: TypeAlias = Annotated[int, Meta(ge=1, le=_MAX_32)]


@dataclass(frozen=True, slots=True)
class SearchOptions:
    """The options of the search algorithm."""

    knowledge: Order = 2
    """Order k of the knowledge that is kept between moves; 0 (or the text "inf") is infinity."""
    frozen: bool = False
    """Own information sets that differ from the actual one are not solved again: they keep the
    strategy of the last search, and new ones their first strategy."""
    sample: SmallPositive = 256
    """Least number of possible positions in the subgame, if there are so many. Those that the last
    tree does not have are drawn, and take part once the growing tree has opened them."""
    gifts: bool = True
    """Lower the alternate values by the opponent's gifts: what its mistakes have cost it."""
    uniform_prior: bool = False
    """The prior of Resolve ignores how likely the opponent was to come here."""
    resolve: bool = True
    """Use the half of the root gadget that lets the opponent decline the subgame."""
    maxmargin: bool = True
    """Use the half of the root gadget that maximises the margin once the subgame is safe."""
    tolerance: NotNegative = 1e-3
    """Least gain for which the opponent enters a subgame, in values from −1 to 1. Without it an
    indifferent opponent might enter, and no subgame would count as safe."""
    minimizer: Literal["pcfr_plus", "cfr_plus"] = "pcfr_plus"
    """The regret minimizer: predictive regret matching⁺, or regret matching⁺ with discount."""
    pruning: bool = True
    """Skip subtrees that the other player's current strategy does not reach."""
    answer: Literal["last", "average"] = "last"
    """Which strategy is played: of the last iteration, or the average of all."""
    start: Literal["best", "proportional", "uniform"] = "best"
    """The first strategy of a new information set."""
    exploration: Literal["puct", "policy"] = "puct"
    """How an exploring player chooses: half from the strategy's support and half by value, variance
    and visits, or by the strategy's probability and visits."""
    exploration_constant: NotNegative = 1.0
    two_sided: bool = False
    """Both players explore in the same walk instead of in turn."""
    focus: bool = False
    """Our exploring walks begin only at positions that are possible for us, not also at those that
    only the opponent considers possible."""
    purification: Literal["stable", "argmax", "none"] = "stable"
    """How a mix is reduced before it is played: to stable actions if the subgame is safe and else
    to the likeliest action, always to the likeliest action, or not at all."""
    most_actions: SmallPositive = 3
    """Most actions that a purified mix may keep."""
    iterations_per_expansion: SmallCount = 0
    """Iterations of the solver per expansion in a single thread; 0: divide by ``solving``."""
    solving: Annotated[float, Meta(gt=0, lt=1)] = 0.5
    """The solver's share of a single thread."""
    most_nodes: LargeCount = 0
    """Most nodes of the tree; 0: no bound."""
    most_carried: LargeCount = 200_000
    """Most nodes that are kept for the next search, since copying them takes time; 0: no bound."""
    most_roots: SmallCount = 1024
    """Most positions of the last tree with which a subgame begins, drawn by how likely they are;
    each is possible for us, or for the opponent in a position that is. 0: all."""
    most_bytes: Size = 0
    """Most memory of the tree and, at the start of a search, of the nodes kept from the last tree.
    Once it is used up the tree stops growing, and the solver continues; 0: no bound."""
    seed: Count = 0

    def __post_init__(self) -> None:
        """Refuse values of the wrong type or range."""
        check_fields(self, "search option ")

    def native(self) -> _core.SearchOptions:
        """The same options for the native search."""
        out = _core.SearchOptions()
        for field in fields(self):
            value = getattr(self, field.name)
            kind = _CHOICES.get(field.name)
            setattr(out, field.name, value if kind is None else kind[value])
        return out


_CHOICES: dict[str, Any] = {
    "minimizer": _core.SearchMinimizer,
    "answer": _core.SearchAnswer,
    "start": _core.SearchStart,
    "exploration": _core.SearchExploration,
    "purification": _core.SearchPurification,
}

PRESETS: dict[str, SearchOptions] = {
    "paper": SearchOptions(),
    "focus": SearchOptions(focus=True, sample=2048),
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
"""Options by the name of a preset."""


def search_options(preset: str = "paper", **changes: Any) -> SearchOptions:
    """A preset with some options replaced; a value may be a text, as in ``knowledge="inf"``."""
    if preset not in PRESETS:
        raise UnknownNameError("search preset", preset, PRESETS)
    return checked(
        changes,
        SearchOptions,
        "search option ",
        base=PRESETS[preset],
        texts=True,
        unknown="search option",
    )
