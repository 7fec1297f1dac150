"""The interface of native tree walkers: how a game hands over its tree as arrays."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Protocol, TypeVar, overload, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from fogtree import _core

T = TypeVar("T")


class _Column(Sequence[T]):
    """Base of the read-only sequences here, each with one element per information set; equal to
    every sequence with the same elements."""

    def __eq__(self, other: object) -> bool:
        if other is self:
            return True
        if not isinstance(other, Sequence) or isinstance(other, str):
            return NotImplemented
        return len(self) == len(other) and all(a == b for a, b in zip(self, other, strict=True))

    __hash__ = None  # type: ignore[assignment]


class DeferredNames(_Column[str]):
    """Names that are all computed when one of them is first needed."""

    def __init__(self, length: int, make: Callable[[], Iterable[str]]) -> None:
        """``make`` computes the names, of which there are ``length``."""
        self._length, self._make = length, make
        self._made: tuple[str, ...] | None = None

    def _all(self) -> tuple[str, ...]:
        """All names, computed at the first call."""
        if self._made is None:
            self._made = tuple(self._make())
            del self._make
        return self._made

    def __reduce__(self) -> tuple[type, tuple[tuple[str, ...]]]:
        """Pickle the names as a plain tuple: functions such as ``make`` cannot be pickled."""
        return tuple, (self._all(),)

    def __len__(self) -> int:
        return self._length

    def __iter__(self) -> Iterator[str]:
        return iter(self._all())

    @overload
    def __getitem__(self, place: int) -> str: ...
    @overload
    def __getitem__(self, place: slice) -> tuple[str, ...]: ...
    def __getitem__(self, place: int | slice) -> str | tuple[str, ...]:
        return self._all()[place]


class Menus(_Column[tuple[str, ...]]):
    """The action labels of each information set; equal lists of labels are stored once."""

    def __init__(self, menus: Sequence[tuple[str, ...]], numbers: NDArray[np.int32]) -> None:
        """``menus`` are the different lists of labels; ``numbers`` has, for each information set,
        the index of its list in ``menus``."""
        self.menus, self.numbers = menus, numbers

    @classmethod
    def of(cls, labels: Iterable[tuple[str, ...]]) -> Menus:
        """Menus from one tuple of labels per information set."""
        if isinstance(labels, Menus):
            return labels
        known: dict[tuple[str, ...], int] = {}
        numbers = [known.setdefault(menu, len(known)) for menu in labels]
        return cls(list(known), np.array(numbers, dtype=np.int32))

    @property
    def sizes(self) -> NDArray[np.int32]:
        """The number of actions of each information set."""
        return np.array([len(menu) for menu in self.menus], dtype=np.int32)[self.numbers]

    def __len__(self) -> int:
        return len(self.numbers)

    def __iter__(self) -> Iterator[tuple[str, ...]]:
        return map(self.menus.__getitem__, self.numbers.tolist())

    @overload
    def __getitem__(self, place: int) -> tuple[str, ...]: ...
    @overload
    def __getitem__(self, place: slice) -> tuple[tuple[str, ...], ...]: ...
    def __getitem__(self, place: int | slice) -> tuple[str, ...] | tuple[tuple[str, ...], ...]:
        """The action labels of an information set, or of each one in a range."""
        if isinstance(place, slice):
            return tuple([self.menus[number] for number in self.numbers[place].tolist()])
        return self.menus[int(self.numbers[place])]


@dataclass(frozen=True, eq=False)
class TreeParts:
    """The arrays of a :class:`~fogtree.tree.GameTree`: first those with one entry per node, parents
    before their children, then those with one entry per information set."""

    parent: NDArray[np.int32]
    """-1 at the root."""
    player: NDArray[np.int8]
    """Who moves, or CHANCE, or TERMINAL."""
    action: NDArray[np.int32]
    """Which of the parent's actions or outcomes, from 0, led to the node."""
    index: NDArray[np.int32]
    """The information set of a decision, the row in ``payoffs`` of a terminal node, or -1."""
    chance: NDArray[np.float64]
    """The probability of the outcome that led to the node; 1 if its parent is not a chance node."""
    view: NDArray[np.int32]
    """The number of each player's remembered history: (nodes, players)."""
    payoffs: NDArray[np.float64]
    """The payoffs at the ends of the game: (terminal nodes, players)."""
    label: NDArray[np.int32]
    """The number in ``labels`` of the action or outcome that led to the node; -1 at the root."""
    labels: tuple[str, ...]
    """The texts of all actions and chance outcomes."""
    infoset_player: NDArray[np.int8]
    infoset_names: Sequence[str]
    infoset_labels: Sequence[tuple[str, ...]]
    """The texts of the actions of each information set."""
    native: _core.FlatTree | None = field(default=None, init=False, repr=False)
    """The same arrays for the native core, if the tree was walked there; copies with other arrays
    have none."""

    def keep_native(self, tree: _core.FlatTree | None) -> None:
        """Set ``native`` while the parts are made; the parts are frozen otherwise."""
        object.__setattr__(self, "native", tree)


@dataclass(frozen=True, eq=False)
class Memories:
    """The players' histories by the numbers in ``TreeParts.view``: the number of the history before
    (negative: none), and what was observed since, as a few whole numbers (-1: nothing)."""

    before: NDArray[np.int32]
    facts: NDArray[np.int32]


class TreeSource(Protocol):
    """Walks a game's tree by itself: a game with a native engine offers one to ``compile``."""

    bytes_per_node: int
    """Memory that each history takes at most, by which ``compile`` keeps within its limit."""

    @property
    def nodes(self) -> int:
        """The number of histories visited so far."""

    def grow(self, nodes: int) -> bool:
        """Visit up to ``nodes`` more histories; False when none is left."""

    def parts(self) -> TreeParts:
        """The arrays of the tree, once every history has been visited."""


@runtime_checkable
class MeasuredSource(Protocol):
    """A tree source that knows how far it is."""

    def share_visited(self) -> float:
        """The share of the game visited so far, from 0 to 1, by estimate."""


@runtime_checkable
class MemorySource(Protocol):
    """A tree source that also knows the players' histories."""

    def memories(self) -> Memories:
        """All histories of the players; walks the rest of the game first."""
