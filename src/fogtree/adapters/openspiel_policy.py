"""A strategy of fogtree as a policy of OpenSpiel."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from fogtree.adapters.openspiel_game import ExportedGame, ExportedState, Place
from fogtree.errors import MissingExtraError
from fogtree.game import CHANCE, TERMINAL
from fogtree.strategy import Strategy
from fogtree.tree import GameTree, compile

try:
    from open_spiel.python import policy
except ImportError as error:
    raise MissingExtraError("open_spiel", "openspiel") from error


class StrategyPolicy(policy.Policy):  # type: ignore[misc]
    """Probabilities of actions by information state."""

    def __init__(self, game: ExportedGame, strategy: Strategy) -> None:
        """Compile the game, and list the strategy's mixes by OpenSpiel's texts of information
        states."""
        super().__init__(game, list(range(game.num_players())))
        tree = compile(game.source)
        strategy.for_tree(tree)  # raises an error if it is a strategy for another game
        number = game.encoding.number
        self._mixes = {
            text: {number[label]: share for label, share in strategy[name].items()}
            for text, name in _information_states(game, tree)
        }

    def action_probabilities(
        self, state: ExportedState, player_id: int | None = None
    ) -> dict[int, float]:
        """The probability of every legal action, by its number."""
        player = state.current_player() if player_id is None else player_id
        return dict(self._mixes[state.place.information_state(player)])


def _information_states(game: ExportedGame, tree: GameTree) -> Iterator[tuple[str, str]]:
    """OpenSpiel's text and fogtree's name of every information set of the compiled tree.

    The tree's nodes are in preorder, so a node's parent is always on the current path.
    """
    parent, action, player = tree.parent.tolist(), tree.action.tolist(), tree.player.tolist()
    path: list[tuple[int, Place, list[Any]]] = []  # node, its place, its actions in tree order
    known = [False] * len(tree.infoset_names)
    for node, above in enumerate(parent):
        if player[node] == TERMINAL:
            continue
        if above < 0:
            place = Place.start(game.encoding)
        else:
            while path[-1][0] != above:
                path.pop()
            _, before, edges = path[-1]
            place = before.after(edges[action[node]])
        path.append((node, place, _in_order(place)))
        infoset = int(tree.index[node])
        if player[node] >= 0 and not known[infoset]:
            known[infoset] = True
            yield place.information_state(player[node]), tree.infoset_names[infoset]


def _in_order(place: Place) -> list[Any]:
    """The actions of a place in the order of the compiled tree."""
    if place.state.player == CHANCE:
        return list(place.edges.values())
    return list(place.state.actions())
