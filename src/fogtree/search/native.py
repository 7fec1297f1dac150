"""The common interface of the native searches of all games."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from fogtree import _core

SearchCallback = Callable[[_core.SearchMoment], None]
"""Called during a search with its last event and its counters; it may read the tree."""


class NativeSearch(Protocol):
    """A native search: it decides at the roots that were set last, and its tree can be read."""

    def decide(self, budget: _core.SearchBudget) -> _core.SearchResult:
        """Search within a budget and choose an action."""
        ...

    def watch(
        self,
        budget: _core.SearchBudget,
        watcher: SearchCallback,
        *,
        every: bool = False,
        looks: int = 0,
    ) -> _core.SearchResult:
        """Decide, and call ``watcher`` ``looks`` times or, with ``every``, after each step."""
        ...

    @property
    def stop_flag(self) -> _core.StopFlag:
        """Set by any thread to end the running search soon, or else the next one, which clears
        it."""
        ...

    def limit_memory(self, bytes: int) -> None:
        """Bound the memory of the tree from the next move on."""
        ...

    def examine(self, action: int | None) -> None:
        """Until the next move, let searches find out what the action with this number is worth at
        our information set, also if they do not play it; None: they just decide again."""
        ...

    @property
    def key(self) -> int:
        """The key of our present information set."""
        ...

    @property
    def p_max(self) -> float:
        """The largest probability with which an information set of the opponent enters."""
        ...

    def infoset(self, key: int, player: int) -> _core.InfosetReport | None:
        """An information set of the tree; None if the tree lacks it."""
        ...

    def choices(self) -> list[_core.OpponentChoice]:
        """The opponent's information sets at the root."""
        ...

    def roots(self) -> list[_core.RootPosition]:
        """The positions at the root."""
        ...

    def levels(self) -> list[_core.TreeLevel]:
        """Numbers of nodes by depth."""
        ...

    def gap(self) -> tuple[float, float]:
        """What we and the opponent could gain by a best response in the tree."""
        ...

    def nodes(self, most: int) -> list[_core.SearchNode]:
        """The first ``most`` nodes of the tree in preorder."""
        ...

    def trail(self) -> list[_core.WalkChoice]:
        """The choices on the expander's last walk."""
        ...
