"""A player's own actions and views so far, and the name of the information set they lead to."""

from __future__ import annotations

from collections.abc import Container, Hashable
from dataclasses import dataclass, replace

from fogtree.agents.protocol import Observation
from fogtree.game import Action


@dataclass(frozen=True, slots=True)
class PlayerHistory:
    """A player's own actions and changing views so far, as texts; methods return a longer one."""

    player: int
    parts: tuple[str, ...] = ()
    view: Hashable = None
    """The last view."""
    played: tuple[Action] | None = None
    """The action since the last view, if there was one."""

    def after_action(self, action: Action) -> PlayerHistory:
        """The history after an own action; it replaces an action that was taken since the last
        view."""
        return replace(self, played=(action,))

    def after_view(self, view: Hashable) -> PlayerHistory:
        """The history after the player's next view."""
        own = () if self.played is None else (str(self.played[0]),)
        seen = () if view == self.view else (str(view),)
        return PlayerHistory(self.player, self.parts + own + seen, view)

    def infoset(self, now: Observation, known: Container[str]) -> str | None:
        """The name of the present information set among the ``known`` names: the one that the game
        gives, else the view, else the whole history; None if none of these is known."""
        by_view = f"{self.player}:{now.view}"
        by_history = f"{self.player}:{'/'.join(self.parts)}"
        for name in (now.name, by_view, by_history):
            if name is not None and name in known:
                return name
        return None
