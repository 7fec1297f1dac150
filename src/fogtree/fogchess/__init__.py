"""Fog-of-War chess beyond its rules: views, beliefs and evaluators.

The game itself is :class:`fogtree.games.fog_chess.FogChess`.
"""

from fogtree.fogchess.belief import SQUARE_KINDS, BeliefLimits, FogBelief
from fogtree.fogchess.evaluators import FogEvaluator, load_evaluator
from fogtree.fogchess.net import FogNet
from fogtree.fogchess.net_file import read_net, write_net
from fogtree.fogchess.observation import FogObservation
from fogtree.fogchess.rules import DEFAULT_PRESET, PRESETS, START_FEN, FogRules, preset, read_fen
from fogtree.fogchess.stockfish_net import export_stockfish_net

__all__ = [
    "DEFAULT_PRESET",
    "PRESETS",
    "SQUARE_KINDS",
    "START_FEN",
    "BeliefLimits",
    "FogBelief",
    "FogEvaluator",
    "FogNet",
    "FogObservation",
    "FogRules",
    "export_stockfish_net",
    "load_evaluator",
    "preset",
    "read_fen",
    "read_net",
    "write_net",
]
