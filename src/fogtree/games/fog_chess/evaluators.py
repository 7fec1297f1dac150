"""The evaluators of Fog-of-War chess by name."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from fogtree._core import (
    FogChessEvaluator,
    FogChessNetwork,
    FogChessPosition,
    FogChessSimpleEvaluator,
)
from fogtree.errors import FileFormatError, UnknownNameError
from fogtree.games.fog_chess.evaluator import FogEvaluator, Values
from fogtree.games.fog_chess.network.file import find_net, read_net
from fogtree.games.fog_chess.network.net import PAWN_SCALE, FogNet
from fogtree.games.fog_chess.network.stockfish import find_stockfish_net
from fogtree.games.fog_chess.rules import DEFAULT_PRESET
from fogtree.games.fog_chess.uci.evaluator import UciEvaluator
from fogtree.text.specs import Spec, parse_spec

_ALMOST = math.tanh(10.0)  # larger values become as many centipawns as this one


DEFAULT_EVALUATOR = "net"
"""The default evaluator: the network that comes with the package."""


def centipawns(value: float) -> int:
    """A value from −1 to 1 in hundredths of a pawn: the inverse of the evaluators' tanh."""
    return round(PAWN_SCALE * math.atanh(min(max(value, -_ALMOST), _ALMOST)))


class NativeEvaluator(FogEvaluator):
    """An evaluator of the native core: ``simple``, ``net`` or ``stockfish-net``."""

    def __init__(self, name: str, native: FogChessEvaluator, rules: str = DEFAULT_PRESET) -> None:
        super().__init__(name, rules)
        self.native = native

    def for_search(self) -> FogChessEvaluator:
        """The native evaluator, which the search calls without Python."""
        return self.native

    def mover_values(self, position: FogChessPosition) -> Values:
        """The values of all moves at a position, for the side to move."""
        return self.native.children(position, self.native_rules)

    def children_of_all(self, positions: Sequence[FogChessPosition], player: int) -> list[Values]:
        """The values of all children of each of many positions, for a player, by one native
        call."""
        values = self.native.children_of_all(list(positions), self.native_rules)
        ends = np.cumsum([position.count_moves() for position in positions])[:-1]
        return [
            part if position.side == player else -part
            for position, part in zip(positions, np.split(values, ends), strict=True)
        ]


def simple_evaluator(rules: str = DEFAULT_PRESET) -> NativeEvaluator:
    """An evaluator that counts material and visible squares; it needs no network."""
    return NativeEvaluator("simple", FogChessSimpleEvaluator(), rules)


def stockfish_net_evaluator(
    path: Path | str | None = None, *, quiescence: bool = True, rules: str = DEFAULT_PRESET
) -> NativeEvaluator:
    """An evaluator by a Stockfish 15.1 network: the file given, or the one exported before.

    With ``quiescence`` a child is valued after the best captures of either side, as chess engines
    do; without, as it stands, which is some seven times faster.
    """
    file = find_stockfish_net() if path is None else Path(path)
    try:
        native = FogChessNetwork.read_stockfish(os.fsencode(file), quiescence)
    except ValueError as error:
        # The core's message has the file's name in it, and is lost if that is not Unicode.
        lost = isinstance(error, UnicodeError) or not str(error)
        message = f"cannot read the network file {str(file)!r}" if lost else str(error)
        raise FileFormatError(message) from None
    return NativeEvaluator("stockfish-net", native, rules)


def net_evaluator(
    path: Path | str | None = None, *, quiescence: bool = True, rules: str = DEFAULT_PRESET
) -> NativeEvaluator:
    """An evaluator by a network in fogtree's own format: the file given, or the one in the package.

    ``quiescence`` is that of ``stockfish_net_evaluator``.
    """
    net = read_net(find_net() if path is None else Path(path))
    name = "net" if quiescence else "net-static"
    return NativeEvaluator(name, native_net(net, quiescence=quiescence), rules)


def native_net(net: FogNet, *, quiescence: bool) -> FogChessNetwork:
    """The native inference of a network; ``quiescence`` concerns the values of children alone."""
    return FogChessNetwork.of(
        net.description,
        net.unit,
        net.mirrored,
        net.king_bucket,
        **net.arrays,
        quiescence=quiescence,
    )


Make = Callable[[str, str], FogEvaluator]
"""Makes an evaluator from what follows the colon in its spec, and the rules."""

EVALUATORS: dict[str, Make] = {
    "net": lambda file, rules: net_evaluator(file or None, rules=rules),
    "net-static": lambda file, rules: net_evaluator(file or None, quiescence=False, rules=rules),
    "simple": lambda _, rules: simple_evaluator(rules),
    "stockfish-net": lambda file, rules: stockfish_net_evaluator(file or None, rules=rules),
    "stockfish-net-static": lambda file, rules: stockfish_net_evaluator(
        file or None, quiescence=False, rules=rules
    ),
    "uci": lambda program, rules: UciEvaluator(program, rules=rules),
}
"""All evaluators by name."""

_NEEDED = {"uci": "PROGRAM"}
_ALLOWED = dict.fromkeys(("net", "net-static", "stockfish-net", "stockfish-net-static"), "FILE")


def evaluator_names() -> tuple[str, ...]:
    """The specs of all evaluators, for lists and messages."""
    plain = [name for name in EVALUATORS if name not in _NEEDED]
    return (*plain, *(f"{name}:{what}" for name, what in (_ALLOWED | _NEEDED).items()))


def load_evaluator(spec: str, *, rules: str = DEFAULT_PRESET) -> FogEvaluator:
    """An evaluator by its spec: ``net``, ``simple``, ``stockfish-net:FILE``, ``uci:PROGRAM``.

    ``net-static`` and ``stockfish-net-static`` are the networks without quiescence.
    """
    read = parse_spec(spec, "evaluator") if spec else Spec("")
    name, argument = read.name, read.argument
    missing = name in _NEEDED and not argument
    unwanted = name not in _NEEDED and name not in _ALLOWED and argument
    if name not in EVALUATORS or missing or unwanted:
        raise UnknownNameError("evaluator", spec, evaluator_names())
    return EVALUATORS[name](argument, rules)
