"""What each part of the search is worth: the full agent against itself with one switch turned.

Games are paired: the same seed from both colours. Every finished game is one line of a file, so a
study that was stopped goes on where it was.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from concurrent.futures import as_completed
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from fogtree.arena.play import play_game
from fogtree.arena.statistics import Interval, mean, wilson
from fogtree.errors import OptionError, UnknownNameError
from fogtree.games.fog_chess.evaluators import load_evaluator
from fogtree.games.fog_chess.search import FogSearchAgent, FogSearchSettings
from fogtree.registry import load_game
from fogtree.search.options import SearchOptions
from fogtree.system.jsonl_file import LineFile
from fogtree.system.processes import processes


@dataclass(frozen=True, slots=True)
class Ablation:
    """One switch, and the full agent's published score against the agent that lacks it."""

    name: str
    settings: FogSearchSettings
    published: float | None


SIMPLE = "simple evaluator"
ANOTHER = "name another, as in --evaluator stockfish-net-static"


@dataclass(frozen=True, slots=True)
class AblationResult:
    """``score`` is the full agent's share of the points, with Wilson's interval, as if each game
    stood for itself; ``paired`` is the mean over pairs of games with colours changed, where what
    White's side is worth does not blur it."""

    name: str
    games: int
    wins: int
    draws: int
    losses: int
    score: Interval
    paired: Interval
    published: float | None


def ablations(full: FogSearchSettings) -> tuple[Ablation, ...]:
    """The switches of the published table: Zhang & Sandholm (2025)."""

    def turned(name: str, published: float | None, **changes: object) -> Ablation:
        options: SearchOptions = replace(full.options, **changes)  # type: ignore[arg-type]
        return Ablation(name, replace(full, options=options), published)

    out = [
        turned("purification off", 0.702, purification="none"),
        turned("frozen", 0.580, frozen=True),
        turned("uniform prior", 0.533, uniform_prior=True),
        turned("two-sided expansion", 0.533, two_sided=True),
        turned("no focus", None, focus=False),
        turned("no gifts", None, gifts=False),
        turned("no tolerance", None, tolerance=0.0),
        turned("resolve only", None, maxmargin=False),
        turned("maxmargin only", None, resolve=False),
        turned("no gadget", None, resolve=False, maxmargin=False),
    ]
    if full.evaluator != "simple":
        out.append(Ablation(SIMPLE, replace(full, evaluator="simple"), 0.819))
    return tuple(out)


@dataclass(frozen=True, slots=True)
class _Task:
    name: str
    number: int
    full: FogSearchSettings
    other: FogSearchSettings
    game: str


def _play(task: _Task) -> tuple[str, int, float]:
    """One game; the full agent's points."""
    full, other = FogSearchAgent(task.full), FogSearchAgent(task.other)
    seat = task.number % 2
    agents = [full, other] if seat == 0 else [other, full]
    seed = f"{task.number // 2}"
    played = play_game(load_game(task.game), agents, seed=seed)
    return task.name, task.number, (1.0 + float(played.end.returns()[seat])) / 2


def study(
    full: FogSearchSettings,
    *,
    games: int,
    file: Path,
    only: Sequence[str] = (),
    workers: int | None = None,
    game: str = "fog_chess",
    progress: Callable[[int, int], None] | None = None,
) -> tuple[AblationResult, ...]:
    """Plays what ``file`` does not have yet, and tells what all of it says."""
    if games < 2 or games % 2:
        raise OptionError(f"games must be even, for pairs of colours, not {games}")
    load_evaluator(full.evaluator).close()  # what cannot be had is told now
    rows = ablations(full)
    names = [row.name for row in rows]
    for name in only or ():
        if name == SIMPLE not in names:
            raise OptionError(f"the full agent's evaluator is the simple one: {ANOTHER}")
        if name not in names:
            raise UnknownNameError("switch", name, names)
    chosen = [row for row in rows if not only or row.name in only]
    condition = {
        "game": game,
        "evaluator": full.evaluator,
        "seconds": full.budget.seconds,
        "steps": full.budget.steps,
        "nodes": full.budget.nodes,
    }
    points: dict[tuple[str, int], float] = {}

    def keep(row: Any) -> None:
        points[str(row["switch"]), int(row["game"])] = float(row["points"])

    kept = LineFile(file, kind="ablation", condition=condition, first_key="switch", keep=keep)
    tasks = [
        _Task(row.name, number, full, row.settings, game)
        for number in range(games)
        for row in chosen
        if (row.name, number) not in points
    ]
    total, tell = games * len(chosen), progress or (lambda done, total: None)
    tell(total - len(tasks), total)
    with processes(workers) as pool:
        coming = [pool.submit(_play, task) for task in tasks]
        for done, future in enumerate(as_completed(coming), start=total - len(tasks) + 1):
            name, number, score = future.result()
            points[name, number] = score
            kept.add({"switch": name, "game": number, "points": score})
            tell(done, total)
    return tuple(_result(row, points, games) for row in chosen)


def _result(row: Ablation, points: dict[tuple[str, int], float], games: int) -> AblationResult:
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
