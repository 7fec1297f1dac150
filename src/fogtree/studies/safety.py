"""How exploitable the search agent is: its whole behaviour in small games, one choice at a time.

For every order of knowledge, frozen or not, and every half of the root gadget, the agent is led to
each information set of a game, its mix there is written down, and the strategy this makes is
measured exactly on the compiled tree.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from concurrent.futures import as_completed
from contextlib import closing
from dataclasses import asdict, dataclass, replace
from functools import lru_cache
from pathlib import Path
from time import process_time
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fogtree.agents.budget import Budget
from fogtree.errors import OptionError
from fogtree.evaluate import exploitability
from fogtree.registry import load_game
from fogtree.search.behaviour import Mixes, first_decisions, mixes_from, strategy_of
from fogtree.search.options import PRESETS, SearchOptions
from fogtree.search.tree_search import uniform_values
from fogtree.strategy import Strategy
from fogtree.system.jsonl_file import LineFile
from fogtree.system.processes import processes
from fogtree.tree import GameTree
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
_RENAMED_PRESETS = {"chess": "focus"}
"""Presets that files of version 0.1.0 have under another name."""


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
    """``exploitability`` is NashConv / 2 of the whole behaviour, ``value`` player 0's payoff,
    ``seconds`` of processor time, whatever else the machine did."""

    game: str
    condition: Condition
    exploitability: float
    value: float
    seconds: float


Compiler = Callable[[str], GameTree]
"""Makes a compiled game from its name."""
Cell = tuple[str, Condition]
"""Of the grid: a game and a way to search it."""


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
    presets: Iterable[str] = ("paper", "seed"),
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


def compile_known(game: str) -> GameTree:
    """One of the package's games."""
    return compile_tree(load_game(game))


def yardstick(game: str, compiler: Compiler = compile_known) -> Yardstick:
    tree = _tree(game, compiler)
    uniform = exploitability(tree, Strategy.uniform(tree)).exploitability
    return Yardstick(game, len(tree.parent), len(tree.infoset_names), uniform)


def measure(game: str, condition: Condition, budget: Budget, seed: int = 0) -> SafetyResult:
    """One condition on one game."""
    return safety([game], budget, chosen=[condition], seed=seed)[0]


@dataclass(frozen=True, slots=True)
class _Part:
    """What follows one of the agent's first decisions, under one condition."""

    game: str
    condition: Condition
    first: int
    budget: Budget
    seed: int
    compiler: Compiler


@dataclass(frozen=True, slots=True)
class _Searched:
    part: _Part
    mixes: Mixes
    seconds: float


def safety(
    games: Sequence[str],
    budget: Budget,
    *,
    chosen: Sequence[Condition] = (),
    seed: int = 0,
    workers: int = 1,
    file: Path | None = None,
    progress: Callable[[int, int], None] | None = None,
    compiler: Compiler = compile_known,
) -> tuple[SafetyResult, ...]:
    """Every condition on every game that ``file`` does not have yet, side by side in processes. The
    numbers do not depend on how many there are. ``compiler`` is called in each of them."""
    cells = [(game, condition) for game in games for condition in chosen or conditions()]
    found: dict[Cell, SafetyResult] = {}
    kept = None if file is None else _kept(file, budget, seed, found)
    parts = [
        _Part(game, condition, first, budget, seed, compiler)
        # The presets, which come last, take longest: they are handed out first.
        for game, condition in dict.fromkeys(reversed(cells))
        if (game, condition) not in found
        for first in _firsts(game, compiler)
    ]
    searched: dict[Cell, list[_Searched]] = {}
    wanted, tell = set(cells), progress or (lambda done, total: None)
    tell(len(wanted & found.keys()), len(wanted))
    with closing(_finished(parts, workers)) as coming:
        for one in coming:
            cell = one.part.game, one.part.condition
            searched.setdefault(cell, []).append(one)
            if len(searched[cell]) == len(_firsts(one.part.game, compiler)):
                found[cell] = _result(cell, searched.pop(cell), _tree(cell[0], compiler))
                if kept is not None:
                    kept.add(asdict(found[cell]))
                tell(len(wanted & found.keys()), len(wanted))
    return tuple(found[cell] for cell in cells)


def _result(cell: Cell, parts: Sequence[_Searched], tree: GameTree) -> SafetyResult:
    game, condition = cell
    mixes: Mixes = {}
    for part in parts:
        mixes |= part.mixes
    measured = exploitability(tree, strategy_of(tree, mixes))
    seconds = sum(part.seconds for part in parts)
    return SafetyResult(game, condition, measured.exploitability, measured.value, seconds)


def _finished(parts: Sequence[_Part], workers: int) -> Generator[_Searched]:
    """As they come; with one worker in this process."""
    if workers == 1:
        yield from map(_search, parts)
        return
    with processes(workers) as pool:
        for future in as_completed([pool.submit(_search, part) for part in parts]):
            yield future.result()


def _search(part: _Part) -> _Searched:
    began = process_time()
    tree, options = _tree(part.game, part.compiler), part.condition.options(part.seed)
    values = _values(part.game, part.compiler)
    mixes = mixes_from(tree, part.first, options, part.budget, values)
    return _Searched(part, mixes, process_time() - began)


@lru_cache(maxsize=16)
def _tree(game: str, compiler: Compiler) -> GameTree:
    return compiler(game)


@lru_cache(maxsize=16)
def _firsts(game: str, compiler: Compiler) -> list[int]:
    return first_decisions(_tree(game, compiler))


@lru_cache(maxsize=16)
def _values(game: str, compiler: Compiler) -> NDArray[np.float64]:
    return uniform_values(_tree(game, compiler))


def _kept(file: Path, budget: Budget, seed: int, found: dict[Cell, SafetyResult]) -> LineFile:
    """A file of finished cells; those that it has are put into ``found``."""

    def keep(row: Mapping[str, Any]) -> None:
        condition = Condition(**row["condition"])
        if condition.preset in _RENAMED_PRESETS:
            condition = replace(condition, preset=_RENAMED_PRESETS[condition.preset])
        numbers = (float(row[key]) for key in ("exploitability", "value", "seconds"))
        found[row["game"], condition] = SafetyResult(row["game"], condition, *numbers)

    how = {"budget": asdict(budget), "seed": seed}
    return LineFile(file, kind="safety", condition=how, first_key="game", keep=keep)
