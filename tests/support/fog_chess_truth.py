"""How far the truth is among the positions that a player thinks possible, in whole games.

``python -m tests.support.fog_chess_truth --games 2000 --cap 200000`` plays games to their ends and
prints what it counted. After every ply, for both players, one or two of these are checked:

- *from the start*: a belief followed from the first ply, which has never outgrown the cap. It is
  the exact set P, and has the true position in it.
- *begun anew*: a belief that outgrew the cap is a sample, out of which the truth may drop; that
  would prove nothing. It is begun anew with the true position alone, and followed from there: not
  P, but a part of it, and it has the true position in it.
- *beyond the cap*: the updates at which that happened. Nothing is checked of those beliefs.
- *from the truth alone*: at every ply, whatever the cap, the update of a belief that holds only the
  true position before has the true position after it. The update of a belief is the union of the
  updates of its positions (see ``test_an_update_is_the_union_of_the_updates_of_the_positions``), so
  that P itself would have the truth at those plies as well.
- *of belief-vote*: what that agent holds itself, as long as it is complete.
"""

from __future__ import annotations

import argparse
import itertools
import sys
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field

import fogtree
from fogtree.agents import Agent
from fogtree.arena import play_game
from fogtree.game import State
from fogtree.games.fog_chess.agents import BeliefVote, VoteOptions
from fogtree.games.fog_chess.belief import BeliefLimits, FogBelief
from fogtree.games.fog_chess.game import FogChess, FogChessState
from fogtree.games.fog_chess.observation import FogObservation

PLAYERS = ("random", "greedy", "belief-vote")
PAIRS = tuple(itertools.product(PLAYERS, repeat=2))
VOTE = VoteOptions(samples=16, cap=5_000)

FROM_START = "truth in the belief from the start"
ANEW = "truth in a belief begun anew"
ALONE = "truth in the update from the truth alone"
OF_AGENT = "truth in the belief of belief-vote"
BEYOND = "updates beyond the cap, not checked"
LARGEST = "largest belief that was checked"


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
                self._inside(OF_AGENT, state, agent.belief)
        self.before = state

    def _follow(
        self, before: FogChessState, state: FogChessState, player: int, limits: BeliefLimits
    ) -> None:
        view = state.observation(player)
        own = self._move(before, state) if before.player == player else None
        alone = FogBelief.of([before.position], player, limits=limits)
        self._inside(ALONE, state, _updated(alone, own, view))
        belief = _updated(self.beliefs[player], own, view)
        if belief.complete:
            kind = FROM_START if self.unbroken[player] else ANEW
            self._inside(kind, state, belief)
            self.counts[LARGEST] = max(self.counts[LARGEST], len(belief))
        else:
            self.counts[BEYOND] += 1
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
        BeliefVote(options=VOTE) if name == "belief-vote" else fogtree.agent(name, game)
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
            largest = max(total[LARGEST], counts.pop(LARGEST, 0))
            total += counts
            total[LARGEST] = largest
    return total


def _lines(total: Counter[str]) -> Iterator[str]:
    for name, count in sorted(total.items()):
        yield f"{name:42}{count:>12,}"


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=2_000)
    parser.add_argument("--cap", type=int, default=5_000)
    parser.add_argument("--processes", type=int, default=1)
    given = parser.parse_args()
    found = follow_games(given.games, given.cap, given.processes)
    sys.stdout.write("\n".join(_lines(found)) + "\n")
