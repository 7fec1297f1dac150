"""An ablation study: the full search agent against itself with one part switched off.

Games come in pairs: the same seed from both seats. Every finished game is one line of a file, from
which a stopped study is continued.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from concurrent.futures import as_completed
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from msgspec import Struct

from fogtree.arena.play import play_game
from fogtree.arena.statistics import Interval, mean, wilson
from fogtree.errors import OptionError, UnknownNameError
from fogtree.game import Game
from fogtree.registry import load_game
from fogtree.search.adapter import find_adapter
from fogtree.search.agent import SearchAgent
from fogtree.search.settings import SearchSettings
from fogtree.system.jsonl_file import JsonlFile
from fogtree.system.processes import processes


@dataclass(frozen=True, slots=True)
class Ablation:
    """One switch: the settings without that part, and the full agent's published score if any."""

    name: str
    settings: SearchSettings
    published: float | None


@dataclass(frozen=True, slots=True)
class AblationResult:
    """The result of one switch. ``score`` is the full agent's share of the points with Wilson's
    interval, which treats games as independent; ``paired`` is the mean over pairs of games with
    seats changed, in which the advantage of a seat cancels out."""

    name: str
    games: int
    wins: int
    draws: int
    losses: int
    score: Interval
    paired: Interval
    published: float | None


_SWITCHES: dict[str, dict[str, Any]] = {
    "purification off": {"purification": "none"},
    "frozen": {"frozen": True},
    "uniform prior": {"uniform_prior": True},
    "two-sided expansion": {"two_sided": True},
    "no focus": {"focus": False},
    "no gifts": {"gifts": False},
    "no tolerance": {"tolerance": 0.0},
    "resolve only": {"maxmargin": False},
    "maxmargin only": {"resolve": False},
    "no gadget": {"resolve": False, "maxmargin": False},
}
"""Changes of the search options by the name of the switch, those of the published table first:
Zhang & Sandholm (2025)."""


def plain_evaluator_switch(game: Game) -> str | None:
    """The switch that replaces the evaluator by the game's simplest one, if the game has any."""
    plain = find_adapter(game).plain_evaluator
    return None if plain is None else f"{plain} evaluator"


def ablations(game: Game, full: SearchSettings) -> tuple[Ablation, ...]:
    """All switches that change something in the full agent's settings."""
    adapter = find_adapter(game)
    changed = {
        name: replace(full, options=replace(full.options, **changes))
        for name, changes in _SWITCHES.items()
    }
    name = plain_evaluator_switch(game)
    if name is not None:
        changed[name] = replace(full, evaluator=adapter.plain_evaluator)
    return tuple(
        Ablation(name, settings, adapter.published_scores.get(name))
        for name, settings in changed.items()
        if settings != full
    )


@dataclass(frozen=True, slots=True)
class _Task:
    name: str
    number: int
    full: SearchSettings
    other: SearchSettings
    game: str


def _play(task: _Task) -> tuple[str, int, float]:
    """Play one game; return the full agent's points: 1, 1/2 or 0."""
    game = load_game(task.game)
    full, other = SearchAgent(game, task.full), SearchAgent(game, task.other)
    seat = task.number % 2
    agents = [full, other] if seat == 0 else [other, full]
    seed = f"{task.number // 2}"
    played = play_game(game, agents, seed=seed)
    gain = float(played.end.returns()[seat])
    return task.name, task.number, 0.5 + 0.5 * ((gain > 0) - (gain < 0))


class _Played(Struct):
    """A line of the file: one finished game and the full agent's points in it."""

    switch: str
    game: int
    points: float


def study(
    game: str,
    full: SearchSettings,
    *,
    games: int,
    file: Path,
    only: Sequence[str] = (),
    workers: int | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> tuple[AblationResult, ...]:
    """Play the games that ``file`` lacks, and evaluate all of its games."""
    if games < 2 or games % 2:
        raise OptionError(f"games must be even, for pairs of colours, not {games}")
    chosen = _chosen(load_game(game), full, only)
    condition = {
        "game": game,
        "evaluator": full.evaluator,
        "seconds": full.budget.seconds,
        "steps": full.budget.steps,
        "nodes": full.budget.nodes,
    }
    points: dict[tuple[str, int], float] = {}

    def keep(row: _Played) -> None:
        points[row.switch, row.game] = row.points

    kept = JsonlFile(file, kind="ablation", condition=condition, row=_Played, keep=keep)
    tasks = [
        _Task(row.name, number, full, row.settings, game)
        for number in range(games)
        for row in chosen
        if (row.name, number) not in points
    ]
    total, report = games * len(chosen), progress or (lambda done, total: None)
    report(total - len(tasks), total)
    with processes(workers) as pool:
        coming = [pool.submit(_play, task) for task in tasks]
        for done, future in enumerate(as_completed(coming), start=total - len(tasks) + 1):
            name, number, score = future.result()
            points[name, number] = score
            kept.add(_Played(name, number, score))
            report(done, total)
    return tuple(_result(row, points, games) for row in chosen)


def _chosen(game: Game, full: SearchSettings, only: Sequence[str]) -> list[Ablation]:
    """The switches named in ``only``, or all; names and evaluators that are missing are errors."""
    adapter = find_adapter(game)
    adapter.check(full)
    rows = ablations(game, full)
    names = [row.name for row in rows]
    for name in only:
        if name not in names and name == plain_evaluator_switch(game):
            raise OptionError(
                f"the full agent's evaluator is {full.evaluator} already: "
                f"name another, as in --evaluator {adapter.defaults.evaluator}"
            )
        if name not in names:
            raise UnknownNameError("switch", name, names)
    return [row for row in rows if not only or row.name in only]


def _result(row: Ablation, points: dict[tuple[str, int], float], games: int) -> AblationResult:
    """The result of one switch from the points of its games."""
    found = {n: p for (name, n), p in points.items() if name == row.name and n < games}
    mine = list(found.values())
    pairs = [(p + found[n + 1]) / 2 for n, p in found.items() if n % 2 == 0 and n + 1 in found]
    wins, draws = mine.count(1.0), mine.count(0.5)
    return AblationResult(
        row.name,
        len(mine),
        wins,
        draws,
        len(mine) - wins - draws,
        wilson(sum(mine), len(mine)),
        mean(math.fsum(pairs), math.fsum(p * p for p in pairs), len(pairs)),
        row.published,
    )
