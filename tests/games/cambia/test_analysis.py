"""The analysis of a search on Cambia: what it reports, and that it reveals no hidden card."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

import fogtree
from fogtree.arena.play import play_game
from fogtree.arena.record import write_records
from fogtree.cli import main
from fogtree.errors import OptionError
from fogtree.game import History
from fogtree.games.cambia.analysis import position_text
from fogtree.games.cambia.game import Cambia, CambiaState
from fogtree.report.analyse import analyse
from fogtree.report.analysis import AnalysisReport
from fogtree.report.document import analysis_document
from fogtree.report.html import analysis_page

GAME = Cambia()
CLOCKS = ("seconds", "bytes", "part")


@pytest.fixture(scope="module")
def played() -> tuple[Any, list[CambiaState]]:
    agents = [fogtree.agent("imperfect_greedy", GAME), fogtree.agent("memory_heuristic", GAME)]
    record = play_game(GAME, agents, seed="analysed").record
    return record, follow(record.steps)


def follow(steps: Any) -> list[CambiaState]:
    states = [GAME.root()]
    for step in steps:
        states.append(states[-1].child(step))
    return states


def analysed(steps: Sequence[str], **place: Any) -> AnalysisReport:
    history = History.of(GAME, steps)
    return analyse(GAME, history=history, steps=150, threads=1, **place)


def truth_of(steps: Sequence[str]) -> str:
    truth = analysed(steps, all_seeing=True).truth
    assert truth is not None
    return truth.text


def without_clocks(document: Any) -> Any:
    if isinstance(document, dict):
        return {k: without_clocks(v) for k, v in document.items() if k not in CLOCKS}
    return [without_clocks(v) for v in document] if isinstance(document, list) else document


def test_a_report_tells_the_search(played: Any) -> None:
    record, states = played
    movers = [state.player for state in states]
    number = next(n for n in range(len(movers)) if movers[n - 2 : n + 1] == [1, -1, 1])
    found = analysed(record.steps[:number])
    analysis = found.analysis
    assert analysis.player == 1
    assert set(analysis.decision.mix) <= set(states[number].actions())
    assert analysis.decision.carried_nodes > 0  # the decision before was searched too
    assert sum(line.share for line in analysis.our_belief) == pytest.approx(1)
    assert len(analysis.looks) > 2
    assert min(analysis.gap) >= -1e-6
    view = states[number].observation(1)
    for line in analysis.our_belief:
        hands = analysis_hands(line.position)
        for slot, card in enumerate(view.known[1]):
            if card >= 0:
                assert hands[slot] == card_text(card)
        assert all(move.player in (-1, 0, 1) for move in line.moves)
        first = line.moves[0] if line.moves else None
        assert first is None or (first.player == 1 and first.action in states[number].actions())
    page = analysis_page(found)
    assert "Candidates" in page
    assert "The truth" not in page


def analysis_hands(text: str) -> list[str]:
    return text.split(" against ", maxsplit=1)[0].split()


def card_text(card: int) -> str:
    from fogtree.games.cambia.cards import kind_name

    return kind_name(card)


def test_what_a_player_has_not_seen_does_not_change_its_report(played: Any) -> None:
    record, states = played
    steps = list(record.steps)
    first = next(n for n, s in enumerate(states) if s.player >= 0)
    mine = states[first].player
    dealt = set(steps[:first])
    before = states[first].position
    theirs = [
        n
        for n in range(1, first)
        if steps[n] in dealt and states[n + 1].observation(mine).event == hidden_event(states, n)
    ]
    assert theirs
    free = next(o for o, _ in states[first - 1].chance() if o not in dealt and o[0] != "J")
    changed = [free if n == theirs[0] else step for n, step in enumerate(steps[:first])]
    other = follow(changed)
    assert other[first].position.hands != before.hands
    assert [s.observation(mine) for s in other] == [
        s.observation(mine) for s in states[: first + 1]
    ]
    documents = [
        without_clocks(analysis_document(analysed(line), 10)) for line in (steps[:first], changed)
    ]
    assert documents[0] == documents[1]
    truths = [truth_of(line) for line in (steps[:first], changed)]
    assert truths[0] == position_text(before, mine)
    assert truths[0] != truths[1]


def hidden_event(states: list[CambiaState], n: int) -> int:
    """What a player notices of a card that it does not see: the same whichever card it is."""
    mine = next(s.player for s in states if s.player >= 0)
    others = [states[n].child(o).observation(mine).event for o, _ in states[n].chance()]
    return others[0] if len(set(others)) == 1 else -1


def test_the_command_reads_a_record(played: Any, tmp_path: Path, capsys: Any) -> None:
    record, states = played
    file = write_records(tmp_path / "games.jsonl", [record])
    number = [n for n, s in enumerate(states) if s.player == 0 and len(s.actions()) > 1][1]
    command = ["analyse", "cambia", "--record", str(file), "--steps", "80"]
    assert main([*command, "--ply", str(number), "--evaluator", "net", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["player"] == 0
    assert document["step"] == number
    assert document["evaluator"] == "net"
    assert sum(document["mix"].values()) == pytest.approx(1)
    page = tmp_path / "page.html"
    assert main([*command, "--html", str(page), "--all-seeing"]) == 0
    shown = capsys.readouterr().out
    assert "too many positions to list" in shown
    assert "The truth: " in shown
    assert "The truth: " in page.read_text()


def test_what_cannot_be_analysed_is_said(played: Any, tmp_path: Path, capsys: Any) -> None:
    record, _ = played
    with pytest.raises(OptionError, match="no player is to decide"):
        analysed(record.steps[:1])
    file = write_records(tmp_path / "games.jsonl", [record])
    for words, message in (
        ((), "say with --record"),
        (("--record", str(file), "--ply", "9999"), "steps, not 9999"),
        (("--record", str(file), "--trace"), "cannot be traced"),
    ):
        assert main(["analyse", "cambia", *words]) == 2
        assert message in capsys.readouterr().err
