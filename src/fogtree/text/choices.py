"""Settings with a fixed list of values, which solvers and command lines share."""

from __future__ import annotations

from typing import Literal

Averaging = Literal["uniform", "linear", "quadratic", "quartic", "quintic", "last"]
"""How iterates are weighted in the average strategy; ``last`` is the last one alone."""

Device = Literal["cpu", "gpu"]
"""Where a solver runs or networks are fitted: on the processor or on a GPU."""

Precision = Literal["float64", "float32"]
"""The floating-point type of a solver."""
