"""Games of the search against itself."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from fogtree._core import FogChessPosition
from fogtree.agents.budget import Budget
from fogtree.agents.protocol import Observation
from fogtree.arena.play import play_game
from fogtree.errors import OptionError, UnknownNameError
from fogtree.games.fog_chess.evaluators import load_evaluator
from fogtree.games.fog_chess.game import FogChess
from fogtree.games.fog_chess.training.rows import UNKNOWN, Kind, unpacked
from fogtree.games.fog_chess.training.self_play import ALMOST_WON, SelfPlay, play_one, taught
from fogtree.games.fog_chess.training.shards import read_rows
from fogtree.search.agent import SearchAgent
from tests.games.fog_chess.training.conftest import SHORT
from tests.support.fog_chess_boards import board_of

pytestmark = pytest.mark.long


def test_rows_of_games(short_data):
    rows, numbers = read_rows(short_data)
    assert set(numbers) == {0, 1, 2, 3}
    assert set(rows["kind"]) == set(Kind)
    played = rows["kind"] == Kind.played
    assert set(rows["result"][~played]) == {UNKNOWN}
    assert set(rows["result"][played]) <= {-1, 0, 1}
    assert np.isnan(rows["search"][rows["kind"] == Kind.leaf]).all()
    assert (np.abs(rows["search"][rows["kind"] != Kind.leaf]) <= 1).all()
    assert (np.abs(rows["teacher"]) < ALMOST_WON).all()
    boards = unpacked(rows["board"])
    assert ((boards == 11).sum(axis=1) == 1).all()
    assert ((boards == 12).sum(axis=1) == 1).all()
    for number in range(4):
        game = rows[(numbers == number) & played]
        assert len(game) > 5
        white, black = game[game["ply"] % 2 == 0], game[game["ply"] % 2 == 1]
        assert set(white["result"]) | {-result for result in black["result"]} == {
            white["result"][0]
        }
        first = unpacked(game["board"][:1])[0]
        assert (first > 0).sum() > 28  # near the start of a game


def test_a_game_depends_on_its_number_and_the_seed_alone(short_data):
    rows, numbers = read_rows(short_data)
    again = play_one(SHORT, 2)
    assert again.tobytes() == rows[numbers == 2].tobytes()
    other = play_one(replace(SHORT, seed=4), 2)
    assert other.tobytes() != again.tobytes()


def test_what_is_kept_is_not_seen_by_the_players():
    """Plain searches, which know of no data, play the same game."""
    options = replace(SHORT, openings="start")
    rows = play_one(options, 1)
    game = FogChess()
    boards = []
    players = [SearchAgent(game, options.settings()) for _ in range(2)]
    play_game(
        game,
        players,
        seed=f"{options.seed}/1",
        budget=Budget(steps=options.steps),
        watch=lambda state: boards.append(board_of(state.position)),
    )
    played = rows[rows["kind"] == Kind.played]
    assert len(played) > 20
    assert [bytes(board) for board in unpacked(played["board"])] == [
        boards[ply] for ply in played["ply"]
    ]


def test_the_teacher_says_what_its_best_move_is_worth():
    start = FogChessPosition()
    black = start.play(start.read_uci("e2e4"))
    with load_evaluator("net") as net:
        best = [net.children(one, one.side).max() for one in (start, black)]
    assert taught("net", [start, black]).tolist() == best


def test_sampled_nodes_are_those_of_the_tree():
    """Boards and values equal those of the tree's list of nodes, worked out one by one."""
    game = FogChess()
    player = SearchAgent(game, SHORT.settings())
    player.start(game, 1, "5")  # Black's boards are turned over
    state = game.root().child("e2e4")
    player.observe(Observation(1, state.observation(1), state.actions()))
    player.act(Budget(steps=300))
    listed: dict[bytes, list[float]] = {}
    for node in player.native.nodes(10**6):
        sign = 1 if node.player == 1 else -1
        listed.setdefault(board_of(node.state), []).append(np.float32(sign * node.value))
    found = player.native.sampled_nodes(50, 20, 30, ALMOST_WON, 7)
    boards = unpacked(found.boards.reshape(-1, 32))
    inner = ~np.isnan(found.searched)
    assert 20 < (~inner).sum() < 100
    assert 0 < inner.sum() < 60
    for board, value in zip(boards, found.evaluated, strict=True):
        assert value in listed[bytes(board)]
    roots = {
        board_of(root.state): root.value if root.state.side == 1 else -root.value
        for root in player.native.roots()
    }
    all_inner = player.native.sampled_nodes(0, 10**6, 1, ALMOST_WON, 7)
    assert np.isnan(player.native.sampled_nodes(50, 0, 1, ALMOST_WON, 7).searched).all()
    met = 0
    for board, value in zip(
        unpacked(all_inner.boards.reshape(-1, 32)), all_inner.searched, strict=True
    ):
        if bytes(board) in roots:
            assert value == pytest.approx(roots[bytes(board)], abs=1e-6)
            met += 1
    assert met >= 1
    every, even = (
        np.abs(player.native.sampled_nodes(10**6, 10**6, 1, bound, 7).evaluated)
        for bound in (ALMOST_WON, 0.05)
    )
    assert sorted(every[every < 0.05]) == sorted(even)
    assert 0 < len(even) < len(every)
    player.close()


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({}, "steps or seconds"),
        ({"steps": 5, "seconds": 0.1}, "steps or seconds"),
        ({"steps": 5, "roots": -1}, "roots"),
        ({"steps": 5, "seed": -1}, "seed"),
    ],
)
def test_options_that_make_no_sense(options, error):
    with pytest.raises(OptionError, match=error):
        SelfPlay(**options)


def test_players_that_do_not_search():
    with pytest.raises(OptionError, match="'search', not by 'greedy'"):
        SelfPlay(steps=5, search="greedy").settings()
    with pytest.raises(OptionError, match="not in --search"):
        SelfPlay(steps=5, search="search(time=1)").settings()
    with pytest.raises(UnknownNameError):
        SelfPlay(steps=5, search="nobody").settings()


def test_a_board_of_the_data_is_the_position_of_the_game():
    rows = play_one(replace(SHORT, openings="start", roots=0, leaves=0), 0)
    assert bytes(unpacked(rows["board"][:1])[0]) == board_of(FogChessPosition())
