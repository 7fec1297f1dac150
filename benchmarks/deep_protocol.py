"""Nodes a second of training walks: compiled, and without compiling through the game's protocol.

    python benchmarks/deep_protocol.py kuhn_poker leduc_poker "goofspiel(cards=5)"

Networks have two layers of 64; seconds are of one processor, the best of three.
"""

from __future__ import annotations

import argparse
import time

from fogtree.deep.engine import Engine, prepare
from fogtree.deep.network import Network
from fogtree.deep.traversal import Task, Walks


def pace(engine: Engine, walks: Walks, count: int) -> float:
    """Nodes a second of so many walks with random networks."""
    game, best = engine.game, 0.0
    sizes = [game.feature_count, 64, 64, game.action_count]
    networks = [Network.make(sizes, (player,)) for player in range(game.players)]
    for iteration in range(1, 4):
        start = time.process_time()
        samples = engine.traverse(Task(walks, networks, None, 0, count, iteration, 0))
        best = max(best, samples.nodes / (time.process_time() - start))
    return best


def main() -> None:
    """Print a row for every game and way to walk."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="+")
    parser.add_argument("--walks", type=int, default=1000)
    given = parser.parse_args()
    print("| game | walks | compiled, nodes/s | without, nodes/s | ratio |")
    print("|---|---|---:|---:|---:|")
    for game in given.games:
        engines = [prepare(game, compiled=compiled).engine for compiled in (True, False)]
        for method in ("external", "outcome"):
            compiled, without = (
                pace(engine, Walks(method), count * given.walks)
                for engine, count in zip(engines, (10, 1), strict=True)
            )
            ratio = f"{compiled / without:.0f}"
            print(f"| {game} | {method} | {compiled:,.0f} | {without:,.0f} | {ratio} |")


if __name__ == "__main__":
    main()
