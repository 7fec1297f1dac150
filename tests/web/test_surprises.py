"""Marks where the truth surprised a player."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("starlette", reason="needs the web app: pip install 'fogtree[web]'")
pytest.importorskip("httpx", reason="the test client needs httpx")

from fogtree.arena.record import GameRecord
from fogtree.registry import load_game
from fogtree.web.game_log import GameLog
from fogtree.web.opened_records import recorded_steps
from fogtree.web.storage import GameSetup, SeatSetup, Step
from fogtree.web.surprises import Surprises
from tests.support.web_games import server
from tests.support.web_jobs import events_until_end

# Black's queen comes to h4 unseen and takes the king.
QUEEN = ("f2f3", "e7e5", "a2a3", "d8h4", "a3a4", "h4e1")


def log_of(steps: Sequence[str]) -> GameLog:
    game = load_game("fog_chess")
    log = GameLog(GameSetup("", "fog_chess", (SeatSetup(), SeatSetup()), "", 0.0, ""), game)
    log.apply_all(recorded_steps(game, steps))
    return log


def look(value: float, played: str, expected: float, **places: dict[int, float]) -> dict[str, Any]:
    """What a search found: a value, the value of the move that was played, and where pieces are."""
    shares = {letter: [0.0] * 64 for letter in "KQRBNPkqrbnp"}
    for letter, squares in places.items():
        for square, share in squares.items():
            shares[letter][square] = share
    candidate = {"action": played, "label": played, "value": expected, "probability": 1.0}
    doubted = {letter: list(range(64)) for letter in shares}
    return {"value": value, "candidates": [candidate], "marginals": shares, "doubted": doubted}


def changes(marks: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The marks but those of pieces in unlikely places: these tests expect pieces nowhere."""
    return [mark for mark in marks if mark["kind"] != "hidden"]


def test_a_loss_that_was_not_expected() -> None:
    log = log_of(QUEEN)
    states = [state for state, _ in log.kept_steps()]
    found = Surprises(log, 0)
    for ply in (0, 2, 4):
        found.at_decision(ply, states[ply], look(0.1, QUEEN[ply], 0.1))
    (mark,) = found.at_end()
    assert (mark["ply"], mark["kind"]) == (6, "loss")
    assert mark["text"] == (
        "White lost the king on e1: of a3a4 the search had expected +0.10, the result was -1.00."
    )


def test_a_value_that_jumps_without_a_loss() -> None:
    log = log_of(QUEEN[:4])
    states = [state for state, _ in log.kept_steps()]
    found = Surprises(log, 0)
    assert not [
        m for m in found.at_decision(0, states[0], look(0, "f2f3", 0)) if m["kind"] != "hidden"
    ]
    marks = found.at_decision(2, states[2], look(0.35, "a2a3", 0.3))
    assert [mark["kind"] for mark in changes(marks)] == ["value"]
    assert found.at_end() == []  # the game is not over


def test_small_changes_are_no_surprise() -> None:
    log = log_of(QUEEN[:4])
    states = [state for state, _ in log.kept_steps()]
    found = Surprises(log, 0)
    found.at_decision(0, states[0], look(0, "f2f3", 0))
    assert not changes(found.at_decision(2, states[2], look(-0.29, "a2a3", 0)))


def test_a_piece_where_nobody_thought_it_is_marked_once() -> None:
    log = log_of(("f2f3", "e7e5", "a2a3", "d8g5", "a3a4", "a7a6", "b2b3", "b7b6"))
    line = [*log.kept_steps(), (log.state, Step("action", "", 0, 0.0))]
    home = {"k": {60: 1.0}, "r": {56: 1.0, 63: 1.0}, "b": {58: 1.0, 61: 1.0}, "n": {57: 1, 62: 1}}
    found, told = Surprises(log, 0), []
    for ply in (2, 4, 6, 8):
        places = {**home, "q": {59: 1.0, 38: 0.03}}
        told += found.at_decision(ply, line[ply][0], look(0, "", 0, **places))
    assert [(m["ply"], m["kind"]) for m in told] == [(4, "hidden")]
    assert told[0]["text"] == "Black's queen stood on g5; for White's search that was 3 % likely."


def test_a_piece_that_stays_is_told_once_and_no_later_move_is_blamed() -> None:
    """The search expects it there at some decisions, and at others it does not."""
    log = log_of(("f2f3", "e7e5", "a2a3", "d8g5", "a3a4", "a7a6", "b2b3", "g5g6", "b3b4", "a6a5"))
    line = [*log.kept_steps(), (log.state, Step("action", "", 0, 0.0))]
    home = {"k": {60: 1.0}, "r": {56: 1.0, 63: 1.0}, "b": {58: 1.0, 61: 1.0}, "n": {57: 1, 62: 1}}
    found, told = Surprises(log, 0), []
    for ply, share in ((4, 0.4), (6, 0.0), (8, 0.0), (10, 0.4)):
        there = 46 if ply >= 8 else 38
        places = {**home, "q": {59: 1.0, there: share}}
        told += found.at_decision(ply, line[ply][0], look(0, "", 0, **places))
        told += found.at_decision(ply, line[ply][0], look(0, "", 0, **{**places, "q": {there: 1}}))
        told += found.at_decision(ply, line[ply][0], look(0, "", 0, **places))
    words = "for White's search that was under 1 % likely."
    assert [(mark["ply"], mark["text"]) for mark in told] == [
        (6, f"Black's queen had stood on g5 since 2...Qg5; {words}"),
        (8, f"Black's queen stood on g6; {words}"),
    ]


def test_a_piece_that_never_moved_is_told_so() -> None:
    log = log_of(("f2f3", "e7e5", "a2a3", "d8g5", "a3a4"))
    home = {"k": {60: 1.0}, "r": {63: 1.0}, "b": {58: 1.0, 61: 1.0}, "n": {57: 1, 62: 1}}
    seen = look(0, "a3a4", 0, **home, q={38: 1.0})
    (mark,) = Surprises(log, 0).at_decision(4, log.kept_steps()[4][0], seen)
    words = "for White's search that was under 1 % likely."
    assert mark["text"] == f"Black's rook had stood on a8 from the start; {words}"


def test_a_piece_is_no_surprise_where_all_positions_count_the_same() -> None:
    """Of many positions each has a small share; that alone says nothing."""
    log = log_of(("f2f3", "e7e5", "a2a3", "d8g5", "a3a4"))
    seen = look(0, "a3a4", 0, q={38: 0.03})
    seen["doubted"] = {letter: [] for letter in seen["doubted"]}
    assert Surprises(log, 0).at_decision(4, log.kept_steps()[4][0], seen) == []


def test_nobody_is_surprised_by_resignation() -> None:
    log = log_of(QUEEN[:4])
    states = [state for state, _ in log.kept_steps()]
    found = Surprises(log, 0)
    found.at_decision(2, states[2], look(0.5, "a2a3", 0.5))
    log.apply(Step("resign", "", 0, 0.0))
    assert found.at_end() == []


def test_the_analysis_tells_of_surprises(tmp_path: Path) -> None:
    record = GameRecord("fog_chess", ("a", "b"), "", QUEEN, (-1.0, 1.0))
    with server(tmp_path / "games.sqlite3") as client:
        asked = {"name": "a.jsonl", "text": record.to_json()}
        made = client.post("/api/records", json=asked).json()
        key = {"X-Seat-Key": made["spectator_key"]}
        address = f"/api/games/{made['id']}/analysis"
        job = client.post(address, json={"seat": 0, "seconds": 0.3}, headers=key).json()["id"]
        events = events_until_end(client, job)
    assert events[-1]["status"] == "done", events[-2]
    log = log_of(QUEEN)
    states = [state for state, _ in log.kept_steps()]
    expected, known = [], Surprises(log, 0)
    for event in events:  # what a busy machine finds in this time differs, not what follows from it
        if event["type"] == "look":
            expected += known.at_decision(event["ply"], states[event["ply"]], event)
    expected += known.at_end()
    told = [event for event in events if event["type"] == "surprise"]
    assert [{name: one[name] for name in ("ply", "kind", "text")} for one in told] == expected
    assert any(event["type"] == "look" for event in events)
