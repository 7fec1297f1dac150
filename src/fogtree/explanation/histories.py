"""The histories behind a step: how likely each is, and what each action is worth in it.

A step's reaches are sums and its values weighted means over these histories, all with the
strategies that the step's traversal used.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fogtree.explanation.sweep import Floats, Walker
from fogtree.game import CHANCE


@dataclass(frozen=True, slots=True)
class Choice:
    """A decision on the way to a history, and the probability of the action that leads on."""

    infoset: str
    action: str
    share: float


@dataclass(frozen=True, slots=True)
class Reply:
    """The decision right after an action: its strategy, and what each of its actions is worth to
    the player of the step."""

    infoset: str
    actions: tuple[str, ...]
    strategy: tuple[float, ...]
    values: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class History:
    """One history of an information set. ``weight`` is its share in the means of the values:
    of the opponent reach, or of chance alone where that is 0. ``chance`` is the probability of its
    chance outcomes; ``others`` and ``own`` are the decisions on the way, of the other players and
    of the one who moves here. Tuples of values and replies have one entry per action."""

    name: str
    weight: float
    chance: float
    others: tuple[Choice, ...]
    own: tuple[Choice, ...]
    values: tuple[float, ...]
    replies: tuple[Reply | None, ...]


@dataclass(frozen=True, slots=True)
class Decision:
    """The strategy, action values and expected value of one traversal at an information set."""

    strategy: tuple[float, ...]
    values: tuple[float, ...]
    expected_value: float


class Traversal:
    """A tree with the strategies and the chance probabilities of one traversal."""

    def __init__(self, walker: Walker, strategy: Floats, chance: Floats) -> None:
        """Compute the numbers of a traversal with an array ``strategy`` over slots and the
        ``chance`` probabilities of nodes. By node: ``edge`` is its probability given its parent,
        ``worth`` every player's value, ``chance`` the probability of the chance outcomes up to
        it."""
        self.walker, self.tree, self.strategy = walker, walker.tree, strategy
        self.sweep = walker.sweep(strategy, chance)
        self.edge = walker.edges(strategy, chance)
        self.worth = walker.values(self.edge)
        self.chance = walker.reach(np.where(walker.slot >= 0, 1.0, chance))

    def decision(self, infoset: int) -> Decision:
        """The strategy and the values at an information set."""
        slots = slice(*self.tree.first_slot[infoset : infoset + 2].tolist())
        mix, values = self.strategy[slots], self.sweep.value[slots]
        return Decision(_floats(mix), _floats(values), float(mix @ values) + 0.0)

    def histories(self, infoset: int, most: int) -> tuple[History, ...]:
        """The histories of an information set that can occur; none if there are more than
        ``most``."""
        nodes = [n for n in self.walker.histories(infoset) if self.chance[n] > 0]
        if len(nodes) > most:
            return ()
        player = int(self.tree.infoset_player[infoset])
        ways = [self._way(node) for node in nodes]
        others = [tuple(c for p, c in way if p != player) for way in ways]
        reach = np.array(
            [
                self.chance[n] * np.prod([c.share for c in way])
                for n, way in zip(nodes, others, strict=True)
            ]
        )
        shares = reach if reach.sum() > 0 else self.chance[nodes]
        return tuple(
            History(
                name=self._name(node),
                weight=float(share / shares.sum()),
                chance=float(self.chance[node]),
                others=foreign,
                own=tuple(c for p, c in way if p == player),
                values=_floats(self.worth[self.walker.below(node), player]),
                replies=tuple(self._reply(child, player) for child in self.walker.below(node)),
            )
            for node, way, foreign, share in zip(nodes, ways, others, shares, strict=True)
        )

    def _way(self, node: int) -> list[tuple[int, Choice]]:
        """The decisions on the path to a node, each with its player; those with a single action are
        left out."""
        way: list[tuple[int, Choice]] = []
        while node > 0:
            above = int(self.tree.parent[node])
            player = int(self.tree.player[above])
            if player >= 0 and len(self.walker.below(above)) > 1:
                name = self.tree.infoset_names[self.tree.index[above]]
                label = self.tree.labels[self.tree.label[node]]
                way.append((player, Choice(name, label, float(self.edge[node]))))
            node = above
        return way[::-1]

    def _name(self, node: int) -> str:
        """Everything that happened before a node, chance included."""
        labels: list[str] = []
        while node > 0:
            labels.append(self.tree.labels[self.tree.label[node]])
            node = int(self.tree.parent[node])
        return " ".join(reversed(labels))

    def _reply(self, node: int, player: int) -> Reply | None:
        """The decision at a node, or after chance events with one possible outcome, with the values
        of its actions to ``player``; None if there is none: a random chance event follows, the end,
        or a single action."""
        below = self.walker.below(node)
        while self.tree.player[node] == CHANCE:
            below = [child for child in below if self.edge[child] > 0]
            if len(below) > 1:
                return None
            node = below[0]
            below = self.walker.below(node)
        if len(below) < 2:
            return None
        infoset = int(self.tree.index[node])
        return Reply(
            self.tree.infoset_names[infoset],
            self.tree.infoset_labels[infoset],
            _floats(self.edge[below]),
            _floats(self.worth[below, player]),
        )


def _floats(values: Floats) -> tuple[float, ...]:
    """Numbers of an array for a JSON document; -0.0 becomes 0.0."""
    return tuple(float(value) + 0.0 for value in values)
