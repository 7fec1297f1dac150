"""A game that was played, or the beginning of one: its states and the steps between them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from fogtree.game.checks import checked_child, checked_root
from fogtree.game.protocol import Action, Game, State


@dataclass(frozen=True, slots=True, eq=False)
class History:
    """Every state from the root on, and the actions and chance outcomes that led from each to the
    next."""

    game: Game
    states: tuple[State, ...]
    steps: tuple[Action, ...]

    @classmethod
    def of(cls, game: Game, steps: Iterable[Action]) -> History:
        """Follow steps from a game's root."""
        states, taken = [checked_root(game)], tuple(steps)
        for step in taken:
            states.append(checked_child(game, states[-1], step))
        return cls(game, tuple(states), taken)

    @property
    def end(self) -> State:
        """The last state."""
        return self.states[-1]

    def until(self, steps: int) -> History:
        """The first ``steps`` steps of this history."""
        return History(self.game, self.states[: steps + 1], self.steps[:steps])

    def __repr__(self) -> str:
        return f"<History of {self.game}: {len(self.steps)} steps>"
