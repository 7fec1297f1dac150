"""How exploitable the search is in small games, for different search options.

For every order of knowledge, frozen or not, and with either half of the root gadget on or off, the
search's mix at every information set makes a strategy, whose exploitability is measured exactly.

A search draws random numbers, so this is done for several seeds. The strategy of one seed is that
of an agent whose seed the opponent knows; if nobody knows the seed, the agent plays their mixture.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Sequence
from concurrent.futures import as_completed
from contextlib import closing, nullcontext
from dataclasses import asdict, dataclass, replace
from functools import lru_cache
from pathlib import Path
from time import process_time

import numpy as np
from numpy.typing import NDArray

from fogtree.agents.budget import Budget
from fogtree.errors import OptionError
from fogtree.evaluate import exploitability
from fogtree.search.behaviour import Mixes, first_decisions, mixes_from, mixture, strategy_of
from fogtree.search.options import PRESETS, SearchOptions
from fogtree.search.tree_search import uniform_values
from fogtree.strategy import Strategy
from fogtree.system.jsonl_file import JsonlFile
from fogtree.system.processes import processes
from fogtree.system.termination import signals_held_back
from fogtree.tree import GameTree
from fogtree.tree import compile as compile_tree

ORDERS = (1, 2, 3, 0)
"""Orders of knowledge; 0 stands for infinity."""
GADGETS = {
    "both": (True, True),
    "resolve": (True, False),
    "maxmargin": (False, True),
    "none": (False, False),
}
"""Whether Resolve and Maxmargin, the halves of the root gadget, are on."""
_RENAMED_PRESETS = {"chess": "focus"}
"""Presets that files of version 0.1.0 have under another name."""


@dataclass(frozen=True, slots=True)
class Condition:
    """The search options of one measurement; a ``preset`` replaces them and keeps purification."""

    knowledge: int
    frozen: bool
    gadget: str
    preset: str | None = None

    @property
    def name(self) -> str:
        """The search's variant as tables name it."""
        if self.preset is not None:
            return f"preset {self.preset}"
        order = "∞" if self.knowledge == 0 else str(self.knowledge)
        return f"k = {order}{', frozen' if self.frozen else ''}, gadget {self.gadget}"

    def options(self, seed: int) -> SearchOptions:
        """The search options of this condition."""
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
        """The bound that theory guarantees on the exploitability, in words; "none" and the reason
        if there is no bound."""
        if self.preset is not None:
            return "none: purified"
        if self.gadget == "none":
            return "none: the opponent's other choices are forgotten"
        if self.knowledge == 0 and not self.frozen:
            return "no more than the last search's: Burch et al. 2014, Moravčík et al. 2016"
        if self.knowledge % 2:
            return "none: some of the opponent's information sets are cut"
        return "none if every decision is searched by itself (Zhang & Sandholm 2021)"


@dataclass(frozen=True, slots=True)
class SafetyResult:
    """One measurement: ``exploitability`` is NashConv / 2 of the mixture over all seeds, ``value``
    is player 0's expected payoff, ``seconds`` are of processor time."""

    game: str
    condition: Condition
    exploitability: float
    value: float
    seconds: float
    by_seed: tuple[float, ...] = ()
    """The exploitability of each seed alone, which the opponent then knows."""


Compiler = Callable[[str], GameTree]
"""Compiles a game from its spec."""
Cell = tuple[str, Condition]
"""A cell of the grid of measurements: a game and a condition."""
SEEDS = 5
"""The number of seeds of a measurement, by default."""


@dataclass(frozen=True, slots=True)
class GameFacts:
    """The size of a game, and the exploitability of random play to compare with."""

    game: str
    nodes: int
    infosets: int
    uniform: float
    """Exploitability of uniformly random play."""


def conditions(
    orders: Iterable[int] = ORDERS,
    gadgets: Iterable[str] = tuple(GADGETS),
    presets: Iterable[str] = ("paper", "seed"),
) -> tuple[Condition, ...]:
    """All combinations of these options, then the presets."""
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


def game_facts(game: str, compiler: Compiler = compile_tree) -> GameFacts:
    """Measure a game's size and the exploitability of random play."""
    tree = _tree(game, compiler)
    uniform = exploitability(tree, Strategy.uniform(tree)).exploitability
    return GameFacts(game, len(tree.parent), len(tree.infoset_names), uniform)


def measure(
    game: str, condition: Condition, budget: Budget, seed: int = 0, seeds: int = 1
) -> SafetyResult:
    """Measure one condition in one game, as :func:`safety` does."""
    return safety([game], budget, chosen=[condition], seed=seed, seeds=seeds)[0]


@dataclass(frozen=True, slots=True)
class _Task:
    """One task: all decisions below one of a player's first decisions, under one condition."""

    game: str
    condition: Condition
    first: int
    budget: Budget
    seed: int
    compiler: Compiler


@dataclass(frozen=True, slots=True)
class _TaskResult:
    """The mixes that a task found, and its processor time."""

    task: _Task
    mixes: Mixes
    seconds: float


def safety(
    games: Sequence[str],
    budget: Budget,
    *,
    chosen: Sequence[Condition] = (),
    seed: int = 0,
    seeds: int = SEEDS,
    workers: int = 1,
    file: Path | None = None,
    progress: Callable[[int, int], None] | None = None,
    compiler: Compiler = compile_tree,
) -> tuple[SafetyResult, ...]:
    """Measure the ``chosen`` conditions (default: all) in every game, each with the seeds ``seed``,
    ``seed + 1``, ..., ``seeds`` of them.

    Results that ``file`` has already are taken from it, and new ones are added to it. ``progress``
    is called with the number of finished measurements and of all. The number of ``workers``
    (processes, each of which calls ``compiler``) does not change the results.
    """
    for game in games:
        if not _first_infosets(game, compiler):
            raise OptionError(f"nobody decides anything in {game}: there is nothing to search")
    cells = [(game, condition) for game in games for condition in chosen or conditions()]
    found: dict[Cell, SafetyResult] = {}
    kept = None if file is None else _kept(file, budget, seed, seeds, found)
    tasks = [
        _Task(game, condition, first, budget, number, compiler)
        # The presets, which come last, take longest: they are started first.
        for game, condition in dict.fromkeys(reversed(cells))
        if (game, condition) not in found
        for number in range(seed, seed + seeds)
        for first in _first_infosets(game, compiler)
    ]
    searched: dict[Cell, list[_TaskResult]] = {}
    wanted, report = set(cells), progress or (lambda done, total: None)
    report(len(wanted & found.keys()), len(wanted))
    with closing(kept) if kept else nullcontext(), closing(_finished(tasks, workers)) as coming:
        for one in coming:
            cell = one.task.game, one.task.condition
            searched.setdefault(cell, []).append(one)
            if len(searched[cell]) == seeds * len(_first_infosets(one.task.game, compiler)):
                measured = _result(cell, searched.pop(cell), _tree(cell[0], compiler))
                with signals_held_back():  # a signal must not come between the two
                    if kept is not None:
                        kept.add(measured)
                    found[cell] = measured
                    report(len(wanted & found.keys()), len(wanted))
    return tuple(found[cell] for cell in cells)


def _result(cell: Cell, results: Sequence[_TaskResult], tree: GameTree) -> SafetyResult:
    """Join the mixes that tasks found to one strategy per seed; measure each, and their mixture."""
    game, condition = cell
    mixes: dict[int, Mixes] = {}
    for result in results:
        mixes.setdefault(result.task.seed, {}).update(result.mixes)
    strategies = [strategy_of(tree, mixes[seed]) for seed in sorted(mixes)]
    by_seed = tuple(exploitability(tree, each).exploitability for each in strategies)
    measured = exploitability(tree, mixture(tree, strategies))
    seconds = sum(result.seconds for result in results)
    return SafetyResult(game, condition, measured.exploitability, measured.value, seconds, by_seed)


def _finished(tasks: Sequence[_Task], workers: int) -> Generator[_TaskResult]:
    """The results of tasks in the order in which they are finished; a single worker is this
    process itself."""
    if workers == 1:
        yield from map(_search, tasks)
        return
    with processes(workers) as pool:
        for future in as_completed([pool.submit(_search, task) for task in tasks]):
            yield future.result()


def _search(task: _Task) -> _TaskResult:
    """The mixes of all decisions of one task, and the processor time they took."""
    began = process_time()
    tree, options = _tree(task.game, task.compiler), task.condition.options(task.seed)
    values = _leaf_values(task.game, task.compiler)
    mixes = mixes_from(tree, task.first, options, task.budget, values)
    return _TaskResult(task, mixes, process_time() - began)


@lru_cache(maxsize=16)
def _tree(game: str, compiler: Compiler) -> GameTree:
    """The compiled game, once per process."""
    return compiler(game)


@lru_cache(maxsize=16)
def _first_infosets(game: str, compiler: Compiler) -> list[int]:
    """The information sets at which a player decides first, from which tasks start."""
    return first_decisions(_tree(game, compiler))


@lru_cache(maxsize=16)
def _leaf_values(game: str, compiler: Compiler) -> NDArray[np.float64]:
    """The values of a game's nodes under uniform play, which the search uses at leaves."""
    return uniform_values(_tree(game, compiler))


def _kept(
    file: Path, budget: Budget, seed: int, seeds: int, found: dict[Cell, SafetyResult]
) -> JsonlFile[SafetyResult]:
    """The file of finished measurements; those that it has are put into ``found``."""

    def keep(row: SafetyResult) -> None:
        """Put a measurement of the file into ``found``, under the present name of its preset."""
        condition = row.condition
        if condition.preset in _RENAMED_PRESETS:
            condition = replace(condition, preset=_RENAMED_PRESETS[condition.preset])
        found[row.game, condition] = replace(row, condition=condition)

    # Files of version 0.1.0 have one seed, and do not say so.
    how = {"budget": asdict(budget), "seed": seed} | ({} if seeds == 1 else {"seeds": seeds})
    return JsonlFile(file, kind="safety", condition=how, row=SafetyResult, keep=keep)
