"""The options of a training run."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import numpy as np
from msgspec import Meta
from numpy.typing import NDArray

from fogtree.errors import OptionError
from fogtree.games.fog_chess.network.file import find_net, read_net
from fogtree.games.fog_chess.network.net import FogNet, buckets_by_square
from fogtree.games.fog_chess.training.targets import TARGETS
from fogtree.text.validation import NotNegative, Positive, check_fields

RANDOM = "random"
DEFAULT = "net"


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainOptions:
    """The options of a training run: the network, the number of steps, and the mix of targets."""

    seed: Annotated[int, Meta(ge=0, lt=2**31)] = 0
    steps: Positive = 4000
    batch: Annotated[int, Meta(ge=1, le=1 << 20)] = 8192
    rate: Annotated[float, Meta(gt=0, le=1)] = 1e-3
    """The first learning rate; it falls to a hundredth, as a cosine does."""
    result: NotNegative = 0.25
    search: NotNegative = 0.5
    teacher: NotNegative = 0.25
    played_weight: NotNegative = 4.0
    """What a position that was played counts for; a root or a leaf counts 1."""
    held_out: Annotated[int, Meta(ge=2)] = 20
    """One game in this many is not fitted but measured."""
    start: str = DEFAULT
    """``net`` (the package's network), a file, or ``random``."""
    width: int = 512
    king_buckets: int = 4
    stacks: int = 8

    def __post_init__(self) -> None:
        """Refuse values out of range, and a mix of targets without any weight."""
        check_fields(self)
        if not any(self.mix.values()):
            raise OptionError("give at least one of result, search and teacher a weight")

    @property
    def mix(self) -> dict[str, float]:
        """The weight of every target."""
        return {name: getattr(self, name) for name in TARGETS}

    def first_network(self) -> FogNet:
        """The network that training starts from."""
        if self.start == RANDOM:
            return FogNet.random(
                self.seed,
                width=self.width,
                king_bucket=self.king_bucket,
                stacks=self.stacks,
            )
        net = read_net(find_net() if self.start == DEFAULT else Path(self.start))
        found = net.width, net.king_buckets, net.stacks
        if found != (self.width, self.king_buckets, self.stacks):
            raise OptionError(
                f"the network to start from has width {found[0]}, {found[1]} king buckets and "
                f"{found[2]} stacks; ask for the same, or start from 'random'"
            )
        return net

    @property
    def king_bucket(self) -> NDArray[np.uint8]:
        """The bucket of each square of the own king in a new network, 64 numbers."""
        return buckets_by_square(self.king_buckets)
