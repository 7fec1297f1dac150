"""Kuhn poker's iterations over single deals, worked out on paper and written down line by line.

Nothing here comes from the package: the five endings of a deal, the values they give each of the
four decisions, and the four algorithms' rules are spelled out in plain Python.
"""

from __future__ import annotations

from math import e, exp


class KuhnByHand:
    """Regrets by the usual names; one call of :meth:`play` is one iteration over one deal."""

    def __init__(self, algorithm: str) -> None:
        self.truncates = algorithm.endswith("+")
        self.exponential = algorithm.startswith("normalhedge")
        self.regret: dict[str, list[float]] = {}

    def mix(self, name: str) -> list[float]:
        positive = [max(r, 0.0) for r in self.regret.get(name, [0.0, 0.0])]
        if max(positive) == 0:
            return [0.5, 0.5]
        weights = positive
        if self.exponential:
            c = scale_by_bisection(positive)
            weights = [r / c * exp(r * r / (2 * c)) for r in positive]
        return [w / sum(weights) for w in weights]

    def play(self, first: str, second: str) -> dict[str, dict[str, object]]:
        """One iteration; per information set what was seen there."""
        wins = 1.0 if "JQK".index(first) > "JQK".index(second) else -1.0
        # What the first player gets at each end of the game.
        check_check, check_bet_fold, check_bet_call = wins, -1.0, 2 * wins
        bet_fold, bet_call = 1.0, 2 * wins

        open_, after_check = self.mix(first), self.mix(second + "c")
        after_bet, facing = self.mix(second + "b"), self.mix(first + "cb")

        # First player facing a bet after checking.
        facing_values = [check_bet_fold, check_bet_call]
        facing_ev = facing[0] * check_bet_fold + facing[1] * check_bet_call
        # Second player after a check: all signs turn.
        checked_values = [-check_check, -facing_ev]
        checked_ev = after_check[0] * -check_check + after_check[1] * -facing_ev
        # Second player after a bet.
        bet_values = [-bet_fold, -bet_call]
        bet_ev = after_bet[0] * -bet_fold + after_bet[1] * -bet_call
        # First player's first move.
        open_values = [-checked_ev, -bet_ev]
        open_ev = open_[0] * -checked_ev + open_[1] * -bet_ev

        return {
            first: self.learn(first, 1.0, open_, open_values, open_ev),
            second + "c": self.learn(
                second + "c", open_[0], after_check, checked_values, checked_ev
            ),
            first + "cb": self.learn(
                first + "cb", after_check[1], facing, facing_values, facing_ev
            ),
            second + "b": self.learn(second + "b", open_[1], after_bet, bet_values, bet_ev),
        }

    def learn(
        self, name: str, reach: float, used: list[float], values: list[float], ev: float
    ) -> dict[str, object]:
        r = [reach * (value - ev) for value in values]
        total = [a + b for a, b in zip(self.regret.get(name, [0.0, 0.0]), r, strict=True)]
        if self.truncates:
            total = [max(x, 0.0) for x in total]
        self.regret[name] = total
        out: dict[str, object] = {
            "opponent_reach": reach,
            "strategy": used,
            "values": values,
            "expected_value": ev,
            "regret": r,
            "cumulative_regret": total,
            "next_strategy": self.mix(name),
        }
        if self.exponential:
            positive = [max(x, 0.0) for x in total]
            c = scale_by_bisection(positive) if max(positive) > 0 else 0.0
            out["scale"] = c
            out["weights"] = [x / c * exp(x * x / (2 * c)) if c else 0.0 for x in positive]
        return out


def scale_by_bisection(positive: list[float]) -> float:
    """The c for which the mean of exp(R² / 2c) is e; the mean falls as c grows."""
    low, high = max(positive) ** 2 / 20, max(positive) ** 2
    for _ in range(200):
        middle = (low + high) / 2
        mean = sum(exp(r * r / (2 * middle)) for r in positive) / len(positive)
        low, high = (middle, high) if mean > e else (low, middle)
    return (low + high) / 2
