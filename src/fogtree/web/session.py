"""One live game: people and agents take turns, every step is stored, every seat gets its events.

All changes happen in the session's own task, one message after the other. Agents think in threads.
"""

from __future__ import annotations

import asyncio
import random
import secrets
import time
from collections.abc import Callable
from concurrent.futures import Executor
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from itertools import accumulate
from typing import Any

from fogtree.agents import load_agent
from fogtree.agents.budget import Budget
from fogtree.agents.clock import time_for_move
from fogtree.errors import FogtreeError, GameError
from fogtree.game import CHANCE, Action, Game, State
from fogtree.registry import load_game
from fogtree.web.following import FollowingAgent
from fogtree.web.game_log import Event, GameLog
from fogtree.web.limits import Limits
from fogtree.web.storage import GameSetup, Step, Storage

Send = Callable[[Event], None]


@dataclass(eq=False)
class Listener:
    """A connection that gets the events of one seat."""

    seat: int
    send: Send


@dataclass(slots=True)
class _Message:
    seat: int
    content: dict[str, Any]
    answer: asyncio.Future[str | None]
    """None, or why the message was refused."""


@dataclass(eq=False)
class Session:
    """A live game. Make one with :meth:`open`; it ends by :meth:`close`."""

    setup: GameSetup
    game: Game
    log: GameLog
    storage: Storage
    limits: Limits
    executor: Executor
    listeners: set[Listener] = field(default_factory=set)
    idle_since: float = field(default_factory=time.monotonic)
    _players: dict[int, FollowingAgent] = field(default_factory=dict)
    _inbox: asyncio.Queue[_Message] = field(default_factory=asyncio.Queue)
    _task: asyncio.Task[None] | None = None
    _began: float = 0.0
    _sent: list[int] = field(default_factory=list)

    @classmethod
    def open(
        cls, setup: GameSetup, storage: Storage, limits: Limits, executor: Executor
    ) -> Session:
        """Load a game as it was left."""
        game = load_game(setup.game)
        log = GameLog(setup, game)
        steps = storage.steps(setup.id)
        for step in steps:
            log.apply(step)
        session = cls(setup, game, log, storage, limits, executor)
        session._began = time.monotonic() - (steps[-1].at if steps else 0.0)
        session._sent = [len(events) for events in log.logs]
        session._task = asyncio.get_running_loop().create_task(session._run())
        return session

    @property
    def over(self) -> bool:
        return self.log.result is not None

    def seat_of(self, key: str) -> int | None:
        """The seat that a key belongs to."""
        for seat, setup in enumerate(self.setup.seats):
            if setup.agent is None and secrets.compare_digest(setup.key.encode(), key.encode()):
                return seat
        return None

    def listen(self, seat: int, since: int, send: Send) -> Listener:
        """Send a seat's events after number ``since``, and all later ones."""
        for event in self.log.logs[seat][max(0, since) :]:
            send(event)
        listener = Listener(seat, send)
        self.listeners.add(listener)
        return listener

    def leave(self, listener: Listener) -> None:
        """End what :meth:`listen` began."""
        self.listeners.discard(listener)
        self.idle_since = time.monotonic()

    async def handle(self, seat: int, content: dict[str, Any]) -> str | None:
        """Pass a message on; None if it was accepted, else why it was refused."""
        answer: asyncio.Future[str | None] = asyncio.get_running_loop().create_future()
        await self._inbox.put(_Message(seat, content, answer))
        return await answer

    async def close(self) -> None:
        """Stop the task and the agents; the game stays stored."""
        if self._task is not None:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task
        for player in self._players.values():
            player.agent.interrupt()
            await asyncio.get_running_loop().run_in_executor(self.executor, player.agent.close)
        self._players.clear()

    def _now(self) -> float:
        """Seconds of play since the game began."""
        return time.monotonic() - self._began

    async def _run(self) -> None:
        while not self.over:
            turn = self.log.turn
            if turn is None:
                self._take([self._chance_step()])
            elif self.setup.seats[turn].agent is not None:
                await self._agent_turn(turn)
            else:
                await self._human_turn()
        while True:  # somebody may still ask for a rematch or send nonsense
            message = await self._inbox.get()
            message.answer.set_result("the game is over")

    async def _human_turn(self) -> None:
        left = self.log.seconds_left(self._now())
        try:
            message = await asyncio.wait_for(self._inbox.get(), left)
        except TimeoutError:
            self._flag()
            return
        message.answer.set_result(self._answer(message))

    async def _agent_turn(self, seat: int) -> None:
        """Let the agent think; its move is published at a moment that tells nothing."""
        budget, publish = self._budget(seat)
        due = time.monotonic() + publish
        loop = asyncio.get_running_loop()
        thinking = loop.run_in_executor(
            self.executor, partial(self._decide, seat, budget, self.log.own_steps())
        )
        steps = len(self.log.steps)
        while True:
            inbox = asyncio.ensure_future(self._inbox.get())
            waiting: set[asyncio.Future[Any]] = {thinking, inbox}
            await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
            if inbox.done():
                message = inbox.result()
                message.answer.set_result(self._answer(message))
                if self.over or len(self.log.steps) != steps:
                    self._interrupt(seat)
                    with suppress(Exception):
                        await thinking
                    return
                continue
            inbox.cancel()
            break
        text = await thinking
        await asyncio.sleep(max(0.0, due - time.monotonic()))
        self._take([Step("action", text, seat, self._now())])

    def _interrupt(self, seat: int) -> None:
        player = self._players.get(seat)
        if player is not None:
            player.agent.interrupt()

    def _budget(self, seat: int) -> tuple[Budget, float]:
        """The agent's budget, and seconds until its move is published."""
        del seat
        seconds = self.setup.move_seconds
        if self.setup.clock is not None:
            left = self.log.seconds_left(self._now()) or 0.0
            seconds = min(time_for_move(left, self.setup.clock[1]), self.limits.most_move_seconds)
        seconds = max(0.05, seconds)
        return Budget(seconds=seconds), max(seconds, self.limits.agent_seconds)

    def _decide(self, seat: int, budget: Budget, line: list[tuple[State, Step]]) -> str:
        """In a thread: bring the agent up to date and ask it."""
        state = self.log.state
        try:
            player = self._players.get(seat) or self._start(seat)
            player.follow(line, state)
            return str(player.agent.act(budget).action)
        except FogtreeError:
            # An agent that cannot go on must not end the game: it plays at random.
            self._players.pop(seat, None)
            return str(random.choice(list(state.actions())))

    def _start(self, seat: int) -> FollowingAgent:
        agent = load_agent(self.setup.seats[seat].agent or "random", self.game)
        agent.start(self.game, seat, f"{self.setup.seed}/{seat}")
        self._players[seat] = FollowingAgent(agent, seat)
        return self._players[seat]

    def _chance_step(self) -> Step:
        outcomes = self.log.state.chance()
        number = len(self.log.steps)
        luck = random.Random(f"{self.setup.seed}/chance/{number}")
        bounds = list(accumulate(share for _, share in outcomes))
        drawn = luck.choices([action for action, _ in outcomes], cum_weights=bounds)[0]
        return Step("chance", str(drawn), CHANCE, self._now())

    def _answer(self, message: _Message) -> str | None:
        """Carry out what a person asks for; returns why not, if it is not possible."""
        handlers: dict[str, Callable[[int, dict[str, Any]], None]] = {
            "act": self._act,
            "resign": self._resign,
            "offer": self._offer,
            "accept": self._accept,
            "decline": self._decline,
        }
        handler = handlers.get(str(message.content.get("type")))
        if handler is None:
            return "there is no such message"
        try:
            handler(message.seat, message.content)
        except GameError as error:
            return str(error)
        return None

    def _act(self, seat: int, content: dict[str, Any]) -> None:
        events = self.log.logs[seat]
        if self.log.turn != seat:
            raise GameError("it is not your turn")
        if content.get("at") != next(e["n"] for e in reversed(events) if e["type"] == "view"):
            raise GameError("the game has gone on since")
        text = content.get("action")
        action: Action | None = self.log.find_action(text) if isinstance(text, str) else None
        if action is None:
            raise GameError("that is not a legal action")
        left = self.log.seconds_left(self._now())
        if left is not None and left <= 0:
            self._flag()
            raise GameError("your time has run out")
        self._take([Step("action", str(action), seat, self._now())])

    def _resign(self, seat: int, content: dict[str, Any]) -> None:
        del content
        self._take([Step("resign", "", seat, self._now())])

    def _flag(self) -> None:
        turn = self.log.turn
        if turn is not None:
            self._take([Step("flag", "", turn, self._now())])

    def _offer(self, seat: int, content: dict[str, Any]) -> None:
        what = content.get("what")
        if what not in ("draw", "takeback"):
            raise GameError("one can offer a draw or ask for a take-back")
        if self.log.offer is not None:
            raise GameError("there is an offer already")
        if what == "takeback" and not self.setup.casual:
            raise GameError("this is not a casual game: nothing is taken back")
        others = [s for s, setup in enumerate(self.setup.seats) if s != seat]
        self._take([Step("offer", str(what), seat, self._now())])
        if all(self.setup.seats[other].agent is not None for other in others):
            if what == "takeback":
                self._take_back(seat)
            else:
                self._take([Step("decline", "draw", others[0], self._now())])

    def _accept(self, seat: int, content: dict[str, Any]) -> None:
        del content
        if self.log.offer is None or self.log.offer[1] == seat:
            raise GameError("there is no offer to accept")
        what, by = self.log.offer
        if what == "draw":
            self._take([Step("draw", "", seat, self._now())])
        else:
            self._take_back(by)

    def _decline(self, seat: int, content: dict[str, Any]) -> None:
        del content
        if self.log.offer is None or self.log.offer[1] == seat:
            raise GameError("there is no offer to decline")
        self._take([Step("decline", self.log.offer[0], seat, self._now())])

    def _take_back(self, seat: int) -> None:
        """Back to the last decision of this seat before its present one."""
        line = self.log.own_steps()
        own = [n for n, (state, _) in enumerate(line) if state.player == seat]
        if not own:
            raise GameError("you have made no move yet")
        self._take([Step("takeback", str(own[-1]), seat, self._now())])
        for player in self._players.values():
            player.agent.interrupt()
        self._players.clear()  # they have seen what no longer happened

    def _take(self, steps: list[Step]) -> None:
        """Check steps, store them, and show them: in this order."""
        first = len(self.log.steps)
        for step in steps:
            self.log.apply(step)
        self.storage.add_steps(self.setup.id, first, steps, over=self.over)
        for seat, events in enumerate(self.log.logs):
            for event in events[self._sent[seat] :]:
                for listener in [one for one in self.listeners if one.seat == seat]:
                    listener.send(event)
            self._sent[seat] = len(events)
