"""Openings of Fog-of-War chess, and matches that begin with them."""

from __future__ import annotations

from pathlib import Path

import pytest

from fogtree.agents import Budget
from fogtree.arena import SequentialTest, Terms, play_match, replay, tournament, workers
from fogtree.errors import FogtreeError, OptionError
from fogtree.games.fog_chess.game import FogChess
from fogtree.games.fog_chess.openings import BOOK, openings
from fogtree.registry import load_game


def test_openings_are_quiet_and_different(tmp_path: Path) -> None:
    game = FogChess(rules="openspiel")
    book = openings(game, "book", 3, 0)
    assert len({start.fen for start in book}) == len(BOOK)
    drawn = openings(game, "random:8", 12, 5)
    assert drawn == openings(game, "random:8", 12, 5)
    assert drawn != openings(game, "random:8", 12, 6)
    assert len({start.fen for start in drawn}) == 12
    assert openings(game, "start", 9, 0) == (game,)
    (tmp_path / "lines").write_text(f"# mine\n\ne4 e5 g1f3\n{FogChess().fen}\n")
    mine = openings(game, str(tmp_path / "lines"), 1, 0)
    assert mine[0].fen.split()[0] == "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R"
    for start in (*book, *drawn, *mine):
        assert start.rules == "openspiel"
        root = start.root()
        king = "kK"[root.player]
        assert all(
            root.observation(root.player).piece(move[2:4]) != king for move in root.actions()
        )


@pytest.mark.parametrize(
    "content", ["e4 e4", "xyz", "8/8/8/8/8/8/8/8 w - - 0 1", "rnbq/8 w", "", "# only this"]
)
def test_openings_that_cannot_be_read(content: str, tmp_path: Path) -> None:
    (tmp_path / "lines").write_text(content)
    with pytest.raises(FogtreeError) as caught:
        openings(FogChess(), str(tmp_path / "lines"), 1, 0)
    assert "\n" not in str(caught.value)
    for wrong in ("random:0", "random:x", "random:999", "nowhere", "random:²"):
        with pytest.raises(OptionError):
            openings(FogChess(), wrong, 1, 0)


def test_every_opening_is_played_with_both_colours() -> None:
    game = FogChess()
    starts = openings(game, "random:4", 3, 1)
    result = play_match(
        game, "greedy", "random", games=6, keep_records=True, terms=Terms(starts=starts)
    )
    assert result.games == 6
    assert result.wins >= 5
    for number, record in enumerate(result.records):
        assert load_game(record.game) == starts[number // 2]
        assert record.game.startswith('fog_chess(rules="chesscom", fen=')
        assert record.agents == (("greedy", "random"), ("random", "greedy"))[number % 2]
        assert len(list(replay(record))) == len(record.steps) + 1


def test_the_result_does_not_depend_on_the_processes() -> None:
    game = FogChess()
    terms = Terms(
        starts=openings(game, "book", 1, 0),
        budget=Budget(nodes=200),
        test=SequentialTest(0, 400),
        deals_per_task=1,
    )
    agents = ("belief-vote", "random")
    alone = play_match(game, *agents, games=80, seed=2, keep_records=True, terms=terms)
    with workers(2) as run:
        both = play_match(game, *agents, games=80, seed=2, keep_records=True, terms=terms, run=run)
    assert alone == both
    assert alone.sequential is not None
    assert alone.sequential.verdict == "stronger"
    assert alone.games < 80
    by_threes = Terms(terms.starts, terms.budget, terms.test, deals_per_task=3)
    again = play_match(game, *agents, games=80, seed=2, keep_records=True, terms=by_threes)
    assert again == alone


def test_a_tournament_rates_the_field() -> None:
    result = tournament(
        FogChess(), ["random", "greedy", "all-seeing"], games=8, openings="start", seed=1
    )
    assert [rating.name for rating in result.ratings] == ["all-seeing", "greedy", "random"]
    assert all(r.elo.low < r.elo.value < r.elo.high for r in result.ratings)
