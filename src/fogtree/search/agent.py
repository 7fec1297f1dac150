"""The search agent for compiled games: one player's tree, kept from move to move."""

from __future__ import annotations

import hashlib
import multiprocessing
import random
from collections.abc import Callable, Iterator
from copy import copy
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fogtree import _core
from fogtree.agents.budget import Budget
from fogtree.errors import GameError, OptionError
from fogtree.game import TERMINAL
from fogtree.search.decision import SearchDecision, possible_shares, search_decision
from fogtree.search.options import SearchOptions
from fogtree.strategy import Strategy
from fogtree.system.processes import cores
from fogtree.tree import GameTree


def usual_threads() -> int:
    """Three, as in the published experiments, or what the machine has; but one in a process that
    somebody started to play games beside others."""
    if multiprocessing.parent_process() is not None:
        return 1
    return min(3, cores())


def seed_number(seed: str) -> int:
    """A game's seed as the search takes it."""
    return int.from_bytes(hashlib.sha256(seed.encode()).digest()[:6], "big")


@dataclass(frozen=True, slots=True)
class Possible:
    """A position that we cannot rule out, as the labels on the way to it, and how likely it is:
    half by the strategies of the last search, half like all others."""

    node: int
    path: tuple[str, ...]
    probability: float


Watcher = Callable[[_core.SearchMoment], None]
"""Told during a search what happened last and how far it is."""


def uniform_values(tree: GameTree) -> NDArray[np.float64]:
    """Player 0's value of every node if everybody played at random: the plainest leaf values."""
    return node_values(tree, Strategy.uniform(tree))


def node_values(tree: GameTree, strategy: Strategy) -> NDArray[np.float64]:
    """Player 0's value of every node if everybody played this."""
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
    """The labels of all actions and chance events on the way to a node."""
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
    """The information sets and actions of a node's mover on the way there, the last first. Players
    remember them all, so they are the same for every node of an information set."""
    player = tree.player[node]
    above = int(tree.parent[node])
    while above >= 0:
        if tree.player[above] == player:
            yield int(tree.index[above]), int(tree.action[node])
        node, above = above, int(tree.parent[above])


def check_searchable(tree: GameTree) -> None:
    """Refuses games that the search is not for."""
    if tree.players != 2 or not tree.zero_sum:
        raise GameError(f"{tree.game} is not a two-player zero-sum game; it cannot be searched")


class TreeSearchAgent:
    """Plays one side of a compiled two-player zero-sum game by search.

    Call :meth:`observe` with the information set you are at, then :meth:`act`. An information set
    that cannot come after the last one is refused with an error, and nothing changes.
    """

    def __init__(
        self,
        tree: GameTree,
        player: int,
        options: SearchOptions | None = None,
        leaf_values: NDArray[np.float64] | None = None,
    ) -> None:
        check_searchable(tree)
        if player not in (0, 1):
            raise OptionError(f"player must be 0 or 1, not {player}")
        self.tree = tree
        self.player = player
        self.options = options or SearchOptions()
        values = uniform_values(tree) if leaf_values is None else leaf_values
        self._scale = float(np.abs(tree.payoffs).max(initial=0.0)) or 1.0
        self._native = _core.TreeSearch(
            tree.flat,
            np.asarray(values, dtype=np.float64).tolist(),
            self.options.native(),
            player,
        )
        self._at: int | None = None
        self._played: int | None = None

    def observe(self, infoset: str) -> None:
        """We are at this information set of ours now: the last one, or one below it, whatever we
        decided there, unless :meth:`follow` said what was played."""
        number = self._own(infoset)
        if number == self._at:
            return
        self._check_below(number, self._played)
        self._native.know(self._view(number))
        self._at, self._played = number, None

    def follow(self, action: str) -> None:
        """This was played at the last information set, whatever was decided."""
        here = self._here()
        labels = self.tree.infoset_labels[here]
        if action not in labels:
            name = self.tree.infoset_names[here]
            raise GameError(f"'{action:.40}' is not an action at {name!r:.80}")
        self._played = labels.index(action)

    def branch(self, infoset: str) -> TreeSearchAgent:
        """An agent that has searched what this one has and is at ``infoset`` now, by whatever
        action; this one stays where it is."""
        if self._native.fresh:
            raise OptionError("an agent branches off once it has searched")
        number = self._own(infoset)
        if number != self._at:
            self._check_below(number)
        other = copy(self)
        other._native = self._native.branch(self._view(number))
        other._at, other._played = number, None
        return other

    def _own(self, infoset: str) -> int:
        number = self.tree.infoset(infoset)
        if self.tree.infoset_player[number] != self.player:
            raise OptionError(f"'{infoset}' is an information set of the other player")
        return number

    def _check_below(self, number: int, played: int | None = None) -> None:
        """Refuses what cannot come after the last information set, or after an action there."""
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
        """Search here and choose."""
        return self._decision(self._ready().decide(budget.native()))

    def watch(
        self, budget: Budget, watcher: Watcher, *, every: bool = False, looks: int = 0
    ) -> SearchDecision:
        """The same while somebody looks on: ``looks`` times during the search or, in a search of
        one thread, after ``every`` expansion and iteration."""
        return self._decision(
            self._ready().watch(budget.native(), watcher, every=every, looks=looks)
        )

    def adopt(self, strategy: Strategy) -> None:
        """Start from this strategy for both sides, with the whole game open, as if an earlier
        search had found it; then observe."""
        self._native.adopt(strategy.for_tree(self.tree).tolist())
        self._at = self._played = None

    @property
    def inside(self) -> _core.TreeSearch:
        """The native search, to look at its tree."""
        return self._native

    @property
    def scale(self) -> float:
        """What the search calls 1, in payoffs."""
        return self._scale

    def _ready(self) -> _core.TreeSearch:
        self._here()
        return self._native

    def _here(self) -> int:
        if self._at is None:
            raise OptionError("observe an information set before acting")
        return self._at

    def _decision(self, raw: _core.SearchResult) -> SearchDecision:
        number = self._here()
        labels = self.tree.infoset_labels[number]
        belief = self._belief(number)
        # A search that did not get here has no opinion, and no draw from it.
        luck = random.Random(f"{self.options.seed}/{number}")
        chosen = labels[raw.action] if raw.candidates else luck.choice(labels)
        return search_decision(
            raw,
            [labels[c.action] for c in raw.candidates] or labels,
            chosen,
            belief=belief,
            belief_size=len(belief),
            scale=self._scale,
        )

    def _belief(self, number: int) -> tuple[Possible, ...]:
        roots = self._native.roots()
        shares = dict.fromkeys(self._native.possible(self._view(number)), 0.0)
        for row, share in zip(roots, possible_shares(roots), strict=True):
            if row.state in shares:
                shares[row.state] += share
        even = 0.0 if any(shares.values()) else 1 / len(shares)
        return tuple(
            Possible(node, node_path(self.tree, node), share + even)
            for node, share in shares.items()
        )

    def strategy(self, *, average: bool = False) -> Strategy:
        """Both players' strategies in the tree as it stands; uniform where it does not reach."""
        slots = np.array(Strategy.uniform(self.tree).probabilities)
        for number, mover in enumerate(self.tree.infoset_player):
            actions, last, mean = self._native.mix(self._view(number), int(mover))
            if actions:
                first = self.tree.first_slot[number]
                slots[first : first + len(actions)] = mean if average else last
        return Strategy.of(self.tree, slots)

    def choices(self) -> list[_core.OpponentChoice]:
        """The opponent's information sets at the root: alternate values, margins, reach."""
        return self._native.choices()

    def _view(self, infoset: int) -> int:
        tree = self.tree
        return int(tree.view[first_node(tree, infoset), tree.infoset_player[infoset]])
