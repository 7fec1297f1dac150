"""The exact equilibrium of a two-player zero-sum game, by linear programming.

Koller, Megiddo & von Stengel, "Efficient computation of equilibria for extensive two-person games"
(1996), solved with HiGHS.
Deviations: run on the merged sequence form, whose optimum is the same.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fogtree.errors import FogtreeError, GameError
from fogtree.strategy import Strategy
from fogtree.tree import GameTree

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Equilibrium:
    """``value`` is what player 0 gets at least and player 1 concedes at most."""

    value: float
    strategy: Strategy


def equilibrium(tree: GameTree) -> Equilibrium:
    """A Nash equilibrium, exact to the linear program solver's tolerance (about 1e-9)."""
    if tree.players != 2 or not tree.zero_sum:
        raise GameError(
            f"{tree.game} is not a two-player zero-sum game; there is no linear program"
        )
    value, first = _maximin(tree, 0)
    _, second = _maximin(tree, 1)
    slots = np.array(Strategy.uniform(tree).probabilities)
    for number, place in enumerate(tree.form.place):
        if place < 0:
            continue
        reach = (first, second)[tree.infoset_player[number]]
        _, starts, _, _ = tree.form.treeplex(int(tree.infoset_player[number]))
        begin = int(starts[place])
        mix = np.maximum(reach[begin : begin + int(tree.infoset_actions[number])], 0.0)
        if mix.sum() > 1e-12:
            slot = tree.first_slot[number]
            slots[slot : slot + len(mix)] = mix / mix.sum()
    return Equilibrium(value, Strategy.of(tree, slots))


def _maximin(tree: GameTree, player: int) -> tuple[float, Floats]:
    """The largest value ``player`` can be sure of, and the reach of own sequences that gives it.

    max v(root) over own reach x and the values v of the opponent's information sets, such that x is
    a reach, and no sequence of the opponent gives it more than v allows.
    """
    from scipy.optimize import linprog  # noqa: PLC0415 - slow to import and rarely needed
    from scipy.sparse import bmat, csr_matrix  # noqa: PLC0415

    form = tree.form
    other = 1 - player
    own_flow, _ = _flow(tree, player)
    other_flow, members = _flow(tree, other)
    rows, columns, values = form.payoffs(other)  # the opponent's payoff, per own sequence
    shape = (form.sequences[other], form.sequences[player])
    pays = csr_matrix((values, (rows, columns)), shape=shape)
    weights = csr_matrix((members, (range(shape[0]), range(shape[0]))), shape=(shape[0],) * 2)
    # The opponent's best response value w: w(sequence's information set) >= its payoff + below.
    inequality: Any = bmat([[weights @ pays, -other_flow.T]])
    own_size, other_size = shape[1], other_flow.shape[0]
    equality: Any = bmat([[own_flow, csr_matrix((own_flow.shape[0], other_size))]])
    right = np.zeros(own_flow.shape[0])
    right[0] = 1.0
    objective = np.zeros(own_size + other_size)
    objective[own_size] = 1.0  # the opponent's value at the root: make it small
    bounds = [(0.0, None)] * own_size + [(None, None)] * other_size
    result = linprog(
        objective,
        A_ub=inequality,
        b_ub=np.zeros(shape[0]),
        A_eq=equality,
        b_eq=right,
        bounds=bounds,
        method="highs",
    )
    if not result.success or result.x is None or result.fun is None:
        raise FogtreeError(f"the linear program for {tree.game} failed: {result.message}")
    return -float(result.fun), result.x[:own_size]


def _flow(tree: GameTree, player: int) -> tuple[Any, Floats]:
    """Constraints ``F x = (1, 0, 0, ...)`` of a reach: what goes into an information set comes out.

    With merged information sets a row is weighed by its members, so that the transpose adds up the
    values of all copies below a sequence.
    """
    from scipy.sparse import csr_matrix  # noqa: PLC0415

    actions, first, parent, members = tree.form.treeplex(player)
    rows, columns, values = [0], [0], [1.0]
    for number, (count, start, above) in enumerate(zip(actions, first, parent, strict=True)):
        weight = float(members[int(start)])
        for sequence in range(int(start), int(start + count)):
            rows.append(number + 1)
            columns.append(sequence)
            values.append(weight)
        rows.append(number + 1)
        columns.append(int(above))
        values.append(-weight)
    shape = (len(actions) + 1, tree.form.sequences[player])
    return csr_matrix((values, (rows, columns)), shape=shape), members
