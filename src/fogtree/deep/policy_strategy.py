"""What trained networks play over a compiled game, as a table."""

from __future__ import annotations

from fogtree.deep.encoding import encode_tree
from fogtree.deep.measure import RunningAverage, network_strategy
from fogtree.deep.policy import Policy
from fogtree.deep.walkable import TreeGame
from fogtree.game import Game
from fogtree.strategy import Strategy
from fogtree.tree import GameTree


def policy_strategy(game: Game, tree: GameTree, policy: Policy) -> Strategy:
    """Several networks are averaged by weight and own reach, as if one were drawn per game."""
    table = _table(game, tree, policy)
    name = game.short_name or str(game)
    policy.check(name, tree.players, table.feature_count, table.action_count)
    average = RunningAverage(tree)
    for networks, weight in zip(policy.networks, policy.weights, strict=True):
        by_seat = [networks[player % len(networks)] for player in range(tree.players)]
        played = network_strategy(table, by_seat, mix=policy.mix)
        if len(policy.networks) == 1:
            return played
        average.add(played, weight)
    return average.strategy()


def _table(game: Game, tree: GameTree, policy: Policy) -> TreeGame:
    """With the game's own features, unless the networks were trained on histories instead."""
    table = TreeGame(tree, encode_tree(game, tree))
    if policy.networks[0][0].inputs != table.feature_count:
        other = TreeGame(tree, encode_tree(game, tree, own=False))
        if policy.networks[0][0].inputs == other.feature_count:
            return other
    return table
