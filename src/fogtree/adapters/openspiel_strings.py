"""OpenSpiel's information states beside fogtree's information sets.

Some games of OpenSpiel leave out of an information state what the player saw or did before. In
fogtree players forget nothing, so such an information state is *split*: several information sets,
with different histories of the player, have the same text in OpenSpiel.
"""

from __future__ import annotations

from collections.abc import Iterator

from fogtree.adapters.openspiel_import import OpenSpielGame, OpenSpielState
from fogtree.errors import OptionError
from fogtree.game import TERMINAL
from fogtree.tree import AnyGame, GameTree, compile

Infosets = dict[tuple[int, str], tuple[str, ...]]
"""Names of information sets by the player and OpenSpiel's text."""

MOST_INFOSETS = 100_000
"""Information sets up to which a description of the game looks for split ones."""


def openspiel_infosets(game: AnyGame) -> Infosets:
    """The names of the information sets with each information state of OpenSpiel: by player and
    text. There are several where OpenSpiel leaves out what the player knew before.

    >>> import fogtree
    >>> names = fogtree.openspiel_infosets("openspiel:kuhn_poker")  # doctest: +SKIP
    >>> names[0, "0"]  # doctest: +SKIP
    ('0:0',)
    """
    tree = compile(game)
    rules = tree.rules
    if not isinstance(rules, OpenSpielGame):
        raise OptionError(f"{tree.game} is not a game of OpenSpiel: write openspiel: before it")
    if not rules.has_information_states:
        raise OptionError(f"{tree.game} has no information states in OpenSpiel")
    found: dict[tuple[int, str], list[str]] = {}
    for infoset, state in _first_states(rules, tree):
        text = state.state.information_state_string(state.player)
        found.setdefault((state.player, text), []).append(tree.infoset_names[infoset])
    return {key: tuple(names) for key, names in found.items()}


def _first_states(game: OpenSpielGame, tree: GameTree) -> Iterator[tuple[int, OpenSpielState]]:
    """Every information set's number with the first state in it.

    The tree's nodes are in preorder, so a node's parent is always on the current path.
    """
    parent, action, player = tree.parent.tolist(), tree.action.tolist(), tree.player.tolist()
    known = [False] * len(tree.infoset_names)
    path: list[tuple[int, OpenSpielState, list[object]]] = []
    for node, above in enumerate(parent):
        if player[node] == TERMINAL:
            continue
        if above < 0:
            state = game.root()
        else:
            while path[-1][0] != above:
                path.pop()
            state = path[-1][1].child(path[-1][2][action[node]])
        edges = [edge for edge, share in state.chance() if share > 0] if player[node] < 0 else None
        path.append((node, state, list(state.actions()) if edges is None else list(edges)))
        infoset = int(tree.index[node])
        if player[node] >= 0 and not known[infoset]:
            known[infoset] = True
            yield infoset, state


def split_remark(tree: GameTree) -> str | None:
    """A sentence on the information states of OpenSpiel that are split in a compiled game; None if
    there are none."""
    rules = tree.rules
    if not isinstance(rules, OpenSpielGame) or not rules.has_information_states:
        return None
    if len(tree.infoset_names) > MOST_INFOSETS:
        return (
            f"Whether OpenSpiel's information states forget something was not checked: there are "
            f"more than {MOST_INFOSETS:,} information sets."
        )
    names = openspiel_infosets(tree).values()
    split = [len(one) for one in names if len(one) > 1]
    if not split:
        return None
    return (
        f"OpenSpiel's information states leave out what a player knew before: {len(split):,} of "
        f"{len(names):,} stand for {sum(split):,} information sets here, where players forget "
        "nothing. fogtree.openspiel_infosets lists them; OpenSpiel's own values may differ."
    )
