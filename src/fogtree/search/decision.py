"""The decision of a search: the mix it plays, and the numbers behind it."""

from __future__ import annotations

import math
import random
from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from fogtree import _core
from fogtree.agents.protocol import Decision
from fogtree.game import Action
from fogtree.results import Drawn
from fogtree.text.amounts import duration, short_number

_COUNTERS = (
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
)
_NUMBERS = (*_COUNTERS, "full", "stopped", "wins_at_once")


@dataclass(frozen=True, slots=True)
class Candidate:
    """One action: the probability with which it is played, its probability in the solver's
    strategy, its value in payoffs, and how often it was visited."""

    action: str
    probability: float
    strategy: float
    value: float
    visits: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchDecision(Drawn, Decision):
    """A decision with the numbers of its search. ``mix`` has the actions that may be played,
    ``values`` has all of them; ``stats`` repeats the numbers below for readers of a plain
    :class:`Decision`."""

    drawing: ClassVar[str] = "fogtree.report.notebook:decision_html"

    candidates: tuple[Candidate, ...]
    """Every action with its probability, value and visits."""
    value: float
    """Our expected payoff; NaN if nothing was searched."""
    p_max: float
    """The largest probability with which an information set of the opponent enters the subgame."""
    safe: bool
    """Whether ``p_max`` is 0: no information set of the opponent gains by the new strategy."""
    belief_size: int | None
    """Number of positions in the belief; None where they cannot be counted."""
    nodes: int
    infosets: int
    iterations: int
    steps: int
    depth: int
    seconds: float
    bytes: int
    carried_nodes: int
    """Nodes of the previous search's tree that this search started with."""
    carried_infosets: int
    sampled: int
    """Positions of the belief that were added because the previous tree lacked them."""
    touched: int
    """Nodes that the solver visited, summed over all iterations."""
    full: bool
    """Whether the tree stopped growing because it reached its limit of nodes or memory."""
    stopped: bool
    """Whether the search was interrupted before its budget was spent."""
    wins_at_once: bool
    """Whether the action was played alone because it wins at once in every possible position of the
    subgame."""
    cover: tuple[int, ...]
    """Nodes of the previous tree that each order of knowledge keeps, from order 1 on."""

    def __repr__(self) -> str:
        mix = ", ".join(f"{action} {share:.3f}" for action, share in self.mix.items())
        return (
            f"<SearchDecision {self.action}: {mix}; value {short_number(self.value)}, "
            f"{self.nodes:,} nodes in {duration(self.seconds)}>"
        )


def root_probabilities(roots: Sequence[_core.RootPosition]) -> list[float]:
    """The probability of each root position for the searching player, 0 where that player can rule
    it out: the mean of the last search's reach and of a uniform distribution, which is how the
    search itself weighs the opponent's information sets."""
    possible = [row for row in roots if row.possible]
    total = sum(row.earlier_reach for row in possible)
    even = 1 / max(len(possible), 1)
    return [
        (0.5 * (even + row.earlier_reach / total) if total > 0 else even) if row.possible else 0.0
        for row in roots
    ]


def belief_shares(
    roots: Sequence[_core.RootPosition], possible: Iterable[Hashable]
) -> dict[Any, float]:
    """The probability of each of the ``possible`` positions: that of :func:`root_probabilities` if
    the search has it at its root, else 0. If it has none of them, all get the same."""
    shares = dict.fromkeys(possible, 0.0)
    for row, share in zip(roots, root_probabilities(roots), strict=True):
        if row.state in shares:
            shares[row.state] += share
    even = 0.0 if any(shares.values()) else 1 / len(shares)
    return {position: share + even for position, share in shares.items()}


def forced_decision(action: Action) -> SearchDecision:
    """The decision where there is only one action, without a search."""
    zeros: dict[str, Any] = dict.fromkeys(_COUNTERS, 0)
    return SearchDecision(
        action=action,
        mix={action: 1.0},
        candidates=(Candidate(str(action), 1.0, 1.0, math.nan, 0),),
        value=math.nan,
        p_max=0.0,
        safe=True,
        belief_size=None,
        cover=(),
        full=False,
        stopped=False,
        wins_at_once=False,
        **zeros,
    )


def drawn_by_value(
    decision: SearchDecision, allowed: Collection[str], temperature: float, draw: random.Random
) -> SearchDecision:
    """The decision with another action: one of the ``allowed``, drawn with weights
    exp(value / temperature). An action that wins at once in every position stays."""
    values = {c.action: c.value for c in decision.candidates if c.action in allowed}
    if decision.wins_at_once or not values:
        return decision
    best = max(values.values())
    weights = {name: math.exp((value - best) / temperature) for name, value in values.items()}
    total = math.fsum(weights.values())
    mix: dict[Action, float] = {name: weight / total for name, weight in weights.items()}
    return replace(
        decision,
        action=draw.choices(list(mix), weights=list(mix.values()))[0],
        mix={name: share for name, share in mix.items() if share > 0},
        candidates=tuple(
            replace(c, probability=mix.get(c.action, 0.0)) for c in decision.candidates
        ),
    )


def labelled_decision(
    raw: _core.SearchResult,
    labels: Sequence[str],
    seed: str,
    belief: Collection[object],
    scale: float,
) -> SearchDecision:
    """A native search's answer as a decision; the numbers of its actions are indices of ``labels``.
    If the search did not reach the information set, it has no mix, and ``seed`` draws an action."""
    chosen = labels[raw.action] if raw.candidates else random.Random(seed).choice(labels)
    return search_decision(
        raw,
        [labels[c.action] for c in raw.candidates] or labels,
        chosen,
        belief=belief,
        belief_size=len(belief),
        scale=scale,
    )


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
    """A native search's answer as a decision: ``names`` are those of its actions, in their order,
    and ``chosen`` is the one that it plays.

    An answer without actions, because the budget was too small to reach the information set,
    becomes a uniform mix of ``names``. ``allowed``, if not empty, limits what is played: if
    ``chosen`` is not among them, the likeliest of them is played with probability 1; otherwise the
    mix stays as the search found it. ``belief`` is handed on as it is. Values multiplied by
    ``scale`` are payoffs; ``more`` are further statistics.
    """
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
