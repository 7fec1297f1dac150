"""A board of hexagons: a rhombus whose coloured edges are the sides that each player connects."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable

from fogtree.text import svg
from pictures import GREY

RADIUS = 26.0
WIDTH, STEP = math.sqrt(3) * RADIUS, 1.5 * RADIUS
MARGIN = 6.0
FILL, FOG, LINE = "#fbfaf4", "#d5dbe1", "#9aa4af"
Point = tuple[float, float]
_TOP, _UPPER_RIGHT, _LOWER_RIGHT, _BOTTOM, _LOWER_LEFT, _UPPER_LEFT = _CORNERS = [
    (RADIUS * math.sin(turn * math.pi / 3), -RADIUS * math.cos(turn * math.pi / 3))
    for turn in range(6)
]


def size(rows: int, columns: int) -> tuple[float, float]:
    """The width and the height of a board."""
    wide = WIDTH * (columns + (rows - 1) / 2) + 2 * MARGIN
    return round(wide, 1), STEP * (rows - 1) + 2 * RADIUS + 2 * MARGIN


def hexagons(
    rows: int, columns: int, owner: Callable[[str], int | None], known: Callable[[str], bool],
    colours: tuple[str, str],
) -> str:  # fmt: skip
    """A board with the stones of both players; ``owner`` says whose stone is on a square, ``known``
    whether the square is known to whoever looks."""

    def centre(row: int, column: int) -> Point:
        x = MARGIN + WIDTH * (column + 0.5 + row / 2)
        return x, MARGIN + RADIUS + STEP * (rows - 1 - row)

    def edge(cells: Iterable[Point], corners: tuple[Point, ...], colour: str) -> str:
        line = [(x + right, y + down) for x, y in cells for right, down in corners]
        return svg.element(
            "polyline", points=_points(line), fill="none", stroke=colour, stroke_width=9
        )

    first, second = colours
    top, left = rows - 1, 0
    parts = [
        edge([centre(top, c) for c in range(columns)], (_UPPER_LEFT, _TOP, _UPPER_RIGHT), first),
        edge([centre(0, c) for c in range(columns)], (_LOWER_LEFT, _BOTTOM, _LOWER_RIGHT), first),
        edge([centre(r, left) for r in range(rows)], (_LOWER_LEFT, _UPPER_LEFT), second),
        edge([centre(r, columns - 1) for r in range(rows)], (_LOWER_RIGHT, _UPPER_RIGHT), second),
    ]
    for row in range(rows):
        for column in range(columns):
            name, (x, y) = f"{'abcdefgh'[column]}{row + 1}", centre(row, column)
            shape = _points([(x + right, y + down) for right, down in _CORNERS])
            fill = FILL if known(name) else FOG
            parts.append(svg.element("polygon", points=shape, fill=fill, stroke=LINE))
            parts.append(
                svg.text(name, x, y - RADIUS / 2, text_anchor="middle", font_size=10, fill=GREY)
            )
            player = owner(name)
            if known(name) and player is not None:
                circle = {"cx": round(x, 1), "cy": round(y + 4, 1), "r": 11}
                parts.append(svg.element("circle", **circle, fill=colours[player]))
            elif not known(name):
                parts.append(svg.text("?", x, y + 9, text_anchor="middle", font_size=14, fill=GREY))
    wide, high = size(rows, columns)
    return svg.picture(*parts, width=wide, height=high)


def _points(corners: Iterable[Point]) -> str:
    """Corners as SVG writes them."""
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in corners)
