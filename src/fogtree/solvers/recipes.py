"""Algorithms by name, each a row of choices.

A row says which local minimizer runs at every information set, how old regrets are discounted, in
what order players update, how iterates are averaged, and what is sampled, if anything is.

Sources: ``cfr`` Zinkevich et al. (2007); ``cfr+`` Tammelin (2014); ``lcfr``, ``dcfr`` Brown &
Sandholm, "Solving imperfect-information games via discounted regret minimization" (2019); ``pcfr+``
Farina, Kroer & Sandholm (2021); ``dcfr+``, ``pdcfr+`` Xu et al., "Minimizing weighted
counterfactual regret with optimistic online mirror descent" (2024); ``sapcfr+`` Meng et al.,
"Faster game solving via asymmetry of step sizes" (2025); ``normalhedge`` Chaudhuri, Freund & Hsu
(2009); ``hedge`` Freund & Schapire (1997). Deviations: ``normalhedge+`` is NormalHedge
on regrets kept at zero or above, with the averaging of ``cfr+``; all rows update the players in
turn. Sampled rows: see ``samplers``; in them the t of discounts and of weights counts epochs, not
iterations.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from math import inf, isnan
from numbers import Real
from typing import Any, get_args

from fogtree.errors import OptionError, UnknownNameError, require
from fogtree.minimizers import MINIMIZERS, Minimizer
from fogtree.solvers.samplers import KINDS, Sampler
from fogtree.text.choices import Averaging

AVERAGING_EXPONENT = dict(zip(get_args(Averaging), (0.0, 1.0, 2.0, 4.0, 5.0, 0.0), strict=True))
"""Iteration t has the weight t to this power in the average strategy."""


@dataclass(frozen=True, slots=True)
class Recipe:
    """One algorithm. ``minimizer`` names a native rule and its reference in ``minimizers``, or is
    a :class:`~fogtree.minimizers.Minimizer` class of your own."""

    name: str
    minimizer: str | Callable[..., Minimizer]
    alternating: bool = True
    averaging: Averaging = "uniform"
    delay: int = 0
    # After iteration t, regrets are multiplied by t^a / (t^a + 1).
    positive_exponent: float = inf
    negative_exponent: float = inf
    sampler: Sampler | None = None
    summary: str = field(default="", compare=False)
    """What it does, in one sentence."""

    def __post_init__(self) -> None:
        """Refuse unknown names, and numbers of the wrong type or range."""
        if self.averaging not in AVERAGING_EXPONENT:
            raise UnknownNameError("averaging", str(self.averaging), AVERAGING_EXPONENT)
        if isinstance(self.minimizer, str) and self.minimizer not in MINIMIZERS:
            raise UnknownNameError("minimizer", self.minimizer, MINIMIZERS)
        if not isinstance(self.delay, int) or self.delay < 0:
            raise OptionError(f"delay must be a whole number from 0, not {self.delay}")
        for name in ("positive_exponent", "negative_exponent"):
            value = getattr(self, name)
            if not isinstance(value, Real) or isnan(value):
                raise OptionError(f"{name} must be a number, not {value!r:.40}")

    def check_delay(self, iterations: int | None) -> None:
        """Refuse a delay that leaves nothing to average: the answer would be uniform."""
        if iterations and self.averaging != "last" and iterations <= self.delay:
            raise OptionError(
                f"a delay of {self.delay:,} leaves out all {iterations:,} iterations: nothing "
                "would be averaged; run longer or choose a smaller delay"
            )


_ROWS = [
    Recipe(
        "cfr",
        "regret_matching",
        summary="Counterfactual regret minimization: plays each action in proportion to how much "
        "it would have gained so far, and averages all iterations.",
    ),
    Recipe(
        "cfr+",
        "regret_matching",
        averaging="linear",
        negative_exponent=-inf,
        summary="CFR that forgets negative regret at once and weights later iterations more.",
    ),
    Recipe(
        "lcfr",
        "regret_matching",
        averaging="linear",
        positive_exponent=1,
        negative_exponent=1,
        summary="Linear CFR: iteration t counts t times, in the regrets and in the average.",
    ),
    Recipe(
        "dcfr",
        "regret_matching",
        averaging="quadratic",
        positive_exponent=1.5,
        negative_exponent=0,
        summary="Discounted CFR: old regrets fade, negative ones faster than positive ones.",
    ),
    Recipe(
        "dcfr+",
        "regret_matching",
        averaging="quartic",
        positive_exponent=1.5,
        negative_exponent=-inf,
        summary="Discounted CFR without negative regret.",
    ),
    Recipe(
        "pcfr+",
        "predictive",
        averaging="quadratic",
        negative_exponent=-inf,
        summary="Predictive CFR+: expects the next regret to be like the last one.",
    ),
    Recipe(
        "sapcfr+",
        "asymmetric_predictive",
        averaging="quadratic",
        negative_exponent=-inf,
        summary="Predictive CFR+ that trusts its prediction less.",
    ),
    Recipe(
        "pdcfr+",
        "predictive",
        averaging="quintic",
        positive_exponent=2.3,
        negative_exponent=-inf,
        summary="Predictive CFR+ with discounts.",
    ),
    Recipe(
        "normalhedge",
        "normal_hedge",
        summary="Weights an action by a steep function of its regret that needs no tuning.",
    ),
    Recipe(
        "normalhedge+",
        "normal_hedge",
        averaging="linear",
        negative_exponent=-inf,
        summary="NormalHedge without negative regret; later iterations weigh more.",
    ),
    Recipe(
        "hedge",
        "hedge",
        summary="Multiplicative weights: an action's weight grows exponentially with its regret.",
    ),
]
RECIPES: dict[str, Recipe] = {row.name: row for row in _ROWS}
"""Tabular algorithms by name; sampled ones are found by :func:`recipe`."""

SAMPLED_PREFIX = "mccfr-"
_OTHER_NAMES = {
    "linearcfr": "lcfr",
    "cfrlinear": "lcfr",
    "discountedcfr": "dcfr",
    "predictivecfr": "pcfr+",
    "predictivecfr+": "pcfr+",
    "pcfr": "pcfr+",
    "vanillacfr": "cfr",
    "mccfr": "mccfrexternal",
    "mccfr+": "mccfrexternal+",
    "escfr": "mccfrexternal",
    "externalsampling": "mccfrexternal",
    "oscfr": "mccfroutcome",
    "outcomesampling": "mccfroutcome",
    "nhedge": "normalhedge",
}
"""Other common names of algorithms, without hyphens."""
_WEIGHTINGS = {"": "cfr", "+": "cfr+", "-linear": "lcfr", "-discounted": "dcfr"}


def sampled_recipes() -> dict[str, Recipe]:
    """Every sampler with every weighting: ``mccfr-external``, ``mccfr-external+``, ..."""
    rows = [
        replace(RECIPES[base], name=f"{SAMPLED_PREFIX}{kind}{suffix}", sampler=Sampler(kind))
        for kind in KINDS
        for suffix, base in _WEIGHTINGS.items()
    ]
    return {row.name: row for row in rows}


def known_recipes(name: str) -> dict[str, Recipe]:
    """The recipes among which a name is looked up; sampled ones only if no tabular one has it."""
    if name.lower() in RECIPES:
        return RECIPES
    return {**RECIPES, **sampled_recipes()}


def _canonical_name(name: str, known: Iterable[str]) -> str | None:
    """The known name that a name is another spelling of, as in ``CFR_plus``, ``linear cfr`` or
    ``mccfr``."""
    short = re.sub(r"[^a-z+]", "", name.lower().replace("plus", "+")).replace("++", "+")
    short = _OTHER_NAMES.get(short, short)
    spelt = {one.replace("-", ""): one for one in known}
    return spelt.get(short) or spelt.get(short.rstrip("+")) or spelt.get(f"{short}+")


def recipe(
    algorithm: str | Recipe,
    *,
    alternating: bool | None = None,
    averaging: Averaging | None = None,
    delay: int | None = None,
) -> Recipe:
    """The algorithm with this name, with any choice replaced that is not ``None``.

    >>> import fogtree
    >>> fogtree.recipe("cfr+", averaging="uniform").averaging
    'uniform'
    """
    if isinstance(algorithm, str):
        known = known_recipes(algorithm)
        if algorithm.lower() not in known:
            raise UnknownNameError("algorithm", algorithm, known, _canonical_name(algorithm, known))
        algorithm = known[algorithm.lower()]
    require(algorithm, Recipe, "an algorithm, by name or as a Recipe,")
    choices = {"alternating": alternating, "averaging": averaging, "delay": delay}
    changes: dict[str, Any] = {name: one for name, one in choices.items() if one is not None}
    return replace(algorithm, **changes) if changes else algorithm
