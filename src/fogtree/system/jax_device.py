"""JAX as an optional dependency: its import and its devices."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from importlib import import_module
from typing import Any

from fogtree.errors import MissingExtraError, OptionError

try:
    jax: Any = import_module("jax")
    jnp: Any = import_module("jax.numpy")
except ImportError as error:
    raise MissingExtraError("jax", "deep") from error


def find_device(*, accelerator: bool) -> Any:
    """JAX's first GPU if ``accelerator``, else its first processor; an error if there is none."""
    with _log_kept() as reasons:
        try:
            return jax.devices("gpu" if accelerator else "cpu")[0]
        except RuntimeError as error:
            why = f" ({reasons[0]})" if reasons else ""
            raise OptionError(f"JAX finds no accelerator here{why}; use --device cpu") from error


def double_precision() -> AbstractContextManager[Any]:
    """Let JAX compute in double precision, which it does not by default."""
    if hasattr(jax, "enable_x64"):
        return jax.enable_x64(True)  # type: ignore[no-any-return]
    return import_module("jax.experimental").enable_x64()  # type: ignore[no-any-return]


@contextmanager
def _log_kept() -> Iterator[list[str]]:
    """Keep what JAX logs while it looks for devices, tracebacks among it, off the terminal; the
    errors that it logs are added to the list."""
    logger, reasons = logging.getLogger("jax._src.xla_bridge"), []

    def keep(record: logging.LogRecord) -> bool:
        error = record.exc_info[1] if record.exc_info else None
        if error is not None:
            reasons.append(str(error).rpartition(": operation ")[2])
        return False

    logger.addFilter(keep)
    try:
        yield reasons
    finally:
        logger.removeFilter(keep)
