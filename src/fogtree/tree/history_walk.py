"""Visits every history of a game through its protocol, and checks the game on the way."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any, NoReturn

from fogtree import _core
from fogtree.errors import GameError
from fogtree.game import Game, State
from fogtree.game.checks import (
    checked_actions,
    checked_outcomes,
    checked_player,
    checked_players,
    checked_returns,
    checked_root,
    same_views,
)
from fogtree.game.tree_source import TreeParts
from fogtree.tree.native_source import WalkSource, parts_of
from fogtree.tree.size import too_deep_error

Group = tuple[list[int], int, int, float]
"""Siblings still to visit: the numbers of the steps from the root to their parent, the number of
the first sibling and the number after the last, and the share of each in the game by estimate."""

Part = dict[str, Any]
"""A part of a walk, as arrays and lists by name; see ``core/bindings/walk_part.hpp``."""


@dataclass(frozen=True, slots=True)
class Infoset:
    """An information set at its first occurrence: its player, the name that the game gives it, the
    player's view there, and the number of the player's history."""

    player: int
    given_name: str | None
    view: Hashable
    history: int


class HistoryWalk(WalkSource[_core.ProtocolWalk]):
    """One walk over a game, in steps; see :class:`fogtree.game.tree_source.TreeSource`.

    Each different history of a player (own actions and views) has a number, which is found from the
    number of the history before and the step since; so perfect recall holds by construction. The
    native core calls the methods of the states and fills the arrays; rare and faulty cases it
    leaves to :class:`WalkChecks`.
    """

    bytes_per_node = 270
    """Most bytes per history from compiling to solving, measured on several games, including
    Python's own objects."""

    def __init__(self, game: Game) -> None:
        """Prepare a walk from the root, which is checked first."""
        players, root = checked_players(game), checked_root(game)
        views = [root.observation(player) for player in range(players)]
        mover = checked_player(game, root.player, players)
        self._game = game
        self._checks = WalkChecks(game, players)
        super().__init__(_core.ProtocolWalk(self._checks, root, mover, views))

    def pending(self) -> list[Group]:
        """The histories still to visit, the next first."""
        return self._walk.pending()

    def begin_at(self, groups: list[Group], wide: dict[bytes, Any]) -> None:
        """Visit only these histories and those below them; before anything is visited. ``wide``
        keeps a long list of outcomes of chance for the next walk over the game."""
        self._walk.begin_at(groups, wide)

    def part(self) -> Part:
        """What was visited since :meth:`begin_at`; the walk ends."""
        return self._walk.taken_part()

    def absorb(self, part: Part) -> None:
        """Add a part from another process, which begins with the next history to visit. Its
        numbers become those that this walk would have given."""
        self._walk.absorb(part)

    def agrees(self, part: Part) -> bool:
        """Whether a part that begins with the root's first child is what was visited here; if it
        is not, the walk ends."""
        return self._walk.agrees(part)

    def names(self) -> tuple[str, ...]:
        """Names of the information sets: the game's own, which must be unique, else the view or the
        whole history."""
        infosets = self._checks.infosets
        by_view = [f"{one.player}:{one.view}" for one in infosets]
        uses = Counter(by_view)
        out = []
        for one, short in zip(infosets, by_view, strict=True):
            own = short if uses[short] == 1 else f"{one.player}:{self._history_text(one.history)}"
            out.append(own if one.given_name is None else one.given_name)
        seen: set[str] = set()
        for name in out:
            if name in seen:
                raise GameError(f"{self._game}: two information sets have the same name '{name}'")
            seen.add(name)
        return tuple(out)

    def _history_text(self, number: int) -> str:
        """A player's history as text: own actions, and views where they changed."""
        steps: list[tuple[int, int]] = []
        while number >= 0:
            number, action, view = self._walk.step(number)
            steps.append((action, view))
        actions, views = self._walk.actions, self._walk.views
        parts: list[str] = []
        before = -1  # equal views have the same number
        for action, view in reversed(steps):
            if action >= 0:
                parts.append(str(actions[action]))
            if view != before and not (before < 0 and views[view] is None):
                parts.append(str(views[view]))
            before = view
        return "/".join(parts)

    def parts(self) -> TreeParts:
        """The arrays of the tree, once every history has been visited."""
        labels = tuple([str(action) for action in self._walk.labels()])
        return parts_of(self._walk, labels, self.names())


def _differ(actions: tuple[Any, ...]) -> bool:
    """Whether actions are different and have different texts: 1 and True are equal, 1 and "1" have
    one text. Those that cannot be hashed are refused later."""
    try:
        return len(set(actions)) == len(set(map(str, actions))) == len(actions)
    except TypeError:
        return True


class WalkChecks:
    """The part of the walk that is left to Python: recording new information sets, checking unusual
    values, and raising errors."""

    def __init__(self, game: Game, players: int) -> None:
        self.infosets: list[Infoset] = []
        self._game, self._players = game, players

    def new_infoset(
        self, state: State, mover: int, actions: tuple[Any, ...], view: Hashable, history: int
    ) -> None:
        """Record a new information set, after checking that its actions are distinct."""
        if not actions or not _differ(actions):
            raise GameError(f"{self._game}: actions must exist and differ, not {actions}")
        self.infosets.append(Infoset(mover, self._name(state), view, history))

    def absorbed_infoset(
        self, mover: int, given_name: str | None, view: Hashable, history: int
    ) -> None:
        """Record a new information set that another process found and checked."""
        self.infosets.append(Infoset(mover, given_name, view, history))

    def _name(self, state: State) -> str | None:
        """The name that the game gives the information set, which must be text or None."""
        name = state.name()
        if name is not None and not isinstance(name, str):
            raise GameError(
                f"{self._game}: the name of an information set is {name!r:.40}, no text"
            )
        return name

    def other_actions(
        self, infoset: int, before: tuple[Any, ...], actions: tuple[Any, ...]
    ) -> NoReturn:
        """Refuse an information set whose actions differ between two histories."""
        name = self.infosets[infoset].given_name or self.infosets[infoset].view
        raise GameError(
            f"{self._game}: information set '{name}' has actions {before} in "
            f"one history and {actions} in another; its player could tell them apart"
        )

    def check_child(self, state: State, action: Hashable, child: object) -> None:
        """Refuse a child that is no state, or that is the same object as its parent."""
        if not isinstance(child, State):
            raise GameError(f"{self._game}: action '{action!s:.40}' leads to no State")
        if child is state:
            raise GameError(f"{self._game}: action '{action!s:.40}' leads back to the same state")

    def mover(self, mover: object) -> int:
        """The player to move at a state, after a check that there is such a player."""
        return checked_player(self._game, mover, self._players)

    def actions(self, state: State) -> tuple[Hashable, ...]:
        """The legal actions at a state, after checks."""
        return checked_actions(self._game, state)

    def outcomes(self, state: State) -> list[tuple[Hashable, float]]:
        """The possible outcomes of a chance node with their probabilities, after checks of both."""
        return [outcome for outcome in checked_outcomes(self._game, state) if outcome[1] > 0]

    def returns(self, state: State) -> list[float]:
        """Every player's payoff at the end of a game, after checks."""
        return checked_returns(self._game, state, self._players)

    def same_views(self, view: Hashable, before: Hashable) -> bool:
        """Whether two views are equal, if their comparison gives no plain truth value."""
        return same_views(self._game, view, before)

    def too_deep(self) -> NoReturn:
        """Called by the native walk when histories are too long: raise an error."""
        raise too_deep_error(self._game)

    def unhashable_view(self, view: object) -> NoReturn:
        """Refuse a view that cannot be the key of a dictionary."""
        raise GameError(f"{self._game}: views and actions must be hashable, not {view!r:.60}")

    def unhashable_action(self, action: object) -> NoReturn:
        """Refuse an action or outcome that cannot be the key of a dictionary."""
        raise GameError(f"{self._game}: actions and outcomes must be hashable, not {action!r:.60}")
