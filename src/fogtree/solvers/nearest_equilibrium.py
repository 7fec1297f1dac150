"""How far a strategy is from the nearest equilibrium, information set by information set.

Equilibria are rarely unique, so the distance to *one* of them says little. In sequence form each
player's equilibrium strategies are a polytope (von Stengel, "Efficient computation of behavior
strategies", 1996): all reaches against which the opponent gets no more than the game's value. The
point of it with the least summed absolute difference from a given reach is one more linear program.
Deviations: none.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy.sparse import bmat, csr_matrix, identity

from fogtree.solvers.linear_program import (
    Floats,
    Program,
    maximin,
    minimise,
    program,
    require_linear_program,
    strategy_of_reach,
)
from fogtree.strategy import Strategy
from fogtree.tree import GameTree

if TYPE_CHECKING:
    from fogtree import _core

SLACK = 1e-9
"""How much more than the game's value the opponent may get, relative to the largest payoff."""

UNREACHED = 1e-6
"""Own reach below which an information set counts as unreached by an equilibrium; it is above the
tolerance of the linear program solver."""


@dataclass(frozen=True, slots=True)
class MixDistance:
    """One information set: its mix and that of the nearest equilibrium. ``own_reach`` is the
    probability that the equilibrium player's own choices lead there; ``distance`` is half the
    summed absolute difference, ``None`` where that probability is 0, so that any mix would do."""

    infoset: str
    player: int
    actions: tuple[str, ...]
    mix: tuple[float, ...]
    nearest: tuple[float, ...]
    own_reach: float
    distance: float | None

    @property
    def weighted(self) -> float:
        """The distance times how often the nearest equilibrium's own choices lead there."""
        return self.own_reach * (self.distance or 0.0)


@dataclass(frozen=True, slots=True)
class NearestEquilibrium:
    """The equilibrium nearest to a strategy. ``distance`` is the summed absolute difference of
    reaches over both players' sequences."""

    value: float
    distance: float
    strategy: Strategy
    mixes: tuple[MixDistance, ...]

    @property
    def largest(self) -> float:
        """The largest weighted distance of a mix."""
        return max((mix.weighted for mix in self.mixes), default=0.0)


class EquilibriumSet:
    """All equilibria of a two-player game of zero or constant sum, as linear constraints among
    which :meth:`nearest` finds the equilibrium nearest to a strategy. Solved once, for many
    strategies."""

    def __init__(self, tree: GameTree) -> None:
        """Solve the game once for the values that equilibria guarantee to both players."""
        require_linear_program(tree)
        self.tree = tree
        self.form = tree.balanced().full_form
        self.programs = (program(self.form, 0), program(self.form, 1))
        solutions = [maximin(constraints) for constraints in self.programs]
        self._half = (tree.payoff_sum or 0.0) / 2  # taken from every payoff of the programs
        self.values = tuple(value + self._half for value, _ in solutions)

    def nearest(self, strategy: Strategy) -> NearestEquilibrium:
        """The equilibrium whose reach of sequences differs least from that of ``strategy``."""
        slots = strategy.for_tree(self.tree)
        mine = tuple(_reach(self.tree, self.form, slots, player) for player in range(2))
        found = [
            _closest(one, -(value - self._half) / one.scale + SLACK, reach)
            for one, value, reach in zip(self.programs, self.values, mine, strict=True)
        ]
        distance = sum(float(np.abs(found[p] - mine[p]).sum()) for p in range(2))
        nearest = strategy_of_reach(self.tree, self.form, (found[0], found[1]))
        mixes = _mixes(self.tree, self.form, strategy, nearest, (found[0], found[1]))
        return NearestEquilibrium(self.values[0], distance, nearest, mixes)


def _closest(constraints: Program, most: float, reach: Floats) -> Floats:
    """The equilibrium reach x nearest to ``reach``: minimise sum t subject to |x - reach| <= t and
    to x being an equilibrium reach, against which the opponent's best response is worth at most
    ``most``."""
    own, size = constraints.own, constraints.size
    one = identity(own, format="csr")
    rest = csr_matrix((own, size - own))
    root = csr_matrix(([1.0], ([0], [own])), shape=(1, size))
    inequality = bmat(
        [
            [constraints.inequality, None],
            [root, None],
            [bmat([[one, rest]]), -one],
            [bmat([[-one, rest]]), -one],
        ]
    )
    upper = np.concatenate([np.zeros(constraints.inequality.shape[0]), [most], reach, -reach])
    equality = bmat([[constraints.equality, csr_matrix((constraints.equality.shape[0], own))]])
    objective = np.concatenate([np.zeros(size), np.ones(own)])
    bounds = [*constraints.bounds(), *[(0.0, None)] * own]
    _, x = minimise(objective, inequality, upper, equality, constraints.right, bounds)
    return np.maximum(x[:own], 0.0)


def _places(tree: GameTree, form: _core.SequenceForm, player: int) -> list[tuple[int, int]]:
    """A player's information sets from the root down: pairs of the place in the player's treeplex
    and the number in the tree."""
    mine = (tree.infoset_player == player).tolist()
    return sorted((place, n) for n, place in enumerate(form.place) if place >= 0 and mine[n])


def _reach(tree: GameTree, form: _core.SequenceForm, slots: Floats, player: int) -> Floats:
    """The probability of every sequence of a player by the player's own actions."""
    _, first, parent, _ = form.treeplex(player)
    reach = np.ones(form.sequences[player])
    for place, number in _places(tree, form, player):
        count, slot = int(tree.infoset_actions[number]), int(tree.first_slot[number])
        begin = int(first[place])
        reach[begin : begin + count] = reach[int(parent[place])] * slots[slot : slot + count]
    return reach


def _mixes(
    tree: GameTree,
    form: _core.SequenceForm,
    strategy: Strategy,
    nearest: Strategy,
    reach: tuple[Floats, Floats],
) -> tuple[MixDistance, ...]:
    """The distance of every information set's mix from that of the nearest equilibrium, whose
    reach of each player's sequences is ``reach``."""
    parents = [form.treeplex(player)[2] for player in range(2)]
    difference = strategy.difference(nearest)
    out = []
    for number, place in enumerate(form.place):
        if place < 0:
            continue
        name, player = tree.infoset_names[number], int(tree.infoset_player[number])
        own = float(reach[player][int(parents[player][place])])
        out.append(
            MixDistance(
                infoset=name,
                player=player,
                actions=tree.infoset_labels[number],
                mix=tuple(strategy[name].values()),
                nearest=tuple(nearest[name].values()),
                own_reach=own,
                distance=difference[name] if own > UNREACHED else None,
            )
        )
    return tuple(out)
