"""Where the truth surprised a player: marks on the graph of a finished game's analysis.

A search that knew what one seat knew looks at every decision of that seat. Three things are marked:

- **loss**: the seat lost something by the other side's answer, and the value at its next decision
  (or the result, at the end) is at least :data:`LOSS` below what the search had expected of the
  action that was played.
- **value**: nothing was lost, but the value is at least :data:`JUMP` away from that expectation, up
  or down.
- **hidden**: something stood where the search had given it a probability below :data:`UNLIKELY`,
  and clearly less than if all positions counted the same; it is marked once, at the first decision
  at which this holds, and again only after it has changed. The sentence says since when it stood
  there, because the last action need not have to do with it.

Values are in payoffs. What was lost and what was hidden only a game's own view can tell, by the
methods ``lost`` and ``unlikely``; without them there are marks of values alone.
"""

from __future__ import annotations

from typing import Any

from fogtree.game import State
from fogtree.registry import seat_name
from fogtree.web.game_log import GameLog

LOSS = 0.15
JUMP = 0.3
UNLIKELY = 0.05

Mark = dict[str, Any]


class Surprises:
    """Finds the marks of one seat while its decisions are analysed in their order."""

    def __init__(self, log: GameLog, seat: int) -> None:
        self._log, self._seat = log, seat
        self._name = seat_name(log.game, seat).capitalize()
        self._steps = log.kept_steps()  # of all seats
        self._expected: tuple[int, str, float] | None = None  # ply, action, its value
        self._marked: set[str] = set()  # names of hidden things that were marked

    def at_decision(self, ply: int, state: State, look: dict[str, Any]) -> list[Mark]:
        """The marks at a decision, given what the search found there."""
        marks = self._change(ply, state, look["value"])
        marks += self._hidden(ply, state, look)
        played = self._steps[ply][1].value if ply < len(self._steps) else None
        found = next((c for c in look["candidates"] if c["action"] == played), None)
        if found is None:
            self._expected = None
        else:
            self._expected = ply, found["label"], found.get("judged", found)["value"]
        return marks

    def at_end(self) -> list[Mark]:
        """The mark of the result, if that is far from what was expected; none if the game ended by
        resignation, agreement or time."""
        result = self._log.result
        if result is None or result.ended is not None or result.resigned is not None:
            return []
        return self._change(len(self._steps), self._log.state, result.returns[self._seat])

    def _change(self, ply: int, state: State, value: float) -> list[Mark]:
        """At most one mark, of the kind loss or value: if ``value`` is far from what was expected
        of the seat's last action."""
        if self._expected is None:
            return []
        before, label, expected = self._expected
        after = self._steps[before + 1][0] if before + 1 < len(self._steps) else state
        own = getattr(self._log.view, "lost", None)
        lost: str = "" if own is None else own(after, state, self._seat)
        end = ply == len(self._steps)
        now = f"the result was {value:+z.2f}" if end else f"then it found {value:+z.2f}"
        words = f"of {label} the search had expected {expected:+z.2f}, {now}"
        if lost and value <= expected - LOSS:
            text = f"{self._name} lost {lost}: {words}."
            return [{"ply": ply, "kind": "loss", "text": text}]
        if abs(value - expected) >= JUMP:
            text = f"{self._name} stood {'better' if value > expected else 'worse'}: {words}."
            return [{"ply": ply, "kind": "value", "text": text}]
        return []

    def _hidden(self, ply: int, state: State, look: dict[str, Any]) -> list[Mark]:
        """Marks for things that stand where the search considered them very unlikely."""
        own = getattr(self._log.view, "unlikely", None)
        if own is None:
            return []
        line = [(before, step.value) for before, step in self._steps[:ply]]
        marks = []
        for name, what, share in own(line, state, look, self._seat, UNLIKELY):
            if name not in self._marked:
                text = f"{what}; for {self._name}'s search that was {_percent(share)} likely."
                marks.append({"ply": ply, "kind": "hidden", "text": text})
            self._marked.add(name)
        return marks


def _percent(share: float) -> str:
    """The probability of something possible in whole percent, which is never 0."""
    return "under 1 %" if share < 0.005 else f"{100 * share:.0f} %"
