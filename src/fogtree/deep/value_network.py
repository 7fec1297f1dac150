"""A value network: the payoff a player expects at a history if all play by a trained policy.

S. McAleer, G. Farina, M. Lanctot, T. Sandholm, "ESCHER: eschewing importance sampling in games by
computing a history value function to estimate regret", ICLR 2023, whose value network this is.
*Deviations:* the policy does not change; of a game with exploring actions only the part after the
last of them counts.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from msgspec import Struct

from fogtree.deep.engine import prepare
from fogtree.deep.fitting import Backend, Data, Fit, NumpyBackend
from fogtree.deep.network import Network
from fogtree.deep.policy import Policy
from fogtree.deep.traversal import Task, Walks
from fogtree.errors import FileFormatError, OptionError
from fogtree.game import Game
from fogtree.system.archives import read_arrays, write_arrays
from fogtree.system.file_cache import read_once
from fogtree.system.records import read_record
from fogtree.text.validation import Positive

_KIND = "values"


class _Header(Struct):
    """The header of a file with a value network."""

    game: str
    players: Positive


@dataclass(frozen=True, slots=True)
class ValueFitOptions:
    """The games that are played and how a network is fitted to their results."""

    games: int = 400_000  # for each seat
    exploration: float = 0.1  # probability of a random action, which shows what mistakes cost
    hidden: tuple[int, ...] = (64, 32)
    steps: int = 15_000
    batch: int = 1024
    learning_rate: float = 2e-3
    gradient_clip: float = 1.0
    seed: int = 1
    threads: int = 1


@dataclass(frozen=True, eq=False)
class ValueNetwork:
    """A network that sees the whole history from one seat and gives that player's payoff."""

    game: str
    players: int
    network: Network

    @classmethod
    def fit(
        cls,
        game: Game,
        policy: Policy,
        options: ValueFitOptions | None = None,
        backend: Backend | None = None,
    ) -> ValueNetwork:
        """Plays games by a policy, equally many from every player's point of view, and fits a
        network to their results. Of a policy that draws networks for every game, each one plays
        a share of the games that is drawn by the weights."""
        options = options or ValueFitOptions()
        engine = prepare(game, threads=options.threads).engine
        walks = Walks(method="value", exploration=options.exploration, softmax=policy.mix)
        found: list[dict[str, Any]] = []
        shares = np.random.default_rng(options.seed).multinomial(options.games, policy.chances)
        for player in range(game.players):
            for number in np.flatnonzero(shares):
                drawn = policy.networks[number]
                networks = [drawn[seat % len(drawn)] for seat in range(game.players)]
                games, of_networks = int(shares[number]), options.seed + int(number)
                task = Task(walks, networks, None, player, games, 1, of_networks)
                samples = engine.traverse(task)
                found.append(samples.take("value", np.flatnonzero(samples.explored() == 0)))
        codes = np.concatenate([rows["codes"] for rows in found])
        targets = np.concatenate([rows["targets"] for rows in found]).astype(np.float32)[:, None]
        data = Data(
            codes,
            engine.game.decode_history,
            np.zeros(targets.shape, dtype=np.int16),
            targets,
            np.ones(len(codes), dtype=np.float32),
        )
        seed = (options.seed,)
        network = Network.make([engine.game.history_feature_count, *options.hidden, 1], seed)
        settings = options.steps, options.batch, options.learning_rate, options.gradient_clip
        fitted = (backend or NumpyBackend()).fit(network, data, Fit("value", *settings), seed, None)
        return cls(str(game), game.players, fitted.network)

    def save(self, path: str | Path, *, half: bool = False) -> Path:
        """Writes one file; ``half`` stores 16-bit numbers."""
        kind = np.float16 if half else np.float32
        arrays = {name: part.astype(kind) for name, part in self.network.arrays().items()}
        write_arrays(Path(path), _KIND, {"game": self.game, "players": self.players}, arrays)
        return Path(path)

    @classmethod
    def load(cls, path: str | Path) -> ValueNetwork:
        """Reads a file that :meth:`save` wrote."""
        content, arrays = read_arrays(Path(path), _KIND, ("weight0",))
        header = read_record(content, _Header, f"'{path}'")
        try:
            network = Network.of_arrays(arrays)
        except (FileFormatError, KeyError, ValueError, TypeError) as error:
            raise FileFormatError(f"'{path}' is damaged: {error}") from error
        return cls(header.game, header.players, network)

    def fits(self, game: Game, inputs: int) -> bool:
        """Whether it was trained for exactly this game, with input vectors of this length."""
        sizes = self.network.inputs, self.network.outputs
        trained_for = self.game, self.players
        return trained_for == (str(game), game.players) and sizes == (inputs, 1)

    def check(self, game: Game, inputs: int) -> None:
        """Raises an error if the network does not fit a game."""
        if not self.fits(game, inputs):
            raise OptionError(
                f"these values are of {self.game} with {self.players} players, "
                f"not of {game} with {game.players}"
            )


read_value_network = read_once(ValueNetwork.load)
"""As :meth:`ValueNetwork.load`, but a file that has not changed is read once per process."""
