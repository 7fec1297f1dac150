"""What ``fogtree train GAME`` reaches without options, and how long it takes.

    python benchmarks/train_defaults.py                    # every small game of the package
    python benchmarks/train_defaults.py leduc_poker own.py:MyGame --processes 4

trains each game by the command itself with one thread and prints a Markdown table: seconds, exact
exploitability of the result and of uniform play, and the mean payoff per game of the trained
strategy against uniform play over both seats, which is exact too. Where a game is not compiled, the
payoff is that of a match of 2,000 games against the agent ``random``, with its 95 % interval. In
rock, paper, scissors and matching pennies nothing wins against uniform play.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from time import perf_counter

GAMES = (
    "rock_paper_scissors",
    "matching_pennies",
    "kuhn_poker",
    "leduc_poker",
    "goofspiel",
    "battleship",
    "liars_dice",
    "phantom_ttt",
    'cambia(preset="tiny1")',
    "cambia",
)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", default=GAMES)
    parser.add_argument("--processes", type=int, default=1)
    given = parser.parse_args()
    print("| game | s | exploitability | of uniform play | against uniform play |")
    print("| --- | ---: | ---: | ---: | ---: |", flush=True)
    with ThreadPoolExecutor(given.processes) as pool:
        for row in pool.map(measured, given.games):
            print(f"| {' | '.join(row)} |", flush=True)


def measured(spec: str) -> tuple[str, ...]:
    """A row of the table."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / "run"
        start = perf_counter()
        command(["train", spec, "--save", str(folder)])
        seconds = f"{perf_counter() - start:.0f}"
        file = folder / "strategy.npz"
        found = exact(spec, file) if file.is_file() else match(spec, folder)
    return (spec, seconds, *found)


def command(arguments: list[str]) -> str:
    """What a command of fogtree prints."""
    done = subprocess.run(
        [sys.executable, "-m", "fogtree", *arguments], capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise SystemExit(f"{' '.join(arguments)}: {done.stderr.strip().splitlines()[-1]}")
    return done.stdout


def exact(spec: str, file: Path) -> tuple[str, ...]:
    """Exploitability, that of uniform play, and the payoff against uniform play."""
    import numpy as np

    from fogtree import Strategy, compile, exploitability, load_game
    from fogtree.solvers import load_strategy

    tree = compile(load_game(spec))
    trained, uniform = load_strategy(file), Strategy.uniform(tree)
    payoffs = []
    for seat in range(tree.players):
        mine = tree.infoset_player[tree.slot_infoset] == seat
        slots = np.where(mine, trained.for_tree(tree), uniform.for_tree(tree))
        payoffs.append(exploitability(tree, Strategy.of(tree, slots)).values[seat])
    both = [exploitability(tree, one).exploitability for one in (trained, uniform)]
    return (*(f"{value:.4f}" for value in both), f"{np.mean(payoffs):+.4f}")


def match(spec: str, folder: Path) -> tuple[str, ...]:
    """The mean payoff in a match against the agent ``random``, with its interval."""
    agents = f"deep:{folder},random"
    printed = command(["arena", spec, "--agents", agents, "--games", "2000", "--json"])
    payoff = json.loads(printed)["matches"][0]["return_mean"]
    return "–", "–", f"{payoff['value']:+.3f} [{payoff['low']:+.3f}, {payoff['high']:+.3f}]"


if __name__ == "__main__":
    main()
