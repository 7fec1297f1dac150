"""A board as SVG, with the squares that are not seen in the dark."""

from __future__ import annotations

from collections.abc import Sequence

_SIZE = 45
_MARGIN = 18
_LIGHT, _DARK = "#e8e0cf", "#b39b7d"
_FOG_LIGHT, _FOG_DARK = "#5c6370", "#4e5561"
_GLYPHS = dict(zip("KQRBNPkqrbnp", "♚♛♜♝♞♟♚♛♜♝♞♟", strict=True))


def draw_board(marks: Sequence[str], *, flipped: bool = False) -> str:
    """Draw 64 marks from a1 to h8: a piece's letter, ``.`` empty, ``?`` unseen, ``#`` taken."""
    parts = [_square(index, mark, flipped) for index, mark in enumerate(marks)]
    parts += [_label(number, flipped) for number in range(8)]
    side = 8 * _SIZE + _MARGIN
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {side} {side}" '
        f'width="{side}" height="{side}" font-family="sans-serif">{"".join(parts)}</svg>'
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
