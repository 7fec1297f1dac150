"""Sizes of memory as people write them: ``4GB``, ``512M``, ``1.5GiB``, ``1000000``.

As in the GNU tools, a letter alone and ``iB`` count in powers of 1024 (``4G`` and ``4GiB`` are
4 · 2³⁰ bytes), and ``B`` after the letter means powers of 1000 (``4GB`` is 4 · 10⁹ bytes).
"""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Annotated

from msgspec import Meta

from fogtree.errors import OptionError

MAX_SIZE = 2**63 - 1
_POWERS = {"": 0, "k": 1, "m": 2, "g": 3, "t": 4}
_FORM = re.compile(r"(\d{1,30}(?:\.\d{1,30})?)\s*(?:([kmgt]?)(b?)|([kmgt])ib)", re.ASCII)


def read_size(text: str, name: str = "memory") -> int:
    """Bytes from a text such as ``4GB``; ``name`` is the option's name in an error."""
    found = _FORM.fullmatch(text.strip().lower())
    if found is not None:
        number, letter, decimal, binary = found.groups()
        base = 1000 if decimal else 1024
        size = int(Decimal(number) * base ** _POWERS[letter or binary or ""])
        if size <= MAX_SIZE:
            return size
    raise OptionError(f"{name} must be a size as in 4GB, 512M or 1000000, not '{text[:40]}'")


Size = Annotated[int, Meta(ge=0, le=MAX_SIZE, extra={"read": read_size})]
"""A field of options in bytes, which may be written as text."""
