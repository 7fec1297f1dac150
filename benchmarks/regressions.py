"""Whether this version is slower than another: rows of the benchmarks, both versions in turn.

    python benchmarks/regressions.py SITE FOLDER [--rounds 15] [--slice 0.2] [--rows deep]

SITE is the folder into which the other version was installed (pip install --target), FOLDER the
``benchmarks`` folder of its sources. Both versions run in processes of their own, and each row is
measured in short slices of processor time, one version after the other, so that a machine that
becomes slower or faster meanwhile does so for both. Printed are the medians and the ratio of this
version to the other with a 95 % interval from resampled pairs of slices; a row whose whole interval
is below 1 is marked.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
from pathlib import Path
from statistics import median
from typing import Any

WORKER = '''
import json, sys
from time import process_time
sys.path.insert(0, ".")

def tabular(game, precision):
    from peers.fogtree_tabular import Fogtree
    from peers.games import GAMES
    solver = Fogtree(precision)
    solver.build(GAMES[game])
    solver.start("cfr+")
    return repeating(lambda count: solver.advance(count) or count)

def sampled(game, algorithm):
    from peers.fogtree_sampled import FogtreeSampled
    from peers.games import GAMES
    solver = FogtreeSampled(1)
    solver.build(GAMES[game])
    solver.start(algorithm)
    def nodes(count):
        before = solver.nodes
        solver.advance(count)
        return solver.nodes - before
    return repeating(nodes)

def repeating(advance):
    """A row that does so many steps between two looks at the clock that a look costs nothing."""
    count = 1
    while True:
        began = process_time()
        advance(count)
        if process_time() - began > 0.01:
            break
        count *= 2
    def rate(seconds):
        done, began = 0, process_time()
        while (taken := process_time() - began) < seconds:
            done += advance(count)
        return done / taken
    return rate

def deep_rows():
    import deep
    game = deep.cambia("cambia")
    for quantised in (False, True):
        for method in deep.METHODS:
            name = f"deep {method}{', quantised' * quantised}"
            yield name, lambda seconds, method=method, quantised=quantised: deep.on_processor(
                game, method, 1, seconds, quantised=quantised).rate
    yield "deep, no network", lambda seconds: deep.without_network(game, seconds).rate
    yield "deep, match", lambda seconds: deep.matches(game, seconds).rate

def cambia_rows():
    import cambia
    for spec in ("cambia", "cambia(profile='training')", "cambia(profile='competitive')",
                 "cambia(cambia_from_round=100)", "cambia(players=6)"):
        name = spec + ", random games"
        yield name, lambda seconds, spec=spec: cambia.random_games(spec, seconds).rate
    for turns in (4, 5, 6):
        name = f"cambia, external sampling, {turns} turns"
        yield name, lambda seconds, turns=turns: cambia.external_sampling(turns, seconds).rate

def search_rows():
    import search
    def rate(moves):
        began = process_time()
        search.WANTED["simple"] = 100_000
        search.worked("simple", moves)
        return 100_000 / (process_time() - began)
    games = [line.split() for line in open("middle_games.txt") if not line.startswith("#")]
    for moves in [[], *games[:2]]:
        yield f"search, simple, {len(moves)} plies", lambda seconds, moves=moves: rate(moves)

ROWS = {}
for game in ("kuhn", "leduc", "goofspiel4", "goofspiel5", "liars_dice", "leduc10"):
    for precision in ("float32", "float64"):
        ROWS[f"tabular {game}, {precision}"] = (tabular, game, precision)
for game in ("leduc", "liars_dice"):
    for algorithm in ("external", "outcome"):
        ROWS[f"sampling {game}, {algorithm}"] = (sampled, game, algorithm)
for rows in (deep_rows, cambia_rows, search_rows):
    ROWS.update(rows())

print(json.dumps(list(ROWS)), flush=True)
ready = {}
for line in sys.stdin:
    name, seconds = json.loads(line)
    if name not in ready:
        row = ROWS[name]
        ready = {name: row[0](*row[1:]) if isinstance(row, tuple) else row}
    print(json.dumps(ready[name](seconds)), flush=True)
'''
RESAMPLES = 2000


class Version:
    """One installed version in a process of its own."""

    def __init__(self, site: str, folder: Path) -> None:
        environment = dict(os.environ)
        if site != "-":
            environment["PYTHONPATH"] = os.path.abspath(site)
        self._process = subprocess.Popen(
            [sys.executable, "-c", WORKER],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=environment,
            cwd=folder,
        )
        self.rows: list[str] = self._answer()

    def rate(self, row: str, seconds: float) -> float:
        """What a row of the benchmarks does per second, measured for so many seconds."""
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps([row, seconds]) + "\n")
        self._process.stdin.flush()
        return float(self._answer())

    def _answer(self) -> Any:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            raise SystemExit("a version's process has ended")
        return json.loads(line)


def interval(pairs: list[tuple[float, float]]) -> tuple[float, float]:
    """The 95 % bootstrap interval of :func:`ratio`: pairs are drawn with replacement."""
    generator = random.Random(1)
    ratios = []
    for _ in range(RESAMPLES):
        drawn = generator.choices(pairs, k=len(pairs))
        ratios.append(ratio(drawn))
    ratios.sort()
    return ratios[int(0.025 * RESAMPLES)], ratios[int(0.975 * RESAMPLES)]


def ratio(pairs: list[tuple[float, float]]) -> float:
    """The median rate of the new version divided by that of the old; pairs are (new, old)."""
    return median(new for new, _ in pairs) / median(old for _, old in pairs)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("site", help="folder into which the other version was installed")
    parser.add_argument("folder", type=Path, help="the benchmarks folder of its sources")
    parser.add_argument("--this", default="-", help="folder of this version, if not installed")
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--slice", type=float, default=0.2, help="seconds")
    parser.add_argument("--rows", default="", help="only rows whose names contain this")
    options = parser.parse_args()
    this = Version(options.this, Path(__file__).parent)
    other = Version(options.site, options.folder)
    print(f"{'row':48}{'this':>14}{'other':>14}  ratio")
    for row in this.rows:
        if options.rows not in row or row not in other.rows:
            continue
        pairs = []
        for number in range(options.rounds + 1):
            order = (this, other) if number % 2 else (other, this)
            rates = {version: version.rate(row, options.slice) for version in order}
            if number:  # the first one warms up
                pairs.append((rates[this], rates[other]))
        low, high = interval(pairs)
        ours, theirs = (median(side) for side in zip(*pairs, strict=True))
        mark = "  SLOWER" if high < 1 else ""
        shown = f"{ratio(pairs):.3f} [{low:.3f}, {high:.3f}]{mark}"
        print(f"{row:48}{ours:>14,.0f}{theirs:>14,.0f}  {shown}", flush=True)


if __name__ == "__main__":
    main()
