"""Games that look the same to a seat give that seat the same bytes, whatever is hidden from it."""

from __future__ import annotations

import asyncio
import json
import random
import re
import time
from collections.abc import Sequence
from itertools import product
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("starlette", reason="needs the web app: pip install 'fogtree[web]'")

from fogtree.game import CHANCE, TERMINAL, Game, State
from fogtree.games.fog_chess.game import FogChessState
from fogtree.registry import load_game
from fogtree.web.advisor import Advisor
from fogtree.web.game_log import GameLog
from fogtree.web.hub import GameHub
from fogtree.web.limits import Limits
from fogtree.web.players import Chosen, Players
from fogtree.web.storage import GameSetup, SeatSetup, Step, Storage
from tests.support import cambia_secrets
from tests.support.fog_chess_twins import Twins, twin_games

FEN = re.compile(r"(?:[1-8pnbrqkPNBRQK]{1,8}/){7}")


def new_log(game: Game, name: str) -> GameLog:
    """A game of two people with its own identifier, keys and seed."""
    seats = tuple(SeatSetup(key=f"{name}/{number}") for number in range(game.players))
    setup = GameSetup(name, str(game), seats, f"seed {name}", 0.0, "", clock=(300.0, 2.0))
    return GameLog(setup, game)


def play_line(log: GameLog, line: Sequence[str], offers: random.Random) -> None:
    """Apply actions and outcomes at the same times, with some offers between them."""
    at = 0.0
    for action in line:
        at += 1.25
        player = log.state.player
        if player >= 0 and offers.random() < 0.2:
            log.apply(Step("offer", "draw", player, at))
            log.apply(Step("decline", "draw", (player + 1) % log.game.players, at))
        kind = "chance" if player == CHANCE else "action"
        log.apply(Step(kind, str(action), player, at))


def bytes_of(log: GameLog, player: int) -> bytes:
    return json.dumps(log.logs[player]).encode()


def check_pair(game: Game, player: int, first: Sequence[str], second: Sequence[str]) -> GameLog:
    logs = (new_log(game, "one"), new_log(game, "two"))
    for log, line in zip(logs, (first, second), strict=True):
        play_line(log, line, random.Random(len(line)))
    assert bytes_of(logs[0], player) == bytes_of(logs[1], player)
    return logs[0]


def test_a_hundred_pairs_of_chess_games() -> None:
    game, different = load_game("fog_chess"), 0
    for number in range(100):
        player = number % 2
        twins = twin_games(player, number, 24)
        log = check_pair(game, player, twins.first, twins.second)
        different += sum(a != b for a, b in zip(twins.first, twins.second, strict=True))
        check_no_secrets(log, player, twins)
    assert different > 500


def check_no_secrets(log: GameLog, player: int, twins: Twins) -> None:
    """No FEN, no piece on an unseen square, no move of the other side."""
    sent = bytes_of(log, player).decode()
    assert not FEN.search(sent)
    assert "seed one" not in sent
    assert "one/" not in sent
    states = [state for state, _ in log.kept_steps()] + [log.state]
    views = [event for event in log.logs[player] if event["type"] == "view"]
    assert len(views) == len(states)
    for event, state in zip(views, states, strict=True):
        assert isinstance(state, FogChessState)
        view = state.observation(player)
        for square, mark in enumerate(event["view"]["marks"]):
            if not view.native.seen >> square & 1:
                assert mark in "?#"
        if not event["turn"]:
            assert event["actions"] == []
    theirs = {m for n, m in enumerate(twins.first) if n % 2 != player}
    ours = {a["action"] for event in views for a in event["actions"]}
    assert not any(f'"{move}"' in sent for move in theirs - ours)


@pytest.mark.long
@pytest.mark.parametrize("spec", ["cambia(snap_window='always')", "cambia"])
def test_pairs_of_cambia_games(spec: str) -> None:
    game: Any = load_game(spec)
    compared = 0
    for number in range(12 if "always" in spec else 30):
        luck = random.Random(number)
        states = cambia_secrets.play(game, luck)[:-1]
        for me in range(game.players):
            end = luck.randrange(8, len(states))
            for begin, cards in cambia_secrets.alike(states[:end], me):
                if begin > 0:
                    continue
                one, two = luck.sample(cards, 2)
                imagined = cambia_secrets.renamed(states[:end], {one: two, two: one})
                if imagined is None or not cambia_secrets.same_course(states[:end], imagined):
                    continue
                lines = [cambia_secrets.steps(part) for part in (states[:end], imagined)]
                check_pair(game, me, *lines)
                compared += lines[0] != lines[1]
    assert compared > 3


def all_lines(state: State, done: tuple[str, ...] = ()) -> list[tuple[str, ...]]:
    if state.player == TERMINAL:
        return [done]
    options = [a for a, _ in state.chance()] if state.player == CHANCE else state.actions()
    return [line for a in options for line in all_lines(state.child(a), (*done, str(a)))]


def test_every_pair_of_kuhn_poker() -> None:
    """Hands that differ in the other's card look the same until cards are shown."""
    game, compared = load_game("kuhn_poker"), 0
    lines = [line[:-1] for line in all_lines(game.root())]
    for first, second in product(lines, lines):
        for player in (0, 1):
            same = first[player] == second[player] and first[2:] == second[2:]
            if same and first != second:
                check_pair(game, player, first, second)
                compared += 1
    assert compared > 20


def test_looks_of_twin_games_are_the_same() -> None:
    """The advisor knows what the seat has seen and nothing else."""
    game = load_game("fog_chess")
    for number in range(4):
        twins = twin_games(number % 2, 700 + number, 9)
        told: list[list[dict[str, Any]]] = []
        for line in (twins.first, twins.second):
            log, documents = new_log(game, "x"), list[dict[str, Any]]()
            play_line(log, line[: len(line) - (len(line) + number) % 2], random.Random(1))
            advisor = Advisor(game, log.view, number % 2, Limits(search_threads=1))
            advisor.look(log.kept_steps(), log.state, 0.1, documents.append)
            advisor.close()
            told.append(documents)
        assert told[0][0] == told[1][0]
        assert told[0][-1]["positions"] == told[1][-1]["positions"]
        actions = [{c["action"]: c["label"] for c in one[-1]["candidates"]} for one in told]
        assert actions[0] == actions[1]
        assert not FEN.search(json.dumps(told[0]))


def test_a_move_is_published_on_schedule(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """However long an agent thinks, its move is stored with the scheduled moment, which follows
    from the time per move; and meanwhile messages are answered at once."""
    limits = Limits(agent_seconds=0.3, slot_seconds=0.2)

    def first_reply(thinks: float) -> float:
        def decide(self: Players, number: int, line: Any, state: State, deadline: float) -> Chosen:
            del self, number, line, deadline
            time.sleep(thinks)
            return Chosen(str(state.actions()[0]))

        monkeypatch.setattr(Players, "decide", decide)

        async def play() -> float:
            storage = Storage(tmp_path / f"{thinks}.sqlite3")
            hub = GameHub(storage, limits)
            made = hub.new_game({"game": "fog_chess", "seats": [{}, {"agent": "random"}]})
            session = await hub.session(made.id)
            assert session is not None
            listener = session.listen(0, 0, lambda event: None)
            assert session.handle(listener, {"type": "act", "at": 2, "action": "e2e4"}) is None
            await asyncio.sleep(0.15)
            assert session.handle(listener, {"type": "act", "at": 3, "action": "d2d4"}) is not None
            while len(session.log.steps) < 2:
                await asyncio.sleep(0.01)
            mine, reply = session.log.steps
            await hub.close()
            storage.close()
            return reply.at - mine.at

        return asyncio.run(play())

    for thinks, expected in ((0.0, 0.3), (0.1, 0.3), (0.2, 0.3), (0.4, 0.5)):
        late = (
            first_reply(thinks) - expected
        ) / limits.slot_seconds  # whole slots on a machine that is busy
        assert late == pytest.approx(round(late))
        assert late > -0.01


def test_a_machine_that_is_late_keeps_to_the_schedule(tmp_path: Path) -> None:
    """A turn that is taken up late is published in one of the later slots."""
    limits = Limits(agent_seconds=0.3, slot_seconds=0.2)

    async def play() -> None:
        storage = Storage(tmp_path / "games.sqlite3")
        hub = GameHub(storage, limits)
        made = hub.new_game({"game": "fog_chess", "seats": [{}, {"agent": "random"}]})
        session = await hub.session(made.id)
        assert session is not None
        for late in (0.0, 0.35, 1.234):
            session._began = time.monotonic() - late
            moment = session._publication(1)
            slots = (moment - limits.agent_seconds) / limits.slot_seconds
            assert slots == pytest.approx(round(slots))
            assert moment >= late
        await hub.close()
        storage.close()

    asyncio.run(play())
