"""Inference of a network in NumPy: slow and simple, the reference for native inference.

Every number is an integer, so that both agree exactly.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fogtree._core import FogChessPosition
from fogtree.games.fog_chess.network.net import (
    ONE,
    OUTPUT_ONE,
    OUTPUT_SCALE,
    PASSED_ON,
    PLANES,
    WEIGHT_ONE,
    FogNet,
)

_KINDS = "pnbrqk"
_CLIP_SHIFT = 6  # the layers' sums are in units of 127 · 64
_SQUARE_SHIFT = 19  # so the square of a sum that stands for 1 becomes about 127


@dataclass(frozen=True)
class NetOutput:
    """The output of one stack for the side to move, before scaling."""

    psqt: int
    positional: int

    @property
    def units(self) -> int:
        """The value in the network's units: both parts together, scaled down."""
        return _towards_zero(self.psqt + self.positional, OUTPUT_SCALE)


def features(net: FogNet, position: FogChessPosition, viewer: int) -> list[int]:
    """The numbers of the network's inputs that are 1 for a position, from one side's view."""
    placed = [(square, letter) for square in range(64) if (letter := position.letter_at(square))]
    own_king = "K" if viewer == 0 else "k"
    king = next(square for square, letter in placed if letter == own_king)
    turn = 56 if viewer == 1 else 0  # ^ 56 turns the ranks over, ^ 7 mirrors the files
    if net.mirrored and king % 8 < 4:
        turn ^= 7
    bucket = int(net.king_bucket[king ^ turn])
    numbers = []
    for square, letter in placed:
        foreign = letter.isupper() != (viewer == 0)
        plane = 2 * _KINDS.index(letter.lower()) + foreign
        numbers.append((bucket * PLANES + plane) * 64 + (square ^ turn))
    return numbers


def half_sum(net: FogNet, position: FogChessPosition, viewer: int) -> NDArray[np.int64]:
    """The first layer as one side sees the position, in 64 bits: a *half* of the network's input
    to the later layers. Native inference keeps it in 16 bits, so a larger number would overflow
    there."""
    chosen = features(net, position, viewer)
    columns: NDArray[np.int64] = net.weight[chosen].sum(axis=0, dtype=np.int64)
    return columns + net.bias


def stack_outputs(net: FogNet, position: FogChessPosition) -> list[NetOutput]:
    """The outputs of all stacks for the side to move."""
    mover = position.side
    views = (mover, 1 - mover)
    pairs = []
    for viewer in views:
        kept = half_sum(net, position, viewer).astype(np.int16)
        low, high = np.split(np.clip(kept, 0, ONE).astype(np.int64), 2)
        pairs.append(low * high // 128)
    inputs = np.concatenate(pairs)
    psqt = [
        net.psqt[features(net, position, viewer)].sum(axis=0, dtype=np.int64) for viewer in views
    ]
    outputs = []
    for stack in range(net.stacks):
        first = net.first_bias[stack] + net.first_weight[stack].astype(np.int64) @ inputs
        passed = first[:PASSED_ON]
        squares = np.minimum(passed * passed >> _SQUARE_SHIFT, ONE)
        clipped = np.clip(passed >> _CLIP_SHIFT, 0, ONE)
        middle = np.concatenate([squares, clipped])
        second = net.second_bias[stack] + net.second_weight[stack].astype(np.int64) @ middle
        last = np.clip(second >> _CLIP_SHIFT, 0, ONE)
        total = int(net.third_bias[stack]) + int(net.third_weight[stack].astype(np.int64) @ last)
        total += _towards_zero(int(first[PASSED_ON]) * OUTPUT_ONE, ONE * WEIGHT_ONE)
        piece_squares = _towards_zero(int(psqt[0][stack] - psqt[1][stack]), 2)
        outputs.append(NetOutput(piece_squares, total))
    return outputs


def stack_for(net: FogNet, position: FogChessPosition) -> int:
    """The stack that is used for a position, by its number of pieces."""
    return (position.occupied.bit_count() - 1) * net.stacks // 32


def value(net: FogNet, position: FogChessPosition) -> float:
    """The value for the side to move, from −1 to 1."""
    return float(np.tanh(stack_outputs(net, position)[stack_for(net, position)].units / net.unit))


def _towards_zero(number: int, divisor: int) -> int:
    """A quotient without its fraction, as C++ divides."""
    return number // divisor if number >= 0 else -(-number // divisor)
