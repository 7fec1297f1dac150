"""NumPy's matrix products on one thread each.

By default the libraries use as many threads as there are cores, and each waits for the others by
spinning. On a machine that does something else as well, products of the size of a training step
then take ten times as long as on one thread. What is done on several threads here is whole walks,
games and parts of a batch.
"""

from __future__ import annotations

from contextlib import AbstractContextManager
from functools import cache
from typing import Any

from threadpoolctl import ThreadpoolController


@cache
def _libraries() -> Any:
    """NumPy's among them; looking for them takes a while."""
    return ThreadpoolController()


def one_thread_each() -> AbstractContextManager[object]:
    """As long as the context lasts, in the whole process."""
    limits: AbstractContextManager[object] = _libraries().limit(limits=1, user_api="blas")
    return limits
