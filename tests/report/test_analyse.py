"""One call analyses a decision of any game."""

from __future__ import annotations

import json

import pytest

from fogtree import load_game
from fogtree.agents import Budget
from fogtree.errors import FogtreeError, OptionError
from fogtree.game import History
from fogtree.report.analyse import analyse, source_kind
from fogtree.report.document import analysis_document


def test_a_name_a_game_and_a_tree_are_the_same(tree_of):
    games = ["kuhn_poker", load_game("kuhn_poker"), tree_of("kuhn_poker")]
    reports = [analyse(game, infoset="Qcb", steps=50) for game in games]
    mixes = [report.analysis.decision.mix for report in reports]
    assert mixes[0] == mixes[1] == mixes[2]
    assert {report.heading for report in reports} == {"kuhn_poker, Qcb: player 0"}


def test_a_report_is_a_document(tree_of):
    report = analyse(tree_of("kuhn_poker"), infoset="Qcb", steps=50)
    document = json.loads(json.dumps(analysis_document(report)))
    assert document["infoset"] == "Qcb"
    assert document["mix"] == report.analysis.decision.mix
    assert len(repr(report)) < 120
    assert {row["action"] for row in report.rows()} == {"fold", "call"}


@pytest.mark.parametrize(
    ("game", "options", "words"),
    [
        ("kuhn_poker", {"moves": ["e2e4"]}, "step 1, 'e2e4', is not possible; possible: J, Q, K"),
        ("kuhn_poker", {"infoset": "Qcb", "evaluator": "net"}, "'evaluator'"),
        ("kuhn_poker", {}, "at which information set"),
        ("fog_chess", {"before": 5}, "unknown setting of the search 'before'"),
        ("fog_chess", {"steps": "many"}, "steps"),
    ],
)
def test_options_of_other_games_are_refused(game, options, words):
    with pytest.raises(FogtreeError, match=words):
        analyse(game, **options)


def test_a_decision_after_moves():
    moves = ["Q", "K", "check", "bet"]
    compiled = analyse("kuhn_poker", moves=moves, steps=300)
    assert compiled.heading == "kuhn_poker, step 4: player 0 to decide"
    other = analyse("kuhn_poker", moves=moves, steps=300, compile=False)
    assert other.analysis.decision.belief_size == 2
    assert {line.position for line in other.analysis.our_belief} == {
        line.position for line in compiled.analysis.our_belief
    }
    assert analyse("phantom_ttt", steps=20, compile=False).analysis.player == 0
    with pytest.raises(OptionError, match="no player is to decide"):
        analyse("kuhn_poker", moves=["J"], steps=30)
    with pytest.raises(OptionError, match="not both"):
        analyse("kuhn_poker", moves=[], history=History.of(load_game("kuhn_poker"), ["J"]))


def test_the_budget_may_be_given_as_one():
    report = analyse("kuhn_poker", infoset="Qcb", budget=Budget(steps=30))
    assert report.analysis.decision.steps == 30


def test_the_command_names_the_options_that_serve():
    with pytest.raises(OptionError, match="--fen is not for kuhn_poker: say --infoset"):
        source_kind(load_game("kuhn_poker"), ["fen"], lambda name: f"--{name}")
    with pytest.raises(OptionError, match="moves does not go with infoset"):
        source_kind(load_game("cambia"), ["infoset", "moves"])
