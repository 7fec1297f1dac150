"""A game as its steps, and what each seat is shown of it.

The events of a seat follow from the steps alone, so that a server which starts again shows the same
events, and two games that look the same to a seat give that seat the same bytes.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from fogtree.arena.record import returns_if_resigned
from fogtree.errors import GameError
from fogtree.game import CHANCE, TERMINAL, Action, Game, State
from fogtree.registry import seat_name
from fogtree.web.storage import GameSetup, Step
from fogtree.web.views import view_of

Event = dict[str, Any]
"""What the browser of a seat is sent about its game, as JSON; ``type`` says what it is."""


@dataclass(frozen=True, slots=True)
class Result:
    """How a game ended: the returns, and why in one line."""

    returns: tuple[float, ...]
    reason: str
    resigned: int | None = None
    """The seat that lost by resigning or by its clock."""
    ended: str | None = None
    """``agreement`` or ``time``, if the game ended so."""


@dataclass(frozen=True, slots=True)
class _Moment:
    """The state, and the seconds on all clocks, after a number of steps."""

    state: State
    left: tuple[float, ...]
    """Seconds on each seat's clock when the turn began."""
    since: float
    """When the turn began, in seconds of play."""


@dataclass(frozen=True, slots=True)
class _Shown:
    """What a seat was shown last: its view, and whether it was its turn."""

    view: object = None
    turn: bool = False


def line_digest(line: Sequence[tuple[State, Step]]) -> str:
    """A hash of these steps, under which a look at the decision after them is stored."""
    told = "\n".join(f"{step.kind} {step.value}" for _, step in line)
    return hashlib.sha256(told.encode()).hexdigest()


class GameLog:
    """One game as its steps, with what follows from them: the state, the clocks, the result, and
    the events that each seat is shown."""

    def __init__(self, setup: GameSetup, game: Game) -> None:
        """Begin a game at its root, with full clocks and no steps."""
        self.setup, self.game = setup, game
        self.view = view_of(game)
        self.steps: list[Step] = []
        self.result: Result | None = None
        self.offer: tuple[str, int] | None = None
        """The open offer and the seat that made it; None once it was answered or that seat was
        shown something new."""
        self.random_since: dict[int, int] = {}
        """The seats of agents that failed and play at random since, each with the number of moves
        before that."""
        self._untold: dict[int, set[int]] = {}  # by such a seat the people who were not told yet
        self.logs: list[list[Event]] = [[] for _ in setup.seats]
        """The events of each seat; those of agents stay empty, because nobody is shown them."""
        clock = setup.clock[0] if setup.clock else 0.0
        self._played: list[Step] = []  # without those taken back
        self._moments = [_Moment(game.root(), (clock,) * game.players, 0.0)]
        self._last_shown = [_Shown()] * game.players
        self._people = [seat for seat, who in enumerate(setup.seats) if who.agent is None]
        self.missing = list(self._people) if setup.waits else []
        """The seats of people who have never come; until they do, no clock runs."""
        for seat in self._people:
            self._add(seat, "start", **self._opening(seat))
        self._end_if_terminal()
        self._show()
        if self.result is not None:
            self._show_end(self.result)

    @property
    def state(self) -> State:
        """The true state, which no seat may see before the end."""
        return self._moments[-1].state

    @property
    def turn(self) -> int | None:
        """The seat to move; None if chance is, or if the game is over."""
        player = self.state.player
        return player if self.result is None and player >= 0 else None

    @property
    def turn_began(self) -> float:
        """When the present turn began, in seconds of play."""
        return self._moments[-1].since

    def clock_of(self, seat: int) -> float:
        """Seconds on a seat's clock when the present turn began."""
        return self._moments[-1].left[seat]

    @property
    def flag_time(self) -> float | None:
        """When the time of the seat to move is over; None without a clock that runs."""
        turn = self.turn
        if turn is None or not self.clock_runs:
            return None
        return self.turn_began + self.clock_of(turn)

    @property
    def clock_runs(self) -> bool:
        """Whether moves take time from a clock."""
        return self.setup.clock is not None and not self.missing

    @property
    def timeout_action(self) -> Action | None:
        """The action that is taken for the person to move when the short time of this decision is
        over; None if the decision has no such time."""
        own = getattr(self.view, "timeout_action", None)
        if self.setup.timeout_seconds is None or own is None or self.turn not in self._people:
            return None
        action: Action | None = own(self.state)
        return action

    @property
    def timeout(self) -> float | None:
        """When :attr:`timeout_action` is taken, in seconds of play; not for a person who has never
        been here."""
        if self.setup.timeout_seconds is None or self.timeout_action is None:
            return None
        if self.turn in self.missing:
            return None
        return self.turn_began + self.setup.timeout_seconds

    def clocks(self, at: float) -> list[float]:
        """Seconds on all clocks at a moment of play."""
        left = list(self._moments[-1].left)
        if self.turn is not None and self.clock_runs:
            left[self.turn] = max(0.0, left[self.turn] - (at - self.turn_began))
        return [round(seconds, 1) for seconds in left]

    def seconds_left(self) -> list[float]:
        """After each step that was not taken back, the seconds on the clock of the seat that took
        it, with the increment; 0 after chance outcomes."""
        moments = list(zip(self._moments, self._moments[1:], strict=False))
        movers = [before.state.player for before, _ in moments]
        return [
            after.left[mover] if mover >= 0 else 0.0
            for mover, (_, after) in zip(movers, moments, strict=True)
        ]

    def legal(self) -> list[Action]:
        """The actions of the seat to move."""
        return list(self.state.actions()) if self.turn is not None else []

    def find_action(self, text: str) -> Action | None:
        """The legal action with this text, or None if there is none."""
        return next((action for action in self.legal() if str(action) == text), None)

    def goes_unnoticed(self, action: Action) -> bool:
        """Whether an action of the seat to move is an attempt that fails in secret: no person sees
        anything of it, and the same seat decides again."""
        after = self.state.child(action)
        return after.player == self.turn and all(
            self._last_shown[seat] == _Shown(self.view.seat_view(after, seat), False)
            for seat in self._people
        )

    def apply_all(self, steps: Iterable[Step]) -> None:
        """Take steps one after the other, as :meth:`apply` does."""
        for step in steps:
            self.apply(step)

    def apply(self, step: Step) -> None:
        """Take a step; one that is not possible is an error and changes nothing."""
        if self.result is not None:
            raise GameError("the game is over")
        if step.kind in ("action", "chance"):
            self._move(step)
        elif step.kind == "takeback":
            self._take_back(step)
        elif step.kind in ("offer", "decline"):
            self._offer(step)
            return
        elif step.kind == "arrive":
            self._arrive(step)
            return
        elif step.kind == "fail":
            self._fail(step)
            return
        else:
            self.result = self._ended(step)
            self.steps.append(step)
        self._end_if_terminal()
        moved = step.kind in ("action", "chance")
        self._end_offer(self._show(self._last_actor() if moved else None))
        if self.result is not None:
            self._show_end(self.result)

    def _end_if_terminal(self) -> None:
        """Set the result if the rules end the game here."""
        if self.result is None and self.state.player == TERMINAL:
            returns = tuple(float(value) for value in self.state.returns())
            self.result = Result(returns, self.state.result_text() or "the game is over")

    def _move(self, step: Step) -> None:
        """Play an action or a chance outcome, and charge the mover's clock for it."""
        state = self.state
        if (step.kind == "chance") != (state.player == CHANCE):
            by_chance = step.kind == "chance"
            raise GameError(f"it is {'not ' if by_chance else ''}chance that is to move")
        outcomes = [a for a, _ in state.chance()] if step.kind == "chance" else state.actions()
        action = next((a for a in outcomes if str(a) == step.value), None)
        if action is None:
            raise GameError(f"'{step.value[:40]}' is not possible")
        moment = self._moments[-1]
        left = list(moment.left)
        after = state.child(action)
        if step.kind == "action" and self.setup.clock is not None and self.clock_runs:
            passed = after.player != state.player  # who decides again has not ended a move
            left[state.player] += self.setup.clock[1] * passed - (step.at - moment.since)
        self._moments.append(_Moment(after, tuple(left), step.at))
        self._played.append(step)
        self.steps.append(step)

    def _take_back(self, step: Step) -> None:
        """Go back to the state after the first ``step.value`` moves, whose turn begins again."""
        count = int(step.value)
        if not 0 <= count < len(self._played):
            raise GameError("there is nothing to take back")
        del self._moments[count + 1 :], self._played[count:]
        self._moments[-1] = replace(self._moments[-1], since=step.at)
        self.steps.append(step)
        self.offer = None
        self._last_shown = [_Shown()] * self.game.players
        self._take_back_failures(count)

    def _take_back_failures(self, count: int) -> None:
        """After the first ``count`` moves: forget the failures of later decisions of which nobody
        was told, as if those agents had not been asked; the others play at random from here on."""
        for seat, before in list(self.random_since.items()):
            if before >= count and self._untold[seat] == set(self._people):
                del self.random_since[seat], self._untold[seat]
            else:
                self.random_since[seat] = min(before, count)

    def _arrive(self, step: Step) -> None:
        """Note that a person has come; with the last of them the clocks start."""
        if step.seat not in self.missing:
            raise GameError("this person has come before")
        self.missing.remove(step.seat)
        self.steps.append(step)
        if self.clock_runs or step.seat == self.turn:
            self._moments[-1] = replace(self._moments[-1], since=step.at)

    def _fail(self, step: Step) -> None:
        """Note that an agent has failed. Every person is told together with the next view that an
        action of this agent leads to. Told with another view, such as that of a take-back, people
        would learn that the agent has already made an attempt which failed in secret."""
        self.steps.append(step)
        self.random_since[step.seat] = len(self._played)
        self._untold[step.seat] = set(self._people)

    def _last_actor(self) -> int | None:
        """The seat of the last action that was not taken back; None before the first one."""
        return next((one.seat for one in reversed(self._played) if one.kind == "action"), None)

    def _tell_of_failure(self, seat: int, actor: int | None) -> None:
        """Tell the person of a seat that ``actor`` has failed, unless it was told before."""
        if actor is not None and seat in self._untold.get(actor, ()):
            self._untold[actor].remove(seat)
            self._add(seat, "fail", by=actor)

    def _offer(self, step: Step) -> None:
        """Show an offer (a draw, a take-back) or its refusal to all seats."""
        self.steps.append(step)
        self.offer = (step.value, step.seat) if step.kind == "offer" else None
        for seat in self._people:
            self._add(seat, step.kind, what=step.value, by=step.seat)

    def _end_offer(self, shown: list[int]) -> None:
        """Close an open offer once its maker is shown something new (``shown`` lists those seats).
        Closing it earlier would reveal to the maker that an attempt failed in secret; the seat that
        made the attempt is shown the offer again."""
        if self.offer is None:
            return
        what, by = self.offer
        if by in shown or self.result is not None:
            self.offer = None
            return
        for seat in shown:
            self._add(seat, "offer", what=what, by=by)

    def _ended(self, step: Step) -> Result:
        """The result of a step that ends the game: an agreed draw, a resignation, or a clock that
        ran out."""
        players, name = self.game.players, seat_name(self.game, step.seat)
        if step.kind == "draw":
            return Result((0.0,) * players, "drawn by agreement", ended="agreement")
        if step.kind not in ("resign", "flag"):
            raise GameError(f"there is no step '{step.kind}'")
        returns = returns_if_resigned(step.seat, players)
        if step.kind == "flag":
            return Result(returns, f"{name} ran out of time", step.seat, "time")
        return Result(returns, f"{name} resigned", step.seat)

    def kept_steps(self) -> list[tuple[State, Step]]:
        """The steps that were not taken back, each with the state before it."""
        return [(m.state, step) for m, step in zip(self._moments, self._played, strict=False)]

    def _opening(self, seat: int) -> Event:
        """The content of a seat's first event: who plays what, and the clock."""
        return {
            "game": str(self.game),
            "seat": seat,
            "seats": [seat_name(self.game, number) for number in range(self.game.players)],
            "players": [s.name or s.agent or "person" for s in self.setup.seats],
            "clock": self.setup.clock,
            "casual": self.setup.casual,
            "previous": self.setup.previous,
        }

    def _show(self, actor: int | None = None) -> list[int]:
        """Add an event for every seat whose view has changed, or whose turn it is or was; returns
        these seats. ``actor`` is the seat whose action led to these views, if one did."""
        moment, seats = self._moments[-1], []
        for seat in self._people:
            mine = self.turn == seat
            view, shown = self.view.seat_view(moment.state, seat), self._last_shown[seat]
            if not mine and view == shown.view and not (shown.turn and self.result is None):
                continue
            self._tell_of_failure(seat, actor)
            seats.append(seat)
            self._last_shown[seat] = _Shown(view, mine)
            legal = self.legal() if mine else []
            self._add(
                seat,
                "view",
                view=view,
                turn=mine,
                actions=[
                    {"action": str(a), "label": self.view.action_label(moment.state, a, seat)}
                    for a in legal
                ],
                news=moment.state.news(seat),
                clock=[round(left, 1) for left in moment.left] if self.setup.clock else None,
                **({"seconds": self.setup.timeout_seconds} if mine and self.timeout else {}),
                **({"decided": True} if self._has_decided(seat) else {}),
            )
        return seats

    def _has_decided(self, seat: int) -> bool:
        """Whether a seat has a decision of its own that it could take back."""
        return any(moment.state.player == seat for moment in self._moments[:-1])

    def _show_end(self, result: Result) -> None:
        """Append the end of the game to the events of every person."""
        for seat in self._people:
            self._add(seat, "over", returns=list(result.returns), reason=result.reason)

    def _add(self, seat: int, kind: str, /, **content: Any) -> None:
        """Append an event to those of a seat, with the next number."""
        self.logs[seat].append({"n": len(self.logs[seat]) + 1, "type": kind, **content})
