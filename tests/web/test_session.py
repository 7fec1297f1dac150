"""Sessions: a cancelled one loses no step, and one that is unloaded leaves no memory behind."""

from __future__ import annotations

import asyncio
import gc
import random
import time
import weakref
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("starlette", reason="needs the web app: pip install 'fogtree[web]'")

from fogtree.agents import Decision
from fogtree.agents.budget import Budget
from fogtree.errors import GameError
from fogtree.game import CHANCE, State
from fogtree.registry import load_game
from fogtree.web.engines import Engines
from fogtree.web.following import FollowingAgent
from fogtree.web.game_log import GameLog
from fogtree.web.hub import GameHub, ServerFull
from fogtree.web.limits import Limits
from fogtree.web.opponents import Roster
from fogtree.web.players import Chosen, Players
from fogtree.web.session import Session
from fogtree.web.storage import GameSetup, SeatSetup, Step, Storage

LIMITS = Limits(agent_seconds=0.002)
HOUR = 3600
PHANTOM_TTT = load_game("phantom_ttt")
REQUEST: dict[str, Any] = {"game": "fog_chess", "seats": [{}, {"agent": "random"}]}


async def act(session: Session, luck: random.Random) -> None:
    """Make one move as soon as it is the person's turn."""
    listener = session.listen(0, 0, lambda event: None)
    events = session.log.logs[0]
    while not session.over and not (events[-1]["type"] == "view" and events[-1]["turn"]):
        await asyncio.sleep(0.001)
    if not session.over:
        action = luck.choice(events[-1]["actions"])["action"]
        message = {"type": "act", "at": events[-1]["n"], "action": action}
        assert session.handle(listener, message) is None
    session.leave(listener)


def test_a_session_closed_at_any_moment_loses_nothing(tmp_path: Path) -> None:
    luck = random.Random(2)

    async def play() -> None:
        storage = Storage(tmp_path / "games.sqlite3")
        hub = GameHub(storage, LIMITS)
        game = hub.new_game(REQUEST).id
        for _ in range(40):
            session = await hub.session(game)
            assert session is not None
            await act(session, luck)
            if session.over:
                break
            await asyncio.sleep(luck.uniform(0, 0.006))
            shown = [dict(event) for event in session.log.logs[0]]
            await session.close()
            hub._sessions.clear()
            assert storage.steps(game) == session.log.steps
            again = await hub.session(game)
            assert again is not None
            assert again.log.logs[0][: len(shown)] == shown
        await hub.close()
        storage.close()

    asyncio.run(play())


def test_unloaded_games_leave_no_memory_behind(tmp_path: Path) -> None:
    async def play() -> None:
        storage = Storage(tmp_path / "games.sqlite3")
        hub = GameHub(storage, Limits(agent_seconds=0.002, loaded_games=3))
        seen: list[weakref.ref[Session]] = []
        for number in range(12):
            session = await hub.session(hub.new_game(REQUEST).id)
            assert session is not None
            seen.append(weakref.ref(session))
            await act(session, random.Random(number))
            assert hub.loaded <= 3
        del session
        await hub.close()
        await asyncio.sleep(0)
        gc.collect()
        assert [one() for one in seen] == [None] * 12
        storage.close()

    asyncio.run(play())


def test_games_with_somebody_there_are_not_unloaded(tmp_path: Path) -> None:
    async def play() -> None:
        storage = Storage(tmp_path / "games.sqlite3")
        hub = GameHub(storage, Limits(loaded_games=2, engines=1))
        search = {**REQUEST, "seats": [{}, {"agent": "search"}]}
        games = [hub.new_game(request).id for request in (search, search, REQUEST, REQUEST)]
        first = await hub.session(games[0])
        assert first is not None
        listener = first.listen(0, 0, lambda event: None)
        with pytest.raises(ServerFull):
            await hub.session(games[1])
        other = await hub.session(games[2])
        assert other is not None
        await hub.session(games[3])  # in place of the other one, where nobody is
        assert await hub.session(games[0]) is first
        first.leave(listener)
        assert await hub.session(games[1]) is not None
        await hub.close()
        storage.close()

    asyncio.run(play())


async def search_game(hub: GameHub, **more: Any) -> Session:
    """A game in which the search has made a move, and nobody is connected any more."""
    request = {**REQUEST, "seats": [{}, {"agent": "search(steps=20)"}], "move_seconds": 0.05}
    session = await hub.session(hub.new_game({**request, **more}).id)
    assert session is not None
    await act(session, random.Random(1))
    while session.log.turn != 0:
        await asyncio.sleep(0.002)
    return session


def agents_of(session: Session) -> list[weakref.ref[Any]]:
    return [weakref.ref(player.agent) for player in session.players._players.values()]


@pytest.mark.long
@pytest.mark.parametrize("clock", [None, {"seconds": 120}])
def test_a_browser_that_vanishes_frees_its_engine(
    tmp_path: Path, clock: dict[str, int] | None
) -> None:
    async def play() -> None:
        storage = Storage(tmp_path / "games.sqlite3")
        hub = GameHub(storage, Limits(agent_seconds=0.002, idle_seconds=HOUR))
        session = await search_game(hub, clock=clock)
        watching = session.listen(0, 0, lambda event: None)
        (agent,) = agents_of(session)
        session.idle_since -= HOUR + 1  # an hour goes by
        await hub.unload_idle()
        assert agent() is not None, "somebody is still there"
        session.leave(watching)
        await hub.unload_idle()
        assert agent() is not None, "the person may come back soon"
        session.idle_since -= HOUR + 1
        await hub.unload_idle()
        gc.collect()
        assert agent() is None
        assert hub.loaded == (0 if clock is None else 1)  # its clock goes on
        again = await hub.session(session.setup.id)
        assert again is not None
        await act(again, random.Random(2))
        while again.log.turn != 0:
            await asyncio.sleep(0.002)
        await hub.close()
        storage.close()

    asyncio.run(play())


def test_the_end_of_a_game_frees_its_engine(tmp_path: Path) -> None:
    async def play() -> None:
        storage = Storage(tmp_path / "games.sqlite3")
        hub = GameHub(storage, Limits(agent_seconds=0.002))
        session = await search_game(hub)
        watching = session.listen(0, 0, lambda event: None)
        (agent,) = agents_of(session)
        assert session.handle(watching, {"type": "resign"}) is None
        while agents_of(session):
            await asyncio.sleep(0.002)
        gc.collect()
        assert agent() is None
        await hub.close()
        storage.close()

    asyncio.run(play())


def test_an_agent_that_fails_plays_at_random_and_people_are_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fails(*_: Any) -> None:
        raise GameError("no position fits")

    monkeypatch.setattr("fogtree.web.following.FollowingAgent.act", fails)
    luck = random.Random(3)

    async def play() -> None:
        storage = Storage(tmp_path / "games.sqlite3")
        hub = GameHub(storage, LIMITS)
        game = hub.new_game({"game": "phantom_ttt", "seats": [{}, {"agent": "random"}]}).id
        session = await hub.session(game)
        assert session is not None
        while not session.over:
            await act(session, luck)
            if not session.over and session.log.random_since:
                break
        events = session.log.logs[0]
        assert [event["by"] for event in events if event["type"] == "fail"] == [1]
        await session.close()
        hub._sessions.clear()
        again = await hub.session(game)  # as it was stored
        assert again is not None
        assert again.log.random_since == {1: 1}
        while not again.over:
            await act(again, luck)
        told = [event["type"] for event in again.log.logs[0]]
        assert told.count("fail") == 1
        await hub.close()
        storage.close()
        said = [record.getMessage() for record in caplog.records]
        last = f"game {game}, seat 1: agent 'random' failed and plays at random: GameError"
        assert said.pop() == last
        assert said in ([], [last.replace("plays at random", "is started once more")])

    with caplog.at_level("WARNING", "fogtree.web"):
        asyncio.run(play())


def test_an_agent_that_fails_at_an_attempt_in_secret_is_told_of_with_its_next_move(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: Any) -> None:
        raise GameError("no position fits")

    tries = iter(["a1", "b1"])  # "a1" is the person's, and the agent cannot know that

    async def play() -> None:
        storage = Storage(tmp_path / "games.sqlite3")
        hub = GameHub(storage, LIMITS)
        game = hub.new_game({"game": "phantom_ttt", "seats": [{}, {"agent": "random"}]}).id
        session = await hub.session(game)
        assert session is not None
        listener = session.listen(0, 0, lambda event: None)
        at = session.log.logs[0][-1]["n"]
        assert session.handle(listener, {"type": "act", "at": at, "action": "a1"}) is None
        while session.log.turn == 1 and not session.failed:
            await asyncio.sleep(0.001)
        steps, events = storage.steps(game), session.log.logs[0]
        await hub.close()
        storage.close()
        assert [(step.kind, step.value) for step in steps] == [
            ("action", "a1"),
            ("fail", ""),
            ("action", "a1"),
            ("action", "b1"),
        ]
        assert [event["type"] for event in events] == ["start", "view", "view", "fail", "view"]
        # Killed after the attempt in secret, the server tells the same after it has started again.
        log = GameLog(session.setup, session.game)
        log.apply_all(steps[:3])
        assert log.random_since == {1: 1}
        assert log.logs[0] == events[:3]
        log.apply(steps[3])
        assert log.logs[0] == events

    monkeypatch.setattr("fogtree.web.following.FollowingAgent.act", fails)
    for module in ("players", "session"):
        monkeypatch.setattr(f"fogtree.web.{module}.random_action", lambda _: next(tries))
    asyncio.run(play())


def players_of_a_new_game() -> Players:
    """The agents of a game that begins: one that plays at random, in the seat that moves first."""
    setup = GameSetup("g", "phantom_ttt", (SeatSetup(agent="random"), SeatSetup()), "s", 0.0, "w")
    return Players(setup, PHANTOM_TTT, Roster(LIMITS), Engines(LIMITS))


def first_decision(players: Players, seconds: float = HOUR) -> Chosen:
    """What the first seat's agent decides in so many seconds at the beginning of the game."""
    return players.decide(0, [], PHANTOM_TTT.root(), time.monotonic() + seconds)


@pytest.mark.parametrize(
    ("failures", "left", "acts", "failed"),
    [
        (1, HOUR, 2, False),  # the agent that was started anew decides
        (2, HOUR, 2, True),
        (1, -1, 1, True),  # there is no time to start it anew
    ],
)
def test_an_agent_that_fails_is_started_once_more_if_there_is_time(
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    failures: int,
    left: float,
    acts: int,
    failed: bool,
) -> None:
    agents: list[FollowingAgent] = []
    act = FollowingAgent.act

    def fails(self: FollowingAgent, budget: Budget) -> Decision:
        agents.append(self)
        if len(agents) <= failures:
            raise GameError("no position fits")
        return act(self, budget)

    monkeypatch.setattr(FollowingAgent, "act", fails)
    chosen = first_decision(players_of_a_new_game(), left)
    assert chosen.failed == failed
    assert len(set(map(id, agents))) == len(agents) == acts
    said = "\n".join(record.getMessage() for record in caplog.records)
    assert said.count("failed and is started once more") == acts - 1
    assert said.count("failed and plays at random") == failed


def test_the_failure_of_a_forgotten_agent_does_not_touch_its_successor(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    players, successors = players_of_a_new_game(), []

    def fails_after_the_next_decision(*_: Any) -> None:
        monkeypatch.undo()
        players.forget()
        assert not first_decision(players).failed
        successors.append(players._players[0])
        raise GameError("stopped")

    monkeypatch.setattr(FollowingAgent, "act", fails_after_the_next_decision)
    first_decision(players)
    assert successors == [players._players[0]]
    assert not caplog.records


def test_an_agent_that_is_forgotten_while_it_starts_is_not_seated(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    players, load, successors = players_of_a_new_game(), Roster.load, []

    def slow_load(self: Roster, *given: Any, **more: Any) -> Any:
        monkeypatch.undo()
        players.forget()
        assert not first_decision(players).failed
        successors.append(players._players[0])
        return load(self, *given, **more)

    monkeypatch.setattr(Roster, "load", slow_load)
    assert first_decision(players).failed
    assert successors == [players._players[0]]
    assert not caplog.records


def test_people_are_told_of_a_failure_each_with_what_the_agent_shows_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """At first the third player does not see what the agent does."""
    seats = (SeatSetup(agent="random"), SeatSetup(key="a"), SeatSetup(key="b"))
    spec = "kuhn_poker(players=3)"
    log = GameLog(GameSetup("g", spec, seats, "seed", 0.0, "watch"), load_game(spec))
    seat_view, blind = log.view.seat_view, {2}

    def dimmed(state: State, seat: int) -> dict[str, Any]:
        return {"kind": "text"} if seat in blind else seat_view(state, seat)

    monkeypatch.setattr(log.view, "seat_view", dimmed)
    for card in ("J", "Q", "K"):
        log.apply(Step("chance", card, CHANCE, 0.0))
    before = [len(events) for events in log.logs]
    log.apply(Step("fail", "", 0, 0.0))
    log.apply(Step("action", "check", 0, 0.0))
    assert [event["type"] for event in log.logs[1][before[1] :]] == ["fail", "view"]
    assert len(log.logs[2]) == before[2]
    log.apply(Step("action", "check", 1, 0.0))
    log.apply(Step("action", "bet", 2, 0.0))
    assert [event["type"] for event in log.logs[2][before[2] :]] == ["view", "view"]
    blind.clear()
    log.apply(Step("action", "call", 0, 0.0))
    assert [event["type"] for event in log.logs[2][-2:]] == ["fail", "view"]
    assert [event["type"] for event in log.logs[1]].count("fail") == 1
