"""Arrays on an accelerator: decoding of input vectors, and rows written in place."""

from __future__ import annotations

from functools import partial
from typing import Any

from fogtree.system.jax_device import jax, jnp


def decode(codes: Any, decoder: Any) -> Any:
    """Input vectors from codes, one row each. ``decoder`` is an array of all vectors, in which a
    code of four bytes is the number of a row, or a decoding plan: a tuple with one entry per input
    for its source byte, kind, argument and scale. The kinds are those of ``Part`` in
    ``core/deep/coded_inputs.hpp``: 0, whether the byte equals the argument; 1, the bit with this
    number; 2, the byte divided by the scale; 3, the same of two bytes, the low one first."""
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
    """The array ``rows`` with the rows at ``indices`` replaced by ``values``, in the same memory;
    indices out of range are ignored."""
    return rows.at[indices].set(values, mode="drop")
