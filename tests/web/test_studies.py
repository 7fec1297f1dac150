"""Solutions, matches and saved runs, over the server's interface."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from fogtree import Strategy, compile, exploitability, load_game, solve

Events = Callable[[str], list[dict[str, Any]]]


def solved(client: Any, events_of: Events, game: str = "kuhn_poker") -> str:
    asked = {"game": game, "algorithms": ["cfr", "cfr+"], "iterations": 200}
    job: str = client.post("/api/lab", json=asked).json()["id"]
    assert events_of(job)[-1]["status"] == "done"
    return job


def test_the_exact_value_and_its_solution(study_client: Any, events_of: Events) -> None:
    job = solved(study_client, events_of)
    exact = study_client.get(f"/api/jobs/{job}/equilibrium").json()
    assert exact["value"] == pytest.approx(-1 / 18)
    asked = {"algorithm": "equilibrium", "path": ["J", "K", "bet"]}
    place = study_client.post(f"/api/jobs/{job}/place", json=asked).json()
    mix = {action["action"]: action["probability"] for action in place["actions"]}
    assert mix == pytest.approx({"fold": 0, "call": 1})


def test_no_exact_value_of_games_for_three(study_client: Any, events_of: Events) -> None:
    job = solved(study_client, events_of, "kuhn_poker(players=3)")
    exact = study_client.get(f"/api/jobs/{job}/equilibrium").json()
    assert exact["value"] is None
    assert "two-player" in exact["why"]


def test_a_strategy_is_downloaded(study_client: Any, events_of: Events) -> None:
    job = solved(study_client, events_of)
    answer = study_client.get(f"/api/jobs/{job}/strategy", params={"algorithm": "cfr+"})
    assert answer.headers["content-disposition"] == 'attachment; filename="kuhn_poker-cfr+.json"'
    document = answer.json()
    assert document["iteration"] == 200
    assert document["strategy"] == solve("kuhn_poker", "cfr+", iterations=200).strategy.to_dict()
    answer = study_client.get(f"/api/jobs/{job}/strategy", params={"algorithm": "nothing"})
    assert answer.status_code == 400


def test_a_strategy_of_a_running_solve_has_its_own_measurement(study_client: Any) -> None:
    asked = {"game": "leduc_poker", "algorithms": ["cfr"], "iterations": 10_000_000}
    job = study_client.post("/api/lab", json=asked).json()["id"]
    from tests.support.web_jobs import wait_for

    wait_for(study_client, job, lambda told: any(event["type"] == "point" for event in told))
    for _ in range(3):
        found = study_client.get(f"/api/jobs/{job}/strategy", params={"algorithm": "cfr"}).json()
        tree = compile("leduc_poker")
        strategy = Strategy.from_mapping(tree, found["strategy"])
        measured = exploitability(tree, strategy).exploitability
        assert found["exploitability"] == pytest.approx(measured)
    study_client.post(f"/api/jobs/{job}/stop")


def test_differences_lead_to_their_place(study_client: Any, events_of: Events) -> None:
    job = solved(study_client, events_of)
    query = {"first": "cfr", "second": "cfr+"}
    rows = study_client.get(f"/api/jobs/{job}/difference", params=query).json()["differences"]
    weights = [row["difference"] * row["reach"] for row in rows]
    assert rows
    assert weights == sorted(weights, reverse=True)
    for row in rows:
        asked = {"algorithm": "cfr", "path": row["path"]}
        place = study_client.post(f"/api/jobs/{job}/place", json=asked).json()
        assert place["infoset"] == row["infoset"]


def test_information_sets_are_listed_with_their_place(study_client: Any, events_of: Events) -> None:
    job = solved(study_client, events_of)
    query = {"algorithm": "cfr+", "contains": "K"}
    found = study_client.get(f"/api/jobs/{job}/infosets", params=query).json()
    assert found["count"] == len(found["infosets"]) == 4
    for row in found["infosets"]:
        asked = {"algorithm": "cfr+", "path": row["path"]}
        place = study_client.post(f"/api/jobs/{job}/place", json=asked).json()
        assert place == row


def test_every_algorithm_has_a_sentence(study_client: Any) -> None:
    rows = study_client.get("/api/algorithms").json()["algorithms"]
    assert [row["name"] for row in rows][:2] == ["cfr", "cfr+"]
    assert all(row["summary"].endswith(".") for row in rows)


@pytest.mark.parametrize(
    ("game", "count", "listed"),
    [
        ("kuhn_poker", 6, 6),
        ("leduc_poker", 30, 30),
        ("leduc_poker(ranks=5)", 90, 60),
        ("matching_pennies", 0, 0),
    ],
)
def test_the_number_of_deals_is_told(study_client: Any, game: str, count: int, listed: int) -> None:
    walk = study_client.post("/api/walk", json={"game": game, "iterations": 1}).json()
    assert (walk["deal_count"], len(walk["possible_deals"])) == (count, listed)


def test_steps_have_their_formulas_with_numbers(study_client: Any) -> None:
    asked = {"game": "kuhn_poker", "algorithm": "cfr+", "deals": ["JQ"]}
    step = study_client.post("/api/walk", json=asked).json()["steps"][0]
    assert step["worked"]["expected value"] == ["EV = 0.5 × (-1.25) + 0.5 × (-0.5) = -0.875"]
    assert step["worked"]["cumulative regret"][1] == "R′[bet]   = max(0 + 0.375, 0) = 0.375"


def test_a_tournament_has_scores_and_ratings(study_client: Any, events_of: Events) -> None:
    asked = {
        "game": "cambia",
        "agents": ["random", "greedy", "memory_heuristic"],
        "games": 10,
    }
    job = study_client.post("/api/match", json=asked).json()["id"]
    events = events_of(job)
    assert events[-1]["status"] == "done"
    assert events[0]["total"] == 30
    matches = [event for event in events if event["type"] == "match"]
    assert [(m["first"], m["second"]) for m in matches] == [
        ("random", "greedy"),
        ("random", "memory_heuristic"),
        ("greedy", "memory_heuristic"),
    ]
    assert all(m["wins"] + m["draws"] + m["losses"] == 10 for m in matches)
    end = next(event for event in events if event["type"] == "ratings")
    assert len(end["ratings"]) == 3
    assert end["has_stakes"] is False
    assert [m["has_stakes"] for m in matches] == [False] * 3
    assert end["scores"][0][0] is None
    assert end["scores"][0][1] == pytest.approx(1 - end["scores"][1][0])
    last = [event for event in events if event["type"] == "score"][-1]
    share, low, high = last["win_rate"]
    assert low - 1e-9 <= share <= high + 1e-9


def test_a_match_says_whether_games_are_won_by_different_amounts(
    study_client: Any, events_of: Events
) -> None:
    """Before the ratings, which a stopped tournament does not have."""
    asked = {"game": "leduc_poker", "agents": ["random", "equilibrium"], "games": 20}
    events = events_of(study_client.post("/api/match", json=asked).json()["id"])
    assert [event["has_stakes"] for event in events if event["type"] == "match"] == [True]


def test_the_games_of_a_match_can_be_opened(study_client: Any, events_of: Events) -> None:
    from fogtree.web.matches import KEPT_GAMES

    wanted = {"game": "kuhn_poker", "agents": ["random", "equilibrium"], "games": 30}
    job = study_client.post("/api/match", json=wanted).json()["id"]
    events_of(job)
    pair = {"first": "random", "second": "equilibrium"}
    games = study_client.post(f"/api/jobs/{job}/games", json=pair).json()["games"]
    assert [one["number"] for one in games] == list(range(1, KEPT_GAMES + 1))
    assert {tuple(one["agents"]) for one in games} == {
        ("random", "equilibrium"),
        ("equilibrium", "random"),
    }
    made = study_client.post(f"/api/jobs/{job}/games", json={**pair, "number": 2}).json()
    key = {"X-Seat-Key": made["spectator_key"]}
    review = study_client.get(f"/api/games/{made['id']}/review", headers=key).json()
    assert review["players"] == games[1]["agents"]
    assert review["returns"] == games[1]["returns"]
    for wrong in ({}, {"first": [], "second": {}}, {**pair, "number": 99}, {**pair, "number": "x"}):
        answer = study_client.post(f"/api/jobs/{job}/games", json=wrong)
        assert answer.status_code == 400
        assert "\n" not in answer.json()["error"]


def test_agents_that_see_everything_are_marked_in_a_match(
    study_client: Any, events_of: Events
) -> None:
    wanted = {"game": "cambia", "agents": ["random", "greedy"], "games": 2}
    begun = events_of(study_client.post("/api/match", json=wanted).json()["id"])[0]
    assert begun["sees_everything"] == ["greedy"]


def test_the_walk_through_has_the_average_after_each_iteration(study_client: Any) -> None:
    walk = study_client.post("/api/walk", json={"game": "kuhn_poker", "iterations": 3}).json()
    for iterations, averages in enumerate(walk["averages"], 1):
        run = solve("kuhn_poker", "cfr+", iterations=iterations)
        assert set(averages) == set(run.strategy.to_dict())
        for infoset, mix in averages.items():
            assert mix == pytest.approx(list(run.strategy[infoset].values()))


def test_a_match_is_stopped(study_client: Any, events_of: Events) -> None:
    asked = {"game": "kuhn_poker", "agents": ["random", "search(steps=10)"], "games": 100_000}
    job = study_client.post("/api/match", json=asked).json()["id"]
    study_client.post(f"/api/jobs/{job}/stop")
    assert events_of(job)[-1]["status"] == "stopped"


def test_a_stopped_match_goes_on_where_it_was(study_client: Any) -> None:
    from fogtree.web.jobs import Job, JobStopped
    from fogtree.web.limits import Limits
    from fogtree.web.matches import Contest, Request
    from fogtree.web.opponents import Roster

    asked = {"game": "kuhn_poker", "agents": ["random", "search(steps=10)"], "games": 20}
    games = study_client.app.state.study_games
    whole, halting = (Contest(Request.read(asked, Roster(Limits()), games)) for _ in range(2))
    plain, job = (Job("match", "", one.work, resumable=True) for one in (whole, halting))
    breaths = 0

    def breathe() -> None:
        nonlocal breaths
        breaths += 1
        if breaths == 4:
            raise JobStopped

    job.breathe = breathe  # type: ignore[method-assign]
    plain.run(), job.run()
    assert (plain.status, job.status) == ("done", "stopped")
    job.reopen()
    job.run()
    assert job.status == "done"
    assert breaths == 10 + 1  # one for each deal, and the one that stopped it
    results = [[e for e in one.events if e["type"] == "match"] for one in (plain, job)]
    assert {**results[0][0], "n": 0} == {**results[1][0], "n": 0}


def test_a_search_of_a_match_is_held_to_the_limits_of_the_server(
    study_client: Any, events_of: Events
) -> None:
    from fogtree.search.settings import SearchSettings
    from fogtree.web.limits import Limits
    from fogtree.web.matches import Request
    from fogtree.web.opponents import Roster

    limits, known = Limits(match_search_bytes=50_000_000), study_client.app.state.study_games
    large, small = "goofspiel(cards=13)", "kuhn_poker"
    agents = ["random", "search(threads=9, memory=80M)"]
    for game, compiled in ((large, False), (small, True)):
        request = Request.read({"game": game, "agents": agents}, Roster(limits), known)
        search = request.sides[agents[1]].player
        assert isinstance(search, SearchSettings)
        assert (search.compile, search.options.most_bytes) == (compiled, 50_000_000)
        assert search.threads <= limits.search_threads
    asked = {"game": large, "agents": ["random", "search"], "games": 2, "seconds": 0.01}
    events = events_of(study_client.post("/api/match", json=asked).json()["id"])
    (result,) = (event for event in events if event["type"] == "match")
    assert (result["first"], result["second"], result["games"]) == ("random", "search", 2)


@pytest.mark.parametrize(
    "change",
    [
        {"game": 3},
        {"agents": ["random"]},
        {"agents": ["random", "random"]},
        {"agents": ["random", "nobody"]},
        {"agents": ["random", "tabular:/etc/passwd"]},
        {"agents": ["random", "deep:/etc/passwd"]},
        {"agents": ["random", "search:/etc/passwd"]},
        {"agents": ["random", 'search(evaluator="/etc/passwd")']},
        {"games": 10**9},
        {"games": True},
        {"seed": -1},
        {"seconds": 1e9},
    ],
)
def test_wrong_matches_are_one_line(study_client: Any, change: dict[str, Any]) -> None:
    asked = {"game": "kuhn_poker", "agents": ["random", "search"], **change}
    answer = study_client.post("/api/match", json=asked)
    assert answer.status_code == 400
    assert "\n" not in answer.json()["error"]


def test_runs_of_a_folder(study_client: Any, runs_folder: Path) -> None:
    found = study_client.get("/api/runs").json()
    assert (found["folder"], found["runs"]) == (str(runs_folder.resolve()), [])
    solve(load_game("kuhn_poker"), iterations=100, save=runs_folder / "inner" / "kuhn")
    found = study_client.get("/api/runs").json()["runs"]
    assert [(run["name"], run["game"]) for run in found] == [("inner/kuhn", "kuhn_poker")]
    answer = study_client.get("/api/runs/metrics", params={"run": "inner/kuhn"})
    lines = answer.json()["lines"]
    assert lines[-1]["iteration"] == 100
    assert lines[-1]["exploitability"] > 0


def test_only_runs_of_the_folder_are_read(study_client: Any, runs_folder: Path) -> None:
    outside = runs_folder.parent / "outside"
    outside.mkdir()
    (outside / "metrics.jsonl").write_text('{"iteration": 1}\n')
    (runs_folder / "link").symlink_to(outside)
    for name in ("../outside", str(outside), "link", "", "nothing"):
        answer = study_client.get("/api/runs/metrics", params={"run": name})
        assert answer.status_code == 404


def test_long_and_damaged_metrics(study_client: Any, runs_folder: Path) -> None:
    folder = runs_folder / "training"
    folder.mkdir()
    lines = [
        json.dumps({"iteration": n, "losses": {"regret": 1 / n}, "text": "x"})
        for n in range(1, 2002)
    ]
    (folder / "metrics.jsonl").write_text("\n".join(["{", *lines, '{"iteration": 5']))
    asked = {"run": "training"}
    found = study_client.get("/api/runs/metrics", params=asked).json()["lines"]
    assert 300 <= len(found) <= 400
    assert set(found[-1]) == {"iteration", "losses.regret"}
