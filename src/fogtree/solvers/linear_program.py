"""The exact equilibrium of a two-player zero-sum game, by linear programming.

Koller, Megiddo & von Stengel, "Efficient computation of equilibria for extensive two-person games"
(1996), solved with HiGHS.
Deviations: run on the merged sequence form, whose optimum is the same.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linprog
from scipy.sparse import bmat, csr_matrix

from fogtree.errors import FogtreeError, GameError
from fogtree.solvers.solvable import not_solvable
from fogtree.strategy import Strategy
from fogtree.text.amounts import short_number
from fogtree.tree import AnyGame, GameTree, compile

if TYPE_CHECKING:
    from fogtree import _core

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Equilibrium:
    """An exact equilibrium; ``value`` is player 0's expected payoff."""

    value: float
    strategy: Strategy

    def __repr__(self) -> str:
        return f"<Equilibrium {self.strategy.game}: value {short_number(self.value)}>"


@dataclass(frozen=True, slots=True)
class Program:
    """The linear program of one player: all its strategies, and the best response values to them.

    The variables are the reach x of the own sequences, then the values w of the opponent's
    information sets, the root's first. ``equality`` says that x is a reach, ``inequality`` that no
    sequence of the opponent gives more than w allows. ``members`` are the copies of each own
    sequence, 1 in a game that is not merged. Payoffs are divided by ``scale``, the largest of them:
    the solver treats numbers below 1e-9 as 0.
    """

    inequality: Any
    equality: Any
    right: Floats
    members: Floats
    scale: float

    @property
    def own(self) -> int:
        """The number of the player's own sequences."""
        return len(self.members)

    @property
    def size(self) -> int:
        """The number of variables."""
        return int(self.equality.shape[1])

    def bounds(self) -> list[tuple[float | None, float | None]]:
        """A reach is at least 0, a value anything."""
        return [(0.0, None)] * self.own + [(None, None)] * (self.size - self.own)


def equilibrium(game: AnyGame) -> Equilibrium:
    """A Nash equilibrium of a two-player zero-sum game, by linear programming; payoffs may also add
    up to another number that is the same at every end.

    It is exact to the solver's tolerance (about 1e-9).

    >>> import fogtree
    >>> round(fogtree.equilibrium("kuhn_poker").value, 6)
    -0.055556
    """
    whole = compile(game)
    require_linear_program(whole)
    tree, half = whole.balanced(), (whole.payoff_sum or 0.0) / 2
    value, first = maximin(program(tree.form, 0))
    _, second = maximin(program(tree.form, 1))
    return Equilibrium(value + half, strategy_of_reach(tree, tree.form, (first, second)))


def require_linear_program(tree: GameTree) -> None:
    """Refuse a game that has no linear program."""
    if why := not_solvable(tree):
        raise GameError(f"{tree.game} {why}; there is no linear program")


def maximin(constraints: Program) -> tuple[float, Floats]:
    """The largest value that the player can guarantee, and the reach of the own sequences that
    guarantees it."""
    objective = np.zeros(constraints.size)
    objective[constraints.own] = 1.0  # the opponent's value at the root: make it small
    lowest, x = minimise(
        objective,
        constraints.inequality,
        np.zeros(constraints.inequality.shape[0]),
        constraints.equality,
        constraints.right,
        constraints.bounds(),
    )
    return -lowest * constraints.scale + 0.0, x[: constraints.own]


def minimise(*program: Any) -> tuple[float, Floats]:
    """The optimum and its point: arguments are objective, A_ub, b_ub, A_eq, b_eq and bounds, as in
    ``scipy.optimize.linprog``."""
    objective, inequality, upper, equality, right, bounds = program
    result = linprog(
        objective,
        A_ub=inequality,
        b_ub=upper,
        A_eq=equality,
        b_eq=right,
        bounds=bounds,
        method="highs",
    )
    if not result.success or result.fun is None:
        raise FogtreeError(f"the linear program failed: {result.message}")
    return float(result.fun), np.asarray(result.x, dtype=np.float64)


def program(form: _core.SequenceForm, player: int) -> Program:
    """The linear program of one player of a two-player zero-sum game."""
    other = 1 - player
    own_flow, own_members = _flow(form, player)
    other_flow, members = _flow(form, other)
    rows, columns, values = form.payoffs(other)  # the opponent's payoff, per own sequence
    shape = (form.sequences[other], form.sequences[player])
    scale = float(np.abs(values).max(initial=0.0)) or 1.0
    pays = csr_matrix((values / scale, (rows, columns)), shape=shape)
    weights = csr_matrix((members, (range(shape[0]), range(shape[0]))), shape=(shape[0],) * 2)
    # The opponent's best response value w: w(sequence's information set) >= its payoff + below.
    inequality = bmat([[weights @ pays, -other_flow.T]])
    equality = bmat([[own_flow, csr_matrix((own_flow.shape[0], other_flow.shape[0]))]])
    right = np.zeros(own_flow.shape[0])
    right[0] = 1.0
    return Program(inequality, equality, right, own_members, scale)


def strategy_of_reach(
    tree: GameTree, form: _core.SequenceForm, reach: tuple[Floats, Floats]
) -> Strategy:
    """The strategy from each player's own reach of its sequences; uniform at information sets whose
    actions all have reach 0."""
    slots = np.array(Strategy.uniform(tree).probabilities)
    starts = [form.treeplex(player)[1] for player in range(2)]
    for number, place in enumerate(form.place):
        if place < 0:
            continue
        player = int(tree.infoset_player[number])
        begin = int(starts[player][place])
        count = int(tree.infoset_actions[number])
        mix = np.maximum(reach[player][begin : begin + count], 0.0)
        if mix.sum() > 1e-12:
            slot = tree.first_slot[number]
            slots[slot : slot + len(mix)] = mix / mix.sum()
    return Strategy.of(tree, slots)


def _flow(form: _core.SequenceForm, player: int) -> tuple[Any, Floats]:
    """The constraints ``F x = (1, 0, 0, ...)`` that make x a reach: the reach of a sequence is
    split among the actions of each information set below it.

    With merged information sets a row is weighted by its members, so that the transpose adds up the
    values of all copies below a sequence.
    """
    actions, first, parent, members = form.treeplex(player)
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
    shape = (len(actions) + 1, form.sequences[player])
    return csr_matrix((values, (rows, columns)), shape=shape), members
