"""Frozen agents as networks that walks can query: the opponents of a trained exploiter."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from fogtree import _core
from fogtree.deep.encoding import TreeEncoding, encode_tree
from fogtree.deep.engine import Engine, NativeEngine
from fogtree.deep.fitting import Data
from fogtree.deep.network import Array, Network
from fogtree.deep.policy import Policy
from fogtree.deep.support import TrainingSupport
from fogtree.deep.walkable import MOST_NUMBERS, TreeGame
from fogtree.errors import OptionError
from fogtree.game import Game
from fogtree.strategy import Strategy
from fogtree.tree import GameTree

_LOG_ZERO = -80.0
"""Stands for the logarithm of 0; its exponential vanishes in sums of 32-bit numbers."""

_SHARPEN = 1e4  # factor after which a softmax puts everything on the best action
_LOWER = 1e3  # subtracted from regrets so that none is positive, and the best action is taken


class FrozenAgent(Protocol):
    """An agent that plays every seat, and the engine that walks the game with it."""

    engine: Engine
    mix: bool  # whether its networks give logarithms of probabilities; otherwise regrets
    symmetric: bool  # whether one network plays every seat
    inputs: int  # length of an exploiter's input vectors

    @property
    def tree(self) -> TreeGame | None:
        """The compiled game, if it was compiled."""

    def draw(self, rng: np.random.Generator) -> list[Network]:
        """The networks that the agent plays in the next walks, one per player."""

    def data(self, codes: Any, actions: Any, targets: Any, weights: Any) -> Data:
        """Samples in the form that an exploiter's network is fitted to."""

    def response(self, network: Network, own: Network, sharpness: float) -> Network:
        """The network that an exploiter plays in place of the agent's network ``own``, given the
        advantages that ``network`` estimates. It takes the best action, or moves the agent's
        probabilities towards better actions: the larger ``sharpness``, the further."""


class FrozenStrategy:
    """A strategy for a compiled game, as a network of one layer.

    Input vectors have two parts: the game's own encoding, which the exploiter reads, and the
    information set one-hot, which the strategy reads.
    """

    mix = True
    symmetric = False

    def __init__(self, game: Game, tree: GameTree, strategy: Strategy, threads: int = 1) -> None:
        """Make a one-layer network of the strategy, and an engine whose inputs it can read; a game
        with too many information sets for that is refused."""
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
        self._network = _strategy_network(tree, encoding, strategy.for_tree(tree))

    def draw(self, rng: np.random.Generator) -> list[Network]:
        """The same network for every player and in all walks: nothing is random."""
        del rng
        return [self._network] * self.tree.players

    def data(self, codes: Any, actions: Any, targets: Any, weights: Any) -> Data:
        """Samples in the form that an exploiter's network is fitted to."""
        decode, tree = self.tree.decode, self.tree
        return Data(codes, decode, actions, targets, weights, vectors=lambda: tree.features)

    def response(self, network: Network, own: Network, sharpness: float) -> Network:
        """The exploiter's network, which always takes the action with the largest advantage;
        ``own`` and ``sharpness`` are not used. Columns of zeros are added for the one-hot part of
        the input, which an exploiter does not read."""
        del own, sharpness
        (weight, bias), *rest = greedy(network, mix=True).layers
        unread = np.zeros((len(weight), len(self.tree.tree.infoset_names)), dtype=np.float32)
        return Network(((np.concatenate([weight, unread], axis=1), bias), *rest))


def _strategy_network(
    tree: GameTree, encoding: TreeEncoding, probabilities: NDArray[np.float64]
) -> Network:
    """A network of one layer that reads only the one-hot part of its input, and whose outputs are
    the logarithms of a strategy's probabilities (by slot)."""
    infosets = len(tree.infoset_names)
    weight: Array = np.zeros((encoding.outputs, encoding.size + infosets), dtype=np.float32)
    logs = np.log(np.maximum(probabilities, np.exp(_LOG_ZERO)))
    weight[encoding.column, encoding.size + tree.slot_infoset] = logs
    return Network(((weight, np.zeros(encoding.outputs, dtype=np.float32)),))


class FrozenPolicy:
    """Trained networks in a game that brings its own training support."""

    tree = None

    def __init__(self, support: TrainingSupport, policy: Policy, threads: int = 1) -> None:
        """Take a policy, which must be for the support's game, and the native engine of that
        game."""
        game = support.game
        policy.check(game.short_name, game.players, support.inputs, support.outputs)
        self.support, self.policy, self.mix = support, policy, policy.mix
        self.symmetric, self.inputs = support.symmetric, support.inputs
        self.engine: Engine = NativeEngine(support.native_game, threads)
        self._shares = np.array(policy.weights) / sum(policy.weights)

    def draw(self, rng: np.random.Generator) -> list[Network]:
        """The networks of one stored iteration, drawn by the policy's weights; one per player."""
        drawn = self.policy.networks[rng.choice(len(self._shares), p=self._shares)]
        return [drawn[player % len(drawn)] for player in range(self.policy.players)]

    def data(self, codes: Any, actions: Any, targets: Any, weights: Any) -> Data:
        """Samples in the form that an exploiter's network is fitted to."""
        plan, decode = self.support.decoding_plan(), self.support.native_game.decode
        return Data(codes, decode, actions, targets, weights, decoding_plan=plan)

    def response(self, network: Network, own: Network, sharpness: float) -> Network:
        """The network that an exploiter plays: the agent's logits plus ``sharpness`` times the
        advantages; the action of the largest advantage alone if the agent has no logits, or if the
        networks differ in depth."""
        if not self.mix or len(own.layers) != len(network.layers):
            return greedy(network, mix=self.mix)
        return summed(own, network.scaled(sharpness))


def greedy(network: Network, *, mix: bool) -> Network:
    """The network changed so that the action of its largest output is always played: by softmax if
    ``mix``, else by regret matching."""
    if mix:
        return network.scaled(_SHARPEN)
    *before, (weight, bias) = network.layers
    return Network((*before, (weight, bias - np.float32(_LOWER))))


def summed(first: Network, second: Network) -> Network:
    """One network whose outputs are the sums of two networks' outputs; equally many layers."""
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
