"""``fogtree arena``."""

from __future__ import annotations

import json
from typing import Any

import pytest

from fogtree.arena import read_records, replay
from tests.support.command_line import play


def test_arena_prints_matches_cross_table_and_ratings(done: Any) -> None:
    names = "random,imperfect_greedy,greedy"
    out = done("arena", "cambia", "--agents", names, "--games", 40, "--workers", 1).output
    assert "random - imperfect_greedy" in out
    assert "win rate against" in out
    assert "rating" in out


def test_arena_tells_payoffs_where_they_are_more_than_wins(done: Any) -> None:
    done("solve", "kuhn_poker", "--output", "kuhn.npz")
    names = ["--agents", "tabular:kuhn.npz,random", "--games", 300, "--workers", 1]
    [match] = done("arena", "kuhn_poker", *names, "--json").document["matches"]
    mean = match["return_mean"]
    assert mean["value"] > 0
    half = mean["high"] - mean["value"]
    text = done("arena", "kuhn_poker", *names).output
    assert "payoff" in text
    assert f"{mean['value']:+.3f} ± {half:.3f}" in text
    assert "Elo counts who won, not how much" in text
    names = ["--agents", "greedy,random", "--games", 4, "--workers", 1]
    text = done("arena", "cambia", *names).output
    assert "payoff" not in text
    assert "Elo counts" not in text


def test_a_saved_run_sits_at_a_table_as_its_file_does(
    done: Any, command: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its folder is the same agent as the file that was written beside it."""
    done("solve", "kuhn_poker", "--iterations", 50, "--save", "run", "--output", "kuhn.npz")
    options = "--games", 60, "--workers", 1, "--json"
    results = [
        done("arena", "kuhn_poker", "--agents", f"tabular:{source},random", *options).document
        for source in ("run", "kuhn.npz")
    ]
    first, second = (document["matches"][0]["return_mean"] for document in results)
    assert first == second
    method = "--method", "exact", "--json"
    bounds = [
        command("exploit", "kuhn_poker", "--agent", f"tabular:{source}", *method).document["bounds"]
        for source in ("run", "kuhn.npz")
    ]
    assert bounds[0][0]["value"] == pytest.approx(bounds[1][0]["value"], abs=1e-12)
    out = play(command, monkeypatch, "1\n" * 4, "kuhn_poker", "--against", "tabular:run")
    assert "tabular:run" in out
    other = command("arena", "leduc_poker", "--agents", "tabular:run,random")
    assert other.status == 2
    assert "'run' is a run of 'kuhn_poker', and not of 'leduc_poker'" in other.errors


def test_arena_as_json_and_as_records(done: Any, tmp_path: Any) -> None:
    options = ["--games", 20, "--workers", 1, "--records", "games.jsonl", "--json"]
    document = done("arena", "cambia", "--agents", "greedy,random", *options).document
    [match] = document["matches"]
    assert match["games"] == 20
    assert match["win_rate"]["low"] < match["win_rate"]["value"] <= match["win_rate"]["high"]
    records = list(read_records(tmp_path / "games.jsonl"))
    assert len(records) == 20
    assert [list(replay(record))[-1].player for record in records] == [-2] * 20
    assert json.loads(records[0].to_json())["agents"] == ["greedy", "random"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("arena", "cambia", "--agents", "greedy"), "at least two different agents"),
        (("arena", "cambia", "--agents", "greedy,gredy"), "unknown agent for cambia 'gredy'"),
        (("arena", "kuhn_poker", "--agents", "search,rnd"), "unknown agent for kuhn_poker 'rnd'"),
        (("arena", "kuhn_poker", "--agents", "search(depth=1),random"), "setting of the search"),
        (("play", "kuhn_poker(players=3)", "--against", "search"), "is for two players, not 3"),
        (("arena", "cambia(hand=9)", "--agents", "all"), "hand must be at most 6"),
        (("play", "cambia", "--against", "nobody"), "unknown agent for cambia 'nobody'"),
        (("play", "cambia", "--as", "2"), "unknown seat of cambia '2'"),
        (("arena", "cambia", "--agents", "all", "--records", "no/x"), "there is no folder"),
    ],
)
def test_bad_input_is_one_line(command: Any, arguments: Any, message: str) -> None:
    outcome = command(*arguments)
    assert outcome.status == 2
    assert message in outcome.errors
    assert outcome.errors.count("\n") == 1


def test_the_search_in_the_arena_is_the_same_in_any_number_of_processes(
    done: Any, tmp_path: Any
) -> None:
    options = ["--agents", "search(steps=30),random", "--games", 60, "--json"]
    found = []
    for workers in (1, 2):
        file = tmp_path / f"{workers}.jsonl"
        more = ["--workers", workers, "--records", file]
        document = done("arena", "kuhn_poker", *options, *more).document
        found.append((document, list(read_records(file))))
    assert found[0] == found[1]
    assert len(found[0][1]) == 60
