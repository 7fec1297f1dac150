"""A trained policy in one file: average networks, or many networks to draw one from per game."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from fogtree import _core
from fogtree.deep.network import Array, Network, regret_matching, softmax
from fogtree.errors import FileFormatError, OptionError
from fogtree.system.archives import read_arrays, write_arrays
from fogtree.system.file_cache import read_once
from fogtree.system.records import read_record
from fogtree.text.validation import Positive

_KIND = "policy"
POLICY = "policy.npz"
"""Name of the policy file in a training run's folder."""


class _Header(Struct):
    """The header of a policy file."""

    game: str
    players: Positive
    mix: bool
    compiled: bool = True
    encoding: str = ""


@dataclass(frozen=True, eq=False)
class Policy:
    """Networks that play a game: ``networks[k]`` has one per seat, or one for all seats, and k is
    drawn by ``weights`` for every game.

    ``mix``: outputs are logarithms of probabilities; otherwise they are regrets. ``compiled``:
    inputs are those of the compiled game, or of the game's own training support; otherwise those of
    :mod:`fogtree.deep.history_encoding`, of which ``encoding`` is the fingerprint.
    """

    game: str
    players: int
    mix: bool
    networks: tuple[tuple[Network, ...], ...]
    weights: tuple[float, ...]
    compiled: bool = True
    encoding: str = ""

    @classmethod
    def average(cls, game: str, players: int, networks: Sequence[Network]) -> Policy:
        """A policy that mixes as the average networks say."""
        return cls(game, players, True, (tuple(networks),), (1.0,))

    @property
    def chances(self) -> NDArray[np.float64]:
        """The probability of each set of networks to be drawn for a game."""
        total = sum(self.weights)
        return np.array([weight / total for weight in self.weights], dtype=np.float64)

    def draw(self, rng: random.Random) -> tuple[Network, ...]:
        """Draws the networks that play one game."""
        if len(self.networks) == 1:
            return self.networks[0]
        return rng.choices(self.networks, weights=self.weights)[0]

    def probabilities(
        self, network: Network, features: Array, columns: Sequence[int]
    ) -> NDArray[np.float64]:
        """The probabilities of the actions with these output columns, for a vector of input
        ``features``."""
        outputs = network.forward(features[None, :])[0][list(columns)]
        return softmax(outputs) if self.mix else regret_matching(outputs)

    def native(self) -> _core.DeepContestant:
        """The policy in the form of one side of a native match."""
        return _core.DeepContestant(
            [[network.native() for network in networks] for networks in self.networks],
            list(self.weights),
            softmax=self.mix,
        )

    def save(self, path: str | Path, *, half: bool = False) -> Path:
        """Writes one file; ``half`` stores 16-bit instead of 32-bit numbers."""
        kind = np.float16 if half else np.float32
        arrays: dict[str, Any] = {"weights": np.array(self.weights)}
        for number, networks in enumerate(self.networks):
            for owner, network in enumerate(networks):
                for name, value in network.arrays(f"{number}/{owner}/").items():
                    arrays[name] = value.astype(kind)
        header: dict[str, Any] = {"game": self.game, "players": self.players, "mix": self.mix}
        if not self.compiled:
            header |= {"compiled": False, "encoding": self.encoding}
        write_arrays(Path(path), _KIND, header, arrays)
        return Path(path)

    @classmethod
    def load(cls, path: str | Path) -> Policy:
        """Reads a policy file, or that of a training run's folder."""
        path = policy_file(Path(path))
        content, arrays = read_arrays(path, _KIND, ("weights", "0/0/weight0"))
        header = read_record(content, _Header, f"'{path}'")
        try:
            weights = tuple(float(weight) for weight in arrays["weights"])
            networks = tuple(_networks(arrays, number) for number in range(len(weights)))
            fits = bool(weights) and all(weight > 0 for weight in weights)
            sizes = {(len(one), each.inputs, each.outputs) for one in networks for each in one}
            same = len(sizes) == 1 and all(networks)
        except (FileFormatError, KeyError, ValueError, TypeError) as error:
            raise FileFormatError(f"'{path}' is damaged: {error}") from error
        if not fits or not same:
            raise FileFormatError(f"'{path}' is damaged: its parts do not fit together")
        return cls(
            header.game,
            header.players,
            header.mix,
            networks,
            weights,
            header.compiled,
            header.encoding,
        )

    def check_game(self, game: str, players: int) -> None:
        """Raises an error if the policy was trained for another game."""
        if (self.game, self.players) != (game, players):
            raise OptionError(
                f"these networks play {self.game} with {self.players} players, "
                f"not {game} with {players}"
            )

    def check(self, game: str, players: int, inputs: int, outputs: int) -> None:
        """Raises an error if the policy was trained for another game, or if its networks have other
        numbers of inputs or outputs."""
        self.check_game(game, players)
        network = self.networks[0][0]
        if (network.inputs, network.outputs) != (inputs, outputs):
            raise OptionError(f"these networks play {self.game} by other rules")


_read = read_once(Policy.load)


def read_policy(path: str | Path) -> Policy:
    """As :meth:`Policy.load`, but a file that has not changed is read once per process."""
    return _read(policy_file(Path(path)))


def policy_file(folder: Path) -> Path:
    """The policy file in a training run's folder; a path to a file is returned unchanged."""
    if not folder.is_dir():
        return folder
    path = folder / POLICY
    if path.is_file():
        return path
    if (folder / "manifest.json").is_file():
        raise FileFormatError(
            f"'{folder}' has no {POLICY}: training writes it when it evaluates, and at its end"
        )
    raise FileFormatError(f"'{folder}' is a folder without a training run")


def _networks(arrays: dict[str, Any], number: int) -> tuple[Network, ...]:
    """The networks with this number in a policy file: one per seat, or one for all seats."""
    owners: list[Network] = []
    while f"{number}/{len(owners)}/weight0" in arrays:
        owners.append(Network.of_arrays(arrays, f"{number}/{len(owners)}/"))
    return tuple(owners)
