"""The tree of a small game of Cambia, walked by the native engine."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fogtree import _core
from fogtree.game.tree_source import Memories, TreeParts
from fogtree.games.cambia.actions import layout
from fogtree.games.cambia.cards import MOST_CARDS, names_of
from fogtree.games.cambia.rules import Rules
from fogtree.games.cambia.tokens import token_text

_OUTCOME, _STARTER = 1024, 2048  # native label codes: actions, from 1024 cards, from 2048 starters
_MANY = 1 << 20  # histories visited per call
_CARD_BITS = 6
_TOKEN_FIELDS = ((0, 10), (10, _CARD_BITS), (16, _CARD_BITS), (22, 7))  # shift, bits; as in tokens


class CambiaTreeSource:
    """Grows a tree in steps and hands over its parts, as a ``TreeSource`` does."""

    bytes_per_node = 340  # at the peak, measured; names are the larger part

    def __init__(self, rules: Rules, native_rules: _core.CambiaRules) -> None:
        """Begin at the root; ``native_rules`` are the same rules for the native engine."""
        self._rules = rules
        self._builder = _core.CambiaTreeBuilder(native_rules)

    @property
    def nodes(self) -> int:
        """The number of histories visited so far."""
        return self._builder.nodes

    def grow(self, nodes: int) -> bool:
        """Visit up to ``nodes`` more histories; False when none is left."""
        return self._builder.grow(nodes)

    def parts(self) -> TreeParts:
        """The arrays of the compiled tree, with readable labels and names."""
        parent, player, action, index, chance, view, payoffs, label = self._builder.node_arrays()
        who, memory, first, actions = self._builder.infoset_arrays()
        label_number, labels = self._labels(label)
        bounds = [*first.tolist(), len(actions)]
        texts = layout(self._rules.players).texts
        words = [texts[number] for number in actions.tolist()]
        return TreeParts(
            parent=parent,
            player=player,
            action=action,
            index=index,
            chance=chance,
            view=view.reshape(-1, self._rules.players),
            payoffs=payoffs.reshape(-1, self._rules.players),
            label=label_number,
            labels=labels,
            infoset_player=who,
            infoset_names=self._names(memory),
            infoset_labels=tuple(tuple(words[a:b]) for a, b in pairwise(bounds)),
        )

    def memories(self) -> Memories:
        """The memories of all players. Each observation is a row of four numbers: the action, the
        first and the second card shown (-1: none), and the phase and mover after it. Every column
        has its own range of numbers."""
        while self.grow(_MANY):
            pass
        before, tokens = self._builder.memory_arrays()
        parts, base = [], 0
        for shift, bits in _TOKEN_FIELDS:
            field = (tokens >> shift & ((1 << bits) - 1)).astype(np.int32)
            shown = field > 0 if bits == _CARD_BITS else field >= 0
            parts.append(np.where(shown, base + field, -1))
            base += 1 << bits
        return Memories(before, np.stack(parts, axis=1).astype(np.int32))

    def _labels(self, codes: NDArray[np.int32]) -> tuple[NDArray[np.int32], tuple[str, ...]]:
        """The label of every node as a number, and the labels' texts."""
        found, numbers = np.unique(codes[1:], return_inverse=True)
        label = np.concatenate([[-1], numbers.reshape(-1)]).astype(np.int32)
        return label, tuple(self._label(code) for code in found.tolist())

    def _label(self, code: int) -> str:
        """The text of an action or of an outcome of chance, by its native code."""
        if code >= _STARTER:
            return f"player {code - _STARTER} starts"
        if code >= _OUTCOME:
            assert code < _OUTCOME + MOST_CARDS
            return names_of((code - _OUTCOME,), suits=self._rules.suits)[0]
        return layout(self._rules.players).texts[code]

    def _names(self, memory: NDArray[np.int32]) -> tuple[str, ...]:
        """The name of each information set: its player's observations as text. ``memory`` has for
        each set the number of its player's memory, which is an earlier memory and one more
        observation."""
        before, tokens = (array.tolist() for array in self._builder.memory_arrays())
        pieces: dict[Any, str] = {}
        names: list[str] = []
        for earlier, token in zip(before, tokens, strict=True):
            if earlier < 0:
                names.append(f"P{-1 - earlier}")
                continue
            pair = tokens[earlier], token
            piece = pieces.get(pair)
            if piece is None:
                piece = pieces[pair] = token_text(self._rules, *pair)
            names.append(names[earlier] + piece)
        return tuple(names[number] for number in memory.tolist())
