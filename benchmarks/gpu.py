"""CFR+ on a GPU beside the native engine: iterations and bytes a second, and exploitability.

Games are compiled side by side, one process each, and measured one after the other, each in a
process of its own. The bytes of an iteration are those that it must move: every array that it reads
or writes, once. The card's copy is measured by adding 1 to two gigabytes.

    python benchmarks/gpu.py                       # one table
    python benchmarks/gpu.py --json results.json   # everything that was measured, too
    python benchmarks/gpu.py --xla                 # also sweeps without kernels, slow to compile
    python benchmarks/gpu.py --detailed GAME       # also parts, algorithms and flags of XLA
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from time import monotonic, perf_counter
from types import SimpleNamespace
from typing import Any

import numpy as np

GAMES = (
    "liars_dice(sides=8)",
    "liars_dice(sides=7)",
    "liars_dice(sides=9)",
    "goofspiel(cards=7)",
    "goofspiel(cards=6)",
    "liars_dice(sides=6)",
    "leduc_poker(ranks=10)",
    "goofspiel(cards=5)",
)
COMMANDS = "FUSION,CUBLAS,CUBLASLT,CUSTOM_CALL,CUDNN,DYNAMIC_SLICE_FUSION"
FLAGS = {
    "no graphs": "--xla_gpu_enable_command_buffer=",
    "loop in the graph": f"--xla_gpu_enable_command_buffer={COMMANDS},WHILE",
    "concurrent graphs": "--xla_gpu_command_buffer_scheduling_mode=CONCURRENT",
}
WINDOW = 1.0  # seconds of a measurement
ITERATIONS = 192  # after which exploitability is compared
LONGEST = 140.0  # seconds of one process


@dataclass(frozen=True)
class Variant:
    """One way to run the sweeps."""

    sweeps: str = "kernels"
    precision: str = "float64"
    part: str = "all"
    algorithm: str = "cfr+"

    @property
    def name(self) -> str:
        return f"{self.sweeps} {self.precision} {self.part} {self.algorithm}"


XLA = Variant(sweeps="sweeps")
PARTS = (Variant(part="no product"), Variant(part="reach only"))
ALGORITHMS = (Variant(algorithm="pcfr+"), Variant(algorithm="dcfr"))


def parts_of(variant: Variant, *, interpret: bool) -> Any:
    """The sweeps of a variant."""
    from fogtree.solvers.accelerated import kernels, sweeps
    from fogtree.system.jax_device import jnp

    if variant.sweeps == "sweeps":
        return sweeps
    kernels.product = sweeps.product
    if variant.part == "no product":
        kernels.product = lambda arrays, bits, reach: jnp.zeros(
            sum(one.shape[1] for one in arrays["rectangles"]) + 128, reach.dtype
        )
    learn = partial(kernels.learn, interpret=interpret)
    if variant.part == "reach only":
        learn = lambda player, arrays, own, reach, weights: own[:2]  # noqa: E731
    return SimpleNamespace(learn=learn, follow=partial(kernels.follow, interpret=interpret))


def bytes_moved(engine: Any) -> int:
    """Bytes that one iteration must move."""
    real = engine.real().nbytes
    total = 0
    for side, other, arrays in zip(engine.sides, engine.sides[::-1], engine.arrays, strict=True):
        rows = sum(one.shape[1] for one in arrays["rectangles"])
        total += sum(one.nbytes for one in arrays["rectangles"])
        total += other.size * real + 2 * rows * real  # reach of the other; sums, out and in
        for level in arrays["levels"]:
            for one in level["groups"]:
                total += sum(one[name].nbytes for name in one if name != "members")
                total += 2 * one["copies"].nbytes  # values
        # regret and strategy in and out; strategy, reach in and out; average in and out
        total += side.size * (7 * real + 16)
    return total


def rate(run: Any, step: int) -> float:
    """Iterations a second; ``run`` has run before."""
    start, done = perf_counter(), 0
    while perf_counter() - start < WINDOW:
        run(step)
        done += step
        step = step * 2 if perf_counter() - start < WINDOW / 8 else step
    return done / (perf_counter() - start)


def copy_bytes() -> float:
    """Bytes a second that the device reads and writes when it copies a large array."""
    from fogtree.system.jax_device import jax, jnp

    array = jnp.zeros(1 << 29, jnp.float32)
    add = jax.jit(lambda x: x + 1, donate_argnums=0)
    array = jax.block_until_ready(add(array))
    start = perf_counter()
    for _ in range(20):
        array = add(array)
    jax.block_until_ready(array)
    return 20 * 2 * array.nbytes / (perf_counter() - start)


def native_rows(
    tree: Any, cores: list[int], algorithms: tuple[str, ...]
) -> Iterator[dict[str, Any]]:
    """The native engine: exploitability of the algorithms, and rates by threads."""
    from fogtree.solvers.tabular import TabularSolver

    for algorithm in algorithms:
        solver = TabularSolver(tree, algorithm, threads=cores[-1])
        solver.run(ITERATIONS)
        row = {"engine": "native", "algorithm": algorithm, "precision": "float64"}
        yield row | {"exploitability": solver.exploitability(), "iterations": ITERATIONS}
    for precision in ("float64", "float32"):
        for threads in cores:
            solver = TabularSolver(tree, "cfr+", threads=threads, precision=precision)
            solver.run(8)
            row = {"engine": "native", "precision": precision, "threads": threads}
            yield row | {"algorithm": "cfr+", "rate": rate(solver.run, 8)}


def accelerated_row(tree: Any, variant: Variant, device: Any) -> dict[str, Any]:
    """One variant on the device."""
    from fogtree.solvers.accelerated.engine import AcceleratedEngine
    from fogtree.solvers.recipes import recipe

    row: dict[str, Any] = {"engine": "gpu", "variant": variant.name, **variant.__dict__}
    try:
        start = perf_counter()
        engine = AcceleratedEngine(
            tree,
            recipe(variant.algorithm),
            variant.precision,  # type: ignore[arg-type]
            device=device,
            sweeps=parts_of(variant, interpret=device.platform == "cpu"),
        )
        row["layout_seconds"] = perf_counter() - start
        start = perf_counter()
        engine.run(ITERATIONS)
        row["program_seconds"] = perf_counter() - start
        if variant.part == "all":
            row["exploitability"] = engine.nash_conv() / 2
            row["iterations"] = ITERATIONS
        row["rate"] = rate(engine.run, 64)
        row["bytes"] = bytes_moved(engine)
        row["groups"] = [len(side.groups) for side in engine.sides]
        row["levels"] = [len(side.levels) for side in engine.sides]
        row["positions"] = [side.size for side in engine.sides]
        row["entries"] = [
            sum(int(one.size) for one in arrays["rectangles"]) for arrays in engine.arrays
        ]
    except Exception as error:
        row["error"] = f"{type(error).__name__}: {error}"[:600]
    return row


def same_bits(tree: Any, device: Any) -> dict[str, Any]:
    """Whether the result depends on how iterations are divided into calls."""
    from fogtree.solvers.accelerated.engine import AcceleratedEngine
    from fogtree.solvers.recipes import recipe

    found = []
    for steps in ([64], [3, 1, 4, 56]):
        sweeps = parts_of(Variant(), interpret=device.platform == "cpu")
        engine = AcceleratedEngine(tree, recipe("cfr+"), "float64", device=device, sweeps=sweeps)
        for count in steps:
            engine.run(count)
        found.append(engine.state())
    same = all(np.array_equal(found[0][name], found[1][name]) for name in found[0])
    return {"engine": "gpu", "variant": "the same bits however divided", "same_bits": same}


def measure(game: str, options: argparse.Namespace) -> None:
    """Print one line of JSON per measurement of a game, the most important first."""
    import fogtree
    from fogtree.system.jax_device import find_device, jax

    tree = fogtree.compile(game)
    start = perf_counter()
    form = tree.form
    facts = {
        "nodes": len(tree.parent),
        "sequences": form.sequences,
        "payoffs": form.nonzeros,
        "form_seconds": perf_counter() - start,
    }
    say({"engine": "game", **facts})
    accelerator = jax.default_backend() != "cpu"
    device = find_device(accelerator=accelerator)
    say({"engine": "device", "device": str(device), "copy": copy_bytes() if accelerator else 0})
    say(accelerated_row(tree, Variant(), device))
    if options.few:
        return
    algorithms = ("cfr+", "pcfr+", "dcfr") if options.details else ("cfr+",)
    for row in native_rows(tree, options.cores, algorithms):
        say(row)
    say(accelerated_row(tree, Variant(precision="float32"), device))
    if options.details:
        say(same_bits(tree, device))
        for variant in (*PARTS, *ALGORITHMS):
            say(accelerated_row(tree, variant, device))
    if options.xla:
        say(accelerated_row(tree, XLA, device))


def say(row: dict[str, Any]) -> None:
    print(json.dumps(row), flush=True)


def child(arguments: list[str], limit: float, flags: str = "") -> list[dict[str, Any]]:
    """The lines of another process of this program, as many as it prints in time."""
    limit = max(1.0, min(limit, LONGEST))
    environment = os.environ | {"XLA_FLAGS": flags, "XLA_PYTHON_CLIENT_PREALLOCATE": "false"}
    command = [sys.executable, __file__, *arguments]
    try:
        done = subprocess.run(
            command, env=environment, capture_output=True, text=True, timeout=limit, check=False
        )
        output, errors = done.stdout, done.stderr
        failed = f"status {done.returncode}: {errors[-600:]}" if done.returncode else ""
    except subprocess.TimeoutExpired as error:
        output = error.stdout or ""
        output = output.decode() if isinstance(output, bytes) else output
        failed = f"stopped after {limit:.0f} s"
    rows = [json.loads(line) for line in output.splitlines() if line.startswith("{")]
    return [*rows, {"error": failed}] if failed else rows


def compile_all(games: list[str], limit: float) -> dict[str, float]:
    """Seconds that each game took to compile; those that take too long are left out."""
    start = monotonic()
    running = {
        game: subprocess.Popen([sys.executable, __file__, "--compile", game]) for game in games
    }
    seconds: dict[str, float] = {}
    while running and monotonic() - start < limit:
        for game, process in list(running.items()):
            try:
                if process.wait(0.2) == 0:
                    seconds[game] = monotonic() - start
                del running[game]
            except subprocess.TimeoutExpired:
                continue
    for process in running.values():
        process.kill()
        process.wait()
    return seconds


def measure_all(options: argparse.Namespace) -> None:
    """Everything, within the time given."""
    end = monotonic() + options.seconds
    compiled = compile_all(options.games, options.compile_seconds)
    print("compiled:", {k: round(v, 1) for k, v in compiled.items()}, flush=True)
    found: dict[str, Any] = {"compile_seconds": compiled, "games": {}, "flags": {}}
    cores = sorted({1, len(os.sched_getaffinity(0))})
    measured = [game for game in options.games if game in compiled]
    for game in measured:
        arguments = ["--measure", game, "--cores", *map(str, cores)]
        arguments += ["--xla"] if options.xla else []
        arguments += ["--details"] if game == options.detailed else []
        found["games"][game] = rows = child(arguments, end - monotonic())
        table(game, rows)
        if game == options.detailed:
            for name, flags in FLAGS.items():
                few = ["--measure", game, "--few"]
                found["flags"][name] = rows = child(few, end - monotonic(), flags)
                table(f"{game}, {name}", rows)
        if options.json:
            options.json.write_text(json.dumps(found, indent=1))


def table(game: str, rows: list[dict[str, Any]]) -> None:
    """The measurements of one game."""
    facts = next((row for row in rows if row.get("engine") == "game"), {})
    copy = next((row["copy"] for row in rows if row.get("engine") == "device"), 0)
    print(f"\n{game}: {facts.get('sequences')} sequences, {facts.get('payoffs')} payoffs, "
          f"copy {copy / 1e12:.2f} TB/s")  # fmt: skip
    for row in rows:
        if "error" in row:
            print(f"  {row.get('variant', '')} FAILED {row['error']}")
            continue
        if row["engine"] not in ("native", "gpu"):
            continue
        text = row.get("variant") or f"native {row.get('precision')} {row.get('algorithm', '')}"
        text += f" {row['threads']} threads" if "threads" in row else ""
        line = f"  {text:44}"
        if "rate" in row:
            line += f"{row['rate']:>12,.0f} it/s"
        if "bytes" in row and copy:
            speed = row["bytes"] * row["rate"]
            line += f" {row['bytes'] / 1e6:9.2f} MB/it {speed / 1e12:6.3f} TB/s {speed / copy:5.1%}"
        if "exploitability" in row:
            line += f"  exploitability {row['exploitability']:.12f} after {row['iterations']}"
        if "program_seconds" in row:
            line += f"  (layout {row['layout_seconds']:.1f} s, program {row['program_seconds']:.1f}"
            line += f" s, groups {row['groups']}, positions {row['positions']}, {row['entries']})"
        if "same_bits" in row:
            line += f" {row['same_bits']}"
        print(line, flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", nargs="+", default=list(GAMES))
    parser.add_argument("--seconds", type=float, default=540, help="for everything")
    parser.add_argument("--compile-seconds", type=float, default=150, help="to compile games")
    parser.add_argument("--xla", action="store_true", help="also sweeps without kernels")
    parser.add_argument("--detailed", metavar="GAME", help="game of more variants")
    parser.add_argument("--json", type=Path, help="write everything to this file")
    parser.add_argument("--compile", help=argparse.SUPPRESS)
    parser.add_argument("--measure", help=argparse.SUPPRESS)
    parser.add_argument("--cores", type=int, nargs="*", default=[], help=argparse.SUPPRESS)
    parser.add_argument("--details", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--few", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.compile:
        import fogtree

        fogtree.compile(options.compile)
    elif options.measure:
        measure(options.measure, options)
    else:
        measure_all(options)


if __name__ == "__main__":
    main()
