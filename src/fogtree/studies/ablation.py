"""An ablation study: the full search agent against itself with one part switched off.

Games come in pairs: the same deal from both seats. Every finished game is one line of a file, from
which a stopped study is continued.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from msgspec import Struct

from fogtree.arena.ledger import Outcome
from fogtree.arena.match import Contestant, MatchResult, Terms, play_match, workers
from fogtree.arena.statistics import Interval, mean
from fogtree.errors import OptionError, UnknownNameError
from fogtree.game import Game
from fogtree.search.adapter import find_adapter
from fogtree.search.settings import SearchSettings
from fogtree.system.jsonl_file import JsonlFile
from fogtree.tree import AnyGame, game_of


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
    """All switches that change something in the full agent's settings, with the changed
    settings."""
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


class _Played(Struct):
    """A line of the file: one finished game and the full agent's points in it."""

    switch: str
    game: int
    points: float


class _PointsFile:
    """The points of finished games in the file of a study, see
    :class:`~fogtree.arena.ledger.FinishedGames`. The second agent of a match is a switch."""

    def __init__(self, path: Path, condition: Mapping[str, Any]) -> None:
        """Open the file of a study and read its games; one made under another ``condition`` is
        refused."""
        self.points: dict[tuple[str, int], float] = {}
        self._file = JsonlFile(
            path, kind="ablation", condition=condition, row=_Played, keep=self._keep
        )

    def _keep(self, row: _Played) -> None:
        """Put a game of the file into ``points``."""
        self.points[row.switch, row.game] = row.points

    def find(self, first: str, second: str, deal: int, start: Game) -> list[Outcome] | None:
        """The two games of a deal against the switch ``second``, if the file has both; else
        None."""
        del first, start
        found = [self.points.get((second, 2 * deal + seat)) for seat in range(2)]
        known = [Outcome(2 * share - 1, share, {}, None) for share in found if share is not None]
        return known if len(known) == len(found) else None

    def add(self, first: str, second: str, deal: int, outcomes: Sequence[Outcome]) -> None:
        """Add the points of a pair's two games to the file."""
        del first
        for seat, outcome in enumerate(outcomes):
            row = _Played(second, 2 * deal + seat, outcome.ahead)
            self._keep(row)
            self._file.add(row)

    def close(self) -> None:
        """Let other processes use the file."""
        self._file.close()


def study(
    game: AnyGame,
    full: SearchSettings,
    *,
    games: int,
    file: Path,
    only: Sequence[str] = (),
    processes: int | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> tuple[AblationResult, ...]:
    """Play ``games`` games of the ``full`` agent against each switch (those named in ``only``, or
    all), as far as ``file`` does not have them, and evaluate all. ``progress`` is called with the
    number of finished games and of all."""
    if games < 2 or games % 2:
        raise OptionError(f"games must be even, for pairs of colours, not {games}")
    game = game_of(game)
    chosen = _chosen(game, full, only)
    condition = {
        "game": str(game),
        "evaluator": full.evaluator,
        "seconds": full.budget.seconds,
        "steps": full.budget.steps,
        "nodes": full.budget.nodes,
    }
    kept = _PointsFile(file, condition)
    done, total = 0, games * len(chosen)

    def count(more: int) -> None:
        """Count more finished games and report them."""
        nonlocal done
        done += more
        if progress is not None:
            progress(done, total)

    count(0)
    results = []
    with closing(kept), workers(processes) as run:
        for row in chosen:
            match = play_match(
                game,
                Contestant("full", full),
                Contestant(row.name, row.settings),
                games=games,
                run=run,
                progress=count,
                terms=Terms(deals_per_task=1, ledger=kept),
            )
            results.append(_result(row, match, kept.points))
    return tuple(results)


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


def _result(
    row: Ablation, match: MatchResult, points: Mapping[tuple[str, int], float]
) -> AblationResult:
    """The result of one switch; ``points`` are those of its games, by number."""
    deals = range(match.games // 2)
    pairs = [(points[row.name, 2 * n] + points[row.name, 2 * n + 1]) / 2 for n in deals]
    return AblationResult(
        row.name,
        match.games,
        match.wins,
        match.draws,
        match.losses,
        match.win_rate,
        mean(math.fsum(pairs), math.fsum(p * p for p in pairs), len(pairs)),
        row.published,
    )
