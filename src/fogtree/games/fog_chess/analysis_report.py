"""The parts of a report that only chess has: boards, heat maps, marginals, standard notation."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

import numpy as np
from numpy.typing import NDArray

from fogtree._core import FogChessPosition
from fogtree.game import History
from fogtree.games.fog_chess.belief import (
    SQUARE_KINDS,
    FogBelief,
    opponent_columns,
    opponent_kinds,
)
from fogtree.games.fog_chess.board_text import COLORS, PIECE_NAMES
from fogtree.games.fog_chess.evaluator import FogEvaluator
from fogtree.games.fog_chess.game import FogChessState
from fogtree.games.fog_chess.observation import SQUARES
from fogtree.games.fog_chess.svg import Arrow, Board, position_marks
from fogtree.report.analysis import AnalysisReport, Gallery, Marginals, Picture, Pictures, Truth
from fogtree.search.analysis import Analysis, Line

_LARGE, _SMALL = 378, 220
_MOST_BOARDS = 8
_MOST_ARROWS = 3
_LEAST_ARROW = 0.005
_LEGEND = (
    "? is in the fog, # blocks one of our pawns but we cannot see what it is, . is empty. The last "
    "line is the same view as a fog FEN, which --fen reads."
)


class SanNames:
    """Moves in standard algebraic notation."""

    def __init__(self, position: FogChessPosition) -> None:
        """``position`` is any position of the belief: our own moves are written the same in all."""
        self._position = position

    def action(self, action: str) -> str:
        """One of our own moves, given in UCI."""
        return self._position.write_san(self._position.read_uci(action))

    def line(self, line: Line) -> Sequence[str]:
        """The moves of a line in standard notation, from the line's position on."""
        position, names = line.state, []
        for move in line.moves:
            number = position.read_uci(move.action)
            names.append(position.write_san(number))
            position = position.play(number)
        return names


def chess_report(
    analysis: Analysis,
    belief: FogBelief,
    evaluator: str | FogEvaluator,
    own_moves: Sequence[str],
    truth: Truth | None,
) -> AnalysisReport:
    """The report on a search of chess; ``truth`` is None unless the true position is to be
    shown."""
    evaluator_name = evaluator if isinstance(evaluator, str) else evaluator.name
    view, names = belief.view, SanNames(belief.native[0])
    side = COLORS[view.player]
    marginals = _marginals(analysis, belief)
    return AnalysisReport(
        heading=f"Fog-of-War chess, {side} to move",
        analysis=analysis,
        about={
            "as": side,
            "fog_fen": view.fog_fen,
            "evaluator": evaluator_name,
            "own_moves": list(own_moves),
            "belief_complete": belief.complete,
        },
        facts={"evaluator": evaluator_name, "own moves": " ".join(own_moves) or "none yet"},
        names=names,
        view=view.fog_fen,
        sketch=str(view),
        legend=_LEGEND,
        pictures=partial(_pictures, analysis, belief, names, marginals),
        marginals=marginals,
        truth=truth,
    )


def true_position(history: History, belief: FogBelief) -> Truth:
    """The position at the end of a history, which neither side knows."""
    end = history.end
    assert isinstance(end, FogChessState)
    possible = end.position in belief
    words = "possible for this side" if possible else "thought impossible"
    return Truth(
        text=f"{end.fen} ({words})",
        document={"fen": end.fen, "moves": list(map(str, history.steps)), "possible": possible},
        picture=Picture(
            Board(position_marks(end.position), flipped=belief.view.player == 1), "The true board."
        ),
    )


def _marginals(analysis: Analysis, belief: FogBelief) -> Marginals:
    """How likely each piece of the other side is on each square, weighted by the search and
    uniformly."""
    return Marginals(
        title="The other side's pieces: weighted by the search (all positions alike)",
        places=SQUARES,
        kinds=SQUARE_KINDS,
        listed=opponent_kinds(analysis.player),
        uniform=belief.marginals(),
        weighted=weighted_marginals(analysis.our_belief),
    )


def weighted_marginals(lines: Sequence[Line]) -> NDArray[np.float64]:
    """For every square the probability of every content, where each line's position counts by its
    share; shape (64, 13), as :meth:`FogBelief.marginals`."""
    out = np.zeros((64, len(SQUARE_KINDS)))
    kinds = {letter: number for number, letter in enumerate(SQUARE_KINDS)}
    squares = np.arange(64)
    for line in lines:
        out[squares, [kinds[line.state.letter_at(s)] for s in range(64)]] += line.share
    return out


def _pictures(
    analysis: Analysis, belief: FogBelief, names: SanNames, marginals: Marginals
) -> Pictures:
    """The pictures of the report: the own board, heat maps and the likeliest positions."""
    return Pictures(
        view=_own_board(analysis, belief, names),
        galleries=(_heat_maps(belief, marginals), _likeliest(analysis, names)),
    )


def _own_board(analysis: Analysis, belief: FogBelief, names: SanNames) -> Picture:
    """The view, with an arrow for every move that may be played."""
    arrows = [
        Arrow(c.action, c.probability, f"{names.action(c.action)} {c.probability:.2f}")
        for c in analysis.decision.candidates
        if c.probability > _LEAST_ARROW
    ]
    board = Board(belief.view.marks(), flipped=analysis.player == 1, arrows=arrows)
    return Picture(board, "What this side sees, and what it plays.")


def _heat_maps(belief: FogBelief, marginals: Marginals) -> Gallery:
    """Where the other side's pieces may be, all together and by kind."""
    player = belief.view.player
    marks, columns = belief.view.own_marks(), opponent_columns(player)

    def pictures() -> Iterator[Picture]:
        """One board for all pieces together in each weighting, then one for each kind of piece."""
        for shares, words in (
            (marginals.weighted, "as the search weighs them"),
            (marginals.uniform, "all possible positions alike"),
        ):
            yield heat(shares[:, columns].sum(axis=1), f"Any piece: {words}.", _LARGE)
        for letter, column in zip(marginals.listed, columns, strict=True):
            name = PIECE_NAMES[letter.lower()].capitalize()
            shares = marginals.weighted[:, column]
            yield heat(shares, f"{name}s, as the search weighs them.", _SMALL)

    def heat(shares: NDArray[np.float64], caption: str, size: int) -> Picture:
        """A board whose squares are shaded by these probabilities."""
        shades: list[float] = shares.tolist()
        return Picture(Board(marks, flipped=player == 1, shades=shades, size=size), caption)

    heading = f"The other side's pieces: {len(belief):,} positions, percent per square"
    return Gallery(heading, tuple(pictures()))


def _likeliest(analysis: Analysis, names: SanNames) -> Gallery:
    """The likeliest positions, with the first moves of their lines."""
    pictures = []
    for line in analysis.our_belief[:_MOST_BOARDS]:
        moves = line.moves[:_MOST_ARROWS]
        board = Board(
            position_marks(line.state),
            flipped=analysis.player == 1,
            arrows=[Arrow(move.action, 0.9 - 0.3 * n) for n, move in enumerate(moves)],
            size=_SMALL,
        )
        words = f"{100 * line.share:.1f} %, value {line.value:+z.3f}: {' '.join(names.line(line))}"
        pictures.append(Picture(board, words))
    return Gallery("The likeliest positions, with their lines", tuple(pictures), ranked=True)
