"""The settings of a search agent: one class for all games, read from texts in one place.

``search(time=0.5, threads=2, knowledge=3)`` sets by name: every field of
:class:`~fogtree.search.options.SearchOptions`, and beside those ``preset``, ``time`` (seconds),
``nodes``, ``steps``, ``clock`` (``60+0.5``), ``threads``, ``memory`` (bytes, or ``512M``) and
``temperature`` (how often worse actions are played). Some games also have ``evaluator`` (leaf
values), ``ponder``, ``cap`` (positions of the belief) and ``compile`` (whether the game is compiled
if it fits into memory).
"""

from __future__ import annotations

import math
import multiprocessing
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from fogtree.agents.budget import Budget
from fogtree.agents.clock import Clock
from fogtree.errors import OptionError
from fogtree.search.options import PRESETS, SearchOptions
from fogtree.search.spec import MAX_THREADS, read_named
from fogtree.system.cores import cores


def default_threads() -> int:
    """The default number of search threads: three, as in Zhang & Sandholm (2025), or fewer on a
    smaller machine; one in a worker process, because the other workers use the other cores."""
    if multiprocessing.parent_process() is not None:
        return 1
    return min(3, cores())


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchSettings:
    """Everything that can be chosen about a search agent. :meth:`SearchDefaults.settings` has a
    game's defaults."""

    options: SearchOptions
    """The choices of the search algorithm; its seed is replaced by the game's."""
    budget: Budget
    """The budget of decisions that are asked for without a budget."""
    evaluator: Any = None
    """Leaf values: a name, or an evaluator object that the caller closes; None if the game has
    only one kind."""
    own_budget: bool = False
    """Whether ``budget`` also replaces the budgets that others give."""
    clock: Clock | None = None
    """Time for the whole game; if set, every decision takes its share of the remaining time."""
    threads: int = field(default_factory=default_threads)
    """One thread solves and the others grow the tree; a single thread does both in turn. Budgets
    without a time limit use a single thread."""
    ponder: bool = False
    """Whether to search while the opponent thinks."""
    cap: int | None = None
    """Most positions that the belief keeps; None if the game does not list them."""
    compile: bool = True
    """Whether to compile the game if it fits into memory."""
    temperature: float = 0.0
    """For weaker play: actions are drawn with weights exp(value / temperature), values in payoffs,
    instead of from the mix of the search. 0: from the mix."""

    def __post_init__(self) -> None:
        """Refuse a number of threads or a temperature that is out of range."""
        if not 1 <= self.threads <= MAX_THREADS:
            raise OptionError(f"threads must be 1 to {MAX_THREADS}, not {self.threads}")
        if not 0 <= self.temperature < math.inf:
            raise OptionError(f"temperature must be 0 or more, not {self.temperature}")

    def with_threads(self, budget: Budget) -> Budget:
        """The budget with all of the agent's threads, if it limits the time and has no expanders of
        its own; otherwise unchanged."""
        if budget.seconds > 0 and budget.expanders == 0:
            return replace(budget, expanders=self.threads - 1)
        return budget


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchDefaults:
    """The settings that a game has, and their defaults."""

    budget: Budget
    preset: str = "paper"
    """A name in :data:`~fogtree.search.options.PRESETS`."""
    evaluator: str | None = None
    """Leaf values; None if they cannot be chosen."""
    cap: int | None = None
    """Most positions of the belief; None if the game does not list them."""
    can_ponder: bool = False
    """Whether the search can go on while the opponent thinks."""
    can_compile: bool = False
    """Whether the game is compiled if it fits."""

    def settings(self, **changes: Any) -> SearchSettings:
        """The defaults with some fields of :class:`SearchSettings` replaced."""
        values: dict[str, Any] = {
            "options": PRESETS[self.preset],
            "budget": self.budget,
            "evaluator": self.evaluator,
            "cap": self.cap,
        }
        found = SearchSettings(**(values | changes))
        self.check(found)
        return found

    def check(self, settings: SearchSettings) -> None:
        """Raise an error if something is set that the game's search does not have."""
        chosen = {
            "evaluator": settings.evaluator,
            "cap": settings.cap,
            "ponder": settings.ponder,
            "compile": not settings.compile,
        }
        for name, value in chosen.items():
            if value and name not in self._own_names:
                raise OptionError(f"the search of this game has no setting '{name}'")

    def read(self, values: Mapping[str, object]) -> SearchSettings:
        """Settings from values by name, such as those in ``search(time=0.5)``; each value has its
        type or is a text to be parsed. What is not named keeps the game's default. A ``time``,
        ``nodes`` or ``steps`` becomes the agent's own budget."""
        named, options = read_named(values, self._own_names, self.preset)
        names = ("budget", "evaluator", "clock", "threads", "cap", "temperature")
        found = {name: value for name in names if (value := getattr(named, name)) is not None}
        return self.settings(
            options=options,
            own_budget="budget" in found,
            ponder=named.ponder,
            compile=named.compile,
            **found,
        )

    @property
    def _own_names(self) -> tuple[str, ...]:
        """The names of the optional settings, which not every game has, that this game has."""
        has = {
            "evaluator": self.evaluator is not None,
            "cap": self.cap is not None,
            "ponder": self.can_ponder,
            "compile": self.can_compile,
        }
        return tuple(name for name, present in has.items() if present)
