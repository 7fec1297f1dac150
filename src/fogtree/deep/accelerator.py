"""Traversals around an accelerator: the native engine plays, JAX runs the networks.

Walks are in groups. While the accelerator works on the questions of one, all threads play the
others on; nothing in Python happens per decision. Questions travel as codes and are decoded on the
device; answers come back in half precision. Samples are the native engine's but for rounding.
"""

from __future__ import annotations

from collections.abc import Sequence
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fogtree import _core
from fogtree.deep.engine import NativeEngine, native_options
from fogtree.deep.games import TreeGame
from fogtree.deep.jax_backend import decode, find_device, jax
from fogtree.deep.network import Network
from fogtree.deep.traversal import Walks

SMALLEST_BATCH = 1 << 10


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
    ) -> None:
        super().__init__(game, threads)
        self.device = find_device(accelerator=accelerator)
        self.groups = groups
        self.lanes = lanes
        self.batches = 0  # how many the device was given
        # How codes become inputs: by columns, or by looking them up.
        self._tables: Any = self._put(game.columns() if tree is None else tree.features)
        known = tree is not None and game.history_feature_count > 0
        self._histories: Any = self._put(tree.history) if tree and known else self._tables
        self._run = jax.jit(_outputs)

    def traverse(
        self,
        walks: Walks,
        networks: Sequence[Network],
        value: Network | None,
        *,
        traverser: int,
        traversals: int,
        iteration: int,
        seed: int,
    ) -> dict[str, Any]:
        how = {"traverser": traverser, "traversals": traversals}
        if not networks:  # everybody plays uniformly: there is nothing to ask
            return super().traverse(walks, networks, value, **how, iteration=iteration, seed=seed)
        used = min(self.groups, max(1, traversals))
        session = _core.DeepTraverser(self.game, native_options(walks)).begin(
            value="" if value is None else "histories" if value.outputs == 1 else "actions",
            **how,
            iteration=iteration,
            seed=seed,
            threads=self.threads,
            groups=used,
            lanes=max(self.threads, min(self.lanes, -(-traversals // used))),
        )
        players = {id(network): self._put(network.layers) for network in networks}
        players_layers = [players[id(network)] for network in networks]
        values = None if value is None else self._put(value.layers)
        self._drive(session, used, players_layers, values)
        found: dict[str, Any] = session.finish()
        return found

    def seconds_per_batch(self, network: Network, rows: int, repeats: int = 20) -> float:
        """How long the device works on a batch that is already there."""
        layers = self._put(network.layers)
        batch = self._put(np.zeros((rows, self.game.code_bytes), np.uint8))
        self._run(layers, batch, self._tables).block_until_ready()
        start = perf_counter()
        for _ in range(repeats):
            last = self._run(layers, batch, self._tables)
        last.block_until_ready()
        return (perf_counter() - start) / repeats

    def _put(self, values: Any) -> Any:
        return jax.device_put(values, self.device)

    def _drive(self, session: Any, groups: int, players: list[Any], value: Any) -> None:
        """Each turn fetches one group's answers, then takes the questions of the group before."""
        asked = {group: self._ask(session, group, players, value) for group in range(groups)}
        asked = {group: answers for group, answers in asked.items() if answers}
        while asked:
            before: int | None = None
            for group in list(asked):
                strategies, values = asked.pop(group)
                session.resume(group, _fetched(strategies), _fetched(values) if values else None)
                if before is not None:
                    self._ask_again(session, before, asked, players, value)
                before = group
            assert before is not None
            self._ask_again(session, before, asked, players, value)

    def _ask_again(
        self, session: Any, group: int, asked: dict[int, Any], players: list[Any], value: Any
    ) -> None:
        answers = self._ask(session, group, players, value)
        if answers:
            asked[group] = answers

    def _ask(self, session: Any, group: int, players: list[Any], value: Any) -> Any:
        """Starts the device on a group's questions; nothing if it has none left."""
        codes, counts, histories = session.collect(group)
        if len(codes) + len(histories) == 0:
            return None
        alike = all(layers is players[0] for layers in players)
        bounds = [0, len(codes)] if alike else [0, *np.cumsum(counts).tolist()]
        strategies = [
            (self._start(layers, codes[first:last], self._tables), last - first)
            for layers, first, last in zip(players, bounds[:-1], bounds[1:], strict=False)
        ]
        values = []
        if value is not None:
            values = [(self._start(value, histories, self._histories), len(histories))]
        return strategies, values

    def _start(self, layers: Any, codes: NDArray[np.uint8], tables: Any) -> Any:
        """A batch filled up to a power of two, so that few programs are compiled."""
        size = max(SMALLEST_BATCH, 1 << max(len(codes) - 1, 0).bit_length())
        batch = np.zeros((size, codes.shape[1]), np.uint8)
        batch[: len(codes)] = codes
        out = self._run(layers, self._put(batch), tables)
        out.copy_to_host_async()
        self.batches += 1
        return out


def _outputs(layers: Any, codes: Any, tables: Any) -> Any:
    out = decode(codes, tables)
    for weight, bias in layers[:-1]:
        out = jax.nn.relu(out @ weight.T + bias)
    weight, bias = layers[-1]
    return (out @ weight.T + bias).astype(jax.numpy.float16)


def _fetched(parts: list[Any]) -> NDArray[np.uint16]:
    """Halves as their bits; rows that only fill up a batch may stay at the very end."""
    arrays = [np.asarray(out).view(np.uint16) for out, _ in parts]
    if len(arrays) == 1:
        return arrays[0]
    return np.concatenate([part[:rows] for part, (_, rows) in zip(arrays, parts, strict=True)])
