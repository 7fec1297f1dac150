"""A look into the fog for the browser: where the other side's pieces may be, and likely boards."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from fogtree.games.fog_chess.analysis_report import weighted_marginals
from fogtree.games.fog_chess.belief import FogBelief, opponent_columns, opponent_kinds
from fogtree.games.fog_chess.svg import position_marks
from fogtree.search.analysis import Line

_BOARDS = 12


def look_document(belief: FogBelief, lines: Sequence[Line], seat: int) -> dict[str, Any]:
    """Marginals and possible boards of one side's belief; ``lines`` are the positions of the search
    tree, the likeliest first, or nothing before a search."""
    shares = weighted_marginals(lines) if lines else belief.marginals()
    letters = opponent_kinds(seat)
    return {
        "positions": len(belief),
        "complete": belief.complete,
        "marginals": {
            letter: [round(float(share), 4) for share in shares[:, column]]
            for letter, column in zip(letters, opponent_columns(seat), strict=True)
        },
        "boards": [
            {
                "marks": "".join(position_marks(line.state)),
                "share": round(line.share, 4),
                "value": round(line.value, 4),
                "moves": [move.action for move in line.moves[:3]],
            }
            for line in lines[:_BOARDS]
        ]
        or [
            {"marks": "".join(position_marks(position)), "share": round(1 / len(belief), 4)}
            for position in belief.sample(_BOARDS)
        ],
    }
