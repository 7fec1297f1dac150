"""Walks with an accelerator: the native engine walks, JAX runs the networks.

Walks are divided into groups. While the accelerator computes the network outputs that one group
needs, all threads continue the walks of the others. Each group has a Python thread that sends its
queries as one batch and waits for the outputs; nothing in Python happens per decision. Batches have
one size, or a fraction of it when few walks are left; the last walks are answered by the native
threads. A query is a code and its legal actions, decoded on the device; only the outputs of legal
actions are returned. The walk draws its action itself, so samples are those of the native engine up
to rounding.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fogtree import _core
from fogtree.deep.config import DevicePrecision
from fogtree.deep.device_arrays import decode
from fogtree.deep.engine import NativeEngine, bounded, native_options
from fogtree.deep.network import Network
from fogtree.deep.samples import NativeSamples, Samples
from fogtree.deep.traversal import Task
from fogtree.deep.walkable import TreeGame
from fogtree.system.jax_device import find_device, jax, jnp

_BATCH_FRACTIONS = (1, 4, 16)  # a batch is sent whole, or only a quarter or a sixteenth of it
_SWITCH_SECONDS = 1e-4  # between Python threads: a batch must not wait for another group's thread
_WORK_PER_BATCH = 20_000_000  # multiplications a thread does while the device answers a batch
_NONZERO_INPUTS = 64  # assumed number per input vector, to estimate the work of a first layer


@dataclass(slots=True)
class DeviceTimes:
    """Batches sent to a device, and the seconds of all groups together."""

    batches: int = 0
    walk_wait: float = 0.0  # waiting for walks
    send: float = 0.0  # sending queries
    device_wait: float = 0.0  # waiting for outputs


class AcceleratorEngine(NativeEngine):
    """The native engine with its networks on a device. Its walks run in ``groups``, ``batch`` of
    them in each: while one group waits for the device, the others walk."""

    def __init__(
        self,
        game: Any,
        threads: int = 1,
        tree: TreeGame | None = None,
        *,
        accelerator: bool = True,
        groups: int = 3,
        batch: int = 1 << 15,
        precision: DevicePrecision = "float32",
    ) -> None:
        """Put on the device what it needs to decode codes: of a compiled game (``tree``) the
        vectors of all information sets, else the game's decoding plan."""
        super().__init__(game, threads)
        self.device = find_device(accelerator=accelerator)
        self.groups = groups
        self.batch = batch
        self.times = DeviceTimes()
        self._decoder: Any = self._put(game.columns() if tree is None else tree.features)
        self._history_decoder = self._decoder
        if game.history_feature_count > 0:
            self._history_decoder = self._put(game.columns(True) if tree is None else tree.history)
        self._run = jax.jit(partial(_outputs, precision), static_argnames=("sections",))

    def traverse(self, task: Task) -> Samples:
        """Make the walks of a task with the networks on the device; without networks, all
        natively."""
        if not task.networks:  # all play uniformly: no network is asked
            return super().traverse(task)
        used = min(self.groups, max(1, task.traversals))
        value = task.value
        batch = max(self.threads, min(self.batch, _power_of_two(-(-task.traversals // used))))
        native = {id(network): network.native() for network in (*task.networks, value) if network}
        layers = [self._layers(task.networks), self._layers([value] if value else [])]
        with bounded() as memory:
            session = _core.DeepTraverser(self.game, native_options(task.walks)).begin(
                value="" if value is None else "histories" if value.outputs == 1 else "actions",
                traverser=task.traverser,
                traversals=task.traversals,
                iteration=task.iteration,
                seed=task.seed,
                threads=self.threads,
                groups=used,
                walks=batch,
                keep_probabilities=task.keep_probabilities,
                memory=memory,
                networks=[native[id(network)] for network in task.networks],
                value_network=native.get(id(value)),
                finish_below=min(_native_walks(*task.networks, value), batch // self.threads // 8),
            )
            _Groups(self, session, layers).run(used)
        return NativeSamples(session.finish(), self.threads, task.keep_probabilities)

    def ask(self, queries: Sequence[Any], layers: Any, sections: int) -> Any:
        """Start the computation of a batch's outputs on the device, and return the arrays that will
        hold them. ``queries`` are the batch's five arrays, as a session collects them; ``layers``
        are the networks of :func:`_outputs`."""
        codes, players, wanted, histories, value_wanted = queries
        decoders = self._decoder, self._history_decoder
        players = players if len(layers[0]) > 1 else None
        more = (part if len(part) else None for part in (histories, value_wanted))
        outputs = self._run(layers, decoders, (codes, players, wanted, *more), sections=sections)
        self.times.batches += 1
        return outputs

    def _put(self, values: Any) -> Any:
        """A copy of arrays in the device's memory."""
        return jax.device_put(values, self.device)

    def _layers(self, networks: Sequence[Network]) -> list[Any]:
        """The layers of the networks, copied to the device: one entry per network, or a single
        entry if all are the same network."""
        if len({id(network) for network in networks}) == 1:
            networks = networks[:1]
        return [self._put(network.layers) for network in networks]


class _Groups:
    """The groups of one task, each with a thread that sends its queries to the device."""

    def __init__(self, engine: AcceleratorEngine, session: Any, layers: Any) -> None:
        self.engine, self.session, self.layers = engine, session, layers

    def run(self, groups: int) -> None:
        """Answer all groups' queries until every walk has ended, with one thread per group."""
        interval = sys.getswitchinterval()
        sys.setswitchinterval(_SWITCH_SECONDS)
        try:
            with ThreadPoolExecutor(groups, thread_name_prefix="group") as pool:
                for finished in [pool.submit(self._answer, group) for group in range(groups)]:
                    finished.result()
        finally:
            sys.setswitchinterval(interval)

    def _answer(self, group: int) -> None:
        """Send one group's batches to the device until all its walks have ended."""
        engine, session = self.engine, self.session
        while True:
            start = perf_counter()
            count, divisor, *queries = session.collect(group)
            collected = perf_counter()
            engine.times.walk_wait += collected - start
            if count == 0:
                return
            parts = [shortened(array, session.sections, divisor) for array in queries]
            outputs = engine.ask(parts, self.layers, session.sections)
            sent = perf_counter()
            engine.times.send += sent - collected
            strategies, *values = [np.asarray(part) for part in outputs]
            engine.times.device_wait += perf_counter() - sent
            session.resume(group, strategies, *values)


def shortened(array: NDArray[Any], sections: int, divisor: int) -> NDArray[Any]:
    """One array of a batch without the unused ends of its sections. Sections may be divided by
    ``divisor`` without losing rows in use; only a few lengths are used, because the program is
    compiled once for each."""
    by = max(size for size in _BATCH_FRACTIONS if size <= divisor)
    if by == 1 or not len(array):
        return array
    parts = array.reshape(sections, -1, *array.shape[1:])
    return parts[:, : max(parts.shape[1] // by, 1)].reshape(-1, *array.shape[1:])


def _native_walks(*networks: Network | None) -> int:
    """The number of walks below which a native thread answers queries faster than the device,
    estimated from the multiplications that the largest of the networks needs for a query."""
    work = [
        _NONZERO_INPUTS * len(network.layers[0][1]) + sum(w.size for w, _ in network.layers[1:-1])
        for network in networks
        if network is not None
    ]
    return int(_WORK_PER_BATCH // max(work))


def _power_of_two(walks: int) -> int:
    """The next power of two; sizes are rounded to it, so that few programs are compiled."""
    return 1 << max(walks - 1, 0).bit_length()


def _outputs(
    precision: DevicePrecision, networks: Any, decoders: Any, queries: Any, *, sections: int
) -> Any:
    """The outputs that a batch of queries wants: those of the network of each query's player and,
    if there is one, of the value network.

    ``networks`` has two lists: the players' networks (one if all share it), and the value network
    (empty if there is none). A batch has ``sections`` parts of equal size, one per thread; wanted
    rows are counted within each.
    """
    codes, players, wanted, histories, value_wanted = queries
    player_networks, value_networks = networks
    outputs = [
        _forward(network, decode(codes, decoders[0]), precision) for network in player_networks
    ]
    chosen = outputs[0]
    for player, other in enumerate(outputs[1:], start=1):
        chosen = jnp.where(players[:, None] == player, other, chosen)
    found = [_picked(chosen, wanted, sections)]
    if value_networks:
        values = _forward(value_networks[0], decode(histories, decoders[1]), precision)
        per_history = values.shape[1] == 1  # else a value per action, of which some are wanted
        found.append(values[:, 0] if per_history else _picked(values, value_wanted, sections))
    return found


def _picked(outputs: Any, wanted: Any, sections: int) -> Any:
    """The output at each pair (row, column) of ``wanted``; rows are counted within each section of
    the batch."""
    pairs = wanted.astype(jnp.int32)
    section = jnp.arange(len(pairs)) // max(len(pairs) // sections, 1)
    rows = pairs[:, 0] + section * (outputs.shape[0] // sections)
    return outputs[rows, pairs[:, 1]]


def _forward(layers: Any, features: Any, precision: DevicePrecision) -> Any:
    """The outputs of a network for rows of input features; products in the given precision."""
    half = precision == "bfloat16"
    out = features
    for number, (weight, bias) in enumerate(layers):
        if half:
            out = jnp.matmul(
                out.astype(jnp.bfloat16),
                weight.T.astype(jnp.bfloat16),
                preferred_element_type=jnp.float32,
            )
        else:
            out = jnp.matmul(out, weight.T, precision=precision)
        out = out + bias
        if number < len(layers) - 1:
            out = jax.nn.relu(out)
    return out.astype(jnp.float32)


__all__ = ["AcceleratorEngine", "DeviceTimes"]
