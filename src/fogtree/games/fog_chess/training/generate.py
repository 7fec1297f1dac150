"""Many games of self-play in worker processes, written down as they end."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, wait
from functools import partial
from itertools import count, islice
from pathlib import Path

from fogtree.errors import OptionError
from fogtree.games.fog_chess.evaluators import load_evaluator
from fogtree.games.fog_chess.game import FogChess
from fogtree.games.fog_chess.openings import openings
from fogtree.games.fog_chess.training.rows import Rows
from fogtree.games.fog_chess.training.self_play import SelfPlay, play_one, quick_teacher
from fogtree.games.fog_chess.training.shards import DataWriter
from fogtree.system.cores import cores
from fogtree.system.processes import Processes, processes
from fogtree.system.termination import signals_held_back

TASKS_PER_WORKER = 2


def generate(
    folder: Path,
    options: SelfPlay,
    *,
    games: int | None = None,
    limit: float | None = None,
    workers: int | None = None,
    progress: Callable[[int], None] = lambda games: None,
) -> int:
    """Play until the folder has ``games`` games or ``limit`` seconds have passed.

    The games are those with the numbers 0 to ``games`` - 1; what the folder has is not played
    again. Games that are not over at the end of the time are not kept. Returns the number of games
    in the folder; ``progress`` is called once with the number of games that the folder has already,
    then with 1 after every new one.
    """
    if games is None and limit is None:
        raise OptionError("say when to stop: a number of games or a time limit")
    _check(options)
    end = None if limit is None else time.monotonic() + limit
    writer = DataWriter(folder, options)
    try:
        progress(len(writer.numbers))
        numbers = count() if games is None else range(games)
        missing = (number for number in numbers if number not in writer.numbers)
        for number, rows in _played(options, missing, workers or cores(), end):
            with signals_held_back():  # so that as many are counted as are kept
                writer.add(number, rows)
                progress(1)
        return len(writer.numbers)
    finally:
        writer.close()


def _check(options: SelfPlay) -> None:
    """Raise an error for options that cannot be played, before a folder is made."""
    load = quick_teacher if options.quick else load_evaluator
    load(options.settings().evaluator).close()
    openings(FogChess(), options.openings, 1, options.seed)


def _played(
    options: SelfPlay, numbers: Iterator[int], workers: int, end: float | None
) -> Iterator[tuple[int, Rows]]:
    """Play the games with these numbers, in this process or in workers, and yield each with its
    number as it ends, until there are no more or the time is over."""
    if workers == 1:
        for number in numbers:
            if end is not None and time.monotonic() >= end:
                return
            yield number, play_one(options, number)
        return
    with processes(workers) as pool:
        yield from _played_in(pool, options, numbers, end)


def _played_in(
    pool: Processes, options: SelfPlay, numbers: Iterator[int], end: float | None
) -> Iterator[tuple[int, Rows]]:
    """Yield games from worker processes as they end; every worker has another game queued."""
    under_way: dict[Future[Rows], int] = {}
    while True:
        for number in islice(numbers, pool.count * TASKS_PER_WORKER - len(under_way)):
            under_way[pool.submit(partial(play_one, options), number)] = number
        left = None if end is None else end - time.monotonic()
        if not under_way or (left is not None and left <= 0):
            return
        finished, _ = wait(under_way, timeout=left, return_when=FIRST_COMPLETED)
        for future in finished:
            yield under_way.pop(future), future.result()
