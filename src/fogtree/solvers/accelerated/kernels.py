"""Sweeps with one kernel per group, which reads and writes every number once, in place."""

from __future__ import annotations

from functools import partial
from importlib import import_module
from typing import Any

from fogtree.solvers.accelerated.layout import Arrays
from fogtree.solvers.accelerated.level_groups import LANE_ALIGN, Group
from fogtree.solvers.accelerated.sweeps import Player, Rule, Weights, bottom_up, product
from fogtree.system.jax_device import jax, jnp

pl: Any = import_module("jax.experimental.pallas")
triton: Any = import_module("jax.experimental.pallas.triton")


def learn(
    player: Player,
    arrays: Arrays,
    own: Any,
    reach: Any,
    weights: Weights,
    *,
    interpret: bool = False,
) -> Any:
    """What ``sweeps.learn`` computes."""
    rule, direct = player.rule, product(arrays, player.bits, reach)
    numbers = jnp.stack([weights.positive, weights.negative, weights.counts])
    state = list(own[:2])

    def visit(group: Group, one: Arrays, begin: int, below: Any) -> Any:
        whole = {"numbers": numbers, "direct": direct, "below": below}
        whole |= {"regret": state[0], "strategy": state[1]}
        blocks = {name: one[name] for name in ("payoff", "child", "actions", "copies")}
        if not len(one["child"]):
            del blocks["child"]
        *state[:], value = _call(
            partial(_update, group, rule, begin),
            whole,
            blocks,
            changed={"regret": state[0], "strategy": state[1]},
            made=[jax.ShapeDtypeStruct((group.lanes,), rule.real)],
            interpret=interpret,
        )
        return value

    bottom_up(player.side, arrays, visit, rule.real)
    return tuple(state)


def follow(
    player: Player, arrays: Arrays, own: Any, weights: Weights, *, interpret: bool = False
) -> Any:
    """What ``sweeps.follow`` computes."""
    _, strategy, reach, average = own
    groups = [one for level in arrays["levels"] for one in level["groups"]]
    share, side = weights.share.reshape(1), player.side
    for group, one, begin in zip(side.groups, groups, side.offsets, strict=False):
        whole = {"share": share, "strategy": strategy, "reach": reach, "average": average}
        reach, average = _call(
            partial(_push, group, begin),
            whole,
            {"parent": one["parent"]},
            changed={"reach": reach, "average": average},
            made=[],
            interpret=interpret,
        )
    return reach, average


def _call(
    kernel: Any,
    whole: Arrays,
    blocks: Arrays,
    *,
    changed: Arrays,
    made: list[Any],
    interpret: bool,
) -> Any:
    """Run a kernel on blocks of lanes. It gets a reference by name to each array of ``whole``, to
    its lanes of each of ``blocks``, to those of ``changed`` as ``new_`` and their name, and to its
    lanes of ``made`` as ``value``."""
    given = whole | blocks
    names = [*given, *(f"new_{name}" for name in changed), *(["value"] if made else [])]
    lanes = next(iter(blocks.values())).shape[-1]

    def run(*refs: Any) -> None:
        kernel(dict(zip(names, refs, strict=True)))

    everything = [_whole(array) for array in changed.values()]
    return pl.pallas_call(
        run,
        grid=(lanes // LANE_ALIGN,),
        in_specs=[*(_whole(a) for a in whole.values()), *(_block(a) for a in blocks.values())],
        out_specs=[*everything, *(_block(shape) for shape in made)],
        out_shape=[*(jax.ShapeDtypeStruct(a.shape, a.dtype) for a in changed.values()), *made],
        input_output_aliases={list(given).index(name): k for k, name in enumerate(changed)},
        compiler_params=triton.CompilerParams(num_warps=LANE_ALIGN // 32, num_stages=1),
        interpret=interpret,
    )(*given.values())


def _whole(array: Any) -> Any:
    return pl.BlockSpec(array.shape, lambda i: (0,) * len(array.shape))


def _block(array: Any) -> Any:
    if len(array.shape) == 1:
        return pl.BlockSpec((LANE_ALIGN,), lambda i: (i,))
    return pl.BlockSpec((array.shape[0], LANE_ALIGN), lambda i: (0, i))


def _place(group: Group, begin: int, slot: int) -> Any:
    """The positions of one slot of this block's information sets."""
    return pl.ds(begin + slot * group.lanes + pl.program_id(0) * LANE_ALIGN, LANE_ALIGN)


def _update(group: Group, rule: Rule, begin: int, ref: dict[str, Any]) -> None:
    """New regrets and strategies of one block, and its values times copies."""
    actions, copies = ref["actions"][...], ref["copies"][...]
    place = [_place(group, begin, slot) for slot in range(group.slots)]
    strategy = [ref["strategy"][where] for where in place]
    utility, at = [], 0
    largest = value = jnp.zeros_like(copies)
    for slot, children in enumerate(group.children):
        one = ref["direct"][ref["payoff"][slot, :]]
        for k in range(at, at + children):
            one += ref["below"][ref["child"][k, :]]
        at += children
        utility.append(one)
        largest = jnp.maximum(largest, jnp.abs(one))
        value += strategy[slot] * one
    noise = largest * rule.noise
    positive, negative, counts = (ref["numbers"][k] for k in range(3))
    weight, whole = [], jnp.zeros_like(copies)
    for slot in range(group.slots):
        now = utility[slot] - value
        now = jnp.where((jnp.abs(now) > noise) & (slot < actions), now, 0.0)
        old = ref["regret"][place[slot]]
        total = old + now
        total *= jnp.where(total > 0, positive, negative)
        ref["new_regret"][place[slot]] = jnp.where(counts > 0, total, old)
        weight.append(jnp.maximum(total + now * rule.prediction if rule.prediction else total, 0.0))
        whole += weight[slot]
    divisor = jnp.where(whole > 0, whole, 1.0)
    uniform = 1.0 / actions.astype(rule.real)
    for slot in range(group.slots):
        share = jnp.where(slot < actions, uniform, 0.0)
        share = jnp.where(whole > 0, weight[slot] / divisor, share)
        ref["new_strategy"][place[slot]] = jnp.where(counts > 0, share, strategy[slot])
    ref["value"][...] = value * copies


def _push(group: Group, begin: int, ref: dict[str, Any]) -> None:
    """Average the old reach of one block and compute the new one."""
    above, share = ref["reach"][ref["parent"][...]], ref["share"][0]
    for slot in range(group.slots):
        where = _place(group, begin, slot)
        average, old = ref["average"][where], ref["reach"][where].astype(share.dtype)
        ref["new_average"][where] = average + share * (old - average)
        ref["new_reach"][where] = above * ref["strategy"][where]
