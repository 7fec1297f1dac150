"""Agents without a search tree: greedy, a vote over the belief, and one that sees everything."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from fogtree._core import FogChessPosition, StopFlag
from fogtree.agents.budget import Budget
from fogtree.agents.protocol import Clairvoyant, Decision, Observation
from fogtree.agents.seat import GameAgent
from fogtree.errors import FogtreeError, GameError
from fogtree.game import Action, Game
from fogtree.games.fog_chess.belief import BeliefLimits, FogBelief
from fogtree.games.fog_chess.evaluator import FogEvaluator
from fogtree.games.fog_chess.evaluators import DEFAULT_EVALUATOR, load_evaluator
from fogtree.games.fog_chess.game import FogChess, FogChessState
from fogtree.games.fog_chess.observation import FogObservation
from fogtree.games.fog_chess.observed_views import ObservedViews

PIECE_VALUES = {"p": 1, "n": 3, "b": 3, "r": 5, "q": 9, "k": 100}


@dataclass(frozen=True, slots=True)
class VoteOptions:
    """Options of the vote over the belief."""

    samples: int = 128  # positions evaluated, if the budget sets no limit
    batch: int = 16  # positions evaluated between two looks at the clock
    cap: int = 200_000  # positions the belief holds at most
    threads: int = 1  # for updates of the belief; the result does not depend on it
    most: int = 20_000  # positions evaluated, if the budget limits the time alone


VOTE = VoteOptions()


class _FogChessAgent(GameAgent[FogChess]):
    """The base of the agents here: keeps the seat and a random generator."""

    plays = FogChess

    def __init__(self, name: str) -> None:
        self.name = name

    def moves_now(self) -> tuple[str, ...]:
        """The moves that can be played; an error unless the agent is to act."""
        return tuple(str(action) for action in self.seat.to_act().actions)

    def best(self, moves: Sequence[str], values: NDArray[np.float64]) -> str:
        """One of the moves with the largest value, at random."""
        top = np.flatnonzero(values >= values.max() - 1e-9)
        return moves[int(self.random.choice(list(top)))]


class Greedy(_FogChessAgent):
    """Takes the king, else the most valuable piece it can, else moves at random."""

    every_view: ClassVar[bool] = False

    def __init__(self) -> None:
        super().__init__("greedy")

    def act(self, budget: Budget | None = None) -> Decision:
        """Play the move that takes the most valuable piece in view."""
        del budget
        moves, view = self.moves_now(), self.seat.to_act().view
        assert isinstance(view, FogObservation)  # the game has checked it
        return Decision(self.best(moves, np.array([_gain(view, move) for move in moves])))


def _gain(view: FogObservation, move: str) -> float:
    """The value of the piece that a move takes, in pawns; 0 if it takes none. A pawn that changes
    its file to an empty square takes another one en passant."""
    start, end = move[:2], move[2:4]
    taken = view.piece(end)
    if taken:
        return PIECE_VALUES[taken.lower()]
    pawn = (view.piece(start) or "").lower() == "p"
    return PIECE_VALUES["p"] if pawn and start[0] != end[0] else 0  # en passant


class BeliefVote(_FogChessAgent):
    """Evaluates positions sampled from its belief, and plays the move with the best mean value.

    B. H. Zhang & T. Sandholm, "General search techniques without common knowledge for
    imperfect-information games, and application to superhuman Fog of War chess" (2025), keep the
    same set of positions. *Deviations:* no search at all; every position counts the same. When the
    belief is contradicted, which happens once it was too large to be complete or if the game did
    not begin at the position that the agent was given, it restarts from the present view alone.
    Without the time to update all of the belief, a sample of it is followed.
    """

    def __init__(self, evaluator: str = DEFAULT_EVALUATOR, options: VoteOptions = VOTE) -> None:
        """Load the evaluator by its spec; :meth:`start` begins a game with a belief."""
        super().__init__(
            "belief-vote" if evaluator == DEFAULT_EVALUATOR else f"belief-vote:{evaluator}"
        )
        self.options = options
        self.evaluator: FogEvaluator = load_evaluator(evaluator)
        self._evaluator_name = evaluator
        self._stop = StopFlag()
        self._views: ObservedViews | None = None

    def start(self, game: Game, player: int, seed: str) -> None:
        """Begin a game with a new belief, and with an evaluator for its rules."""
        super().start(game, player, seed)
        if self.evaluator.rules.name != self.game.rules:
            self.evaluator.close()
            self.evaluator = load_evaluator(self._evaluator_name, rules=self.game.rules)
        limits = BeliefLimits(
            cap=self.options.cap, threads=self.options.threads, seed=self.random.getrandbits(63)
        )
        self._views = ObservedViews(self.game, player, limits, self._stop)
        self._observing = 0.0  # seconds that the last observation took

    @property
    def belief(self) -> FogBelief | None:
        """The positions that are possible; None before a game and once our king is gone."""
        if self._views is None or self._views.tracker.over:
            return None
        return self._views.tracker.whole()

    @property
    def restarts(self) -> int:
        """How often the belief was restarted from a view alone."""
        return 0 if self._views is None else self._views.tracker.restarts

    def observe(self, observation: Observation) -> None:
        """Update the belief by the next view; if the view is refused, nothing changes."""
        began = time.perf_counter()
        before = self.seat.last
        super().observe(observation)
        assert self._views is not None  # a game has started
        try:
            self._views.observe(observation)
            self._views.allow(observation.actions)
        except FogtreeError:
            self.seat.last = before
            raise
        self._observing = time.perf_counter() - began

    def follow(self, action: Action) -> None:
        """Record an own move that was played without :meth:`act`."""
        if self._views is not None:
            self._views.play(action)

    def interrupt(self) -> None:
        """End a running ``act`` or :meth:`catch_up` soon; called from another thread."""
        self._stop.set()

    def catch_up(self) -> None:
        """Enumerate the positions of the belief for which the last decision had no time, while the
        agent is idle; :meth:`interrupt` ends this."""
        if self._views is not None:
            self._views.tracker.catch_up()

    def act(self, budget: Budget | None = None) -> Decision:
        """Sample positions of the belief, value all moves in each of them, and play the best on
        average."""
        moves = self.moves_now()
        assert self._views is not None  # a game has started
        if self._views.tracker.over:
            raise GameError("the game is over: a king is gone")
        began, self._observing = time.perf_counter() - self._observing, 0.0
        self._stop.clear()
        end = began + budget.seconds if budget is not None and budget.seconds > 0 else None
        left = None if end is None else max(0.0, end - time.perf_counter())
        belief = self._views.tracker.now(left)
        allowed = _positions_within(budget, len(moves), self.options)
        positions = belief.sample(allowed, seed=self.random.getrandbits(63))
        means, asked = self._mean_values(positions, moves, end)
        self._stop.clear()
        move = self.best(moves, means)
        self._views.play(move)
        return Decision(
            move,
            values=dict(zip(moves, means.tolist(), strict=True)),
            belief=belief,
            stats={
                "belief": float(len(belief)),
                "complete": float(belief.complete),
                "positions": float(asked),
                "nodes": float(asked * len(moves)),
                "seconds": time.perf_counter() - began,
            },
        )

    def _mean_values(
        self, positions: Sequence[FogChessPosition], moves: Sequence[str], end: float | None
    ) -> tuple[NDArray[np.float64], int]:
        """The mean value of every move over the positions, and the number of positions valued
        before the time ended."""
        # The list of our moves is the same in the whole belief.
        place = {move: number for number, move in enumerate(positions[0].uci_moves())}
        order = [place[move] for move in moves]
        total = np.zeros(len(order))
        asked = 0
        while asked < len(positions):
            part = positions[asked : asked + self.options.batch]
            for values in self.evaluator.children_of_all(part, self.player):
                total += values[order]
            asked += len(part)
            late = end is not None and time.perf_counter() >= end
            if late or self._stop.is_set:
                break
        return total / asked, asked

    def close(self) -> None:
        """Close the evaluator, which may run an engine process."""
        self.evaluator.close()


def _positions_within(budget: Budget | None, moves: int, options: VoteOptions) -> int:
    """The number of positions that may be valued within a budget; each of the ``moves`` in a
    position counts as a node."""
    if budget is None:
        return options.samples
    if budget.nodes > 0:
        return max(1, budget.nodes // moves)
    if budget.steps > 0:
        return budget.steps
    return options.most


class AllSeeing(_FogChessAgent, Clairvoyant):
    """Sees the whole board and plays the move with the best value: an upper bound to compare."""

    every_view: ClassVar[bool] = False

    def __init__(self, evaluator: str = DEFAULT_EVALUATOR) -> None:
        super().__init__(
            "all-seeing" if evaluator == DEFAULT_EVALUATOR else f"all-seeing:{evaluator}"
        )
        self.evaluator = load_evaluator(evaluator)

    def act(self, budget: Budget | None = None) -> Decision:
        """Play the move with the best value at the true position."""
        del budget
        state = self.true_state(self.seat.to_act())
        assert isinstance(state, FogChessState)  # it looks like the view, which has been checked
        found = self.evaluator.children(state.position, self.player).tolist()
        values: dict[Action, float] = dict(zip(state.position.uci_moves(), found, strict=True))
        moves = self.moves_now()
        return Decision(self.best(moves, np.array([values[a] for a in moves])), values=values)

    def close(self) -> None:
        """Close the evaluator, which may run an engine process."""
        self.evaluator.close()
