"""Fog-of-War chess: how fast are moves, sight and belief, beside what others offer.

Run ``python benchmarks/fogchess.py``; add ``--json`` for numbers that a program reads. Every figure
is the best of several runs, on one core unless it says otherwise. OpenSpiel, python-chess and
pyffish are measured when they are installed. None of them has a call for quite the same thing, so
each row says what it did.
"""

from __future__ import annotations

import argparse
import importlib
import json
import os
import platform
import random
import tempfile
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from types import ModuleType
from typing import Any

from fogtree._core import FogChessPosition, fog_chess_inferences, fog_chess_kernel
from fogtree.errors import FileFormatError
from fogtree.games.fog_chess.belief import BeliefLimits, FogBelief
from fogtree.games.fog_chess.evaluators import load_evaluator
from fogtree.games.fog_chess.game import FogChess
from fogtree.games.fog_chess.network.stockfish import export_stockfish_net, find_stockfish
from fogtree.games.fog_chess.rules import START_FEN

KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
FAIRY_VARIANT = """\
[fogofwar:chess]
king = -
commoner = k
castlingKingPiece = k
extinctionValue = loss
extinctionPieceTypes = k
"""
WHITE_MOVES = ("a2a3", "h2h3", "b1c3", "c3b1", "b1c3", "c3b1", "b1c3", "c3b1", "b1c3", "c3b1")
BLACK_MOVES = ("a7a6", "h7h6", "b7b6", "g7g6", "d7d6", "e7e6", "c7c6", "f7f6", "f8g7", "g8e7")
QUIET_MOVES = [move for pair in zip(WHITE_MOVES, BLACK_MOVES, strict=True) for move in pair]
"""A game in which White sees nothing of Black, so that White's belief grows and grows."""


class Clock:
    """Wall time, or this process's own processor time where a machine has other work to do."""

    def __init__(self) -> None:
        self.now: Callable[[], float] = time.perf_counter


CLOCK = Clock()


@dataclass(frozen=True)
class Row:
    """One measured rate and what was measured."""

    subject: str
    program: str
    rate: float
    unit: str
    note: str


def best(work: Callable[[], float], repeats: int = 5) -> float:
    """The highest rate of several runs; `work` returns how much it did."""
    rates = []
    for _ in range(repeats):
        begin = CLOCK.now()
        amount = work()
        rates.append(amount / (CLOCK.now() - begin))
    return max(rates)


def optional(name: str) -> ModuleType | None:
    try:
        return importlib.import_module(name)
    except ImportError:
        return None


def fairy() -> ModuleType | None:
    pyffish = optional("pyffish")
    if pyffish and "fogofwar" not in pyffish.variants():
        pyffish.load_variant_config(FAIRY_VARIANT)
    return pyffish


def perft_rows() -> list[Row]:
    """Leaves per second of perft, which counts the move sequences of a given length."""
    rows = [
        Row(
            "perft",
            "fogtree",
            best(lambda: FogChessPosition(START_FEN).perft(6)),
            "leaves/s",
            f"start, depth 6, kernel {fog_chess_kernel()}",
        ),
        Row(
            "perft",
            "fogtree",
            best(lambda: FogChessPosition(KIWIPETE).perft(5)),
            "leaves/s",
            f"kiwipete, depth 5, kernel {fog_chess_kernel()}",
        ),
    ]
    if pyspiel := optional("pyspiel"):
        root = pyspiel.load_game("dark_chess").new_initial_state()
        rows.append(
            Row(
                "perft",
                "OpenSpiel",
                best(lambda: _spiel_leaves(root, 3), 2),
                "leaves/s",
                "dark_chess, start, depth 3, a loop in Python",
            )
        )
    if chess := optional("chess"):
        board = chess.Board()
        rows.append(
            Row(
                "perft",
                "python-chess",
                best(lambda: _chess_leaves(board, 4), 2),
                "leaves/s",
                "pseudo-legal moves, start, depth 4",
            )
        )
    if pyffish := fairy():
        rows.append(
            Row(
                "perft",
                "pyffish",
                best(lambda: _fairy_leaves(pyffish), 2),
                "leaves/s",
                "fogofwar, start, depth 3, one call for each inner position",
            )
        )
    return rows


def _spiel_leaves(state: Any, depth: int) -> int:
    if depth == 1:
        return len(state.legal_actions())
    return sum(_spiel_leaves(state.child(action), depth - 1) for action in state.legal_actions())


def _chess_leaves(board: Any, depth: int) -> int:
    if depth == 1:
        return sum(1 for _ in board.pseudo_legal_moves)
    total = 0
    for move in list(board.pseudo_legal_moves):
        board.push(move)
        total += _chess_leaves(board, depth - 1)
        board.pop()
    return total


def _fairy_leaves(pyffish: Any) -> int:
    moves = pyffish.legal_moves
    return sum(
        len(moves("fogofwar", START_FEN, [first, second]))
        for first in moves("fogofwar", START_FEN, [])
        for second in moves("fogofwar", START_FEN, [first])
    )


def sight_rows() -> list[Row]:
    """Nodes per second of making a move and computing what both players see after it."""
    rows = []
    for name, fen, depth in (("start", START_FEN, 5), ("kiwipete", KIWIPETE, 4)):
        position = FogChessPosition(fen)

        def walk(position: FogChessPosition = position, depth: int = depth) -> int:
            return position.make_and_see(depth)[0]

        rows.append(
            Row(
                "make and see",
                "fogtree",
                best(walk),
                "nodes/s",
                f"{name}, depth {depth}: make by copy, both players' masks",
            )
        )
    if pyspiel := optional("pyspiel"):
        game = pyspiel.load_game("dark_chess")
        rows.append(
            Row(
                "make and see",
                "OpenSpiel",
                best(lambda: _spiel_sight(game), 3),
                "nodes/s",
                "dark_chess, random game: child and both observation strings",
            )
        )
    if pyffish := fairy():
        rows.append(
            Row(
                "make and see",
                "pyffish",
                best(lambda: _fairy_sight(pyffish), 2),
                "nodes/s",
                "fogofwar: get_fen and get_fog_fen of the start's children",
            )
        )
    return rows


def _spiel_sight(game: Any) -> int:
    generator = random.Random(1)
    state, nodes = game.new_initial_state(), 0
    while not state.is_terminal() and nodes < 2_000:
        state = state.child(generator.choice(state.legal_actions()))
        state.observation_string(0)
        state.observation_string(1)
        nodes += 1
    return nodes


def _fairy_sight(pyffish: Any) -> int:
    moves = pyffish.legal_moves("fogofwar", START_FEN, [])
    for move in moves:
        pyffish.get_fog_fen(pyffish.get_fen("fogofwar", START_FEN, [move]), "fogofwar")
    return len(moves)


def belief_rows() -> list[Row]:
    """Positions per second of updating a large belief after a move of the other side that was not
    seen, and after an own move."""
    rows = []
    threads = min(2, os.cpu_count() or 1)
    state = FogChess().root()
    belief = FogBelief.start(0, limits=BeliefLimits(cap=1_000_000, threads=threads))
    for move in QUIET_MOVES:
        mover, state = state.player, state.child(move)
        view, before = state.observation(0), belief

        def update(before: FogBelief = before, move: str = move, mover: int = mover) -> FogBelief:
            if mover == 0:
                return before.after_own_move(move, view)  # noqa: B023
            return before.after_other_move(view)  # noqa: B023

        belief = update()
        if len(before) < 900_000:
            continue

        def timed(update: Callable[[], FogBelief] = update, size: int = len(before)) -> int:
            update()
            return size

        kind = "own move" if mover == 0 else "unseen move"
        rate = best(timed, 7)
        rows.append(
            Row(
                f"belief, {kind}",
                "fogtree",
                rate,
                "positions/s",
                f"{len(before)} positions in {len(before) / rate:.3f} s, to {len(belief)},"
                f" cap 1000000, {threads} threads",
            )
        )
    return rows[:4]


def evaluator_rows() -> list[Row]:
    """Children valued per second by every kind of evaluator, on positions of random games."""
    generator = random.Random(1)
    positions: list[FogChessPosition] = []
    while len(positions) < 400:
        position = FogChessPosition()
        for _ in range(generator.randrange(60)):
            if moves := position.moves():
                position = position.play(generator.choice(moves))
        if position.moves():
            positions.append(position)
    stockfish = find_stockfish()
    with tempfile.TemporaryDirectory() as folder:
        rows = [
            _evaluator_row("simple", positions, "material and visible squares"),
            _evaluator_row("net-static", positions, "as the child stands"),
            _evaluator_row("net", positions, "after captures"),
        ]
        if stockfish is None:
            return rows
        try:
            net = export_stockfish_net(stockfish, Path(folder) / "stockfish.nnue")
        except FileFormatError:  # another Stockfish than 15.1
            net = None
        if net:
            rows += [
                _evaluator_row(f"stockfish-net-static:{net}", positions, "as the child stands"),
                _evaluator_row(f"stockfish-net:{net}", positions, "after captures"),
            ]
        # An engine must not see a king that can be taken: ask it what it can be asked.
        chess_only = [one for one in positions if not _king_hangs(one)]
        rows += [
            _evaluator_row(f"uci:{stockfish}", chess_only, "depth 1, a line for every move"),
            _evaluator_row(f"uci:{stockfish}", positions, "the same with moves chess has not"),
        ]
        return rows


def _king_hangs(position: FogChessPosition) -> bool:
    """Whether the side to move can take the other side's king."""
    other = 1 - position.side
    return any(not position.play(move).has_king(other) for move in position.moves())


def _evaluator_row(spec: str, positions: list[FogChessPosition], note: str) -> Row:
    with load_evaluator(spec) as evaluator:

        def value() -> int:
            return sum(len(values) for values in evaluator.children_of_all(positions, 0))

        rate = best(value)
    name = spec.partition(":")[0]
    text = f"{len(positions)} positions, {note}"
    return Row(f"evaluator {name}", "fogtree", rate, "children/s", text)


def installed(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "not installed"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parts = {
        "perft": perft_rows,
        "sight": sight_rows,
        "belief": belief_rows,
        "evaluators": evaluator_rows,
    }
    parser.add_argument("--only", choices=parts, help="measure one part")
    parser.add_argument(
        "--processor-time",
        action="store_true",
        help="count this process's processor time, for a busy machine: two threads then count "
        "twice, and other programs (uci) not at all",
    )
    arguments = parser.parse_args()
    if arguments.processor_time:
        CLOCK.now = time.process_time
    chosen = [arguments.only] if arguments.only else list(parts)
    rows = [row for part in chosen for row in parts[part]()]
    machine = {
        "processor": platform.processor() or platform.machine(),
        "python": platform.python_version(),
        "inference": fog_chess_inferences()[0],
        "load": f"{os.getloadavg()[0]:.1f}",
        "clock": "processor time" if arguments.processor_time else "wall",
        **{package: installed(package) for package in ("open_spiel", "chess", "pyffish")},
    }
    if arguments.json:
        print(json.dumps({"machine": machine, "rows": [asdict(row) for row in rows]}, indent=2))
        return
    print(", ".join(f"{name} {value}" for name, value in machine.items()))
    first: dict[str, float] = {}
    for row in rows:
        ours = first.setdefault(row.subject, row.rate)
        ratio = "" if row.program == "fogtree" else f"{ours / row.rate:>10,.0f} x slower"
        figure = f"{row.rate:>16,.0f} {row.unit:12}{ratio:>18}"
        print(f"{row.subject:32}{row.program:14}{figure}  {row.note}")


if __name__ == "__main__":
    main()
