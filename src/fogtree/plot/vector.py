"""Small charts as SVG text, for pages that must stand alone; no library is needed for them."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape

COLORS = ("#1f6feb", "#d1242f", "#1a7f37", "#9a6700", "#8250df", "#bf3989", "#57606a", "#0a7ea4")

_WIDTH, _HEIGHT = 560, 260
_LEFT, _RIGHT, _TOP, _BOTTOM = 62, 14, 12, 44
_TICKS = 5


@dataclass(frozen=True, slots=True)
class Axis:
    """A scale for numbers, straight or logarithmic."""

    low: float
    high: float
    logarithmic: bool = False

    @classmethod
    def of(cls, values: Sequence[float], *, logarithmic: bool = False) -> Axis:
        """An axis that covers all values."""
        if logarithmic:
            above = [v for v in values if v > 0] or [1.0]
            low = 10 ** math.floor(math.log10(min(above)))
            return cls(low, max(10 ** math.ceil(math.log10(max(above))), 10 * low), True)
        low, high = min(values, default=0.0), max(values, default=1.0)
        if high - low < 1e-12:
            return cls(low - 0.5, high + 0.5)
        return cls(low, high)

    def at(self, value: float) -> float:
        """The place of a value on the axis, from 0 to 1."""
        if self.logarithmic:
            value = math.log(max(value, self.low) / self.low)
            return value / math.log(self.high / self.low)
        return (value - self.low) / (self.high - self.low)

    def ticks(self) -> list[float]:
        if self.logarithmic:
            first, last = round(math.log10(self.low)), round(math.log10(self.high))
            step = max(1, math.ceil((last - first) / _TICKS))
            return [10.0**power for power in range(first, last + 1, step)]
        step = 10 ** math.floor(math.log10((self.high - self.low) / _TICKS))
        step *= next(f for f in (1, 2, 5, 10) if f * step * _TICKS >= self.high - self.low)
        first = math.ceil(self.low / step - 1e-9)
        return [n * step for n in range(first, math.floor(self.high / step + 1e-9) + 1)]


def line_chart(
    x: Sequence[float],
    series: Mapping[str, Sequence[float]],
    *,
    x_label: str,
    y_label: str,
    y_axis: Axis | None = None,
    logarithmic: bool = False,
) -> str:
    """A chart of several curves with a legend below."""
    values = [v for ys in series.values() for v in ys]
    across = Axis.of(x)
    up = y_axis or Axis.of(values, logarithmic=logarithmic)
    parts = _frame(across, up, x_label, y_label)
    for number, (name, ys) in enumerate(series.items()):
        color = COLORS[number % len(COLORS)]
        points = " ".join(
            f"{_x(across, a):.1f},{_y(up, b):.1f}" for a, b in zip(x, ys, strict=True)
        )
        parts.append(
            f'<polyline points="{points}" fill="none" stroke="{color}" stroke-width="2">'
            f"<title>{escape(name)}</title></polyline>"
        )
    return _picture(parts, list(series))


def bar_chart(
    labels: Sequence[str], series: Mapping[str, Sequence[float]], *, x_label: str, y_label: str
) -> str:
    """A bar chart on a logarithmic scale."""
    values = [v for ys in series.values() for v in ys]
    up = Axis.of([1.0, *values], logarithmic=True)
    parts = _frame(None, up, x_label, y_label)
    room = (_WIDTH - _LEFT - _RIGHT) / max(len(labels), 1)
    width = 0.8 * room / max(len(series), 1)
    floor = _y(up, up.low)
    for place, label in enumerate(labels):
        left = _LEFT + place * room
        parts.append(_text(left + room / 2, floor + 16, label, "middle"))
        for number, (name, ys) in enumerate(series.items()):
            if ys[place] <= 0:
                continue
            top = _y(up, ys[place])
            parts.append(
                f'<rect x="{left + 0.1 * room + number * width:.1f}" y="{top:.1f}" '
                f'width="{width:.1f}" height="{max(floor - top, 1):.1f}" '
                f'fill="{COLORS[number % len(COLORS)]}"><title>{escape(name)} {ys[place]:,.0f}'
                f"</title></rect>"
            )
    return _picture(parts, list(series))


def _x(axis: Axis, value: float) -> float:
    return _LEFT + axis.at(value) * (_WIDTH - _LEFT - _RIGHT)


def _y(axis: Axis, value: float) -> float:
    return _HEIGHT - _BOTTOM - axis.at(value) * (_HEIGHT - _TOP - _BOTTOM)


def _text(x: float, y: float, text: str, anchor: str) -> str:
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-size="11" fill="#57606a">'
        f"{escape(text)}</text>"
    )


def _frame(across: Axis | None, up: Axis, x_label: str, y_label: str) -> list[str]:
    right, floor = _WIDTH - _RIGHT, _HEIGHT - _BOTTOM
    parts = []
    for tick in up.ticks():
        y = _y(up, tick)
        parts.append(
            f'<line x1="{_LEFT}" y1="{y:.1f}" x2="{right}" y2="{y:.1f}" stroke="#d0d7de"/>'
        )
        parts.append(_text(_LEFT - 6, y + 4, f"{tick:.4g}", "end"))
    for tick in [] if across is None else across.ticks():
        parts.append(_text(_x(across, tick) if across else 0, floor + 16, f"{tick:.4g}", "middle"))
    middle = (_TOP + floor) / 2
    parts.append(_text((_LEFT + right) / 2, floor + 34, x_label, "middle"))
    parts.append(
        f'<g transform="rotate(-90 14 {middle})">{_text(14, middle + 4, y_label, "middle")}</g>'
    )
    return parts


def _picture(parts: list[str], names: list[str]) -> str:
    rows = math.ceil(len(names) / 4)
    for number, name in enumerate(names):
        x, y = _LEFT + 125 * (number % 4), _HEIGHT + 14 + 18 * (number // 4)
        color = COLORS[number % len(COLORS)]
        parts.append(f'<rect x="{x}" y="{y - 9}" width="10" height="10" fill="{color}"/>')
        parts.append(_text(x + 15, y, name, "start"))
    height = _HEIGHT + 18 * rows + 6
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}" '
        f'width="{_WIDTH}" height="{height}" font-family="sans-serif">{"".join(parts)}</svg>'
    )
