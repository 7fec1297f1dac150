"""Mixes as stacked bars in SVG, one below another; they need no library."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from fogtree.plot.figure import COLOURS
from fogtree.text import svg

# Sizes in pixels.
_ROW, _GAP = 18, 4
_NAME, _BAR, _NOTE = 190, 300, 90
_LEGEND = 110
_MAX_LETTERS = 28
_MAX_LEGEND = 12
_FADED = 0.28
_LEAST_WRITTEN = 0.12
"""Smaller parts have no room for their number."""


@dataclass(frozen=True, slots=True)
class Bar:
    """One bar: shares that sum to 1, in the order in which they are drawn."""

    name: str
    shares: Mapping[str, float]
    note: str = ""
    """Written at the right."""
    faded: bool = False


@dataclass(frozen=True, slots=True)
class MixBars:
    """Bars below one another, with a legend of the colours."""

    bars: Sequence[Bar]
    name_width: int = _NAME
    """The room for names, at the left."""
    note_width: int = _NOTE
    """The room for notes, at the right."""

    def _repr_svg_(self) -> str:
        """The bars with their legend as an SVG picture."""
        labels = list(dict.fromkeys(label for bar in self.bars for label in bar.shares))
        color = {label: COLOURS[k % len(COLOURS)] for k, label in enumerate(labels)}
        parts = [
            part
            for number, bar in enumerate(self.bars)
            for part in _bar(bar, self.name_width, number * (_ROW + _GAP), color)
        ]
        below = len(self.bars) * (_ROW + _GAP) + _GAP
        shown = labels if len(labels) <= _MAX_LEGEND else []
        width = self.name_width + _BAR + self.note_width
        columns = width // _LEGEND
        for k, label in enumerate(shown):
            parts += _key(label, color[label], k % columns * _LEGEND, below + k // columns * 18)
        height = below + -(-len(shown) // columns) * 18 + _GAP
        return svg.picture(*parts, width=width, height=height)


def _bar(bar: Bar, start: int, top: float, color: Mapping[str, str]) -> Iterator[str]:
    """The SVG elements of one row, whose upper edge is at ``top``: the name, which ends at
    ``start``, and right of it the bar, whose parts are as wide as the probabilities."""
    middle = top + _ROW * 0.72
    yield svg.element(
        "g", svg.title(bar.name), _words(_shortened(bar.name), start - 8, middle, "end")
    )
    left = float(start)
    for label, share in bar.shares.items():
        if share <= 0:
            continue
        yield svg.element(
            "rect",
            svg.title(f"{bar.name}: {label} {share:.4f}"),
            x=left,
            y=top,
            width=share * _BAR,
            height=_ROW,
            fill=color[label],
            fill_opacity=_FADED if bar.faded else 0.9,
        )
        if share >= _LEAST_WRITTEN:
            center = left + share * _BAR / 2
            yield _words(
                f"{share:.2f}", center, middle, "middle", "#222222" if bar.faded else "#ffffff"
            )
        left += share * _BAR
    if bar.note:
        yield _words(bar.note, start + _BAR + 8, middle, "start", "#777777")


def _key(label: str, color: str, x: float, y: float) -> Iterator[str]:
    """One entry of the legend: a coloured square and its label."""
    yield svg.element("rect", svg.title(label), x=x, y=y, width=10, height=10, fill=color)
    yield _words(_shortened(label, 14), x + 15, y + 9, "start")


def _words(text: str, x: float, y: float, anchor: str, fill: str = "#222222") -> str:
    """A text at a point; ``anchor`` says which part of it is there: start, middle or end."""
    return svg.text(text, x, y, text_anchor=anchor, font_size=11, fill=fill)


def _shortened(text: str, letters: int = _MAX_LETTERS) -> str:
    return text if len(text) <= letters else text[: letters - 1] + "…"
