"""JAX as an optional dependency: its import, the device, and decoding on the device."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
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


def decode(codes: Any, decoder: Any) -> Any:
    """Input vectors from codes: by an array of all vectors, or by a decoding plan (a tuple)."""
    if not isinstance(decoder, tuple):
        wide = codes.astype(jnp.int32)
        number = wide[:, 0] | wide[:, 1] << 8 | wide[:, 2] << 16 | wide[:, 3] << 24
        return decoder[number]
    source, kind, argument, scale = decoder
    wide = codes.astype(jnp.int32)
    byte = wide[:, source]
    high = wide[:, jnp.minimum(source + 1, codes.shape[1] - 1)]
    number = jnp.where(kind == 3, byte + 256 * high, byte)
    return jnp.where(
        kind == 0,
        (byte == argument).astype(jnp.float32),
        jnp.where(
            kind == 1,
            (byte >> argument & 1).astype(jnp.float32),
            number.astype(jnp.float32) / scale,
        ),
    )


@partial(jax.jit, donate_argnums=0)
def overwrite(rows: Any, indices: Any, values: Any) -> Any:
    """Rows with some of them replaced, in the same memory; indices out of range are ignored."""
    return rows.at[indices].set(values, mode="drop")
