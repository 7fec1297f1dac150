"""A game that was played, or the beginning of one: its states and the steps between them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from fogtree.errors import IllegalActionError
from fogtree.game.checks import checked_child, checked_edges, checked_root
from fogtree.game.protocol import TERMINAL, Action, Game, State


@dataclass(frozen=True, slots=True, eq=False)
class History:
    """Every state from the root on, and the actions and chance outcomes that led from each to the
    next."""

    game: Game
    states: tuple[State, ...]
    steps: tuple[Action, ...]

    @classmethod
    def of(cls, game: Game, steps: Iterable[Action]) -> History:
        """Follow steps, which are actions and chance outcomes, from a game's root."""
        states, taken = [checked_root(game)], tuple(steps)
        for step in taken:
            states.append(checked_child(game, states[-1], step))
        return cls(game, tuple(states), taken)

    @classmethod
    def of_texts(cls, game: Game, steps: Iterable[str]) -> History:
        """Follow steps from a game's root, each given as the ``str`` of an action or a chance
        outcome. A step that is not possible raises an :class:`IllegalActionError`."""
        states, taken = [checked_root(game)], list[Action]()
        for number, text in enumerate(steps, start=1):
            state = states[-1]
            known = () if state.player == TERMINAL else checked_edges(game, state, state.player)
            action = next((action for action in known if str(action) == text), None)
            if action is None:
                choices = ", ".join(map(str, known[:8])) or "nothing: the game is over"
                raise IllegalActionError(
                    f"step {number}, '{text:.40}', is not possible; possible: {choices}"
                )
            taken.append(action)
            states.append(checked_child(game, state, action))
        return cls(game, tuple(states), tuple(taken))

    @property
    def end(self) -> State:
        """The last state, which need not be terminal."""
        return self.states[-1]

    def until(self, steps: int) -> History:
        """The beginning of this history, with its first ``steps`` steps."""
        return History(self.game, self.states[: steps + 1], self.steps[:steps])

    def __repr__(self) -> str:
        return f"<History of {self.game}: {len(self.steps)} steps>"
