"""Puzzles for the browser: the question as the seat to move knows it, the answer with the truth.

The question is made of the events that the seat would have been sent in a live game, so that it
tells nothing else; the steps, the search's opinion and the true position are in the answer alone.
"""

from __future__ import annotations

from typing import Any

from fogtree.arena.puzzles import Puzzle
from fogtree.errors import GameError, OptionError
from fogtree.registry import find_entry, game_by_name, resolve, seat_name
from fogtree.web.advisor import Advisor, Document
from fogtree.web.game_log import GameLog
from fogtree.web.limits import Limits
from fogtree.web.opened_records import recorded_steps
from fogtree.web.review import action_label, review_plies
from fogtree.web.storage import GameSetup, SeatSetup

_REPLY_SECONDS = 0.7


def puzzles_of(game: str) -> tuple[Puzzle, ...]:
    """The puzzles of a game, by the game's name; an empty tuple if it has none."""
    listed = resolve(find_entry(game).puzzles)
    found: tuple[Puzzle, ...] = () if listed is None else listed()
    return found


def find_puzzle(game: str, name: str) -> Puzzle:
    """A puzzle of a game by its identifier."""
    found = {puzzle.id: puzzle for puzzle in puzzles_of(game)}
    if name not in found:
        raise OptionError(f"there is no puzzle '{name[:40]}'")
    return found[name]


def list_document(puzzles: tuple[Puzzle, ...]) -> list[dict[str, Any]]:
    """What a list of puzzles shows: nothing of their solutions."""
    return [{"id": puzzle.id, "level": puzzle.level} for puzzle in puzzles]


def question_document(puzzle: Puzzle) -> dict[str, Any]:
    """The decision as the seat to move knows it: the events of its game so far."""
    log = _log_of(puzzle)
    seat = log.state.player
    return {
        "id": puzzle.id,
        "level": puzzle.level,
        "seat": seat,
        "seats": [seat_name(log.game, number) for number in range(log.game.players)],
        "events": log.logs[seat],
    }


def answer_document(puzzle: Puzzle, action: object, limits: Limits) -> dict[str, Any]:
    """The solution of a puzzle as JSON: whether the chosen ``action`` is right, what follows it,
    what the search thinks of all moves, and the true game. ``action`` is None for somebody who
    gives up."""
    log = _log_of(puzzle)
    state, seat = log.state, log.state.player
    chosen = next((move for move in puzzle.moves if move.action == action), None)
    if chosen is None and action is not None:
        raise GameError("that is not a legal action here")

    def label(text: str) -> str:
        """An action at the puzzle's decision as people read it."""
        return log.view.action_label(state, text, seat)

    right = chosen is not None and chosen.action == puzzle.best.action
    after = _log_of(puzzle, (chosen or puzzle.best).action)
    return {
        "right": right,
        "after": {
            "full": after.view.full_view(after.state),
            "view": after.view.seat_view(after.state, seat),
        },
        "reply": None if right or chosen is None else _reply(after, limits),
        "chosen": None if chosen is None else chosen.action,
        "positions": puzzle.positions,
        "played": label(puzzle.played),
        "players": list(puzzle.agents),
        "candidates": [
            {
                "action": move.action,
                "label": label(move.action),
                "probability": move.probability,
                "value": move.value,
            }
            for move in puzzle.moves
        ],
        "plies": review_plies(log),
    }


def _reply(log: GameLog, limits: Limits) -> dict[str, str] | None:
    """The likeliest action of the side to move, after a wrong answer to a puzzle, by a short search
    that knows what this side saw; None if the game is over."""
    state, seat = log.state, log.state.player
    if seat < 0:
        return None
    advisor = Advisor(log.game, log.view, seat, limits)
    found: list[Document] = []
    try:
        advisor.look(log.kept_steps(), state, _REPLY_SECONDS, found.append)
    finally:
        advisor.close()
    best = max(found[-1]["candidates"], key=lambda one: float(one["probability"]), default=None)
    if best is None:
        return None
    return {"action": best["action"], "label": action_label(log, state, best["action"])}


def _log_of(puzzle: Puzzle, *more: str) -> GameLog:
    """The game up to the decision and ``more`` actions, with a person in every seat."""
    game = game_by_name(puzzle.game)
    seats = tuple(SeatSetup(name="person") for _ in range(game.players))
    log = GameLog(GameSetup("", str(game), seats, "", 0.0, ""), game)
    log.apply_all(recorded_steps(game, (*puzzle.steps, *more)))
    return log
