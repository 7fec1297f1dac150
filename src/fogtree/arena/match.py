"""A match: one agent against another, every deal played once from each seat.

With more than two players the first agent takes one seat and the second all the others.
"""

from __future__ import annotations

import math
import multiprocessing
import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass

from fogtree.agents import load_agent
from fogtree.arena.record import GameRecord
from fogtree.arena.statistics import Interval, mean, wilson
from fogtree.arena.table import play_game
from fogtree.errors import OptionError
from fogtree.game import Game
from fogtree.games import load_game

DEALS_PER_TASK = 25


@dataclass(frozen=True, slots=True)
class MatchResult:
    """How the first agent did. A game counts by the sign of the first agent's return."""

    game: str
    first: str
    second: str
    games: int
    wins: int
    draws: int
    losses: int
    win_rate: Interval  # Wilson's; a draw is half a win
    return_mean: Interval
    facts: dict[str, Interval]  # what the game counts at its end: a margin, turns
    records: tuple[GameRecord, ...]


@dataclass(frozen=True, slots=True)
class _Task:
    game: Game
    first: str
    second: str
    seed: int
    deals: range
    keep: bool


@dataclass(frozen=True, slots=True)
class _Outcome:
    gain: float
    facts: dict[str, float]
    record: GameRecord | None


def _play_task(task: _Task) -> list[_Outcome]:
    game = task.game
    first = load_agent(task.first, game)
    seconds = [load_agent(task.second, game) for _ in range(game.players - 1)]
    out = []
    for deal in task.deals:
        for seat in range(game.players):
            agents = [*seconds[:seat], first, *seconds[seat:]]
            name = f"{task.seed}/{deal}"
            played = play_game(game, agents, seed=f"{name}/{seat}", deal=name)
            gain = float(played.end.returns()[seat])
            facts = dict(played.end.facts(seat))
            out.append(_Outcome(gain, facts, played.record if task.keep else None))
    return out


Runner = Callable[[Callable[[_Task], list[_Outcome]], Iterable[_Task]], Iterator[list[_Outcome]]]


@contextmanager
def workers(count: int | None = None) -> Iterator[Runner]:
    """Something that maps tasks over so many processes (default: one per core)."""
    number = count or len(os.sched_getaffinity(0))
    if number < 1:
        raise OptionError(f"workers must be at least 1, not {number}")
    if number == 1:
        yield map
        return
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(number, mp_context=context) as pool:
        yield pool.map


def play_match(
    game: Game | str,
    first: str,
    second: str,
    *,
    games: int,
    seed: int = 0,
    run: Runner = map,
    keep_records: bool = False,
    progress: Callable[[int], None] | None = None,
) -> MatchResult:
    """Plays ``games`` games (rounded up to whole deals) and tells how the first agent did.

    The result depends on the seed alone, however many processes play: pass ``run`` from
    :func:`workers` to use them.
    """
    if games < 1:
        raise OptionError(f"games must be at least 1, not {games}")
    table = load_game(game) if isinstance(game, str) else game
    for agent in (first, second):
        load_agent(agent, table)  # an unknown name is told here, not in a worker
    deals = -(-games // table.players)
    starts = range(0, deals, DEALS_PER_TASK)
    parts = [range(start, min(start + DEALS_PER_TASK, deals)) for start in starts]
    tasks = [_Task(table, first, second, seed, part, keep_records) for part in parts]
    outcomes: list[_Outcome] = []
    for part in run(_play_task, tasks):
        outcomes.extend(part)
        if progress is not None:
            progress(len(part))
    return _summary(str(table), first, second, outcomes)


def _summary(spec: str, first: str, second: str, outcomes: list[_Outcome]) -> MatchResult:
    gains = [outcome.gain for outcome in outcomes]
    wins, losses = sum(g > 0 for g in gains), sum(g < 0 for g in gains)
    draws = len(gains) - wins - losses
    names = outcomes[0].facts
    return MatchResult(
        game=spec,
        first=first,
        second=second,
        games=len(gains),
        wins=wins,
        draws=draws,
        losses=losses,
        win_rate=wilson(wins + draws / 2, len(gains)),
        return_mean=_mean(gains),
        facts={name: _mean([o.facts[name] for o in outcomes]) for name in names},
        records=tuple(o.record for o in outcomes if o.record is not None),
    )


def _mean(values: list[float]) -> Interval:
    return mean(math.fsum(values), math.fsum(v * v for v in values), len(values))
