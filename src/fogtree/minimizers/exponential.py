"""e^x, by the same operations as the native kernels (core/tree/wide_vector.hpp).

Rules that depend on the sign of a regret turn the last bit of an exponential into another strategy
sooner or later; so both sides round the same way, and their results can be compared exactly.

Cody & Waite, "Software manual for the elementary functions" (1980).
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

LN2_HIGH = 6.93145751953125e-1
LN2_LOW = 1.42860682030941723212e-6
"""The logarithm of 2 as a sum: the first part has few digits, so that multiples of it are exact."""
TERMS = 13
"""The degree of the Taylor polynomial."""


def exponential(x: NDArray[np.float64]) -> NDArray[np.float64]:
    """e^x for ``x <= 80``; 0 below -708. With x = n ln 2 + r it is 2^n times the Taylor polynomial
    of e^r."""
    bounded = np.maximum(x, -708.0)
    n = np.rint(bounded * 1.44269504088896340736)
    r = (bounded - n * LN2_HIGH) - n * LN2_LOW
    tail = np.full_like(r, 1.0 / math.factorial(TERMS))
    for k in range(TERMS - 1, 1, -1):
        tail = 1.0 / math.factorial(k) + tail * r
    result = np.ldexp(1.0 + (r + r * r * tail), n.astype(np.int32))
    return np.where(x < -708.0, 0.0, result)
