"""What learners of other libraries get: actions by number, and what a seat knows as a vector.

A vector is made from the player's own observations and actions only:

- with the game's own ``features(view)`` or ``view_features``, from the present view;
- else from all that the player remembers. It begins with the seat, one-hot. In a game that is small
  enough to be walked, every fact that a player can come to know has its own number, so different
  information sets have different vectors; in a larger game facts share ``HASHED`` numbers.
"""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from functools import cached_property, partial
from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray

from fogtree.adapters.survey import FIRST_TRACE, Survey, notice, survey
from fogtree.arena.play import draw_outcome
from fogtree.deep.encoding import Fact, Vector, checked_vector
from fogtree.errors import GameError, IllegalActionError
from fogtree.game import CHANCE, TERMINAL, Action, Game, State
from fogtree.game.checks import (
    checked_child,
    checked_edges,
    checked_player,
    checked_players,
    checked_root,
    listed_actions,
)
from fogtree.registry import entry_of, resolve
from fogtree.tree.size import DEEPEST, too_deep_error

HASHED = 4096
"""Numbers of a vector for facts of a game that is too large to be walked."""

Features = Callable[[Hashable], Vector | None]


class SeatMemory(ABC):
    """One player's memory during a game, which turns views into vectors."""

    @abstractmethod
    def look(self, view: Hashable, own: tuple[Action] | None) -> None:
        """Add the view of the next state to the memory; ``own`` holds the player's action that led
        to it, in a tuple so that None can mean that the player did not act."""

    @abstractmethod
    def vector(self) -> Vector:
        """Everything that the player knows, as a new array."""


class ViewMemory(SeatMemory):
    """A memory that keeps the last view only, encoded by the game's own features."""

    def __init__(self, features: Features, size: int, player: int) -> None:
        del player  # the view tells it, where it matters
        self._features, self._size = features, size
        self._view: Hashable = None

    def look(self, view: Hashable, own: tuple[Action] | None) -> None:
        """Keep the next view in place of the last one; the own action is not remembered."""
        del own
        self._view = view

    def vector(self) -> Vector:
        """The features of the last view; zeros before the first one."""
        vector = None if self._view is None else self._features(self._view)
        if vector is None:
            return np.zeros(self._size, dtype=np.float32)
        if len(vector) != self._size:
            raise GameError(f"features must be {self._size} numbers for every view")
        return vector


@dataclass(frozen=True)
class _Columns:
    """The column of every fact in a vector, after those of the seats: by the fact's number or, in
    games with too many facts to number, by a hash of its text that is the same in every process."""

    game: Game
    facts: dict[Fact, int] | None

    @property
    def size(self) -> int:
        """Length of a vector."""
        return self.game.players + (HASHED if self.facts is None else len(self.facts))

    def of(self, fact: Fact) -> int:
        """The column of a fact in a vector."""
        if self.facts is not None:
            return self.game.players + self.facts[fact]
        digest = blake2b(text_of_view(self.game, fact).encode(), digest_size=8).digest()
        return self.game.players + int.from_bytes(digest, "little") % HASHED


class FactMemory(SeatMemory):
    """A memory that keeps all facts in the player's views and actions so far, and the seat."""

    def __init__(self, columns: _Columns, player: int) -> None:
        self._columns, self._trace = columns, FIRST_TRACE
        self._vector = np.zeros(columns.size, dtype=np.float32)
        self._vector[player] = 1

    def look(self, view: Hashable, own: tuple[Action] | None) -> None:
        """Set the columns of the facts that the next view and the player's ``own`` action add."""
        self._trace, facts = notice(self._trace, view, own)
        for fact in facts:
            self._vector[self._columns.of(fact)] = 1

    def vector(self) -> Vector:
        """The seat one-hot, and 1 for every fact that the player has learned."""
        return self._vector.copy()


@dataclass(frozen=True)
class LearnerEncoding:
    """The actions and vectors of one game."""

    game: Game
    actions: tuple[str, ...]
    """The text of every action, in the order of their numbers."""
    size: int
    """Length of a vector."""
    between_0_and_1: bool
    """Whether all numbers of a vector are between 0 and 1."""
    memory: Callable[[int], SeatMemory]
    """The memory of a player at the start of a game."""
    lowest: float
    """The lowest payoff of the game, as far as it is known."""

    @cached_property
    def number(self) -> dict[str, int]:
        """The number of each action by its text."""
        return {text: number for number, text in enumerate(self.actions)}

    def legal(self, state: State) -> dict[int, Action]:
        """The legal actions of the player to move, by number."""
        legal = {self.number.get(str(action), -1): action for action in state.actions()}
        if -1 in legal:
            raise GameError(f"{self.game}: all_actions() does not list '{legal[-1]!s:.40}'")
        return legal

    def mask(self, legal: dict[int, Action]) -> NDArray[np.int8]:
        """An array with 1 for every legal action and 0 for all others."""
        mask = np.zeros(len(self.actions), dtype=np.int8)
        mask[list(legal)] = 1
        return mask

    def chosen(self, legal: dict[int, Action], number: object) -> Action:
        """The action with this number among the ``legal`` ones; an error lists those if there is
        none."""
        try:
            return legal[int(number)]  # type: ignore[call-overload]
        except (KeyError, TypeError, ValueError):
            listed = ", ".join(f"{n} ({action})" for n, action in sorted(legal.items())[:8])
            more = f" and {len(legal) - 8} more" if len(legal) > 8 else ""
            raise IllegalActionError(
                f"{self.game}: action {number!r:.40} is not legal here; legal: {listed}{more}"
            ) from None


def learner_encoding(game: Game) -> LearnerEncoding:
    """Number a game's actions and choose how its views become vectors."""
    found = survey(game)
    actions = all_action_texts(game, found)
    if not actions:
        raise GameError(f"{game} has no decisions")
    own = type(game).features is not Game.features
    named = entry_of(game).view_features
    if own or named is not None:
        features = partial(_vector, game, game.features if own else resolve(named))
        size = _feature_count(game, features)
        looks = partial(ViewMemory, features, size)
        return LearnerEncoding(game, actions, size, not own, looks, found.payoffs[0])
    columns = _Columns(game, found.facts if found.complete else None)
    memory = partial(FactMemory, columns)
    return LearnerEncoding(game, actions, columns.size, True, memory, found.payoffs[0])


def all_action_texts(game: Game, found: Survey) -> tuple[str, ...]:
    """The text of every action: those that the game lists, else all that a complete walk found."""
    listed = listed_actions(game)
    if listed is not None:
        return listed
    if not found.complete:
        raise GameError(
            f"{game} is too large to find all its actions; give it a method all_actions()"
        )
    return tuple(found.actions)


def text_of_view(game: Game, view: Hashable) -> str:
    """A view as text that is the same in every process; an error if it has a memory address."""
    text = repr(view)
    if " object at 0x" in text:
        raise GameError(
            f"{game}: views must be made of texts, numbers, tuples and dataclasses, or have a "
            f"__repr__ that tells them apart, unlike {text:.60}"
        )
    return text


def _vector(game: Game, features: Callable[[Hashable], object], view: Hashable) -> Vector | None:
    """The features of a view as a vector of finite numbers; None if it has none."""
    return checked_vector(game, features(view))


def _feature_count(game: Game, features: Features) -> int:
    """The number of features of a view: that of the first view in a random game for which there are
    features."""
    state, luck, players = checked_root(game), random.Random(0), checked_players(game)
    for _ in range(DEEPEST):
        mover = checked_player(game, state.player, players)
        if mover == TERMINAL:
            break
        if mover == CHANCE:
            state = checked_child(game, state, draw_outcome(game, state, luck))
            continue
        vector = features(state.observation(mover))
        if vector is not None:
            return len(vector)
        state = checked_child(game, state, luck.choice(checked_edges(game, state, mover)))
    else:
        raise too_deep_error(game)
    raise GameError(f"{game}: features(view) is None for every view of a game")
