"""Agents that do not learn, as networks that walks can ask: what an exploiter trains against."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from fogtree import _core
from fogtree.deep.encoding import TreeEncoding, encode_tree
from fogtree.deep.engine import Engine, NativeEngine
from fogtree.deep.fitting import Data
from fogtree.deep.network import Array, Network
from fogtree.deep.policy import Policy
from fogtree.deep.walkable import MOST_NUMBERS, TreeGame
from fogtree.errors import OptionError
from fogtree.game import Game
from fogtree.games.cambia.game import Cambia
from fogtree.strategy import Strategy
from fogtree.tree import GameTree

_NEVER = -80.0
"""The logarithm that stands for no chance at all: too small for 32-bit numbers to add up."""

_SHARP = 1e4  # how many times as much a softmax makes of a difference, to take the best alone
_BELOW = 1e3  # subtracted from regrets, so that none is positive and the best alone is taken


class FrozenAgent(Protocol):
    """The agent at every seat, and the engine that walks with it.

    ``mix``: its networks give logarithms of a mix, not regrets. ``alike``: all seats look alike.
    """

    engine: Engine
    mix: bool
    alike: bool
    inputs: int

    def draw(self, dice: np.random.Generator) -> list[Network]:
        """By player: what the agent plays in the next walks."""

    def data(self, codes: Any, actions: Any, targets: Any, weights: Any) -> Data:
        """Samples as an exploiter's network is fitted to them."""

    def answer(self, network: Network, own: Network, sharpness: float) -> Network:
        """What an exploiter plays whose network rates actions, where the agent would play ``own``:
        the best one, or the agent's mix moved towards better ones, as the engine asks it."""


class FrozenStrategy:
    """A strategy over a compiled game, as a network of one layer that knows information sets by
    number. Vectors have the game's own part, for the exploiter, and one that is a number."""

    mix = True
    alike = False

    def __init__(self, game: Game, tree: GameTree, strategy: Strategy, threads: int = 1) -> None:
        encoding: TreeEncoding = encode_tree(game, tree)
        self.tree = TreeGame(tree, encoding)
        count, self.inputs = len(tree.infoset_names), encoding.size
        if count * (count + self.inputs) > MOST_NUMBERS:
            raise OptionError(
                f"{tree.game} has too many information sets for a trained exploiter; its exact "
                "best response is known: use --method exact"
            )
        features = np.concatenate([self.tree.features, np.eye(count, dtype=np.float32)], axis=1)
        native = _core.DeepTree(tree.flat, features, encoding.column, encoding.outputs)
        self.engine: Engine = NativeEngine(native, threads)
        self._network = _table(tree, encoding, strategy.for_tree(tree))

    def draw(self, dice: np.random.Generator) -> list[Network]:
        del dice
        return [self._network] * self.tree.players

    def data(self, codes: Any, actions: Any, targets: Any, weights: Any) -> Data:
        decode, tree = self.tree.decode, self.tree
        return Data(codes, decode, actions, targets, weights, table=lambda: tree.features)

    def answer(self, network: Network, own: Network, sharpness: float) -> Network:
        del own, sharpness
        (weight, bias), *rest = greedy(network, mix=True).layers
        blind = np.zeros((len(weight), len(self.tree.tree.infoset_names)), dtype=np.float32)
        return Network(((np.concatenate([weight, blind], axis=1), bias), *rest))


def _table(tree: GameTree, encoding: TreeEncoding, slots: NDArray[np.float64]) -> Network:
    infosets = len(tree.infoset_names)
    weight: Array = np.zeros((encoding.outputs, encoding.size + infosets), dtype=np.float32)
    logs = np.log(np.maximum(slots, np.exp(_NEVER)))
    weight[encoding.column, encoding.size + tree.slot_infoset] = logs
    return Network(((weight, np.zeros(encoding.outputs, dtype=np.float32)),))


class FrozenPolicy:
    """Trained networks at full-size Cambia."""

    alike = True

    def __init__(self, game: Cambia, policy: Policy, threads: int = 1) -> None:
        native: Any = _core.DeepCambia(game.native_rules)
        policy.check("cambia", game.players, native.feature_count, native.action_count)
        self.native, self.policy, self.mix = native, policy, policy.mix
        self.inputs = int(native.feature_count)
        self.engine: Engine = NativeEngine(native, threads)
        self._shares = np.array(policy.weights) / sum(policy.weights)

    def draw(self, dice: np.random.Generator) -> list[Network]:
        drawn: Sequence[Network] = self.policy.networks[
            dice.choice(len(self._shares), p=self._shares)
        ]
        return [drawn[player % len(drawn)] for player in range(self.policy.players)]

    def data(self, codes: Any, actions: Any, targets: Any, weights: Any) -> Data:
        plan = tuple(self.native.columns())
        return Data(codes, self.native.decode, actions, targets, weights, plan=plan)

    def answer(self, network: Network, own: Network, sharpness: float) -> Network:
        if not self.mix or len(own.layers) != len(network.layers):
            return greedy(network, mix=self.mix)
        return beside(own, network.scaled(sharpness))


def greedy(network: Network, *, mix: bool) -> Network:
    """The network changed so that the rule that reads it takes its best action alone."""
    if mix:
        return network.scaled(_SHARP)
    *before, (weight, bias) = network.layers
    return Network((*before, (weight, bias - np.float32(_BELOW))))


def beside(first: Network, second: Network) -> Network:
    """One network whose outputs are the sums of the two's; they have as many layers."""
    layers = []
    for number, ((a, c), (b, d)) in enumerate(zip(first.layers, second.layers, strict=True)):
        if number == len(first.layers) - 1:
            layers.append((np.concatenate([a, b], axis=1), c + d))
            continue
        if number == 0:
            weight = np.concatenate([a, b])
        else:
            upper = np.concatenate([a, np.zeros((len(a), b.shape[1]), np.float32)], axis=1)
            lower = np.concatenate([np.zeros((len(b), a.shape[1]), np.float32), b], axis=1)
            weight = np.concatenate([upper, lower])
        layers.append((weight, np.concatenate([c, d])))
    return Network(tuple(layers))
