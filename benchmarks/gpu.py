"""CFR+ on a GPU beside the native engine and noregret: iterations and bytes a second, and
exploitability. noregret is another library that solves games on a GPU; it is measured if it is
installed (``pip install noregret==0.0.0.dev17``, Python 3.12 or newer).

Games are measured one after the other, each in a process of its own. The bytes of an iteration are
those that it must move: every array that it reads or writes, once for each time that it must. The
card's copy is that of two gigabytes, read and written.

    python benchmarks/gpu.py                       # one table
    python benchmarks/gpu.py --json results.json   # everything that was measured, too
    python benchmarks/gpu.py --parts               # also iterations with parts left out
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from time import monotonic, perf_counter
from typing import Any

GAMES = (
    "liars_dice(sides=8)",
    "liars_dice(sides=7)",
    "liars_dice(sides=9)",
    "liars_dice(dice=2,sides=5)",
    "liars_dice(sides=6)",
    "goofspiel(cards=6)",
    "leduc_poker(ranks=10)",
)
PARTS = {
    "no product": [("product(sides[p], grid, sides[1 - p].reach, kChunk);", "")],
    "no sweep up": [("update_level(sides[p], grid, level, step);", "{}")],
    "no sweep down": [
        ("push_levels(sides[p], grid, from, to < own ? to : own, step.share);", "{}")
    ],
}
PARTS["barriers only"] = [change for changes in PARTS.values() for change in changes]
WINDOW = 1.0  # seconds of a measurement
PEER_SECONDS = 120.0  # after which noregret is stopped, whatever it is doing
# After which exploitability is compared: later the rounding of sums in another order has grown, in
# liar's dice with nine sides to 1e-8 after 100 iterations and to 1e-4 after 200.
ITERATIONS = 50


def bytes_moved(engine: Any) -> int:
    """Bytes that one iteration of a GPU engine must read and write: each array once for every time
    that it must be read or written."""
    total = 0
    for side, other in zip(engine.sides, engine.sides[::-1], strict=True):
        size = {name: int(array.nbytes) for name, array in side.arrays.items()}
        once = "rows", "terms", "payoffs", "chunks", "child_begin", "children", "lane_parent"
        total += sum(size[name] for name in (*once, "copies", "above"))
        total += 2 * sum(size[name] for name in ("utility", "value", "regret", "reach", "average"))
        total += 3 * size["strategy"] + int(other.arrays["reach"].nbytes)
    return total


def rate(run: Any, step: int = 8) -> float:
    """Iterations per second of ``run``, which takes a number of iterations and has been called
    before; they are begun ``step`` at a time, and more while that is quick."""
    start, done = perf_counter(), 0
    while perf_counter() - start < WINDOW:
        run(step)
        done += step
        step = step * 2 if perf_counter() - start < WINDOW / 8 else step
    return done / (perf_counter() - start)


def copy_bytes() -> float:
    """Bytes a second that the card reads and writes when it copies a large array."""
    import cupy

    a = cupy.random.random(1 << 28)
    b = cupy.empty_like(a)
    for _ in range(3):
        cupy.copyto(b, a)
    begin, end = cupy.cuda.Event(), cupy.cuda.Event()
    begin.record()
    for _ in range(20):
        cupy.copyto(b, a)
    end.record()
    end.synchronize()
    return float(20 * 2 * a.nbytes / (cupy.cuda.get_elapsed_time(begin, end) / 1e3))


def native_rows(tree: Any, cores: list[int], precisions: list[str]) -> Iterator[dict[str, Any]]:
    """Measurements of the native engine, one for each precision and number of threads in
    ``cores``."""
    from fogtree.solvers.tabular import TabularSolver

    for precision in precisions:
        for threads in cores:
            start = perf_counter()
            solver = TabularSolver(tree, "cfr+", threads=threads, precision=precision)
            row = {"engine": "native", "precision": precision, "threads": threads}
            row["layout_seconds"] = perf_counter() - start
            solver.run(ITERATIONS)
            row |= {"exploitability": solver.exploitability(), "iterations": ITERATIONS}
            yield row | {"rate": rate(solver.run)}


def gpu_row(
    tree: Any, precision: str, threads: int = 1024, blocks: int = 1, part: str = ""
) -> dict[str, Any]:
    """One measurement of the GPU, with blocks of so many threads; ``part`` names a part of the
    iteration that is left out of the kernels, to see what it costs."""
    from fogtree.solvers.accelerated import card
    from fogtree.solvers.accelerated.engine import AcceleratedEngine
    from fogtree.solvers.recipes import recipe

    row: dict[str, Any] = {"engine": "gpu", "precision": precision, "part": part}
    row["blocks"] = f"{threads} x {blocks}"
    text = kept = card.kernel_text()
    for old, new in PARTS.get(part, []):
        if old not in text:
            raise SystemExit(f"the kernels have no '{old}'")
        text = text.replace(old, new)
    try:
        card.kernel_text = lambda: text
        start = perf_counter()
        there = card.CupyCard(precision, threads, blocks)  # type: ignore[arg-type]
        engine = AcceleratedEngine(tree, recipe("cfr+"), precision, there)  # type: ignore[arg-type]
        row["layout_seconds"] = perf_counter() - start
        start = perf_counter()
        engine.run(ITERATIONS)
        row["first_seconds"] = perf_counter() - start
        if not part:
            row |= {"exploitability": engine.nash_conv() / 2, "iterations": ITERATIONS}
        row |= {"rate": rate(engine.run), "bytes": bytes_moved(engine), "memory": engine.bytes}
        row["levels"] = [side.levels for side in engine.sides]
        row["positions"] = [side.size for side in engine.sides]
        if not part:
            row |= exploitability_by_both(tree, engine)
    except Exception as error:
        row["error"] = f"{type(error).__name__}: {error}"[:600]
    finally:
        card.kernel_text = lambda: kept
    return row


def measure(game: str, options: argparse.Namespace) -> None:
    """Print one line of JSON per measurement of a game, the most important first."""
    from fogtree.tree import compile_to_solve

    start = perf_counter()
    tree = compile_to_solve(game)
    if options.peer:
        say(peer_row(tree, WINDOW))
        return
    form = tree.form
    facts = {"nodes": tree.nodes, "sequences": form.sequences, "payoffs": form.nonzeros}
    say({"engine": "game", "compile_seconds": perf_counter() - start, **facts})
    say({"engine": "device", "copy": copy_bytes()})
    for precision in options.precisions:
        say(gpu_row(tree, precision))
    for row in native_rows(tree, options.cores, options.precisions):
        say(row)
    if options.parts:
        for part in PARTS:
            say(gpu_row(tree, "float64", part=part))
        for threads, blocks in ((512, 2), (512, 3), (256, 4)):
            say(gpu_row(tree, "float64", threads, blocks))


def exploitability_by_both(tree: Any, engine: Any) -> dict[str, Any]:
    """The exploitability of the strategy that a GPU engine has now, as the GPU measures it and as
    the native core does, and the number of iterations until now."""
    from fogtree.evaluate.best_response import measuring_engine, summarise

    try:
        native = measuring_engine(tree, merge=True)
    except MemoryError:
        return {}
    native.set_strategy(engine.strategy(True))
    both = [engine.nash_conv() / 2, summarise(*native.evaluate()).exploitability]
    return {"by_both": both, "by_both_after": engine.iteration}


def peer_row(tree: Any, seconds: float) -> dict[str, Any]:
    """One measurement of noregret on the GPU."""
    from peers.noregret_gpu import measure

    return {"precision": "float64", **measure(tree, seconds)}


def say(row: dict[str, Any]) -> None:
    print(json.dumps(row), flush=True)


def child(arguments: list[str], limit: float) -> list[dict[str, Any]]:
    """The lines of another process of this program, as many as it prints in time."""
    command = [sys.executable, __file__, *arguments]
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=max(1.0, limit), check=False
        )
        output = done.stdout
        failed = f"status {done.returncode}: {done.stderr[-600:]}" if done.returncode else ""
    except subprocess.TimeoutExpired as error:
        output = error.stdout or ""
        output = output.decode() if isinstance(output, bytes) else output
        failed = f"stopped after {limit:.0f} s"
    rows = [json.loads(line) for line in output.splitlines() if line.startswith("{")]
    return [*rows, {"error": failed}] if failed else rows


def table(game: str, rows: list[dict[str, Any]]) -> None:
    """The measurements of one game."""
    facts = next((row for row in rows if row.get("engine") == "game"), {})
    copy = next((row["copy"] for row in rows if row.get("engine") == "device"), 0)
    print(
        f"\n{game}: {facts.get('nodes', 0):,} histories, {facts.get('sequences')} sequences, "
        f"{facts.get('payoffs')} payoffs, compiled in {facts.get('compile_seconds', 0):.1f} s, "
        f"copy {copy / 1e12:.2f} TB/s"
    )
    for row in rows:
        if "error" in row:
            about = [row.get(name, "") for name in ("engine", "precision", "part")]
            print(f"  {' '.join(filter(None, about))} FAILED {row['error']}")
            continue
        if row["engine"] in ("game", "device"):
            continue
        text = f"{row['engine']} {row['precision']} "
        text += f"{row['threads']} threads" if "threads" in row else row.get("blocks", "")
        digits = 1 if row["rate"] < 100 else 0
        line = f"  {text + ' ' + row.get('part', ''):42}{row['rate']:>10,.{digits}f} it/s"
        if "bytes" in row and copy and not row["part"]:
            speed = row["bytes"] * row["rate"]
            line += f" {row['bytes'] / 1e6:9.2f} MB/it {speed / 1e12:6.3f} TB/s {speed / copy:6.1%}"
        if "exploitability" in row:
            line += f"  exploitability {row['exploitability']:.12f} after {row['iterations']}"
        if "by_both" in row:
            here, there = row["by_both"]
            line += f", {here:.3e} after {row['by_both_after']:,}"
            line += f" (the native core's differs by {abs(here - there):.1e})"
        line += f"  (layout {row['layout_seconds']:.1f} s"
        if "first_seconds" in row:
            line += (
                f", first {row['first_seconds']:.2f} s, levels {row['levels']}, {row['positions']}"
            )
        print(line + ")", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", nargs="+", default=list(GAMES))
    parser.add_argument("--seconds", type=float, default=540, help="for everything")
    parser.add_argument("--parts", action="store_true", help="also iterations with parts left out")
    parser.add_argument("--json", type=Path, help="write everything to this file")
    cores = sorted({1, len(os.sched_getaffinity(0))})
    parser.add_argument(
        "--cores", type=int, nargs="*", default=cores, help="threads of the native engine"
    )
    precisions = ["float64", "float32"]
    parser.add_argument("--precisions", nargs="+", default=precisions, help="of the numbers")
    parser.add_argument("--measure", help=argparse.SUPPRESS)
    parser.add_argument("--peer", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.measure:
        measure(options.measure, options)
        return
    end, found = monotonic() + options.seconds, {}
    for game in options.games:
        arguments = ["--measure", game, "--cores", *map(str, options.cores)]
        arguments += ["--precisions", *options.precisions]
        arguments += ["--parts"] if options.parts else []
        found[game] = rows = child(arguments, end - monotonic())
        if find_spec("noregret"):
            limit = min(PEER_SECONDS, end - monotonic())
            rows += [
                {"engine": "noregret"} | row for row in child(["--measure", game, "--peer"], limit)
            ]
        table(game, rows)
        if options.json:
            options.json.write_text(json.dumps(found, indent=1))


if __name__ == "__main__":
    main()
