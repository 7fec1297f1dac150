"""An analysis as plain data, for JSON."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fogtree.games.cambia.analysis import CambiaAnalysis
from fogtree.games.fog_chess.analysis import FogChessAnalysis
from fogtree.games.fog_chess.belief import SQUARE_KINDS
from fogtree.games.fog_chess.board_text import COLORS
from fogtree.games.fog_chess.observation import SQUARES
from fogtree.search.analysis import Analysis, Line

_SMALLEST = 5e-4  # a probability below this is not listed

_NUMBERS = (
    "action",
    "mix",
    "value",
    "p_max",
    "safe",
    "belief_size",
    "nodes",
    "infosets",
    "carried_nodes",
    "carried_infosets",
    "sampled",
    "cover",
    "iterations",
    "steps",
    "depth",
    "seconds",
    "bytes",
)


def analysis_document(analysis: Analysis, top: int) -> dict[str, Any]:
    """All numbers of the decision, and the ``top`` likeliest of everything that is long."""
    decision = analysis.decision
    return {
        **{name: getattr(decision, name) for name in _NUMBERS},
        "gap": {"ours": analysis.gap[0], "theirs": analysis.gap[1]},
        "candidates": [
            asdict(c) for c in sorted(decision.candidates, key=lambda c: -c.probability)
        ],
        "looks": [asdict(look) for look in analysis.looks],
        "opponent_sets": len(analysis.opponents),
        "opponents": [
            {
                **asdict(one),
                "belief": [_line(x) for x in analysis.beliefs_of_opponent(one.number)[:top]],
            }
            for one in analysis.opponents[:top]
        ],
        "positions": [_line(line) for line in analysis.our_belief[:top]],
        "levels": [asdict(level) for level in analysis.levels],
    }


def fog_chess_document(found: FogChessAnalysis, top: int) -> dict[str, Any]:
    """The same for chess, with the view, the marginals and, if it was asked for, the truth."""
    document = {
        "as": COLORS[found.player],
        "fog_fen": found.view.fog_fen,
        "evaluator": found.settings.evaluator,
        "own_moves": list(found.own_moves),
        **analysis_document(found.analysis, top),
        "belief_complete": found.belief.complete,
        "marginals": _marginals(found.marginals),
        "weighted_marginals": _marginals(found.weighted_marginals),
    }
    if found.truth is not None:
        document["truth"] = asdict(found.truth)
    return document


def cambia_document(found: CambiaAnalysis, top: int) -> dict[str, Any]:
    """The same for Cambia, with the place in the game and, if it was asked for, the truth."""
    document = {
        "game": str(found.game),
        "step": found.step,
        "player": found.analysis.player,
        "evaluator": found.settings.evaluator,
        **analysis_document(found.analysis, top),
    }
    if found.truth is not None:
        document["truth"] = found.truth
    return document


def _line(line: Line) -> dict[str, Any]:
    return {
        "position": line.position,
        "possible": line.possible,
        "share": line.share,
        "weight": line.weight,
        "value": line.value,
        "nodes": line.nodes,
        "line": [asdict(move) for move in line.moves],
        "end_value": line.end_value,
    }


def _marginals(marginals: NDArray[np.float64]) -> dict[str, dict[str, float]]:
    """Square → piece → probability; empty squares are left out."""
    out = {}
    for square, row in zip(SQUARES, marginals, strict=True):
        pieces = {
            letter: float(share)
            for letter, share in zip(SQUARE_KINDS, row, strict=True)
            if letter and share >= _SMALLEST
        }
        if pieces:
            out[square] = pieces
    return out
