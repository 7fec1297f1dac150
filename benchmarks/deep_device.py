"""Deep CFR of full-size Cambia on an accelerator: walking, and walking and training together.

A node is a decision or the end of a game. *Walking* asks untrained networks and keeps one decision
in a hundred, as a reservoir soon does. *Training* is everything: walks, reservoirs, fits of the
regret network, pipelined, nodes over the wall clock of whole iterations; the first ones, in which
programs are compiled and reservoirs filled, are left out. The device is busy while a kernel runs,
as its driver counts it.
"""

from __future__ import annotations

import argparse
import ctypes
import json
import os
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from itertools import pairwise
from threading import Event, Thread
from time import perf_counter, process_time
from typing import Any

import numpy as np

from fogtree import _core, load_game
from fogtree.deep.accelerator import AcceleratorEngine, DeviceTimes
from fogtree.deep.config import DevicePrecision, options_from
from fogtree.deep.engine import prepare
from fogtree.deep.jax_backend import JaxBackend
from fogtree.deep.network import Network
from fogtree.deep.pipelined import PipelinedTrainer
from fogtree.deep.traversal import Method, Task, Walks
from fogtree.games.cambia.actions import CAMBIA
from fogtree.games.cambia.game import Cambia

SHARES = 0.01, 0.01
LARGE: dict[str, Any] = {
    "hidden": (1024,) * 3,
    "precision": "bfloat16",
    "batch": 16_384,
    "steps": 800,
    "program": 2,
}


@dataclass(frozen=True)
class Setting:
    """What is measured: networks, sampling method, threads, batches and fits."""

    hidden: tuple[int, ...] = (256, 256)
    method: Method = "outcome"
    threads: int = max(1, (os.cpu_count() or 1) - 2)  # the others hand batches over
    walks: int = 32_768  # walks of a group: rows of a batch
    groups: int = 4
    precision: DevicePrecision = "tensorfloat32"
    traversals: int = 1_000_000  # per player and iteration
    steps: int = 1_600  # of a fit
    batch: int = 65_536  # of a step
    program: int = 1  # steps of one program
    ahead: int = 2  # programs that wait: walks wait for them too
    capacity: int = 1_000_000
    warm_up: int = 3  # iterations
    gpu: bool = True

    @property
    def size(self) -> str:
        return "x".join(str(width) for width in self.hidden)


@dataclass(frozen=True)
class Rate:
    """One measurement. Seconds are of the wall clock; fits and walks go on together, so that their
    seconds may add up to more than ``seconds``."""

    what: str
    nodes_per_second: float
    busy: float | None  # share of the time
    steps_per_second: float = 0.0
    seconds: float = 0.0
    walk_seconds: float = 0.0
    keep_seconds: float = 0.0
    fit_seconds: float = 0.0
    waited_for_processor: float = 0.0
    handed_over: float = 0.0
    waited_for_device: float = 0.0
    batches: int = 0
    cores: float = 0.0  # processor seconds a second

    def __str__(self) -> str:
        busy = "?" if self.busy is None else f"{self.busy:.0%}"
        text = f"{self.what:66}{self.nodes_per_second:>12,.0f} nodes/s, device {busy} busy"
        if self.steps_per_second:
            text += f", {self.steps_per_second:,.0f} steps/s"
        parts = {
            "walk": self.walk_seconds,
            "keep": self.keep_seconds,
            "fit": self.fit_seconds,
            "all groups: for the processor": self.waited_for_processor,
            "handing over": self.handed_over,
            "for the device": self.waited_for_device,
        }
        shares = ", ".join(f"{name} {part / self.seconds:.0%}" for name, part in parts.items())
        work = f"{self.cores:.1f} cores, {self.batches} batches in {self.seconds:.1f} s"
        return f"{text} ({shares}; {work})"


class Utilisation:
    """The share of time in which the device ran a kernel, as its driver counts it."""

    def __enter__(self) -> Utilisation:
        self.seen: list[float] = []
        self._over = Event()
        self._thread = Thread(target=self._watch)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join()

    def _watch(self) -> None:
        try:
            driver = ctypes.CDLL("libnvidia-ml.so.1")
        except OSError:
            return
        device, rates = ctypes.c_void_p(), (ctypes.c_uint * 2)()  # of its units, of its memory
        if driver.nvmlInit_v2() or driver.nvmlDeviceGetHandleByIndex_v2(0, ctypes.byref(device)):
            return
        while not self._over.wait(0.1):
            if driver.nvmlDeviceGetUtilizationRates(device, ctypes.byref(rates)) == 0:
                self.seen.append(rates[0] / 100)

    @property
    def share(self) -> float | None:
        return float(np.mean(self.seen)) if self.seen else None


def cambia() -> Cambia:
    game = load_game("cambia")
    assert isinstance(game, Cambia)
    return game


def random_network(seed: int, sizes: Sequence[int]) -> Network:
    """A random network with these numbers of units that is reluctant to end the game: an untrained
    network would call Cambia at once."""
    random = np.random.default_rng(seed)
    layers = []
    for width, outputs in pairwise(sizes):
        weight = random.normal(size=(outputs, width)) * np.sqrt(2 / width)
        layers.append((weight.astype(np.float32), np.zeros(outputs, np.float32)))
    if sizes[-1] > 1:
        layers[-1][1][CAMBIA] = -3.0
    return Network(tuple(layers))


def engine_of(setting: Setting) -> AcceleratorEngine:
    return AcceleratorEngine(
        _core.DeepCambia(cambia().native_rules),
        setting.threads,
        accelerator=setting.gpu,
        groups=setting.groups,
        batch=setting.walks,
        precision=setting.precision,
    )


def walking(setting: Setting, seconds: float) -> Rate:
    """Measure walks with untrained networks on the device, without fits."""
    engine = engine_of(setting)
    game = engine.game
    network = random_network(1, (game.feature_count, *setting.hidden, game.action_count))
    value = None
    if setting.method == "escher":
        value = random_network(9, (game.history_feature_count, *setting.hidden, 1))

    def once(number: int) -> int:
        walks = Walks(method=setting.method, exploration=0.3)
        networks = [network] * game.players
        task = Task(walks, networks, value, number % 2, setting.traversals, number, 1, SHARES)
        return engine.traverse(task).nodes

    once(0)  # compiles
    engine.times = DeviceTimes()
    nodes, number, start, used = 0, 0, perf_counter(), process_time()
    with Utilisation() as utilisation:
        while (taken := perf_counter() - start) < seconds:
            number += 1
            nodes += once(number)
    return Rate(
        f"walking: {named(setting)}",
        nodes / taken,
        utilisation.share,
        seconds=taken,
        walk_seconds=taken,
        waited_for_processor=engine.times.walk_wait,
        handed_over=engine.times.send,
        waited_for_device=engine.times.device_wait,
        batches=engine.times.batches,
        cores=(process_time() - used) / taken,
    )


def named(setting: Setting) -> str:
    return (
        f"{setting.method} {setting.size} {setting.precision}, "
        f"{setting.threads} threads, {setting.groups} x {setting.walks:,}"
    )


def trainer_of(setting: Setting, engine: AcceleratorEngine) -> PipelinedTrainer:
    fit = {"steps": setting.steps, "batch": setting.batch, "capacity": setting.capacity}
    options = options_from(
        {
            "run": {"pipelined": True},
            "traversal": {
                "sampling_method": setting.method,
                "traversals": setting.traversals,
                "exploration": 0.3,
                "value_exploration": 0.1,
            },
            "network": {"hidden": [*setting.hidden], "value_hidden": [*setting.hidden]},
            "regret": {**fit, "fresh": False},
            "average": fit,
            "value": fit,
        }
    )
    prepared = replace(prepare(cambia()), engine=engine)
    backend = JaxBackend(accelerator=setting.gpu, program=setting.program, ahead=setting.ahead)
    return PipelinedTrainer(prepared, options, backend)


def training(setting: Setting, seconds: float) -> Rate:
    """Measure whole training iterations: walks, reservoirs and fits."""
    engine = engine_of(setting)
    trainer = trainer_of(setting, engine)
    for _ in range(setting.warm_up):
        trainer.iterate()
    engine.times = DeviceTimes()
    counters = trainer.counters
    before, done = replace(counters), 0
    start, used = perf_counter(), process_time()
    with Utilisation() as utilisation:
        while (taken := perf_counter() - start) < seconds:
            trainer.iterate()
            done += 1
    fits = 2 if setting.method == "escher" else 1
    return Rate(
        f"training: {named(setting)}, fits of {setting.steps} x {setting.batch:,}",
        (counters.nodes - before.nodes) / taken,
        utilisation.share,
        steps_per_second=2 * fits * setting.steps * done / taken,
        seconds=taken,
        walk_seconds=counters.walk_seconds - before.walk_seconds,
        keep_seconds=counters.keep_seconds - before.keep_seconds,
        fit_seconds=counters.fit_seconds - before.fit_seconds,
        waited_for_processor=engine.times.walk_wait,
        handed_over=engine.times.send,
        waited_for_device=engine.times.device_wait,
        batches=engine.times.batches,
        cores=(process_time() - used) / taken,
    )


def both(setting: Setting, seconds: float) -> list[Rate]:
    return [walking(setting, seconds), training(setting, 3 * seconds)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=5.0, help="of walking; training: thrice")
    parser.add_argument("--any-device", action="store_true", help="use JAX without a GPU too")
    parser.add_argument("--json", metavar="FILE", help="write every figure there as well")
    parser.add_argument(
        "settings", nargs="*", help='changes to the default: \'{"walks": 65536, "hidden": [512]}\''
    )
    options = parser.parse_args()
    base = Setting(gpu=not options.any_device)
    told = [json.loads(text) for text in options.settings] or [{}, LARGE]
    rates = []
    for setting in told:
        changes = dict(setting)
        what = changes.pop("only", "both")
        if "hidden" in changes:
            changes["hidden"] = tuple(changes["hidden"])
        run = {"both": both, "walking": walking, "training": training}[what]
        found: Any = run(replace(base, **changes), options.seconds)
        for rate in found if isinstance(found, list) else [found]:
            rates.append(rate)
            print(rate, flush=True)
    if options.json:
        with open(options.json, "w", encoding="utf-8") as out:
            json.dump([asdict(rate) for rate in rates], out, indent=1)


if __name__ == "__main__":
    main()
