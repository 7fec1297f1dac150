"""Analyses of chess: what a report says is right, complete, and keeps to one side."""

from __future__ import annotations

import json
import re
from collections import Counter

import numpy as np
import pytest

from fogtree import load_game
from fogtree.agents import Budget
from fogtree.errors import OptionError
from fogtree.games.fog_chess.analysis import FogChessSource
from fogtree.games.fog_chess.observation import FogObservation
from fogtree.games.fog_chess.web_look import look_document
from fogtree.report.analyse import analyse
from fogtree.report.document import analysis_document
from fogtree.report.html import analysis_page
from fogtree.search import SearchDecision, search_settings

GAME = load_game("fog_chess")
# Black cannot tell these apart: White's second move is in the fog, and nothing comes out of it.
TWINS = (["e2e4", "e7e5", "g1f3"], ["e2e4", "e7e5", "b1c3"])
LINE = [*TWINS[0], "b8c6", "f1c4"]


def analysed(steps=40, **place):
    return analyse(GAME, steps=steps, preset="paper", **place)


@pytest.fixture(scope="module")
def found():
    return analysed(150, moves=LINE, all_seeing=True)


@pytest.fixture(scope="module")
def belief(found):
    return found.analysis.decision.belief


def test_looks_lead_to_the_answer(found):
    looks = found.analysis.looks
    assert len(looks) > 10
    assert looks[-1].part == 1
    assert looks[-1].nodes == found.analysis.decision.nodes
    assert [look.steps for look in looks] == sorted(look.steps for look in looks)
    last = {c.action: c.strategy for c in found.analysis.decision.candidates if c.strategy > 0}
    assert looks[-1].mix == pytest.approx(last)
    assert looks[-1].p_max == found.analysis.decision.p_max
    first = analysed(30)
    assert [look.p_max for look in first.analysis.looks] == [0] * len(first.analysis.looks)


def test_a_decision_says_everything(found, belief):
    decision = found.analysis.decision
    assert isinstance(decision, SearchDecision)
    assert sum(decision.mix.values()) == pytest.approx(1)
    moves = belief.native[0].uci_moves()
    assert {c.action for c in decision.candidates} == set(moves)
    assert set(decision.values) == set(moves)
    assert sum(c.visits for c in decision.candidates) > 0
    assert decision.safe == (decision.p_max == 0)
    assert decision.belief_size == len(decision.belief) == len(belief)
    np.testing.assert_allclose(decision.belief.marginals().sum(axis=1), 1)
    assert decision.nodes > decision.infosets > 0
    assert decision.carried_nodes > 0
    assert decision.depth >= 1


def test_beliefs_add_up(found, belief):
    assert sum(line.share for line in found.analysis.our_belief) == pytest.approx(1)
    np.testing.assert_allclose(found.marginals.weighted.sum(axis=1), 1, atol=1e-9)
    for one in found.analysis.opponents[:20]:
        lines = found.analysis.beliefs_of_opponent(one.number)
        assert len(lines) == one.positions
        assert sum(line.weight for line in lines) == pytest.approx(1, abs=1e-5)
        assert sum(line.possible for line in lines) == one.possible
        assert one.margin == pytest.approx(one.value - one.alternate, abs=1e-6)
    for line in found.analysis.our_belief:
        assert line.state in belief
        assert len(found.names.line(line)) == len(line.moves)


def boards_of(positions):
    """How many positions there are of each board, by the pieces alone."""
    return Counter(position.fen.split()[0] for position in positions)


@pytest.fixture(scope="module")
def shuffled():
    """Black has gone and come back in the fog, with the knight or the rook: to castle it may still
    have the right, or not."""
    moves = ["a1b1", "b8a6", "b1a1", "a6b8"]
    return analysed(300, fen="rn2k3/8/8/8/8/8/8/K7 w q - 0 1", moves=moves)


def test_boards_that_look_the_same_are_one(shuffled):
    analysis, belief = shuffled.analysis, shuffled.analysis.decision.belief
    lines, rows = analysis.our_belief, [line for line in analysis.lines if line.possible]
    boards = boards_of(belief)
    assert max(boards.values()) > 1
    assert len(rows) > len(belief)  # some positions came about in several ways
    assert boards_of(line.state for line in lines) == Counter(boards.keys())
    assert [line.share for line in lines] == sorted((line.share for line in lines), reverse=True)
    assert sum(line.share for line in lines) == pytest.approx(1)
    assert sum(line.nodes for line in lines) == sum(row.nodes for row in rows)
    for line in lines:
        alike = [row for row in rows if row.diagram == line.diagram]
        assert line.share == pytest.approx(sum(row.share for row in alike))
        value = sum(row.share * row.value for row in alike) / line.share
        assert line.value == pytest.approx(value)
        assert line.alike == boards[line.diagram]


def test_a_look_lists_every_board_once(shuffled):
    """With a search and before it; what a board stands for adds up."""
    belief, lines = shuffled.analysis.decision.belief, shuffled.analysis.our_belief
    searched, before = (look_document(belief, given, 0)["boards"] for given in (lines, ()))
    for boards in (searched, before):
        assert len({board["marks"] for board in boards}) == len(boards)
    # Some boards came about in more ways than others: they do not count the same.
    assert not look_document(belief, lines, 0)["even"]
    assert [board["share"] for board in searched] == [
        round(line.share, 4) for line in lines[: len(searched)]
    ]
    most = boards_of(belief).most_common(len(before))
    assert [board["share"] for board in before] == [
        round(count / len(belief), 4) for _, count in most
    ]


def test_nothing_hidden_is_told():
    """Two games that look the same to Black make the same reports, to the last letter."""
    views = [GAME.root().child(a).child(b).child(c).observation(1) for a, b, c in TWINS]
    assert views[0] == views[1]
    reports = []
    for moves in TWINS:
        result = analysed(moves=moves, player=1)
        document = analysis_document(result, 10)
        page = analysis_page(result)
        for key in ("seconds", "looks"):
            del document[key]
        reports.append((json.dumps(document), re.sub(r"[0-9.]+ [mµ]?s<|<svg.*?</svg>", "", page)))
        assert "truth" not in document
    assert reports[0] == reports[1]
    traces = [traced(moves) for moves in TWINS]
    assert traces[0] == traces[1]


def test_the_truth_is_told_only_when_asked(found):
    assert found.truth is not None
    assert found.truth.document["possible"]
    document = analysis_document(found, 3)
    assert document["truth"]["fen"] in found.truth.text
    assert "cannot know" in analysis_page(found)
    hidden = analysed(20, moves=LINE)
    assert hidden.truth is None
    assert "cannot know" not in analysis_page(hidden)


def test_a_view_alone_can_be_analysed(found, belief):
    result = analysed(fen=belief.view.fog_fen)
    assert result.analysis.decision.belief_size > 1_000
    assert result.analysis.decision.action in belief.native[0].uci_moves()
    state = GAME.root().child("e2e4")
    with pytest.raises(OptionError, match="to move"):
        analysed(fen=FogObservation.of(state.position, 0, GAME.preset).fog_fen)


def test_wrong_side_and_game_over():
    with pytest.raises(OptionError, match="black is to move, not white"):
        analysed(moves=["e2e4"], player=0)
    won = load_game('fog_chess(fen="4k3/8/8/8/8/8/8/4R1K1 w - - 0 1")')
    with pytest.raises(OptionError, match="over"):
        analyse(won, moves=["e1e8"], steps=40)


def traced(moves):
    settings = search_settings("fog_chess", budget=Budget(steps=5))
    return FogChessSource(game=GAME, moves=moves, player=1).trace(settings)
