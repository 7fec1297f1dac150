"""Information sets of one level gathered into few groups, each a rectangle that one kernel sweeps.

A launch of a kernel takes as long as moving a few megabytes, so information sets with different
numbers of actions and children share a group, padded to the largest, unless the padding
moves more than that.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

Counts = NDArray[np.int64]

LANE_ALIGN = 128
"""Groups are padded to a multiple of so many information sets, by at least one."""

_LAUNCH_BYTES = 6e6
"""Memory traffic that takes as long as the launches that another group costs."""

_STATE_BYTES, _CHILD_BYTES = 100, 12
"""Memory traffic of a sequence and of a child, per iteration."""

_MOST_GROUPS = 8


@dataclass(frozen=True)
class Group:
    """Information sets that are swept together. Slots are their actions, those with most children
    first; ``sequence`` has one row per slot, -1 where an information set has fewer actions."""

    infosets: NDArray[np.int64]
    sequence: NDArray[np.int64]
    children: tuple[int, ...]
    """Most information sets below a sequence, per slot."""

    @property
    def slots(self) -> int:
        return len(self.children)

    @property
    def lanes(self) -> int:
        """Information sets, padding included."""
        return -(-(len(self.infosets) + 1) // LANE_ALIGN) * LANE_ALIGN

    @property
    def size(self) -> int:
        return self.slots * self.lanes


@dataclass
class _Class:
    """Information sets with similar counts; ``most`` has the most children per slot."""

    members: NDArray[np.int64]
    actions: int
    most: Counts

    @property
    def bytes(self) -> float:
        each = self.actions * _STATE_BYTES + int(self.most.sum()) * _CHILD_BYTES
        return len(self.members) * float(each)

    def joined(self, other: _Class) -> _Class:
        return _Class(
            np.concatenate([self.members, other.members]),
            max(self.actions, other.actions),
            np.maximum(self.most, other.most),
        )

    def extra(self, other: _Class) -> float:
        """Bytes that joining adds."""
        most = np.maximum(self.most, other.most).sum() * _CHILD_BYTES
        each = max(self.actions, other.actions) * _STATE_BYTES + float(most)
        return (len(self.members) + len(other.members)) * each - self.bytes - other.bytes


def group_level(
    infosets: NDArray[np.int64],
    first: NDArray[np.int64],
    actions: NDArray[np.int64],
    children: Counts,
) -> list[Group]:
    """Groups of the information sets of one level. ``first`` and ``actions`` are given per
    information set, ``children`` per sequence."""
    widest = int(actions.max())
    slot = np.arange(widest)
    legal = slot < actions[:, None]
    sequence = np.where(legal, first[:, None] + slot, -1)
    counts = np.where(legal, children[sequence], -1)
    order = np.argsort(-counts, axis=1, kind="stable")
    sequence = np.take_along_axis(sequence, order, axis=1)
    counts = np.maximum(np.take_along_axis(counts, order, axis=1), 0)
    groups = []
    for one in _merged(_classes(counts, actions)):
        members = np.sort(one.members)
        groups.append(
            Group(
                infosets[members],
                np.ascontiguousarray(sequence[members, : one.actions].T),
                tuple(int(c) for c in one.most[: one.actions]),
            )
        )
    return groups


def _classes(counts: Counts, actions: NDArray[np.int64]) -> list[_Class]:
    """Information sets whose counts agree up to a factor of two, in lexicographic order."""
    rough = np.ceil(np.log2(counts + 1)).astype(np.int64)
    rough = np.concatenate([actions[:, None], rough], axis=1)
    salt = np.random.default_rng(0).integers(1 << 62, size=rough.shape[1])
    _, sample, kind = np.unique(rough @ salt, return_index=True, return_inverse=True)
    by_kind = np.argsort(kind, kind="stable")
    starts = np.searchsorted(kind[by_kind], np.arange(len(sample)))
    most = np.maximum.reduceat(counts[by_kind], starts)
    widest = np.maximum.reduceat(actions[by_kind], starts)
    members = np.split(by_kind, starts[1:])
    return [_Class(members[k], int(widest[k]), most[k]) for k in np.lexsort(rough[sample].T[::-1])]


def _merged(classes: list[_Class]) -> list[_Class]:
    """Join neighbours, cheapest first, while that moves fewer bytes than a launch is worth."""
    extra = [a.extra(b) for a, b in pairwise(classes)]
    while extra:
        k = int(np.argmin(extra))
        if extra[k] > _LAUNCH_BYTES and len(classes) <= _MOST_GROUPS:
            break
        classes[k : k + 2] = [classes[k].joined(classes[k + 1])]
        del extra[k]
        if k > 0:
            extra[k - 1] = classes[k - 1].extra(classes[k])
        if k < len(extra):
            extra[k] = classes[k].extra(classes[k + 1])
    return classes
