"""An agent that solves a small game exactly and plays the equilibrium."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import fogtree
from fogtree.agents.tabular import TabularAgent
from fogtree.errors import GameError
from fogtree.game import CHANCE, TERMINAL, Game, State
from fogtree.game.checks import checked_players
from fogtree.game.kept import kept_per_game
from fogtree.tree import GameTree, compile

if TYPE_CHECKING:
    from fogtree.solvers.linear_program import Equilibrium

MOST_INFOSETS = 5_000
"""Most information sets of a game that is solved while somebody waits."""
_MOST_BYTES = 500_000_000  # of a compiled game


@dataclass(frozen=True, slots=True)
class SolvedGame:
    """A compiled game with its exact equilibrium."""

    tree: GameTree
    equilibrium: Equilibrium


def is_small(game: Game) -> bool:
    """Whether a game has few enough information sets to be solved while somebody waits. The walk
    ends as soon as there are too many, so it is quick for large games too."""
    found = set[tuple[object, ...]]()
    nothing: tuple[tuple[object, ...], ...] = ((),) * checked_players(game)
    waiting: list[tuple[State, tuple[tuple[object, ...], ...]]] = [(game.root(), nothing)]
    while waiting and len(found) <= MOST_INFOSETS:
        state, known = waiting.pop()
        mover = state.player
        if mover == TERMINAL:
            continue
        if mover == CHANCE:
            waiting += [(state.child(outcome), known) for outcome, _ in state.chance()]
            continue
        seen = (*known[mover], state.observation(mover))
        found.add((mover, seen))
        for action in state.actions():
            own = (*seen, action)
            waiting.append((state.child(action), (*known[:mover], own, *known[mover + 1 :])))
    return len(found) <= MOST_INFOSETS


@kept_per_game(16)
def solved_game(game: Game) -> SolvedGame:
    """A small two-player game of zero or constant sum with its equilibrium; a GameError says why a
    game cannot be solved."""
    if checked_players(game) != 2:
        raise GameError(f"{game} is not solved: only games of two players are")
    tree = compile(game, memory=_MOST_BYTES)
    if len(tree.infoset_names) > MOST_INFOSETS:
        raise GameError(
            f"{game} is not solved: it has {len(tree.infoset_names):,} information sets, and only "
            f"games of at most {MOST_INFOSETS:,} are"
        )
    return SolvedGame(tree, fogtree.equilibrium(tree))


class EquilibriumAgent(TabularAgent):
    """Plays an exact equilibrium of a small game, which it finds by linear programming."""

    def __init__(self, game: Game) -> None:
        super().__init__(solved_game(game).equilibrium.strategy, "equilibrium")
