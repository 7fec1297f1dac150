"""Two games that differ only in what one side cannot see: whatever that side is shown is equal."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

from fogtree.agents import Agent, Decision, Observation
from fogtree.game import TERMINAL, Game
from fogtree.games.fog_chess.game import FogChess, FogChessState


@dataclass(frozen=True)
class Twins:
    """The moves of both games, which look the same to ``player`` after every ply."""

    player: int
    first: tuple[str, ...]
    second: tuple[str, ...]


def twin_games(player: int, seed: int, plies: int) -> Twins:
    """Random games, as different as they can be; they end when no equal views are left."""
    dice = random.Random(seed)
    states = (FogChess().root(), FogChess().root())
    lines: tuple[list[str], list[str]] = ([], [])
    for _ in range(plies):
        if any(state.player == TERMINAL for state in states):
            break
        moves = _next(states, player, dice)
        if moves is None:
            break
        states = (states[0].child(moves[0]), states[1].child(moves[1]))
        for line, move in zip(lines, moves, strict=True):
            line.append(move)
    if states[0].player != player and lines[0]:
        lines[0].pop(), lines[1].pop()
    return Twins(player, tuple(lines[0]), tuple(lines[1]))


def _next(
    states: tuple[FogChessState, FogChessState], player: int, dice: random.Random
) -> tuple[str, str] | None:
    def looks(state: FogChessState, move: str) -> tuple[str, bool]:
        child = state.child(move)
        return child.observation(player).fog_fen, child.player == TERMINAL

    if states[0].player == player:
        both = [(move, move) for move in states[0].actions()]
    else:
        both = list(product(states[0].actions(), states[1].actions()))
    dice.shuffle(both)
    both.sort(key=lambda pair: pair[0] == pair[1])
    found = (p for p in both if looks(states[0], p[0]) == looks(states[1], p[1]))
    return next((p for p in found if not looks(states[0], p[0])[1]), None)


class Scripted(Agent):
    """Plays given moves, and keeps what it was told."""

    def __init__(self, moves: Sequence[str]) -> None:
        self.name = "scripted"
        self.moves = moves

    def start(self, game: Game, player: int, seed: str) -> None:
        del game, player, seed
        self.left = list(self.moves)

    def observe(self, observation: Observation) -> None:
        del observation

    def act(self, budget: object = None) -> Decision:
        del budget
        return Decision(self.left.pop(0))
