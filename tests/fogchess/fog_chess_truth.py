"""Is the truth among the positions that a player thinks possible, at every ply of whole games?

``python tests/fogchess/fog_chess_truth.py --games 2000`` plays and prints what it counted. After
every ply, for both players:

- *step*: the update of a belief that holds only the position before has the true position in it.
  An update looks at each position by itself, so that a belief without a cap, which has all of them,
  would have the truth as well: this holds at every ply, whatever the cap.
- *unbroken*: the belief followed from the start of the game, as long as it is complete.
- *begun anew*: once it has outgrown the cap, the truth may drop out of the sample that is left,
  which proves nothing; it is begun anew with the true position, and followed from there.
- *agents*: what ``belief-vote`` holds itself, as long as that is complete.
"""

from __future__ import annotations

import argparse
import itertools
import sys
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field

from fogtree.agents import Agent, load_agent
from fogtree.agents.fog_chess import BeliefVote, VoteOptions
from fogtree.arena import play_game
from fogtree.fogchess import BeliefLimits, FogBelief, FogObservation
from fogtree.game import State
from fogtree.games.fog_chess import FogChess, FogChessState

PLAYERS = ("random", "greedy", "belief-vote")
PAIRS = tuple(itertools.product(PLAYERS, repeat=2))
VOTE = VoteOptions(samples=16, cap=5_000, guesses=2_000)


class TruthMissingError(AssertionError):
    """The true position is not where it has to be."""


@dataclass
class Watcher:
    """Follows one game as both players."""

    cap: int
    agents: list[Agent]
    counts: Counter[str] = field(default_factory=Counter)
    beliefs: list[FogBelief] = field(default_factory=list)
    unbroken: list[bool] = field(default_factory=lambda: [True, True])
    before: FogChessState | None = None

    def __call__(self, state: State) -> None:
        assert isinstance(state, FogChessState)
        limits = BeliefLimits(cap=self.cap, threads=1)
        if self.before is None:
            self.beliefs = [FogBelief.start(player, limits=limits) for player in (0, 1)]
        else:
            self.counts["plies"] += 1
            for player in (0, 1):
                self._follow(self.before, state, player, limits)
        for agent in self.agents:
            if isinstance(agent, BeliefVote) and agent.belief and agent.belief.complete:
                self._inside("agents", state, agent.belief)
        self.before = state

    def _follow(
        self, before: FogChessState, state: FogChessState, player: int, limits: BeliefLimits
    ) -> None:
        view = state.observation(player)
        own = self._move(before, state) if before.player == player else None
        alone = FogBelief.of([before.position], player, limits=limits)
        self._inside("step", state, _updated(alone, own, view))
        belief = _updated(self.beliefs[player], own, view)
        if belief.complete:
            kind = "unbroken" if self.unbroken[player] else "begun anew"
            self._inside(kind, state, belief)
            self.counts["largest"] = max(self.counts["largest"], len(belief))
        else:
            self.counts["outgrown"] += 1
            self.unbroken[player] = False
            belief = FogBelief.of([state.position], player, limits=limits)
        self.beliefs[player] = belief

    @staticmethod
    def _move(before: FogChessState, state: FogChessState) -> str:
        return next(
            move
            for move, code in zip(before.actions(), before.position.moves(), strict=True)
            if before.position.play(code) == state.position
        )

    def _inside(self, kind: str, state: FogChessState, belief: FogBelief) -> None:
        if state.position not in belief:
            raise TruthMissingError(f"{kind}: {state.fen} as player {belief.player}")
        self.counts[kind] += 1


def _updated(belief: FogBelief, own: str | None, view: FogObservation) -> FogBelief:
    return belief.after_other_move(view) if own is None else belief.after_own_move(own, view)


def follow_game(number: int, cap: int) -> Counter[str]:
    """Play one game and follow it; the pairings take turns."""
    game = FogChess()
    names = PAIRS[number % len(PAIRS)]
    agents = [
        BeliefVote(options=VOTE) if name == "belief-vote" else load_agent(name, game)
        for name in names
    ]
    watcher = Watcher(cap, agents)
    play_game(game, agents, seed=f"truth/{number}", watch=watcher)
    watcher.counts.update({"games": 1, **{f"seats of {name}": 0 for name in names}})
    for name in names:
        watcher.counts[f"seats of {name}"] += 1
    return watcher.counts


def follow_games(games: int, cap: int, processes: int = 1) -> Counter[str]:
    """Play games and follow them all; raises if the truth is missing anywhere."""
    total: Counter[str] = Counter()
    with ProcessPoolExecutor(processes) as pool:
        for counts in pool.map(follow_game, range(games), itertools.repeat(cap), chunksize=4):
            largest = max(total["largest"], counts.pop("largest", 0))
            total += counts
            total["largest"] = largest
    return total


def _lines(total: Counter[str]) -> Iterator[str]:
    for name, count in sorted(total.items()):
        yield f"{name:24}{count:>12,}"


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=2_000)
    parser.add_argument("--cap", type=int, default=5_000)
    parser.add_argument("--processes", type=int, default=1)
    given = parser.parse_args()
    found = follow_games(given.games, given.cap, given.processes)
    sys.stdout.write("\n".join(_lines(found)) + "\n")
