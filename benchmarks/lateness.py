"""How late are decisions and stops of the search on Fog-of-War chess, whatever the belief?

Run ``python benchmarks/lateness.py`` on a quiet machine. It asks agents for moves by the API and
over UCI, in games where one, ten thousand, a million or two million positions are possible
(``large_beliefs.txt``; ``--find`` looks for such games), with 0.05 to 5 seconds for a move, and
with one to ten searches at once. A decision is late by the time that it takes beyond the time it
was given: by the API from the opponent's move on, so that the update of the belief counts; over UCI
from the sending of ``position``, with the whole of a game of which the engine has seen nothing. A
stop is late by the time from the stop to the answer.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from functools import cache, partial
from pathlib import Path

from fogtree.agents import Budget, Observation
from fogtree.game import TERMINAL
from fogtree.games.fog_chess.belief import BeliefLimits, FogBelief
from fogtree.games.fog_chess.game import FogChess, FogChessState
from fogtree.games.fog_chess.search import FogChessAdapter
from fogtree.search import SearchAgent
from machine import machine

GAMES = Path(__file__).parent / "large_beliefs.txt"
SIZES = (1, 10_000, 1_000_000, 2_000_000)
SECONDS = (0.05, 0.2, 1.0, 5.0)
AT_ONCE = (1, 2, 5, 10)
STOPS = (0.005, 0.02, 0.05, 0.1, 0.3, 1.0)
"""Seconds after which a search without a limit is stopped."""
ENGINE = (sys.executable, "-m", "fogtree", "uci", "--agent")


@dataclass(frozen=True)
class Game:
    """The moves of a game after which the side to move has a belief of about ``size`` positions."""

    size: int
    moves: tuple[str, ...]


@dataclass(frozen=True)
class Row:
    """The lateness, in milliseconds, of all answers of one kind: ``by`` API or UCI, with a belief
    of this size, ``seconds`` per move and ``at_once`` searches at the same time."""

    by: str
    belief: int
    seconds: float
    at_once: int
    answers: int
    latest: float
    late_99: float
    median: float
    fewest_nodes: int
    most_nodes: int
    """Nodes of the smallest and of the largest of the searches that ran at the same time, averaged
    over the rounds."""


def read_games() -> list[Game]:
    lines = [line.split() for line in GAMES.read_text().splitlines()]
    return [Game(int(size), tuple(moves)) for size, *moves in lines]


def states_of(moves: Sequence[str]) -> list[FogChessState]:
    states = [FogChess().root()]
    for move in moves:
        states.append(states[-1].child(move))
    return states


def tell(agent: SearchAgent, state: FogChessState, player: int) -> None:
    actions = tuple(state.actions()) if state.player == player else ()
    agent.observe(Observation(player, state.observation(player), actions))


@cache
def belief_after(moves: tuple[str, ...], player: int) -> FogBelief:
    states = states_of(moves)
    belief = FogBelief.start(player)
    for before, move, after in zip(states, moves, states[1:], strict=False):
        view = after.observation(player)
        own = before.player == player
        belief = belief.after_own_move(move, view) if own else belief.after_other_move(view)
    return belief


class ByApi:
    """A search agent in this process, at the end of a game. It is given its whole belief before its
    last move, which would take seconds to compute again."""

    def __init__(self, game: Game, seed: int) -> None:
        self.states = states_of(game.moves)
        self.player = self.states[-1].player
        self.moves = game.moves
        self.agent = SearchAgent("fog_chess")
        self.seed = seed
        self.known = max(0, len(self.moves) - 2)
        self.belief = belief_after(game.moves[: self.known], self.player)
        self.again()

    def again(self) -> None:
        """Go back to the agent's previous decision, two plies before the end of the moves, at which
        it searches for a moment, so that there is a tree to carry over."""
        self.agent.start(FogChess(), self.player, str(self.seed))
        for number, state in enumerate(self.states[: self.known + 1]):
            tell(self.agent, state, self.player)
            if state.player == self.player and number < self.known:
                self.agent.follow(self.moves[number])
        adapter = self.agent.adapter
        assert isinstance(adapter, FogChessAdapter)
        tracker = adapter._views.tracker
        tracker._waiting.clear()  # instead of another enumeration, which takes seconds
        tracker._full = self.belief
        self.left = self.states[self.known + 1 :]
        if self.left:
            self.agent.act(Budget(seconds=0.05))
            self.agent.follow(self.moves[self.known])
            tell(self.agent, self.left[0], self.player)

    def decide(self, seconds: float) -> tuple[float, int]:
        """Search for so many seconds; returns how late the answer came, in seconds, and the nodes
        of the tree."""
        began = time.perf_counter()
        if self.left:
            tell(self.agent, self.left[1], self.player)
        decision = self.agent.act(Budget(seconds=seconds))
        return time.perf_counter() - began - seconds, int(decision.stats["nodes"])

    def stop(self, after: float) -> float:
        """Stop a search without a limit after so many seconds; returns how many seconds later the
        answer came."""
        answered = threading.Event()
        stopped: list[float] = []

        def end() -> None:
            stopped.append(time.perf_counter())
            self.agent.interrupt()
            while not answered.wait(0.002):  # a search that had not begun yet does not hear it
                self.agent.interrupt()

        timer = threading.Timer(after, end)
        if self.left:
            tell(self.agent, self.left[1], self.player)
        timer.start()
        self.agent.act(Budget(seconds=1e6))
        late = time.perf_counter()
        answered.set()
        timer.join()
        return late - stopped[0]

    def close(self) -> None:
        self.agent.close()


class ByUci:
    """The same agent in a process of its own, which is asked over UCI."""

    def __init__(self, game: Game, seed: int, agent: str = "search") -> None:
        self.game = game
        self.process = subprocess.Popen(
            (*ENGINE, agent), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        )
        self.send(f"setoption name Seed value {seed}")
        self.again()

    def send(self, line: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def until(self, word: str) -> list[str]:
        assert self.process.stdout is not None
        lines = []
        for line in self.process.stdout:
            lines.append(line)
            if line.startswith(word):
                return lines
        raise RuntimeError("the engine died")

    def again(self) -> None:
        self.send("ucinewgame\nisready")
        self.until("readyok")

    def decide(self, seconds: float) -> tuple[float, int]:
        began = time.perf_counter()
        self.send(f"position startpos moves {' '.join(self.game.moves)}")
        self.send(f"go movetime {1000 * seconds:.0f}")
        lines = self.until("bestmove")
        late = time.perf_counter() - began - seconds
        words = next(line for line in reversed(lines) if " nodes " in line).split()
        return late, int(words[words.index("nodes") + 1])

    def stop(self, after: float) -> float:
        self.send(f"position startpos moves {' '.join(self.game.moves)}\ngo infinite")
        time.sleep(after)
        began = time.perf_counter()
        self.send("stop")
        self.until("bestmove")
        return time.perf_counter() - began

    def close(self) -> None:
        self.send("quit")
        self.process.wait()


Player = ByApi | ByUci


def on_all(players: Sequence[Player], work: Callable[[Player], object]) -> list[object]:
    """Do something with all players at the same time."""
    gate = threading.Barrier(len(players))

    def at_once(player: Player) -> object:
        gate.wait()
        return work(player)

    with ThreadPoolExecutor(len(players)) as pool:
        return list(pool.map(at_once, players))


def part(values: Sequence[float], share: float) -> float:
    """A quantile: the value that this share of all values does not exceed."""
    return sorted(values)[min(len(values) - 1, int(share * len(values)))]


def measure(players: Sequence[Player], by: str, size: int, seconds: float, rounds: int) -> Row:
    """Let all players decide at the same time, ``rounds`` times, and sum up how late they were."""
    late: list[float] = []
    nodes: list[list[int]] = []
    for _ in range(rounds):
        on_all(players, lambda player: player.again())
        found = on_all(players, lambda player: player.decide(seconds))
        late += [1000 * answer[0] for answer in found]  # type: ignore[index]
        nodes.append(sorted(answer[1] for answer in found))  # type: ignore[index]
    return Row(
        by,
        size,
        seconds,
        len(players),
        len(late),
        max(late),
        part(late, 0.99),
        part(late, 0.5),
        sum(round_[0] for round_ in nodes) // rounds,
        sum(round_[-1] for round_ in nodes) // rounds,
    )


def run(options: argparse.Namespace) -> list[Row]:
    rows = []
    for game, kind, made in chosen(options):
        for at_once in options.at_once:
            players: list[Player] = [made(game, seed) for seed in range(at_once)]
            for seconds in options.seconds:
                rounds = max(1, min(20, int(options.each / seconds)))
                rows.append(measure(players, kind, game.size, seconds, rounds))
                print(_line(rows[-1]), flush=True)
            on_all(players, lambda player: player.close())
    return rows


def chosen(
    options: argparse.Namespace,
) -> Iterator[tuple[Game, str, Callable[[Game, int], Player]]]:
    """The games of the sizes that were asked for, with each way to play them."""
    ways: dict[str, Callable[[Game, int], Player]] = {}
    if options.agent == "search":
        ways["API"] = ByApi
    ways["UCI"] = partial(ByUci, agent=options.agent)
    for game in read_games():
        for kind, made in ways.items():
            if game.size in options.sizes and kind in options.by:
                yield game, kind, made


def stops(options: argparse.Namespace) -> None:
    """Print how long after a stop the answer comes."""
    for game, kind, made in chosen(options):
        player = made(game, 0)
        late = []
        for after in STOPS:
            player.again()
            late.append(f"{1000 * player.stop(after):6.1f}")
        player.close()
        print(f"{kind} |P| {game.size:>9,}  stopped: {' '.join(late)} ms late", flush=True)


def _line(row: Row) -> str:
    return (
        f"{row.by} |P| {row.belief:>9,}  {row.seconds:>5} s  {row.at_once:>2} at once"
        f"  {row.answers:>4} answers  late: at most {row.latest:7.1f} ms, 99 % {row.late_99:7.1f},"
        f" median {row.median:7.1f};  nodes {row.fewest_nodes:,} to {row.most_nodes:,}"
    )


def find(wanted: int, tolerance: float = 0.2) -> Game:
    """A game of random moves, few of them captures, after which the side to move has a belief of
    about ``wanted`` positions."""
    cap = BeliefLimits().cap
    for seed in range(1000):
        generator = random.Random(f"large beliefs/{wanted}/{seed}")
        state = FogChess().root()
        limits = BeliefLimits(cap=cap)
        beliefs = [FogBelief.start(player, limits=limits) for player in (0, 1)]
        moves: list[str] = []
        while state.player != TERMINAL and len(moves) < 80:
            size = len(beliefs[state.player])
            full = not beliefs[state.player].complete
            if full if wanted == cap else abs(size - wanted) <= tolerance * wanted:
                return Game(wanted, tuple(moves))
            if max(map(len, beliefs)) > max(2 * wanted, 1_000) and wanted < cap:
                break
            quiet = [move for move in state.actions() if "x" not in state.san(move)]
            move = generator.choice(quiet or list(state.actions()))
            mover, state = state.player, state.child(move)
            moves.append(move)
            if state.player == TERMINAL:
                break
            for player in (0, 1):
                view = state.observation(player)
                belief = beliefs[player]
                beliefs[player] = (
                    belief.after_own_move(move, view)
                    if player == mover
                    else belief.after_other_move(view)
                )
    raise SystemExit(f"no game with {wanted:,} positions was found")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", type=int, nargs="+", default=list(SIZES))
    parser.add_argument("--seconds", type=float, nargs="+", default=list(SECONDS))
    parser.add_argument("--at-once", type=int, nargs="+", default=list(AT_ONCE))
    parser.add_argument("--by", nargs="+", default=["API", "UCI"])
    parser.add_argument("--agent", default="search", help="another one is asked over UCI only")
    parser.add_argument("--each", type=float, default=4.0, help="seconds for each kind, about")
    parser.add_argument("--stops", action="store_true", help="only how late stops are")
    parser.add_argument("--find", action="store_true", help="write large_beliefs.txt anew")
    parser.add_argument("--json", type=Path, help="a file for the rows")
    options = parser.parse_args()
    if options.find:
        games = [find(size) for size in SIZES]
        GAMES.write_text("".join(f"{game.size} {' '.join(game.moves)}\n" for game in games))
        return 0
    print(*machine().values(), f"load {os.getloadavg()[0]:.1f}", sep=", ", flush=True)
    if options.stops:
        stops(options)
        return 0
    rows = run(options)
    if options.json:
        options.json.write_text(json.dumps([asdict(row) for row in rows], indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main())
