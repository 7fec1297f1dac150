"""How exploitable the search agent is: its whole behaviour in small games, one choice at a time.

For every order of knowledge, frozen or not, and every half of the root gadget, the agent is led to
each information set of a game, its mix there is written down, and the strategy this makes is
measured exactly on the compiled tree.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass, replace
from multiprocessing import get_context
from time import perf_counter

from fogtree.errors import OptionError
from fogtree.evaluate import exploitability
from fogtree.games import load_game
from fogtree.search.agent import Budget
from fogtree.search.behaviour import behaviour
from fogtree.search.options import PRESETS, SearchOptions
from fogtree.strategy import Strategy
from fogtree.tree import compile as compile_tree

GAMES = (
    "kuhn_poker",
    "liars_dice(sides=3)",
    "phantom_ttt(rows=1, columns=5, line=2, max_plies=4)",
    "leduc_poker",
)
ORDERS = (1, 2, 3, 0)
"""Orders of knowledge; 0 stands for infinity."""
GADGETS = {
    "both": (True, True),
    "resolve": (True, False),
    "maxmargin": (False, True),
    "none": (False, False),
}
"""Which halves of the root gadget are on: Resolve, Maxmargin."""


@dataclass(frozen=True, slots=True)
class Condition:
    """One way to search; ``preset`` is a ready-made one, purified as it plays."""

    knowledge: int
    frozen: bool
    gadget: str
    preset: str | None = None

    @property
    def name(self) -> str:
        if self.preset is not None:
            return f"preset {self.preset}"
        order = "∞" if self.knowledge == 0 else str(self.knowledge)
        return f"k = {order}{', frozen' if self.frozen else ''}, gadget {self.gadget}"

    def options(self, seed: int) -> SearchOptions:
        if self.preset is not None:
            return replace(PRESETS[self.preset], seed=seed)
        resolve, maxmargin = GADGETS[self.gadget]
        return SearchOptions(
            knowledge=self.knowledge,
            frozen=self.frozen,
            resolve=resolve,
            maxmargin=maxmargin,
            purification="none",
            seed=seed,
        )

    @property
    def promise(self) -> str:
        """What is known about this in general."""
        if self.preset is not None:
            return "none: purified"
        if self.gadget == "none":
            return "none: the opponent's other choices are forgotten"
        if self.knowledge == 0 and not self.frozen:
            return "no more than the last search's: Burch et al. 2014, Moravčík et al. 2016"
        if self.knowledge % 2:
            return "none: some of the opponent's information sets are cut"
        return "none where all are searched apart: Zhang & Sandholm 2021"


@dataclass(frozen=True, slots=True)
class SafetyResult:
    """``exploitability`` is NashConv / 2 of the whole behaviour, ``value`` player 0's payoff."""

    game: str
    condition: Condition
    exploitability: float
    value: float
    seconds: float


@dataclass(frozen=True, slots=True)
class Yardstick:
    """What the numbers of a game can be held against."""

    game: str
    nodes: int
    infosets: int
    uniform: float
    """Exploitability of playing at random."""


def conditions(
    orders: Iterable[int] = ORDERS,
    gadgets: Iterable[str] = tuple(GADGETS),
    presets: Iterable[str] = tuple(PRESETS),
) -> tuple[Condition, ...]:
    """All of them, the presets last."""
    gadgets = tuple(gadgets)
    for gadget in gadgets:
        if gadget not in GADGETS:
            raise OptionError(f"a gadget is one of {', '.join(GADGETS)}, not '{gadget}'")
    grid = [
        Condition(order, frozen, gadget)
        for gadget in gadgets
        for frozen in (False, True)
        for order in orders
    ]
    named = [Condition(PRESETS[name].knowledge, False, "both", name) for name in presets]
    return (*grid, *named)


def yardstick(game: str) -> Yardstick:
    tree = compile_tree(load_game(game))
    uniform = exploitability(tree, Strategy.uniform(tree)).exploitability
    return Yardstick(game, len(tree.parent), len(tree.infoset_names), uniform)


def measure(game: str, condition: Condition, budget: Budget, seed: int = 0) -> SafetyResult:
    """One condition on one game."""
    began = perf_counter()
    tree = compile_tree(load_game(game))
    found = exploitability(tree, behaviour(tree, condition.options(seed), budget))
    return SafetyResult(game, condition, found.exploitability, found.value, perf_counter() - began)


def safety(
    games: Sequence[str],
    budget: Budget,
    *,
    chosen: Sequence[Condition] = (),
    seed: int = 0,
    workers: int = 1,
    progress: Callable[[int, int], None] | None = None,
) -> tuple[SafetyResult, ...]:
    """Every condition on every game, side by side in processes."""
    tasks = [(game, condition) for game in games for condition in chosen or conditions()]
    found: dict[tuple[str, Condition], SafetyResult] = {}
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        running = [pool.submit(measure, game, c, budget, seed) for game, c in tasks]
        for done, future in enumerate(as_completed(running), start=1):
            result = future.result()
            found[result.game, result.condition] = result
            if progress is not None:
                progress(done, len(tasks))
    return tuple(found[task] for task in tasks)
