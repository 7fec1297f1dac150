"""An analysis as plain data, for JSON."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fogtree.report.analysis import AnalysisReport, Marginals
from fogtree.search.analysis import Line

_LEAST_LISTED = 5e-4
"""Smaller probabilities of marginals are left out."""

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


def analysis_document(report: AnalysisReport, top: int = 10) -> dict[str, Any]:
    """All numbers of the decision, and the ``top`` likeliest entries of long lists."""
    analysis = report.analysis
    decision = analysis.decision
    document: dict[str, Any] = {
        **report.about,
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
                "belief": _lines(analysis.beliefs_of_opponent(one.number)[:top]),
            }
            for one in analysis.opponents[:top]
        ],
        "positions": _lines(analysis.our_belief[:top]),
        "levels": [asdict(level) for level in analysis.levels],
    }
    if report.marginals is not None:
        document["marginals"] = _shares(report.marginals, report.marginals.uniform)
        document["weighted_marginals"] = _shares(report.marginals, report.marginals.weighted)
    if report.truth is not None:
        document["truth"] = report.truth.document
    return document


def _lines(lines: Sequence[Line]) -> list[dict[str, Any]]:
    """Lines as JSON objects."""
    return [
        {
            "position": line.position,
            "possible": line.possible,
            "share": line.share,
            "weight": line.weight,
            "value": line.value,
            "nodes": line.nodes,
            "line": [asdict(move) for move in line.moves],
            "end_value": line.end_value,
        }
        for line in lines
    ]


def _shares(marginals: Marginals, shares: NDArray[np.float64]) -> dict[str, dict[str, float]]:
    """Place → kind → probability; empty places are left out."""
    document = {}
    for place, row in zip(marginals.places, shares, strict=True):
        kinds = {
            kind: float(share)
            for kind, share in zip(marginals.kinds, row, strict=True)
            if kind and share >= _LEAST_LISTED
        }
        if kinds:
            document[place] = kinds
    return document
