"""Regret minimization on an accelerator, in the place of the native engine."""

from __future__ import annotations

from functools import partial
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from fogtree import _core
from fogtree.errors import MemoryLimitError
from fogtree.evaluate.best_response import summarise
from fogtree.solvers.accelerated.choice import PREDICTION
from fogtree.solvers.accelerated.layout import (
    Arrays,
    Side,
    make_side,
    side_arrays,
    side_product,
)
from fogtree.solvers.accelerated.sweeps import NOISE, Player, Rule, Weights, evaluate, sweep_down
from fogtree.solvers.recipes import AVERAGING_EXPONENT, Recipe
from fogtree.strategy.mixes import mixes_of
from fogtree.system.device_errors import device_errors
from fogtree.system.jax_device import double_precision, jax, jnp
from fogtree.text.choices import Precision
from fogtree.tree import GameTree

Floats = NDArray[np.float64]

PROGRAMS = 64, 4
"""Iterations of one call. Each number is a program of its own; all have the same loop body, so that
the result does not depend on how iterations are divided into calls."""

_MOST_ITERATIONS = 1 << 62


class Sweeps(Protocol):
    """The two sweeps of an iteration: ``learn`` and ``follow`` of ``sweeps`` or of ``kernels``."""

    def learn(
        self, player: Player, arrays: Arrays, own: Any, reach: Any, weights: Weights, /
    ) -> Any: ...

    def follow(self, player: Player, arrays: Arrays, own: Any, weights: Weights, /) -> Any: ...


class AcceleratedEngine:
    """The same iterations as those of the native engine, up to the order of additions."""

    def __init__(
        self,
        tree: GameTree,
        row: Recipe,
        precision: Precision,
        *,
        device: Any,
        sweeps: Sweeps,
    ) -> None:
        self.tree, self.row, self.device, self.sweeps = tree, row, device, sweeps
        self.iteration, self.weight = 0, 0.0
        self.real: Any = np.dtype(precision).type
        self.rule = Rule(
            PREDICTION[str(row.minimizer)], row.alternating, NOISE[precision], self.real
        )
        form = tree.form
        self.scale = _scale(form)
        self.sides = [make_side(form, p, self.scale) for p in range(2)]
        self.slots = [_slot_positions(tree, form, side, p) for p, side in enumerate(self.sides)]
        arrays = self._arrays()
        self.bytes = sum(leaf.nbytes for leaf in jax.tree.leaves(arrays))
        self.bytes += sum(side.size * (3 * self.real().nbytes + 8) for side in self.sides)
        self._check_memory()
        self._programs: dict[Any, Any] = {}
        with double_precision(), device_errors():
            self.arrays = jax.device_put(arrays, device)
        uniform = self._uniform()
        self._start([np.zeros_like(mix) for mix in uniform], uniform, None)

    def _arrays(self) -> list[Arrays]:
        """The constant arrays of both players."""
        pairs = list(zip(self.sides, self.sides[::-1], strict=True))
        products = [side_product(*pair) for pair in pairs]
        self.players = [
            Player(side, one.bits, self.rule)
            for side, one in zip(self.sides, products, strict=True)
        ]
        return [
            side_arrays(*pair, one, self.real) for pair, one in zip(pairs, products, strict=True)
        ]

    def _check_memory(self) -> None:
        """Refuse a game that does not fit, before anything is moved there."""
        stats = self.device.memory_stats() or {}
        free = stats.get("bytes_limit", np.inf) - stats.get("bytes_in_use", 0)
        needed = 1.5 * self.bytes  # with what is computed on the way
        if needed > free:
            raise MemoryLimitError(
                f"{self.tree.game} needs about {needed / 2**30:.1f} GiB on the GPU, which has "
                f"{free / 2**30:.1f} GiB free; use --device cpu"
            )

    def _uniform(self) -> list[Floats]:
        """The uniform strategy by position."""
        counts = self.tree.infoset_actions[self.tree.slot_infoset]
        return self._by_position(1.0 / counts)

    def _start(
        self, regrets: list[Floats], strategies: list[Floats], averages: list[Floats] | None
    ) -> None:
        """Put a state on the device; reach follows from the strategies."""
        with double_precision(), device_errors():
            self.carry = []
            for p, side in enumerate(self.sides):
                regret, strategy = (
                    jax.device_put(part.astype(self.real), self.device)
                    for part in (regrets[p], strategies[p])
                )
                reach = jax.jit(partial(sweep_down, side))(self.arrays[p], strategy)
                begun = np.asarray(reach, np.float64) if averages is None else averages[p]
                average = jax.device_put(begun.copy(), self.device)
                self.carry.append((regret, strategy, reach, average))

    def run(self, iterations: int) -> None:
        """Run some iterations."""
        while iterations > 0:
            size = next((size for size in PROGRAMS if size <= iterations), PROGRAMS[-1])
            count = min(size, iterations)
            with double_precision(), device_errors():
                program = self.program(size)
                self.carry = program(self.arrays, self.carry, self._weights(size, count))
                jax.block_until_ready(self.carry)
            iterations -= count

    def _weights(self, size: int, count: int) -> Floats:
        """The numbers of ``count`` iterations in the order of ``Weights``, then of some that do not
        count."""
        out = np.zeros((size, 4))
        for k in range(count):
            self.iteration += 1
            t = float(self.iteration)
            after = t - self.row.delay
            fresh = after ** AVERAGING_EXPONENT[self.row.averaging] if after > 0 else 0.0
            self.weight += fresh
            out[k] = (
                _discount(t, self.row.positive_exponent),
                _discount(t, self.row.negative_exponent),
                1,
                fresh / self.weight if fresh > 0 else 0.0,
            )
        return out

    def program(self, size: int) -> Any:
        """The compiled program of ``size`` iterations."""
        if size not in self._programs:
            self._programs[size] = self.lowered(size).compile()
        return self._programs[size]

    def lowered(self, size: int, platforms: tuple[str, ...] | None = None) -> Any:
        """The program of ``size`` iterations before it is compiled, by default for the device."""

        def many(arrays: Any, carry: Any, weights: Any) -> Any:
            def body(k: Any, carry: Any) -> Any:
                return self._iterate(arrays, carry, weights[k])

            return jax.lax.fori_loop(0, size, body, carry)

        with double_precision():
            traced = jax.jit(many, donate_argnums=1).trace(
                self.arrays, self.carry, np.zeros((size, 4))
            )
            return traced.lower(lowering_platforms=platforms)

    def _iterate(self, arrays: Any, carry: Any, numbers: Any) -> Any:
        """One iteration."""
        positive, negative, counts = (numbers[k].astype(self.real) for k in range(3))
        weights = Weights(positive, negative, counts, numbers[3])
        carry = list(carry)
        for movers in ([0], [1]) if self.rule.alternating else ([0, 1],):
            reach = [own[2] for own in carry]
            for p in movers:
                learned = self.sweeps.learn(
                    self.players[p], arrays[p], carry[p], reach[1 - p], weights
                )
                carry[p] = (*learned, *carry[p][2:])
            for p in movers:
                followed = self.sweeps.follow(self.players[p], arrays[p], carry[p], weights)
                carry[p] = (*carry[p][:2], *followed)
        return carry

    def evaluate(self) -> tuple[list[float], list[float]]:
        """Each player's value, and each player's best-response value."""
        with double_precision(), device_errors():
            if "evaluate" not in self._programs:
                self._programs["evaluate"] = jax.jit(self._evaluate)
            part = 2 if self.row.averaging == "last" else 3
            found = self._programs["evaluate"](self.arrays, [own[part] for own in self.carry])
            values, best = np.asarray(found) * self.scale
        return values.tolist(), best.tolist()

    def _evaluate(self, arrays: Any, reaches: Any) -> Any:
        reach = [one.astype(self.real) for one in reaches]
        found = [
            evaluate(player, arrays[p], reach[p], reach[1 - p])
            for p, player in enumerate(self.players)
        ]
        return jnp.stack([jnp.stack(part) for part in zip(*found, strict=True)])

    def nash_conv(self) -> float:
        """The sum over players of what a best response gains."""
        return summarise(*self.evaluate()).nash_conv

    def strategy(self, average: bool) -> Floats:
        """The average or the current strategy, one probability per slot."""
        return mixes_of(self._by_slot(3 if average else 1, 1.0), self.tree.infoset_actions)

    def _by_slot(self, part: int, forced: float = 0.0) -> Floats:
        """One of the carried arrays by slot; ``forced`` where there is but one action."""
        out = np.full(self.tree.slots, forced)
        for (slots, positions), own in zip(self.slots, self.carry, strict=True):
            out[slots] = np.asarray(own[part])[positions]
        return out

    def _by_position(self, values: Floats) -> list[Floats]:
        """Values by slot as one array by position for each player."""
        out = []
        for side, (slots, positions) in zip(self.sides, self.slots, strict=True):
            flat = np.zeros(side.size)
            flat[positions] = values[slots]
            out.append(flat)
        return out

    def state(self) -> dict[str, Any]:
        """Everything that ``restore`` needs, as the native engine saves it."""
        return {
            "iteration": self.iteration,
            "weight": self.weight,
            "regret": self._by_slot(0),
            "strategy": self._by_slot(1),
            "average": self._by_slot(3),
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
        averages = self._by_position(average)
        for flat in averages:
            flat[0] = 1.0  # the empty sequence
        self._start(self._by_position(regret), self._by_position(strategy), averages)
        self.iteration, self.weight = int(iteration), float(weight)


def _discount(t: float, exponent: float) -> float:
    """The factor t^a / (t^a + 1) of discounted CFR."""
    if np.isinf(exponent):
        return 1.0 if exponent > 0 else 0.0
    return float(1 / (1 + t**-exponent))


def _scale(form: _core.SequenceForm) -> float:
    """The power of two by which payoffs are divided, so that any range fits."""
    most = max(float(np.abs(form.payoffs(p)[2]).max(initial=0.0)) for p in range(2))
    return float(2.0 ** np.floor(np.log2(most))) if most > 0 else 1.0


def _slot_positions(
    tree: GameTree, form: _core.SequenceForm, side: Side, player: int
) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """The slots of a player's decisions, and the position of each."""
    place = np.asarray(form.place)
    infoset = tree.slot_infoset
    slots = np.flatnonzero((tree.infoset_player[infoset] == player) & (place[infoset] >= 0))
    infoset = infoset[slots]
    first = np.asarray(form.treeplex(player)[1])
    sequence = first[place[infoset]] + slots - tree.first_slot[infoset]
    return slots, side.position[sequence]
