"""A finished game with everything in it: the true states, both sides' views, and the moves."""

from __future__ import annotations

from typing import Any

from fogtree.arena.record import GameRecord
from fogtree.registry import seat_name
from fogtree.web.game_log import GameLog


def record_of(log: GameLog) -> GameRecord:
    """The record of a finished game."""
    assert log.result is not None, "the game is not over"
    return GameRecord(
        game=log.game.record_name,
        agents=tuple(seat.name or seat.agent or "person" for seat in log.setup.seats),
        seed="",
        steps=tuple(step.value for _, step in log.own_steps()),
        returns=log.result.returns,
        resigned=log.result.resigned,
        ended=log.result.ended,
    )


def review_document(log: GameLog) -> dict[str, Any]:
    """All of a finished game for the page of its review."""
    assert log.result is not None, "the game is not over"
    line = log.own_steps()
    states = [state for state, _ in line] + [log.state]
    plies = []
    for number, state in enumerate(states):
        before = line[number - 1] if number else None
        plies.append(
            {
                "action": before[1].value if before else None,
                "label": before[0].action_name(before[1].value) if before else "",
                "seat": before[0].player if before else None,
                "full": log.view.full_view(state),
                "views": [log.view.seat_view(state, seat) for seat in range(log.game.players)],
            }
        )
    return {
        "game": str(log.game),
        "seats": [seat_name(log.game, seat) for seat in range(log.game.players)],
        "players": [seat.name or seat.agent or "person" for seat in log.setup.seats],
        "returns": list(log.result.returns),
        "reason": log.result.reason,
        "plies": plies,
    }
