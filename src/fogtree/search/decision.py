"""What a search found: the mix it plays, and all that it can say about why."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from fogtree import _core
from fogtree.agents.protocol import Decision

_NUMBERS = (
    "nodes",
    "infosets",
    "iterations",
    "steps",
    "depth",
    "seconds",
    "bytes",
    "carried_nodes",
    "carried_infosets",
    "sampled",
    "touched",
    "full",
    "stopped",
)


@dataclass(frozen=True, slots=True)
class Candidate:
    """One action: as played, as the solver has it, its value in payoffs, how often it was tried."""

    action: str
    probability: float
    strategy: float
    value: float
    visits: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchDecision(Decision):
    """What the agent would do, and why. ``mix`` has the actions that may be played, ``values`` all
    of them; ``stats`` repeats the numbers below for whoever knows a plain decision only."""

    candidates: tuple[Candidate, ...]
    """Every action with its probability, value and visits."""
    value: float
    """What we expect, in payoffs."""
    p_max: float
    """How much some information set of the opponent would like to enter the subgame."""
    safe: bool
    """``p_max`` is 0: no information set of the opponent gains by the new strategy."""
    belief_size: int | None
    """Positions that we cannot rule out, where they can be counted; ``belief`` tells more."""
    nodes: int
    infosets: int
    iterations: int
    steps: int
    depth: int
    seconds: float
    bytes: int
    carried_nodes: int
    """Nodes of the last search's tree that this one began with."""
    carried_infosets: int
    sampled: int
    """Positions of the belief that the last tree did not have."""
    touched: int
    """Nodes that the solver walked over, all iterations together."""
    full: bool
    """A bound on nodes or memory was reached, and the tree grew no further."""
    stopped: bool
    """Somebody ended the search before its budget was spent."""
    cover: tuple[int, ...]
    """Nodes that each order of knowledge keeps, the first order first."""


def possible_shares(roots: Sequence[_core.RootPosition]) -> list[float]:
    """How likely each position at the root is for us: half by the strategies of the last search,
    half all alike, which is how the search itself weighs the opponent's information sets."""
    possible = [row for row in roots if row.possible]
    total = sum(row.earlier_reach for row in possible)
    even = 1 / max(len(possible), 1)
    return [
        (0.5 * (even + row.earlier_reach / total) if total > 0 else even) if row.possible else 0.0
        for row in roots
    ]


def search_decision(
    raw: _core.SearchResult,
    names: Sequence[str],
    chosen: str,
    *,
    belief: object,
    belief_size: int | None,
    scale: float = 1.0,
    allowed: Collection[str] = (),
    more: Mapping[str, float] | None = None,
) -> SearchDecision:
    """A native search's answer, with the names of its actions. An answer without actions, because
    the budget was too small to get there, is every action of ``names`` alike. Where only some are
    ``allowed`` and the choice is none of them, it is the best of those."""
    found = raw.candidates
    if found:
        candidates = tuple(
            Candidate(name, c.probability, c.strategy, c.value * scale, c.visits)
            for name, c in zip(names, found, strict=True)
        )
    else:
        share = 1.0 / len(names)
        candidates = tuple(Candidate(name, share, share, 0.0, 0) for name in names)
    if allowed and chosen not in allowed:
        rank = {c.action: (c.probability, c.value) for c in candidates}
        chosen = max(allowed, key=lambda name: rank.get(name, (0.0, -math.inf)))
        candidates = tuple(replace(c, probability=float(c.action == chosen)) for c in candidates)
    numbers = {name: getattr(raw, name) for name in _NUMBERS}
    value = raw.value * scale
    return SearchDecision(
        action=chosen,
        mix={c.action: c.probability for c in candidates if c.probability > 0},
        values={c.action: c.value for c in candidates},
        belief=belief,
        stats={
            "value": value,
            "p_max": raw.p_max,
            **({} if belief_size is None else {"belief_size": belief_size}),
            **numbers,
            **(more or {}),
        },
        candidates=candidates,
        value=value,
        p_max=raw.p_max,
        safe=raw.safe,
        belief_size=belief_size,
        cover=tuple(raw.cover),
        **numbers,
    )
