"""A trained policy as a strategy over the information sets of a compiled game."""

from __future__ import annotations

from fogtree.deep.encoding import encode_tree
from fogtree.deep.history_encoding import trained_encoding
from fogtree.deep.measure import RunningAverage, network_strategy
from fogtree.deep.policy import Policy
from fogtree.deep.walkable import TreeGame
from fogtree.game import Game
from fogtree.strategy import Strategy
from fogtree.tree import GameTree


def policy_strategy(game: Game, tree: GameTree, policy: Policy) -> Strategy:
    """The strategy of a policy; several networks are averaged by weight and own reach, which plays
    the same as drawing one of them per game."""
    name = game.short_name or str(game)
    policy.check_game(name, tree.players)
    encoded = _encoded_game(game, tree, policy)
    policy.check(name, tree.players, encoded.feature_count, encoded.action_count)
    average = RunningAverage(tree)
    for networks, weight in zip(policy.networks, policy.weights, strict=True):
        by_seat = [networks[player % len(networks)] for player in range(tree.players)]
        played = network_strategy(encoded, by_seat, mix=policy.mix)
        if len(policy.networks) == 1:
            return played
        average.add(played, weight)
    return average.strategy()


def _encoded_game(game: Game, tree: GameTree, policy: Policy) -> TreeGame:
    """The game as the policy's networks see it: as it is without compiling; or with its own
    ``features(view)``, or with encoded histories of players if only those have as many inputs as
    the networks."""
    if not policy.compiled:
        return TreeGame(tree, trained_encoding(game, policy).tree_encoding(tree))
    encoded = TreeGame(tree, encode_tree(game, tree, own=True))
    if policy.networks[0][0].inputs != encoded.feature_count:
        other = TreeGame(tree, encode_tree(game, tree, own=False))
        if policy.networks[0][0].inputs == other.feature_count:
            return other
    return encoded
