"""Evaluators: how good every child of a position is for a player who could see everything.

All kinds answer the same question in one call, with values from −1 to 1. Before any of them the
rules have their say: a child in which a king is gone, the other side has no move, or the mover's
king can be taken next is scored by the rules.
"""

from __future__ import annotations

import math
import os
from abc import ABC, abstractmethod
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

import numpy as np
from numpy.typing import NDArray

from fogtree._core import (
    FogChessEvaluator,
    FogChessEvaluatorRules,
    FogChessNetwork,
    FogChessPosition,
    FogChessPythonEvaluator,
    FogChessSimpleEvaluator,
)
from fogtree.errors import FileFormatError, FogtreeError, UnknownNameError
from fogtree.games.fog_chess.network.file import find_net, read_net
from fogtree.games.fog_chess.network.net import FogNet
from fogtree.games.fog_chess.network.stockfish import find_stockfish_net
from fogtree.games.fog_chess.rules import DEFAULT_PRESET, preset
from fogtree.text.specs import Spec, parse_spec

_STALEMATE = {"loss": 1.0, "draw": 0.0, "win": -1.0}

_PAWN_SCALE = 543  # a value is tanh(centipawns / this)
_ALMOST = math.tanh(10.0)

Values = NDArray[np.float32]

DEFAULT_EVALUATOR = "net"
"""The evaluator that is used where none is named: the network that comes with the package."""


def centipawns(value: float) -> int:
    """A value from −1 to 1 in hundredths of a pawn, which the evaluators press between them."""
    return round(_PAWN_SCALE * math.atanh(min(max(value, -_ALMOST), _ALMOST)))


class FogEvaluator(ABC):
    """Something that values positions; use it in a ``with`` block or close it."""

    def __init__(self, name: str, rules: str = DEFAULT_PRESET) -> None:
        self.name = name
        self.rules = preset(rules)
        self.native_rules = FogChessEvaluatorRules(
            self.rules.sight, _STALEMATE[self.rules.stalemate]
        )

    @abstractmethod
    def mover_values(self, position: FogChessPosition) -> Values:
        """The value of every child for the side to move, in the order of ``position.moves()``."""

    def children(self, position: FogChessPosition, player: int) -> Values:
        """The value of every child for a player, in the order of ``position.moves()``."""
        values = self.mover_values(position)
        return values if position.side == player else -values

    def children_of_all(self, positions: Sequence[FogChessPosition], player: int) -> list[Values]:
        """The same for many positions."""
        return [self.children(position, player) for position in positions]

    def for_search(self) -> FogChessEvaluator:
        """What the search asks, from any of its threads: by default ``mover_values``."""
        return FogChessPythonEvaluator(self._checked_values)

    def _checked_values(self, position: FogChessPosition) -> Values:
        values = self.mover_values(position)
        if np.shape(values) != (position.count_moves(),):
            raise FogtreeError(f"the evaluator {self.name} must give one number for every move")
        if not (np.abs(values) <= 1).all():
            raise FogtreeError(f"the evaluator {self.name} must give numbers from -1 to 1")
        return values

    def close(self) -> None:  # noqa: B027
        """Give back what the evaluator holds."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


class NativeEvaluator(FogEvaluator):
    """An evaluator of the native core: ``simple``, ``net`` or ``stockfish-net``."""

    def __init__(self, name: str, native: FogChessEvaluator, rules: str = DEFAULT_PRESET) -> None:
        super().__init__(name, rules)
        self.native = native

    def for_search(self) -> FogChessEvaluator:
        return self.native

    def mover_values(self, position: FogChessPosition) -> Values:
        return self.native.children(position, self.native_rules)

    def children_of_all(self, positions: Sequence[FogChessPosition], player: int) -> list[Values]:
        values = self.native.children_of_all(list(positions), self.native_rules)
        ends = np.cumsum([position.count_moves() for position in positions])[:-1]
        return [
            part if position.side == player else -part
            for position, part in zip(positions, np.split(values, ends), strict=True)
        ]


def simple_evaluator(rules: str = DEFAULT_PRESET) -> NativeEvaluator:
    """Material and visible squares; needs no data."""
    return NativeEvaluator("simple", FogChessSimpleEvaluator(), rules)


def stockfish_net_evaluator(
    path: Path | str | None = None, *, quiescence: bool = True, rules: str = DEFAULT_PRESET
) -> NativeEvaluator:
    """A Stockfish 15.1 network: the file given, or the one exported before.

    With ``quiescence`` a child is valued after the best captures of either side, as chess engines
    do; without, as it stands, which is some seven times faster.
    """
    file = find_stockfish_net() if path is None else Path(path)
    try:
        native = FogChessNetwork.read_stockfish(os.fsencode(file), quiescence)
    except UnicodeError:  # the core's own complaint has the name in it
        raise FileFormatError(f"cannot read the network file {str(file)!r}") from None
    except ValueError as error:
        raise FileFormatError(str(error)) from None
    return NativeEvaluator("stockfish-net", native, rules)


def net_evaluator(
    path: Path | str | None = None, *, rules: str = DEFAULT_PRESET
) -> NativeEvaluator:
    """A network of our own: the file given, or the one that comes with the package."""
    net = read_net(find_net() if path is None else Path(path))
    return NativeEvaluator("net", native_net(net), rules)


def native_net(net: FogNet) -> FogChessNetwork:
    """The native inference of a network."""
    return FogChessNetwork.of(
        net.description, net.unit, net.mirrored, net.king_bucket, **net.arrays
    )


def load_evaluator(spec: str, *, rules: str = DEFAULT_PRESET) -> FogEvaluator:
    """An evaluator by name: ``simple``, ``net``, ``stockfish-net``, ``uci:PROGRAM``.

    ``net:FILE`` and ``stockfish-net:FILE`` name the network's file; ``stockfish-net-static`` is
    that network without quiescence.
    """
    read = parse_spec(spec, "evaluator") if spec else Spec("")
    kind, rest = read.name, read.argument
    if kind == "simple" and not rest:
        return simple_evaluator(rules)
    if kind == "net":
        return net_evaluator(rest or None, rules=rules)
    if kind in ("stockfish-net", "stockfish-net-static"):
        return stockfish_net_evaluator(
            rest or None, quiescence=kind == "stockfish-net", rules=rules
        )
    if kind == "uci" and rest:
        from fogtree.games.fog_chess.uci.evaluator import UciEvaluator  # noqa: PLC0415

        return UciEvaluator(rest, rules=rules)
    known = ("simple", "net", "net:FILE", "stockfish-net", "stockfish-net-static", "uci:PROGRAM")
    raise UnknownNameError("evaluator", spec, known)
