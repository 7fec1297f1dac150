"""One iteration of regret minimization as operations of JAX on the arrays of ``layout``.

The rules, their order and their rounding are those of the native engine (core/tree/rules.cpp);
only the order of additions differs.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from fogtree.solvers.accelerated.layout import Arrays, Side
from fogtree.solvers.accelerated.level_groups import LANE_ALIGN, Group
from fogtree.system.jax_device import jnp

NOISE = {"float64": 2.0**-44, "float32": 2.0**-21}
"""Regrets smaller than this part of the largest utility are rounding and count as 0."""


@dataclass(frozen=True)
class Rule:
    """How an iteration turns utilities into strategies. ``prediction`` is the part of the last
    regret that is expected to come again."""

    prediction: float
    alternating: bool
    noise: float
    real: Any


@dataclass(frozen=True)
class Player:
    """What is fixed about one player's part of an iteration. ``bits`` is how many bits of a packed
    payoff are its column."""

    side: Side
    bits: int
    rule: Rule


@dataclass(frozen=True)
class Weights:
    """Numbers of one iteration: discounts of positive and of negative regrets, whether it counts,
    and its share in the average."""

    positive: Any
    negative: Any
    counts: Any
    share: Any


def with_sums(source: Any, stages: list[tuple[Any, Any]]) -> Any:
    """The source with the partial sums of each stage behind it."""
    for index, value in stages:
        source = jnp.concatenate([source, (source[index] * value).sum(axis=0)])
    return source


def product(arrays: Arrays, bits: int, reach: Any) -> Any:
    """Payoffs times the other's reach, for every row that has payoffs, and a 0 behind them."""
    source = with_sums(reach, arrays["stages"])
    sums = []
    for rectangle in arrays["rectangles"]:
        total: Any = 0.0
        for entries in rectangle:
            column = (entries & ((1 << bits) - 1)).astype(jnp.int32)
            total += source[column] * arrays["values"][(entries >> bits).astype(jnp.int32)]
        sums.append(total)
    return jnp.concatenate([*sums, jnp.zeros(LANE_ALIGN, reach.dtype)])


def utilities(group: Group, arrays: Arrays, direct: Any, below: Any) -> Any:
    """Payoffs plus values from below, one row per slot."""
    rows, at = [], 0
    for slot, children in enumerate(group.children):
        row = direct[arrays["payoff"][slot]]
        for index in arrays["child"][at : at + children]:
            row += below[index]
        rows.append(row)
        at += children
    return jnp.stack(rows)


def update_group(
    group: Group, arrays: Arrays, rule: Rule, given: tuple[Any, ...], weights: Weights
) -> tuple[Any, Any, Any]:
    """New regrets, new strategy, and values times copies, given the old regrets and strategy, the
    sums of payoffs and the values below."""
    regret, strategy, direct, below = given
    utility = utilities(group, arrays, direct, below)
    legal = jnp.arange(group.slots)[:, None] < arrays["actions"]
    value = (strategy * utility).sum(axis=0)
    noise = jnp.abs(utility).max(axis=0) * rule.noise
    now = utility - value
    now = jnp.where((jnp.abs(now) > noise) & legal, now, 0)
    total = regret + now
    total *= jnp.where(total > 0, weights.positive, weights.negative)
    weight = jnp.maximum(total + now * rule.prediction if rule.prediction else total, 0)
    whole = weight.sum(axis=0)
    uniform = jnp.where(legal, 1 / arrays["actions"].astype(rule.real), 0)
    following = jnp.where(whole > 0, weight / jnp.where(whole > 0, whole, 1), uniform)
    return (
        jnp.where(weights.counts > 0, total, regret),
        jnp.where(weights.counts > 0, following, strategy),
        value * arrays["copies"],
    )


def sweep_up(
    player: Player, arrays: Arrays, state: tuple[Any, Any], direct: Any, weights: Weights
) -> tuple[Any, Any]:
    """New regrets and strategies, by position."""
    rule = player.rule
    head = jnp.zeros(LANE_ALIGN, rule.real)
    regrets, strategies = [], []

    def visit(group: Group, one: Arrays, begin: int, below: Any) -> Any:
        given = (*(_rectangle(part, group, begin) for part in state), direct, below)
        regret, strategy, value = update_group(group, one, rule, given, weights)
        regrets.append(regret.reshape(-1))
        strategies.append(strategy.reshape(-1))
        return value

    bottom_up(player.side, arrays, visit, rule.real)
    return joined([head, *regrets[::-1]]), joined([head, *strategies[::-1]])


def sweep_down(side: Side, arrays: Arrays, strategy: Any) -> Any:
    """The reach of every position."""
    head = jnp.zeros(LANE_ALIGN, strategy.dtype).at[0].set(1)
    above, start, parts = head, 0, [head]
    offsets = iter(side.offsets)
    for level, level_arrays in zip(side.levels, arrays["levels"], strict=True):
        here = [
            (above[one["parent"] - start] * _rectangle(strategy, group, next(offsets))).reshape(-1)
            for group, one in zip(level.groups, level_arrays["groups"], strict=True)
        ]
        start = sum(part.size for part in parts)
        above = joined(here)
        parts += here
    return joined(parts)


def bottom_up(
    side: Side, arrays: Arrays, visit: Callable[[Group, Arrays, int, Any], Any], real: Any
) -> Any:
    """Visit all groups, deepest and last first, with the values below; return those of the top
    level. ``visit`` takes a group, its arrays, its first position and the values below, and returns
    the values of its information sets."""
    below, number = jnp.zeros(1, real), len(side.groups)
    for level, level_arrays in zip(side.levels[::-1], arrays["levels"][::-1], strict=True):
        below = with_sums(below, level_arrays["stages"])
        values = []
        for group, one in zip(level.groups[::-1], level_arrays["groups"][::-1], strict=True):
            number -= 1
            values.append(visit(group, one, side.offsets[number], below))
        below = joined(values[::-1])
    return below


def joined(parts: list[Any]) -> Any:
    """Vectors one after the other."""
    return parts[0] if len(parts) == 1 else jnp.concatenate(parts)


def _rectangle(flat: Any, group: Group, begin: int) -> Any:
    return flat[begin : begin + group.size].reshape(group.slots, group.lanes)


def learn(player: Player, arrays: Arrays, own: Any, reach: Any, weights: Weights) -> Any:
    """One player's regrets and strategies after an iteration against ``reach``."""
    return sweep_up(player, arrays, own[:2], product(arrays, player.bits, reach), weights)


def follow(player: Player, arrays: Arrays, own: Any, weights: Weights) -> Any:
    """Average the old reach and compute the new one."""
    _, strategy, reach, average = own
    average = average + weights.share * (reach.astype(average.dtype) - average)
    return sweep_down(player.side, arrays, strategy), average


def evaluate(player: Player, arrays: Arrays, own: Any, other: Any) -> tuple[Any, Any]:
    """A player's value under two reaches, and that of a best response."""
    direct = product(arrays, player.bits, other)
    root = direct[arrays["root"]].astype(jnp.float64)
    terms = [root]

    def visit(group: Group, one: Arrays, begin: int, below: Any) -> Any:
        payoffs = direct[one["payoff"]]
        reached = payoffs * _rectangle(own, group, begin) * one["members"]
        terms.append(reached.astype(jnp.float64).sum())
        utility = utilities(group, one, direct, below)
        legal = jnp.arange(group.slots)[:, None] < one["actions"]
        return jnp.where(legal, utility, -jnp.inf).max(axis=0) * one["copies"]

    top = bottom_up(player.side, arrays, visit, own.dtype)
    return sum(terms), root + top.astype(jnp.float64).sum()
