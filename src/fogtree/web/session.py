"""One live game: people and agents take turns, every step is stored, every seat gets its events.

All changes happen in the event loop: a message is carried out when it arrives, and the session's
task waits for agents and clocks. Agents think in threads.
"""

from __future__ import annotations

import asyncio
import logging
import math
import random
import sqlite3
import time
from collections.abc import Callable
from concurrent.futures import Executor, Future
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from itertools import accumulate
from typing import Any

from fogtree.agents.clock import time_for_move
from fogtree.errors import FogtreeError, GameError
from fogtree.game import CHANCE, Game, State
from fogtree.registry import game_by_name
from fogtree.system.random_streams import derived_seed
from fogtree.web.engines import Engines
from fogtree.web.game_log import Event, GameLog
from fogtree.web.limits import Limits
from fogtree.web.looking import LookPool, Looks
from fogtree.web.opponents import Roster
from fogtree.web.player_requests import requested_steps
from fogtree.web.players import Chosen, Players, random_action
from fogtree.web.rematch import Rematch
from fogtree.web.storage import SPECTATOR, GameSetup, Step, Storage

_LOG = logging.getLogger("fogtree.web")
_PATIENCE = 0.5  # seconds that an interrupted agent has to end
Send = Callable[[Event], None]


@dataclass(eq=False)
class Listener:
    """A connection that gets the events of one seat."""

    seat: int
    send: Send


@dataclass(frozen=True)
class Pools:
    """What all games of a server share: its threads, by what they work on, and its agents."""

    searches: Executor
    scripted: Executor
    looks: LookPool
    engines: Engines
    roster: Roster

    def close(self) -> None:
        """End all threads; what they work on must have been interrupted before."""
        for pool in (self.searches, self.scripted):
            pool.shutdown(wait=False, cancel_futures=True)
        self.looks.close()


@dataclass(eq=False)
class Session:
    """A live game. Make one with :meth:`open`; it ends by :meth:`close`."""

    setup: GameSetup
    game: Game
    log: GameLog
    storage: Storage
    limits: Limits
    pools: Pools
    players: Players
    looks: Looks
    _rematch: Rematch
    failed: bool = False
    """Whether something went wrong here, so that the game must be loaded again."""
    listeners: set[Listener] = field(default_factory=set)
    idle_since: float = field(default_factory=time.monotonic)
    _woken: asyncio.Event = field(default_factory=asyncio.Event)
    _task: asyncio.Task[None] | None = None
    _began: float = 0.0
    """The moment of the monotonic clock from which seconds of play are counted."""
    _sent: list[int] = field(default_factory=list)
    """How many of its events each seat has been sent."""

    @classmethod
    def open(
        cls,
        log: GameLog,
        storage: Storage,
        limits: Limits,
        pools: Pools,
        rematch: Callable[[GameSetup], GameSetup],
    ) -> Session:
        """Let a game that was loaded continue as it was left. ``rematch`` makes and stores the next
        game of the same players, who change seats."""
        setup, game = log.setup, log.game
        if log.result is not None and not storage.is_over(setup.id):  # it began where it is over
            storage.add_steps(setup.id, len(log.steps), [], over=True)
        players = Players(setup, game, pools.roster, pools.engines)
        looks = Looks(log, limits, pools.looks, storage)
        agreed = Rematch(setup, rematch, storage.rematch_of(setup.id))
        session = cls(setup, game, log, storage, limits, pools, players, looks, agreed)
        session._began = time.monotonic() - (log.steps[-1].at if log.steps else 0.0)
        session._sent = [len(events) for events in log.logs]
        session._task = asyncio.get_running_loop().create_task(session._run())
        return session

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.log.result is not None

    @property
    def runs_by_itself(self) -> bool:
        """Whether the game goes on while nobody is connected, because a clock runs."""
        timed = self.log.clock_runs or self.log.timeout is not None
        return timed and not self.over and not self.failed

    async def close_agents(self) -> None:
        """Close the agents if the game waits for a person, who has left; they are started again
        when needed."""
        turn = self.log.turn
        if turn is not None and self.setup.seats[turn].agent is None:
            await asyncio.get_running_loop().run_in_executor(None, self.players.close)

    def listen(self, seat: int, since: int, send: Send) -> Listener:
        """Send a seat's events after number ``since``, and all later ones. A spectator gets the end
        of the game and nothing else."""
        if seat == SPECTATOR:
            self._send_end(send)
        else:
            self._arrive(seat)
            for event in self.log.logs[seat][max(0, since) :]:
                send(event)
            if self.setup.clock is not None and not self.over:
                send(self._clock_event())
            timeout = self.log.timeout
            if timeout is not None and self.log.turn == seat:
                send({"type": "timeout", "seconds": round(max(0.0, timeout - self._now()), 1)})
            if self._rematch.agreed is not None:
                send(self._rematch.event(seat))
        listener = Listener(seat, send)
        self.listeners.add(listener)
        return listener

    def _arrive(self, seat: int) -> None:
        """Store that a person has come for the first time; with the last of them the clocks start,
        and everybody is told so."""
        if seat not in self.log.missing or self.over or self.failed:
            return
        with suppress(sqlite3.Error):  # then the game is loaded again
            self._take(Step("arrive", "", seat, self._now()))
        if self.failed:
            return
        self._woken.set()
        if self.log.clock_runs:
            self._tell_all(lambda s: self._clock_event() if s >= 0 else None)

    def _clock_event(self) -> Event:
        """The clocks now, and the seats of people for whom they wait."""
        clocks = self.log.clocks(self._now())
        return {"type": "clock", "clock": clocks, "waiting": list(self.log.missing)}

    def leave(self, listener: Listener) -> None:
        """Stop sending events to a listener."""
        self.listeners.discard(listener)
        self.looks.leave(listener.send)
        self.idle_since = time.monotonic()

    def handle(self, listener: Listener, content: dict[str, Any]) -> str | None:
        """Carry out a message from a person; returns the reason if it is refused, else None."""
        if listener.seat == SPECTATOR:
            return "spectators only watch"
        if self.failed:
            return "this game must be loaded again: connect once more"
        seat, kind = listener.seat, content.get("type")
        try:
            if kind == "rematch":
                self._ask_for_rematch(seat)
            elif kind == "present":
                waiting = list(self.log.missing)
                listener.send({"type": "present", "seats": self._present(), "waiting": waiting})
            elif kind == "look":
                self.looks.start(seat, content.get("seconds"), listener.send)
            else:
                steps = requested_steps(self.log, seat, content, self._now())
                if kind == "act" and self._end_turn_if_late():
                    raise GameError("your time has run out")
                for step in steps:
                    self._take(step)
        except FogtreeError as error:
            return str(error)
        except sqlite3.Error:
            return "the server cannot store the game"
        return None

    def _present(self) -> list[int]:
        """The seats of people whose page is open now."""
        return sorted({one.seat for one in self.listeners if one.seat != SPECTATOR})

    async def close(self) -> None:
        """Stop the task and the agents; the game stays stored."""
        if self._task is not None:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task
        await self.looks.close()
        await asyncio.get_running_loop().run_in_executor(None, self.players.close)

    def _now(self) -> float:
        """Seconds of play since the game began."""
        return time.monotonic() - self._began

    async def _run(self) -> None:
        """The game's main loop: draw chance outcomes, let agents decide, wait for people, until the
        end."""
        try:
            while not self.over:
                self._woken.clear()
                turn = self.log.turn
                if turn is None:
                    self._take(self._chance_step())
                elif self.setup.seats[turn].agent is not None:
                    await self._agent_turn(turn)
                else:
                    ends = [
                        end for end in (self.log.flag_time, self.log.timeout) if end is not None
                    ]
                    await self._wait(min(ends, default=None))
                    self._end_turn_if_late()
            await asyncio.get_running_loop().run_in_executor(None, self.players.close)
        except Exception as error:  # it is loaded again, as it was stored, for the next visitor
            _LOG.error("game %s stopped: %r", self.setup.id, error)
            self.failed = True
            why = "the server had an error in this game; load the page again to go on"
            self._tell_all(lambda s: {"type": "refused", "why": why} if s >= 0 else None)

    async def _wait(self, until: float | None) -> bool:
        """Wait until a moment of play (None: without a limit) or until a step is taken; returns
        whether one was."""
        seconds = None if until is None else max(0.0, until - self._now())
        woken = asyncio.ensure_future(self._woken.wait())
        try:
            await asyncio.wait({woken}, timeout=seconds)
            return self._woken.is_set()
        finally:
            woken.cancel()

    async def _agent_turn(self, seat: int) -> None:
        """Let the agent of a seat decide, and take its move at a moment that reveals nothing about
        the decision (see :meth:`_publication`)."""
        due = self._publication(seat)
        pool = self.pools.searches if self.players.takes_time(seat) else self.pools.scripted
        left = due - self._now()
        deadline = time.monotonic() + left - min(self.pools.engines.margin, left / 2)
        if seat in self.log.random_since:
            ask = partial(_random_choice, self.log.state)
        else:
            line = self.log.kept_steps()
            ask = partial(self.players.decide, seat, line, self.log.state, deadline)
        thinking = pool.submit(ask)
        flag = self.log.flag_time
        try:
            if await self._took_unnoticed(thinking, seat, due if flag is None else min(due, flag)):
                return
            while True:
                until = due if flag is None else min(due, flag)
                if await self._wait(until):
                    return  # somebody ended the game or took a move back
                if flag is not None and self._now() >= flag:
                    self._flag_if_late()
                    return
                if thinking.done():
                    break
                self.players.interrupt()
                due += self.limits.slot_seconds
            chosen = thinking.result()
            if chosen.failed:
                self._take(Step("fail", "", seat, due))
            self._take(Step("action", chosen.action, seat, due, chosen.mix))
        finally:
            await self._finish(thinking)

    async def _took_unnoticed(self, thinking: Future[Chosen], seat: int, until: float) -> bool:
        """Take the agent's attempts that fail in secret (no person sees anything of them, and the
        agent decides again) without delay, so that its visible answer does not come later for them.
        Returns whether there was such an attempt before ``until``."""
        answer = asyncio.wrap_future(thinking)
        answer.add_done_callback(lambda done: done.cancelled() or done.exception())
        woken = asyncio.ensure_future(self._woken.wait())
        try:
            seconds, first = max(0.0, until - self._now()), asyncio.FIRST_COMPLETED
            either: set[asyncio.Future[Any]] = {answer, woken}
            await asyncio.wait(either, timeout=seconds, return_when=first)
        finally:
            woken.cancel()
        if self._woken.is_set() or not thinking.done():
            return False
        chosen = thinking.result()
        action = self.log.find_action(chosen.action)
        if action is None or not self.log.goes_unnoticed(action):
            return False
        if chosen.failed:
            self._take(Step("fail", "", seat, self.log.turn_began))
        self._take(Step("action", str(action), seat, self.log.turn_began, chosen.mix))
        return True

    async def _finish(self, thinking: Future[Chosen]) -> None:
        """Wait for an agent whose answer is no longer needed: it is interrupted until it ends, and
        abandoned if that takes too long."""
        end = time.monotonic() + _PATIENCE
        while not (thinking.cancel() or thinking.done()):
            self.players.interrupt()
            if time.monotonic() > end:
                self.players.forget()
                return
            await asyncio.sleep(0.02)

    def _publication(self, seat: int) -> float:
        """The moment of play at which an agent's move is published. It depends on the time per
        move and on the clock, which everybody knows, and on nothing that the agent sees."""
        seconds = self.limits.agent_seconds
        if self.players.takes_time(seat):
            seconds = max(self.setup.move_seconds, seconds)
        if self.setup.clock is not None:
            seconds = min(seconds, time_for_move(self.log.clock_of(seat), self.setup.clock[1]))
        due, slot = self.log.turn_began + seconds, self.limits.slot_seconds
        return due + slot * max(0, math.ceil((self._now() - due) / slot))

    def _chance_step(self) -> Step:
        """Draw an outcome of chance from the game's seed."""
        outcomes = self.log.state.chance()
        number = len(self.log.kept_steps())  # after a take-back the same cards come again
        luck = random.Random(derived_seed(self.setup.seed, f"chance {number}"))
        bounds = list(accumulate(share for _, share in outcomes))
        drawn = luck.choices([action for action, _ in outcomes], cum_weights=bounds)[0]
        return Step("chance", str(drawn), CHANCE, max(self._now(), self.log.turn_began))

    def _flag_if_late(self) -> bool:
        """End the game if the clock of the seat to move has run out; returns whether it has."""
        turn, flag = self.log.turn, self.log.flag_time
        if turn is None or flag is None or self._now() < flag:
            return False
        self._take(Step("flag", "", turn, self._now()))
        return True

    def _end_turn_if_late(self) -> bool:
        """End the game if the clock of the seat to move has run out, or take its
        :attr:`~GameLog.timeout_action` if the time of a short decision is over; returns whether
        either was the case."""
        if self._flag_if_late():
            return True
        turn, timeout, action = self.log.turn, self.log.timeout, self.log.timeout_action
        if turn is None or timeout is None or self._now() < timeout:
            return False
        self._take(Step("action", str(action), turn, timeout))
        return True

    def _ask_for_rematch(self, seat: int) -> None:
        """Note that a seat wants to play again, and tell all people of it."""
        if not self.over:
            raise GameError("the game is not over")
        self._rematch.ask(seat)
        self._tell_all(lambda s: self._rematch.event(s, asking=seat) if s >= 0 else None)

    def _tell_all(self, event_for: Callable[[int], Event | None]) -> None:
        """Send every listener the event for its seat; where ``event_for`` gives None, nothing."""
        for listener in list(self.listeners):
            event = event_for(listener.seat)
            if event is not None:
                listener.send(event)

    def _take(self, step: Step) -> None:
        """Take a step of the game: check it, store it, and then send the seats their new events. An
        error if it is not possible or cannot be stored."""
        number = len(self.log.steps)
        self.log.apply(step)
        try:
            self.storage.add_steps(self.setup.id, number, [step], over=self.over)
        except Exception:
            self.failed = True
            raise
        for seat, events in enumerate(self.log.logs):
            new = events[self._sent[seat] :]
            for event in new:
                for listener in [one for one in self.listeners if one.seat == seat]:
                    listener.send(event)
            self._sent[seat] = len(events)
            if any(event["type"] in ("view", "over") for event in new):
                self.looks.interrupt(seat)  # of nobody else: the end of a look would tell of it
        if self.over:
            for listener in [one for one in self.listeners if one.seat == SPECTATOR]:
                self._send_end(listener.send)
        if step.kind not in ("offer", "decline", "arrive", "fail"):
            self._woken.set()

    def _send_end(self, send: Send) -> None:
        """Tell a spectator how the game ended, or to wait for that."""
        if self.log.result is None:
            send({"type": "wait"})
        else:
            result = self.log.result
            send({"type": "over", "returns": list(result.returns), "reason": result.reason})


def _random_choice(state: State) -> Chosen:
    """A random action, for an agent that has failed before."""
    return Chosen(random_action(state))


def load_log(setup: GameSetup, storage: Storage) -> GameLog:
    """Load a game from storage by replaying its steps; slow for long games, so it is called in a
    thread."""
    log = GameLog(setup, game_by_name(setup.game))
    log.apply_all(storage.steps(setup.id))
    return log
