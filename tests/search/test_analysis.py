"""Looking inside a search: what an analysis says is right, complete, and keeps to one side."""

from __future__ import annotations

import json
import re

import numpy as np
import pytest

from fogtree import exploitability, load_game
from fogtree.agents import Budget, RandomAgent
from fogtree.arena import play_game, write_records
from fogtree.errors import OptionError
from fogtree.games.fog_chess.analysis import analyse_game, analyse_view, line_san
from fogtree.games.fog_chess.observation import FogObservation
from fogtree.games.fog_chess.trace import trace_game
from fogtree.report.analysis_document import fog_chess_document
from fogtree.report.analysis_page import fog_chess_page, tree_page
from fogtree.search import (
    SearchDecision,
    SearchOptions,
    TreeSearch,
    search_settings,
)
from fogtree.search.analysis import searched_before
from fogtree.search.tree_analysis import analyse_tree
from fogtree.strategy import Strategy

GAME = load_game("fog_chess")
# Black cannot tell these apart: White's second move is in the fog, and nothing comes out of it.
TWINS = (["e2e4", "e7e5", "g1f3"], ["e2e4", "e7e5", "b1c3"])


def settings(steps=40, **options):
    return search_settings(
        "fog_chess", budget=Budget(steps=steps), options=SearchOptions(**options)
    )


@pytest.fixture(scope="module")
def found():
    return analyse_game(GAME, [*TWINS[0], "b8c6", "f1c4"], settings(150), all_seeing=True)


@pytest.mark.parametrize("game", ["kuhn_poker", "leduc_poker", "liars_dice(sides=3)"])
@pytest.mark.parametrize("player", [0, 1])
def test_the_gap_is_what_best_responses_gain(tree_of, game, player):
    """On a tree that is whole it is NashConv, whatever the strategy."""
    tree = tree_of(game)
    random = np.random.default_rng(5)
    slots = random.random(tree.slots)
    slots /= np.add.reduceat(slots, tree.first_slot[:-1])[tree.slot_infoset]
    strategy = Strategy.of(tree, slots)
    agent = TreeSearch(tree, player)
    agent.adopt(strategy)
    exact = exploitability(tree, strategy)
    gains = [
        best - value for best, value in zip(exact.best_response_values, exact.values, strict=True)
    ]
    ours, theirs = (agent.scale * part for part in agent.native.gap())
    assert ours == pytest.approx(gains[player], abs=1e-5)
    assert theirs == pytest.approx(gains[1 - player], abs=1e-5)


def test_levels_count_every_node(tree_of):
    analysis = analyse_tree(tree_of("leduc_poker"), "Qscr", Budget(steps=2_000))
    assert sum(level.nodes for level in analysis.levels) == analysis.decision.nodes
    assert all(level.expanded + level.terminal <= level.nodes for level in analysis.levels)
    assert analysis.decision.cover == tuple(sorted(analysis.decision.cover))
    assert sum(one.positions for one in analysis.opponents) == len(analysis.lines)


def test_looks_lead_to_the_answer(found):
    looks = found.analysis.looks
    assert len(looks) > 10
    assert looks[-1].part == 1
    assert looks[-1].nodes == found.analysis.decision.nodes
    assert [look.steps for look in looks] == sorted(look.steps for look in looks)
    last = {c.action: c.strategy for c in found.analysis.decision.candidates if c.strategy > 0}
    assert looks[-1].mix == pytest.approx(last)
    assert looks[-1].p_max == found.analysis.decision.p_max
    first = analyse_game(GAME, [], settings(30))
    assert [look.p_max for look in first.analysis.looks] == [0] * len(first.analysis.looks)


def test_a_decision_says_everything(found):
    decision = found.analysis.decision
    assert isinstance(decision, SearchDecision)
    assert sum(decision.mix.values()) == pytest.approx(1)
    moves = found.belief.native[0].uci_moves()
    assert {c.action for c in decision.candidates} == set(moves)
    assert set(decision.values) == set(moves)
    assert sum(c.visits for c in decision.candidates) > 0
    assert decision.safe == (decision.p_max == 0)
    assert decision.belief_size == len(decision.belief) == len(found.belief)
    np.testing.assert_allclose(decision.belief.marginals().sum(axis=1), 1)
    assert decision.nodes > decision.infosets > 0
    assert decision.carried_nodes > 0
    assert decision.depth >= 1


def test_beliefs_add_up(found):
    assert sum(line.share for line in found.analysis.our_belief) == pytest.approx(1)
    np.testing.assert_allclose(found.weighted_marginals.sum(axis=1), 1, atol=1e-9)
    for one in found.analysis.opponents[:20]:
        lines = found.analysis.beliefs_of_opponent(one.number)
        assert len(lines) == one.positions
        assert sum(line.weight for line in lines) == pytest.approx(1, abs=1e-5)
        assert sum(line.possible for line in lines) == one.possible
        assert one.margin == pytest.approx(one.value - one.alternate, abs=1e-6)
    for line in found.analysis.our_belief:
        assert line.state in found.belief
        assert len(line_san(line)) == len(line.moves)


def test_nothing_hidden_is_told():
    """Two games that look the same to Black make the same reports, to the last letter."""
    views = [GAME.root().child(a).child(b).child(c).observation(1) for a, b, c in TWINS]
    assert views[0] == views[1]
    reports = []
    for moves in TWINS:
        result = analyse_game(GAME, moves, settings(), player=1)
        document = fog_chess_document(result, 10)
        page = fog_chess_page(result)
        for key in ("seconds", "looks"):
            del document[key]
        reports.append((json.dumps(document), re.sub(r"[0-9.]+ s</td>|<svg.*?</svg>", "", page)))
        assert "truth" not in document
    assert reports[0] == reports[1]
    traces = [trace_game(GAME, moves, settings(5), player=1) for moves in TWINS]
    assert traces[0] == traces[1]


def test_the_truth_is_told_only_when_asked(found):
    assert found.truth is not None
    assert found.truth.possible
    document = fog_chess_document(found, 3)
    assert document["truth"]["fen"] == found.truth.fen
    assert "cannot know" in fog_chess_page(found)
    hidden = analyse_game(GAME, [*TWINS[0], "b8c6", "f1c4"], settings(20))
    assert hidden.truth is None
    assert "cannot know" not in fog_chess_page(hidden)


def test_pages_stand_alone(found, tree_of):
    tree = tree_of("kuhn_poker")
    analysis = analyse_tree(tree, "Qcb", Budget(steps=200))
    for page in (fog_chess_page(found), tree_page(tree, "Qcb", analysis)):
        assert page.startswith("<!doctype html>")
        addresses = set(re.findall(r"https?://[^\"' <]+", page))
        assert addresses == {"http://www.w3.org/2000/svg"}  # a name, not a link
        assert not re.search(r"<(script|link|img|iframe)|@import|url\(", page)
        assert page.count("<svg") == page.count("</svg>") >= 5


def test_a_view_alone_can_be_analysed(found):
    result = analyse_view(found.view, settings(), rules="chesscom")
    assert result.analysis.decision.belief_size > 1_000
    assert result.analysis.decision.action in found.belief.native[0].uci_moves()
    state = GAME.root().child("e2e4")
    with pytest.raises(OptionError, match="to move"):
        analyse_view(
            FogObservation.of(state.position, 0, GAME.preset), settings(), rules="chesscom"
        )


@pytest.mark.parametrize(
    ("earlier", "searched"), [(0, set()), (1, {2}), (2, {0, 2}), (3, {0, 2}), (9, {0, 2})]
)
def test_the_last_decisions_before_are_searched(earlier, searched):
    states = [GAME.root()]
    for move in (*TWINS[0], "b8c6"):
        states.append(states[-1].child(move))
    assert searched_before(states, earlier) == searched


def test_wrong_side_and_game_over():
    with pytest.raises(OptionError, match="black is to move, not white"):
        analyse_game(GAME, ["e2e4"], settings(), player=0)
    won = load_game('fog_chess(fen="4k3/8/8/8/8/8/8/4R1K1 w - - 0 1")')
    with pytest.raises(OptionError, match="over"):
        analyse_game(won, ["e1e8"], settings())


def test_records_are_followed(tmp_path):
    played = play_game(GAME, [RandomAgent(), RandomAgent()], seed="7")
    file = write_records(tmp_path / "game.jsonl", [played.record])
    from fogtree.cli import main

    assert (
        main(["analyse", "--record", str(file), "--ply", "6", "--as", "black", "--steps", "5"]) == 2
    )
    command = ["analyse", "--record", str(file), "--ply", "6", "--as", "white", "--steps", "20"]
    assert main([*command, "--html", str(tmp_path / "report.html"), "--json"]) == 0
    assert (tmp_path / "report.html").stat().st_size > 10_000


@pytest.mark.parametrize(
    "arguments",
    [
        ["--moves", "e2e5"],
        ["--moves", "e2e4", "--as", "white"],
        ["--fen", "nonsense"],
        ["--steps", "5", "--set", "knowlege=2"],
        ["--steps", "5", "--set", "knowledge=two"],
        ["--steps", "5", "--set", "frozen=perhaps"],
        ["--steps", "5", "--set", "frozen"],
        ["--ply", "3"],
        ["--record", "missing.jsonl"],
        ["--time", "0"],
        ["--trace", "--time", "3"],
        ["--trace", "--json"],
        ["--preset", "papers", "--steps", "5"],
        ["kuhn_poker"],
        ["kuhn_poker", "--infoset", "Z"],
        ["kuhn_poker", "--infoset", "Qcb", "--blueprint", "missing.json"],
        ["--evaluator", "wisdom", "--steps", "5"],
        ["--infoset", "Qcb", "--steps", "5"],
        ["--memory", "much", "--steps", "5"],
        ["kuhn_poker", "--infoset", "Qcb", "--evaluator", "simple"],
    ],
)
def test_bad_input_is_one_line(arguments, capsys):
    from fogtree.cli import main

    assert main(["analyse", *arguments]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "Traceback" not in captured.err


def test_a_bound_on_memory(capsys):
    from fogtree.cli import main

    assert main(["analyse", "--memory", "3M", "--nodes", "100000", "--json"]) == 0
    assert 500_000 < json.loads(capsys.readouterr().out)["bytes"] < 3 << 20


def test_json_has_what_is_promised(capsys):
    from fogtree.cli import main

    command = ["analyse", "--moves", "e2e4,e7e5,g1f3", "--as", "black", "--steps", "60", "--json"]
    documents = []
    for _ in range(2):
        assert main(command) == 0
        documents.append(json.loads(capsys.readouterr().out))
    names = [
        "mix",
        "value",
        "p_max",
        "belief_size",
        "nodes",
        "infosets",
        "carried_nodes",
        "iterations",
        "depth",
    ]
    for name in names:
        assert documents[0][name] == documents[1][name]  # one thread, a budget in steps
    assert sum(documents[0]["mix"].values()) == pytest.approx(1)
    assert documents[0]["belief_size"] == 20


def test_tables_and_traces_are_printed(capsys):
    from fogtree.cli import main

    assert main(["analyse", "--moves", "e2e4,e7e5,g1f3", "--steps", "60"]) == 0
    shown = capsys.readouterr().out
    for title in ("Candidates", "Convergence", "thinks possible", "margin", "order"):
        assert title in shown
    assert main(["analyse", "--moves", "e2e4", "--trace", "--steps", "3"]) == 0
    assert "## Expansion 3" in capsys.readouterr().out
    assert (
        main(["study", "safety", "kuhn_poker", "--steps", "200", "--orders", "2", "--workers", "1"])
        == 0
    )
    assert "no gadget" in capsys.readouterr().out
