"""Positions from a single view: enumerated exactly, sampled uniformly, within the material."""

from __future__ import annotations

import itertools
import random

import numpy as np
import pytest
from scipy import stats

from fogtree._core import FogChessBelief, FogChessPosition
from fogtree.errors import NotationError, OptionError
from fogtree.game import TERMINAL
from fogtree.games.fog_chess.belief import BeliefLimits, FogBelief
from fogtree.games.fog_chess.game import FogChess
from fogtree.games.fog_chess.observation import FogObservation
from fogtree.games.fog_chess.rules import PRESETS, preset, read_fen

START = {"p": 8, "n": 2, "r": 2, "q": 1}


def promotions_needed(board: list[str]) -> int:
    """How many of Black's pieces must have been pawns."""
    extra = sum(max(0, board.count(letter) - START[letter]) for letter in "nrq")
    for color in (0, 1):
        bishops = sum(
            board[square] == "b" and (square % 8 + square // 8) % 2 == color for square in range(64)
        )
        extra += max(0, bishops - 1)
    return extra


def brute_force(view: FogObservation, rules: str, promotions: int) -> set[FogChessPosition]:
    """Every filling of White's unseen squares with black pieces that gives White this view."""
    unseen = [square for square in range(64) if not view.native.seen >> square & 1]
    board = [view.native.letter_at(square) for square in range(64)]
    found = set()
    for filling in itertools.product(["", *"pnbrqk"], repeat=len(unseen)):
        for square, letter in zip(unseen, filling, strict=True):
            board[square] = letter
        if board.count("k") != 1 or board.count("p") > 8:
            continue
        if promotions_needed(board) > min(promotions, 8 - board.count("p")):
            continue
        found |= variants(board, view, rules)
    return found


def variants(board: list[str], view: FogObservation, rules: str) -> set[FogChessPosition]:
    rows = ["".join(letter or "1" for letter in board[8 * r : 8 * r + 8]) for r in range(7, -1, -1)]
    _, side, castling, own_en_passant, _ = view.fog_fen.split()
    own = castling.strip("-")
    passed = [own_en_passant]
    if side == "b":
        passed += [f"{file}3" for file in "abcdefgh"]
    found = set()
    for rights, square in itertools.product(["", "k", "q", "kq"], passed):
        fen = f"{'/'.join(rows)} {side} {own + rights or '-'} {square} 0 1"
        try:
            position = read_fen(fen)
        except NotationError:
            continue
        if FogObservation.of(position, 0, preset(rules)) == view:
            found.add(position)
    return found


NEARLY_ALL_SEEN = [
    # A queen and rooks that see nearly everything.
    "k7/8/1Q6/8/3Q4/5Q2/6R1/K6R w - - 0 1",
    "4k2r/8/2Q5/8/3Q2Q1/1Q6/6R1/K6R w - - 0 1",
    "4k3/3p4/1Q6/6Q1/1PP5/3Q1Q2/Q6R/K6R b - - 0 1",
    "4k3/1QpP4/8/Q7/2P3Q1/3Q1Q2/Q6R/K6R b - - 0 1",
]


@pytest.mark.parametrize("promotions", [0, 1, 8])
@pytest.mark.parametrize("fen", NEARLY_ALL_SEEN)
def test_enumeration_equals_brute_force(fen: str, promotions: int) -> None:
    position = FogChessPosition(fen)
    view = FogObservation.of(position, 0, PRESETS["chesscom"])
    unseen = 64 - view.native.seen.bit_count()
    while unseen > 5:  # more of White's knights until brute force can keep up
        square = next(
            s for s in range(8, 64) if not view.native.seen >> s & 1 and not position.letter_at(s)
        )
        position = with_knight(position, square)
        view = FogObservation.of(position, 0, PRESETS["chesscom"])
        unseen = 64 - view.native.seen.bit_count()
    belief = FogBelief.from_view(view, promotions=promotions)
    assert belief.complete
    assert set(belief) == brute_force(view, "chesscom", promotions)
    assert position in belief


def with_knight(position: FogChessPosition, square: int) -> FogChessPosition:
    letters = [position.letter_at(s) or "1" for s in range(64)]
    letters[square] = "N"
    rows = ["".join(letters[8 * r : 8 * r + 8]) for r in range(7, -1, -1)]
    fields = position.fen.split()
    return FogChessPosition(" ".join(["/".join(rows), fields[1], "-", "-", "0", "1"]))


@pytest.mark.parametrize("rules", list(PRESETS))
def test_samples_of_games_fit_the_view(rules: str) -> None:
    generator = random.Random(4)
    for _ in range(12):
        state = FogChess(rules=rules).root()
        for _ in range(generator.randrange(5, 60)):
            if state.player == TERMINAL:
                break
            before, state = state, state.child(generator.choice(state.actions()))
        state = before if state.player == TERMINAL else state
        for player in (0, 1):
            view = state.observation(player)
            limits = BeliefLimits(cap=300)
            belief = FogBelief.from_view(view, samples=200, rules=rules, limits=limits)
            assert belief.complete or len(belief) <= 200
            assert belief.view == view
            for position in belief:
                assert FogObservation.of(position, player, preset(rules)) == view
                assert position.has_king(1 - player)
                assert read_fen(position.fen) == position


def test_samples_are_uniform() -> None:
    """Draw often from a view with few positions and compare with equal shares."""
    fen = "4k2r/8/2Q5/8/3Q2Q1/1Q6/6R1/K6R w - - 0 1"
    view = FogObservation.of(FogChessPosition(fen), 0, PRESETS["chesscom"])
    everything = list(FogBelief.from_view(view, promotions=0))
    counts = dict.fromkeys(everything, 0)
    assert len(everything) > 50
    for seed in range(40 * len(everything)):
        limits = BeliefLimits(cap=len(everything) - 1, seed=seed)
        (drawn,) = FogBelief.from_view(view, promotions=0, samples=1, limits=limits)
        counts[drawn] += 1
    observed = np.array(list(counts.values()))
    assert len(counts) == len(everything)
    assert stats.chisquare(observed).pvalue > 1e-4


def test_promotion_limits() -> None:
    seen = "k1q1q3/8/8/8/8/8/8/K1R1R3 w - - 0 1"  # two queens are seen: one was a pawn
    view = FogObservation.of(FogChessPosition(seen), 0, PRESETS["chesscom"])
    with pytest.raises(NotationError, match="promotions"):
        FogBelief.from_view(view, promotions=0)
    belief = FogBelief.from_view(view, samples=500)
    boards = [position.fen.split()[0] for position in belief]
    assert all(board.count("q") == 2 for board in boards)
    assert max(board.count("p") for board in boards) <= 7
    more = FogBelief.from_view(view, samples=2_000, promotions=8)
    assert max(position.fen.split()[0].count("q") for position in more) > 2
    with pytest.raises(OptionError):
        FogBelief.from_view(view, promotions=9)
    with pytest.raises(OptionError):
        FogBelief.from_view(view, samples=0)
    with pytest.raises(OptionError, match="samples must be 1 to 16777216"):
        FogBelief.from_view(view, samples=1 << 25)


def test_a_belief_from_a_view_goes_on_like_any_other() -> None:
    fog_fen = FogChess().root().child("e2e4").observation(1).fog_fen
    belief = FogBelief.from_view(FogObservation.from_fog_fen(fog_fen), samples=5_000)
    state = FogChess(fen=belief.sample(1)[0].fen).root()
    after = belief.after_own_move("g8f6", state.child("g8f6").observation(1))
    assert 0 < len(after) <= len(belief)


def test_a_native_belief_has_no_more_positions_than_its_cap() -> None:
    """However many may be listed: without this bound the list took all memory."""
    seen = FogChessPosition("k7/8/8/8/8/8/PPPPPPPP/RNBQKBNR w KQ - 0 1")
    view = FogObservation.of(seen, 0, PRESETS["chesscom"])
    options = {"promotions": None, "seed": 1, "threads": 1}
    made = FogChessBelief.from_view(
        view.native, preset("chesscom").sight, samples=9, limit=2**63, cap=9, **options
    )
    assert len(made) <= 9
    assert not made.complete
    with pytest.raises(ValueError, match="samples must be at most"):
        FogChessBelief.from_view(
            view.native, preset("chesscom").sight, samples=2**25, limit=9, cap=9, **options
        )
