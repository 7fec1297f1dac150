"""Small games of Cambia solved in every way there is, side by side.

``python -m tests.support.cambia_equilibria`` prints the table of docs/games/cambia.md: about two
minutes of one core, most of them for ``tiny2``.
"""

from __future__ import annotations

from dataclasses import dataclass
from time import process_time

import numpy as np

from fogtree import GameTree, Strategy, compile, equilibrium, exploitability, load_game, solve

GAMES = (
    "cambia(preset='tiny1')",
    "cambia(preset='tiny2', max_turns=1)",
    "cambia(preset='tiny2', max_turns=2)",
    "cambia(preset='tiny2')",
)
ALGORITHMS = ("cfr+", "dcfr", "pcfr+")
UNTIL = 1e-6
MOST_ITERATIONS = 200_000


@dataclass(frozen=True, slots=True)
class Row:
    """One way to play a game; ``starter`` is what whoever takes the first turn gets."""

    way: str
    iterations: int
    seconds: float
    exploitability: float
    value: float
    starter: float


def rows(tree: GameTree) -> list[Row]:
    """Everything at random, the three algorithms, and the exact answer by linear program."""
    out = [_row(tree, "uniform", 0, 0.0, Strategy.uniform(tree))]
    for algorithm in ALGORITHMS:
        begin = process_time()
        run = solve(tree, algorithm, until=UNTIL, iterations=MOST_ITERATIONS)
        seconds = process_time() - begin
        out.append(_row(tree, algorithm, run.iterations, seconds, run.strategy))
    begin = process_time()
    exact = equilibrium(tree)
    out.append(_row(tree, "linear program", 0, process_time() - begin, exact.strategy))
    return out


def _row(tree: GameTree, way: str, iterations: int, seconds: float, strategy: Strategy) -> Row:
    found = exploitability(tree, strategy)
    starter = starter_value(tree, strategy)
    return Row(way, iterations, seconds, found.exploitability, found.values[0], starter)


def starter_value(tree: GameTree, strategy: Strategy) -> float:
    """Who starts is known to all, so there are two games in one, each with a value of its own:
    what player 0 gets in the one where player 0 starts."""
    above = tree.parent.astype(np.int64)
    share = np.array(tree.chance, dtype=np.float64)
    decided = np.flatnonzero(tree.player[above[1:]] >= 0) + 1
    slots = tree.first_slot[tree.index[above[decided]]] + tree.action[decided]
    share[decided] = strategy.probabilities[slots]
    starts = above == 0
    share[starts] = 1.0
    above = np.where(above > 0, above, np.arange(len(above)))
    while not starts[above[1:]].all():  # twice as far up every time
        share *= share[above]
        above = above[above]
    share *= share[above]
    first = tree.labels.index("player 0 starts")
    ends = np.flatnonzero((tree.player == -2) & (tree.label[above] == first))
    return float(share[ends] @ tree.payoffs[tree.index[ends], 0])


def main() -> None:
    print("| game | | iterations | seconds | exploitability | value | to who starts |")
    print("|---|---|---:|---:|---:|---:|---:|")
    for spec in GAMES:
        for number, row in enumerate(rows(compile(load_game(spec)))):
            cells = (
                f"`{spec}`" if number == 0 else "",
                row.way,
                f"{row.iterations:,}" if row.iterations else "",
                f"{row.seconds:.2f}" if row.seconds else "",
                _exploitability(row.exploitability),
                f"{round(row.value, 6) + 0.0:.6f}",
                f"{round(row.starter, 6) + 0.0:.6f}",
            )
            print(f"| {' | '.join(cells)} |", flush=True)


def _exploitability(value: float) -> str:
    if value < 1e-12:
        return "< 1e-12"
    return f"{value:.1e}" if value < 1e-4 else f"{value:.6f}"


if __name__ == "__main__":
    main()
