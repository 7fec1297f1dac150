"""Puzzles over HTTP: a question tells what its seat may know, the answer the rest."""

from __future__ import annotations

import json
import random
import re
from dataclasses import replace

import pytest

pytest.importorskip("starlette", reason="needs the web app: pip install 'fogtree[web]'")
pytest.importorskip("httpx", reason="the test client needs httpx")

from starlette.testclient import TestClient

from fogtree.games.fog_chess.puzzles import puzzles
from fogtree.web.puzzles import question_document
from tests.support.fog_chess_twins import twin_games

FEN = re.compile(r"(?:[1-8pnbrqkPNBRQK]{1,8}/){7}")
ADDRESS = "/api/puzzles/fog_chess"


def test_the_list_tells_no_solution(client: TestClient) -> None:
    listed = client.get(ADDRESS).json()["puzzles"]
    assert len(listed) == len(puzzles()) >= 30
    assert all(set(one) == {"id", "level"} for one in listed)
    assert len({one["id"] for one in listed}) == len(listed)


def test_a_question_has_the_view_and_the_moves_of_its_seat(client: TestClient) -> None:
    for puzzle in random.Random(1).sample(puzzles(), 10):
        text = client.get(f"{ADDRESS}/{puzzle.id}").text
        question = json.loads(text)
        end = puzzle.history().end
        seat = end.player
        last = question["events"][-1]
        assert question["seat"] == seat
        assert last["view"]["marks"] == "".join(end.observation(seat).marks())
        assert {one["action"] for one in last["actions"]} == {m.action for m in puzzle.moves}
        assert not FEN.search(text)
        for word in ("probability", "value", "candidates", "right", "played", "full", "positions"):
            assert f'"{word}"' not in text


def test_questions_that_look_the_same_are_the_same_bytes() -> None:
    """Two games that one side cannot tell apart ask that side the same question."""
    compared = 0
    for number in range(20):
        twins = twin_games(number % 2, 700 + number, 20)
        first, second = (
            line[: len(line) - ((len(line) - twins.player) % 2)]
            for line in (twins.first, twins.second)
        )
        if len(first) % 2 != twins.player or first == second:
            continue
        made = [replace(puzzles()[0], steps=tuple(line)) for line in (first, second)]
        asked = [{**question_document(one), "id": ""} for one in made]
        assert json.dumps(asked[0]) == json.dumps(asked[1])
        compared += 1
    assert compared >= 8


def test_the_answer_has_the_mix_the_values_and_the_truth(client: TestClient) -> None:
    puzzle = puzzles()[0]
    address = f"{ADDRESS}/{puzzle.id}"
    right = client.post(address, json={"action": puzzle.best.action}).json()
    assert right["right"]
    assert right["chosen"] == right["candidates"][0]["action"] == puzzle.best.action
    assert right["plies"][-1]["full"]["fen"] == puzzle.history().end.fen
    assert len(right["plies"]) == len(puzzle.steps) + 1
    assert sum(one["probability"] for one in right["candidates"]) == pytest.approx(1, abs=0.02)
    assert right["reply"] is None
    end = puzzle.history().end
    assert right["after"]["full"]["fen"] == end.child(puzzle.best.action).fen
    wrong = client.post(address, json={"action": puzzle.moves[-1].action}).json()
    after = end.child(puzzle.moves[-1].action)
    assert wrong["after"]["full"]["fen"] == after.fen
    assert wrong["reply"]["action"] in after.actions()
    assert not wrong["right"]
    gave_up = client.post(address, json={"give_up": True}).json()
    assert (gave_up["right"], gave_up["chosen"]) == (False, None)


def test_wrong_requests_are_one_line(client: TestClient) -> None:
    address = f"{ADDRESS}/{puzzles()[0].id}"
    for content in ({}, {"action": "e1e9"}, {"action": None}, {"action": ["e2e4"]}):
        answer = client.post(address, json=content)
        assert answer.status_code == 400
        assert answer.json() == {"error": "that is not a legal action here"}
    answer = client.get(f"{ADDRESS}/nothing")
    assert (answer.status_code, answer.json()["error"]) == (400, "there is no puzzle 'nothing'")
    assert client.get("/api/puzzles/no_game").status_code == 400
    assert client.get("/api/puzzles/kuhn_poker").json() == {"puzzles": []}
