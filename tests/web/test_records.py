"""Records of games that are opened from files and reviewed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("starlette", reason="needs the web app: pip install 'fogtree[web]'")
pytest.importorskip("httpx", reason="the test client needs httpx")

from starlette.testclient import TestClient

import fogtree
from fogtree.arena.record import GameRecord, with_views
from fogtree.games.fog_chess.pgn import write_pgn
from fogtree.web import opened_records
from fogtree.web.limits import Limits
from tests.support.web_games import server


def chess_game() -> GameRecord:
    return fogtree.play("fog_chess", ["greedy", "random"], seed="7")


def opened(client: TestClient, name: str, text: str, **more: Any) -> dict[str, Any]:
    answer = client.post("/api/records", json={"name": name, "text": text, **more})
    assert answer.status_code in (200, 201), answer.text
    found: dict[str, Any] = answer.json()
    return found


def review_of(client: TestClient, made: dict[str, Any]) -> dict[str, Any]:
    key = {"X-Seat-Key": made["spectator_key"]}
    review: dict[str, Any] = client.get(f"/api/games/{made['id']}/review", headers=key).json()
    return review


@pytest.mark.parametrize("ending", ["jsonl", "json", "pgn"])
def test_a_game_of_chess_is_opened_and_reviewed(client: TestClient, ending: str) -> None:
    record = chess_game()
    text = write_pgn(record) if ending == "pgn" else with_views(record).to_json()
    made = opened(client, f"my game.{ending}", text)
    review = review_of(client, made)
    assert review["players"] == ["greedy", "random"]
    assert review["returns"] == list(record.returns)
    assert [ply["action"] for ply in review["plies"][1:]] == list(record.steps)
    assert review["plies"][0]["full"]["fen"].startswith("rnbqkbnr/pppppppp/8/8")
    key = {"X-Seat-Key": made["spectator_key"]}
    again = client.get(f"/api/games/{made['id']}/record", headers=key).text
    assert tuple(json.loads(again)["steps"]) == record.steps
    assert client.get(f"/api/games/{made['id']}/review").status_code == 404
    asked = {"seat": 1, "ply": 1, "seconds": 0.1}
    assert (
        client.post(f"/api/games/{made['id']}/analysis", json=asked, headers=key).status_code == 201
    )


@pytest.mark.parametrize("spec", ["kuhn_poker", "leduc_poker(players=3)", "cambia", "liars_dice"])
def test_records_of_other_games(client: TestClient, spec: str) -> None:
    players = fogtree.load_game(spec).players
    record = fogtree.play(spec, ["random"] * players, seed="3")
    review = review_of(client, opened(client, "game.jsonl", record.to_json()))
    assert review["returns"] == list(record.returns)
    assert len(review["plies"]) == len(record.steps) + 1


@pytest.mark.parametrize(
    ("ended", "resigned", "returns", "reason"),
    [
        (None, 0, (-1.0, 1.0), "white resigned"),
        ("time", 1, (1.0, -1.0), "black ran out of time"),
        ("agreement", None, (0.0, 0.0), "drawn by agreement"),
    ],
)
def test_how_a_recorded_game_ended(
    client: TestClient,
    ended: str | None,
    resigned: int | None,
    returns: tuple[float, ...],
    reason: str,
) -> None:
    record = GameRecord(
        "fog_chess", ("a", "b"), "", ("e2e4", "e7e5"), returns, resigned=resigned, ended=ended
    )
    review = review_of(client, opened(client, "game.jsonl", record.to_json()))
    assert review["reason"] == reason
    assert review["returns"] == list(returns)


def test_a_file_of_several_games_is_listed_first(client: TestClient) -> None:
    records = [fogtree.play("kuhn_poker", ["random"] * 2, seed=str(n)) for n in range(3)]
    text = "\n".join(record.to_json() for record in records)
    listed = opened(client, "games.jsonl", text)["games"]
    assert [one["number"] for one in listed] == [1, 2, 3]
    made = opened(client, "games.jsonl", text, game=2)
    assert review_of(client, made)["returns"] == list(records[1].returns)
    for wrong in (0, 4, "2", True, 1.0):
        content = {"name": "games.jsonl", "text": text, "game": wrong}
        answer = client.post("/api/records", json=content)
        assert answer.json() == {"error": "'game' is a number from 1 to 3"}


def problem(client: TestClient, name: Any, text: Any) -> str:
    answer = client.post("/api/records", json={"name": name, "text": text})
    assert answer.status_code == 400, answer.text
    error: str = answer.json()["error"]
    assert "\n" not in error
    assert "/tmp" not in error
    return error


def test_bad_files_are_refused_in_one_line(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    record = chess_game()
    good = record.to_json()
    assert problem(client, "a.exe", good) == "records are files that end in .pgn, .jsonl, .json"
    assert problem(client, "a.jsonl", "") == "'a.jsonl' has no games"
    assert "it is not JSON" in problem(client, "a.jsonl", "hello")
    assert "'a.jsonl', game 1, line 1" in problem(client, "../../a.jsonl", '{"fogtree": 3}')
    assert "newer fogtree" in problem(
        client, "a.jsonl", good.replace('"version": 1', '"version": 2')
    )
    moved = good.replace(record.steps[0], "a1a8")
    assert "'a1a8', is not possible" in problem(client, "a.jsonl", moved)
    turned = good.replace(f'"returns": {json.dumps(record.returns)}', '"returns": [0.0, 0.0]')
    assert "other returns" in problem(client, "a.jsonl", turned)
    other = write_pgn(record).replace("fogofwar", "atomic")
    assert "the variant is 'atomic'" in problem(client, "a.pgn", other)
    assert "unknown game" in problem(client, "a.jsonl", good.replace("fog_chess(", "chess960("))
    huge = good.replace('fog_chess(rules=\\"chesscom\\")', "leduc_poker(ranks=99999)")
    assert "too large" in problem(client, "a.jsonl", huge)
    for wrong in (None, 3, []):
        assert "'name' and the 'text'" in problem(client, "a.pgn", wrong)
        assert "'name' and the 'text'" in problem(client, wrong, good)
    monkeypatch.setattr(opened_records, "MOST_STEPS", 3)
    assert "at most 3 can be opened" in problem(client, "a.jsonl", good)


def test_a_file_that_is_too_large(tmp_path: Path) -> None:
    limits = Limits(upload_bytes=5000)
    with server(tmp_path / "games.sqlite3", limits=limits) as client:
        answer = client.post("/api/records", json={"name": "a.pgn", "text": "x" * 5000})
        assert answer.status_code == 413
        assert answer.json() == {"error": "a request may have at most 5000 bytes"}


def test_the_latest_opened_games_are_kept(tmp_path: Path) -> None:
    limits = Limits(opened_records=2)
    hands = [fogtree.play("kuhn_poker", ["random"] * 2, seed=str(n)).to_json() for n in range(4)]
    with server(tmp_path / "games.sqlite3", limits=limits) as client:
        played = client.post(
            "/api/games", json={"game": "kuhn_poker", "seats": [{}, {"agent": "random"}]}
        ).json()
        made = [opened(client, "hand.jsonl", hand) for hand in hands]
        storage = client.app.state.hub.storage  # type: ignore[attr-defined]
        assert [storage.find_game(one["id"]) is None for one in made] == [True, True, False, False]
        assert [storage.steps(one["id"]) == [] for one in made] == [True, True, False, False]
        assert storage.find_game(played["id"]) is not None
        key = {"X-Seat-Key": made[-1]["spectator_key"]}
        assert client.get(f"/api/games/{made[-1]['id']}/review", headers=key).status_code == 200


def test_an_opened_game_is_there_after_a_restart(tmp_path: Path) -> None:
    file = tmp_path / "games.sqlite3"
    with server(file) as client:
        made = opened(client, "game.jsonl", chess_game().to_json())
        review = review_of(client, made)
    with server(file) as client:
        assert review_of(client, made) == review
