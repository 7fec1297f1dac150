"""Every byte that a person is sent in scripted games, and the moment it is sent; a hundred games
with  pytest -m slow.

The games come in pairs that look the same to one side. That side is sent the same bytes at the same
moments, whatever the other side does, holds or believes in the fog, and however long it thinks.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import random
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("starlette", reason="needs the web app: pip install 'fogtree[web]'")
pytest.importorskip("httpx", reason="the test client needs httpx")

from fogtree.agents.budget import Budget
from fogtree.game import CHANCE, TERMINAL, Action, State
from fogtree.games.fog_chess.game import FogChessState
from fogtree.registry import load_game
from fogtree.web import advisor, looking, session
from fogtree.web.limits import Limits
from fogtree.web.players import Chosen, Players
from fogtree.web.session import Session
from tests.support import cambia_secrets
from tests.support.fog_chess_twins import twin_games
from tests.support.web_capture import CapturedServer, Connection, Sent, run_captured, set_script

FEN = re.compile(r"(?:[1-8pnbrqkPNBRQK]{1,8}/){7}")
LIMITS = Limits(message_burst=100_000, search_threads=1, agent_seconds=2.0)
LONG = 40.0
"""Seconds without news after which the person resigns."""
RESTLESS = 0.3
"""Seconds without news after which a restless person tries something."""
WRONG: tuple[object, ...] = (
    {"type": "act", "at": 1, "action": "e2e4"},
    {"type": "accept"},
    {"type": "offer", "what": "money"},
    {"type": 3},
    [],
)


@dataclass(frozen=True)
class Pair:
    """Two games of which one seat cannot tell in which one it is."""

    game: str
    seat: int
    lines: tuple[Sequence[str], Sequence[str]]
    """All actions and outcomes of chance."""
    seed: int
    looks: bool = True
    """Whether the person asks for looks, for which a small game is compiled first."""
    restless: bool = False
    """Whether the person tries things all the time, and the other side may leave offers open."""
    other_person: bool | None = None
    """Whether the other player is a person and not an agent; None: drawn from the seed."""


def chess_pair(seed: int) -> Pair:
    twins = twin_games(seed % 2, seed, 24)
    return Pair("fog_chess", twins.player, (twins.first, twins.second), seed)


def cambia_pair(seed: int) -> Pair:
    """A game of Cambia, and the same with two cards exchanged that one seat has never seen."""
    spec = ("cambia(snap_window='always')", "cambia", "cambia(players=3)")[seed % 3]
    game: Any = load_game(spec)
    luck = random.Random(seed)
    while True:
        states = cambia_secrets.play(game, luck)[:-1]
        end = luck.choice([n for n in range(8, len(states)) if states[n - 1].player >= 0])
        seat = luck.randrange(game.players)
        for begin, cards in cambia_secrets.alike(states[:end], seat):
            one, two = luck.sample(cards, 2)
            imagined = cambia_secrets.renamed(states[:end], {one: two, two: one})
            if begin > 0 or imagined is None:
                continue
            if cambia_secrets.same_course(states[:end], imagined):
                lines = [cambia_secrets.steps(part) for part in (states[:end], imagined)]
                if lines[0] != lines[1]:
                    return Pair(spec, seat, (lines[0], lines[1]), seed)


def poker_pair(seed: int) -> Pair:
    """A hand of Leduc or Kuhn poker, and the same with another card of the other player."""
    spec = ("leduc_poker", "kuhn_poker")[seed % 2]
    luck, seat = random.Random(seed), seed % 4 // 2
    while True:
        lines = [random_line(load_game(spec).root(), luck) for _ in range(2)]
        first = lines[0]
        dealt = lines[1][1 - seat]
        if dealt != first[1 - seat] and dealt != first[seat] and dealt not in first[2:]:
            second = list(first)
            second[1 - seat] = dealt
            return Pair(spec, seat, (first, second), seed)


def random_line(state: State, luck: random.Random) -> list[str]:
    """A random hand up to its last decision."""
    line: list[str] = []
    while state.player != TERMINAL:
        options = [a for a, _ in state.chance()] if state.player == CHANCE else state.actions()
        action = luck.choice(list(options))
        state = state.child(action)
        line.append(str(action))
    return line[:-1]


def memory(spec: str, line: Sequence[str], seat: int) -> tuple[object, ...]:
    """All that a seat notices of a game: its views, its turns and its own actions."""
    state, noticed = load_game(spec).root(), list[object]()
    for action in [*line, None]:
        now = (state.observation(seat), state.player == seat)
        if noticed[-1:] != [now]:
            noticed.append(now)
        if action is None:
            break
        if state.player == seat:
            noticed.append(action)
        state = state.child(_found(state, action))
    return tuple(noticed)


def _found(state: State, text: str) -> Action:
    """The action or outcome that is written like this."""
    options = [a for a, _ in state.chance()] if state.player == CHANCE else state.actions()
    return next(action for action in options if str(action) == text)


def alike_pair(spec: str, seed: int) -> Pair:
    """Two random games that a seat cannot tell apart; the other may have tried more or less."""
    luck = random.Random(f"{spec} {seed}")
    known: dict[object, list[str]] = {}
    while True:
        seat = luck.randrange(2)
        line = random_line(load_game(spec).root(), luck)
        line = line[: luck.randint(2, max(2, len(line)))]
        before = known.setdefault((seat, memory(spec, line, seat)), line)
        if before != line:
            return Pair(spec, seat, (before, line), seed, looks=False)


KINDS: tuple[Callable[[int], Pair], ...] = (chess_pair, chess_pair, chess_pair, cambia_pair)
"""In their turn; every tenth pair is one of poker."""


def pairs(count: int) -> Iterator[Pair]:
    """Pairs of large games and of poker."""
    for seed in range(count):
        yield poker_pair(seed // 10) if seed % 10 == 9 else KINDS[seed % 4](seed)


class Person:
    """Plays the actions of a script at moments of its own."""

    looks = True
    """Whether a curious person asks for looks."""

    restless = False
    """Whether a curious person also tries things while the other side thinks."""
    answers = True
    """Whether an offer is declined, or left open."""

    def __init__(
        self,
        server: CapturedServer,
        game: dict[str, Any],
        seat: int,
        turns: list[list[str]],
        seed: int,
    ) -> None:
        """``turns`` has all actions, those of one turn together: a turn takes a time of its own,
        however many attempts are made in it."""
        self._server, self._game, self._seat = server, game, seat
        self._turns, self._luck = turns, random.Random(seed)
        self._left: list[str] = []  # of this turn
        self._pause = 0.0  # before each of them
        self._socket = Connection(server, game, seat)
        self._seen = 0
        self.sent: list[Sent] = []

    async def play(self, curious: bool) -> list[Sent]:
        """Play to the end of the game; returns all that was received. A curious person asks for
        much that is refused, and resigns when the script is at its end."""
        quiet, often, long = 0.0, LONG, LONG
        if self.restless:
            often, long = RESTLESS, 20 * RESTLESS
        while True:
            try:
                event = await asyncio.wait_for(self._socket.news.get(), often if curious else None)
            except TimeoutError:
                quiet += often
                if quiet >= long:
                    self._socket.say({"type": "resign"})
                else:
                    await self._be_restless()
                continue
            if event["type"] == "over":
                break
            assert "server had an error" not in event.get("why", "")
            if event["type"] == "offer" and event["by"] != self._seat and self.answers:
                self._socket.say({"type": "decline"})
            if event.get("n", 0) > self._seen:
                self._seen = event["n"]
                quiet = 0.0 if event["type"] == "view" else quiet
                if curious:
                    await self._be_curious()
                if event["type"] == "view" and event["turn"] and (self._left or self._turns):
                    await self._act(event["n"], curious)
        await self._leave()
        return self.sent

    async def _act(self, at: int, curious: bool) -> None:
        """Do the next action of the script after a pause, in which only the curious wait."""
        if not self._left:
            self._left = self._turns.pop(0)
            self._pause = self._luck.uniform(0.1, 3.0) / len(self._left)
        message = {"type": "act", "at": at, "action": self._left.pop(0)}
        if curious:
            await asyncio.sleep(self._pause)
            self._socket.say(message)
        else:
            asyncio.get_running_loop().call_later(self._pause, self._socket.say, message)

    async def _be_restless(self) -> None:
        what = self._luck.randrange(6)
        if what < 2:
            self._socket.say({"type": "offer", "what": "draw"})
        elif what == 2 and self.looks:
            self._socket.say({"type": "look", "seconds": 0.5})
        elif what == 3:
            await self._reconnect()
        else:
            self._socket.say(self._luck.choice(WRONG))

    async def _be_curious(self) -> None:
        what = self._luck.randrange(16)
        if what < 4:
            self._socket.say(self._luck.choice(WRONG))
        elif what == 4:
            self._socket.say({"type": "offer", "what": "draw"})
        elif what == 5 and self.looks:
            self._socket.say({"type": "look", "seconds": 0.5})
        elif what == 6:  # all events come again
            await self._reconnect()
        elif what == 7:
            for name in ("review", "record", "record.pgn"):
                path = f"/api/games/{self._game['id']}/{name}"
                answer = await self._server.get(path, self._game["keys"][self._seat])
                self.sent.append((asyncio.get_running_loop().time(), name, answer))

    async def _reconnect(self) -> None:
        await self._leave()
        self._socket = Connection(self._server, self._game, self._seat)

    async def _leave(self) -> None:
        await asyncio.sleep(0.01)  # what was sent last arrives
        await self._socket.leave()
        self.sent += self._socket.sent


def thinking_time(action: str) -> float:
    """Seconds that an agent takes: they tell of what it does, if somebody can measure them. The
    agent whose script has ended thinks for ever."""
    digest = hashlib.sha256(action.encode()).digest()
    return 0.2 * digest[0] / 255 if action else 1e9


def turns(spec: str, line: Sequence[str]) -> dict[int, list[list[str]]]:
    """The actions of each seat, those together that follow each other."""
    game, before = load_game(spec), None
    state = game.root()
    found: dict[int, list[list[str]]] = {seat: [] for seat in range(-2, game.players)}
    for action in line:
        if state.player != before:
            found[state.player].append([])
        before = state.player
        found[before][-1].append(action)
        state = state.child(_found(state, action))
    return found


async def play_pair(server: CapturedServer, pair: Pair, scripts: dict[str, Sequence[str]]) -> Any:
    """Play both games; returns what the seat was sent in each."""
    luck = random.Random(pair.seed)
    players = load_game(pair.game).players
    other_person = luck.random() < 0.4 and players == 2
    other_person = other_person if pair.other_person is None else pair.other_person
    clock = {"seconds": 600, "increment": 2} if luck.random() < 0.5 else None
    agent = "search" if pair.game == "fog_chess" and luck.random() < 0.5 else "random"
    sent = []
    for line in pair.lines:
        people = [seat == pair.seat or other_person for seat in range(players)]
        game = await server.new_game(pair.game, people, agent, clock=clock, move_seconds=0.7)
        scripts[game["id"]] = line
        own = turns(pair.game, line)
        began = asyncio.get_running_loop().time()
        rest = [
            Person(server, game, seat, own[seat], -1 - pair.seed)
            for seat, person in enumerate(people)
            if person and seat != pair.seat
        ]
        for other in rest:
            other.answers = not pair.restless or pair.seed % 2 == 0
        playing = [asyncio.create_task(other.play(False)) for other in rest]
        person = Person(server, game, pair.seat, own[pair.seat], pair.seed)
        person.looks, person.restless = pair.looks, pair.restless
        mine = await person.play(True)
        await asyncio.gather(*playing)
        sent.append([(round(at - began, 6), kind, _timeless(text)) for at, kind, text in mine])
    return sent


def _timeless(text: str) -> str:
    """Without the seconds that a look took on this machine."""
    return re.sub(r'"seconds":[0-9.e-]+', '"seconds":0', text) if '"look"' in text else text


def check_no_secrets(pair: Pair, sent: list[Sent]) -> None:
    """Of chess: no FEN, no piece on an unseen square, no move of the other side but what a look
    guesses."""
    text = " ".join(content for _, _, content in sent)
    assert not FEN.search(text)
    assert "seed" not in text
    states = [load_game(pair.game).root()]
    for action in pair.lines[0]:
        states.append(states[-1].child(action))
    events = {
        e["n"]: e
        for _, kind, content in sent
        if kind == "send" and "n" in (e := json.loads(content))
    }
    views = [event for event in events.values() if event["type"] == "view"]
    assert len(views) == len(states)
    for event, state in zip(views, states, strict=True):
        assert isinstance(state, FogChessState)
        seen = state.observation(pair.seat).native.seen
        for square, mark in enumerate(event["view"]["marks"]):
            assert seen >> square & 1 or mark in "?#"
        assert event["turn"] or event["actions"] == []
    told = " ".join(content for _, _, content in sent if '"look"' not in content)
    theirs = {m for n, m in enumerate(pair.lines[0]) if n % 2 != pair.seat}
    ours = {a["action"] for event in views for a in event["actions"]}
    assert [move for move in theirs - ours - {"e2e4"} if f'"{move}"' in told] == []


def compare_pairs(
    file: Path, patch: pytest.MonkeyPatch, compared: Iterable[Pair]
) -> dict[str, int]:
    """Play pairs of games and compare them; returns what was sent how often."""
    scripts: dict[str, Sequence[str]] = {}
    set_script(patch, scripts)
    patch.setattr(advisor, "Budget", lambda **_: Budget(steps=30))  # not by the machine's clock
    counts: Counter[str] = Counter()

    async def play() -> None:
        server = CapturedServer(file, LIMITS, thinking_time)
        for pair in compared:
            first, second = await play_pair(server, pair, scripts)
            assert first == second, f"pair {pair.seed} of {pair.game}"
            if pair.game == "fog_chess":
                check_no_secrets(pair, first)
            counts["games"] += 2
            counts["bytes"] += 2 * sum(len(text.encode()) for _, _, text in first)
            counts["different steps"] += sum(a != b for a, b in zip_longest(*pair.lines))
            for _, kind, text in first:
                counts[json.loads(text)["type"] if kind == "send" else kind] += 2
        await server.hub.close()
        server.storage.close()

    run_captured(play())
    return counts


@pytest.mark.parametrize("count", [10, pytest.param(50, marks=pytest.mark.slow)])
def test_pairs_of_games_send_the_same_bytes_at_the_same_moments(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, count: int
) -> None:
    counts = compare_pairs(tmp_path / "games.sqlite3", monkeypatch, pairs(count))
    print(dict(counts))
    assert counts["games"] == 2 * count
    assert counts["different steps"] > 4 * count
    for kind in ("view", "look", "refused", "decline", "over", "review"):
        assert counts[kind] > 0, kind


@pytest.mark.parametrize(
    "spec",
    [
        "phantom_ttt",
        "dark_hex",
        "dark_hex(abrupt=True)",
        "battleship",
        "battleship(ships=[2, 1], shots=3)",
        "goofspiel",
        "goofspiel(cards=3, points='random', hidden=False)",
        "liars_dice",
        "liars_dice(dice=2, sides=3)",
        "matching_pennies",
        "rock_paper_scissors",
    ],
)
def test_drawn_games_that_look_the_same_send_the_same_bytes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, spec: str
) -> None:
    alike = [alike_pair(spec, seed) for seed in range(6)]
    counts = compare_pairs(tmp_path / "games.sqlite3", monkeypatch, alike)
    assert counts["games"] == 12
    assert counts["view"] > 0
    assert counts["different steps"] >= 6


class InstantAdvisor:
    """Says the same about every position, because only the moment matters here."""

    def __init__(self, *given: object) -> None:
        pass

    def look(
        self, line: object, state: State, seconds: float, tell: advisor.Tell, ended: object
    ) -> None:
        del line, state, seconds
        tell({"done": True})

    def interrupt(self) -> None:
        pass

    def close(self) -> None:
        pass


@pytest.mark.parametrize("person", [False, True])
def test_attempts_that_fail_in_secret_are_not_noticed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, person: bool
) -> None:
    """The second player tries a taken square before its move in one game and not in the other,
    while the first looks, offers draws and connects anew. A person needs as long for both."""
    lines = (["a1", "a1", "b1", "c1"], ["a1", "b1", "c1"])
    assert memory("phantom_ttt", lines[0], 0) == memory("phantom_ttt", lines[1], 0)
    monkeypatch.setattr(looking, "Advisor", InstantAdvisor)
    alike = [
        Pair("phantom_ttt", 0, lines, seed, restless=True, other_person=person)
        for seed in range(10)
    ]
    counts = compare_pairs(tmp_path / "games.sqlite3", monkeypatch, alike)
    for kind in ("offer", "decline", "refused", "look", "clock", "accept"):
        assert counts[kind] > 0, kind


MOVE: dict[str, Any] = {"type": "act", "action": "a1"}
TAKE_BACK, DRAW = ({"type": "offer", "what": what} for what in ("takeback", "draw"))
RESIGN = {"type": "resign"}


@pytest.mark.parametrize(
    "course",
    [  # what the person sends, each after some seconds; the agent moves after two
        [(1.0, MOVE), (9.0, RESIGN)],
        [(1.0, MOVE), (0.5, RESIGN)],
        [(1.0, MOVE), (0.5, DRAW), (9.0, RESIGN)],
        [(1.0, MOVE), (0.5, TAKE_BACK), (0.5, MOVE), (9.0, RESIGN)],
        [(1.0, MOVE), (0.5, TAKE_BACK), (0.5, MOVE), (0.5, TAKE_BACK), (0.5, MOVE), (9.0, RESIGN)],
        [(1.0, MOVE), (9.0, TAKE_BACK), (0.5, MOVE), (9.0, RESIGN)],
    ],
)
@pytest.mark.parametrize("failing", [({1}, {1}), ({2}, {1}), ({1, 2, 3, 4}, {1, 2, 3, 4})])
def test_a_failure_before_an_attempt_in_secret_is_not_noticed(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    failing: tuple[set[int], set[int]],
    course: list[tuple[float, dict[str, Any]]],
) -> None:
    """An agent that fails draws a taken square first in one game and not in the other.
    ``failing`` counts at which of its decisions it fails, in each of the two."""
    games = zip((["a1", "a1", "b1"], ["a1", "b1"]), failing, strict=True)
    script: list[str] = []
    fails: set[int] = set()
    asked = 0

    def decide(self: Any, seat: int, line: Sequence[object], state: State, until: float) -> Chosen:
        nonlocal asked
        del self, seat, state, until
        asked += 1
        return Chosen(script[len(line)], failed=asked in fails)

    def draw(state: State) -> str:
        return script[sum(len(str(state.observation(seat)).split()) for seat in (0, 1))]

    async def play() -> list[list[Sent]]:
        nonlocal script, fails, asked
        server = CapturedServer(tmp_path / "games.sqlite3", LIMITS, thinking_time)
        sent = []
        for line, counted in games:
            script, fails, asked = line, counted, 0
            game = await server.new_game("phantom_ttt", [True, False], "random")
            sent.append(await follow(Connection(server, game, 0), course))
        await server.hub.close()
        server.storage.close()
        return sent

    set_script(monkeypatch, {})
    monkeypatch.setattr(Players, "decide", decide)
    monkeypatch.setattr(session, "random_action", draw)
    first, second = run_captured(play())
    assert first == second
    told = [json.loads(text)["type"] for _, kind, text in first if kind == "send"]
    assert "refused" not in told
    assert told[-1] == "over"
    if len(fails) > 1:  # it fails again after a take-back, and is told of with its move
        assert told.count("fail") == (course[-1][0] > LIMITS.agent_seconds)


async def follow(socket: Connection, course: Sequence[tuple[float, dict[str, Any]]]) -> list[Sent]:
    """Send messages, each some seconds after the one before; returns all that was received since
    the beginning."""
    began, at = asyncio.get_running_loop().time(), 0
    for pause, message in course:
        await asyncio.sleep(pause)
        while not socket.news.empty():
            event = socket.news.get_nowait()
            at = event["n"] if event["type"] == "view" else at
        socket.say({**message, "at": at})
    await asyncio.sleep(1.0)
    await socket.leave()
    return [(round(moment - began, 6), kind, text) for moment, kind, text in socket.sent]


def move_at_once(self: Session, seat: int) -> float:
    del seat
    return self._now()


def tell_the_position(self: FogChessState, player: int) -> str:
    del player
    return self.fen


@pytest.mark.parametrize(
    ("owner", "name", "leak"),
    [(Session, "_publication", move_at_once), (FogChessState, "news", tell_the_position)],
)
def test_a_leak_would_be_noticed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, owner: type, name: str, leak: object
) -> None:
    monkeypatch.setattr(owner, name, leak)
    with pytest.raises(AssertionError):
        compare_pairs(tmp_path / "games.sqlite3", monkeypatch, pairs(4))
