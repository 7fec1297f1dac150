"""A behaviour strategy for every player: look up, print, save, load, compare."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from fogtree.errors import FileFormatError, OptionError, UnknownNameError, require
from fogtree.results import Drawn, HasRows
from fogtree.system.archives import read_arrays, write_arrays
from fogtree.system.records import read_record
from fogtree.tree import GameTree

_KIND = "strategy"


class _Header(Struct):
    """The header of a strategy's file."""

    game: str = ""


@dataclass(frozen=True, eq=False)
class Strategy(Drawn, HasRows, Mapping[str, dict[str, float]]):
    """Probabilities of actions by the readable names of information sets.

    ``probabilities`` is an array over slots: the actions of the first of the ``names``, then those
    of the second, and so on; ``labels`` has the names of these actions.

    >>> strategy["Jcb"]                                                  # doctest: +SKIP
    {'fold': 1.0, 'call': 0.0}
    """

    drawing: ClassVar[str] = "fogtree.report.notebook:strategy_html"

    game: str
    names: Sequence[str]
    labels: Sequence[tuple[str, ...]]
    infoset_player: NDArray[np.int8]
    probabilities: NDArray[np.float64]

    def __post_init__(self) -> None:
        """Refuse probabilities that do not fit the labels or do not sum to 1; they are read-only
        from then on."""
        counts = [len(actions) for actions in self.labels]
        shape = (sum(counts),)
        if len(self.labels) != len(self.names) or self.probabilities.shape != shape:
            raise OptionError(f"a strategy for {self.game} has {shape[0]} numbers")
        if counts:
            totals = np.add.reduceat(self.probabilities, np.cumsum([0, *counts[:-1]]))
            if not ((self.probabilities >= 0).all() and (np.abs(totals - 1) <= 1e-4).all()):
                raise OptionError("probabilities must be at least 0 and sum to 1")
        self.probabilities.setflags(write=False)

    @classmethod
    def of(cls, tree: GameTree, slots: NDArray[np.float64]) -> Strategy:
        """A strategy from an array over the slots of a tree."""
        if slots.shape != (tree.slots,):
            raise OptionError(f"a strategy for {tree.game} has {tree.slots} numbers")
        return cls(
            tree.game,
            tree.infoset_names,
            tree.infoset_labels,
            tree.infoset_player,
            np.array(slots, dtype=np.float64),
        )

    @classmethod
    def uniform(cls, tree: GameTree) -> Strategy:
        """The strategy that plays every action of an information set equally often."""
        require(tree, GameTree, "a compiled game")
        return cls.of(tree, 1.0 / np.repeat(tree.infoset_actions, tree.infoset_actions))

    @classmethod
    def from_mapping(cls, tree: GameTree, mapping: Mapping[str, Mapping[str, float]]) -> Strategy:
        """A strategy from ``{"Jcb": {"fold": 1, "call": 0}, ...}``; uniform elsewhere."""
        slots = np.array(cls.uniform(tree).probabilities)
        for name, mix in mapping.items():
            number = tree.infoset(name)
            labels = tree.infoset_labels[number]
            for action in mix:
                if action not in labels:
                    raise UnknownNameError(f"action at '{name}'", str(action), labels)
            shares = np.array([float(mix.get(label, 0.0)) for label in labels])
            if not np.isfinite(shares).all() or (shares < 0).any() or abs(shares.sum() - 1) > 1e-6:
                raise OptionError(f"probabilities at '{name}' must be at least 0 and sum to 1")
            first = int(tree.first_slot[number])
            exact = abs(shares.sum() - 1) <= 1e-12
            slots[first : first + len(labels)] = shares if exact else shares / shares.sum()
        return cls.of(tree, slots)

    @classmethod
    def from_rows(cls, tree: GameTree, rows: Iterable[Mapping[str, Any]]) -> Strategy:
        """A strategy from a row for every action of every information set, as :meth:`rows` has
        them; of a pandas data frame, ``frame.to_dict("records")``."""
        require(tree, GameTree, "a compiled game")
        mapping: dict[str, dict[str, float]] = {}
        for row in rows:
            name, action = str(row["infoset"]), str(row["action"])
            mix = mapping.setdefault(name, {})
            if action in mix:
                raise OptionError(f"action '{action}' at '{name}' is there twice")
            mix[action] = float(row["probability"])
            player = row.get("player")
            if player is not None and str(player) != str(tree.infoset_player[tree.infoset(name)]):
                raise OptionError(f"another player decides at information set '{name}'")
        missing = [name for name in tree.infoset_names if name not in mapping]
        if missing:
            raise OptionError(f"nothing is said about information set '{missing[0]}'")
        return cls.from_mapping(tree, mapping)

    @cached_property
    def first_slot(self) -> NDArray[np.int64]:
        """The first slot of every information set, and at the end the number of all slots."""
        return np.concatenate([[0], np.cumsum([len(names) for names in self.labels])])

    @cached_property
    def _number(self) -> dict[str, int]:
        """The number of every information set, by its name."""
        return {name: number for number, name in enumerate(self.names)}

    def __getitem__(self, name: str) -> dict[str, float]:
        """The probability of each action at the information set with this name."""
        number = self._index(name)
        first = int(self.first_slot[number])
        labels = self.labels[number]
        shares = self.probabilities[first : first + len(labels)]
        return {label: float(share) for label, share in zip(labels, shares, strict=True)}

    def player_at(self, name: str) -> int:
        """The player who decides at an information set."""
        return int(self.infoset_player[self._index(name)])

    def _index(self, name: str) -> int:
        """The number of an information set by its name; an error if there is none."""
        number = self._number.get(name)
        if number is None:
            raise UnknownNameError("information set", name, self.names)
        return number

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)

    def __len__(self) -> int:
        return len(self.names)

    def __contains__(self, name: object) -> bool:
        return name in self._number

    def __repr__(self) -> str:
        return f"<Strategy {self.game}: {len(self):,} information sets>"

    def rows(self) -> list[dict[str, Any]]:
        """One row per action of every information set."""
        players = self.infoset_player.tolist()
        return [
            {"infoset": name, "player": player, "action": action, "probability": share}
            for name, player in zip(self.names, players, strict=True)
            for action, share in self[name].items()
        ]

    def __str__(self) -> str:
        """One line per information set, with the probability of each action."""
        width = max((len(name) for name in self.names), default=0)
        return "\n".join(
            f"{name:<{width}}  " + "  ".join(f"{a} {p:.4f}" for a, p in self[name].items())
            for name in self.names
        )

    def to_dict(self) -> dict[str, dict[str, float]]:
        """Probabilities by information set and action."""
        return {name: self[name] for name in self.names}

    def for_tree(self, tree: GameTree) -> NDArray[np.float64]:
        """The probabilities as an array over the slots of ``tree``; refuses the tree of another
        game."""
        require(tree, GameTree, "a compiled game")
        if self.names != tree.infoset_names or self.labels != tree.infoset_labels:
            raise OptionError(
                f"this strategy is for '{self.game}', not for '{tree.game}': "
                "their information sets or actions differ"
            )
        return self.probabilities

    def difference(self, other: Strategy) -> dict[str, float]:
        """Per information set, half the summed absolute difference of the two mixes."""
        require(other, Strategy, "a strategy")
        if self.names != other.names or self.labels != other.labels:
            raise OptionError(f"strategies for '{self.game}' and '{other.game}' do not compare")
        if not self.names:
            return {}
        change = np.abs(self.probabilities - other.probabilities)
        sums = np.add.reduceat(change, self.first_slot[:-1]) / 2
        return {name: float(value) for name, value in zip(self.names, sums, strict=True)}

    def rounded(self, digits: int) -> Strategy:
        """The strategy with rounded probabilities; every mix still sums to 1."""
        shares = np.round(self.probabilities, digits)
        for first, last in zip(self.first_slot[:-1], self.first_slot[1:], strict=True):
            mix = shares[first:last]
            best = int(np.argmax(self.probabilities[first:last]))
            if mix.sum() <= 0:
                mix[best] = 1.0
            mix /= mix.sum()
        return Strategy(self.game, self.names, self.labels, self.infoset_player, shares)

    def save(self, path: str | Path) -> Path:
        """Write a compact binary file, which appears only when it is complete."""
        path = Path(path)
        header = {"game": self.game, "names": list(self.names), "labels": list(self.labels)}
        text = np.frombuffer(json.dumps(header).encode(), np.uint8)
        write_arrays(
            path,
            _KIND,
            {"game": self.game},
            {
                "text": text,
                "infoset_player": self.infoset_player,
                "probabilities": self.probabilities,
            },
        )
        return path

    @classmethod
    def load(cls, path: str | Path) -> Strategy:
        """Read a file that :meth:`save` wrote."""
        path = Path(path)
        content, arrays = read_arrays(path, _KIND, ("text", "infoset_player", "probabilities"))
        header = read_record(content, _Header, f"'{path}'")
        damaged = FileFormatError(f"'{path}' is damaged: its parts do not fit together")
        try:
            text: dict[str, Any] = json.loads(arrays["text"].tobytes().decode())
            names = tuple(str(name) for name in text["names"])
            labels = tuple(tuple(str(a) for a in actions) for actions in text["labels"])
        except (ValueError, KeyError, TypeError, RecursionError) as error:
            raise damaged from error
        players, shares = arrays["infoset_player"], arrays["probabilities"]
        counts = np.array([len(actions) for actions in labels], dtype=np.int64)
        fits = (
            len(labels) == len(names) == len(set(names))
            and players.shape == (len(names),)
            and players.dtype == np.int8
            and shares.dtype == np.float64
            and shares.shape == (int(counts.sum()),)
            and bool((counts > 0).all())
            and bool(np.isfinite(shares).all() and (shares >= 0).all())
        )
        if not fits:
            raise damaged
        starts = np.concatenate([[0], np.cumsum(counts)])[:-1]
        if names and np.abs(np.add.reduceat(shares, starts) - 1.0).max() > 1e-6:
            raise damaged
        return cls(header.game, names, labels, players, shares)
