"""Other people's Fog-of-War chess, made to answer the same questions as ours. Tests only."""

from __future__ import annotations

import random
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pyffish
import pyspiel

from fogtree._core import FogChessPosition

FAIRY_VARIANT = """\
[fogofwar:chess]
king = -
commoner = k
castlingKingPiece = k
extinctionValue = loss
extinctionPieceTypes = k
"""
pyffish.load_variant_config(FAIRY_VARIANT)

FAIRY_STOCKFISH = shutil.which("fairy-stockfish") or shutil.which(
    "fairy-stockfish", path="/usr/games"
)
DARK_CHESS = pyspiel.load_game("dark_chess")


def dark_chess_state(fen: str) -> pyspiel.State:
    """OpenSpiel's state of a position."""
    return pyspiel.load_game("dark_chess", {"fen": fen}).new_initial_state()


def random_game(
    generator: random.Random,
) -> Iterator[tuple[FogChessPosition, pyspiel.State]]:
    """Our position and OpenSpiel's state along one random game, moves chosen by OpenSpiel."""
    position, state = FogChessPosition(), DARK_CHESS.new_initial_state()
    while not state.is_terminal():
        yield position, state
        action = generator.choice(state.legal_actions())
        san = state.action_to_string(state.current_player(), action)
        position = position.play(position.read_san(san))
        state.apply_action(action)
    yield position, state


def random_positions(count: int, seed: int) -> Iterator[tuple[FogChessPosition, pyspiel.State]]:
    """That many positions of random games that are not over."""
    generator = random.Random(seed)
    while count > 0:
        for position, state in random_game(generator):
            if state.is_terminal() or count == 0:
                break
            yield position, state
            count -= 1


def fairy_fog(position: FogChessPosition) -> str:
    """The board as Fairy-Stockfish fogs it for the side to move."""
    board: str = pyffish.get_fog_fen(position.fen, "fogofwar").split()[0]
    return board.replace("*", "?")


def fairy_perft(fen: str, depth: int, folder: Path) -> int:
    """Leaves counted by the fairy-stockfish program."""
    assert FAIRY_STOCKFISH is not None
    config = folder / "fogofwar.ini"
    config.write_text(FAIRY_VARIANT)
    commands = [
        f"setoption name VariantPath value {config}",
        "setoption name UCI_Variant value fogofwar",
        f"position fen {fen}",
        f"go perft {depth}",
        "quit",
    ]
    answer = subprocess.run(
        [FAIRY_STOCKFISH], input="\n".join(commands), capture_output=True, text=True, check=True
    )
    line = next(line for line in answer.stdout.splitlines() if line.startswith("Nodes searched"))
    return int(line.split(":")[1])
