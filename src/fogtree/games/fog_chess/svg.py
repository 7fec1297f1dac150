"""A chess board as SVG: pieces, fog, shades and arrows."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from fogtree._core import FogChessPosition
from fogtree.text import svg

_SIZE = 45
_MARGIN = 18
_LIGHT, _DARK = "#e8e0cf", "#b39b7d"
_FOG_LIGHT, _FOG_DARK = "#5c6370", "#4e5561"
_GLYPHS = dict(zip("KQRBNPkqrbnp", "♚♛♜♝♞♟♚♛♜♝♞♟", strict=True))
_HEAT = "#d1242f"
_ARROW = "#1f6feb"
_LEAST_SHADE = 0.005


@dataclass(frozen=True, slots=True)
class Arrow:
    """A move to draw, in UCI; ``weight`` from 0 to 1 is its width and strength."""

    move: str
    weight: float
    title: str = ""


def position_marks(position: FogChessPosition) -> list[str]:
    """The squares of a position from a1 to h8: a piece's letter, or ``.`` for an empty square."""
    return [position.letter_at(square) or "." for square in range(64)]


@dataclass(frozen=True, slots=True)
class Board:
    """A board to draw. It has 64 marks from a1 to h8: a piece's letter, ``.`` empty, ``?`` unseen,
    ``#`` taken by something unknown."""

    marks: Sequence[str]
    flipped: bool = False
    """Whether Black's side is below."""
    shades: Sequence[float] = ()
    """One probability per square, drawn as colour and percent."""
    arrows: Sequence[Arrow] = ()
    size: int | None = None
    """Width of the picture in pixels."""

    def _repr_svg_(self) -> str:
        """The board as an SVG picture."""
        side = 8 * _SIZE + _MARGIN
        return svg.picture(
            *(self._square(index, mark) for index, mark in enumerate(self.marks)),
            *(self._shade(index, share) for index, share in enumerate(self.shades)),
            *(self._labels(number) for number in range(8)),
            *(self._arrow(arrow) for arrow in sorted(self.arrows, key=lambda a: a.weight)),
            width=side,
            height=side,
            shown=self.size,
        )

    def _place(self, index: int) -> tuple[int, int]:
        """The upper left corner of a square in the picture, by its index from a1."""
        file, row = index % 8, index // 8
        column, line = (7 - file, row) if self.flipped else (file, 7 - row)
        return _MARGIN + column * _SIZE, line * _SIZE

    def _square(self, index: int, mark: str) -> str:
        """One square with its piece or fog."""
        x, y = self._place(index)
        light = (index % 8 + index // 8) % 2 == 1
        colors = (_FOG_DARK, _FOG_LIGHT) if mark in "?#" else (_DARK, _LIGHT)
        square = svg.element("rect", x=x, y=y, width=_SIZE, height=_SIZE, fill=colors[light])
        middle = x + _SIZE / 2, y + _SIZE * 0.76
        if mark == "#":
            return square + svg.text(
                "×", *middle, text_anchor="middle", font_size=_SIZE * 0.7, fill="#c9ced6"
            )
        if mark not in _GLYPHS:
            return square
        ink, edge = ("#ffffff", "#222222") if mark.isupper() else ("#222222", "#dddddd")
        return square + svg.text(
            _GLYPHS[mark],
            *middle,
            text_anchor="middle",
            font_size=_SIZE * 0.8,
            fill=ink,
            stroke=edge,
            stroke_width=0.8,
        )

    def _shade(self, index: int, share: float) -> str:
        """The colour and percentage of one square's probability."""
        if share <= _LEAST_SHADE:
            return ""
        x, y = self._place(index)
        ink = "#ffffff" if share > 0.5 else "#6e0b14"
        strength = min(0.12 + 0.78 * share, 0.9)
        return svg.element(
            "rect", x=x, y=y, width=_SIZE, height=_SIZE, fill=_HEAT, fill_opacity=strength
        ) + svg.text(
            f"{100 * share:.0f}", x + _SIZE - 3, y + 12, text_anchor="end", font_size=11, fill=ink
        )

    def _labels(self, number: int) -> str:
        """The letter of a file below the board, and the number of a row beside it."""
        x, y = self._place(9 * number)  # on the diagonal, where file and row have this number
        below = x + _SIZE / 2, 8 * _SIZE + _MARGIN * 0.75
        beside = _MARGIN / 2, y + _SIZE * 0.6
        return "".join(
            svg.text(name, *at, font_size=_MARGIN * 0.7, fill="#777777", text_anchor="middle")
            for name, at in (("abcdefgh"[number], below), (str(number + 1), beside))
        )

    def _arrow(self, arrow: Arrow) -> str:
        """An arrow from the centre of one square to another."""
        ends = []
        for square in (arrow.move[:2], arrow.move[2:4]):
            left, top = self._place("abcdefgh".index(square[0]) + 8 * (int(square[1]) - 1))
            ends.append((left + _SIZE / 2, top + _SIZE / 2))
        (x, y), (to_x, to_y) = ends
        length = math.hypot(to_x - x, to_y - y)
        along_x, along_y = (to_x - x) / length, (to_y - y) / length
        width = 3 + 8 * arrow.weight
        head = 1.6 * width + 4
        neck_x, neck_y = to_x - along_x * head, to_y - along_y * head
        side_x, side_y = -along_y * head * 0.6, along_x * head * 0.6
        corners = (
            (to_x, to_y),
            (neck_x + side_x, neck_y + side_y),
            (neck_x - side_x, neck_y - side_y),
        )
        points = " ".join(f"{a:.1f},{b:.1f}" for a, b in corners)
        return svg.element(
            "g",
            svg.title(arrow.title),
            svg.element("line", x1=x, y1=y, x2=neck_x, y2=neck_y, stroke_width=width),
            svg.element("polygon", points=points, stroke="none"),
            fill=_ARROW,
            stroke=_ARROW,
            opacity=0.35 + 0.55 * arrow.weight,
        )
