"""Analysis of Fog-of-War chess: a game so far, seen by the side that is to move.

What the other side did is needed to know what this side saw, and for nothing else: the agent is
told views, and the result has in it what the agent knows. Only ``all_seeing`` adds the truth.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fogtree import _core
from fogtree.agents.protocol import Observation
from fogtree.errors import OptionError
from fogtree.games.fog_chess.belief import SQUARE_KINDS, FogBelief
from fogtree.games.fog_chess.board_text import COLORS
from fogtree.games.fog_chess.game import FogChess, FogChessState
from fogtree.games.fog_chess.observation import FogObservation
from fogtree.search.agent import SearchAgent
from fogtree.search.analysis import LOOKS, Analysis, Line, examine, searched_before
from fogtree.search.settings import SearchSettings


@dataclass(frozen=True, slots=True)
class Truth:
    """What the searching side cannot know."""

    fen: str
    moves: tuple[str, ...]
    possible: bool
    """Whether the side rightly thinks it possible."""


@dataclass(frozen=True, slots=True, eq=False)
class FogChessAnalysis:
    """An analysis with its board. Marginals are probabilities of square contents, shape (64, 13),
    as in :meth:`FogBelief.marginals`: of all possible positions alike, and of those in the search's
    tree as the search weighs them."""

    analysis: Analysis
    settings: SearchSettings
    view: FogObservation
    belief: FogBelief
    own_moves: tuple[str, ...]
    marginals: NDArray[np.float64]
    weighted_marginals: NDArray[np.float64]
    truth: Truth | None

    @property
    def player(self) -> int:
        return self.analysis.player

    def san(self, move: str) -> str:
        """One of our moves in standard notation, which is the same in every possible position."""
        position = self.belief.native[0]
        return position.write_san(position.read_uci(move))


class FogChessWords:
    def action(self, number: int) -> str:
        return _core.fog_chess_write_uci(number)

    def position(self, state: Any) -> str:
        fen: str = state.fen
        return fen

    def line(self, state: Any, numbers: Sequence[int]) -> Sequence[str]:
        del state
        return [_core.fog_chess_write_uci(number) for number in numbers]


def line_san(line: Line) -> list[str]:
    """The moves of a line in standard notation."""
    position, out = line.state, []
    for move in line.moves:
        number = position.read_uci(move.action)
        out.append(position.write_san(number))
        position = position.play(number)
    return out


def follow_game(
    game: FogChess,
    moves: Sequence[str],
    settings: SearchSettings,
    *,
    player: int | None = None,
    earlier: int = 1,
    seed: str = "analysis",
) -> tuple[SearchAgent, FogChessState]:
    """An agent that has been through a game and is about to decide, and the true state. At the last
    ``earlier`` decisions before this one it searched as it will here, so that there is a tree to
    carry over; before that it only looked."""
    states = [game.root()]
    for move in moves:
        states.append(states[-1].child(move))
    end = states[-1]
    if end.player < 0:
        raise OptionError("the game is over there: nobody is to move")
    if player is not None and player != end.player:
        raise OptionError(
            f"after {len(moves)} plies {COLORS[end.player]} is to move, not {COLORS[player]}"
        )
    mine = end.player
    agent = SearchAgent(game, settings)
    agent.start(game, mine, seed)
    searched = searched_before(states, earlier)
    for number, state in enumerate(states):
        _tell(agent, state, mine)
        if number in searched:
            agent.act()
        if number < len(moves) and state.player == mine:
            agent.follow(moves[number])
    return agent, end


def _tell(agent: SearchAgent, state: FogChessState, player: int) -> None:
    actions = tuple(state.actions()) if state.player == player else ()
    agent.observe(Observation(player, state.observation(player), actions))


def analyse_game(
    game: FogChess,
    moves: Sequence[str],
    settings: SearchSettings,
    *,
    player: int | None = None,
    earlier: int = 1,
    seed: str = "analysis",
    looks: int = LOOKS,
    all_seeing: bool = False,
) -> FogChessAnalysis:
    """The search of the side to move after these moves."""
    agent, end = follow_game(game, moves, settings, player=player, earlier=earlier, seed=seed)
    own = tuple(moves[game.root().player ^ end.player :: 2])
    truth = Truth(end.fen, tuple(moves), end.position in agent.belief) if all_seeing else None
    return _examined(agent, end.player, own, looks, truth)


def analyse_view(
    view: FogObservation,
    settings: SearchSettings,
    *,
    rules: str,
    seed: str = "analysis",
    looks: int = LOOKS,
) -> FogChessAnalysis:
    """The search of a side that knows nothing but what it sees now."""
    if view.side != view.player:
        raise OptionError("the side whose view this is must be to move")
    game = FogChess(rules=rules)
    agent = SearchAgent(game, settings)
    agent.start(game, view.player, seed)
    agent.observe(Observation(view.player, view))
    return _examined(agent, view.player, (), looks, None)


def _examined(
    agent: SearchAgent, player: int, own: tuple[str, ...], looks: int, truth: Truth | None
) -> FogChessAnalysis:
    analysis = examine(
        agent.native,
        FogChessWords(),
        player,
        lambda callback: agent.watch(callback, looks=looks),
    )
    belief = agent.belief
    return FogChessAnalysis(
        analysis=analysis,
        settings=replace(agent.settings),
        view=belief.view,
        belief=belief,
        own_moves=own,
        marginals=belief.marginals(),
        weighted_marginals=_weighted(analysis.our_belief),
        truth=truth,
    )


def _weighted(lines: Sequence[Line]) -> NDArray[np.float64]:
    out = np.zeros((64, len(SQUARE_KINDS)))
    kinds = {letter: number for number, letter in enumerate(SQUARE_KINDS)}
    squares = np.arange(64)
    for line in lines:
        out[squares, [kinds[line.state.letter_at(s)] for s in range(64)]] += line.share
    return out
