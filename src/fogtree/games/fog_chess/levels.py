"""Ten levels of strength of Fog-of-War chess."""

from __future__ import annotations

from fogtree.agents.levels import Level


def _early(temperature: float) -> str:
    """A search that looks at few positions, one move ahead, and often plays worse moves."""
    return f"search(steps=1, sample=16, cap=256, temperature={temperature})"


LEVELS = (
    Level(name="plays almost any move", agent=_early(0.7), elo=330, margin=50, seconds=0.5),
    Level(name="makes large mistakes often", agent=_early(0.4), elo=500, margin=50, seconds=0.5),
    Level(name="makes large mistakes", agent=_early(0.18), elo=690, margin=50, seconds=0.5),
    Level(name="makes small mistakes", agent=_early(0.07), elo=880, margin=50, seconds=0.5),
    Level(
        name="looks one move ahead",
        agent="search(steps=1, sample=16, cap=256, purification=none)",
        elo=1070,
        margin=50,
        seconds=0.5,
    ),
    Level(
        name="thinks ahead very little",
        agent="search(steps=6, sample=32, cap=512, purification=none)",
        elo=1260,
        margin=50,
        seconds=0.5,
    ),
    Level(
        name="thinks ahead a little",
        agent="search(steps=25, sample=128, cap=2000, purification=none)",
        elo=1400,
        margin=50,
        seconds=0.5,
    ),
    Level(
        name="thinks ahead",
        agent="search(steps=100, sample=256, cap=4000)",
        elo=1600,
        margin=50,
        seconds=1.0,
    ),
    Level(
        name="thinks ahead further",
        agent="search(steps=400, cap=20000)",
        elo=1800,
        margin=50,
        seconds=2.0,
    ),
    Level(
        name="full strength, uses its time",
        agent="search",
        elo=2000,
        margin=50,
        seconds=5.0,
        uses_time=True,
    ),
)
"""The levels, the weakest first."""
