"""Ten levels of strength of Fog-of-War chess.

The ratings were measured on 20 November 2026 by ``benchmarks/ladder.py``: ``greedy`` has 1000,
neighbours played 60 games, levels 9 and 10 40. Level 10 had 4,000 steps per move for that and is
stronger with more time.
"""

from __future__ import annotations

from fogtree.agents.levels import Level


def _early(temperature: float) -> str:
    """A search that looks at few positions, one move ahead, and often plays worse moves."""
    return f"search(steps=1, sample=16, cap=256, temperature={temperature})"


LEVELS = (
    Level(name="plays almost any move", agent=_early(0.7), elo=615, margin=111, seconds=0.5),
    Level(name="makes large mistakes often", agent=_early(0.4), elo=739, margin=89, seconds=0.5),
    Level(name="makes large mistakes", agent=_early(0.18), elo=971, margin=81, seconds=0.5),
    Level(name="makes small mistakes", agent=_early(0.07), elo=1129, margin=109, seconds=0.5),
    Level(
        name="looks one move ahead",
        agent="search(steps=1, sample=16, cap=256, purification=none)",
        elo=1393,
        margin=129,
        seconds=0.5,
    ),
    Level(
        name="thinks ahead very little",
        agent="search(steps=6, sample=32, cap=512, purification=none)",
        elo=1497,
        margin=137,
        seconds=0.5,
    ),
    Level(
        name="thinks ahead a little",
        agent="search(steps=25, sample=128, cap=2000, purification=none)",
        elo=1602,
        margin=144,
        seconds=0.5,
    ),
    Level(
        name="thinks ahead",
        agent="search(steps=100, sample=256, cap=4000)",
        elo=1719,
        margin=153,
        seconds=0.5,
    ),
    Level(
        name="thinks ahead further",
        agent="search(steps=400, cap=20000)",
        elo=1834,
        margin=161,
        seconds=1.0,
    ),
    Level(
        name="full strength, uses its time",
        agent="search",
        elo=2158,
        margin=204,
        seconds=5.0,
        uses_time=True,
    ),
)
"""The levels, the weakest first."""
