"""The search on compiled games: one player's search tree, kept from decision to decision."""

from __future__ import annotations

from collections.abc import Iterator
from copy import copy
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fogtree import _core
from fogtree.agents.budget import Budget
from fogtree.errors import GameError, OptionError
from fogtree.game import TERMINAL
from fogtree.search.decision import SearchDecision, belief_shares, labelled_decision
from fogtree.search.native import SearchCallback
from fogtree.search.options import SearchOptions
from fogtree.strategy import Strategy
from fogtree.tree import GameTree


@dataclass(frozen=True, slots=True)
class PossiblePosition:
    """A node that the player cannot rule out: its number, the labels on the path to it, and its
    probability (see :func:`~fogtree.search.decision.root_probabilities`)."""

    node: int
    path: tuple[str, ...]
    probability: float


def uniform_values(tree: GameTree) -> NDArray[np.float64]:
    """Player 0's value of every node under uniformly random play: the default leaf values."""
    return node_values(tree, Strategy.uniform(tree))


def node_values(tree: GameTree, strategy: Strategy) -> NDArray[np.float64]:
    """Player 0's value of every node if both players play this strategy."""
    slots = strategy.for_tree(tree)
    values = np.zeros(len(tree.parent))
    ends = tree.player == TERMINAL
    values[ends] = tree.payoffs[tree.index[ends], 0]
    share = np.array(tree.chance)
    decided = np.flatnonzero(tree.player[tree.parent[1:]] >= 0) + 1
    above = tree.parent[decided]
    share[decided] = slots[tree.first_slot[tree.index[above]] + tree.action[decided]]
    for node in range(len(tree.parent) - 1, 0, -1):
        values[tree.parent[node]] += share[node] * values[node]
    return values


def node_path(tree: GameTree, node: int) -> tuple[str, ...]:
    """The labels of all actions and chance outcomes on the way to a node."""
    labels = []
    while node > 0:
        labels.append(tree.labels[tree.label[node]])
        node = int(tree.parent[node])
    return tuple(labels[::-1])


def first_node(tree: GameTree, infoset: int) -> int:
    """The first of an information set's nodes."""
    here = (tree.index == infoset) & (tree.player == tree.infoset_player[infoset])
    return int(np.argmax(here))


def own_steps(tree: GameTree, node: int) -> Iterator[tuple[int, int]]:
    """The earlier information sets and actions of a node's mover, the last first. By perfect recall
    they are the same for every node of an information set."""
    player = tree.player[node]
    above = int(tree.parent[node])
    while above >= 0:
        if tree.player[above] == player:
            yield int(tree.index[above]), int(tree.action[node])
        node, above = above, int(tree.parent[above])


def check_searchable(tree: GameTree) -> None:
    """Raise an error unless the game is two-player zero-sum."""
    if tree.players != 2 or not tree.zero_sum:
        raise GameError(f"{tree.game} is not a two-player zero-sum game; it cannot be searched")


class TreeSearch:
    """Searches a compiled two-player zero-sum game for one player.

    Call :meth:`observe` with the name of the player's information set, then :meth:`act`. An
    information set that cannot follow the last one is refused with an error, and nothing changes.
    """

    def __init__(
        self,
        tree: GameTree,
        player: int,
        options: SearchOptions | None = None,
        leaf_values: NDArray[np.float64] | None = None,
    ) -> None:
        """Begin a search at the root for a player; ``leaf_values`` are player 0's values of all
        nodes, by default under uniform play."""
        check_searchable(tree)
        if player not in (0, 1):
            raise OptionError(f"player must be 0 or 1, not {player}")
        self.tree = tree
        self.player = player
        self.options = options or SearchOptions()
        values = uniform_values(tree) if leaf_values is None else leaf_values
        self.scale = float(np.abs(tree.payoffs).max(initial=0.0)) or 1.0
        """The payoff that the search's value 1 stands for."""
        try:
            numbers = np.asarray(values, dtype=np.float64).tolist()
            self.native = _core.TreeSearch(tree.flat, numbers, self.options.native(), player)
        except (TypeError, ValueError) as error:
            raise OptionError(f"leaf_values: one finite number for every node ({error})") from error
        self._at: int | None = None
        """The last observed information set."""
        self._played: int | None = None
        """The number of the action played there, if :meth:`follow` named one."""
        self._turned = True
        """Whether the last information set is the root of the tree."""

    def observe(self, infoset: str) -> None:
        """Move to an information set of the player: the last one, or one below it. Any action may
        lead there, unless :meth:`follow` named the one that was played."""
        self.place(infoset)
        self.turn()

    def place(self, infoset: str) -> None:
        """Observe an information set without updating the tree; :meth:`turn` does that later."""
        number = self._own_infoset(infoset)
        if number == self._at:
            return
        self._check_below(number, self._played)
        self._at, self._played, self._turned = number, None, False

    def turn(self, seconds: float | None = None) -> None:
        """Make the last observed information set the root of the tree. If the seconds run out or
        the stop flag is set, less of the last tree is kept."""
        if not self._turned and self._at is not None:
            self.native.move_to(self._view(self._at), seconds)
            self._turned = True

    def follow(self, action: str) -> None:
        """Record the action that was played at the last information set."""
        here = self.here()
        labels = self.tree.infoset_labels[here]
        if action not in labels:
            name = self.tree.infoset_names[here]
            raise GameError(f"'{action:.40}' is not an action at {name!r:.80}")
        self._played = labels.index(action)

    def branch(self, infoset: str) -> TreeSearch:
        """A copy of this search, with its tree, at an ``infoset`` below the last one; this search
        stays where it is."""
        if self.native.fresh:
            raise OptionError("an agent branches off once it has searched")
        number = self._own_infoset(infoset)
        if number != self._at:
            self._check_below(number)
        self.turn()
        other = copy(self)
        other.native = self.native.branch(self._view(number))
        other._at, other._played = number, None
        return other

    def _own_infoset(self, infoset: str) -> int:
        """The number of an information set by name; an error if it is the opponent's."""
        number = self.tree.infoset(infoset)
        if self.tree.infoset_player[number] != self.player:
            raise OptionError(f"'{infoset}' is an information set of the other player")
        return number

    def _check_below(self, number: int, played: int | None = None) -> None:
        """Raise an error if an information set cannot follow the last one and the action ``played``
        there (None: any)."""
        tree, last = self.tree, self._at
        if last is None:
            return
        taken = dict(own_steps(tree, first_node(tree, number))).get(last)
        if taken is None or played not in (None, taken):
            after = f"{tree.infoset_names[last]!r:.80}"
            if taken is not None and played is not None:
                after += f" and '{tree.infoset_labels[last][played]:.40}'"
            raise GameError(f"{tree.infoset_names[number]!r:.80} cannot come after {after}")

    def act(self, budget: Budget) -> SearchDecision:
        """Search at the last information set and choose an action."""
        self.here()
        self.turn()
        return self.decision(self.native.decide(budget.native()))

    def watch(
        self, budget: Budget, callback: SearchCallback, *, every: bool = False, looks: int = 0
    ) -> SearchDecision:
        """Decide as :meth:`act` does, and call ``callback`` during the search: as often as
        ``looks`` says or, with ``every`` and a single thread, after each expansion and
        iteration."""
        self.here()
        self.turn()
        raw = self.native.watch(budget.native(), callback, every=every, looks=looks)
        return self.decision(raw)

    def adopt(self, strategy: Strategy) -> None:
        """Expand the whole game and start from this strategy for both players, as if an earlier
        search had found it; then observe."""
        self.native.adopt(strategy.for_tree(self.tree).tolist())
        self._at = self._played = None

    def here(self) -> int:
        """The number of the last information set."""
        if self._at is None:
            raise OptionError("observe an information set before acting")
        return self._at

    def decision(self, raw: _core.SearchResult) -> SearchDecision:
        """The native search's answer with labels, belief and payoffs."""
        number = self.here()
        labels = self.tree.infoset_labels[number]
        seed = f"{self.options.seed}/{number}"
        return labelled_decision(raw, labels, seed, self.belief(), self.scale)

    def belief(self) -> tuple[PossiblePosition, ...]:
        """The nodes of the last information set with their probabilities."""
        self.turn()
        possible = self.native.possible(self._view(self.here()))
        return tuple(
            PossiblePosition(node, node_path(self.tree, node), share)
            for node, share in belief_shares(self.native.roots(), possible).items()
        )

    def strategy(self, *, average: bool = False) -> Strategy:
        """Both players' strategies in the search tree, uniform outside it: those of the last
        iteration, or with ``average`` the average of all."""
        slots = np.array(Strategy.uniform(self.tree).probabilities)
        for number, mover in enumerate(self.tree.infoset_player):
            actions, last, mean = self.native.mix(self._view(number), int(mover))
            if actions:
                first = self.tree.first_slot[number]
                slots[first : first + len(actions)] = mean if average else last
        return Strategy.of(self.tree, slots)

    def choices(self) -> list[_core.OpponentChoice]:
        """The opponent's information sets at the root, with alternate values, margins and reach."""
        self.turn()
        return self.native.choices()

    def _view(self, infoset: int) -> int:
        """The number of the player's history at an information set, by which the native search
        knows it."""
        tree = self.tree
        return int(tree.view[first_node(tree, infoset), tree.infoset_player[infoset]])
