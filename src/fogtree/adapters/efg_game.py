"""A game that was read from one of Gambit's files."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property

from fogtree.game import CHANCE, TERMINAL, Action, Game, State
from fogtree.text.specs import Spec

Payoffs = tuple[Fraction, ...]


@dataclass(frozen=True, slots=True)
class Infoset:
    """An information set: its player (from 0, or ``CHANCE``), number and name in the file, the
    labels of its actions, and at chance's their probabilities."""

    player: int
    number: int
    name: str
    actions: tuple[str, ...]
    shares: tuple[Fraction, ...] = ()


@dataclass(slots=True)
class EfgTree:
    """The game tree of a file, as lists over the nodes in the file's order: each node's information
    set (None at a terminal node), its children, and the payoffs summed from the root to it."""

    infosets: list[Infoset | None] = field(default_factory=list)
    children: list[list[int]] = field(default_factory=list)
    payoffs: list[Payoffs] = field(default_factory=list)


@dataclass(frozen=True, eq=False)
class EfgGame(Game):
    """A game whose tree stands in a file; made by :func:`fogtree.read_efg`.

    Players see a change only when they are to move: the number of their information set.
    """

    path: str
    title: str
    players: int
    player_names: tuple[str, ...]
    tree: EfgTree
    fingerprint: str
    """A hash of the file's content; games with equal content are equal."""

    def root(self) -> EfgState:
        return EfgState(self, 0, (None,) * self.players)

    def all_actions(self) -> Sequence[Action]:
        """The different action labels of all players, in the order of the file."""
        sets = [one for one in self.tree.infosets if one is not None and one.player >= 0]
        return tuple(dict.fromkeys(action for one in sets for action in one.actions))

    @cached_property
    def own_names(self) -> frozenset[str]:
        """The names that only one information set has, so that they identify it."""
        sets: dict[str, set[tuple[int, int]]] = {}
        for one in self.tree.infosets:
            if one is not None and one.player >= 0 and one.name:
                sets.setdefault(one.name, set()).add((one.player, one.number))
        return frozenset(name for name, owners in sets.items() if len(owners) == 1)

    def __str__(self) -> str:
        return str(Spec("efg", self.path))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, EfgGame) and self.fingerprint == other.fingerprint

    def __hash__(self) -> int:
        return hash(self.fingerprint)

    def __repr__(self) -> str:
        return f"<EfgGame {self}: {len(self.tree.infosets):,} nodes>"


class EfgState(State):
    """A node of the tree, and each player's view: the number of the player's last information
    set."""

    __slots__ = ("game", "node", "player", "views")
    player: int

    def __init__(self, game: EfgGame, node: int, views: tuple[int | None, ...]) -> None:
        """The state at a node; the player to move there sees the number of the information set, the
        other players keep their last ``views``."""
        infoset = game.tree.infosets[node]
        self.game, self.node, self.views = game, node, views
        self.player = TERMINAL if infoset is None else infoset.player
        if infoset is not None and infoset.player >= 0:
            self.views = (*views[: self.player], infoset.number, *views[self.player + 1 :])

    @property
    def infoset(self) -> Infoset:
        """The information set of this node, which must not be terminal."""
        infoset = self.game.tree.infosets[self.node]
        assert infoset is not None
        return infoset

    def actions(self) -> Sequence[Action]:
        return self.infoset.actions

    def chance(self) -> Sequence[tuple[Action, float]]:
        shares = [float(share) for share in self.infoset.shares]
        return list(zip(self.infoset.actions, shares, strict=True))

    def child(self, action: Action) -> EfgState:
        number = self.infoset.actions.index(str(action))
        return EfgState(self.game, self.game.tree.children[self.node][number], self.views)

    def returns(self) -> Sequence[float]:
        return [float(value) for value in self.game.tree.payoffs[self.node]]

    def observation(self, player: int) -> Hashable:
        return self.views[player]

    def name(self) -> str | None:
        """The information set's name in the file, if no other information set has it; else None,
        and a name is made from the views."""
        if self.player == CHANCE:
            return None
        name = self.infoset.name
        return name if name in self.game.own_names else None
