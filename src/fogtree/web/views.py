"""How a game is shown in a browser: the interface that a game may implement, and the default.

A game registers its own view as ``GameEntry.web``. What a view returns for a seat must depend on
nothing but that seat's observations, because it is sent to that seat's browser.
"""

from __future__ import annotations

from typing import Any, Protocol

from fogtree.game import Action, Game, State
from fogtree.registry import entry_of, resolve


class GameView(Protocol):
    """Describes the states of a game as JSON, which the browser draws."""

    def seat_view(self, state: State, seat: int) -> dict[str, Any]:
        """What one seat sees; ``kind`` names the component that draws it."""

    def action_label(self, state: State, action: Action, seat: int) -> str:
        """A legal action of this seat, as people read it."""

    def full_view(self, state: State) -> dict[str, Any]:
        """The whole state, nothing hidden, for finished games."""

    # A view may also have ``look(belief, lines, seat) -> dict``: what may be hidden from a seat,
    # from the belief of a search (as ``SearchAgent.belief``) and its likeliest positions
    # (``fogtree.search.analysis.Line``). Without it a look lists positions as texts.
    #
    # A view may have ``timeout_action(state) -> Action | None``: the action that is taken for a
    # person who lets the short time of a decision pass (``GameSetup.timeout_seconds``), such as not
    # to snap a card; None at decisions without such a time.
    #
    # For reviews it may have ``outcome_label(state, outcome) -> str``: an outcome of chance in
    # words, such as who is dealt which card; and ``review_label(state, action) -> str``: an action
    # in words that do not speak to its player, if ``action_label`` does, or that tell the truth.
    #
    # For the analysis of finished games it may have ``lost(before, after, seat) -> str``: what a
    # seat lost between two states, in words, and ``unlikely(line, state, look, seat, bound) ->
    # list``: what is hidden from the seat and had a probability below ``bound`` in the look,
    # clearly less than if all positions counted the same. ``line`` has the states before, each with
    # the action taken there. Each hidden thing is a name, the same as long as the thing does not
    # change, a sentence, and that probability. See ``fogtree.web.surprises``.


class TextView:
    """The default :class:`GameView`: the game's own texts for people, and how to read them."""

    def __init__(self, reading: str = "") -> None:
        self._reading = reading

    def seat_view(self, state: State, seat: int) -> dict[str, Any]:
        return {"kind": "text", "text": state.show(seat), "reading": self._reading}

    def action_label(self, state: State, action: Action, seat: int) -> str:
        del seat
        return state.action_name(action)

    def full_view(self, state: State) -> dict[str, Any]:
        return {"kind": "text", "text": state.show_all()}


def view_of(game: Game) -> GameView:
    """The view that a game registered, or the default."""
    own: GameView | None = resolve(entry_of(game).web)
    return own if own is not None else TextView(game.reading)
