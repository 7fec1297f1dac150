"""A sequence form as rectangular arrays for an accelerator, swept level by level."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import accumulate
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fogtree import _core
from fogtree.solvers.accelerated.level_groups import LANE_ALIGN, Group, group_level
from fogtree.solvers.accelerated.padded_rows import (
    Entries,
    Product,
    Stage,
    in_stages,
    make_product,
)

Arrays = dict[str, Any]


@dataclass
class Level:
    """The information sets at one depth of a player's decisions."""

    groups: list[Group]
    stages: list[Stage]
    """Partial sums of the values below, for sequences with very many information sets below."""
    children: Entries
    """The values below that belong to each sequence."""

    @property
    def lanes(self) -> int:
        return sum(group.lanes for group in self.groups)


@dataclass
class Side:
    """One player's decisions. The empty sequence has position 0, and the groups begin at position
    LANE_ALIGN, each slot by slot."""

    levels: list[Level]  # top first
    parent: NDArray[np.int64]  # sequence above, per information set
    copies: NDArray[np.float64]
    members: NDArray[np.float64]  # per sequence
    payoffs: Entries  # columns are the other's sequences, and from then on partial sums
    stages: list[Stage]
    position: NDArray[np.int32] = field(init=False)  # per sequence

    def __post_init__(self) -> None:
        self.position = np.zeros(len(self.members), np.int32)
        for group, offset in zip(self.groups, self.offsets, strict=False):
            for slot, sequence in enumerate(group.sequence):
                legal = np.flatnonzero(sequence >= 0)
                self.position[sequence[legal]] = offset + slot * group.lanes + legal

    @property
    def groups(self) -> list[Group]:
        return [group for level in self.levels for group in level.groups]

    @property
    def offsets(self) -> list[int]:
        """Where each group begins, and at last the number of positions."""
        return list(accumulate((group.size for group in self.groups), initial=LANE_ALIGN))

    @property
    def size(self) -> int:
        return self.offsets[-1]


def make_side(form: _core.SequenceForm, player: int, scale: float) -> Side:
    """One player's decisions in groups, and its payoffs divided by ``scale``."""
    *whole, members = form.treeplex(player)
    actions, first, parent = (part.astype(np.int64) for part in whole)
    row, column, value = form.payoffs(player)
    entries = Entries.sorted(row, column, value / scale)
    stages, entries = in_stages(entries, len(members), form.sequences[1 - player])
    depth = _depths(actions, parent)
    lane = np.zeros(len(actions), np.int64)  # where an information set's value stands in its level
    levels: list[Level] = []
    for at in range(int(depth.max(initial=-1)), -1, -1):
        here, below = np.flatnonzero(depth == at), np.flatnonzero(depth == at + 1)
        children = Entries.sorted(
            parent[below].astype(np.int32), lane[below].astype(np.int32), np.ones(len(below))
        )
        sources = levels[-1].lanes if levels else 0
        sums, children = in_stages(children, len(members), sources)
        groups = group_level(here, first[here], actions[here], children.counts(len(members)))
        start = 0
        for group in groups:
            lane[group.infosets] = start + np.arange(len(group.infosets))
            start += group.lanes
        levels.append(Level(groups, sums, children))
    copies = members[first] / members[parent]
    return Side(levels[::-1], parent, copies, members, entries, stages)


def _depths(actions: NDArray[np.int64], parent: NDArray[np.int64]) -> NDArray[np.int64]:
    """How many own information sets lie above each."""
    owner = np.concatenate([[-1], np.repeat(np.arange(len(actions)), actions)])
    above = owner[parent]
    depth = np.full(len(actions), -1)
    now = np.flatnonzero(above < 0)
    at = 0
    while len(now):
        depth[now] = at
        at += 1
        reached = np.zeros(len(actions) + 1, bool)
        reached[now] = True
        now = np.flatnonzero(reached[above])
    return depth


def side_product(side: Side, other: Side) -> Product:
    """The payoffs of a side by positions of the other; partial sums follow behind those."""
    where = _columns(side, other)
    entries = Entries(side.payoffs.row, where[side.payoffs.column], side.payoffs.value)
    return make_product(entries, len(side.members), len(where) and int(where.max()) + 1)


def _columns(side: Side, other: Side) -> NDArray[np.int32]:
    """The position of each of the other's sequences, and of each partial sum behind them."""
    sums = sum(stage.sums for stage in side.stages)
    return np.concatenate([other.position, np.arange(sums, dtype=np.int32) + other.size])


def side_arrays(side: Side, other: Side, product: Product, real: Any) -> Arrays:
    """The arrays of a side's sweeps, as they go to the accelerator."""
    where = _columns(side, other)
    direct = np.full(len(side.members) + 1, len(product.row), np.int32)  # behind all sums is a 0
    direct[product.row] = np.arange(len(product.row))
    levels = []
    for level, below in zip(side.levels, [*side.levels[1:], None], strict=True):
        nothing = len(below.groups[0].infosets) if below else 0  # padding: its value is 0
        groups = [
            _group_arrays(side, group, direct, _child_rows(level.children, group, nothing), real)
            for group in level.groups
        ]
        levels.append({"stages": _stage_arrays(level.stages, real), "groups": groups})
    stages = [Stage(where[stage.index], stage.value) for stage in side.stages]
    return {
        "stages": _stage_arrays(stages, real),
        "rectangles": product.rectangles,
        "values": product.values.astype(real),
        "root": direct[0],
        "levels": levels,
    }


def _stage_arrays(stages: list[Stage], real: Any) -> list[tuple[Any, Any]]:
    return [(stage.index, stage.value.astype(real)) for stage in stages]


def _group_arrays(
    side: Side,
    group: Group,
    direct: NDArray[np.int32],
    children: NDArray[np.int32],
    real: Any,
) -> Arrays:
    """The arrays of one group. ``direct`` says where each sequence's sum of payoffs stands, at its
    end where a 0 stands."""
    count = len(group.infosets)
    legal = group.sequence >= 0
    shape = group.slots, group.lanes
    payoffs = np.full(shape, direct[-1])
    payoffs[:, :count] = direct[group.sequence]  # -1: none
    members = np.zeros(shape, real)
    members[:, :count] = np.where(legal, side.members[group.sequence], 0)
    parent = np.zeros(group.lanes, np.int32)
    parent[:count] = side.position[side.parent[group.infosets]]
    copies = np.zeros(group.lanes, real)
    copies[:count] = side.copies[group.infosets]
    actions = np.ones(group.lanes, np.int32)
    actions[:count] = legal.sum(axis=0)
    return {
        "payoff": payoffs,
        "child": children,
        "parent": parent,
        "copies": copies,
        "actions": actions,
        "members": members,
    }


def _child_rows(children: Entries, group: Group, nothing: int) -> NDArray[np.int32]:
    """For each slot, the first value below every sequence, then the second, and so on;
    ``nothing`` is a value that is always 0."""
    out = np.full((sum(group.children), group.lanes), nothing, np.int32)
    at = 0
    for sequence, width in zip(group.sequence, group.children, strict=True):
        begin = np.searchsorted(children.row, sequence)
        end = np.searchsorted(children.row, sequence, side="right")
        for k in range(width):
            lane = np.flatnonzero(begin + k < end)
            out[at + k, lane] = children.column[begin[lane] + k]
        at += width
    return out
