"""Clocks: increments, flags, taking back, and time while nobody is there."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("starlette", reason="needs the web app: pip install 'fogtree[web]'")

from fogtree.errors import OptionError
from fogtree.game import State
from fogtree.registry import load_game
from fogtree.web import session as session_module
from fogtree.web.engines import Engines
from fogtree.web.game_log import GameLog
from fogtree.web.hub import GameHub
from fogtree.web.limits import Limits
from fogtree.web.players import Chosen, Players
from fogtree.web.session import Listener, Session
from fogtree.web.storage import GameSetup, SeatSetup, Step, Storage

LIMITS = Limits(agent_seconds=0.01)


def new_log(seconds: float, increment: float) -> GameLog:
    seats = (SeatSetup(key="a"), SeatSetup(key="b"))
    setup = GameSetup("x", "fog_chess", seats, "s", 0.0, "c", clock=(seconds, increment))
    return GameLog(setup, load_game("fog_chess"))


def clock_of(log: GameLog, seat: int = 0) -> list[float]:
    found: list[float] = [e for e in log.logs[seat] if e["type"] == "view"][-1]["clock"]
    return found


def test_increments_are_added_after_a_move() -> None:
    log = new_log(60, 5)
    assert clock_of(log) == [60, 60]
    log.apply(Step("action", "e2e4", 0, 10.0))
    assert clock_of(log) == [55, 60]
    assert log.clocks(13.0) == [55, 57]
    log.apply(Step("action", "e7e5", 1, 12.0))
    assert clock_of(log) == [55, 63]
    assert log.flag_time == 12 + 55


def test_the_time_left_after_every_move_is_known_at_the_end() -> None:
    log = new_log(60, 5)
    for at, move in ((10.0, "e2e4"), (12.0, "e7e5"), (30.0, "d2d4"), (33.0, "d7d5")):
        log.apply(Step("action", move, log.turn or 0, at))
    assert log.seconds_left() == [55, 63, 42, 65]
    log.apply(Step("takeback", "3", 1, 40.0))
    log.apply(Step("action", "a7a6", 1, 41.0))
    assert log.seconds_left() == [55, 63, 42, 67]


def test_a_take_back_restores_the_clocks() -> None:
    log = new_log(60, 5)
    for at, move in ((10.0, "e2e4"), (12.0, "e7e5"), (30.0, "d2d4"), (33.0, "d7d5")):
        log.apply(Step("action", move, log.turn or 0, at))
    assert clock_of(log) == [42, 65]
    log.apply(Step("takeback", "2", 0, 50.0))
    assert clock_of(log) == [55, 63]
    assert log.flag_time == 50 + 55  # the time until it was taken back counts for nobody
    log.apply(Step("action", "a2a3", 0, 51.0))
    assert clock_of(log) == [59, 63]


class Watch:
    """A monotonic clock that is moved by hand."""

    def __init__(self) -> None:
        self.now = 1000.0

    def monotonic(self) -> float:
        return self.now


@pytest.fixture
def watch(monkeypatch: pytest.MonkeyPatch) -> Watch:
    """The clock of all sessions, which stands still unless the test moves it."""
    found = Watch()
    monkeypatch.setattr(session_module.time, "monotonic", found.monotonic)
    return found


@asynccontextmanager
async def hub_of(file: Path) -> AsyncIterator[GameHub]:
    storage = Storage(file)
    hub = GameHub(storage, LIMITS)
    yield hub
    await hub.close()
    storage.close()


REQUEST: dict[str, Any] = {
    "game": "fog_chess",
    "seats": [{}, {}],
    "clock": {"seconds": 60, "increment": 1},
}


async def opened(hub: GameHub, game: str) -> Session:
    session = await hub.session(game)
    assert session is not None
    return session


async def started(hub: GameHub, game: str) -> Session:
    """A session whose clocks run, because both people were there."""
    session = await opened(hub, game)
    for person in (0, 1):
        session.leave(session.listen(person, 0, lambda event: None))
    return session


def test_a_flag_falls_while_nobody_is_connected(tmp_path: Path) -> None:
    async def play() -> None:
        async with hub_of(tmp_path / "a") as hub:
            clock = {"seconds": 1, "increment": 0}
            session = await started(hub, hub.new_game({**REQUEST, "clock": clock}).id)
            assert session.runs_by_itself
            for _ in range(1000):
                if session.over:
                    break
                await asyncio.sleep(0.01)
            assert session.log.result is not None
            assert session.log.result.reason == "white ran out of time"
            assert session.log.result.returns == (-1, 1)
            assert not session.runs_by_itself

    asyncio.run(play())


def test_a_move_after_the_time_is_over_comes_too_late(tmp_path: Path, watch: Watch) -> None:
    async def play() -> None:
        async with hub_of(tmp_path / "a") as hub:
            session = await started(hub, hub.new_game(REQUEST).id)
            events: list[dict[str, Any]] = []
            listener = session.listen(0, 0, events.append)
            watch.now += 60.5
            move = {"type": "act", "at": 2, "action": "e2e4"}
            assert session.handle(listener, move) == "your time has run out"
            assert events[-1]["type"] == "over"

    asyncio.run(play())


def test_time_while_the_server_is_down_does_not_count(tmp_path: Path, watch: Watch) -> None:
    async def first() -> str:
        async with hub_of(tmp_path / "a") as hub:
            game = hub.new_game(REQUEST).id
            session = await started(hub, game)
            listener = session.listen(0, 0, lambda event: None)
            watch.now += 10
            assert session.handle(listener, {"type": "act", "at": 2, "action": "e2e4"}) is None
            return game

    async def second(game: str) -> None:
        async with hub_of(tmp_path / "a") as hub:
            session = await opened(hub, game)
            watch.now += 5
            events: list[dict[str, Any]] = []
            listener = session.listen(1, 0, events.append)
            assert events[-1] == {"type": "clock", "clock": [51, 55], "waiting": []}
            at = events[-2]["n"]
            assert session.handle(listener, {"type": "act", "at": at, "action": "e7e5"}) is None
            assert [e for e in events if e["type"] == "view"][-1]["clock"] == [51, 56]

    game = asyncio.run(first())
    watch.now += 10_000
    asyncio.run(second(game))


def clocks_in(events: list[dict[str, Any]]) -> list[Any]:
    """The clocks of the last event that has them, and for whom they wait."""
    last = [event for event in events if event["type"] == "clock"][-1]
    return [last["clock"], last["waiting"]]


def test_clocks_wait_until_both_people_have_come(tmp_path: Path, watch: Watch) -> None:
    """White moves at once; the time until Black comes counts for nobody, also if the server is
    started again meanwhile."""
    white: list[dict[str, Any]] = []
    black: list[dict[str, Any]] = []

    async def first() -> str:
        async with hub_of(tmp_path / "a") as hub:
            session = await opened(hub, hub.new_game(REQUEST).id)
            listener = session.listen(0, 0, white.append)
            assert clocks_in(white) == [[60, 60], [1]]
            watch.now += 100
            assert session.handle(listener, {"type": "act", "at": 2, "action": "e2e4"}) is None
            assert white[-1]["clock"] == [60, 60]
            watch.now += 100
            session.handle(listener, {"type": "present"})
            assert white[-1] == {"type": "present", "seats": [0], "waiting": [1]}
            session.leave(listener)
            assert not session.runs_by_itself
            return session.setup.id

    async def second(game: str) -> None:
        async with hub_of(tmp_path / "a") as hub:
            session = await opened(hub, game)
            session.listen(0, 0, white.append)
            assert clocks_in(white) == [[60, 60], [1]]
            watch.now += 100
            listener = session.listen(1, 0, black.append)
            assert clocks_in(white) == clocks_in(black) == [[60, 60], []]
            assert session.runs_by_itself
            watch.now += 10
            at = [event for event in black if event["type"] == "view"][-1]["n"]
            assert session.handle(listener, {"type": "act", "at": at, "action": "e7e5"}) is None
            assert black[-1]["clock"] == [60, 51]
            watch.now += 60
            late = {"type": "act", "at": white[-1]["n"], "action": "d2d4"}
            assert session.handle(session.listen(0, 0, white.append), late) is not None
            assert session.over

    async def third(game: str) -> None:
        """Who has come once is not waited for again."""
        async with hub_of(tmp_path / "a") as hub:
            assert (await opened(hub, game)).log.missing == []

    game = asyncio.run(first())
    watch.now += 10_000
    asyncio.run(second(game))
    asyncio.run(third(game))


def test_people_who_come_are_told_by_nothing_but_the_clock(tmp_path: Path) -> None:
    """The numbered events of a seat are the same whoever comes first."""

    async def play(order: tuple[int, int]) -> list[list[dict[str, Any]]]:
        async with hub_of(tmp_path / f"{order}") as hub:
            session = await opened(hub, hub.new_game(REQUEST).id)
            for person in order:
                session.listen(person, 0, lambda event: None)
            return session.log.logs

    assert asyncio.run(play((0, 1))) == asyncio.run(play((1, 0)))


def test_an_agent_keeps_to_its_clock(tmp_path: Path) -> None:
    """Its moves are dated by the schedule, which follows from its clock."""

    async def play() -> None:
        async with hub_of(tmp_path / "a") as hub:
            request = {**REQUEST, "seats": [{}, {"agent": "random"}]}
            session = await opened(hub, hub.new_game(request).id)
            listener = session.listen(0, 0, lambda event: None)
            for _ in range(3):
                events = session.log.logs[0]
                while not (events[-1]["type"] == "view" and events[-1]["turn"]):
                    await asyncio.sleep(0.01)
                action = events[-1]["actions"][0]["action"]
                message = {"type": "act", "at": events[-1]["n"], "action": action}
                assert session.handle(listener, message) is None
            session.handle(listener, {"type": "resign"})
            steps = [step for step in session.log.steps if step.kind == "action"]
            for mine, reply in zip(steps[::2], steps[1::2], strict=False):
                slots = (reply.at - mine.at - LIMITS.agent_seconds) / LIMITS.slot_seconds
                assert slots == pytest.approx(round(slots), abs=0.05)

    asyncio.run(play())


@pytest.mark.parametrize(
    ("agent", "asked", "clock", "given"),
    [
        ("search(steps=100)", 0.3, (180, 2), 0.3),
        ("search", 0.5, (180, 2), 0.5),
        ("search", 5, (180, 2), 5),
        ("search", 5, (60, 0), 2),  # a share of what is left
        ("search", 2, None, 2),
        ("random", 5, (180, 2), LIMITS.agent_seconds),
    ],
)
def test_a_clock_gives_an_agent_no_more_time_than_its_level(
    tmp_path: Path,
    watch: Watch,
    monkeypatch: pytest.MonkeyPatch,
    agent: str,
    asked: float,
    clock: tuple[float, float] | None,
    given: float,
) -> None:
    deadlines: list[float] = []

    def decide(_: Players, seat: int, line: object, state: State, deadline: float) -> Chosen:
        deadlines.append(deadline)
        return Chosen("e2e4")

    async def play() -> None:
        async with hub_of(tmp_path / "a") as hub:
            request = {**REQUEST, "seats": [{"agent": agent}, {}], "move_seconds": asked}
            request["clock"] = clock and {"seconds": clock[0], "increment": clock[1]}
            await opened(hub, hub.new_game(request).id)
            while not deadlines:
                await asyncio.sleep(0)
            margin = min(Engines(LIMITS).margin, given / 2)
            assert deadlines[0] - watch.now == pytest.approx(given - margin)

    monkeypatch.setattr(Players, "decide", decide)
    asyncio.run(play())


SNAPS: dict[str, Any] = {
    "game": "cambia(snap_window='always')",
    "seats": [{}, {"agent": "random"}],
    "timeout_seconds": 1,
}


async def until_snap(hub: GameHub, game: str) -> tuple[Session, Listener, dict[str, Any]]:
    """A session in which the first seat, a person, is asked about a snap; with the last view."""
    session, events = await opened(hub, game), list[dict[str, Any]]()
    listener = session.listen(0, 0, events.append)
    while session.log.timeout is None:
        shown = [event for event in events if event["type"] == "view"][-1]
        if shown["turn"]:
            wished = [one["action"] for one in shown["actions"] if one["action"] != "cambia"]
            act = {"type": "act", "at": shown["n"], "action": wished[0]}
            assert session.handle(listener, act) is None
        await asyncio.sleep(0.001)
    return session, listener, [event for event in events if event["type"] == "view"][-1]


def test_the_server_passes_for_somebody_who_does_not_snap(tmp_path: Path) -> None:
    """Also if the browser was closed: the game goes on."""

    async def play() -> None:
        async with hub_of(tmp_path / "a") as hub:
            session, listener, shown = await until_snap(hub, hub.new_game(SNAPS).id)
            assert shown["turn"]
            assert shown["seconds"] == 1
            assert shown["view"]["phase"] == "snap"
            assert session.runs_by_itself
            session.leave(listener)
            number, began = len(session.log.steps), session.log.turn_began
            while len(session.log.steps) == number:
                await asyncio.sleep(0.01)
            step = session.log.steps[number]
            assert (step.kind, step.value, step.seat, step.at) == ("action", "pass", 0, began + 1)

    asyncio.run(play())


def test_nobody_passes_for_a_person_who_has_never_come(tmp_path: Path) -> None:
    async def play() -> None:
        async with hub_of(tmp_path / "a") as hub:
            asked = {**SNAPS, "seats": [{}, {}], "timeout_seconds": 60}
            session = await opened(hub, hub.new_game(asked).id)
            events: tuple[list[dict[str, Any]], ...] = ([], [])
            while session.log.turn is None:
                await asyncio.sleep(0.001)
            host = session.log.turn  # who begins is drawn by lot
            listener = session.listen(host, 0, events[host].append)
            while session.log.turn in (None, host):
                shown = [event for event in events[host] if event["type"] == "view"][-1]
                if shown["turn"]:
                    names = [one["action"] for one in shown["actions"]]
                    first = [one for one in ("draw", "discard", "pass") if one in names]
                    act = {"type": "act", "at": shown["n"], "action": [*first, *names][0]}
                    assert session.handle(listener, act) is None
                await asyncio.sleep(0.001)
            assert session.log.timeout_action == "pass"
            assert session.log.timeout is None
            session.listen(1 - host, 0, events[1 - host].append)
            assert session.log.timeout == session.log.turn_began + 60

    asyncio.run(play())


def test_a_snap_after_its_time_comes_too_late(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def play() -> None:
        async with hub_of(tmp_path / "a") as hub:
            asked = {**SNAPS, "timeout_seconds": 60}
            session, listener, shown = await until_snap(hub, hub.new_game(asked).id)
            late: list[dict[str, Any]] = []
            watch = Watch()
            watch.now = session_module.time.monotonic() + 45
            monkeypatch.setattr(session_module.time, "monotonic", watch.monotonic)
            session.leave(session.listen(0, shown["n"], late.append))
            assert late[-1]["type"] == "timeout"  # whoever comes back is told what is left
            assert 0 < late[-1]["seconds"] <= 15
            watch.now += 20
            snap = {"type": "act", "at": shown["n"], "action": shown["actions"][-1]["action"]}
            number = len(session.log.steps)
            assert session.handle(listener, snap) == "your time has run out"
            assert session.log.steps[number].value == "pass"
            monkeypatch.undo()

    asyncio.run(play())


@pytest.mark.parametrize("seconds", ["5", True, 0, 61, float("nan")])
def test_times_for_snaps_that_are_refused(tmp_path: Path, seconds: object) -> None:
    async def ask() -> None:
        async with hub_of(tmp_path / "a") as hub:
            with pytest.raises(OptionError, match="timeout_seconds must be"):
                hub.new_game({**SNAPS, "timeout_seconds": seconds})
            with pytest.raises(OptionError, match="no decisions with a time of their own"):
                hub.new_game({**REQUEST, "timeout_seconds": 5})

    asyncio.run(ask())
