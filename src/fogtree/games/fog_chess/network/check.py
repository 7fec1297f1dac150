"""Check that native inference of a network equals the reference, and that its sums cannot
overflow."""

from __future__ import annotations

import random
from dataclasses import dataclass

import numpy as np

from fogtree._core import FogChessPosition, fog_chess_inferences
from fogtree.games.fog_chess.evaluators import native_net
from fogtree.games.fog_chess.network import reference as net_reference
from fogtree.games.fog_chess.network.net import FogNet

LARGEST_SUM = int(np.iinfo(np.int16).max)
"""Native inference keeps the sums of the first layer in 16 bits."""


@dataclass(frozen=True)
class NetCheck:
    """The result of a check on positions of random games."""

    positions: int
    inferences: tuple[str, ...]  # the kinds of native inference compared
    differences: int  # outputs that differ from the reference
    largest_sum: int  # of the first layer; above LARGEST_SUM it would overflow

    @property
    def good(self) -> bool:
        """Whether all inferences agree and no sum can overflow."""
        return self.differences == 0 and self.largest_sum <= LARGEST_SUM


def check_net(net: FogNet, *, positions: int = 200, seed: int = 0) -> NetCheck:
    """Compare every stack's output with the reference on positions of random games."""
    sample = random_positions(positions, seed)
    names = tuple(fog_chess_inferences())
    native = native_net(net, quiescence=False)
    expected = [
        [(out.psqt, out.positional) for out in net_reference.stack_outputs(net, one)]
        for one in sample
    ]
    differences = 0
    for name in names:
        native.choose(name)
        for position, outputs in zip(sample, expected, strict=True):
            got = native.trace(position)
            differences += sum(one != two for one, two in zip(got, outputs, strict=True))
    largest = max(
        int(np.abs(net_reference.half_sum(net, one, viewer)).max())
        for one in sample
        for viewer in (0, 1)
    )
    return NetCheck(len(sample), names, differences, largest)


def random_positions(count: int, seed: int, plies: int = 120) -> list[FogChessPosition]:
    """``count`` positions with both kings, each after fewer than ``plies`` random moves."""
    generator = random.Random(seed)
    found: list[FogChessPosition] = []
    while len(found) < count:
        position = FogChessPosition()
        for _ in range(generator.randrange(plies)):
            moves = position.moves()
            if not moves:
                break
            position = position.play(generator.choice(moves))
        if position.has_king(0) and position.has_king(1):
            found.append(position)
    return found
