"""What the search plays in the opening of Fog-of-War chess, beside what is published.

Many searches from the same place with different seeds, each in a process of its own: White's first
move; White after 1. c4 d5, where Qa4 looks at the king; Black's answers to 1. d4 and 1. c4, and
whether they leave the diagonal from a4 to e8 open. Published are B. H. Zhang & T. Sandholm (2025):
first moves and replies over 10,000 games at 5 s a move.
"""

from __future__ import annotations

import argparse
import json
import math
import os
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import asdict, dataclass
from multiprocessing import get_context
from pathlib import Path

from fogtree import load_game
from fogtree.agents import Budget
from fogtree.game import History
from fogtree.games.fog_chess.game import FogChessState
from fogtree.search import SearchAgent, SearchSettings, search_settings
from fogtree.search.analysis import follow_history
from machine import machine

PUBLISHED_FIRST = {"d4": 0.664, "c4": 0.296, "e4": 0.019, "Nc3": 0.014}
PUBLISHED_REPLIES = {"Nc6": 0.325, "c6": 0.251, "e6": 0.207, "Nf6": 0.159}


@dataclass(frozen=True, slots=True)
class Case:
    name: str
    title: str
    moves: tuple[str, ...]
    published: dict[str, float]


CASES = (
    Case("first", "White's first move", (), PUBLISHED_FIRST),
    Case("qa4", "White after 1. c4 d5", ("c2c4", "d7d5"), {}),
    Case("d4", "Black after 1. d4", ("d2d4",), PUBLISHED_REPLIES),
    Case("c4", "Black after 1. c4", ("c2c4",), PUBLISHED_REPLIES),
)


@dataclass(frozen=True, slots=True)
class Searched:
    """One search. ``open_share`` is the probability of the moves in its mix after which a queen on
    a4 could take the king on e8."""

    case: str
    mix: dict[str, float]
    action: str
    value: float
    p_max: float
    nodes: int
    iterations: int
    open_share: float


def search(case: Case, seed: int, settings: SearchSettings) -> Searched:
    """Search once after the moves of a case, with what the side to move has seen."""
    history = History.of(load_game("fog_chess"), case.moves)
    agent, state = SearchAgent(history.game, settings), history.end
    assert isinstance(state, FogChessState)
    follow_history(agent, history, earlier=1, seed=f"{case.name}/{seed}")
    decision = agent.act()
    exposed = sum(
        share
        for move, share in decision.mix.items()
        if case.name in ("d4", "c4") and diagonal_open(state.child(str(move)).position.fen)
    )
    return Searched(
        case.name,
        {state.san(move): share for move, share in decision.mix.items()},
        state.san(decision.action),
        decision.value,
        decision.p_max,
        decision.nodes,
        decision.iterations,
        exposed,
    )


def diagonal_open(fen: str) -> bool:
    """Whether nothing stands on b5, c6 and d7 while Black's king is on e8."""
    rows = [
        "".join("." * int(c) if c.isdigit() else c for c in row)
        for row in fen.split(maxsplit=1)[0].split("/")
    ]
    between = (rows[3][1], rows[2][2], rows[1][3])
    return rows[0][4] == "k" and all(square == "." for square in between)


def mean_and_half_width(shares: Sequence[float]) -> tuple[float, float]:
    """The mean and half its 95 % interval, by the normal approximation."""
    n = len(shares)
    mean = sum(shares) / n
    if n < 2:
        return mean, math.nan
    variance = sum((share - mean) ** 2 for share in shares) / (n - 1)
    return mean, 1.96 * math.sqrt(variance / n)


def table(case: Case, rows: Sequence[Searched]) -> str:
    moves = dict.fromkeys([*case.published, *(move for row in rows for move in row.mix)])
    shares = {move: [row.mix.get(move, 0.0) for row in rows] for move in moves}
    lines = [
        f"### {case.title} ({len(rows)} searches)",
        "",
        "| move | mean share of the mix | ± | played | published |",
        "|---|---:|---:|---:|---:|",
    ]
    for move in sorted(moves, key=lambda m: -sum(shares[m])):
        mean, half = mean_and_half_width(shares[move])
        played = sum(row.action == move for row in rows) / len(rows)
        told = case.published.get(move)
        known = f"{100 * told:.1f} %" if told is not None else ""
        lines.append(
            f"| {move} | {100 * mean:.1f} % | {100 * half:.1f} | {100 * played:.1f} % | {known} |"
        )
    nodes = sum(row.nodes for row in rows) / len(rows)
    its = sum(row.iterations for row in rows) / len(rows)
    value = sum(row.value for row in rows) / len(rows)
    safe = sum(row.p_max == 0 for row in rows) / len(rows)
    lines += [
        "",
        f"On average {nodes:,.0f} nodes, {its:,.0f} iterations, value {value:+.3f}; "
        f"safe in {100 * safe:.0f} %.",
        *remarks(case, rows),
        "",
    ]
    return "\n".join(lines)


def remarks(case: Case, rows: Sequence[Searched]) -> list[str]:
    if case.name == "qa4":
        having = sum(row.mix.get("Qa4", 0.0) > 0 for row in rows)
        return [f"Qa4 is in the mix of {having} of {len(rows)} searches."]
    if case.name in ("d4", "c4"):
        open_share = sum(row.open_share for row in rows) / len(rows)
        blocks = [sum(row.mix.get(m, 0.0) for m in ("Nc6", "c6")) for row in rows]
        return [
            f"The diagonal a4-e8 stays covered with {100 * (1 - open_share):.1f} % of the mix; "
            f"Nc6 and c6 together {100 * sum(blocks) / len(rows):.1f} %."
        ]
    return []


def options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--searches", type=int, default=200, help="of each case")
    parser.add_argument("--time", type=float, default=5.0, help="seconds a search")
    parser.add_argument("--nodes", type=int, default=0, help="instead of seconds")
    parser.add_argument("--evaluator", default="stockfish-net-static")
    parser.add_argument("--threads", type=int, default=1, help="of each search")
    parser.add_argument("--workers", type=int, default=0, help="processes; all cores if 0")
    parser.add_argument("--cases", default=",".join(case.name for case in CASES))
    parser.add_argument("--json", type=Path, help="keep every search here")
    return parser.parse_args()


def main() -> None:
    given = options()
    names = given.cases.split(",")
    unknown = set(names) - {case.name for case in CASES}
    if unknown:
        raise SystemExit(f"no such case: {', '.join(sorted(unknown))}")
    chosen = [case for case in CASES if case.name in names]
    budget = Budget(nodes=given.nodes) if given.nodes else Budget(seconds=given.time)
    settings = search_settings(
        "fog_chess",
        evaluator=given.evaluator,
        budget=budget,
        threads=given.threads,
    )
    workers = given.workers or max(1, len(os.sched_getaffinity(0)) // given.threads)
    found: dict[str, list[Searched]] = {case.name: [] for case in chosen}
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        running = [
            pool.submit(search, case, seed, settings)
            for case in chosen
            for seed in range(given.searches)
        ]
        for future in as_completed(running):
            row = future.result()
            found[row.case].append(row)
    spent = f"{given.nodes:,} nodes" if given.nodes else f"{given.time:g} s"
    where = machine()
    print(
        f"{spent} a search, {given.threads} thread(s), {workers} at once, {given.evaluator}; "
        f"{where['processor']}, {where['cores']} cores\n"
    )
    for case in chosen:
        print(table(case, found[case.name]))
    if given.json is not None:
        rows = [asdict(row) for case in chosen for row in found[case.name]]
        given.json.write_text(json.dumps({"machine": where, "searches": rows}, indent=1) + "\n")


if __name__ == "__main__":
    main()
