"""Positions to train a network of Fog-of-War chess on, with what Stockfish's network says of them.

Usage: python scripts/fog_net_positions.py FILE.npz --count 2000000 --seed 1

Many games are played side by side. Each has two players with a temperature and a share of random
moves of their own, and one guide for both: Stockfish's network or `simple`. About every second
move one of the children, any one, is written down, not the one that was played: an evaluator is
asked about all of them. Children that the rules decide are left out. The labels are the values of
`stockfish-net-static` for the side to move.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass, field

import numpy as np

from fogtree._core import FogChessPosition
from fogtree.games.fog_chess.evaluators import load_evaluator
from fogtree.games.fog_chess.training.rows import board_of

GAMES = 1024  # side by side
LONGEST = 240  # plies
SHARE = 0.5  # of the moves that give a position


@dataclass
class Playing:
    """A game and how its two players, White first, choose: the temperature of the softmax over
    values, the share of random moves, and for both whether Stockfish's network gives the values."""

    temperatures: tuple[float, float]
    random_shares: tuple[float, float]
    guided_by_net: bool
    position: FogChessPosition = field(default_factory=FogChessPosition)
    plies: int = 0


def new_game(draw: np.random.Generator) -> Playing:
    """A game at the start position with players drawn at random."""
    cold, hot = np.exp(draw.uniform(np.log(0.01), np.log(0.5), 2))
    one, two = draw.choice([0.0, 0.05, 0.2, 0.5, 1.0], 2)
    return Playing((cold, hot), (one, two), bool(draw.random() < 0.5))


def choice(game: Playing, values: np.ndarray, draw: np.random.Generator) -> int:
    """The number of the move that is played: random, or drawn from a softmax of the ``values`` of
    all moves (adding Gumbel noise and taking the largest does that)."""
    mover = game.position.side
    if game.plies < 4 or draw.random() < game.random_shares[mover]:
        return int(draw.integers(values.size))
    noise = draw.gumbel(size=values.size)
    return int(np.argmax(values / game.temperatures[mover] + noise))


def over(game: Playing) -> bool:
    """Whether a game is ended: a king was taken, no move is left, or it is very long."""
    there = game.position
    return (
        game.plies >= LONGEST
        or not (there.has_king(0) and there.has_king(1))
        or there.count_moves() == 0
    )


def collect(count: int, seed: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """At least ``count`` positions: the boards, (n, 64), each turned so that its mover is below,
    and their values for the mover by Stockfish's network and by `simple`."""
    draw = np.random.default_rng(seed)
    teacher, simple = load_evaluator("stockfish-net-static"), load_evaluator("simple")
    games = [new_game(draw) for _ in range(GAMES)]
    boards: list[bytes] = []
    labels: list[float] = []
    plain: list[float] = []
    while len(boards) < count:
        positions = [game.position for game in games]
        taught = teacher.native.children_of_all(positions, teacher.native_rules)
        simply = simple.native.children_of_all(positions, simple.native_rules)
        end = 0
        for number, game in enumerate(games):
            moves = game.position.moves()
            start, end = end, end + len(moves)
            if draw.random() < SHARE:
                asked = int(draw.integers(len(moves)))
                value = float(taught[start + asked])
                if abs(value) < 1 and value != 0:  # else the rules had their say
                    boards.append(board_of(game.position.play(moves[asked])))
                    labels.append(-value)
                    plain.append(-float(simply[start + asked]))
            guide = taught if game.guided_by_net else simply
            game.position = game.position.play(moves[choice(game, guide[start:end], draw)])
            game.plies += 1
            if over(game):
                games[number] = new_game(draw)
    flat = np.frombuffer(b"".join(boards), np.uint8).reshape(-1, 64)
    return flat, np.array(labels, np.float32), np.array(plain, np.float32)


def main() -> None:
    parser = argparse.ArgumentParser(description="Positions of Fog-of-War chess with labels.")
    parser.add_argument("file")
    parser.add_argument("--count", type=int, default=2_000_000)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    boards, labels, simple = collect(asked.count, asked.seed)
    np.savez(asked.file, boards=boards, labels=labels, simple=simple)


if __name__ == "__main__":
    main()
