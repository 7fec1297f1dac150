"""Seconds and peak memory of compiling, without and with the cache on disk.

    python benchmarks/compile.py [--games goofspiel_6,leduc_10] [--workers N]

Every measurement is a process of its own. To compare with another version of fogtree, run the same
file with that version first on PYTHONPATH. Memory is the most that the process ever held, less what
it held after its imports. The columns *straight* are of a solver whose game is walked straight into
its sequence form, as ``solve`` does where the rules are native.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

GAMES = {
    "goofspiel_6": "goofspiel(cards=6)",
    "liars_dice_6": "liars_dice(sides=6)",
    "liars_dice_7": "liars_dice(sides=7)",
    "liars_dice_8": "liars_dice(sides=8)",
    "leduc_10": "leduc_poker(ranks=10)",
    "battleship": "battleship(height=2, width=3, shots=3)",
    "kuhn_330": "n_card_kuhn:330",
    "kuhn_600": "n_card_kuhn:600",
    "openspiel_6": "openspiel:goofspiel(imp_info=True,num_cards=6,points_order=descending)",
}
"""Specs by the names of the command line; ``n_card_kuhn``, with a number of cards, is a user's game
in Python."""

_MB = 1e6


@dataclass(frozen=True)
class Row:
    """One game, compiled or read from the cache. Seconds and bytes."""

    game: str
    nodes: int
    compile_seconds: float
    compile_work: float
    """Processor time of compiling, which other programs on the machine hardly change."""
    solver_work: float
    """Processor time from the compiled tree to a solver that can start."""
    compile_bytes: int
    solver_bytes: int
    cached_seconds: float
    cached_work: float
    cached_bytes: int
    straight_work: float
    straight_bytes: int

    def cells(self) -> list[str]:
        return [
            self.game,
            f"{self.nodes:,}",
            f"{self.compile_seconds:.2f}",
            f"{self.compile_work:.2f}",
            f"{self.solver_work:.2f}",
            f"{self.compile_bytes / _MB:,.0f}",
            f"{self.solver_bytes / _MB:,.0f}",
            f"{self.cached_seconds:.2f}",
            f"{self.cached_work:.2f}",
            f"{self.cached_bytes / _MB:,.0f}",
            f"{self.straight_work:.2f}",
            f"{self.straight_bytes / _MB:,.0f}",
        ]


TITLES = (
    "game", "nodes", "compile s", "compile CPU s", "solver CPU s", "compile MB", "solver MB",
    "cached s", "cached CPU s", "cached MB", "straight CPU s", "straight MB",
)  # fmt: skip


def most_memory() -> int:
    """The most memory that this process ever held, in bytes (Linux)."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmHWM"):
            return int(line.split()[1]) * 1024
    return 0


def measure(spec: str, straight: bool, workers: int | None) -> dict[str, Any]:
    """Compile one game in this process, or walk it straight into its sequence form."""
    import fogtree
    from fogtree.tree import compile_to_solve
    from fogtree.tree.game_tree import regret_matching_engine
    from n_card_kuhn import NCardKuhn

    fogtree.compile("kuhn_poker").form  # noqa: B018  imports everything
    name, _, cards = spec.partition(":")
    own = name == "n_card_kuhn"
    game = NCardKuhn(cards=int(cards)) if own else fogtree.load_game(spec)
    compile_game = compile_to_solve if straight else fogtree.compile
    before = most_memory()
    start, began = perf_counter(), process_time()
    tree = compile_game(game, workers=workers)
    seconds, compiled, held = perf_counter() - start, process_time(), most_memory()
    regret_matching_engine(tree.form, last=False)
    return {
        "nodes": tree.nodes,
        "compile_seconds": seconds,
        "compile_work": compiled - began,
        "solver_work": process_time() - compiled,
        "compile_bytes": held - before,
        "solver_bytes": most_memory() - before,
    }


def in_process(spec: str, cache: str, *more: str) -> dict[str, Any]:
    """What ``measure`` says in a new process with this cache folder (``off``: none)."""
    command = [sys.executable, __file__, "--measure", spec, *more]
    environment = {**os.environ, "FOGTREE_CACHE": cache}
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    if done.returncode != 0:
        raise SystemExit(f"{spec}: {done.stderr.strip().splitlines()[-1]}")
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


def row(name: str, workers: list[str]) -> Row:
    """Compile a game without a cache, then so that it is kept, then from the cache."""
    spec = GAMES[name]
    first = in_process(spec, "off", *workers)
    straight = in_process(spec, "off", "--straight", *workers)
    with tempfile.TemporaryDirectory() as folder:
        in_process(spec, folder, *workers)
        cached = in_process(spec, folder, *workers)
    return Row(
        game=name,
        cached_seconds=cached["compile_seconds"],
        cached_work=cached["compile_work"],
        cached_bytes=cached["compile_bytes"],
        straight_work=straight["compile_work"] + straight["solver_work"],
        straight_bytes=straight["solver_bytes"],
        **first,
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--games", default=",".join(GAMES), help="of " + ", ".join(GAMES))
    parser.add_argument(
        "--workers", type=int, metavar="N", help="processes for games in Python; else one per core"
    )
    parser.add_argument("--json", type=Path, metavar="FILE", help="write every number there")
    parser.add_argument("--measure", metavar="SPEC", help=argparse.SUPPRESS)
    parser.add_argument("--straight", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.measure:
        print(json.dumps(measure(options.measure, options.straight, options.workers)))
        return 0
    print("|", " | ".join(TITLES), "|")
    print("|---|" + "---:|" * (len(TITLES) - 1))
    workers = [] if options.workers is None else ["--workers", str(options.workers)]
    rows = []
    for name in options.games.split(","):
        rows.append(row(name, workers))
        print("|", " | ".join(rows[-1].cells()), "|", flush=True)
    if options.json is not None:
        options.json.write_text(json.dumps([vars(one) for one in rows], indent=1))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
