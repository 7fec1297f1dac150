"""Separate random streams from one seed, such that none tells anything about another."""

from __future__ import annotations

import hmac


def derived_seed(seed: str, purpose: str) -> str:
    """The seed of the stream for one purpose, as in ``chance`` or ``agent 1``.

    It is a keyed hash (HMAC-SHA-256): whoever has it cannot compute the seed it was made from, nor
    that of another purpose. A seed that can be guessed, such as 0, keeps no secret from whoever
    guesses it.
    """
    key = seed.encode(errors="surrogateescape")
    return hmac.new(key, purpose.encode(), "sha256").hexdigest()
