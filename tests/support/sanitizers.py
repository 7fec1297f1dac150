"""Which sanitizers the native module was built with."""

from __future__ import annotations

from pathlib import Path


def address_sanitizer() -> bool:
    """Whether this process runs under AddressSanitizer, which needs a huge address space."""
    loaded = Path("/proc/self/maps")
    return loaded.exists() and "asan" in loaded.read_text()
