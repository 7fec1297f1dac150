"""The UCI server: fogtree as an engine for Fog-of-War chess (variant ``fogofwar``).

The protocol is S. Meyer-Kahlen's *Universal Chess Interface* (2004). *Deviations:* the engine
is sent all moves but uses only what its own side could see of them, and its output depends on
nothing else; so it ignores the move that ``go ponder`` expects until ``ponderhit``. For programs
that know no variant but chess it plays only moves that chess allows. Errors in the input are
reported in an ``info string``.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace

from fogtree import __version__, _core
from fogtree.agents import agent
from fogtree.agents.budget import Budget
from fogtree.agents.protocol import Agent, Decision, Observation
from fogtree.errors import FogtreeError, IllegalActionError, NotationError
from fogtree.game import TERMINAL
from fogtree.games.fog_chess.belief import FogBelief
from fogtree.games.fog_chess.evaluators import centipawns
from fogtree.games.fog_chess.game import FogChess, FogChessState
from fogtree.games.fog_chess.rules import START_FEN
from fogtree.games.fog_chess.uci.chess_rules import chess_moves
from fogtree.games.fog_chess.uci.messages import Go, read_go, read_position, read_setoption
from fogtree.games.fog_chess.uci.options import CHESS, UciOptions
from fogtree.games.fog_chess.uci.player import FogSeat, replayed
from fogtree.search.agent import SearchAgent

NO_MOVE = "(none)"
_UNLIMITED_SECONDS = 24 * 3600.0  # for ``go infinite``, until ``stop``
_UNSTOPPABLE_SECONDS = 5.0  # for ``go infinite``, if the agent cannot be interrupted
_REPORTS, _UNLIMITED_REPORTS = 8, 286  # progress lines per search, more frequent at first
_QUIET_SECONDS = 0.5  # at the start of a search, without progress lines
_CATCH_UP_AFTER = 0.2  # seconds after a move, for engines that were asked at the same time


class UciServer:
    """Handles lines of the protocol; answers go to ``write``, also from the search thread."""

    def __init__(self, write: Callable[[str], None], options: UciOptions | None = None) -> None:
        """Begin at the usual starting position, without an agent: that is loaded when it is
        needed."""
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
        """The handler of each command, by the first word of a line; it is called with the other
        words."""
        return {
            "uci": self._list_options,
            "isready": lambda _: self._get_ready(),
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
        self._say(f"id name fogtree {__version__}")
        self._say("id author the fogtree authors")
        for line in self.options.declared():
            self._say(line)
        self._say("uciok")

    def _set_option(self, words: list[str]) -> None:
        """Handle ``setoption``: change an option; if it concerns the agent or the game, load these
        again."""
        name, value = read_setoption(words)
        self._stop_search()
        options, changed = self.options, self.options.changed(name.lower(), value)
        if changed.same_game(options):
            self.options = changed
        else:
            changed.check()  # raises an error now if the agent cannot be loaded
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
        """The game that starts at a FEN, by the rules of the options."""
        return FogChess(rules=self.options.rules, fen=fen)

    def _state(self) -> FogChessState:
        """The state at the end of the last ``position``; an error if that could not be read."""
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
        """Handle ``go``: start a search, whose time includes what reading the last ``position``
        took."""
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
        if not self._playable(state):
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

    def _playable(self, state: FogChessState) -> tuple[str, ...]:
        """The moves that the program at the other end accepts; none if the game is over."""
        if self.options.variant == CHESS and state.player != TERMINAL:
            return chess_moves(state.position)
        return tuple(state.actions())

    def _only_playable(self, go: Go, state: FogChessState) -> Go:
        """The ``go`` command with its ``searchmoves`` restricted to playable moves. If none of them
        is playable: with all playable moves if the variant has fewer moves than the game, else
        without a restriction."""
        playable = self._playable(state)
        left = tuple(move for move in go.searchmoves if move in playable)
        wrong = [move for move in go.searchmoves if move not in playable]
        if wrong:
            rest = "" if left else "; all moves are searched"
            shown = " ".join(wrong)[:60]
            self._report_error(NotationError(f"searchmoves {shown}: cannot be played here{rest}"))
        if not left and len(playable) < len(state.actions()):
            left = playable
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
            moves = go.searchmoves or state.actions()
            self._report_decision(decision, moves, time.perf_counter() - began)
        except Exception as error:  # ``go`` must be answered with a move
            self._report_error(error)
            self._drop_seat()  # its state may be inconsistent after an error
            decision = _plain_decision(state, self._playable(state))
        if go.infinite or go.ponder:
            stop.wait()
        self._say(f"bestmove {decision.action}")
        self._answered.set()
        seat = self._seat
        if seat is not None and not stop.wait(_CATCH_UP_AFTER):
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
            raise IllegalActionError(f"{self.options.player} chose a move that cannot be played")
        return decision

    def _act(self, agent: Agent, budget: Budget | None) -> Decision:
        """Decide, and report the progress of a search."""
        if not isinstance(agent, SearchAgent):
            return agent.act(budget)
        unlimited = budget is not None and budget.seconds >= _UNLIMITED_SECONDS / 2
        looks = _UNLIMITED_REPORTS if unlimited else _REPORTS
        return agent.watch(self._report_progress, budget, looks=looks)

    def _report_progress(self, now: _core.SearchMoment) -> None:
        """Write the nodes and time of a running search, but not at its very beginning."""
        if now.seconds >= _QUIET_SECONDS:
            self._say(f"info nodes {now.nodes} time {1000 * now.seconds:.0f}")

    def _get_ready(self) -> None:
        """Handle ``isready``: load the agent, so that this takes no time of the first move."""
        if self._search_thread is None or not self._search_thread.is_alive():
            with suppress(FogtreeError):  # ``go`` reports it
                self._take_seat()
        self._say("readyok")

    def _take_seat(self) -> FogSeat:
        """The agent in its game; loaded from the options if there is none."""
        if self._seat is None:
            options = self.options
            self._seat = FogSeat(
                options.load(), seed=str(options.seed), known_start=options.known_start
            )
        return self._seat

    def _drop_seat(self) -> None:
        """Close the agent; the next ``isready`` or ``go`` loads another one by the options."""
        seat, self._seat = self._seat, None
        if seat is not None:
            seat.agent.close()

    def _report_decision(self, decision: Decision, moves: Sequence[str], seconds: float) -> None:
        """Write ``info`` lines: size of the belief, depth, score, nodes and time."""
        stats = decision.stats
        if isinstance(decision.belief, FogBelief):
            kind = "all" if decision.belief.complete else "a sample"
            self._say(f"info string belief {len(decision.belief)} positions, {kind}")
        depth = f"{float(stats.get('depth', 1)):.0f}"
        effort = f"nodes {float(stats.get('nodes', 0)):.0f} time {1000 * seconds:.0f}"
        for rank, move in enumerate(_ranked(decision, moves)[: self.options.multi_pv], 1):
            value = decision.values.get(move)
            score = "" if value is None else f"score cp {centipawns(value)} "
            self._say(f"info depth {depth} multipv {rank} {score}{effort} pv {move}")

    def _stop_search(self) -> None:
        """Stop a running search, which then writes its best move."""
        if self._expected is not None:  # pondering has no result, but ``stop`` needs a ``bestmove``
            self._expected = None
            state = self._state()
            self._say(f"bestmove {_plain_decision(state, self._playable(state)).action}")
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
        """Write an error as one line of the protocol."""
        what = str(error) if isinstance(error, FogtreeError) else f"internal: {error!r}"
        text = "".join(c if c.isprintable() else "?" for c in " ".join(what.split()))
        self._say(f"info string error: {text}")

    def _say(self, line: str) -> None:
        """Write a line to the other program. If writing fails in the search thread, the thread goes
        on; the main thread raises the error later."""
        try:
            with self._writing:
                self._write(line)
        except OSError:
            if threading.current_thread() is threading.main_thread():
                raise


def _plain_decision(state: FogChessState, playable: tuple[str, ...]) -> Decision:
    """A greedy decision from the view alone, for an agent that cannot decide."""
    greedy = agent("greedy", state.game)
    greedy.start(FogChess(rules=state.game.rules), state.player, "")
    view = state.observation(state.player)
    greedy.observe(Observation(state.player, view, playable))
    return greedy.act()


def _ranked(decision: Decision, moves: Sequence[str]) -> list[str]:
    """The move that is played, then the others that have a value: the likeliest and best first."""
    others = [move for move in moves if move in decision.values and move != decision.action]
    others.sort(key=lambda move: (-decision.mix.get(move, 0.0), -decision.values[move]))
    return [str(decision.action), *others]
