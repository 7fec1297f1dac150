"""Makes the picture of the README: what a search of Fog-of-War chess sees, believes and plans.

Usage: python scripts/make_pictures.py
"""

from __future__ import annotations

from pathlib import Path

import fogtree
from fogtree.games.fog_chess.game import FogChess
from fogtree.games.fog_chess.svg import Arrow, Board

FILE = Path(__file__).resolve().parent.parent / "docs" / "pictures" / "fog_chess_analysis.svg"
MOVES = ["e2e4", "c7c5", "g1f3", "d7d6", "d2d4", "c5d4", "f3d4", "g8f6"]
WIDTH, GAP, CAPTION = 378, 24, 34


def main() -> None:
    report = fogtree.analyse("fog_chess", moves=MOVES, steps=20_000, seed=1)
    state = FogChess().root()
    for move in MOVES:
        state = state.child(move)
    view = state.observation(0)
    mix = report.analysis.decision.mix
    arrows = [Arrow(str(move), share) for move, share in mix.items()]
    assert report.marginals is not None
    black = [n for n, kind in enumerate(report.marginals.kinds) if kind.islower() and kind]
    shades = report.marginals.weighted[:, black].sum(axis=1).tolist()
    seen = Board(view.marks(), arrows=arrows)._repr_svg_()
    believed = Board(view.own_marks(), shades=shades)._repr_svg_()
    FILE.parent.mkdir(parents=True, exist_ok=True)
    FILE.write_text(_side_by_side(seen, believed), encoding="utf-8")


def _side_by_side(left: str, right: str) -> str:
    captions = ("What White sees, and the move it plays", "Where White expects black pieces (%)")
    parts = []
    for number, (board, caption) in enumerate(zip((left, right), captions, strict=True)):
        x = number * (WIDTH + GAP)
        parts.append(board.replace("<svg ", f'<svg x="{x}" y="{CAPTION}" ', 1))
        parts.append(
            f'<text x="{x + WIDTH / 2}" y="20" text-anchor="middle" font-family="sans-serif" '
            f'font-size="15" fill="#7a828c">{caption}</text>'
        )
    width, height = 2 * WIDTH + GAP, WIDTH + CAPTION
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}">{"".join(parts)}</svg>\n'
    )


if __name__ == "__main__":
    main()
