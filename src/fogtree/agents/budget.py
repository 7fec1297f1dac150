"""How much work an agent may do for one decision."""

from __future__ import annotations

import math
from dataclasses import dataclass

from fogtree import _core
from fogtree.errors import OptionError

_MOST = 10**18
_MOST_EXPANDERS = 1024


@dataclass(frozen=True, slots=True)
class Budget:
    """Limits of one decision; the first one that is reached ends it, and 0 means no limit.

    ``expanders`` is the number of threads that grow the search tree beside the solver's. With 0 a
    search runs in a single thread, and a budget in steps or nodes makes it reproducible.
    """

    seconds: float = 0.0
    steps: int = 0
    nodes: int = 0
    expanders: int = 0

    def __post_init__(self) -> None:
        """Refuse a budget without a limit, or with one that is negative or infinite."""
        if not (self.seconds > 0 or self.steps > 0 or self.nodes > 0):
            raise OptionError("a search needs a budget: seconds, steps or nodes")
        if min(self.seconds, self.steps, self.nodes, self.expanders) < 0:
            raise OptionError("a search budget must not be negative")
        if not math.isfinite(self.seconds) or max(self.steps, self.nodes) > _MOST:
            raise OptionError("a search budget must be finite: at most 10^18 steps or nodes")
        if self.expanders > _MOST_EXPANDERS:
            raise OptionError(f"a search has at most {_MOST_EXPANDERS} expanders")

    @staticmethod
    def check(given: object) -> None:
        """Refuse a value that is neither a budget nor None."""
        if not (given is None or isinstance(given, Budget)):
            raise OptionError(
                f"the budget of a decision is None or a Budget, such as Budget(seconds=1), not "
                f"{given!r:.40}"
            )

    def native(self) -> _core.SearchBudget:
        """This budget in the form that the native search takes."""
        return _core.SearchBudget(
            seconds=self.seconds, steps=self.steps, nodes=self.nodes, expanders=self.expanders
        )
