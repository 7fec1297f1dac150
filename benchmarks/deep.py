"""How fast deep traversals of Cambia go, network included: on one core, on all, on an accelerator.

A node is a decision or the end of a game. The figures to beat are those of an existing system with
a network of the same size in the loop, measured elsewhere. One core is timed by the processor, not
by the clock, so that neighbours on a shared machine count less; everything else by the clock.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from time import perf_counter, process_time
from typing import Any, NamedTuple

import numpy as np

from fogtree import _core, load_game
from fogtree.games.cambia.actions import CAMBIA
from fogtree.games.cambia.game import Cambia

PEER_TRAVERSAL = 3_400  # nodes per second
HIDDEN = (256, 256)
METHODS: dict[str, dict[str, Any]] = {
    "external": {"depth": 4},
    "robust": {"tried": 2, "depth": 8},
    "outcome": {},
    "escher": {"epsilon": 0.3},
    "rollout": {"epsilon": 0.3},
    "value": {"epsilon": 0.1},
}


class Row(NamedTuple):
    what: str
    rate: float  # nodes per second
    note: str


def cambia(spec: str) -> _core.DeepCambia:
    game = load_game(spec)
    assert isinstance(game, Cambia)
    return _core.DeepCambia(game.native_rules)


def layers_of(seed: int, *sizes: int) -> list[tuple[Any, Any]]:
    """Random layers, (weights, biases) each, of a network with these numbers of units."""
    random = np.random.default_rng(seed)
    layers = []
    for width, outputs in pairwise(sizes):
        weight = random.normal(size=(outputs, width)) * np.sqrt(2 / width)
        layers.append((weight.astype(np.float32), np.zeros(outputs, np.float32)))
    return layers


def strategy_layers(game: _core.DeepGame, hidden: tuple[int, ...], seed: int) -> list[Any]:
    """Random layers of a strategy network that is reluctant to end the game: an untrained network
    would call Cambia at once."""
    layers = layers_of(seed, game.feature_count, *hidden, game.action_count)
    layers[-1][1][CAMBIA] = -3.0
    return layers


def repeat(seconds: float, clock: Callable[[], float], once: Callable[[int], Any]) -> list[float]:
    """Call ``once`` with 0, to warm up, and then as often as fits into ``seconds``. Returns nodes
    per second, queries per second and nodes per call, by ``clock``."""
    once(0)
    nodes = queries = calls = 0
    start = clock()
    while (taken := clock() - start) < seconds:
        calls += 1
        found = once(calls)
        nodes, queries = nodes + found.nodes, queries + found.queries
    return [nodes / taken, queries / taken, nodes / calls]


def on_processor(
    game: _core.DeepCambia, method: str, threads: int, seconds: float, *, quantised: bool = False
) -> Row:
    """Nodes per second of traversals by a sampling method, with networks on the processor."""
    layers = [strategy_layers(game, HIDDEN, player) for player in range(game.players)]
    networks = [_core.DeepNetwork(each, quantised=quantised) for each in layers]
    value = None
    if method == "escher":
        sizes = game.history_feature_count, *HIDDEN, 1
        value = _core.DeepNetwork(layers_of(9, *sizes), quantised=quantised)
    traverser = _core.DeepTraverser(game, _core.DeepOptions(method=method, **METHODS[method]))
    large = method in ("external", "robust", "rollout")
    traversals = (32 if large else 512) * threads

    def once(number: int) -> Any:
        return traverser.traverse(networks, value, number % 2, traversals, number, 1, threads)

    clock = process_time if threads == 1 else perf_counter
    rate, queries, size = repeat(seconds, clock, once)
    note = f"{queries / rate:.2f} rows of a network a node, {size / traversals:,.0f} nodes each"
    kind = ", quantised" if quantised else ""
    return Row(f"{method}, {threads} thread{'s' * (threads > 1)}{kind}", rate, note)


def without_network(game: _core.DeepCambia, seconds: float) -> Row:
    traverser = _core.DeepTraverser(game, _core.DeepOptions(method="outcome"))
    rate, *_ = repeat(
        seconds,
        process_time,
        lambda number: traverser.traverse([], None, number % 2, 2000, number, 1, 1),
    )
    return Row("outcome, 1 thread, no network", rate, "what playing and noting down costs")


def matches(game: _core.DeepCambia, seconds: float) -> Row:
    network = _core.DeepNetwork(strategy_layers(game, HIDDEN, 1))
    first = _core.DeepContestant([[network]], softmax=True)
    second = _core.DeepContestant.scripted("imperfect_greedy")
    games, decisions = 0, 0
    start = process_time()
    while (taken := process_time() - start) < seconds:
        score = _core.cambia_match(game, first, second, 2000, games, 1)
        games, decisions = games + 2000, decisions + score.decisions
    return Row("match against imperfect_greedy", decisions / taken, f"{games / taken:,.0f} games/s")


def accelerator() -> str | None:
    try:
        import jax
    except ImportError:
        return None
    device = jax.devices()[0]
    return None if device.platform == "cpu" else str(device.device_kind)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=2.0, help="per row")
    parser.add_argument("--threads", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--any-device", action="store_true", help="use JAX without a GPU too")
    options = parser.parse_args()
    game, seconds, threads = cambia("cambia"), options.seconds, options.threads
    rows = [on_processor(game, method, 1, seconds) for method in METHODS]
    rows += [on_processor(game, method, 1, seconds, quantised=True) for method in METHODS]
    rows += [without_network(game, seconds), matches(game, seconds)]
    if threads > 1:
        rows += [on_processor(game, method, threads, seconds) for method in ("robust", "outcome")]
    found = accelerator()
    print(f"{'cambia, network ' + 'x'.join(map(str, HIDDEN)):46}{'nodes/s':>14}{'of the peer':>13}")
    for row in rows:
        print(f"{row.what:46}{row.rate:>14,.0f}{row.rate / PEER_TRAVERSAL:>12.0f}x  {row.note}")
    if found or options.any_device:
        from deep_device import LARGE, Setting, both

        base = Setting(gpu=not options.any_device)
        for setting in (base, replace(base, **LARGE)):
            for rate in both(setting, 2 * seconds):
                print(rate)
    kernels = _core.DeepNetwork.kernels()[-1]
    print(f"instructions: {kernels}; accelerator: {found or 'none'}; threads: {threads}")


if __name__ == "__main__":
    main()
