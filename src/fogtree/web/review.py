"""A finished game with everything in it: the true states, every seat's views, and the moves."""

from __future__ import annotations

from functools import partial
from typing import Any

from fogtree.arena.record import GameRecord
from fogtree.game import State
from fogtree.registry import seat_name
from fogtree.web.game_log import GameLog
from fogtree.web.storage import SeatSetup

PERSON = "person"
"""The name of every player who is no agent."""


def record_of(log: GameLog, reader: int | None = None) -> GameRecord:
    """The record of a finished game for a ``reader`` who played one of its seats, and is called
    "You" in it, or for somebody else; other people have the names of their seats."""
    assert log.result is not None, "the game is not over"

    def player(number: int, seat: SeatSetup) -> str:
        """The name of the player in a seat."""
        if seat.agent is None and seat.name in ("", PERSON):
            return "You" if number == reader else seat_name(log.game, number).capitalize()
        return seat.name or seat.agent or PERSON

    return GameRecord(
        game=log.game.record_name,
        agents=tuple(player(number, seat) for number, seat in enumerate(log.setup.seats)),
        seed="",
        steps=tuple(step.value for _, step in log.kept_steps()),
        returns=log.result.returns,
        resigned=log.result.resigned,
        ended=log.result.ended,
        date=log.setup.date,
    )


def review_document(log: GameLog) -> dict[str, Any]:
    """All of a finished game for the page of its review."""
    assert log.result is not None, "the game is not over"
    return {
        "game": str(log.game),
        "seats": [seat_name(log.game, seat) for seat in range(log.game.players)],
        "players": [seat.name or seat.agent or PERSON for seat in log.setup.seats],
        "returns": list(log.result.returns),
        "reason": log.result.reason,
        "by_rules": log.result.resigned is None and log.result.ended is None,
        "date": log.setup.date,
        "plies": review_plies(log),
        "failures": [{"by": seat, "ply": ply} for seat, ply in log.random_since.items()],
        "spectator_key": log.setup.spectator_key,
    }


def review_plies(log: GameLog) -> list[dict[str, Any]]:
    """Every state with its truth, what each seat saw of it, and the step that led to it."""
    line = log.kept_steps()
    states = [state for state, _ in line] + [log.state]
    plies = []
    for number, state in enumerate(states):
        ply: dict[str, Any] = {
            "action": None,
            "label": "",
            "seat": None,
            "full": log.view.full_view(state),
            "views": [log.view.seat_view(state, seat) for seat in range(log.game.players)],
        }
        if number:
            before, step = line[number - 1]
            name = partial(action_label, log, before)
            label = (
                outcome_label(log, before, step.value) if before.player < 0 else name(step.value)
            )
            ply |= {"action": step.value, "label": label, "seat": before.player}
            ply["mix"] = [
                {"action": action, "label": name(action), "probability": share}
                for action, share in step.mix
            ]
        plies.append(ply)
    return plies


def action_label(log: GameLog, before: State, action: str) -> str:
    """An action of a finished game as people read it."""
    own = getattr(log.view, "review_label", None)
    if own is None:
        return log.view.action_label(before, action, before.player)
    return str(own(before, action))


def outcome_label(log: GameLog, before: State, outcome: str) -> str:
    """An outcome of chance in the game's own words, if its view has them."""
    own = getattr(log.view, "outcome_label", None)
    return f"By chance: {before.action_name(outcome)}" if own is None else own(before, outcome)
