"""Checks of what a game's methods return, for code that walks or plays any game."""

from __future__ import annotations

import math
from collections.abc import Hashable

from fogtree.errors import GameError
from fogtree.game.protocol import CHANCE, TERMINAL, Game, State

MOST_PLAYERS = 100
"""The largest number of players that a game may have."""


def checked_players(game: Game) -> int:
    """The game's number of players, checked to be a whole number from 1 to MOST_PLAYERS."""
    players: object = game.players
    if type(players) is bool or not isinstance(players, int) or not 1 <= players <= MOST_PLAYERS:
        raise GameError(
            f"{game}: players must be a whole number from 1 to {MOST_PLAYERS}, not {players!r:.40}"
        )
    return players


def checked_short_name(game: Game) -> str:
    """The game's short name, checked to be a text; empty if it has none."""
    name: object = game.short_name
    if not isinstance(name, str):
        raise GameError(
            f"{type(game).__name__}: short_name must be a text, not {in_one_line(name)}"
        )
    return name


def checked_state(game: Game, state: object, what: str) -> State:
    """Return a value that must be a state; if it is not, ``what`` begins the error, as in "the root
    is"."""
    if not isinstance(state, State):
        raise GameError(f"{game}: {what} {state!r:.40}, which is not a State")
    return state


def checked_root(game: Game) -> State:
    """The root of the game, checked to be a state."""
    return checked_state(game, game.root(), "the root is")


def checked_player(game: Game, mover: object, players: int) -> int:
    """The number of the player to move, checked: below ``players`` and not negative, or CHANCE or
    TERMINAL."""
    if type(mover) is bool or not isinstance(mover, int) or not TERMINAL <= mover < players:
        raise GameError(f"{game}: player {mover!r:.40} to move, but there are {players}")
    return mover


def checked_view(game: Game, state: State, player: int) -> Hashable:
    """A player's view of a state, checked to be hashable."""
    view = state.observation(player)
    try:
        hash(view)
    except TypeError:
        raise GameError(f"{game}: views must be hashable, not {in_one_line(view)}") from None
    return view


def same_views(game: Game, view: Hashable, before: Hashable) -> bool:
    """Whether a player's view equals the one ``before`` it. Views that cannot be compared, such as
    arrays, are an error."""
    try:
        return view is before or bool(view == before)
    except ValueError:  # arrays have no single answer
        raise GameError(
            f"{game}: views must compare as equal or not, {in_one_line(view)} does not"
        ) from None


def checked_actions(game: Game, state: State) -> tuple[Hashable, ...]:
    """The legal actions of a state, checked to be hashable."""
    found = state.actions()
    try:
        actions = tuple(found)
        hash(actions)
    except TypeError:
        raise GameError(
            f"{game}: actions must be a list of texts, numbers or other hashable values, "
            f"not {in_one_line(found)}"
        ) from None
    return actions


def in_one_line(value: object) -> str:
    """The first 60 characters of a value's ``repr`` in one line, for an error."""
    return " ".join(repr(value).split())[:60]


def checked_outcomes(game: Game, state: State) -> list[tuple[Hashable, float]]:
    """The outcomes of a chance state with their probabilities, checked to sum to 1."""
    try:
        edges = [(action, float(probability)) for action, probability in state.chance()]
    except (TypeError, ValueError):
        raise GameError(
            f"{game}: chance outcomes must be pairs of an outcome and a number, "
            f"not {in_one_line(state.chance())}"
        ) from None
    total = math.fsum(probability for _, probability in edges)
    if not abs(total - 1.0) <= 1e-9 or any(not probability >= 0 for _, probability in edges):
        raise GameError(
            f"{game}: chance probabilities must be at least 0 and sum to 1, "
            f"not {total:.9g}: {[probability for _, probability in edges][:8]}"
        )
    return edges


def checked_edges(game: Game, state: State, mover: int) -> list[Hashable]:
    """All that can happen at a state that is not terminal, checked: the actions of the player
    ``mover``, at least one; if that is CHANCE, the outcomes with a probability above 0."""
    if mover == CHANCE:
        return [outcome for outcome, share in checked_outcomes(game, state) if share > 0]
    actions = list(checked_actions(game, state))
    if not actions:
        raise GameError(f"{game}: a state has no actions and is not the end")
    return actions


def checked_child(game: Game, state: State, action: Hashable) -> State:
    """The state after an action or an outcome of chance, checked to be a state."""
    return checked_state(game, state.child(action), f"'{action!s:.40}' leads to")


def checked_returns(game: Game, state: State, players: int) -> list[float]:
    """The payoffs at a terminal state, checked to be one finite number for each player."""
    try:
        values = [float(value) for value in state.returns()]
    except (TypeError, ValueError, OverflowError):
        raise GameError(
            f"{game}: payoffs must be numbers, not {in_one_line(state.returns())}"
        ) from None
    if len(values) != players:
        raise GameError(f"{game}: {len(values)} payoffs at the end of a game of {players}")
    if not math.isfinite(sum(values)) and not all(map(math.isfinite, values)):
        raise GameError(f"{game}: a payoff is not a finite number: {values}")
    return values


def checked_facts(game: Game, state: State, player: int) -> dict[str, float]:
    """The numbers to be averaged over games, :meth:`State.facts`, of a player at a terminal state,
    checked to be finite numbers by name."""
    facts = state.facts(player)
    try:
        found = {name: float(value) for name, value in facts.items()}
    except (AttributeError, TypeError, ValueError):
        found = {"": math.nan}
    if not all(isinstance(name, str) and math.isfinite(found[name]) for name in found):
        raise GameError(f"{game}: facts must be numbers by name, not {in_one_line(facts)}")
    return found


def listed_actions(game: Game) -> tuple[str, ...] | None:
    """The texts of all actions, each once, that a game lists in ``all_actions()``; None if it does
    not list them."""
    listed = game.all_actions()
    return None if listed is None else tuple(dict.fromkeys(str(action) for action in listed))
