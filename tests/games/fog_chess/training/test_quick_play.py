"""Games without fog and search, as training data."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from fogtree._core import FogChessPosition
from fogtree.errors import OptionError
from fogtree.games.fog_chess.evaluators import NativeEvaluator, load_evaluator
from fogtree.games.fog_chess.training.generate import generate
from fogtree.games.fog_chess.training.quick_play import QUIET, QuickPlay
from fogtree.games.fog_chess.training.rows import (
    ALMOST_WON,
    UNKNOWN,
    Kind,
    position_of,
    unpacked,
)
from fogtree.games.fog_chess.training.self_play import SelfPlay, play_one
from fogtree.games.fog_chess.training.shards import statistics
from tests.support.fake_engine import READY, fake_engine
from tests.support.fog_chess_boards import board_of


@pytest.fixture(scope="module")
def played():
    """Rows of a quick game, the positions met, and the teacher's values of all their children."""
    with load_evaluator("net") as net, load_evaluator("net-static") as guide:
        asked, values = [], {}

        class Guide(NativeEvaluator):
            def mover_values(self, position):
                asked.append(position)
                for move, value in zip(position.moves(), net.mover_values(position), strict=True):
                    child = board_of(position.play(move))
                    values.setdefault(child, set()).add(np.float16(-value))
                return super().mover_values(position)

        play = QuickPlay(net, Guide("net-static", guide.native), 1000)
        return play.game(FogChessPosition(), np.random.default_rng(3)), asked, values


def test_rows_are_children_with_the_evaluators_values(played):
    rows, _, values = played
    assert len(rows) > 200
    for board, value in zip(unpacked(rows["board"]), rows["teacher"], strict=True):
        assert value in values[bytes(board)]
    assert (np.abs(rows["teacher"]) < ALMOST_WON).all()
    assert set(rows["result"]) == {UNKNOWN}
    assert np.isnan(rows["search"]).all()


def test_played_rows_are_the_positions_of_the_game(played):
    rows, asked, _ = played
    game = rows[rows["kind"] == Kind.played]
    boards = [board_of(position) for position in asked]
    assert len(game) > 10
    for board, ply in zip(unpacked(game["board"]), game["ply"], strict=True):
        if ply < len(boards):  # the last one was not asked about
            assert bytes(board) == boards[ply]


def test_positions_in_which_captures_matter_are_rare():
    with load_evaluator("net") as net, load_evaluator("net-static") as guide:
        rows = QuickPlay(net, guide, 1000).game(FogChessPosition(), np.random.default_rng(4))
        standing = [
            math.tanh(net.native.evaluate(position_of(board)) / net.native.unit)
            for board in unpacked(rows["board"])
        ]
    loud = np.abs(np.array(standing) - rows["teacher"]) >= QUIET + 1e-3
    assert 0 < loud.mean() < 0.25


def test_a_game_ends_by_the_fifty_move_rule():
    start = FogChessPosition("4kb2/8/8/8/8/8/8/2B1K3 w - - 97 80")
    with load_evaluator("net") as net, load_evaluator("net-static") as guide:
        play = QuickPlay(net, guide, 1000)
        for seed in range(20):
            rows = play.game(start, np.random.default_rng(seed))
            quiet = rows[[np.count_nonzero(board) == 4 for board in unpacked(rows["board"])]]
            assert 0 < quiet["ply"].max() <= 2  # after 98 and 99 half-moves without a capture


def test_values_of_some_children():
    start = FogChessPosition()
    with load_evaluator("net") as net:
        every = net.mover_values(start)
        some = net.native.some_children(start, [19, 0, 7], net.native_rules)
        assert some.tolist() == every[[19, 0, 7]].tolist()
        for wrong in ([20], [0] * 21):
            with pytest.raises(IndexError):
                net.native.some_children(start, wrong, net.native_rules)


def test_games_depend_on_seed_and_number_alone():
    options = SelfPlay(quick=True, leaves=5)
    one, same, other = (play_one(options, number) for number in (1, 1, 2))
    assert one.tobytes() == same.tobytes() != other.tobytes()
    assert max(np.bincount(one["ply"])) <= 6  # five children of a position, and the one played


def test_half_of_the_moves_are_guessed_and_none_is_asked_twice():
    guess = np.array([0.1, 0.9, 0.5, 0.7, 0.2, 0.3, 0.4], np.float32)
    with load_evaluator("net") as net:
        play = QuickPlay(net, net, 5)
        for seed in range(5):
            asked = play._asked(guess, np.random.default_rng(seed))
            assert asked[:3] == [1, 3, 2]
            assert len(set(asked)) == len(asked) == 5


def test_an_engine_is_refused_before_a_folder_is_made(tmp_path):
    engine = fake_engine(tmp_path, f"import sys\n{READY}")
    options = SelfPlay(quick=True, search=f"search(evaluator=uci:{engine})")
    with pytest.raises(OptionError, match="quick games need"):
        generate(tmp_path / "games", options, games=1, workers=1)
    assert not (tmp_path / "games").exists()


def test_quick_games_have_no_search():
    with pytest.raises(OptionError, match="quick games have no searches"):
        SelfPlay(quick=True, steps=10)
    with pytest.raises(OptionError, match="need leaves"):
        SelfPlay(quick=True, leaves=0)


def test_counts_of_quick_games(tmp_path):
    options = replace(SelfPlay(quick=True), leaves=3)
    assert generate(tmp_path, options, games=3, workers=1) == 3
    found = statistics(tmp_path)
    assert (found["won"], found["drawn"], found["search_to_teacher"]) == (0, 0, None)
    assert found["plies_per_game"] is found["longest_game"] is None  # most positions are left out
    assert found["rows"] == found["played"] + found["leaf"] > 20
