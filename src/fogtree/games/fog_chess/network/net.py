"""fogtree's own small network that values positions: its arrays, and checks on them.

Y. Nasu, "Efficiently updatable neural-network-based evaluation functions for computer shogi"
(2018); the layers after the first are those of Stockfish 15.1.
*Deviations:* the inputs are plain piece squares, once for every bucket that the own king can be in.

Either side sees the board with its own men at the bottom. A piece on a square switches on one
column of ``weight``; the sum of the columns, a *half*, is clipped to [0, 1] and its first part is
multiplied by its second part. Both halves, the mover's first, go through one of several stacks of
small layers, chosen by the number of pieces. ``docs/reference/files.md`` has the details.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from fogtree.errors import OptionError

WIDTHS = range(128, 1025, 128)
STACKS = (1, 2, 4, 8)
MOST_KING_BUCKETS = 32
PLANES = 12
"""Kinds of pieces, own and foreign ones counted apart; each has an input for every square."""
FIRST, SECOND = 16, 32
"""Outputs of the first and of the second layer of a stack."""
PASSED_ON = FIRST - 1
"""Outputs of the layer ``first_weight`` that the next one gets, squared and as they are."""
ONE = 127
"""The integer that stands for 1 among the clipped values."""
WEIGHT_ONE = 64
"""The integer that stands for 1 among the weights of the layers."""
OUTPUT_ONE = 9600
"""The integer that stands for 1 in the output, before it is divided by 16."""
OUTPUT_SCALE = 16
UNIT = OUTPUT_ONE / OUTPUT_SCALE
"""With this unit the output 1 stands for the value tanh(1)."""
PAWN_SCALE = 543
"""A value is tanh(hundredths of a pawn / this)."""
SCALES = {
    "bias": ONE,
    "weight": ONE,
    "psqt": OUTPUT_ONE,
    "first_weight": WEIGHT_ONE,
    "first_bias": ONE * WEIGHT_ONE,
    "second_weight": WEIGHT_ONE,
    "second_bias": ONE * WEIGHT_ONE,
    "third_weight": OUTPUT_ONE / ONE,
    "third_bias": OUTPUT_ONE,
}
"""The integer that stands for 1 in each array."""
BUCKETS = {
    1: [[0, 0, 0, 0]],
    2: [[0, 0, 0, 0], [1, 1, 1, 1]],
    4: [[0, 0, 1, 1], [2, 2, 2, 2], [3, 3, 3, 3]],
    8: [[0, 1, 2, 3], [4, 4, 5, 5], [6, 6, 6, 6], [7, 7, 7, 7]],
}
"""The king's buckets on the files e to h, the own first rank first; the last row holds for all
further ranks."""
MOST_BIAS = 1 << 26
MOST_PSQT = 1 << 24

Numbers = NDArray[Any]


@dataclass(frozen=True, eq=False)
class FogNet:
    """The numbers of a network, as they are in its file. Shapes: F features, W width, S stacks."""

    description: str
    unit: float  # a value is tanh(output / unit)
    mirrored: bool  # the board is turned so that the own king is on the files e to h
    king_bucket: Numbers  # uint8 (64,): by the own king's square, a1 first, after turning
    bias: Numbers  # int16 (W,)
    weight: Numbers  # int16 (F, W)
    psqt: Numbers  # int32 (F, S): goes past all layers to the output
    first_weight: Numbers  # int8 (S, 16, W)
    first_bias: Numbers  # int32 (S, 16)
    second_weight: Numbers  # int8 (S, 32, 30)
    second_bias: Numbers  # int32 (S, 32)
    third_weight: Numbers  # int8 (S, 32)
    third_bias: Numbers  # int32 (S,)

    def __post_init__(self) -> None:
        """Refuse arrays of the wrong type or shape, and numbers whose sums could overflow."""
        _check_size(self.width, self.stacks)
        if not (np.isfinite(self.unit) and self.unit > 0):
            raise OptionError(f"a network's unit is a number above 0, not {self.unit}")
        if self.king_bucket.shape != (64,) or self.king_buckets > MOST_KING_BUCKETS:
            raise OptionError(f"a king's square has one of at most {MOST_KING_BUCKETS} buckets")
        for name, (kind, shape) in shapes(self.width, self.king_buckets, self.stacks).items():
            array: Numbers = getattr(self, name)
            if array.dtype != kind or array.shape != shape:
                raise OptionError(
                    f"{name} has to be {np.dtype(kind).name} {shape}, "
                    f"not {array.dtype.name} {array.shape}"
                )
        for name in ("first_bias", "second_bias", "third_bias"):
            _check_range(name, getattr(self, name), MOST_BIAS)
        _check_range("psqt", self.psqt, MOST_PSQT)

    @property
    def width(self) -> int:
        """The number of values in a half."""
        return int(self.bias.size)

    @property
    def stacks(self) -> int:
        """The number of stacks, of which one is chosen by the number of pieces."""
        return int(self.third_bias.size)

    @property
    def king_buckets(self) -> int:
        """The number of buckets of the own king's squares."""
        return int(self.king_bucket.max(initial=0)) + 1

    @property
    def arrays(self) -> dict[str, Numbers]:
        """The arrays of the file after its header, in order."""
        return {name: getattr(self, name) for name in shapes(1, 1, 1)}

    @classmethod
    def quantised(
        cls, description: str, king_bucket: Numbers, *, mirrored: bool, **floats: Numbers
    ) -> Self:
        """A network from a trained model's floating-point arrays; the value is tanh(output).

        ``floats`` has an array for every name. Numbers outside the integers' range are clipped.
        """
        if set(floats) != set(SCALES):
            raise OptionError(f"a model's arrays are {', '.join(SCALES)}")
        made: dict[str, Numbers] = {}
        for name, (kind, _) in shapes(1, 1, 1).items():
            values = np.asarray(floats[name], dtype=np.float64)
            if not np.isfinite(values).all():
                raise OptionError(f"{name} has numbers that are not finite")
            most = {"psqt": MOST_PSQT}.get(name, MOST_BIAS)
            low, high = np.iinfo(kind).min, np.iinfo(kind).max
            cut = np.clip(np.rint(values * SCALES[name]), max(low, -most), min(high, most))
            made[name] = cut.astype(kind)
        buckets = np.asarray(king_bucket, dtype=np.uint8)
        return cls(description, UNIT, mirrored, buckets, **made)

    def floats(self) -> dict[str, NDArray[np.float32]]:
        """The arrays as floating-point numbers; :meth:`quantised` turns them back into the same
        integers."""
        return {
            name: (array / SCALES[name]).astype(np.float32) for name, array in self.arrays.items()
        }

    @classmethod
    def random(
        cls,
        seed: int = 0,
        *,
        width: int = 256,
        king_bucket: Numbers | None = None,
        mirrored: bool = True,
        stacks: int = 8,
    ) -> Self:
        """A network with piece values in ``psqt`` and random numbers everywhere else."""
        _check_size(width, stacks)
        draw = np.random.default_rng(seed)
        buckets = np.zeros(64, np.uint8) if king_bucket is None else np.asarray(king_bucket)
        count = int(buckets.max()) + 1
        wanted = shapes(width, count, stacks)
        spread = {"weight": 0.1, "first_weight": 0.1, "second_weight": 0.2, "third_weight": 0.2}
        floats = {
            name: draw.normal(0.2 if name == "bias" else 0.0, spread.get(name, 0.05), shape)
            for name, (_, shape) in wanted.items()
        }
        piece_values = np.array([100, 300, 325, 500, 900, 0]) / PAWN_SCALE  # pawn to king
        signed = np.stack([piece_values, -piece_values], axis=1).reshape(PLANES, 1)
        floats["psqt"] = np.repeat(np.tile(np.repeat(signed, 64, axis=0), (count, 1)), stacks, 1)
        return cls.quantised(f"random, seed {seed}", buckets, mirrored=mirrored, **floats)


def buckets_by_square(count: int) -> NDArray[np.uint8]:
    """The bucket of every square of the own king, which is on the files e to h after mirroring: 1,
    2, 4 or 8 of them, most for the first rank, where the king nearly always is."""
    if count not in BUCKETS:
        raise OptionError(f"--king-buckets is 1, 2, 4 or 8, not {count}")
    rows = [half[::-1] + half for half in BUCKETS[count]]
    rows += [rows[-1]] * (8 - len(rows))
    return np.array(rows, np.uint8).ravel()


def shapes(
    width: int, king_buckets: int, stacks: int
) -> dict[str, tuple[type[np.signedinteger[Any]], tuple[int, ...]]]:
    """Every array's type and shape, in the order of the file."""
    features = king_buckets * PLANES * 64
    return {
        "bias": (np.int16, (width,)),
        "weight": (np.int16, (features, width)),
        "psqt": (np.int32, (features, stacks)),
        "first_weight": (np.int8, (stacks, FIRST, width)),
        "first_bias": (np.int32, (stacks, FIRST)),
        "second_weight": (np.int8, (stacks, SECOND, 2 * PASSED_ON)),
        "second_bias": (np.int32, (stacks, SECOND)),
        "third_weight": (np.int8, (stacks, SECOND)),
        "third_bias": (np.int32, (stacks,)),
    }


def _check_size(width: int, stacks: int) -> None:
    """Refuse sizes that the native inference does not have."""
    if width not in WIDTHS:
        raise OptionError(f"a network's width is 128, 256, … 1024, not {width}")
    if stacks not in STACKS:
        raise OptionError(f"a network has 1, 2, 4 or 8 stacks, not {stacks}")


def _check_range(name: str, numbers: Numbers, most: int) -> None:
    """Refuse numbers whose sums could overflow 32 bits."""
    if numbers.size and (numbers.max() > most or numbers.min() < -most):
        raise OptionError(f"{name} has numbers beyond {most}")


def same(one: FogNet, two: FogNet) -> bool:
    """Whether two networks are equal number for number."""
    return all(np.array_equal(getattr(one, f.name), getattr(two, f.name)) for f in fields(FogNet))
