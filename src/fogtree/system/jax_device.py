"""JAX as an optional dependency: its import and its devices."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any

from fogtree.errors import MissingExtraError, OptionError
from fogtree.system.termination import signals_held_back

try:
    with signals_held_back():  # interrupted while it is imported, JAX aborts the process
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


@contextmanager
def _log_kept() -> Iterator[list[str]]:
    """Keep JAX's log messages off the terminal while it looks for devices; yields a list to which
    the texts of the errors among them are added."""
    logger, reasons = logging.getLogger("jax._src.xla_bridge"), []

    def keep(record: logging.LogRecord) -> bool:
        """A log filter that drops every message and adds the text of its error to ``reasons``."""
        error = record.exc_info[1] if record.exc_info else None
        if error is not None:
            reasons.append(str(error).rpartition(": operation ")[2])
        return False

    logger.addFilter(keep)
    try:
        yield reasons
    finally:
        logger.removeFilter(keep)
