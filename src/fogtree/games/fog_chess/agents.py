"""Agents without a search tree: greedy, a vote over the belief, and one that sees everything."""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from fogtree._core import FogChessPosition
from fogtree.agents.budget import Budget
from fogtree.agents.protocol import Clairvoyant, Decision, Observation
from fogtree.agents.seat import GameAgent
from fogtree.errors import GameError, NotationError
from fogtree.game import Action, Game, State
from fogtree.games.fog_chess.belief import BeliefLimits, FogBelief
from fogtree.games.fog_chess.evaluator import FogEvaluator
from fogtree.games.fog_chess.evaluators import DEFAULT_EVALUATOR, load_evaluator
from fogtree.games.fog_chess.game import FogChess, FogChessState
from fogtree.games.fog_chess.observation import FogObservation

PIECE_VALUES = {"p": 1, "n": 3, "b": 3, "r": 5, "q": 9, "k": 100}


@dataclass(frozen=True, slots=True)
class VoteOptions:
    """Options of the vote over the belief."""

    samples: int = 128  # positions evaluated, if the budget sets no limit
    batch: int = 16  # positions evaluated between two looks at the clock
    cap: int = 200_000  # positions the belief holds at most
    threads: int = 1  # for updates of the belief; the result does not depend on it
    guesses: int = 20_000  # positions drawn when only the present view is known


VOTE = VoteOptions()


class _FogChessAgent(GameAgent[FogChess]):
    """The base of the agents here: keeps the view, the legal moves and a random generator."""

    plays = FogChess
    view: FogObservation
    actions: tuple[str, ...] = ()

    def __init__(self, name: str) -> None:
        self.name = name

    def observe(self, observation: Observation) -> None:
        super().observe(observation)
        assert isinstance(observation.view, FogObservation)  # the game has checked it
        self.view = observation.view
        self.actions = tuple(str(action) for action in observation.actions)

    def best(self, values: NDArray[np.float64]) -> str:
        """One of the moves with the largest value, at random."""
        top = np.flatnonzero(values >= values.max() - 1e-9)
        return self.actions[int(self.random.choice(list(top)))]


class Greedy(_FogChessAgent):
    """Takes the king, else the most valuable piece it can, else moves at random."""

    every_view: ClassVar[bool] = False

    def __init__(self) -> None:
        super().__init__("greedy")

    def act(self, budget: Budget | None = None) -> Decision:
        del budget
        self.seat.to_act()
        return Decision(self.best(np.array([self._gain(move) for move in self.actions])))

    def _gain(self, move: str) -> float:
        """The value of the piece that a move takes, as far as it is seen."""
        start, end = move[:2], move[2:4]
        taken = self.view.piece(end)
        if taken:
            return PIECE_VALUES[taken.lower()]
        pawn = (self.view.piece(start) or "").lower() == "p"
        return PIECE_VALUES["p"] if pawn and start[0] != end[0] else 0  # en passant


class BeliefVote(_FogChessAgent):
    """Evaluates positions sampled from its belief, and plays the move with the best mean value.

    B. H. Zhang & T. Sandholm, "General search techniques without common knowledge for
    imperfect-information games, and application to superhuman Fog of War chess" (2025), keep the
    same set of positions. *Deviations:* no search at all; every position counts the same. When the
    belief is contradicted, which happens once it was too large to be complete or if the game did
    not begin at the position that the agent was given, it restarts from the present view alone.
    """

    def __init__(self, evaluator: str = DEFAULT_EVALUATOR, options: VoteOptions = VOTE) -> None:
        super().__init__(
            "belief-vote" if evaluator == DEFAULT_EVALUATOR else f"belief-vote:{evaluator}"
        )
        self.options = options
        self.evaluator: FogEvaluator = load_evaluator(evaluator)
        self._evaluator_name = evaluator
        self._stopped = threading.Event()
        self.belief: FogBelief | None = None

    def start(self, game: Game, player: int, seed: str) -> None:
        super().start(game, player, seed)
        if self.evaluator.rules.name != self.game.rules:
            self.evaluator.close()
            self.evaluator = load_evaluator(self._evaluator_name, rules=self.game.rules)
        self._limits = BeliefLimits(
            cap=self.options.cap, threads=self.options.threads, seed=self.random.getrandbits(63)
        )
        self._move: str | None = None
        self.belief = None
        self.restarts = 0

    def observe(self, observation: Observation) -> None:
        before = self.seat.last
        self.seat.take(observation)
        assert isinstance(observation.view, FogObservation)  # the game has checked it
        try:
            self.belief = self._belief_after(observation.view)
        except GameError:
            self.seat.last = before
            raise
        super().observe(observation)
        self._move = None

    def _belief_after(self, view: FogObservation) -> FogBelief | None:
        """The belief at the next view; None once a king is gone.

        A complete belief that a view contradicts shows that the view is wrong; any other belief is
        restarted from the view alone.
        """
        try:
            found = self._updated(view)
        except NotationError:
            found = None
        if found:
            return found
        over = not view.has_king
        sure = self.belief is not None and self.belief.complete and self.restarts == 0
        if sure and not over:
            raise GameError("this view does not follow from the earlier ones")
        return None if over else self._restarted(view)

    def _restarted(self, view: FogObservation) -> FogBelief:
        """A belief from the present view alone."""
        found = FogBelief.from_view(
            view, samples=self.options.guesses, rules=self.game.rules, limits=self._limits
        )
        self.restarts += 1
        return found

    def _updated(self, view: FogObservation) -> FogBelief:
        """The belief after the last own move or the other side's, and the present view."""
        if self.belief is None:
            return self._first(view)
        if self.belief.view == view:
            return self.belief
        if self._move is not None:
            return self.belief.after_own_move(self._move, view)
        return self.belief.after_other_move(view)

    def _first(self, view: FogObservation) -> FogBelief:
        """The belief at the start of the game; an error if the view shows another position."""
        game = self.game
        start = FogBelief.start(self.player, fen=game.fen, rules=game.rules, limits=self._limits)
        if start.view != view:
            raise NotationError("the game did not begin at the given position")
        return start

    def follow(self, action: Action) -> None:
        self._move = str(action)

    def interrupt(self) -> None:
        self._stopped.set()

    def act(self, budget: Budget | None = None) -> Decision:
        self.seat.to_act()
        if self.belief is None:
            raise GameError("the game is over: a king is gone")
        began = time.perf_counter()
        self._stopped.clear()
        allowed = _within(budget, len(self.actions), self.options)
        positions = self.belief.sample(allowed, seed=self.random.getrandbits(63))
        order = self._order(positions[0])
        total = np.zeros(len(order))
        asked = 0
        while asked < len(positions):
            part = positions[asked : asked + self.options.batch]
            for values in self.evaluator.children_of_all(part, self.player):
                total += values[order]
            asked += len(part)
            late = budget is not None and 0 < budget.seconds <= time.perf_counter() - began
            if late or self._stopped.is_set():
                break
        means = total / asked
        move = self.best(means)
        self._move = move
        return Decision(
            move,
            values=dict(zip(self.actions, means.tolist(), strict=True)),
            belief=self.belief,
            stats={
                "belief": float(len(self.belief)),
                "complete": float(self.belief.complete),
                "positions": float(asked),
                "nodes": float(asked * len(order)),
                "seconds": time.perf_counter() - began,
            },
        )

    def _order(self, position: FogChessPosition) -> list[int]:
        """The places of our moves in a position's list of moves, the same in the whole belief."""
        place = {move: number for number, move in enumerate(position.uci_moves())}
        return [place[move] for move in self.actions]

    def close(self) -> None:
        """Close the evaluator, which may run an engine process."""
        self.evaluator.close()


def _within(budget: Budget | None, moves: int, options: VoteOptions) -> int:
    """How many positions a budget allows; every evaluated child counts as a node."""
    if budget is None:
        return options.samples
    if budget.nodes > 0:
        return max(1, budget.nodes // moves)
    if budget.steps > 0:
        return budget.steps
    return options.guesses


class AllSeeing(_FogChessAgent, Clairvoyant):
    """Sees the whole board and plays the move with the best value: an upper bound to compare."""

    every_view: ClassVar[bool] = False

    def __init__(self, evaluator: str = DEFAULT_EVALUATOR) -> None:
        super().__init__(
            "all-seeing" if evaluator == DEFAULT_EVALUATOR else f"all-seeing:{evaluator}"
        )
        self.evaluator = load_evaluator(evaluator)

    def reveal(self, state: State) -> None:
        assert isinstance(state, FogChessState)
        self._position = state.position

    def act(self, budget: Budget | None = None) -> Decision:
        del budget
        self.seat.to_act()
        found = self.evaluator.children(self._position, self.player).tolist()
        values: dict[Action, float] = dict(zip(self._position.uci_moves(), found, strict=True))
        return Decision(self.best(np.array([values[a] for a in self.actions])), values=values)

    def close(self) -> None:
        """Close the evaluator, which may run an engine process."""
        self.evaluator.close()
