"""NumPy's matrix products, limited to one thread each.

By default BLAS libraries use a thread per core, which wait for each other by spinning. On a busy
machine the small products of a training step then take ten times as long as on one thread. Training
is parallel at a higher level: walks, games and parts of a batch.
"""

from __future__ import annotations

from contextlib import AbstractContextManager
from functools import cache
from typing import Any

from threadpoolctl import ThreadpoolController


@cache
def _libraries() -> Any:
    """The BLAS libraries in the process; found once, as the search is slow."""
    return ThreadpoolController()


def one_thread_each() -> AbstractContextManager[object]:
    """A context in which the whole process computes matrix products on one thread each."""
    limits: AbstractContextManager[object] = _libraries().limit(limits=1, user_api="blas")
    return limits
