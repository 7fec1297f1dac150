"""What a player remembers of a game, and how compiling names the information set it is at."""

from __future__ import annotations

from collections.abc import Container, Hashable
from dataclasses import dataclass, replace

from fogtree.agents.protocol import Observation
from fogtree.game import Action


@dataclass(frozen=True, slots=True)
class Story:
    """A player's own actions, and views where they changed; it grows by making a new one."""

    player: int
    parts: tuple[str, ...] = ()
    view: Hashable = None
    played: tuple[Action] | None = None
    """Since the last view."""

    def playing(self, action: Action) -> Story:
        return replace(self, played=(action,))

    def seeing(self, view: Hashable) -> Story:
        own = () if self.played is None else (str(self.played[0]),)
        seen = () if view == self.view else (str(view),)
        return Story(self.player, self.parts + own + seen, view)

    def infoset(self, now: Observation, known: Container[str]) -> str | None:
        """Which of the known names is that of the information set ``now``: the one that the game
        gives, the view, or all of the story."""
        by_view = f"{self.player}:{now.view}"
        by_story = f"{self.player}:{'/'.join(self.parts)}"
        for name in (now.name, by_view, by_story):
            if name is not None and name in known:
                return name
        return None
