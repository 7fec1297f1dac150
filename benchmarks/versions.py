"""A match between two installed versions of the search on Fog-of-War chess, at equal time.

    python benchmarks/versions.py --games 400 --time 0.1 --workers 16 \
        --first SITE "search(threads=1)" --second OTHER_SITE "search(threads=1)"

Every version plays in processes of its own: SITE is the folder in which it was installed, or "-"
for the one that runs this program. Games are played in pairs with colours changed. Printed are the
score of the first with its interval by pairs, and how games ended: draws by repetition, and those
of them in which a side was ahead by three pawns or more.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import subprocess
import sys
import threading
import time
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from fogtree.game import TERMINAL
from fogtree.games.fog_chess.game import FogChess

PLAYER = """
import json, sys
import fogtree
from fogtree.agents import Budget, Observation
from fogtree.games.fog_chess.game import FogChess
game, agent, state, me = FogChess(), None, None, 0
def observe():
    actions = tuple(state.actions()) if state.player == me else ()
    agent.observe(Observation(me, state.observation(me), actions))
for line in sys.stdin:
    order = json.loads(line)
    if "new" in order:
        if agent is not None:
            agent.close()
        me, seed = order["new"]
        agent, state = fogtree.agent(sys.argv[1], game), game.root()
        agent.start(game, me, seed)
        observe()
    elif "move" in order:
        state = state.child(order["move"])
        observe()
    else:
        decision = agent.act(Budget(seconds=order["go"]))
        answer = {"move": decision.action}
        for name in ("p_max", "safe", "belief_size", "seconds"):
            answer[name] = getattr(decision, name, None)
        print(json.dumps(answer), flush=True)
"""
WORTH = {"p": 1, "n": 3, "b": 3, "r": 5, "q": 9}
AHEAD = 3  # pawns of material from which a drawn game is counted as one with a lead


@dataclass
class Totals:
    """What happened in the games so far."""

    pairs: list[float] = field(default_factory=list)
    """The first one's score in each pair of games, from 0 to 1."""
    ends: Counter[str] = field(default_factory=Counter)
    plies: int = 0
    decisions: Counter[str] = field(default_factory=Counter)
    latest: float = 0.0


class Player:
    """One version in a process of its own."""

    def __init__(self, site: str, spec: str) -> None:
        environment = dict(os.environ)
        if site != "-":
            environment["PYTHONPATH"] = os.path.abspath(site)
        self._process = subprocess.Popen(
            [sys.executable, "-c", PLAYER, spec],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=environment,
        )

    def tell(self, **order: Any) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(order) + "\n")
        self._process.stdin.flush()

    def answer(self) -> dict[str, Any]:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            raise RuntimeError("a player's process has ended")
        answer: dict[str, Any] = json.loads(line)
        return answer

    def close(self) -> None:
        self._process.kill()
        self._process.wait()


def lead(fen: str) -> int:
    """White's material less Black's, in pawns."""
    board = fen.split(maxsplit=1)[0]
    return sum(
        (1 if piece.isupper() else -1) * WORTH.get(piece.lower(), 0)
        for piece in board
        if piece.isalpha()
    )


def play(players: list[Player], seed: str, seconds: float, names: str, totals: Totals) -> float:
    """Play one game between two players, White first; returns White's score: 1, 0 or a half.
    ``names`` has the letters of both versions in the totals."""
    state = FogChess().root()
    for color, player in enumerate(players):
        player.tell(new=[color, f"{seed}/{color}"])
    while state.player != TERMINAL:
        mover = state.player
        players[mover].tell(go=seconds)
        answer = players[mover].answer()
        count(totals, names[mover], answer, seconds)
        state = state.child(answer["move"])
        totals.plies += 1
        for player in players:
            player.tell(move=answer["move"])
    assert state.outcome is not None
    reason = state.outcome.reason
    totals.ends[reason] += 1
    if state.outcome.winner is None and abs(lead(state.fen)) >= AHEAD:
        ahead = names[0] if lead(state.fen) > 0 else names[1]
        totals.ends[f"{reason}, {ahead} ahead by {AHEAD} or more"] += 1
    return {0: 1.0, 1: 0.0, None: 0.5}[state.outcome.winner]


def count(totals: Totals, name: str, answer: dict[str, Any], seconds: float) -> None:
    """Count one decision of a version: whether it was safe, and how late it came."""
    totals.decisions[name] += 1
    totals.decisions[f"{name} safe"] += bool(answer["safe"])
    if answer["seconds"]:
        totals.latest = max(totals.latest, answer["seconds"] - seconds)


def work(options: argparse.Namespace, numbers: list[int], totals: Totals, end: float) -> None:
    """The work of one thread: take one of the ``numbers`` of pairs and play its two games, with
    colours exchanged, until none is left or the moment ``end`` has come."""
    while numbers and time.monotonic() < end:
        number = numbers.pop()
        first, second = Player(*options.first), Player(*options.second)
        try:
            score = 0.0
            for colors in ((first, second), (second, first)):
                names = "AB" if colors[0] is first else "BA"
                seed = f"{options.seed}/{number}"
                white = play(list(colors), seed, options.time, names, totals)
                score += white if colors[0] is first else 1 - white
            totals.pairs.append(score / 2)
        finally:
            first.close()
            second.close()


def interval(pairs: list[float]) -> tuple[float, float]:
    """The mean of the pairs' scores, and half the width of its 95 % interval."""
    mean = sum(pairs) / len(pairs)
    spread = sum((pair - mean) ** 2 for pair in pairs) / max(len(pairs) - 1, 1)
    return mean, 1.96 * math.sqrt(spread / len(pairs))


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    for name in ("first", "second"):
        parser.add_argument(f"--{name}", nargs=2, required=True, metavar=("SITE", "AGENT"))
    parser.add_argument("--games", type=int, default=400)
    parser.add_argument("--time", type=float, default=0.1, help="seconds a move")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--limit", type=float, default=1e9, help="seconds for the whole match")
    parser.add_argument(
        "--grace",
        type=float,
        default=1e9,
        help="seconds after the limit in which pairs under way may end; later ones do not count",
    )
    parser.add_argument("--seed", default="0")
    options = parser.parse_args()
    numbers = list(range(options.games // 2, 0, -1))
    totals = Totals()
    end = time.monotonic() + options.limit
    threads = [
        threading.Thread(target=work, args=(options, numbers, totals, end), daemon=True)
        for _ in range(options.workers)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(max(0.0, end + options.grace - time.monotonic()))
    if not totals.pairs:
        print("no pair of games was finished")
        return 1
    mean, half = interval(totals.pairs)
    print(f"A {options.first[1]} ({options.first[0]})")
    print(f"B {options.second[1]} ({options.second[0]})")
    print(f"A scores {mean:.3f} ± {half:.3f} in {2 * len(totals.pairs)} games at {options.time} s")
    games = 2 * len(totals.pairs)
    print(f"{totals.plies / games:.0f} plies a game; latest by {1e3 * totals.latest:.0f} ms")
    for name in "AB":
        safe = totals.decisions[f"{name} safe"] / max(totals.decisions[name], 1)
        print(f"{name}: {safe:.1%} of decisions safe")
    for reason, number in totals.ends.most_common():
        print(f"{number:5} {reason}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
