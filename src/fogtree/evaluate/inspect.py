"""A strategy with the reach of every information set and the values of its actions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from fogtree.errors import require
from fogtree.evaluate.best_response import measuring_engine
from fogtree.results import Drawn, HasRows
from fogtree.strategy import Strategy
from fogtree.text.amounts import short_number
from fogtree.tree import AnyGame, GameTree, compile


@dataclass(frozen=True, slots=True)
class InfosetReport:
    """One information set under a strategy. ``reach`` is the probability that play gets there if
    all follow the strategy. ``values`` are the mover's expected payoffs per action, given that play
    got there; None if chance and the others never let play get there, or if there is only one
    action. ``expected_value`` is their mean under the strategy."""

    name: str
    player: int
    actions: tuple[str, ...]
    probabilities: tuple[float, ...]
    reach: float
    values: tuple[float, ...] | None
    expected_value: float | None

    def __repr__(self) -> str:
        shares = zip(self.actions, self.probabilities, strict=True)
        mix = ", ".join(f"{action} {share:.3f}" for action, share in shares)
        worth = (
            "" if self.expected_value is None else f", value {short_number(self.expected_value)}"
        )
        return f"<InfosetReport {self.name}: {mix}; reach {short_number(self.reach)}{worth}>"


class Inspection(Drawn, HasRows, tuple[InfosetReport, ...]):
    """The reports of all information sets."""

    drawing: ClassVar[str] = "fogtree.report.notebook:inspection_html"

    def __repr__(self) -> str:
        return f"<Inspection: {len(self):,} information sets>"

    def rows(self) -> list[dict[str, Any]]:
        """One row per action of every information set."""
        return [
            {
                "infoset": report.name,
                "player": report.player,
                "reach": report.reach,
                "action": action,
                "probability": report.probabilities[k],
                "value": None if report.values is None else report.values[k],
            }
            for report in self
            for k, action in enumerate(report.actions)
        ]


def inspect(game: AnyGame, strategy: Strategy) -> Inspection:
    """Reach, mix and values at every information set, in the tree's order.

    >>> import fogtree
    >>> run = fogtree.solve("kuhn_poker", iterations=100)
    >>> report = fogtree.inspect("kuhn_poker", run.strategy)[0]
    >>> report.name, report.actions
    ('J', ('check', 'bet'))
    """
    require(strategy, Strategy, "a strategy")
    tree = compile(game)
    slots = strategy.for_tree(tree)
    engine = measuring_engine(tree)
    engine.set_strategy(slots)
    utility = sum((engine.utilities(p) for p in range(tree.players)), np.zeros(tree.slots))
    reach, others = infoset_reach(tree, slots)
    out = []
    for number, name in enumerate(tree.infoset_names):
        first, last = tree.first_slot[number], tree.first_slot[number + 1]
        mix = slots[first:last]
        values: tuple[float, ...] | None = None
        expected: float | None = None
        if others[number] > 0 and last - first > 1:
            # Counterfactual values are weighted with the reach of chance and the others.
            worth = utility[first:last] / others[number]
            values = tuple(float(value) for value in worth)
            expected = float(worth @ mix)
        out.append(
            InfosetReport(
                name,
                int(tree.infoset_player[number]),
                tree.infoset_labels[number],
                tuple(float(p) for p in mix),
                float(reach[number]),
                values,
                expected,
            )
        )
    return Inspection(out)


def infoset_reach(
    tree: GameTree, slots: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Per information set: its reach, and its reach without the mover's own probabilities."""
    edge = np.array(tree.chance)
    above = tree.parent[1:]
    decided = np.flatnonzero(tree.player[above] >= 0) + 1
    above = tree.parent[decided]
    edge[decided] = slots[tree.first_slot[tree.index[above]] + tree.action[decided]]
    mover = np.full(len(tree.parent), -1, dtype=np.int8)
    mover[decided] = tree.player[above]
    reach = np.zeros(len(tree.infoset_names))
    others = np.zeros(len(tree.infoset_names))
    total = _path_products(tree.parent, edge)
    for player in range(tree.players):
        without = _path_products(tree.parent, np.where(mover == player, 1.0, edge))
        here = np.flatnonzero(tree.player == player)
        np.add.at(reach, tree.index[here], total[here])
        np.add.at(others, tree.index[here], without[here])
    return reach, others


def _path_products(parent: NDArray[np.int32], edge: NDArray[np.float64]) -> NDArray[np.float64]:
    """For every node, the product of the edge probabilities on its path from the root, by pointer
    doubling: each round multiplies by the product of twice as many edges above."""
    product = edge.copy()
    jump = parent.astype(np.int64)
    while (jump >= 0).any():
        inside = jump >= 0
        product[inside] *= product[jump[inside]]
        jump[inside] = jump[jump[inside]]
    return product
