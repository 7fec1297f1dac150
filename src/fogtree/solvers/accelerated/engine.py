"""Regret minimization on a GPU, in the place of the native engine."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fogtree import _core
from fogtree.errors import MemoryLimitError
from fogtree.evaluate.best_response import summarise
from fogtree.solvers.accelerated.card import Card
from fogtree.solvers.accelerated.choice import PREDICTION
from fogtree.solvers.recipes import AVERAGING_EXPONENT, Recipe
from fogtree.strategy.mixes import mixes_of
from fogtree.text.choices import Precision
from fogtree.tree import GameTree

Floats = NDArray[np.float64]

ITERATIONS_OF_A_CALL = 1024
"""Most iterations of one kernel call: its barrier counts in 32 bits, and signals are handled only
between calls."""

_MOST_ITERATIONS = 1 << 62
_TABLES = "chunks", "level_begin", "lane_parent", "above"
_PAYOFFS = "rows", "terms"
_CHILDREN = "child_begin", "children"
_STATE = "regret", "strategy", "reach", "average", "utility", "value", "measured"


@dataclass
class Side:
    """One player's arrays on the card, by the names in ``kernels.cu``. They have ``size``
    positions, in ``levels`` levels; ``positions`` has the position of each of the player's
    ``slots``, which are numbers of slots in the tree."""

    arrays: dict[str, Any]
    size: int
    levels: int
    slots: NDArray[np.int64]
    positions: NDArray[np.int32]  # of these slots

    @property
    def bytes(self) -> int:
        """Memory of the arrays."""
        return sum(int(array.nbytes) for array in self.arrays.values())

    def table(self, card: Card) -> list[int]:
        """The members of the struct ``Side`` in ``kernels.cu``, in order: addresses of arrays, and
        the two sizes."""
        names = (*_TABLES, "copies", *_PAYOFFS, "payoffs", *_CHILDREN, "members", *_STATE)
        addresses = [card.address(self.arrays[name]) for name in names]
        return [*addresses, self.levels, self.size]


class AcceleratedEngine:
    """The same iterations as those of the native engine, up to the order of additions."""

    def __init__(self, tree: GameTree, row: Recipe, precision: Precision, card: Card) -> None:
        """Move both players' arrays to the card, and begin with uniform strategies and no
        regrets."""
        self.tree, self.row, self.card = tree, row, card
        self.iteration, self.weight = 0, 0.0
        self.real: Any = np.dtype(precision).type
        form = tree.form
        self.scale = _scale(form)
        with ThreadPoolExecutor() as pool:
            layouts = list(pool.map(form.device_layout, range(2)))
        self.sides = [self._side(form, player, made) for player, made in enumerate(layouts)]
        self._table = card.put(
            np.array([number for side in self.sides for number in side.table(card)], np.int64)
        )
        self._sums = card.put(np.zeros(4 * card.threads))
        counts = tree.infoset_actions[tree.slot_infoset]
        self._start(np.zeros(tree.slots), 1.0 / counts, None)

    def _side(self, form: _core.SequenceForm, player: int, made: dict[str, Any]) -> Side:
        """One player's arrays, moved to the card; ``made`` is the layout that the native core
        made."""
        position, size = made["position"], len(made["members"])
        arrays = {name: made[name] for name in (*_TABLES[:3], *_PAYOFFS, *_CHILDREN)}
        arrays["above"] = _above(form, player, position, size)
        arrays["copies"] = made["lane_copies"].astype(self.real)
        arrays["payoffs"] = (made["payoffs"] / self.scale).astype(self.real)
        arrays["members"] = made["members"].astype(self.real)
        for name in ("regret", "strategy", "reach", "utility", "measured"):
            arrays[name] = np.zeros(size, self.real)
        arrays["average"] = np.zeros(size)
        arrays["value"] = np.zeros(made["lanes"], self.real)
        slots, sequences = _slot_sequences(self.tree, form, player)
        levels = len(made["level_begin"]) - 1
        side = Side(arrays, size, levels, slots, position[sequences])
        self._check_memory(side.bytes)
        side.arrays = {name: self.card.put(array) for name, array in arrays.items()}
        return side

    def _check_memory(self, needed: int) -> None:
        """Refuse a game one of whose players needs more bytes than the card has free, before its
        arrays are moved there."""
        free = self.card.free_bytes()
        if needed > free:
            raise MemoryLimitError(
                f"{self.tree.game} needs about {2 * needed / 2**30:.1f} GiB on the GPU, which has "
                f"{free / 2**30:.1f} GiB free; use --device cpu"
            )

    @property
    def bytes(self) -> int:
        """Memory on the card."""
        return sum(side.bytes for side in self.sides)

    def _start(self, regret: Floats, strategy: Floats, average: Floats | None) -> None:
        """Put a state on the card, from arrays over slots, and compute the reach from the
        strategies. ``average``: own reaches, averaged; None: those of the strategies."""
        for side in self.sides:
            self._set(side, "regret", regret)
            self._set(side, "strategy", strategy)
            side.arrays["reach"][0] = 1.0
        self._launch("spread")
        for side in self.sides:
            if average is None:
                side.arrays["average"][:] = side.arrays["reach"]
            else:
                self._set(side, "average", average, empty=1.0)

    def _set(self, side: Side, name: str, slots: Floats, empty: float = 0.0) -> None:
        """Fill one of a player's arrays on the card from values by slot; ``empty`` is the value of
        the empty sequence."""
        array = side.arrays[name]
        flat = np.zeros(side.size, array.dtype)
        flat[side.positions] = slots[side.slots]
        flat[0] = empty
        array[:] = self.card.put(flat)

    def _launch(self, kernel: str, *arguments: Any) -> None:
        """Run a kernel on both players' arrays, with a fresh barrier."""
        self.card.launch(kernel, self._table, self.card.put(np.zeros(1, np.uint32)), *arguments)

    def run(self, iterations: int) -> None:
        """Run some iterations."""
        prediction = np.float64(PREDICTION[str(self.row.minimizer)])
        alternating = np.int32(self.row.alternating)
        while iterations > 0:
            count = min(ITERATIONS_OF_A_CALL, iterations)
            weights = self.card.put(self._weights(count))
            self._launch("iterate", weights, np.int32(count), alternating, prediction)
            iterations -= count

    def _weights(self, count: int) -> Floats:
        """For each of the next ``count`` iterations: the discounts of positive and of negative
        regrets, and the share of its strategies in the average. Counts these iterations."""
        out = np.zeros((count, 3))
        for k in range(count):
            self.iteration += 1
            t = float(self.iteration)
            after = t - self.row.delay
            fresh = after ** AVERAGING_EXPONENT[self.row.averaging] if after > 0 else 0.0
            self.weight += fresh
            out[k] = (
                _discount(t, self.row.positive_exponent),
                _discount(t, self.row.negative_exponent),
                fresh / self.weight if fresh > 0 else 0.0,
            )
        return out

    def evaluate(self) -> tuple[list[float], list[float]]:
        """Each player's value, and each player's best-response value."""
        self._launch("evaluate", np.int32(self.row.averaging == "last"), self._sums)
        parts = self.card.get(self._sums).reshape(2, 2, -1)
        values, best = parts.sum(axis=2).T * self.scale
        return values.tolist(), best.tolist()

    def nash_conv(self) -> float:
        """The sum over players of what a best response gains."""
        return summarise(*self.evaluate()).nash_conv

    def strategy(self, average: bool) -> Floats:
        """The average or the current strategy, one probability per slot."""
        slots = self._by_slot("average" if average else "strategy", 1.0)
        return mixes_of(slots, self.tree.infoset_actions)

    def _by_slot(self, name: str, forced: float = 0.0) -> Floats:
        """One of the card's arrays as an array over slots, with ``forced`` where an information set
        has only one action."""
        out = np.full(self.tree.slots, forced)
        for side in self.sides:
            out[side.slots] = self.card.get(side.arrays[name])[side.positions]
        return out

    def state(self) -> dict[str, Any]:
        """Everything that ``restore`` needs, as the native engine saves it."""
        return {
            "iteration": self.iteration,
            "weight": self.weight,
            "regret": self._by_slot("regret"),
            "strategy": self._by_slot("strategy"),
            "average": self._by_slot("average"),
            "memory": np.zeros(len(self.tree.infoset_actions)),
        }

    def restore(
        self,
        *,
        iteration: int,
        weight: float,
        regret: Floats,
        strategy: Floats,
        average: Floats,
        memory: Floats,
    ) -> None:
        """Continue from a state of this engine or of the native one."""
        most = float(np.finfo(np.float64).max)
        limits = ((regret, -most, most), (strategy, 0, 1.000001), (average, 0, 1.000001))
        fits = 0 <= iteration <= _MOST_ITERATIONS and 0 <= weight <= most
        for given, low, high in limits:
            values = np.asarray(given)
            fits = fits and values.shape == (self.tree.slots,)
            fits = fits and bool(((values >= low) & (values <= high)).all())
        if not fits or np.shape(memory) != self.tree.infoset_actions.shape:
            raise ValueError("the saved state does not fit")
        self._start(np.asarray(regret), np.asarray(strategy), np.asarray(average))
        self.iteration, self.weight = int(iteration), float(weight)


def _discount(t: float, exponent: float) -> float:
    """The factor t^a / (t^a + 1) of discounted CFR."""
    if np.isinf(exponent):
        return 1.0 if exponent > 0 else 0.0
    return float(1 / (1 + t**-exponent))


def _scale(form: _core.SequenceForm) -> float:
    """The power of two by which payoffs are divided, so that the largest becomes 1 to 2 and any
    range of payoffs fits into float32."""
    most = max(float(np.abs(form.payoffs(p)[2]).max(initial=0.0)) for p in range(2))
    return float(2.0 ** np.floor(np.log2(most))) if most > 0 else 1.0


def _above(
    form: _core.SequenceForm, player: int, position: NDArray[np.int32], size: int
) -> NDArray[np.int32]:
    """For each position, that of its parent sequence; 0 for the empty sequence and padding."""
    actions, _, parent, _ = form.treeplex(player)
    out = np.zeros(size, np.int32)
    out[position[1:]] = position[np.repeat(parent, actions)]
    return out


def _slot_sequences(
    tree: GameTree, form: _core.SequenceForm, player: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The slots of a player's information sets with several actions, and the number of the sequence
    that ends with each of these actions."""
    place = np.asarray(form.place)
    infoset = tree.slot_infoset
    slots = np.flatnonzero((tree.infoset_player[infoset] == player) & (place[infoset] >= 0))
    infoset = infoset[slots]
    first = np.asarray(form.treeplex(player)[1])
    return slots, first[place[infoset]] + slots - tree.first_slot[infoset]
