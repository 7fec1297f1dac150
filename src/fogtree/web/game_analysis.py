"""Analyses as jobs: of a finished game, what one seat could know ply by ply, and of a game's first
position."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any

from fogtree.agents.budget import Budget
from fogtree.errors import GameError, OptionError
from fogtree.game import TERMINAL, Game, State
from fogtree.registry import seat_name
from fogtree.web.advisor import Advisor, Document, check_looking
from fogtree.web.game_log import GameLog, line_digest
from fogtree.web.jobs import Job
from fogtree.web.limits import Limits
from fogtree.web.storage import Step
from fogtree.web.surprises import Surprises
from fogtree.web.views import view_of

_USUAL = 1.5  # seconds per ply
_PLAYED = 0.01  # an action that a search plays less often is none of its own
_Look = Callable[[list[tuple[State, Step]], State, Callable[[Document], None]], None]
"""Searches at a state, to which these steps led, and tells what it finds."""


def _seconds(content: dict[str, Any], limits: Limits) -> float:
    """The seconds of each search that a request asks for, checked."""
    seconds = content.get("seconds", _USUAL)
    if type(seconds) not in (int, float) or not 0.1 <= seconds <= limits.look_seconds:
        raise OptionError(f"'seconds' must be 0.1 to {limits.look_seconds:g}")
    return float(seconds)


@dataclass(frozen=True)
class RootAnalysis:
    """A look at the first position of a game, which both sides know."""

    game: Game
    seconds: float
    limits: Limits

    @classmethod
    def read(cls, content: dict[str, Any], game: Game, limits: Limits) -> RootAnalysis:
        """Check a request for the analysis of a game's first position."""
        check_looking(game)
        if game.root().player == TERMINAL:
            raise GameError("the game is over in this position")
        if game.root().player < 0:
            raise GameError("chance is to move in this position")
        return cls(game, _seconds(content, limits), limits)

    def work(self, job: Job) -> None:
        """The work of the job: tell the position, then what a search for the side to move finds."""
        state, view = self.game.root(), view_of(self.game)
        seat = state.player
        job.tell("position", seat=seat, view=view.seat_view(state, seat))
        with (
            closing(Advisor(self.game, view, seat, self.limits)) as advisor,
            _stoppable(job, advisor) as ended,
        ):
            told = partial(job.tell, "look")
            advisor.look([], state, self.seconds, lambda found: told(**found), ended=ended)


@contextmanager
def _stoppable(job: Job, advisor: Advisor) -> Iterator[Callable[[], bool]]:
    """A block in which the advisor searches once: a stop of the job ends that search at once, and
    raises :class:`JobStopped` at the end of the block. The function says whether there was one."""
    with job.interrupted_by(advisor.interrupt):
        yield lambda: job.stop_asked
    job.breathe()


@dataclass(frozen=True)
class GameAnalysis:
    """The analysis of a finished game that a request asks for, checked."""

    log: GameLog
    seat: int
    ply: int | None
    """The state after this many steps; None: all decisions of the seat."""
    seconds: float
    limits: Limits

    @classmethod
    def read(cls, content: dict[str, Any], log: GameLog, limits: Limits) -> GameAnalysis:
        """Check a request for the analysis of a finished game."""
        check_looking(log.game)
        seat, ply = content.get("seat"), content.get("ply")
        if type(seat) is not int or not 0 <= seat < log.game.players:
            raise OptionError(f"'seat' is a number from 0 to {log.game.players - 1}")
        last = len(log.kept_steps())
        if ply is not None and (type(ply) is not int or not 0 <= ply <= last):
            raise OptionError(f"'ply' is a number from 0 to {last}, or left out for all decisions")
        return cls(log, seat, ply, _seconds(content, limits), limits)

    @property
    def title(self) -> str:
        """The analysis in a few words, for the list of jobs."""
        where = "all decisions" if self.ply is None else f"ply {self.ply}"
        return f"{where} of {seat_name(self.log.game, self.seat)}"

    def work(self, job: Job, looks: Mapping[str, Sequence[Document]]) -> None:
        """Look at every ply that was asked for, with what the seat had seen until then; if all were
        asked for, also tell where the truth surprised the seat. ``looks`` are those that the seat
        made during the game, by :func:`line_digest`."""
        log = self.log
        line = log.kept_steps()
        states = [*(state for state, _ in line), log.state]
        decisions = [n for n, state in enumerate(states) if state.player == self.seat]
        advisor, judge = (Advisor(log.game, log.view, self.seat, self.limits) for _ in range(2))
        surprises = Surprises(log, self.seat)
        look = partial(self._look, job, advisor)
        with closing(advisor), closing(judge):
            if self.ply is not None:
                told = partial(job.tell, "look", ply=self.ply, seat=self.seat)
                look(line[: self.ply], states[self.ply], lambda found: told(**found))
                return
            for ply in decisions:
                job.breathe()
                played = line[ply][1].value if ply < len(line) else None
                shown = looks.get(line_digest(line[:ply]), ())
                document = self._examined(look, line[:ply], states[ply], played, shown)
                if played is not None and _is_foreign(document, played):
                    with _stoppable(job, judge) as ended:
                        budget = Budget(seconds=self.seconds)
                        found = judge.judge(line[:ply], states[ply], played, budget, ended=ended)
                    document = _with_judgement(document, played, found)
                job.tell("look", ply=ply, seat=self.seat, **document)
                for mark in surprises.at_decision(ply, states[ply], document):
                    job.tell("surprise", seat=self.seat, **mark)
            for mark in surprises.at_end():
                job.tell("surprise", seat=self.seat, **mark)

    def _look(
        self,
        job: Job,
        advisor: Advisor,
        line: list[tuple[State, Step]],
        state: State,
        tell: Callable[[Document], None],
    ) -> None:
        """Search at a state for the seconds that were asked for; a stop of the job ends it."""
        with _stoppable(job, advisor) as ended:
            advisor.look(line, state, self.seconds, tell, ended=ended)

    def _examined(
        self,
        look: _Look,
        line: list[tuple[State, Step]],
        state: State,
        played: str | None,
        shown: Sequence[Document],
    ) -> Document:
        """The document of the search at a decision that thinks best of the action ``played``.

        ``shown``, the looks that the player made there during the game, count as well, so that the
        review does not contradict their advice; one that took as long replaces the search.
        """
        found = list(shown)
        if not any(document["seconds"] >= self.seconds for document in shown):
            last: list[Document] = []
            look(line, state, last.append)
            found.append(last[-1])
        return min(found, key=lambda one: (_loss(one, played), -one["seconds"]))


def _loss(document: Document, played: str | None) -> float:
    """How much less the action ``played`` is worth than the search's play, in payoffs, by the
    search's own estimate; 0 if the search might have played it, or does not list it."""
    for one in document["candidates"]:
        if one["action"] == played and not one["probability"]:
            return float(document["value"] - one["value"])
    return 0.0


def _is_foreign(document: Document, action: str) -> bool:
    """Whether the search of a document lists an action, but does not play it."""
    found = [one for one in document["candidates"] if one["action"] == action]
    return bool(found) and found[0]["probability"] <= _PLAYED


def _with_judgement(document: Document, action: str, judgement: Document) -> Document:
    """A document in which one action has what a search of its own found, as ``judged``."""
    candidates = [
        {**one, "judged": judgement} if one["action"] == action else one
        for one in document["candidates"]
    ]
    return {**document, "candidates": candidates}
