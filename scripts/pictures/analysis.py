"""What a search of Fog-of-War chess sees, believes and plans: the picture of the README."""

from __future__ import annotations

import fogtree
from fogtree.games.fog_chess.game import FogChess
from fogtree.games.fog_chess.svg import Arrow, Board
from pictures import row, save

MOVES = ["e2e4", "c7c5", "g1f3", "d7d6", "d2d4", "c5d4", "f3d4", "g8f6"]


def draw() -> None:
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
    boards = {
        "What White sees, and the move it plays": Board(view.marks(), arrows=arrows),
        "Where White expects black pieces (%)": Board(view.own_marks(), shades=shades),
    }
    drawn = {name: board._repr_svg_() for name, board in boards.items()}
    save("fog_chess_analysis.svg", row(drawn, width=378, height=378))
