"""Numbers, and amounts of memory and time, as people read them."""

from __future__ import annotations


def amount(bytes_: int) -> str:
    """Bytes for people: ``512 kB``, ``24.3 MB``."""
    size = float(bytes_)
    for unit in ("B", "kB", "MB", "GB"):
        if size < 1000:
            return f"{size:.0f} {unit}" if unit == "B" or size >= 100 else f"{size:.1f} {unit}"
        size /= 1000
    return f"{size:.1f} TB"


def duration(seconds: float) -> str:
    """Seconds for people: ``12 µs``, ``3.4 ms``, ``8.1 s``, ``2 min 5 s``, ``3 h 20 min``."""
    if seconds >= 3600:
        return f"{int(seconds // 3600)} h {int(seconds % 3600 // 60)} min"
    if seconds >= 60:
        return f"{int(seconds // 60)} min {int(seconds % 60)} s"
    for size, unit in ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs")):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds * 1e6:.2g} µs"


def short_number(value: float) -> str:
    """A number in few digits: ``0.0458``, ``3.2e-05``, ``-0.0556``."""
    return f"{value:.3g}" if value == 0 or abs(value) >= 1e-3 else f"{value:.1e}"


def rounded(number: float) -> str:
    """A large number to two digits: ``1,400,000``, ``3.1e+14``."""
    return f"{float(f'{number:.2g}'):,.0f}" if number < 1e9 else f"{number:.1e}"
