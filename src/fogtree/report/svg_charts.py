"""Small charts as SVG, for pages that must stand alone; they need no library."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from fogtree.text import svg

Curve = TypeVar("Curve")

COLORS = ("#1f6feb", "#d1242f", "#1a7f37", "#9a6700", "#8250df", "#bf3989", "#57606a", "#0a7ea4")

# Sizes and coordinates in pixels, from the upper left corner.
_WIDTH, _HEIGHT = 560, 260
_LEFT, _RIGHT, _TOP, _BOTTOM = 62, 14, 12, 44
_FLOOR = _HEIGHT - _BOTTOM
_TICKS = 5  # about as many numbers along an axis
_NAME = 124  # the room of a series' name
_SUPERSCRIPT = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


@dataclass(frozen=True, slots=True)
class Axis:
    """A scale for numbers, linear or logarithmic."""

    low: float
    high: float
    logarithmic: bool = False

    @classmethod
    def of(cls, values: Sequence[float], *, logarithmic: bool = False) -> Axis:
        """An axis that holds all values: from the least to the largest, or between powers of ten on
        a logarithmic axis, which leaves out values that are not positive."""
        if logarithmic:
            above = [v for v in values if v > 0] or [1.0]
            low = 10 ** math.floor(math.log10(min(above)))
            return cls(low, max(10 ** math.ceil(math.log10(max(above))), 10 * low), True)
        low, high = min(values, default=0.0), max(values, default=1.0)
        if high - low < 1e-12:
            return cls(low - 0.5, high + 0.5)
        return cls(low, high)

    def at(self, value: float) -> float:
        """The position of a value along the axis: 0 at its beginning, 1 at its end."""
        if self.logarithmic:
            value = math.log(max(value, self.low) / self.low)
            return value / math.log(self.high / self.low)
        return (value - self.low) / (self.high - self.low)

    def ticks(self) -> list[float]:
        """The numbers to write along the axis."""
        if self.logarithmic:
            first, last = round(math.log10(self.low)), round(math.log10(self.high))
            step = max(1, math.ceil((last - first) / _TICKS))
            return [10.0**power for power in range(first, last + 1, step)]
        step = 10 ** math.floor(math.log10((self.high - self.low) / _TICKS))
        step *= next(f for f in (1, 2, 5, 10) if f * step * _TICKS >= self.high - self.low)
        first = math.ceil(self.low / step - 1e-9)
        return [n * step for n in range(first, math.floor(self.high / step + 1e-9) + 1)]


@dataclass(frozen=True, slots=True)
class LineChart:
    """Curves by name over the same values ``x``."""

    x: Sequence[float]
    series: Mapping[str, Sequence[float]]
    x_label: str
    y_label: str
    y_axis: Axis | None = None
    logarithmic: bool = False

    def _repr_svg_(self) -> str:
        """The chart as an SVG picture."""
        values = [v for ys in self.series.values() for v in ys]
        across = Axis.of(self.x)
        up = self.y_axis or Axis.of(values, logarithmic=self.logarithmic)
        parts = [*_frame(up, self.x_label, self.y_label)]
        parts += [_label(_number(tick), _x(across, tick), _FLOOR + 16) for tick in across.ticks()]
        for (name, ys), color in _colored(self.series):
            points = " ".join(
                f"{_x(across, a):.1f},{_y(up, b):.1f}" for a, b in zip(self.x, ys, strict=True)
            )
            parts.append(
                svg.element(
                    "polyline",
                    svg.title(name),
                    points=points,
                    fill="none",
                    stroke=color,
                    stroke_width=2,
                )
            )
        return _with_names(parts, self.series)


@dataclass(frozen=True, slots=True)
class BarChart:
    """For every label, bars side by side with the values of all series there, on a logarithmic
    scale."""

    labels: Sequence[str]
    series: Mapping[str, Sequence[float]]
    x_label: str
    y_label: str

    def _repr_svg_(self) -> str:
        """The chart as an SVG picture."""
        up = Axis.of([1.0, *(v for ys in self.series.values() for v in ys)], logarithmic=True)
        parts = [*_frame(up, self.x_label, self.y_label)]
        room = (_WIDTH - _LEFT - _RIGHT) / max(len(self.labels), 1)
        width = 0.8 * room / max(len(self.series), 1)
        for place, label in enumerate(self.labels):
            left = _LEFT + place * room
            parts.append(_label(label, left + room / 2, _FLOOR + 16))
            for number, ((name, ys), color) in enumerate(_colored(self.series)):
                top = _y(up, ys[place])
                if ys[place] > 0:
                    parts.append(
                        svg.element(
                            "rect",
                            svg.title(f"{name} {ys[place]:,.0f}"),
                            x=left + 0.1 * room + number * width,
                            y=top,
                            width=width,
                            height=max(_FLOOR - top, 1),
                            fill=color,
                        )
                    )
        return _with_names(parts, self.series)


@dataclass(frozen=True, slots=True)
class LogChart:
    """Curves by name, each with points of its own, on two logarithmic axes."""

    curves: Mapping[str, Sequence[tuple[float, float]]]
    x_label: str
    y_label: str
    width: float = _WIDTH

    def _repr_svg_(self) -> str:
        """The chart as an SVG picture; points that are not positive are left out."""
        drawn = {name: [p for p in points if min(p) > 0] for name, points in self.curves.items()}
        points = [point for curve in drawn.values() for point in curve]
        across = Axis.of([x for x, _ in points], logarithmic=True)
        up = Axis.of([y for _, y in points], logarithmic=True)
        parts = [*_frame(up, self.x_label, self.y_label, self.width)]
        parts += [
            _label(_number(tick), _x(across, tick, self.width), _FLOOR + 16)
            for tick in across.ticks()
        ]
        for (name, curve), color in _colored(drawn):
            at = [(_x(across, x, self.width), _y(up, y)) for x, y in curve]
            line = " ".join(f"{x:.1f},{y:.1f}" for x, y in at)
            parts.append(
                svg.element(
                    "polyline",
                    svg.title(name),
                    points=line,
                    fill="none",
                    stroke=color,
                    stroke_width=2,
                )
            )
            parts += [svg.element("circle", cx=x, cy=y, r=2, fill=color) for x, y in at[:1]]
        return _with_names(parts, drawn, self.width)


def _colored(series: Mapping[str, Curve]) -> Iterator[tuple[tuple[str, Curve], str]]:
    """Pairs of a series, as (name, values), and its colour."""
    for number, item in enumerate(series.items()):
        yield item, COLORS[number % len(COLORS)]


def _x(axis: Axis, value: float, width: float = _WIDTH) -> float:
    """The horizontal coordinate of a value in the drawing."""
    return _LEFT + axis.at(value) * (width - _LEFT - _RIGHT)


def _y(axis: Axis, value: float) -> float:
    """The vertical coordinate of a value in the drawing."""
    return _FLOOR - axis.at(value) * (_FLOOR - _TOP)


def _number(tick: float) -> str:
    """A number along an axis, short enough for the margin: 0.001, 1000, 10⁴, 2·10⁴."""
    digits, _, exponent = f"{tick:.4g}".partition("e")
    if not exponent:
        return digits
    power = f"10{str(int(exponent)).translate(_SUPERSCRIPT)}"
    return power if digits == "1" else f"{digits}·{power}"


def _label(words: str, x: float, y: float, anchor: str = "middle") -> str:
    """A small grey text at a point; ``anchor`` says which part of it is there: start, middle or
    end."""
    return svg.text(words, x, y, text_anchor=anchor, font_size=11, fill="#57606a")


def _frame(up: Axis, x_label: str, y_label: str, width: float = _WIDTH) -> Iterator[str]:
    """The horizontal lines of a chart with their numbers on the vertical axis ``up``, and the names
    of both axes."""
    right = width - _RIGHT
    for tick in up.ticks():
        y = _y(up, tick)
        yield svg.element("line", x1=_LEFT, y1=y, x2=right, y2=y, stroke="#d0d7de")
        yield _label(_number(tick), _LEFT - 6, y + 4, "end")
    middle = (_TOP + _FLOOR) / 2
    yield _label(x_label, (_LEFT + right) / 2, _FLOOR + 34)
    yield svg.element("g", _label(y_label, 14, middle + 4), transform=f"rotate(-90 14 {middle})")


def _with_names(parts: list[str], series: Mapping[str, object], width: float = _WIDTH) -> str:
    """The whole picture of a chart's parts, with the legend (names and colours of the series)
    below."""
    in_row = int((width - _LEFT) // _NAME)
    for number, ((name, _), color) in enumerate(_colored(series)):
        x = _LEFT + _NAME * (number % in_row)
        y = _HEIGHT + 14 + 18 * (number // in_row)
        parts.append(svg.element("rect", x=x, y=y - 9, width=10, height=10, fill=color))
        parts.append(_label(name, x + 15, y, "start"))
    height = _HEIGHT + 18 * math.ceil(len(series) / in_row) + 6
    return svg.picture(*parts, width=width, height=height)
