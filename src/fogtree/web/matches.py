"""Matches between agents as jobs: scores while they are played, a cross table and ratings."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import combinations, permutations
from math import isfinite
from typing import Any, TypeVar

from fogtree.agents import Budget, sees_everything
from fogtree.arena import Interval, MatchResult, Terms, play_match, rated_tournament, wilson
from fogtree.arena.ledger import Outcome
from fogtree.arena.match import Contestant
from fogtree.arena.record import GameRecord
from fogtree.errors import OptionError
from fogtree.game import Game
from fogtree.web.jobs import Job
from fogtree.web.opponents import Roster, deciding_agent_name
from fogtree.web.study_games import StudyGames, read_spec, read_whole
from fogtree.web.titles import agent_title

MOST_AGENTS = 8
MOST_GAMES = 100_000
KEPT_GAMES = 20
"""Games of each pair that can be looked at afterwards."""
_LONGEST = 200  # characters of an agent's spec
_TELL_EVERY = 0.25  # seconds between two events of progress

Task = TypeVar("Task")


@dataclass(frozen=True, slots=True)
class Request:
    """The match or tournament that a request asks for, checked."""

    game: Game
    sides: dict[str, Contestant]
    """The agents by the names that were asked for."""
    games: int
    seed: int
    seconds: float

    @classmethod
    def read(cls, content: dict[str, Any], roster: Roster, known: StudyGames) -> Request:
        """Check a request; a mistake is an error in one line."""
        agents, game = content.get("agents"), known.find(read_spec(content))
        if not isinstance(agents, list) or not 2 <= len(agents) <= MOST_AGENTS:
            raise OptionError(f"choose 2 to {MOST_AGENTS} agents")
        if not all(isinstance(name, str) and len(name) <= _LONGEST for name in agents):
            raise OptionError("an agent is named by a text")
        sides = {name: roster.contestant(name, game) for name in agents}
        if len(sides) != len(agents):
            raise OptionError("the agents of a match must differ")
        seconds = content.get("seconds", 0.1)
        longest = roster.limits.most_move_seconds
        if type(seconds) not in (int, float) or not 0.01 <= seconds <= longest:
            raise OptionError(f"'seconds' per move must be 0.01 to {longest:g}")
        games = read_whole(content, "games", 100, 1, MOST_GAMES)
        seed = read_whole(content, "seed", 0, 0, 2**31)
        return cls(game, sides, games, seed, float(seconds))

    @property
    def agents(self) -> tuple[str, ...]:
        """The names of the agents, in the order in which they were asked for."""
        return tuple(self.sides)

    @property
    def pairs(self) -> tuple[tuple[str, str], ...]:
        """The pairs that play; with more than two players each agent of a pair takes the single
        seat once."""
        two = self.game.players == 2
        return tuple(combinations(self.agents, 2) if two else permutations(self.agents, 2))


class Contest:
    """A match, or a tournament if there are more than two agents."""

    def __init__(self, request: Request) -> None:
        self.request = request
        self.titles = {name: agent_title(name, request.game) for name in request.agents}
        self._played: dict[tuple[str, str], list[list[Outcome]]] = {}
        self._results: dict[tuple[str, str], MatchResult] = {}

    def work(self, job: Job) -> None:
        """Play every pair and rate the agents; goes on after a stop."""
        asked = self.request
        deals = -(-asked.games // asked.game.players)
        total = deals * asked.game.players * len(asked.pairs)
        named = {name: deciding_agent_name(name, asked.game) for name in asked.agents}
        seeing = [name for name in asked.agents if sees_everything(asked.game, named[name])]
        job.tell(
            "begun",
            game=str(asked.game),
            agents=asked.agents,
            titles=self.titles,
            sees_everything=seeing,
            total=total,
        )
        for pair in asked.pairs:
            if pair not in self._results:
                self._results[pair] = self._play(job, pair)
                job.tell("match", **_row(self._results[pair]))
        self._tell_ratings(job)

    def _play(self, job: Job, pair: tuple[str, str]) -> MatchResult:
        """Play the games of a pair, and report the scores."""
        asked, score = self.request, _Score(job, pair, self._played.setdefault(pair, []))
        result = play_match(
            asked.game,
            *(asked.sides[name] for name in pair),
            games=asked.games,
            seed=asked.seed,
            run=score.run,
            keep_records=True,
            terms=Terms(budget=Budget(seconds=asked.seconds), deals_per_task=1),
        )
        score.tell()
        return result

    def records(self, first: object, second: object) -> list[GameRecord]:
        """The first finished games of a pair, with the agents in the order of their seats."""
        played = self._played.get((str(first), str(second)))
        if not played:
            raise OptionError("these two agents have not finished a game here yet")
        outcomes = [outcome for part in list(played) for outcome in part]
        return [one.record for one in outcomes if one.record is not None][:KEPT_GAMES]

    def _tell_ratings(self, job: Job) -> None:
        """Report the ratings and the cross table of the matches so far."""
        asked = self.request
        result = rated_tournament(asked.game, asked.agents, list(self._results.values()))
        job.tell(
            "ratings",
            has_stakes=result.has_stakes,
            ratings=[{"name": r.name, "elo": _interval(r.elo)} for r in result.ratings],
            scores=[[result.score(a, b) for b in asked.agents] for a in asked.agents],
        )


class _Score:
    """The score of a pair while it plays; ``played`` are its tasks so far, which are not played
    again."""

    def __init__(self, job: Job, pair: tuple[str, str], played: list[list[Outcome]]) -> None:
        self._job, self._names, self._played = job, pair, played
        self._wins = self._draws = self._losses = 0
        self._told = 0.0

    def run(
        self, play: Callable[[Task], list[Outcome]], tasks: Iterable[Task]
    ) -> Iterator[list[Outcome]]:
        """Yield the outcomes of all tasks, in order: of a task that was played before a stop those
        that are kept, of any other those of ``play(task)``. Between two tasks the job may be paused
        or stopped."""
        for number, task in enumerate(tasks):
            if number == len(self._played):
                self._job.breathe()
                self._played.append(self._trimmed(play(task)))
            part = self._played[number]
            self._wins += sum(outcome.gain > 0 for outcome in part)
            self._draws += sum(outcome.gain == 0 for outcome in part)
            self._losses += sum(outcome.gain < 0 for outcome in part)
            if time.monotonic() - self._told > _TELL_EVERY:
                self.tell()
            yield part

    def _trimmed(self, part: list[Outcome]) -> list[Outcome]:
        """The outcomes of a task, without the games' records once KEPT_GAMES of this pair are
        kept."""
        kept = sum(outcome.record is not None for played in self._played for outcome in played)
        return part if kept < KEPT_GAMES else [replace(one, record=None) for one in part]

    def tell(self) -> None:
        """Add an event with the score so far."""
        self._told = time.monotonic()
        games = self._wins + self._draws + self._losses
        self._job.tell(
            "score",
            first=self._names[0],
            second=self._names[1],
            games=games,
            wins=self._wins,
            draws=self._draws,
            losses=self._losses,
            win_rate=_interval(wilson(self._wins + self._draws / 2, games)),
        )


def _row(result: MatchResult) -> dict[str, Any]:
    """The result of a match as JSON."""
    return {
        "first": result.first,
        "second": result.second,
        "games": result.games,
        "wins": result.wins,
        "draws": result.draws,
        "losses": result.losses,
        "win_rate": _interval(result.win_rate),
        "return_mean": _interval(result.return_mean),
        "has_stakes": result.has_stakes,
        "facts": {name: _interval(value) for name, value in result.facts.items()},
    }


def _interval(found: Interval) -> list[float | None]:
    """An interval as JSON: value, lower and upper bound; None where a number is not finite."""
    return [x if isfinite(x) else None for x in (found.value, found.low, found.high)]
