"""The analysis of a finished game as a job: what one seat could know, ply by ply."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from fogtree.errors import OptionError
from fogtree.registry import seat_name
from fogtree.web.advisor import Advisor, check_looking
from fogtree.web.game_log import GameLog
from fogtree.web.jobs import Job
from fogtree.web.limits import Limits

_USUAL = 1.5  # seconds per ply


@dataclass(frozen=True)
class GameAnalysis:
    """What was asked for, checked."""

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
        seconds = content.get("seconds", _USUAL)
        if type(seat) is not int or not 0 <= seat < log.game.players:
            raise OptionError(f"'seat' is a number from 0 to {log.game.players - 1}")
        last = len(log.own_steps())
        if ply is not None and (type(ply) is not int or not 0 <= ply <= last):
            raise OptionError(f"'ply' is a number from 0 to {last}, or left out for all decisions")
        if type(seconds) not in (int, float) or not 0.1 <= seconds <= limits.look_seconds:
            raise OptionError(f"'seconds' must be 0.1 to {limits.look_seconds:g}")
        return cls(log, seat, ply, float(seconds), limits)

    @property
    def title(self) -> str:
        """What a list of jobs shows."""
        where = "all decisions" if self.ply is None else f"ply {self.ply}"
        return f"{where} of {seat_name(self.log.game, self.seat)}"

    def work(self, job: Job) -> None:
        """Look at every ply that was asked for, with what the seat had seen until then."""
        log = self.log
        line = log.own_steps()
        states = [*(state for state, _ in line), log.state]
        decisions = [n for n, state in enumerate(states) if state.player == self.seat]
        advisor = Advisor(log.game, log.view, self.seat, self.limits)
        try:
            for ply in decisions if self.ply is None else [self.ply]:
                job.breathe()

                def tell(document: dict[str, Any], ply: int = ply) -> None:
                    if self.ply is not None or document["done"]:
                        job.tell("look", ply=ply, seat=self.seat, **document)

                advisor.look(line[:ply], states[ply], self.seconds, tell)
        finally:
            advisor.close()
