"""A strategy of a game that was not compiled: mixes by hash keys of information sets."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from fogtree.errors import FileFormatError, GameError
from fogtree.game import Game
from fogtree.game.simulators import simulator_of
from fogtree.strategy import Strategy
from fogtree.system.archives import read_arrays, write_arrays
from fogtree.system.records import read_record
from fogtree.tree import GameTree

KIND = "table-strategy"
_ARRAYS = ("keys", "counts", "probabilities")
_TYPES = (np.uint64, np.int32, np.float32)


class _Header(Struct):
    """The header of a file with such a strategy."""

    game: str
    abstraction: str | None = None


@dataclass(frozen=True, eq=False)
class HashedStrategy:
    """Mixes of the information sets that training reached, sorted by key.

    ``counts`` has the number of actions for each key; ``probabilities`` are those of the first
    key's actions, then the second's, and so on.

    ``abstraction`` is the name of the abstraction of the keys; ``None`` for exact keys.
    """

    game: str
    abstraction: str | None
    keys: NDArray[np.uint64]
    counts: NDArray[np.int32]
    probabilities: NDArray[np.float32]

    def __repr__(self) -> str:
        return f"<HashedStrategy {self.game}: {len(self):,} information sets>"

    @classmethod
    def of(
        cls,
        game: Game,
        abstraction: str | None,
        keys: NDArray[np.uint64],
        counts: NDArray[np.int32],
        probabilities: NDArray[np.float64],
    ) -> HashedStrategy:
        """A strategy from distinct keys in any order, with numbers of actions and probabilities in
        that same order."""
        order = np.argsort(keys)
        starts = np.cumsum(counts) - counts
        widths = counts[order]
        first = np.repeat(starts[order] - (np.cumsum(widths) - widths), widths)
        slots = first + np.arange(len(probabilities))
        shares = probabilities[slots].astype(np.float32)
        return cls(str(game), abstraction, keys[order], widths, shares)

    @cached_property
    def _starts(self) -> NDArray[np.int64]:
        """For each key, the index of its first probability; at the end the number of all."""
        return np.concatenate([[0], np.cumsum(self.counts, dtype=np.int64)])

    def __len__(self) -> int:
        return len(self.keys)

    def mix(self, key: int) -> NDArray[np.float32] | None:
        """The probabilities of actions at an information set; ``None`` if it was never reached."""
        place = int(np.searchsorted(self.keys, np.uint64(key)))
        if place == len(self.keys) or int(self.keys[place]) != key:
            return None
        return self.probabilities[self._starts[place] : self._starts[place + 1]]

    def for_tree(self, tree: GameTree, game: Game) -> Strategy:
        """The same strategy for a compiled game; uniform at sets that were never reached."""
        slots = np.array(Strategy.uniform(tree).probabilities)
        try:
            wanted = simulator_of(game, self.abstraction).keys_of(tree.flat)
        except ValueError as error:
            raise GameError(f"{game}: {error}") from error
        for number, key in enumerate(wanted.tolist()):
            mix = self.mix(key)
            if mix is not None:
                exact = mix.astype(np.float64)
                slots[tree.first_slot[number] : tree.first_slot[number + 1]] = exact / exact.sum()
        return Strategy.of(tree, slots)

    def save(self, path: str | Path) -> Path:
        """Write a compact binary file, which appears only when it is complete."""
        header = {"game": self.game, "abstraction": self.abstraction}
        arrays = {name: getattr(self, name) for name in _ARRAYS}
        write_arrays(Path(path), KIND, header, arrays)
        return Path(path)

    @classmethod
    def load(cls, path: str | Path) -> HashedStrategy:
        """Read a file that :meth:`save` wrote."""
        content, arrays = read_arrays(Path(path), KIND, _ARRAYS)
        header = read_record(content, _Header, f"'{path}'")
        keys, counts, shares = (arrays[name] for name in _ARRAYS)
        fits = (
            [keys.dtype, counts.dtype, shares.dtype] == [np.dtype(kind) for kind in _TYPES]
            and keys.ndim == counts.ndim == shares.ndim == 1
            and len(keys) == len(counts)
            and bool((keys[1:] > keys[:-1]).all())
            and bool((counts > 0).all())
            and int(counts.sum(dtype=np.int64)) == len(shares)
            and bool(np.isfinite(shares).all() and (shares >= 0).all())
        )
        if fits and len(keys):
            starts = np.cumsum(counts, dtype=np.int64) - counts
            fits = bool((np.abs(np.add.reduceat(shares, starts) - 1) < 1e-3).all())
        if not fits:
            raise FileFormatError(f"'{path}' is damaged: its parts do not fit together")
        return cls(header.game, header.abstraction, keys, counts, shares)
