"""Traversals around an accelerator: the native engine plays, JAX runs the networks.

Walks are in groups. While the accelerator works on the questions of one, all threads play the
others on; each group has a thread here that hands questions over and waits for the answers, and
nothing in Python happens per decision. Batches have one size, or a part of it when the last walks
are left; the very last are answered by the threads themselves. Questions travel as codes and lists
of the legal actions, and are decoded on the device; only the outputs of legal actions come back.
Which action is drawn is up to the walk, with its own random numbers, as every decision is a sample
that needs all these outputs anyway: samples are the native engine's but for rounding.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from time import perf_counter
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from fogtree import _core
from fogtree.deep.engine import NativeEngine, bounded, native_options
from fogtree.deep.jax_backend import decode, find_device, jax, jnp
from fogtree.deep.network import Network
from fogtree.deep.samples import NativeSamples, Samples
from fogtree.deep.traversal import Task
from fogtree.deep.walkable import TreeGame

_CUTS = (1, 4, 16)
_TURN = 1e-4  # seconds until a thread of Python lets another one; batches must not wait
_ALONE = 20_000_000  # multiplications that take a thread as long as the device takes for a batch
_INPUTS = 64  # that are not zero, at most

Precision = Literal["float32", "tensorfloat32", "bfloat16"]


class AcceleratorEngine(NativeEngine):
    """As the native engine. ``lanes`` walks in each of the ``groups`` are in flight."""

    def __init__(
        self,
        game: Any,
        threads: int = 1,
        tree: TreeGame | None = None,
        *,
        accelerator: bool = True,
        groups: int = 3,
        lanes: int = 1 << 15,
        precision: Precision = "float32",
    ) -> None:
        super().__init__(game, threads)
        self.device = find_device(accelerator=accelerator)
        self.groups = groups
        self.lanes = lanes
        self.batches = 0  # how many the device was given
        self.waited = 0.0  # seconds for questions, of all groups together
        self.handed = 0.0  # seconds for handing them over, likewise
        self.fetched = 0.0  # seconds for answers, likewise
        # How codes become inputs: by columns, or by looking them up.
        self._tables: Any = self._put(game.columns() if tree is None else tree.features)
        known = tree is not None and game.history_feature_count > 0
        self._histories: Any = self._put(tree.history) if tree and known else self._tables
        self._run = jax.jit(partial(_answers, precision), static_argnames=("sections",))

    def traverse(self, task: Task) -> Samples:
        if not task.networks:  # everybody plays uniformly: there is nothing to ask
            return super().traverse(task)
        used = min(self.groups, max(1, task.traversals))
        value = task.value
        lanes = max(self.threads, min(self.lanes, _rounded(-(-task.traversals // used))))
        made = {id(network): network.native() for network in (*task.networks, value) if network}
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
                lanes=lanes,
                shares=task.keep_probabilities,
                memory=memory,
                networks=[made[id(network)] for network in task.networks],
                value_network=made.get(id(value)),
                few=min(_few(*task.networks, value), lanes // self.threads // 8),
            )
            _Drive(self, session, layers).run(used)
        return NativeSamples(session.finish(), self.threads, task.keep_probabilities)

    def ask(self, questions: Sequence[Any], layers: Any, sections: int) -> Any:
        """Starts the device on a batch."""
        codes, players, wanted, histories, value_wanted = questions
        tables = self._tables, self._histories
        players = players if len(layers[0]) > 1 else None
        more = (part if len(part) else None for part in (histories, value_wanted))
        asked = codes, players, wanted, *more  # go where the networks are
        answers = self._run(layers, tables, asked, sections=sections)
        self.batches += 1
        return answers

    def seconds_per_batch(self, network: Network, rows: int, repeats: int = 20) -> float:
        """How long the device works on a batch that is already there."""
        layers = [self._layers([network]), []]
        dice = np.random.default_rng(1)
        wanted = np.zeros((8 * rows, 2), np.uint16)
        wanted[:, 0] = np.repeat(np.arange(rows) % (1 << 16), 8)
        codes = dice.integers(0, 3, (rows, self.game.code_bytes)).astype(np.uint8)
        asked = self._put((codes, None, wanted, None, None))
        tables = self._tables, self._histories
        run = partial(self._run, layers, tables, asked, sections=1)
        jax.block_until_ready(run())
        start = perf_counter()
        for _ in range(repeats):
            last = run()
        jax.block_until_ready(last)
        return (perf_counter() - start) / repeats

    def _put(self, values: Any) -> Any:
        return jax.device_put(values, self.device)

    def _layers(self, networks: Sequence[Network]) -> list[Any]:
        """Of each network, or of one if it is everybody's."""
        if len({id(network) for network in networks}) == 1:
            networks = networks[:1]
        return [self._put(network.layers) for network in networks]


class _Drive:
    """One traversal: each group of walks has a thread that asks and answers its questions."""

    def __init__(self, engine: AcceleratorEngine, session: Any, layers: Any) -> None:
        self.engine, self.session, self.layers = engine, session, layers

    def run(self, groups: int) -> None:
        interval = sys.getswitchinterval()
        sys.setswitchinterval(_TURN)
        try:
            with ThreadPoolExecutor(groups, thread_name_prefix="group") as pool:
                for finished in [pool.submit(self._answer, group) for group in range(groups)]:
                    finished.result()
        finally:
            sys.setswitchinterval(interval)

    def _answer(self, group: int) -> None:
        engine, session = self.engine, self.session
        while True:
            start = perf_counter()
            count, unused, *questions = session.collect(group)
            asked = perf_counter()
            engine.waited += asked - start
            if count == 0:
                return
            parts = [cut(table, session.sections, unused) for table in questions]
            answers = engine.ask(parts, self.layers, session.sections)
            begun = perf_counter()
            engine.handed += begun - asked
            strategies, *values = [np.asarray(part) for part in answers]
            engine.fetched += perf_counter() - begun
            session.resume(group, strategies, *values)


def cut(table: NDArray[Any], sections: int, unused: int) -> NDArray[Any]:
    """A batch whose sections have lost their ends; only to a few sizes, as each is compiled."""
    by = max(size for size in _CUTS if size <= unused)
    if by == 1 or not len(table):
        return table
    parts = table.reshape(sections, -1, *table.shape[1:])
    return parts[:, : max(parts.shape[1] // by, 1)].reshape(-1, *table.shape[1:])


def _few(*networks: Network | None) -> int:
    """How many walks a thread may as well answer itself."""
    work = [
        _INPUTS * network.layers[0][0].shape[0] + sum(w.size for w, _ in network.layers[1:-1])
        for network in networks
        if network is not None
    ]
    return int(_ALONE // max(work))


def _rounded(lanes: int) -> int:
    """Up to a power of two, so that few programs are compiled."""
    return 1 << max(lanes - 1, 0).bit_length()


def _answers(precision: Precision, layers: Any, tables: Any, asked: Any, *, sections: int) -> Any:
    """The wanted outputs: of the players' networks and, if there is one, of the value network."""
    codes, players, wanted, histories, value_wanted = asked
    each, value = layers
    outputs = [_forward(network, decode(codes, tables[0]), precision) for network in each]
    chosen = outputs[0]
    for player, other in enumerate(outputs[1:], start=1):
        chosen = jnp.where(players[:, None] == player, other, chosen)
    answers = [_picked(chosen, wanted, sections)]
    if value:
        rated = _forward(value[0], decode(histories, tables[1]), precision)
        one = rated.shape[1] == 1
        answers.append(rated[:, 0] if one else _picked(rated, value_wanted, sections))
    return answers


def _picked(outputs: Any, wanted: Any, sections: int) -> Any:
    """Rows are counted within each section of a batch."""
    pairs = wanted.astype(jnp.int32)
    section = jnp.arange(len(pairs)) // max(len(pairs) // sections, 1)
    rows = pairs[:, 0] + section * (outputs.shape[0] // sections)
    return outputs[rows, pairs[:, 1]]


def _forward(layers: Any, features: Any, precision: Precision) -> Any:
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


__all__ = ["AcceleratorEngine", "Precision"]
