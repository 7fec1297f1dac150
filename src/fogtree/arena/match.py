"""A match: one agent against another, every deal played once from each seat.

With more than two players the first agent takes one seat and the second all the others.
"""

from __future__ import annotations

import math
import pickle
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice
from typing import ClassVar

from fogtree.agents import Agent, AnyAgent, agent
from fogtree.agents.budget import Budget
from fogtree.arena.ledger import FinishedGames, Outcome
from fogtree.arena.openings import DEALS_PER_TASK
from fogtree.arena.play import play_game
from fogtree.arena.record import GameRecord, ahead_of_others
from fogtree.arena.sequential import SequentialResult, SequentialTest
from fogtree.arena.statistics import Interval, mean, wilson
from fogtree.errors import FogtreeError, GameError, OptionError, require
from fogtree.game import Game
from fogtree.game.checks import checked_facts, checked_players
from fogtree.results import Drawn
from fogtree.search.agent import SearchAgent
from fogtree.search.settings import SearchSettings
from fogtree.strategy import Strategy
from fogtree.strategy.hashed import HashedStrategy
from fogtree.system.cores import cores
from fogtree.system.foreign_errors import failure_text
from fogtree.system.processes import Processes, processes
from fogtree.system.termination import signals_held_back
from fogtree.system.user_code import OWN_MODULE, pickled
from fogtree.tree import AnyGame, game_of

TASKS_PER_WORKER = 32  # queued per worker, so that a long game does not leave other workers idle


@dataclass(frozen=True, slots=True)
class MatchResult(Drawn):
    """The result of a match from the first agent's side: a positive return is a win for it."""

    drawing: ClassVar[str] = "fogtree.report.notebook:match_html"

    game: str
    first: str
    second: str
    games: int
    wins: int
    draws: int
    losses: int
    win_rate: Interval  # Wilson interval; a draw is half a win
    return_mean: Interval
    ahead: Interval  # share of the other seats with a smaller return; a tie counts half
    facts: dict[str, Interval]  # means of State.facts, such as a margin or the number of turns
    records: tuple[GameRecord, ...]
    sequential: SequentialResult | None = None

    @property
    def has_stakes(self) -> bool:
        """Whether games are won by different amounts, so that the mean return tells more than the
        win rate."""
        return abs(self.return_mean.value - (2 * self.win_rate.value - 1)) > 1e-9

    def __repr__(self) -> str:
        return (
            f"<MatchResult {self.game}, {self.first} - {self.second}: {self.games:,} games, "
            f"+{self.wins} ={self.draws} -{self.losses}, win rate {self.win_rate}>"
        )


@dataclass(frozen=True, slots=True)
class Terms:
    """The conditions of a match beside the number of games."""

    starts: tuple[Game, ...] = ()  # where deals begin, in turn: the same game from other positions
    budget: Budget | None = None  # of every decision
    test: SequentialTest | None = None  # ends the match as soon as it has a verdict
    deals_per_task: int = DEALS_PER_TASK  # played in one task of a worker process
    ledger: FinishedGames | None = None  # where games are kept, and looked for first

    def close(self) -> None:
        """Let other processes use the ledger's file."""
        if self.ledger is not None:
            self.ledger.close()


PLAIN = Terms()


@dataclass(frozen=True, slots=True)
class Contestant:
    """One side of a match: an agent (its name, a strategy, an agent object or search settings), and
    the name that results show for it."""

    name: str
    player: AnyAgent | SearchSettings

    @classmethod
    def of(cls, player: AnyAgent | Contestant) -> Contestant:
        """A contestant from an agent, with the agent's name (``tabular`` for a strategy)."""
        if isinstance(player, Contestant):
            return player
        if isinstance(player, Strategy | HashedStrategy):
            return cls("tabular", player)
        require(player, (str, Agent), "an agent, by name, as a strategy or as an Agent,")
        return cls(player if isinstance(player, str) else player.name, player)

    def make_agents(self, game: Game, count: int) -> list[Agent]:
        """Make agents for ``count`` seats of a game."""
        if count > 1 and isinstance(self.player, Agent):
            raise OptionError(
                f"the agent object '{self.name}' can take one seat, not {count}; give its name"
            )
        if isinstance(self.player, SearchSettings):
            return [SearchAgent(game, self.player) for _ in range(count)]
        made = [agent(self.player, game) for _ in range(count)]
        if not isinstance(self.player, Agent) and self.name != self.player:
            for one in made:  # records show the contestant's name, not the file of its agent
                one.name = self.name
        return made

    def check(self, game: Game, count: int) -> None:
        """Raise an error if this side cannot take ``count`` seats of a game."""
        self.close_agents(self.make_agents(game, count))

    def close_agents(self, agents: Iterable[Agent]) -> None:
        """Close the agents that :meth:`make_agents` made; the caller closes agent objects."""
        for one in agents:
            if one is not self.player:
                one.close()


@dataclass(frozen=True, slots=True)
class _Task:
    """Some deals of a match, to be played by one process with agents of its own."""

    game: Game
    starts: tuple[Game, ...]  # where each of the deals begins
    first: Contestant
    second: Contestant
    seed: int
    deals: range  # numbers of the deals in the match
    keep: bool  # whether outcomes hold the records of the games
    budget: Budget | None


def _play_task(task: _Task) -> list[Outcome]:
    """Play the games of a task, deal after deal. A StopIteration from the game becomes a GameError,
    because it would end the loop over the tasks as if all were played."""
    try:
        return _play_games(task)
    except StopIteration as error:
        raise GameError(f"{task.game} raised StopIteration") from error


def _play_games(task: _Task) -> list[Outcome]:
    """Make the agents of a task, play its deals, and close the agents again."""
    game = task.game
    firsts = task.first.make_agents(game, 1)
    seconds = task.second.make_agents(game, checked_players(game) - 1)
    try:
        return _play_deals(task, firsts[0], seconds)
    finally:
        task.first.close_agents(firsts)
        task.second.close_agents(seconds)


def _play_deals(task: _Task, first: Agent, seconds: list[Agent]) -> list[Outcome]:
    """Play every deal of a task once from each seat of the first agent."""
    game = task.game
    out = []
    for deal, start in zip(task.deals, task.starts, strict=True):
        for seat in range(checked_players(game)):
            agents = [*seconds[:seat], first, *seconds[seat:]]
            name = f"{task.seed}/{deal}"
            played = play_game(start, agents, seed=f"{name}/{seat}", deal=name, budget=task.budget)
            returns = played.record.returns
            ahead = ahead_of_others(returns, seat)
            ended = played.record.resigned is None
            facts = checked_facts(start, played.end, seat) if ended else {}
            out.append(Outcome(returns[seat], ahead, facts, played.record if task.keep else None))
    return out


Runner = Callable[[Callable[[_Task], list[Outcome]], Iterable[_Task]], Iterator[list[Outcome]]]
"""Plays tasks as ``map`` would: takes a function that plays one, and the tasks."""


@contextmanager
def workers(count: int | None = None) -> Iterator[Runner]:
    """A function like ``map`` that runs tasks in ``count`` processes (default: one per core)."""
    if (count or cores()) == 1:
        yield map
        return
    with processes(count) as pool:
        yield partial(_handed_out, pool, pool.count * TASKS_PER_WORKER)


def _handed_out(
    pool: Processes,
    most: int,
    play: Callable[[_Task], list[Outcome]],
    tasks: Iterable[_Task],
) -> Iterator[list[Outcome]]:
    """The results of tasks in the tasks' order; at most ``most`` tasks are running at a time."""
    coming = iter(tasks)
    handed: deque[Future[list[Outcome]]] = deque()
    try:
        while True:
            packed = map(_packed, islice(coming, most - len(handed)))
            handed.extend(pool.submit(partial(_play_packed, play), task) for task in packed)
            if not handed:
                return
            yield handed.popleft().result()
    finally:
        for future in handed:
            future.cancel()


def _packed(task: _Task) -> bytes:
    """A task as bytes for a worker process; the game may be from a user's file."""
    try:
        return pickled(task)
    except Exception as error:  # whatever the task's objects raise
        raise _not_sent(error) from error


def _play_packed(play: Callable[[_Task], list[Outcome]], packed: bytes) -> list[Outcome]:
    """In a worker process: play a packed task. An error of a class from a user's file, which the
    main process cannot unpickle, becomes a GameError."""
    try:
        task: _Task = pickle.loads(packed)
    except (FogtreeError, MemoryError):
        raise
    except Exception as error:  # whatever the task's objects raise
        raise _not_sent(error) from error
    try:
        return play(task)
    except Exception as error:
        module = type(error).__module__
        if not module.startswith(OWN_MODULE):
            raise
        file = module.removeprefix(OWN_MODULE)
        raise GameError(failure_text(str(task.game), file, error)) from None


def _not_sent(error: Exception) -> OptionError:
    """The error for a game or an agent that other processes cannot make again."""
    problem = " ".join(str(error).split())
    return OptionError(
        "the game or an agent cannot be sent to other processes, so play in one process: "
        f"{type(error).__name__}: {problem}"
    )


def play_match(
    game: AnyGame,
    first: str | Contestant,
    second: str | Contestant,
    *,
    games: int,
    seed: int = 0,
    run: Runner = map,
    keep_records: bool = False,
    progress: Callable[[int], None] | None = None,
    terms: Terms = PLAIN,
) -> MatchResult:
    """Play ``games`` games (rounded up to whole deals) between two agents.

    The result depends on the seed alone, however many processes play: pass ``run`` from
    :func:`workers` to use them. (A budget of time makes it depend on the machine.)
    """
    if games < 1:
        raise OptionError(f"games must be at least 1, not {games}")
    game = game_of(game)
    sides = Contestant.of(first), Contestant.of(second)
    if isinstance(sides[0].player, Agent) and sides[0].player is sides[1].player:
        raise OptionError(f"the agent object '{sides[0].name}' cannot play against itself")
    deals = -(-games // checked_players(game))
    tasks = _tasks(game, sides, seed=seed, deals=deals, keep=keep_records, terms=terms)
    outcomes: list[Outcome] = []
    decided: SequentialResult | None = None
    parts = _played(tasks, run, terms.ledger, progress or (lambda games: None))
    for part in parts:
        before = len(outcomes)
        outcomes.extend(part)
        if terms.test is not None:
            decided, used = _verdict(terms.test, outcomes, checked_players(game), before)
            if decided.verdict is not None:
                del outcomes[used:]
                break
    del parts  # cancels the tasks that a pool has not started
    return _summary(str(game), sides, outcomes, decided)


def _tasks(
    game: Game,
    sides: tuple[Contestant, Contestant],
    *,
    seed: int,
    deals: int,
    keep: bool,
    terms: Terms,
) -> Iterator[_Task]:
    """The deals of a match, divided into tasks."""
    starts = terms.starts or (game,)
    for begin in range(0, deals, terms.deals_per_task):
        part = range(begin, min(begin + terms.deals_per_task, deals))
        here = tuple(starts[deal % len(starts)] for deal in part)
        yield _Task(game, here, *sides, seed, part, keep, terms.budget)


def _played(
    tasks: Iterable[_Task],
    run: Runner,
    ledger: FinishedGames | None,
    count: Callable[[int], None],
) -> Iterator[list[Outcome]]:
    """The games of every task, in the order of the tasks; ``count`` is called with the number of
    games of each. Tasks whose games are in the ledger are not played again."""
    if ledger is None:
        for part in run(_play_task, tasks):
            count(len(part))
            yield part
        return
    passed: deque[tuple[_Task, list[Outcome]]] = deque()

    def missing() -> Iterator[_Task]:
        """Yield the tasks that must be played. Every task is appended to ``passed`` with its
        recorded games, so that results can be returned in order."""
        for task in tasks:
            passed.append((task, _recorded(task, ledger)))
            if not passed[-1][1]:
                yield replace(task, keep=True)

    def counted(found: list[Outcome]) -> list[Outcome]:
        """Report the number of new games, and return them."""
        count(len(found))
        return found

    for part in run(_play_task, missing()):
        while passed[0][1]:
            yield counted(passed.popleft()[1])
        task, _ = passed.popleft()
        seats = checked_players(task.game)
        with signals_held_back():  # so that as many are counted as are kept
            for number, deal in enumerate(task.deals):
                games = part[number * seats :][:seats]
                ledger.add(task.first.name, task.second.name, deal, games)
            count(len(part))
        yield part
    for _, found in passed:
        yield counted(found)


def _recorded(task: _Task, ledger: FinishedGames) -> list[Outcome]:
    """The games of a task in the ledger; empty unless all of them are there."""
    found = [
        ledger.find(task.first.name, task.second.name, deal, start)
        for deal, start in zip(task.deals, task.starts, strict=True)
    ]
    return [] if None in found else [game for deal in found if deal for game in deal]


def _verdict(
    test: SequentialTest, outcomes: Sequence[Outcome], players: int, before: int
) -> tuple[SequentialResult, int]:
    """The result of the sequential test at its first verdict, and the number of games up to it;
    without a verdict, the result after all games and their number. The test is made after every
    deal; the first ``before`` games are known to give no verdict and are not tested again."""
    points = [(gain > 0) + (gain == 0) / 2 for gain in (o.gain for o in outcomes)]
    deals = [sum(points[at : at + players]) / players for at in range(0, len(points), players)]
    for count in range(before // players + 1, len(deals)):
        result = test.result(deals[:count])
        if result.verdict is not None:
            return result, count * players
    return test.result(deals), len(outcomes)


def _summary(
    spec: str,
    sides: tuple[Contestant, Contestant],
    outcomes: list[Outcome],
    decided: SequentialResult | None,
) -> MatchResult:
    """The result of a match from its games."""
    gains = [outcome.gain for outcome in outcomes]
    wins, losses = sum(g > 0 for g in gains), sum(g < 0 for g in gains)
    draws = len(gains) - wins - losses
    names = set.intersection(*(set(outcome.facts) for outcome in outcomes))
    return MatchResult(
        game=spec,
        first=sides[0].name,
        second=sides[1].name,
        games=len(gains),
        wins=wins,
        draws=draws,
        losses=losses,
        win_rate=wilson(wins + draws / 2, len(gains)),
        return_mean=_mean(gains),
        ahead=_mean([outcome.ahead for outcome in outcomes]),
        facts={
            name: _mean([o.facts[name] for o in outcomes])
            for name in outcomes[0].facts
            if name in names
        },
        records=tuple(o.record for o in outcomes if o.record is not None),
        sequential=decided,
    )


def _mean(values: list[float]) -> Interval:
    """The mean of some numbers with its 95 % interval."""
    return mean(math.fsum(values), math.fsum(v * v for v in values), len(values))
