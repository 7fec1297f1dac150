"""Errors of an accelerator, reported in one line."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from fogtree.errors import MemoryLimitError, OptionError

_NO_MEMORY = ("RESOURCE_EXHAUSTED", "OUT_OF_MEMORY")


@contextmanager
def device_errors() -> Iterator[None]:
    """Turn the errors that JAX raises about its device into one clear line."""
    try:
        yield
    except RuntimeError as error:
        jax = sys.modules.get("jax")  # an optional dependency, imported only to be used
        if jax is None or not isinstance(error, jax.errors.JaxRuntimeError):
            raise
        text = str(error)
        if any(word in text for word in _NO_MEMORY):
            raise MemoryLimitError(
                "the accelerator has too little free memory; end other programs that use it, "
                "choose smaller batches and capacities, or use --device cpu"
            ) from error
        raise OptionError(f"the accelerator fails; use --device cpu: {text}") from error
