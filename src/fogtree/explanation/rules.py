"""How each algorithm turns regrets into its next strategy: formulas, and a step's numbers in them.

Every formula is a line of plain text. ``R`` is cumulative regret, ``r`` an iteration's regret,
``σ`` a strategy, ``w`` weights, ``t`` the iteration; ``′`` marks updated values.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from math import inf, isinf

from fogtree.explanation.record import Step
from fogtree.explanation.words import number, weight
from fogtree.minimizers.base import discount_factor
from fogtree.solvers.recipes import Recipe
from fogtree.solvers.tabular import averaging_weight

Lines = list[str]


@dataclass(frozen=True, slots=True)
class WeightRule:
    """The formulas that turn cumulative regrets into weights of actions; ``filled`` writes them
    with the numbers of a step."""

    summary: str
    formulas: tuple[str, ...]
    filled: Callable[[Step], Lines]


def expected_value(step: Step) -> Lines:
    """The expected value of the strategy in use, as a formula with the step's numbers."""
    terms = " + ".join(
        f"{number(share)} × {bracketed(value)}"
        for share, value in zip(step.strategy, step.values, strict=True)
    )
    return [f"EV = {terms} = {number(step.expected_value)}"]


def regrets(step: Step) -> Lines:
    """Each action's regret, as a formula with the step's numbers."""
    reach, ev = number(step.opponent_reach), bracketed(step.expected_value)
    return _per_action(
        step,
        "r",
        lambda k: f"{reach} × ({number(step.values[k])} - {ev}) = {number(step.regret[k])}",
    )


def update_formula(row: Recipe) -> str:
    """The formula by which regrets accumulate."""
    factors = (_factor(row.positive_exponent), _factor(row.negative_exponent))
    if factors == ("1", "1"):
        return "R′[a] = R[a] + r[a]"
    if factors == ("1", "0"):
        return "R′[a] = max(R[a] + r[a], 0)"
    if factors[0] == factors[1]:
        return f"R′[a] = (R[a] + r[a]) × {factors[0]}"
    positive, negative = factors
    return f"R′[a] = (R[a] + r[a]) × ({positive} if that sum is positive, else {negative})"


def updates(row: Recipe, step: Step) -> Lines:
    """The cumulative regrets of all actions after a step, as formulas with its numbers."""
    return _per_action(step, "R′", lambda k: _update(row, step, k))


def weight_rule(row: Recipe) -> WeightRule:
    """The rule of a recipe's minimizer; that of a user's own minimizer is unknown."""
    return _RULES.get(row.minimizer, _OWN) if isinstance(row.minimizer, str) else _OWN


def next_strategy(step: Step) -> Lines:
    """Each action's next probability, as a formula with the step's numbers."""
    total = sum(step.weights)
    if total <= 0:
        return [f"σ′ = 1 / {len(step.actions)} for every action, as no weight is positive"]
    return _per_action(
        step,
        "σ′",
        lambda k: f"{weight(step.weights[k])} / {weight(total)} = {number(step.next_strategy[k])}",
    )


def average_formula(row: Recipe) -> str:
    """The formula of the average strategy; empty for an algorithm that does not average."""
    if row.averaging == "last":
        return ""
    return "σ̄[a]  = sum of weight × own reach × σ[a] / sum of weight × own reach"


def average(row: Recipe, step: Step, reaches: Sequence[Sequence[float]]) -> Lines:
    """The average strategy after a step, as fractions with numbers: one product per iteration so
    far. ``reaches`` are the own reaches of the step's actions in these iterations; empty for an
    algorithm that does not average."""
    if row.averaging == "last":
        return []
    counted = [
        (averaging_weight(row, t), sum(reach), reach)
        for t, reach in enumerate(reaches, 1)
        if averaging_weight(row, t) > 0
    ]
    if not counted or sum(share * own for share, own, _ in counted) <= 0:
        return [f"σ̄ = 1 / {len(step.actions)} for every action, as nothing has a weight yet"]
    products = [f"{number(share)} × {number(own)}" for share, own, _ in counted]
    whole = " + ".join(products)

    def filled(k: int) -> str:
        """The average probability of action ``k`` with the numbers of all iterations."""
        terms = (
            f"{product} × {number(reach[k] / own if own > 0 else 0.0)}"
            for product, (_, own, reach) in zip(products, counted, strict=True)
        )
        return f"({' + '.join(terms)}) / ({whole}) = {number(step.average_strategy[k])}"

    return _per_action(step, "σ̄", filled)


def bracketed(value: float) -> str:
    """A number as text, in brackets if it is negative."""
    text = number(value)
    return f"({text})" if text.startswith("-") else text


def _per_action(step: Step, symbol: str, filled: Callable[[int], str]) -> Lines:
    """One line per action; ``filled(k)`` writes the formula of action k with its numbers."""
    width = max(map(len, step.actions))
    return [
        f"{symbol}[{action}]{' ' * (width - len(action))} = {filled(k)}"
        for k, action in enumerate(step.actions)
    ]


def _factor(exponent: float) -> str:
    """The discount factor ``t^a / (t^a + 1)`` with the exponent a, as text."""
    if isinf(exponent):
        return "1" if exponent > 0 else "0"
    if exponent == 0:
        return "1/2"
    power = "t" if exponent == 1 else f"t^{exponent:g}"
    return f"{power}/({power} + 1)"


def _update(row: Recipe, step: Step, k: int) -> str:
    """The new cumulative regret of action ``k``, as a formula with the step's numbers: the sum of
    its regrets, with the recipe's discount."""
    before, regret = step.previous_regret[k], step.regret[k]
    total, result = f"{number(before)} + {bracketed(regret)}", number(step.cumulative_regret[k])
    exponents = (row.positive_exponent, row.negative_exponent)
    if exponents == (inf, inf):
        return f"{total} = {result}"
    if exponents == (inf, -inf):
        return f"max({total}, 0) = {result}"
    factor = discount_factor(step.iteration, exponents[0 if before + regret > 0 else 1])
    return f"({total}) × {number(factor)} = {result}"


def _matching(step: Step) -> Lines:
    """The weights of regret matching, as formulas with the step's numbers."""
    return _per_action(
        step,
        "w",
        lambda k: f"max({number(step.cumulative_regret[k])}, 0) = {weight(step.weights[k])}",
    )


def _predictive(step: Step, divisor: str = "") -> Lines:
    """The weights of predictive regret matching, as formulas with the step's numbers; a divisor
    such as ``/3`` stands behind the predicted regret."""

    def filled(k: int) -> str:
        """The weight of action ``k`` with the step's numbers."""
        total = f"{number(step.cumulative_regret[k])} + {bracketed(step.regret[k])}{divisor}"
        return f"max({total}, 0) = {weight(step.weights[k])}"

    return _per_action(step, "w", filled)


def _normal_hedge(step: Step) -> Lines:
    """The scale c and the weights of NormalHedge, as formulas with the step's numbers."""
    c = step.scale or 0.0
    if c == 0:
        return ["no regret is positive, so there is no scale and every weight is 0"]
    positive = [number(max(regret, 0.0)) for regret in step.cumulative_regret]
    powers = " + ".join(f"exp({value}²/2c)" for value in positive)

    def filled(k: int) -> str:
        """The weight of action ``k`` with the step's numbers."""
        value = positive[k]
        return f"{value}/c × exp({value}²/2c) = {weight(step.weights[k])}"

    equation = f"({powers}) / {len(positive)} = e   gives   c = {number(c)}"
    return [equation, *_per_action(step, "w", filled)]


def _hedge(step: Step) -> Lines:
    """The learning rate and the weights of Hedge, as formulas with the step's numbers."""
    rate, most = step.rate or 0.0, max(step.cumulative_regret)

    def filled(k: int) -> str:
        """The weight of action ``k`` with the step's numbers."""
        gap = f"{number(step.cumulative_regret[k])} - {bracketed(most)}"
        return f"exp({number(rate)} × ({gap})) = {weight(step.weights[k])}"

    return [f"η = {number(rate)}", *_per_action(step, "w", filled)]


def _own(step: Step) -> Lines:
    """The weights of a minimizer that has no formula here, such as a user's own."""
    return _per_action(step, "w", lambda k: weight(step.weights[k]))


_RULES = {
    "regret_matching": WeightRule(
        "Regret matching: an action's weight is its regret if that is positive, and 0 otherwise.",
        ("w[a]  = max(R′[a], 0)",),
        _matching,
    ),
    "predictive": WeightRule(
        "Predictive regret matching: as if the last regret were about to be seen once more.",
        ("w[a]  = max(R′[a] + r[a], 0)",),
        _predictive,
    ),
    "asymmetric_predictive": WeightRule(
        "Predictive regret matching that trusts its prediction less: a third of the last regret is "
        "added.",
        ("w[a]  = max(R′[a] + r[a]/3, 0)",),
        partial(_predictive, divisor="/3"),
    ),
    "normal_hedge": WeightRule(
        "NormalHedge: weight grows with the exponential of squared regret, measured on a scale c "
        "that is chosen anew each time so that the mean of exp(R⁺²/2c) over the actions is e.",
        (
            "R⁺[a] = max(R′[a], 0)",
            "c       so that the mean of exp(R⁺[a]²/2c) is e",
            "w[a]  = R⁺[a]/c × exp(R⁺[a]²/2c)",
        ),
        _normal_hedge,
    ),
    "hedge": WeightRule(
        "Hedge: weight is exponential in regret; the rate η falls as larger gaps between the "
        "actions' utilities have been seen.",
        (
            "η     = sqrt(8 ln(number of actions) / sum over iterations of (max r - min r)²)",
            "w[a]  = exp(η × (R′[a] - max R′))",
            "max   and min: the largest and the smallest value among the actions of the "
            "information set",
        ),
        _hedge,
    ),
}
_OWN = WeightRule("Weights are the minimizer's own.", ("w     = weights(R′)",), _own)


def formulas(row: Recipe) -> Sequence[str]:
    """All rules of an algorithm in the order in which they are applied."""
    return (
        "EV    = sum over a of σ[a] × v[a]",
        "r[a]  = opponent reach × (v[a] - EV)",
        update_formula(row),
        *weight_rule(row).formulas,
        "σ′[a] = w[a] / sum of w, or the same for every action if all weights are 0",
    )
