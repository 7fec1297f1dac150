"""Turns a person's request in a running game into steps of the game; a GameError says why it is
refused."""

from __future__ import annotations

from typing import Any

from fogtree.errors import GameError
from fogtree.web.game_log import GameLog
from fogtree.web.storage import Step


def requested_steps(log: GameLog, seat: int, content: dict[str, Any], at: float) -> list[Step]:
    """The steps that a message of a seat asks for at a moment of play. A GameError says why the
    seat may not do that now."""
    handlers = {
        "act": _action,
        "resign": _resignation,
        "offer": _offer,
        "accept": _acceptance,
        "decline": _refusal,
    }
    kind = content.get("type")
    if not isinstance(kind, str) or kind not in handlers:
        raise GameError("there is no such message")
    if log.result is not None:
        raise GameError("the game is over")
    return handlers[kind](log, seat, content, at)


def _action(log: GameLog, seat: int, content: dict[str, Any], at: float) -> list[Step]:
    """The step of an action; it must be chosen at the view that the seat was shown last."""
    if log.turn != seat:
        raise GameError("it is not your turn")
    seen = content.get("at")
    shown = next(e["n"] for e in reversed(log.logs[seat]) if e["type"] == "view")
    if type(seen) is not int or seen != shown:
        raise GameError("the game has gone on since")
    text = content.get("action")
    action = log.find_action(text) if isinstance(text, str) else None
    if action is None:
        raise GameError("that is not a legal action")
    return [Step("action", str(action), seat, at)]


def _resignation(log: GameLog, seat: int, content: dict[str, Any], at: float) -> list[Step]:
    """The step of a seat that resigns."""
    del content
    _require_others(log, "resign to")
    return [Step("resign", "", seat, at)]


def _offer(log: GameLog, seat: int, content: dict[str, Any], at: float) -> list[Step]:
    """The steps of a seat that offers a draw or asks for a take-back. If all others are agents,
    their answer is among them: they decline draws and let moves be taken back."""
    what = content.get("what")
    if what not in ("draw", "takeback"):
        raise GameError("one can offer a draw or ask for a take-back")
    if what == "draw":
        _require_others(log, "offer a draw to")
    if log.offer is not None:
        raise GameError("there is an offer already")
    if what == "takeback" and not log.setup.casual:
        raise GameError("this is not a casual game: nothing is taken back")
    taken_back = _take_back(log, seat, at) if what == "takeback" else None
    steps = [Step("offer", str(what), seat, at)]
    others = [other for other in range(len(log.setup.seats)) if other != seat]
    if all(log.setup.seats[other].agent is not None for other in others):
        steps.append(taken_back or Step("decline", "draw", others[0], at))
    return steps


def _require_others(log: GameLog, doing: str) -> None:
    """Raise an error in a game of one player; ``doing`` is what needs somebody else, as in "resign
    to"."""
    if len(log.setup.seats) < 2:
        raise GameError(f"there is nobody to {doing}: this is a game of one player")


def _acceptance(log: GameLog, seat: int, content: dict[str, Any], at: float) -> list[Step]:
    """The step by which a seat accepts another's offer: a draw, or a move taken back."""
    del content
    what, by = _offer_of_another(log, seat, "accept")
    return [Step("draw", "", seat, at) if what == "draw" else _take_back(log, by, at)]


def _refusal(log: GameLog, seat: int, content: dict[str, Any], at: float) -> list[Step]:
    """The step by which a seat declines another's offer."""
    del content
    return [Step("decline", _offer_of_another(log, seat, "decline")[0], seat, at)]


def _offer_of_another(log: GameLog, seat: int, doing: str) -> tuple[str, int]:
    """The open offer that another seat has made, "draw" or "takeback", and that seat. A GameError
    if there is none to accept or decline, as ``doing`` says."""
    if log.offer is None or log.offer[1] == seat:
        raise GameError(f"there is no offer to {doing}")
    return log.offer


def _take_back(log: GameLog, seat: int, at: float) -> Step:
    """The step that takes a seat's last move back, with all that followed it."""
    own = [n for n, (state, _) in enumerate(log.kept_steps()) if state.player == seat]
    if not own:
        raise GameError("you have made no move yet")
    return Step("takeback", str(own[-1]), seat, at)
