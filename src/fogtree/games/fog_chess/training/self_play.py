"""One game of the search against itself or one quick game, and its positions for training.

Of every decision of a search the data has the true position, some of the positions that the
searching player could not rule out (roots), and some nodes of the search tree, because the
evaluator is asked there and not at the positions that are played: leaves, and expanded nodes, for
which the search has values of its own. Positions in which a king can be taken are left out: the
rules decide them, so that no network is asked.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Annotated

import numpy as np
from msgspec import Meta
from numpy.typing import NDArray

from fogtree._core import FogChessPosition, FogChessSearch
from fogtree.agents import agent
from fogtree.agents.budget import Budget
from fogtree.arena.play import play_game
from fogtree.errors import OptionError
from fogtree.game import State
from fogtree.games.fog_chess.evaluator import FogEvaluator
from fogtree.games.fog_chess.evaluators import NativeEvaluator, load_evaluator, net_evaluator
from fogtree.games.fog_chess.game import FogChess, FogChessState
from fogtree.games.fog_chess.openings import openings
from fogtree.games.fog_chess.training.quick_play import QuickPlay
from fogtree.games.fog_chess.training.rows import ALMOST_WON, ROW, UNKNOWN, Kind, Rows, packed
from fogtree.search.agent import SearchAgent
from fogtree.search.decision import SearchDecision
from fogtree.search.settings import SearchSettings
from fogtree.text.validation import NotNegative, check_fields

LEAST_NODES = 50
"""Nodes in the subtree of an expanded node that is kept: with fewer, the search's value of it is
hardly more than the evaluator's."""
Kept = Annotated[int, Meta(ge=0, le=100_000)]


@dataclass(frozen=True, slots=True, kw_only=True)
class SelfPlay:
    """How games are played and which positions are kept; the same for all games of a folder."""

    seed: Annotated[int, Meta(ge=0, le=2**63 - 1)] = 0
    search: str = "search"
    """The spec of both players."""
    quick: bool = False
    """Without searches: both sides see everything and choose by the evaluator, with errors."""
    steps: Annotated[int, Meta(ge=0)] = 0
    """Steps of the search per move, which make games repeatable; 0: by time."""
    seconds: NotNegative = 0.0
    """Seconds per move; 0: by steps."""
    openings: str = "random:4"
    """Where games begin, as in matches."""
    roots: Kept = 8
    """The most roots that are kept of a decision."""
    leaves: Kept = 200
    """Leaves of the tree that are kept of a decision, on average; in quick games the moves of a
    position that are valued."""
    inner: Kept = 20
    """Expanded nodes of the tree that are kept of a decision, on average."""

    def __post_init__(self) -> None:
        """Refuse values out of range, and a move that is not limited by either steps or seconds."""
        check_fields(self)
        if self.quick and (self.steps or self.seconds):
            raise OptionError("quick games have no searches that steps or seconds could limit")
        if self.quick and not self.leaves:
            raise OptionError("quick games need leaves: so many moves of a position are valued")
        if not self.quick and (self.steps > 0) == (self.seconds > 0):
            raise OptionError("a move needs a limit: either steps or seconds")

    def settings(self) -> SearchSettings:
        """The settings of both players, with one thread."""
        player = agent(self.search, FogChess())
        try:
            if not isinstance(player, SearchAgent):
                raise OptionError(f"games are played by 'search', not by '{self.search[:40]}'")
            if player.settings.own_budget or player.settings.clock or player.settings.ponder:
                raise OptionError("the time of a move is --steps or --seconds, not in --search")
            return replace(player.settings, threads=1)
        finally:
            player.close()


def play_one(options: SelfPlay, number: int) -> Rows:
    """Play the game with this number; returns its rows."""
    draw = np.random.default_rng([options.seed, number])
    starts = openings(FogChess(), options.openings, 1, int(draw.integers(2**63)))
    game = starts[number % len(starts)]
    settings = _settings(options)
    if options.quick:
        return _quick_play(settings.evaluator, options.leaves).game(game.root().position, draw)
    kept = KeptPositions(options, settings.evaluator, draw)
    players = [RecordingAgent(game, settings, kept) for _ in range(2)]
    budget = Budget(seconds=options.seconds, steps=options.steps)
    try:
        played = play_game(
            game, players, seed=f"{options.seed}/{number}", budget=budget, watch=kept.enter
        )
    finally:
        for player in players:
            player.close()
    return kept.rows(played.record.returns)


class RecordingAgent(SearchAgent):
    """A search agent that hands each decision to :class:`KeptPositions`, which keeps positions of
    its search tree."""

    def __init__(self, game: FogChess, settings: SearchSettings, kept: KeptPositions) -> None:
        super().__init__(game, settings)
        self._kept = kept

    def act(self, budget: Budget | None = None) -> SearchDecision:
        """Search and choose a move, and keep positions of the search tree before it changes."""
        decision = super().act(budget)
        self._kept.add_decision(self, decision)
        return decision


class KeptPositions:
    """The positions kept of one game, with the search's own values."""

    def __init__(self, options: SelfPlay, evaluator: str, draw: np.random.Generator) -> None:
        """Begin a game; ``evaluator`` is the spec of the teacher, ``draw`` makes the random
        choices."""
        self._options, self._evaluator, self._draw = options, evaluator, draw
        self._ply = -1
        self._truth = FogChessPosition()
        self._positions: list[FogChessPosition] = []
        self._kinds: list[Kind] = []
        self._plies: list[int] = []
        self._values: list[float] = []
        self._nodes: list[Rows] = []

    def enter(self, state: State) -> None:
        """Called by the referee with each state of the game: count the ply and remember the true
        position for the next :meth:`add_decision`."""
        assert isinstance(state, FogChessState)
        self._ply, self._truth = self._ply + 1, state.position

    def add_decision(self, player: SearchAgent, decision: SearchDecision) -> None:
        """Keep the true position, and some roots and nodes of the search."""
        roots = [row for row in player.native.roots() if row.possible and row.nodes > 1]
        own = [row.value for row in roots if row.state.key == self._truth.key]
        self._add(Kind.played, self._truth, own[0] if own else decision.value)
        for at in self._chosen(len(roots), self._options.roots):
            self._add(Kind.root, roots[at].state, roots[at].value)
        assert isinstance(player.native, FogChessSearch)
        self._add_nodes(player.native)

    def rows(self, returns: tuple[float, ...]) -> Rows:
        """The rows of the game that ended with these returns."""
        return np.concatenate([self._position_rows(returns), *self._nodes])

    def _position_rows(self, returns: tuple[float, ...]) -> Rows:
        """The rows of the positions played and of the roots, without those that are all but
        decided."""
        rows = np.zeros(len(self._positions), ROW)
        rows["board"] = packed(self._positions)
        rows["kind"], rows["ply"], rows["search"] = self._kinds, self._plies, self._values
        sides = np.array([position.side for position in self._positions])
        played = rows["kind"] == Kind.played
        rows["result"] = np.where(played, np.array(returns)[sides], UNKNOWN)
        rows["teacher"] = taught(self._evaluator, self._positions)
        undecided: Rows = rows[np.abs(rows["teacher"]) < ALMOST_WON]
        return undecided

    def _add_nodes(self, native: FogChessSearch) -> None:
        """Keep random leaves and expanded nodes of the search tree as finished rows: the tree has
        the evaluator's values of all of them and, of expanded ones, the search's."""
        options = self._options
        if not (options.leaves or options.inner):
            return
        seed = int(self._draw.integers(2**63))
        found = native.sampled_nodes(options.leaves, options.inner, LEAST_NODES, ALMOST_WON, seed)
        rows = np.zeros(len(found.evaluated), ROW)
        rows["board"] = found.boards.reshape(-1, 32)
        rows["ply"], rows["result"] = min(self._ply, 65535), UNKNOWN
        rows["search"], rows["teacher"] = found.searched, found.evaluated
        rows["kind"] = np.where(np.isnan(found.searched), Kind.leaf, Kind.inner)
        self._nodes.append(rows)

    def _add(self, kind: Kind, position: FogChessPosition, value: float) -> None:
        """Keep a position with its kind, its ply and its value."""
        self._positions.append(position)
        self._kinds.append(kind)
        self._plies.append(min(self._ply, 65535))
        self._values.append(value)

    def _chosen(self, count: int, wanted: int) -> NDArray[np.int64]:
        """``wanted`` different random numbers below ``count``, in rising order; all if there are
        fewer."""
        places = self._draw.choice(count, min(count, wanted), replace=False)
        return np.sort(places)


def taught(spec: str, positions: list[FogChessPosition]) -> NDArray[np.float32]:
    """The value of every position for its mover, by the evaluator that ``spec`` names: that of the
    best move."""
    evaluator = _teacher(spec)
    best = [
        values.max() if len(values) else 0.0
        for position in positions
        for values in [evaluator.children(position, position.side)]
    ]
    return np.array(best, np.float32)


@lru_cache(maxsize=4)
def _settings(options: SelfPlay) -> SearchSettings:
    """The settings of both players, read once by this process: the evaluator's file is large."""
    return options.settings()


@lru_cache(maxsize=4)
def _quick_play(spec: str, asked: int) -> QuickPlay:
    """Quick games with the evaluator that ``spec`` names."""
    return QuickPlay(quick_teacher(spec), net_evaluator(quiescence=False), asked)


def quick_teacher(spec: str) -> NativeEvaluator:
    """The evaluator of quick games that ``spec`` names; an engine is refused, because it cannot
    value some of a position's moves alone."""
    teacher = load_evaluator(spec)
    if not isinstance(teacher, NativeEvaluator):
        teacher.close()
        raise OptionError(f"quick games need a network or 'simple', not '{spec[:40]}'")
    return teacher


@lru_cache(maxsize=4)
def _teacher(spec: str) -> FogEvaluator:
    """The evaluator that ``spec`` names, loaded once and kept by this process."""
    return load_evaluator(spec)
