"""One game of the search against itself, and the positions that it met.

Of every decision the data has the true position, some of the positions that the searching player
could not rule out (roots), and some leaves of the search tree, because the evaluator is asked there
and not at the positions that are played. Positions in which a king can be taken are left out: the
rules decide them, so that no network is asked.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Annotated

import numpy as np
from msgspec import Meta
from numpy.typing import NDArray

from fogtree._core import FogChessPosition
from fogtree.agents import agent
from fogtree.agents.budget import Budget
from fogtree.arena.play import play_game
from fogtree.errors import OptionError
from fogtree.game import TERMINAL, State
from fogtree.games.fog_chess.evaluator import FogEvaluator
from fogtree.games.fog_chess.evaluators import DEFAULT_EVALUATOR, load_evaluator
from fogtree.games.fog_chess.game import FogChess, FogChessState
from fogtree.games.fog_chess.openings import openings
from fogtree.games.fog_chess.training.rows import ROW, UNKNOWN, Kind, Rows, packed
from fogtree.search.agent import SearchAgent
from fogtree.search.decision import SearchDecision
from fogtree.search.settings import SearchSettings
from fogtree.text.validation import NotNegative, check_fields

ALMOST_WON = 0.9999
"""From this value on a king can be taken."""
MOST_NODES = 1_000_000
"""Nodes of a tree among which leaves are drawn."""
Kept = Annotated[int, Meta(ge=0, le=1000)]


@dataclass(frozen=True, slots=True, kw_only=True)
class SelfPlay:
    """How games are played and which positions are kept; the same for all games of a folder."""

    seed: Annotated[int, Meta(ge=0, le=2**63 - 1)] = 0
    search: str = "search"
    """The spec of both players."""
    steps: Annotated[int, Meta(ge=0)] = 0
    """Steps of the search per move, which make games repeatable; 0: by time."""
    seconds: NotNegative = 0.0
    """Seconds per move; 0: by steps."""
    openings: str = "random:4"
    """Where games begin, as in matches."""
    roots: Kept = 8
    """The most roots that are kept of a decision."""
    leaves: Kept = 24
    """The most leaves that are kept of a decision."""
    teacher: str = DEFAULT_EVALUATOR
    """The evaluator whose values are written down."""
    second_teacher: str = ""
    """Another one; empty for none."""

    def __post_init__(self) -> None:
        check_fields(self)
        if (self.steps > 0) == (self.seconds > 0):
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
    kept = KeptPositions(options, draw)
    settings = options.settings()
    players = [RecordingAgent(game, settings, kept) for _ in range(2)]
    budget = Budget(seconds=options.seconds, steps=options.steps)
    try:
        played = play_game(
            game, players, seed=f"{options.seed}/{number}", budget=budget, watch=kept.look
        )
    finally:
        for player in players:
            player.close()
    return kept.rows(played.record.returns)


class RecordingAgent(SearchAgent):
    """A search whose decisions are handed over before the next one begins."""

    def __init__(self, game: FogChess, settings: SearchSettings, kept: KeptPositions) -> None:
        super().__init__(game, settings)
        self._kept = kept

    def act(self, budget: Budget | None = None) -> SearchDecision:
        decision = super().act(budget)
        self._kept.add_decision(self, decision)
        return decision


class KeptPositions:
    """The positions met in one game, with the search's own values."""

    def __init__(self, options: SelfPlay, draw: np.random.Generator) -> None:
        self._options, self._draw = options, draw
        self._ply = -1
        self._truth = FogChessPosition()
        self._positions: list[FogChessPosition] = []
        self._kinds: list[Kind] = []
        self._plies: list[int] = []
        self._values: list[float] = []

    def look(self, state: State) -> None:
        """Take the next state of the game."""
        assert isinstance(state, FogChessState)
        self._ply, self._truth = self._ply + 1, state.position

    def add_decision(self, player: SearchAgent, decision: SearchDecision) -> None:
        """Keep the true position, and some roots and leaves of the search."""
        roots = [row for row in player.native.roots() if row.possible and row.nodes > 1]
        own = [row.value for row in roots if row.state.key == self._truth.key]
        self._add(Kind.played, self._truth, own[0] if own else decision.value)
        for at in self._chosen(len(roots), self._options.roots):
            self._add(Kind.root, roots[at].state, roots[at].value)
        if not self._options.leaves:
            return
        leaves = [
            node
            for node in player.native.nodes(MOST_NODES)
            if not node.expanded and node.player != TERMINAL and abs(node.value) < ALMOST_WON
        ]
        for at in self._chosen(len(leaves), self._options.leaves):
            self._add(Kind.leaf, leaves[at].state, math.nan)

    def rows(self, returns: tuple[float, ...]) -> Rows:
        """The rows of the game that ended with these returns."""
        rows = np.zeros(len(self._positions), ROW)
        rows["board"] = packed(self._positions)
        rows["kind"], rows["ply"], rows["search"] = self._kinds, self._plies, self._values
        sides = np.array([position.side for position in self._positions])
        played = rows["kind"] == Kind.played
        rows["result"] = np.where(played, np.array(returns)[sides], UNKNOWN)
        rows["teacher"] = taught(self._options.teacher, self._positions)
        rows["second"] = np.nan
        if self._options.second_teacher:
            rows["second"] = taught(self._options.second_teacher, self._positions)
        undecided: Rows = rows[np.abs(rows["teacher"]) < ALMOST_WON]
        return undecided

    def _add(self, kind: Kind, position: FogChessPosition, value: float) -> None:
        self._positions.append(position)
        self._kinds.append(kind)
        self._plies.append(min(self._ply, 65535))
        self._values.append(value)

    def _chosen(self, count: int, wanted: int) -> NDArray[np.int64]:
        """Distinct places below ``count``, in order."""
        places = self._draw.choice(count, min(count, wanted), replace=False)
        return np.sort(places)


def taught(spec: str, positions: list[FogChessPosition]) -> NDArray[np.float32]:
    """The value of every position for its mover: that of its best move."""
    evaluator = _teacher(spec)
    best = [
        values.max() if len(values) else 0.0
        for position in positions
        for values in [evaluator.children(position, position.side)]
    ]
    return np.array(best, np.float32)


@lru_cache(maxsize=4)
def _teacher(spec: str) -> FogEvaluator:
    """An evaluator that this process keeps."""
    return load_evaluator(spec)
