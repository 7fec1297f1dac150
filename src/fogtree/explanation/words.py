"""A step in a few sentences. Names of information sets stand in backquotes."""

from __future__ import annotations

from collections.abc import Sequence
from math import isinf

from fogtree.explanation.record import END, EVENT, Explanation, Step
from fogtree.solvers.recipes import AVERAGING_EXPONENT
from fogtree.text.counts import listed

DIGITS = 5
"""Significant digits of every number shown."""

_NOTHING = 5e-13  # smaller differences are rounding errors
_MOST_NAMES = 4  # in a cell of a table


def number(value: float) -> str:
    """A number with :data:`DIGITS` significant digits; rounding errors around 0 are written as
    0."""
    return "0" if abs(value) < _NOTHING else f"{value:.{DIGITS}g}"


def weight(value: float) -> str:
    """A weight as text; it keeps tiny values, because weights are compared with each other."""
    return f"{value:.{DIGITS}g}"


def signed(value: float) -> str:
    """A number as text with its sign."""
    text = number(value)
    return text if text == "0" or text.startswith("-") else f"+{text}"


def percent(share: float) -> str:
    """A probability in percent, with at most two decimals."""
    return f"{number(round(100 * share, 2))} %"


def mix(actions: tuple[str, ...], shares: tuple[float, ...]) -> str:
    """A mix in words: ``always bet``, ``check and bet equally often`` or
    ``check 25 %, bet 75 %``."""
    for action, share in zip(actions, shares, strict=True):
        if share >= 1 - _NOTHING:
            return f"always {action}"
    if max(shares) - min(shares) < _NOTHING:
        return f"{listed(actions)} equally often"
    return ", ".join(f"{a} {percent(p)}" for a, p in zip(actions, shares, strict=True))


def next_nodes(names: tuple[str, ...]) -> str:
    """Where an action leads, as one cell of a table."""
    plain = {END: "the end", EVENT: "a chance event"}
    shown = [plain.get(name) or f"`{name}`" for name in names[:_MOST_NAMES]]
    left = len(names) - len(shown)
    return ", ".join(shown) + (f" and {left} more" if left > 0 else "")


def situation(step: Step) -> str:
    """A sentence that says who moves at this information set and how play gets there."""
    after = f" after {', '.join(step.moves)}" if step.moves else ""
    alike = f", in {step.histories} histories that look alike" if step.histories > 1 else ""
    return (
        f"Player {step.player} decides at `{step.infoset}`{after}{alike}. Chance and the others "
        f"lead here with probability {number(step.opponent_reach)} (opponent reach), the player's "
        f"own choices with {number(step.own_reach)} (own reach)."
    )


def judgement(step: Step) -> str:
    """A sentence with the values of the actions and the regrets that follow."""
    best = max(range(len(step.actions)), key=lambda k: step.values[k])
    said = f"The strategy in use, {mix(step.actions, step.strategy)}, is worth "
    said += f"{number(step.expected_value)}; "
    if step.values[best] - step.expected_value < _NOTHING:
        said += "nothing would have been better."
    else:
        said += f"{step.actions[best]} alone would be worth {number(step.values[best])}."
    if step.opponent_reach == 0:
        return (
            f"{said} But with what the others play now, the probability that they come here is 0, "
            "so every regret is 0."
        )
    found = [
        f"{action} {signed(regret)}"
        for action, regret in zip(step.actions, step.regret, strict=True)
        if abs(regret) > _NOTHING
    ]
    if not found:
        return f"{said} Nothing is regretted."
    return f"{said} Regret of this iteration: {', '.join(found)}.{_kept_at_zero(step)}"


def _kept_at_zero(step: Step) -> str:
    """A sentence on the cumulative regrets that would be negative, but that the algorithm keeps at
    0; empty if there are none."""
    sums = zip(step.previous_regret, step.regret, step.cumulative_regret, strict=True)
    cut = [
        action
        for action, (before, regret, after) in zip(step.actions, sums, strict=True)
        if before + regret < -_NOTHING and after == 0
    ]
    if not cut:
        return ""
    return f" The cumulative regret of {listed(cut)} would be negative and is kept at 0."


def conclusion(step: Step) -> str:
    """A sentence that says how the next strategy follows from the regrets."""
    following = mix(step.actions, step.next_strategy)
    if sum(step.weights) <= 0:
        return f"No action has a positive weight. Next: {following}."
    carried = [action for action, w in zip(step.actions, step.weights, strict=True) if w > 0]
    said = f"Only {carried[0]} has a positive weight."
    if len(carried) > 1:
        said = f"Weight is shared by {listed(carried)}."
    if 0 < max(step.cumulative_regret) < _NOTHING:
        said = "All regrets are 0 up to rounding, so rounding decides the mix."
    return f"{said} Next: {following}."


def heading(steps: Sequence[Step]) -> str:
    """The title of an iteration."""
    deal = steps[0].deal
    scene = "the whole game" if deal is None else f"deal {deal}"
    return f"Iteration {steps[0].iteration}: {scene}"


def ground_rules(explanation: Explanation) -> str:
    """A paragraph that says what one iteration of the algorithm does."""
    row = explanation.recipe
    if explanation.deals:
        text = (
            "Every iteration looks at one deal as if it were sure, so chance has no weight in it. "
            "All players learn from the same traversal, against the strategies that stood before "
            "it. Information sets that the deal does not reach have a regret of 0 in it."
        )
        if not (isinf(row.positive_exponent) and isinf(row.negative_exponent)):
            text += " The discount of old regrets is applied to them all the same."
        return text
    text = (
        "Every iteration looks at the whole game: all deals at once, weighted by chance. A value "
        "is what an action is worth to the mover given that play is here, and the opponent reach "
        "is the probability that chance and the others lead here. "
    )
    if row.alternating:
        return text + "Players learn in turn, each against what those before have just learned."
    return text + "All players learn at once, from what all played before."


def averaging(explanation: Explanation) -> str:
    """A sentence or two that say what the average strategy after an iteration is."""
    row = explanation.recipe
    if row.averaging == "last":
        return "This algorithm does not average: its answer is the next strategy."
    exponent = AVERAGING_EXPONENT[row.averaging]
    power = "t" if exponent == 1 else f"t^{exponent:g}"
    weights = f"that of iteration t weighted by {power} times" if exponent else "each weighted by"
    text = (
        "The average strategy is the algorithm's answer. It is the mean of all strategies in use "
        f"so far, {weights} the player's own reach under it."
    )
    if explanation.deals:
        text += (
            " Own reach has no chance in it, so iterations whose deal does not reach an "
            "information set count there too."
        )
    if row.delay:
        text += f" The first {row.delay:,} iterations are left out; until then it is uniform."
    return text
