"""What a network is fitted to: a mix of result, search and teachers, and the held-out games."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from fogtree.errors import OptionError
from fogtree.games.fog_chess.training.rows import UNKNOWN, Kind, Rows
from fogtree.games.fog_chess.training.self_play import SelfPlay
from fogtree.games.fog_chess.training.shards import read_manifest, read_rows

TARGETS = ("result", "search", "teacher")


class FolderFacts(Struct, frozen=True):
    """A data folder, and how its games were played."""

    folder: str
    games: int
    rows: int
    options: SelfPlay


class DataFacts(Struct, frozen=True):
    """The data of a training run."""

    folders: list[FolderFacts]
    sha256: str
    """Of all rows, one folder after the other."""

    @property
    def games(self) -> int:
        """The number of games in all folders."""
        return sum(one.games for one in self.folders)

    @property
    def rows(self) -> int:
        """The number of rows in all folders."""
        return sum(one.rows for one in self.folders)


@dataclass(frozen=True, slots=True)
class Examples:
    """Packed boards with the value to learn and its weight; ``parts`` has every single target,
    NaN where a row has none."""

    boards: NDArray[np.uint8]
    targets: NDArray[np.float32]
    weights: NDArray[np.float32]
    parts: dict[str, NDArray[np.float32]]

    def __len__(self) -> int:
        return len(self.targets)


@dataclass(frozen=True, slots=True)
class TrainingData:
    """The examples to fit and those of the held-out games."""

    fitted: Examples
    held_out: Examples
    facts: DataFacts


def load_data(
    folders: Sequence[Path], mix: dict[str, float], *, played_weight: float, held_out: int
) -> TrainingData:
    """Read data folders. Of every ``held_out`` games one is not fitted; ``played_weight`` is what a
    position that was played counts for, where others count 1."""
    facts: list[FolderFacts] = []
    fitted: list[Examples] = []
    held: list[Examples] = []
    digest = hashlib.sha256()
    hashes: dict[bytes, Path] = {}
    _check_different(folders)
    for folder in folders:
        rows, numbers = read_rows(folder)
        content = rows.view(np.uint8).data
        if (same := hashes.setdefault(hashlib.sha256(content).digest(), folder)) is not folder:
            raise OptionError(f"'{folder}' is a copy of '{same}'")
        digest.update(content)
        games = len(np.unique(numbers))
        facts.append(FolderFacts(str(folder), games, len(rows), read_manifest(folder).options))
        chosen = numbers % held_out == 0
        fitted.append(_examples(rows[~chosen], mix, played_weight))
        held.append(_examples(rows[chosen], mix, played_weight))
    data = TrainingData(_joined(fitted), _joined(held), DataFacts(facts, digest.hexdigest()))
    if not (len(data.fitted) and len(data.held_out)):
        raise OptionError(
            f"the data has {data.facts.games} games: too few to fit some and hold out one in "
            f"{held_out}"
        )
    return data


def _check_different(folders: Sequence[Path]) -> None:
    """Refuse folders whose games are the same because all that they follow from is: the data would
    seem larger than it is. Games that were played by time differ."""
    played = [(folder, read_manifest(folder).options) for folder in folders]
    for (one, options), (other, others) in combinations(played, 2):
        if one.resolve() == other.resolve():
            raise OptionError(f"'{other}' is named twice")
        if options == others and not options.seconds:
            raise OptionError(
                f"'{one}' and '{other}' have the same games: both were played with seed "
                f"{options.seed} and the same options; make one of them with another --seed"
            )


def _joined(parts: Sequence[Examples]) -> Examples:
    """The examples of several folders as one."""
    if len(parts) == 1:
        return parts[0]
    return Examples(
        np.concatenate([part.boards for part in parts]),
        np.concatenate([part.targets for part in parts]),
        np.concatenate([part.weights for part in parts]),
        {name: np.concatenate([part.parts[name] for part in parts]) for name in TARGETS},
    )


def _examples(rows: Rows, mix: dict[str, float], played_weight: float) -> Examples:
    """Examples from the rows that have at least one of the targets in the mix; the value to learn
    is the mean of a row's targets, weighted by the mix."""
    parts = {name: rows[name].astype(np.float32) for name in TARGETS}
    parts["result"][rows["result"] == UNKNOWN] = np.nan
    total, share = np.zeros(len(rows), np.float32), np.zeros(len(rows), np.float32)
    for name, weight in mix.items():
        known = ~np.isnan(parts[name])
        total[known] += weight * parts[name][known]
        share[known] += weight
    kept = share > 0
    weights = np.where(rows["kind"] == Kind.played, played_weight, 1.0).astype(np.float32)
    chosen: Any = np.flatnonzero(kept)
    return Examples(
        np.ascontiguousarray(rows["board"][chosen]),
        total[chosen] / share[chosen],
        weights[chosen],
        {name: part[chosen] for name, part in parts.items()},
    )
