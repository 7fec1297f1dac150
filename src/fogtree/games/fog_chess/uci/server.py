"""The UCI server: fogtree as an engine for Fog-of-War chess (variant ``fogofwar``).

The protocol is S. Meyer-Kahlen's *Universal Chess Interface* (2004). *Deviations:* the engine
is sent all moves but uses only what its own side could see of them, and its output depends on
nothing else; so it ignores the move that ``go ponder`` expects until ``ponderhit``. Errors in the
input are reported in an ``info string``.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any

from fogtree import _core
from fogtree.agents import agent, agent_entries, agent_names
from fogtree.agents.budget import Budget
from fogtree.agents.protocol import Agent, Clairvoyant, Decision, Observation
from fogtree.errors import FogtreeError, IllegalActionError, NotationError, OptionError
from fogtree.game import TERMINAL
from fogtree.games.fog_chess.belief import FogBelief
from fogtree.games.fog_chess.evaluators import DEFAULT_EVALUATOR, centipawns
from fogtree.games.fog_chess.game import FogChess, FogChessState
from fogtree.games.fog_chess.rules import DEFAULT_PRESET, PRESETS, START_FEN
from fogtree.games.fog_chess.uci.messages import (
    Go,
    read_go,
    read_position,
    read_setoption,
    read_spin,
)
from fogtree.games.fog_chess.uci.player import FogSeat, replayed
from fogtree.search.agent import SearchAgent
from fogtree.search.settings import default_threads
from fogtree.text.specs import parse_spec

VARIANT = "fogofwar"
NO_MOVE = "(none)"
_UNLIMITED_SECONDS = 24 * 3600.0  # for ``go infinite``, until ``stop``
_UNSTOPPABLE_SECONDS = 5.0  # for ``go infinite``, if the agent cannot be interrupted
_REPORTS, _UNLIMITED_REPORTS = 8, 286  # progress lines per search, more frequent at first
_QUIET_SECONDS = 0.5  # at the start of a search, without progress lines


@dataclass(frozen=True, slots=True)
class UciOptions:
    """The options that ``setoption`` can change."""

    agent: str = "belief-vote"
    evaluator: str = DEFAULT_EVALUATOR
    rules: str = DEFAULT_PRESET
    known_start: bool = False  # whether a FEN that is sent is known to both sides
    overhead: int = 30  # milliseconds for sending a move
    threads: int = field(default_factory=default_threads)
    hash: int = 0  # megabytes for the search's tree; 0: no bound
    seed: int = 0

    def load(self) -> Agent:
        """Make the agent; settings in its own spec take precedence over these options."""
        game = FogChess(rules=self.rules)
        made = agent(self.agent, game, **self._settings(game))
        if isinstance(made, Clairvoyant):
            raise OptionError(f"{self.agent} would have to see the whole board")
        return made

    def _settings(self, game: FogChess) -> dict[str, object]:
        """The settings of the agent that its own spec leaves open."""
        spec = parse_spec(self.agent, "agent")
        entry = agent_entries(game).get(spec.name)
        if entry is None or spec.argument:
            return {}
        if entry.settings:
            own = {"evaluator": self.evaluator, "threads": self.threads, "memory": self.hash << 20}
            return {name: value for name, value in own.items() if name not in spec.settings}
        return {entry.argument: self.evaluator} if entry.argument else {}


def players() -> list[str]:
    """The agents that can play over UCI: those that need not see the whole board."""
    game = FogChess()
    return [n for n in agent_names(game) if not isinstance(agent(n, game), Clairvoyant)]


class UciServer:
    """Handles lines of the protocol; answers go to ``write``, also from the search thread."""

    def __init__(self, write: Callable[[str], None], options: UciOptions | None = None) -> None:
        self._write = write
        self._writing = threading.Lock()
        self.options = options or UciOptions()
        self._seat: FogSeat | None = None
        self._moves: list[str] = []
        self._states: list[FogChessState] | None = [self._game(START_FEN).root()]
        self._reading = 0.0  # seconds that the last ``position`` took
        self._search_thread: threading.Thread | None = None
        self._stop = threading.Event()
        self._answered = threading.Event()  # set once ``bestmove`` is written
        self._endless = False  # whether the search ends by ``stop`` alone
        self._expected: Go | None = None  # of ``go ponder``, until ``ponderhit`` or ``stop``

    def handle(self, line: str) -> bool:
        """Handle one line; False after ``quit``."""
        words = line.split()
        if not words:
            return True
        if words[0] == "quit":
            self.close()
            return False
        command = self._commands().get(words[0])
        if command is None:
            self._report_error(NotationError(f"unknown command '{words[0][:40]}'"))
            return True
        try:
            command(words[1:])
        except Exception as error:  # the program at the other end must not hang
            self._report_error(error)
        return True

    def close(self) -> None:
        """Stop the search and close the agent."""
        self._stop_search()
        self._drop_game()

    def wait(self) -> None:
        """Wait for a running search with a limit, after the end of the input."""
        if self._search_thread is not None and not self._endless:
            self._answered.wait()

    def _commands(self) -> dict[str, Callable[[list[str]], None]]:
        return {
            "uci": self._list_options,
            "isready": lambda _: self._say("readyok"),
            "debug": lambda _: None,
            "register": lambda _: None,
            "setoption": self._set_option,
            "ucinewgame": lambda _: self._drop_game(),
            "position": self._set_position,
            "go": self._go,
            "stop": lambda _: self._stop_search(),
            "ponderhit": lambda _: self._ponderhit(),
            "d": lambda _: self._show_view(),
        }

    def _list_options(self, words: list[str]) -> None:
        """Handle ``uci``: name the engine and its options."""
        del words
        options = self.options
        known = players()
        names = known if options.agent in known else [*known, options.agent]
        variants = " ".join(f"var {name}" for name in names)
        rules = " ".join(f"var {name}" for name in PRESETS)
        self._say("id name fogtree")
        self._say("id author the fogtree authors")
        self._say(f"option name Agent type combo default {options.agent} {variants}")
        self._say(f"option name Evaluator type string default {options.evaluator}")
        self._say(f"option name UCI_Variant type combo default {VARIANT} var {VARIANT}")
        self._say(f"option name Rules type combo default {options.rules} {rules}")
        self._say("option name Known Start type check default false")
        self._say(_spin("Move Overhead", options))
        self._say("option name Ponder type check default false")
        for name in ("Threads", "Hash", "Seed"):
            self._say(_spin(name, options))
        self._say("uciok")

    def _set_option(self, words: list[str]) -> None:
        name, value = read_setoption(words)
        self._stop_search()
        changed = _changed(self.options, name.lower(), value)
        if changed != self.options:
            changed.load().close()  # raises an error now if the agent cannot be loaded
            self.options = changed
            self._drop_game()
            states, self._states = self._states, None
            if states is not None:
                self._states = replayed(self._game(states[0].game.fen), self._moves)

    def _set_position(self, words: list[str]) -> None:
        """Handle ``position``: keep the moves and the states that they lead through."""
        began = time.perf_counter()
        self._stop_search()
        self._states = None  # if the words cannot be read, there is no position
        start, self._moves = read_position(words)
        self._states = replayed(self._game(start), self._moves)
        self._reading = time.perf_counter() - began

    def _game(self, fen: str) -> FogChess:
        return FogChess(rules=self.options.rules, fen=fen)

    def _state(self) -> FogChessState:
        if self._states is None:
            raise NotationError("there is no position: the last one could not be read")
        return self._states[-1]

    def _show_view(self) -> None:
        """Write the view of the side to move, for the command ``d``."""
        state = self._state()
        side = state.position.side
        for line in str(state.observation(side)).splitlines():
            self._say(f"info string {line}")
        self._say(f"info string {state.record_view(side)}")

    def _go(self, words: list[str]) -> None:
        """Handle ``go``; the time of the ``position`` before it counts."""
        began, self._reading = time.perf_counter() - self._reading, 0.0
        self._stop_search()
        try:
            go = read_go(words)
        except NotationError as error:
            self._report_error(error)
            go = Go(movetime=1000)
        for note in go.notes:
            self._say(f"info string {note}")
        self._start_search(go, began)

    def _start_search(self, go: Go, began: float) -> None:
        """Search in a thread, or ponder; without a legal position answer ``bestmove (none)``."""
        try:
            state = self._state()
        except FogtreeError as error:
            self._report_error(error)
            self._say(f"bestmove {NO_MOVE}")
            return
        if state.player == TERMINAL:
            self._say("info string the game is over")
            self._say(f"bestmove {NO_MOVE}")
            return
        if go.ponder and self._moves:
            self._expected = go
            self._ponder(state)
            return
        go = self._only_playable(go, state)
        self._stop, self._answered = threading.Event(), threading.Event()
        self._endless = go.infinite or go.ponder
        self._search_thread = threading.Thread(
            target=self._answer_go, args=(go, state, began, self._stop), daemon=True
        )
        self._search_thread.start()

    def _only_playable(self, go: Go, state: FogChessState) -> Go:
        """The command with only the legal ones of its ``searchmoves``; without any, if none is
        legal."""
        playable = state.actions()
        left = tuple(move for move in go.searchmoves if move in playable)
        wrong = [move for move in go.searchmoves if move not in playable]
        if wrong:
            rest = "" if left else "; all moves are searched"
            shown = " ".join(wrong)[:60]
            self._report_error(NotationError(f"searchmoves {shown}: cannot be played here{rest}"))
        return replace(go, searchmoves=left)

    def _ponder(self, state: FogChessState) -> None:
        """Ponder on the position before the expected move, which the agent must not know."""
        assert self._states is not None
        try:
            seat = self._take_seat()
            seat.follow(self._states[:-1], self._moves[:-1], side=state.player)
            seat.agent.ponder()
        except FogtreeError as error:
            self._report_error(error)
            self._drop_seat()

    def _ponderhit(self) -> None:
        """Handle ``ponderhit``: the expected move was played, and the clock runs."""
        go, self._expected = self._expected, None
        if go is not None:
            self._start_search(replace(go, ponder=False), time.perf_counter())
        else:
            self._stop_search()

    def _answer_go(self, go: Go, state: FogChessState, began: float, stop: threading.Event) -> None:
        """Decide and write the best move; the thread of a search."""
        try:
            decision = self._decide(go, state, began)
            self._report_decision(decision, time.perf_counter() - began)
        except Exception as error:  # ``go`` must be answered with a move
            self._report_error(error)
            self._drop_seat()  # its state may be inconsistent after an error
            decision = _plain_decision(state)
        if go.infinite or go.ponder:
            stop.wait()
        self._say(f"bestmove {decision.action}")
        self._answered.set()
        seat = self._seat
        if seat is not None and not stop.is_set():
            with suppress(Exception):  # the next search meets it again
                seat.agent.catch_up()

    def _decide(self, go: Go, state: FogChessState, began: float) -> Decision:
        """The agent's decision within the limits of ``go``."""
        seat = self._take_seat()
        assert self._states is not None
        seat.follow(self._states, self._moves, go.searchmoves)
        seconds = go.seconds(state.player, self.options.overhead)
        if go.infinite or go.ponder:
            stoppable = type(seat.agent).interrupt is not Agent.interrupt
            seconds = _UNLIMITED_SECONDS if stoppable else _UNSTOPPABLE_SECONDS
        budget = None
        if seconds or go.nodes:
            left = max(0.001, seconds - (time.perf_counter() - began)) if seconds else 0.0
            budget = Budget(seconds=left, nodes=go.nodes)
        decision = self._act(seat.agent, budget)
        if decision.action not in state.actions():
            raise IllegalActionError(f"{self.options.agent} chose a move that cannot be played")
        return decision

    def _act(self, agent: Agent, budget: Budget | None) -> Decision:
        """Decide, and report the progress of a search."""
        if not isinstance(agent, SearchAgent):
            return agent.act(budget)
        unlimited = budget is not None and budget.seconds >= _UNLIMITED_SECONDS / 2
        looks = _UNLIMITED_REPORTS if unlimited else _REPORTS
        return agent.watch(self._report_progress, budget, looks=looks)

    def _report_progress(self, now: _core.SearchMoment) -> None:
        if now.seconds >= _QUIET_SECONDS:
            self._say(f"info nodes {now.nodes} time {1000 * now.seconds:.0f}")

    def _take_seat(self) -> FogSeat:
        """The agent in its game; loaded from the options if there is none."""
        if self._seat is None:
            options = self.options
            self._seat = FogSeat(
                options.load(), seed=str(options.seed), known_start=options.known_start
            )
        return self._seat

    def _drop_seat(self) -> None:
        seat, self._seat = self._seat, None
        if seat is not None:
            seat.agent.close()

    def _report_decision(self, decision: Decision, seconds: float) -> None:
        """Write ``info`` lines: size of the belief, depth, score, nodes and time."""
        stats = decision.stats
        if isinstance(decision.belief, FogBelief):
            kind = "all" if decision.belief.complete else "a sample"
            self._say(f"info string belief {len(decision.belief)} positions, {kind}")
        parts = [f"info depth {float(stats.get('depth', 1)):.0f}"]
        if decision.action in decision.values:
            parts.append(f"score cp {centipawns(decision.values[decision.action])}")
        parts.append(f"nodes {float(stats.get('nodes', 0)):.0f} time {1000 * seconds:.0f}")
        self._say(f"{' '.join(parts)} pv {decision.action}")

    def _stop_search(self) -> None:
        """Stop a running search, which then writes its best move."""
        if self._expected is not None:  # pondering has no result, but ``stop`` needs a ``bestmove``
            self._expected = None
            self._say(f"bestmove {_plain_decision(self._state()).action}")
        thread, self._search_thread = self._search_thread, None
        if thread is None:
            return
        self._stop.set()
        while thread.is_alive():
            seat = self._seat
            if seat is not None:
                seat.agent.interrupt()
            thread.join(0.002)  # an interruption before the agent acts has no effect

    def _drop_game(self) -> None:
        """Stop a running search and close the agent with its game."""
        self._stop_search()
        self._drop_seat()

    def _report_error(self, error: Exception) -> None:
        what = str(error) if isinstance(error, FogtreeError) else f"internal: {error!r}"
        text = "".join(c if c.isprintable() else "?" for c in " ".join(what.split()))
        self._say(f"info string error: {text}")

    def _say(self, line: str) -> None:
        """Write a line. If it cannot be written, the main thread meets the error as well, at the
        latest at the end; the thread of a search goes on to its own end."""
        try:
            with self._writing:
                self._write(line)
        except OSError:
            if threading.current_thread() is threading.main_thread():
                raise


def _plain_decision(state: FogChessState) -> Decision:
    """A greedy decision from the view alone, for an agent that cannot decide."""
    greedy = agent("greedy", state.game)
    greedy.start(FogChess(rules=state.game.rules), state.player, "")
    view = state.observation(state.player)
    greedy.observe(Observation(state.player, view, tuple(state.actions())))
    return greedy.act()


_SPINS = {
    "move overhead": ("overhead", 0, 5000),
    "threads": ("threads", 1, 256),
    "hash": ("hash", 0, 1_000_000),
    "seed": ("seed", 0, 1_000_000_000),
}
"""Options that are numbers: the field, the smallest and the largest."""


def _spin(name: str, options: UciOptions) -> str:
    """The line that declares a numeric option to the program at the other end."""
    field, low, high = _SPINS[name.lower()]
    now = getattr(options, field)
    return f"option name {name} type spin default {now} min {low} max {high}"


def _changed(options: UciOptions, name: str, value: str) -> UciOptions:
    """The options with one of them set from its text."""
    if name in ("agent", "evaluator", "rules"):
        changes: dict[str, Any] = {name: value}
    elif name == "known start" and value in ("true", "false"):
        changes = {"known_start": value == "true"}
    elif name in _SPINS:
        field, low, high = _SPINS[name]
        changes = {field: read_spin(name, value, low, high)}
    elif name == "ponder" and value in ("true", "false"):
        changes = {}  # the program decides when to ponder
    elif name == "uci_variant" and value == VARIANT:
        changes = {}
    elif name in ("known start", "uci_variant", "ponder"):
        raise OptionError(f"option '{name}' cannot be '{value[:40]}'")
    else:
        raise OptionError(f"there is no option '{name[:40]}'")
    return replace(options, **changes)
