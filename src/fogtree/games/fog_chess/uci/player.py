"""One side of a game that comes over UCI: an agent that observes what its side can see.

The moves of both sides come in, because chess programs send them all. They stay in the referee's
true state here; the agent gets the views that its side would have had, and its own moves.
"""

from __future__ import annotations

from collections.abc import Sequence

from fogtree.agents.protocol import Agent, Observation
from fogtree.errors import NotationError
from fogtree.game import TERMINAL
from fogtree.games.fog_chess.game import FogChess, FogChessState
from fogtree.games.fog_chess.observation import FogObservation


class FogSeat:
    """Replays a game for an agent, which gets the views of its own side only."""

    def __init__(self, agent: Agent, *, seed: str, known_start: bool) -> None:
        """Take an agent; with ``known_start`` it is told the game's real starting position."""
        self.agent = agent
        self._seed = seed
        self._known_start = known_start
        self._sent_moves: list[str] | None = None
        self._key: tuple[FogChess, int] | None = None  # the game and side that the agent plays
        self._asked: tuple[str, ...] = ()  # ``only`` of the last decision

    def follow(
        self,
        states: Sequence[FogChessState],
        moves: Sequence[str],
        only: Sequence[str] = (),
        side: int | None = None,
    ) -> None:
        """Show the agent its side's views after the moves that it has not seen yet; if ``only`` is
        given, these are the only moves it may choose from.

        ``states`` are those before and after every move. The agent plays ``side``, by default the
        side to move.
        """
        game = states[0].game
        side = states[-1].player if side is None else side
        sent = self._sent_moves if self._key == (game, side) else None
        if sent is None or list(moves[: len(sent)]) != sent:
            self._begin(game, side)
            sent = []
            self._show(states[0], side, ())
        for number in range(len(sent), len(moves)):
            if states[number].player == side:
                self.agent.follow(moves[number])
            last = number + 1 == len(moves)
            self._show(states[number + 1], side, only if last else ())
        if states[-1].player == side and tuple(only) != self._asked:
            self._show(states[-1], side, only)
        self._sent_moves = list(moves)

    def _begin(self, game: FogChess, side: int) -> None:
        """Start the agent in the game. If its side does not know the real start, it is given the
        usual one."""
        self._key = (game, side)
        sent = game if self._known_start else FogChess(rules=game.rules)
        self.agent.start(sent, side, f"{self._seed}/{side}")

    def _show(self, state: FogChessState, side: int, only: Sequence[str]) -> None:
        """Show the agent its side's view of a state, with its moves if it is to move."""
        view: FogObservation = state.observation(side)
        if state.player == side:
            actions = tuple(a for a in state.actions() if a in only) if only else state.actions()
            self._asked = tuple(only)
            self.agent.observe(Observation(side, view, tuple(actions or state.actions())))
        elif self.agent.every_view:
            self.agent.observe(Observation(side, view))


def replayed(game: FogChess, moves: Sequence[str]) -> list[FogChessState]:
    """The states before and after every move of a game; an impossible move is an error."""
    states = [game.root()]
    for move in moves:
        if states[-1].player == TERMINAL:
            raise NotationError(f"the game is over before '{move[:40]}'")
        states.append(states[-1].child(move))
    return states
