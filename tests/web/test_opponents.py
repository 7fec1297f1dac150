"""Who plays on a server: levels of strength by their number, where other agents go by name."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest

pytest.importorskip("starlette", reason="needs the web app: pip install 'fogtree[web]'")

from fogtree import load_game
from fogtree.agents import Level
from fogtree.errors import OptionError
from fogtree.search.agent import SearchAgent
from fogtree.web.limits import Limits
from fogtree.web.opponents import Roster, takes_time
from fogtree.web.titles import agent_title

CHESS = load_game("fog_chess")
SHORT = 'fog_chess(fen="7k/5K2/8/8/8/8/8/6Q1 w - - 0 1")'
"""A game in which the king is taken after a few moves."""


def loaded(spec: str, *, against_people: bool = True) -> SearchAgent:
    limits = Limits(search_bytes=100_000_000, match_search_bytes=50_000_000, belief_positions=3000)
    found = Roster(limits).load(spec, CHESS, against_people=against_people)
    assert isinstance(found, SearchAgent)
    return found


@pytest.mark.parametrize("against_people", [True, False])
def test_a_level_is_held_to_the_limits_of_the_server(against_people: bool) -> None:
    level = loaded("level:7", against_people=against_people)
    assert level.name == "level:7"
    played = "search(steps=25, sample=128, cap=2000, purification=none)"
    assert level.settings == loaded(played, against_people=against_people).settings
    assert loaded("level:9").settings.cap == 3000  # of 20,000


def test_a_level_has_a_title_and_takes_time_as_its_agent_does(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert agent_title("level:10", CHESS) == "Level 10"
    assert takes_time("level:10", CHESS)
    levels = (Level(name="moves at once", agent="greedy", elo=1000, margin=0, seconds=0.0),)
    monkeypatch.setattr("fogtree.games.fog_chess.levels.LEVELS", levels)
    assert not takes_time("level:1", CHESS)


def test_a_level_that_sees_everything_does_not_play_against_people(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    levels = (Level(name="cheats", agent="all-seeing", elo=2000, margin=0, seconds=0.5),)
    monkeypatch.setattr("fogtree.games.fog_chess.levels.LEVELS", levels)
    with pytest.raises(OptionError, match="it cannot play against people"):
        Roster(Limits()).load("level:1", CHESS, against_people=True)
    Roster(Limits()).load("level:1", CHESS, against_people=False).close()


@pytest.mark.parametrize(
    ("game", "agent", "says"),
    [
        ("fog_chess", "level:11", "fog_chess has levels 1 to 10, not '11'"),
        ("fog_chess", "level:0", "fog_chess has levels 1 to 10, not '0'"),
        ("fog_chess", "level:", "unknown agent 'level'"),
        ("fog_chess", "level", "unknown agent 'level'"),
        ("fog_chess", "level(number=3)", "unknown agent 'level'"),
        ("kuhn_poker", "level:1", "unknown agent 'level'"),
    ],
)
def test_a_level_that_a_game_does_not_have_is_refused(
    study_client: Any, game: str, agent: str, says: str
) -> None:
    for path, asked in (
        ("/api/games", {"seats": [{}, {"agent": agent}]}),
        ("/api/match", {"agents": ["random", agent]}),
    ):
        answer = study_client.post(path, json={"game": game, **asked})
        assert answer.status_code == 400
        assert answer.json()["error"].startswith(says)


def test_a_level_plays_people(client: Any) -> None:
    from tests.support.web_games import new_game, play_to_the_end, seat

    made = new_game(client, SHORT, "level:3", None)
    with seat(client, made, 1) as socket:
        events = play_to_the_end(socket, random.Random(1))
    assert "fail" not in [event["type"] for event in events]


def test_levels_play_matches(
    study_client: Any, events_of: Callable[[str], list[dict[str, Any]]]
) -> None:
    asked = {"game": SHORT, "agents": ["level:2", "level:10"], "games": 2, "seconds": 0.05}
    events = events_of(study_client.post("/api/match", json=asked).json()["id"])
    assert events[0]["titles"] == {"level:2": "Level 2", "level:10": "Level 10"}
    assert events[0]["sees_everything"] == []
    (result,) = (event for event in events if event["type"] == "match")
    assert (result["first"], result["second"], result["games"]) == ("level:2", "level:10", 2)
