"""Simulators: games that can be sampled without being compiled."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from fogtree import _core
from fogtree.errors import GameError, OptionError, UnknownNameError
from fogtree.game.checks import checked_players, same_views
from fogtree.game.protocol import Action, Game, InfosetKeys


def simulator_of(game: Game, abstraction: str | None = None) -> _core.SimulatedGame:
    """A game's native simulator; without one, a simulator that walks the game's states in Python
    through its protocol."""
    return _native(game, abstraction) or _core.protocol_game(game, checked_players(game))


def infoset_keys(game: Game, player: int, abstraction: str | None = None) -> InfosetKeys:
    """What computes the hash keys of a player's information sets, by which they are found in the
    table of a solver that sampled the game with :func:`simulator_of`."""
    if _native(game, abstraction) is None:
        return HistoryKeys(game, player)
    own = game.table_keys(player, abstraction)
    if own is None:
        raise GameError(
            f"{game} has a native simulator but no table_keys(), which finds the information sets "
            "of a player in the table that was sampled"
        )
    return own


def _native(game: Game, abstraction: str | None) -> _core.SimulatedGame | None:
    """A game's native simulator; None if it has none, which is an error if an abstraction is
    asked for."""
    if abstraction is not None and abstraction not in game.abstractions:
        if not game.abstractions:
            raise OptionError(f"{game} has no abstractions")
        raise UnknownNameError(f"abstraction of {game.short_name}", abstraction, game.abstractions)
    native = game.simulator(abstraction)
    if native is None and abstraction is not None:
        raise OptionError(f"there is no native simulator of {game}, so it has no abstractions")
    return native


class HistoryKeys(InfosetKeys):
    """Computes the hash of all that a player remembers: own actions, and each view that differs
    from the one before."""

    def __init__(self, game: Game, player: int) -> None:
        """Begin with the hash of a player who has not seen anything yet."""
        self._game = game
        self._history = _core.history_start(player)
        self._view: Hashable = None
        # The own action that is not in the hash yet; in a tuple, because an action may be None.
        self._played: tuple[Action] | None = None

    @property
    def after_action(self) -> int:
        """The hash after the last own action and before the next view."""
        if self._played is None:
            return self._history
        return _core.history_after_action(self._history, self._played[0])

    def notice(self, view: Hashable) -> None:
        """Add a view to the hash, if it differs from the last one."""
        history = self.after_action
        if not same_views(self._game, view, self._view):
            history = _core.history_after_view(history, view)
        self._history, self._view, self._played = history, view, None

    def follow(self, action: Action) -> None:
        """Note an own action; it enters the hash with the next view."""
        self._played = (action,)

    def key(self, actions: Sequence[Action]) -> int:
        """The hash of all that the player has seen and done."""
        del actions
        return self._history
