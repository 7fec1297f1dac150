"""Matches of Fog-of-War chess: openings, colours, budgets, the test that ends them early."""

from __future__ import annotations

import math
import random
from pathlib import Path

import numpy as np
import pytest

from fogtree.agents import Budget
from fogtree.arena import SequentialTest, Terms, play_match, play_tournament, replay, workers
from fogtree.arena.sequential import expected_score
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
    result = play_tournament(
        FogChess(), ["random", "greedy", "all-seeing"], games=8, processes=1, seed=1
    )
    assert [rating.name for rating in result.ratings] == ["all-seeing", "greedy", "random"]
    assert all(r.elo.low < r.elo.value < r.elo.high for r in result.ratings)


def test_the_ratio_is_the_binomial_one_where_only_wins_and_losses_occur() -> None:
    test = SequentialTest(10, 60)
    low, high = expected_score(10), expected_score(60)
    wins, losses = 61, 39
    ratio = wins * math.log(high / low) + losses * math.log((1 - high) / (1 - low))
    assert test.ratio([1.0] * wins + [0.0] * losses) == pytest.approx(ratio, abs=0.01)


def test_the_ratio_is_nearly_the_normal_one_for_many_games() -> None:
    """Large samples: the likelihood ratio of a normal mean with the sample's variance."""
    scores = random.Random(3).choices([0, 0.25, 0.5, 0.75, 1], [8, 22, 40, 22, 9], k=4000)
    low, high = expected_score(0), expected_score(5)
    mean, variance = float(np.mean(scores)), float(np.var(scores))
    normal = 4000 * (high - low) * (2 * mean - low - high) / (2 * variance)
    assert SequentialTest(0, 5).ratio(scores) == pytest.approx(normal, rel=0.05)


@pytest.mark.parametrize(("elo", "verdict"), [(0, "stronger"), (60, "weaker")])
def test_the_wrong_verdict_is_as_rare_as_promised(elo: float, verdict: str) -> None:
    """At the edge of a hypothesis it is wrong in 5 % of all matches; here 200 are simulated."""
    test = SequentialTest(0, 60)
    dice = random.Random(1)
    share = expected_score(elo)
    draws = 0.3
    weights = [1 - share - draws / 2, draws, share - draws / 2]
    wrong = 0
    for _ in range(200):
        scores: list[float] = []
        while (result := test.result(scores)).verdict is None:
            scores += [sum(dice.choices([0, 0.5, 1], weights, k=2)) / 2 for _ in range(4)]
        wrong += result.verdict == verdict
    assert wrong <= 20  # ten are expected, with a standard deviation of three


def test_a_test_that_makes_no_sense() -> None:
    far = ({"high": 6400.0}, {"low": -1e308, "high": 1e308}, {"high": 2001}, {"low": math.nan})
    for wrong in ({"low": 5, "high": 5}, {"high": math.inf}, {"alpha": 0.0}, {"beta": 0.7}, *far):
        with pytest.raises(OptionError):
            SequentialTest(**wrong)
    assert SequentialTest().result([]).verdict is None


def test_the_widest_test_counts_every_result() -> None:
    test = SequentialTest(-2000, 2000)
    for score, verdict in ((0.0, "weaker"), (1.0, "stronger")):
        assert test.result([score] * 50).verdict == verdict
    assert test.ratio([0.5] * 50) == pytest.approx(0, abs=1e-6)
