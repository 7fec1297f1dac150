"""A deal written as text, ``"JQ"`` or ``"J,Q"``: which outcome each chance event has.

The first label is the outcome of the first chance event on every path, the second that of the
second, and so on; a label that a path never needs (Leduc's shared card after a fold) is ignored
there. Chance events beyond the last label stay random and are walked with their probabilities.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from fogtree.errors import OptionError, require
from fogtree.explanation.sweep import Floats, Walker
from fogtree.game import CHANCE

_MOST_SHOWN = 20


@dataclass(frozen=True, eq=False)
class Deal:
    """A deal: the tree's chance probabilities with the dealt outcomes set to 1."""

    text: str
    labels: tuple[str, ...]
    chance: Floats


def read_deal(walker: Walker, text: str) -> Deal:
    """Read a deal from text. An error names the labels that were possible where the text went
    wrong."""
    require(text, str, "the text of a deal")
    reader = _Reader(walker, text)
    found = list(reader.readings(text.strip(), (), np.array(walker.tree.chance)))
    if not found:
        raise OptionError(reader.complaint())
    if len(found) > 1:
        ways = " or ".join(",".join(deal.labels) for deal in found[:2])
        raise OptionError(f"deal '{text}' can be read as {ways}; put commas between the labels")
    return found[0]


class _Reader:
    """Tries all ways to cut the text into labels of chance outcomes, and remembers the longest."""

    def __init__(self, walker: Walker, text: str) -> None:
        """Prepare to read ``text``. ``furthest`` is the longest reading so far, for an error: the
        labels read, the rest of the text, and the labels that were possible there."""
        self.walker = walker
        self.tree = walker.tree
        self.text = text
        self.furthest: tuple[tuple[str, ...], str, tuple[str, ...]] = ((), text, ())

    def readings(self, rest: str, before: tuple[str, ...], chance: Floats) -> Iterator[Deal]:
        """All deals that the ``rest`` of the text can mean after the labels ``before``."""
        if not rest and before:
            yield Deal(self.text, before, chance)
            return
        below = self.children(chance, len(before))
        possible = self.common_labels(below)
        if len(before) >= len(self.furthest[0]):
            self.furthest = (before, rest, possible)
        for label in possible:
            if (after := self.cut(rest, label)) is not None:
                sure = chance.copy()
                dealt = np.array([self.tree.labels[n] == label for n in self.tree.label[below]])
                sure[below] = dealt.astype(np.float64)
                yield from self.readings(after, (*before, label), sure)

    def cut(self, rest: str, label: str) -> str | None:
        """The rest of the text after a label; ``None`` if the text does not start with it."""
        if "," in self.text:
            first, _, after = rest.partition(",")
            return after.strip() if first.strip() == label else None
        return rest.removeprefix(label).lstrip() if label and rest.startswith(label) else None

    def children(self, chance: Floats, number: int) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
        """Possible nodes right below the chance events that have this number on their path.

        ``number`` counts from 0."""
        parent = self.tree.parent
        possible = self.walker.reach(np.where(self.walker.slot >= 0, 1.0, chance)) > 0
        earlier = np.zeros(len(parent), dtype=np.int64)
        for level in self.walker.levels:
            above = parent[level]
            earlier[level] = earlier[above] + (self.tree.player[above] == CHANCE)
        events = (self.tree.player == CHANCE) & possible & (earlier == number)
        return np.flatnonzero((parent >= 0) & events[parent])

    def common_labels(self, below: np.ndarray[tuple[int], np.dtype[np.int64]]) -> tuple[str, ...]:
        """Labels that all chance events above these nodes have, in the first event's order."""
        by_event: dict[int, list[str]] = {}
        for node in below:
            label = self.tree.labels[self.tree.label[node]]
            by_event.setdefault(int(self.tree.parent[node]), []).append(label)
        shared = [set(labels) for labels in by_event.values()]
        first = next(iter(by_event.values()), [])
        return tuple(label for label in first if all(label in labels for labels in shared))

    def complaint(self) -> str:
        """The error that says where and why the longest attempt to read the text failed."""
        before, rest, possible = self.furthest
        if not (self.tree.player == CHANCE).any():
            return f"{self.tree.game} has no chance events, so there is nothing to deal"
        where = f"after {','.join(before)}" if before else "first"
        if not possible:
            return f"deal '{self.text}': nothing is dealt {where}, so '{rest}' is too much"
        names = ", ".join(possible[:_MOST_SHOWN]) + (", ..." if possible[_MOST_SHOWN:] else "")
        met = f"'{rest}' cannot be dealt {where}" if rest else f"nothing is named {where}"
        return f"deal '{self.text}': {met}; possible: {names}"
