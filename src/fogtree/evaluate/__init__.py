"""How good a strategy is: exact best responses and exploitability."""

from fogtree.evaluate.best_response import (
    BestResponse,
    Exploitability,
    best_response,
    exploitability,
)
from fogtree.evaluate.inspect import InfosetReport, Inspection, inspect

__all__ = [
    "BestResponse",
    "Exploitability",
    "InfosetReport",
    "Inspection",
    "best_response",
    "exploitability",
    "inspect",
]
