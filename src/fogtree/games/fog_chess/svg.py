"""A board as SVG, with the squares that are not seen in the dark, shades and arrows."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

_SIZE = 45
_MARGIN = 18
_LIGHT, _DARK = "#e8e0cf", "#b39b7d"
_FOG_LIGHT, _FOG_DARK = "#5c6370", "#4e5561"
_GLYPHS = dict(zip("KQRBNPkqrbnp", "♚♛♜♝♞♟♚♛♜♝♞♟", strict=True))


_HEAT = "#d1242f"
_ARROW = "#1f6feb"


@dataclass(frozen=True, slots=True)
class Arrow:
    """A move to draw, in UCI; ``weight`` from 0 to 1 is its width and strength."""

    move: str
    weight: float
    title: str = ""


def draw_board(
    marks: Sequence[str],
    *,
    flipped: bool = False,
    shades: Sequence[float] | None = None,
    arrows: Sequence[Arrow] = (),
    size: int | None = None,
) -> str:
    """Draw 64 marks from a1 to h8: a piece's letter, ``.`` empty, ``?`` unseen, ``#`` taken.

    ``shades`` from 0 to 1 colour the squares; ``size`` is the picture's, in pixels.
    """
    parts = [_square(index, mark, flipped) for index, mark in enumerate(marks)]
    if shades is not None:
        parts += [_shade(index, share, flipped) for index, share in enumerate(shades)]
    parts += [_label(number, flipped) for number in range(8)]
    parts += [_arrow(arrow, flipped) for arrow in sorted(arrows, key=lambda a: a.weight)]
    side = 8 * _SIZE + _MARGIN
    shown = size or side
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {side} {side}" '
        f'width="{shown}" height="{shown}" font-family="sans-serif">{"".join(parts)}</svg>'
    )


def _shade(index: int, share: float, flipped: bool) -> str:
    if share <= 0.005:
        return ""
    x, y = _place(index % 8, index // 8, flipped)
    ink = "#ffffff" if share > 0.5 else "#6e0b14"
    number = (
        f'<text x="{x + _SIZE - 3}" y="{y + 12}" text-anchor="end" font-size="11" '
        f'fill="{ink}">{100 * share:.0f}</text>'
    )
    return (
        f'<rect x="{x}" y="{y}" width="{_SIZE}" height="{_SIZE}" fill="{_HEAT}" '
        f'fill-opacity="{min(0.12 + 0.78 * share, 0.9):.3f}"/>{number}'
    )


def _arrow(arrow: Arrow, flipped: bool) -> str:
    ends = []
    for square in (arrow.move[:2], arrow.move[2:4]):
        left, top = _place("abcdefgh".index(square[0]), int(square[1]) - 1, flipped)
        ends.append((left + _SIZE / 2, top + _SIZE / 2))
    (x, y), (to_x, to_y) = ends
    length = math.hypot(to_x - x, to_y - y)
    width = 3 + 8 * arrow.weight
    along = ((to_x - x) / length, (to_y - y) / length)
    head = 1.6 * width + 4
    neck = (to_x - along[0] * head, to_y - along[1] * head)
    side = (-along[1] * head * 0.6, along[0] * head * 0.6)
    points = " ".join(
        f"{a:.1f},{b:.1f}"
        for a, b in (
            (to_x, to_y),
            (neck[0] + side[0], neck[1] + side[1]),
            (neck[0] - side[0], neck[1] - side[1]),
        )
    )
    title = f"<title>{arrow.title}</title>" if arrow.title else ""
    return (
        f'<g fill="{_ARROW}" stroke="{_ARROW}" opacity="{0.35 + 0.55 * arrow.weight:.2f}">{title}'
        f'<line x1="{x}" y1="{y}" x2="{neck[0]:.1f}" y2="{neck[1]:.1f}" '
        f'stroke-width="{width:.1f}"/>'
        f'<polygon points="{points}" stroke="none"/></g>'
    )


def _place(file: int, row: int, flipped: bool) -> tuple[int, int]:
    column, line = (7 - file, row) if flipped else (file, 7 - row)
    return _MARGIN + column * _SIZE, line * _SIZE


def _square(index: int, mark: str, flipped: bool) -> str:
    file, row = index % 8, index // 8
    x, y = _place(file, row, flipped)
    fog = mark in "?#"
    light = (file + row) % 2 == 1
    colors = (_FOG_LIGHT, _FOG_DARK) if fog else (_LIGHT, _DARK)
    fill = colors[0] if light else colors[1]
    square = f'<rect x="{x}" y="{y}" width="{_SIZE}" height="{_SIZE}" fill="{fill}"/>'
    middle = f'x="{x + _SIZE / 2}" y="{y + _SIZE * 0.76}" text-anchor="middle"'
    if mark == "#":
        return square + f'<text {middle} font-size="{_SIZE * 0.7}" fill="#c9ced6">×</text>'
    if mark not in _GLYPHS:
        return square
    ink, edge = ("#ffffff", "#222222") if mark.isupper() else ("#222222", "#dddddd")
    style = f'font-size="{_SIZE * 0.8}" fill="{ink}" stroke="{edge}" stroke-width="0.8"'
    return square + f"<text {middle} {style}>{_GLYPHS[mark]}</text>"


def _label(number: int, flipped: bool) -> str:
    x, y = _place(number, number, flipped)
    style = f'font-size="{_MARGIN * 0.7}" fill="#777777" text-anchor="middle"'
    file = f'<text x="{x + _SIZE / 2}" y="{8 * _SIZE + _MARGIN * 0.75}" {style}>'
    row = f'<text x="{_MARGIN / 2}" y="{y + _SIZE * 0.6}" {style}>'
    return f"{file}{'abcdefgh'[number]}</text>{row}{number + 1}</text>"
