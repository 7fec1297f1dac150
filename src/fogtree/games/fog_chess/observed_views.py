"""One player's views and own moves in the order of a game, and the belief that they leave."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from fogtree._core import StopFlag
from fogtree.agents.protocol import Observation
from fogtree.errors import FogtreeError, GameError, NotationError
from fogtree.game import Action
from fogtree.games.fog_chess.belief import BeliefLimits, FogBelief
from fogtree.games.fog_chess.belief_tracker import BeliefTracker
from fogtree.games.fog_chess.game import FogChess
from fogtree.games.fog_chess.observation import FogObservation
from fogtree.games.fog_chess.rules import as_notation_errors, read_fen


@dataclass(frozen=True, slots=True)
class ViewChange:
    """What a new view means: nothing new, a move, or a game that began elsewhere."""

    kind: Literal["none", "move", "restart"]
    view: FogObservation
    move: int | None = None
    """The player's own move; None if the opponent moved."""


class ObservedViews:
    """Follows a player's observations; one that cannot come next is an error.

    A game that did not begin at the given position is followed from its first view on.
    """

    def __init__(self, game: FogChess, player: int, limits: BeliefLimits, stop: StopFlag) -> None:
        """Begin a game; ``stop`` is that of the :class:`BeliefTracker`."""
        start = FogBelief.start(player, fen=game.fen, rules=game.rules, limits=limits)
        self.tracker = BeliefTracker(start, game.rules, limits, stop)
        self.player = player
        self.turn = read_fen(game.fen).side
        """The side to move."""
        self.ply = 0
        """Moves since the first view."""
        self.actions: tuple[str, ...] = ()
        """The moves that the last observation allows."""
        self._observed = False
        self._move: str | None = None

    @property
    def to_act(self) -> bool:
        """Whether the player is to move."""
        return self.turn == self.player

    def play(self, action: Action) -> None:
        """Record the player's own move at the last view."""
        self._move = str(action)

    def observe(self, observation: Observation) -> ViewChange:
        """Update the belief by the next view, which must be this player's, and return what changed.
        The legal moves of the view are passed to :meth:`allow` afterwards."""
        view = observation.view
        if not isinstance(view, FogObservation):
            raise GameError("this agent observes views of fog_chess")
        if observation.player != self.player or view.player != self.player:
            raise GameError("that is the other player's view")
        change = ViewChange("none", view)
        if view.side != self.turn:
            change = self._step_or_restart(view)
        elif view != self.tracker.view:
            if self._observed:
                raise GameError("nothing has moved, but the view is another one")
            change = self._restart(view)
        self._observed, self.actions = True, ()
        return change

    def allow(self, actions: Sequence[Action]) -> None:
        """Keep the moves that the last observation allows. A move that is not legal in the belief,
        whose positions all have the same legal moves, is an error."""
        allowed = tuple(str(action) for action in actions)
        if self.to_act and not self.tracker.over:
            known = self.tracker.own_moves.uci_moves()
            for move in allowed:
                if move not in known:
                    raise GameError(f"'{move[:40]}' cannot be played here")
        self.actions = allowed

    def _step_or_restart(self, view: FogObservation) -> ViewChange:
        """Follow a view; restart if it is the first one and the game did not begin as given."""
        try:
            return self._step(view)
        except FogtreeError:
            if self._observed:
                raise
            return self._restart(view)

    def _restart(self, view: FogObservation) -> ViewChange:
        """Restart the belief from the view alone, because the game began at another position than
        the given one."""
        self.tracker.restart(view)
        self.turn = view.side
        return ViewChange("restart", view)

    def _step(self, view: FogObservation) -> ViewChange:
        """Take the view after one move of either side."""
        move = self._own_move() if self.to_act else None
        try:
            self.tracker.observe(view, move)
        except NotationError as error:
            raise GameError(f"this view does not follow from the earlier ones: {error}") from error
        self._move = None
        self.turn = view.side
        self.ply += 1
        return ViewChange("move", view, move)

    def _own_move(self) -> int:
        """The native number of the move that :meth:`play` recorded since the last view; an error if
        there is none."""
        if self._move is None:
            raise GameError("we were to move, and our own move was not given")
        with as_notation_errors():
            return self.tracker.own_moves.read_uci(self._move)
