"""What a position is worth to a player if everybody plays by trained networks: one network more,
which sees all cards, fitted to how games ended.

S. McAleer, G. Farina, M. Lanctot, T. Sandholm, "ESCHER: eschewing importance sampling in games by
computing a history value function to estimate regret", ICLR 2023, whose value network this is.
*Deviations:* the strategy is a fixed one; of a game with exploring steps only what comes after the
last of them counts.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any

import numpy as np

from fogtree.deep.engine import prepare
from fogtree.deep.fitting import Backend, Data, Fit, NumpyBackend
from fogtree.deep.network import Network
from fogtree.deep.policy import Policy
from fogtree.deep.traversal import Task, Walks
from fogtree.errors import FileFormatError, OptionError
from fogtree.games.cambia.game import Cambia
from fogtree.system.file_cache import read_once
from fogtree.system.files import read_arrays, write_arrays

_KIND = "values"
_SHIPPED = "values.npz"


@dataclass(frozen=True, slots=True)
class ValueFit:
    """How much is played and learnt."""

    games: int = 400_000
    """From each seat."""
    exploration: float = 0.1
    """So often an action is drawn from all, which shows what mistakes cost."""
    hidden: tuple[int, ...] = (64, 32)
    steps: int = 15_000
    batch: int = 1024
    learning_rate: float = 2e-3
    gradient_clip: float = 1.0
    seed: int = 1
    threads: int = 1


@dataclass(frozen=True, eq=False)
class Values:
    """A network of one output: the payoff of the player from whose seat all cards are seen."""

    game: str
    players: int
    network: Network

    @classmethod
    def fit(
        cls,
        game: Cambia,
        policy: Policy,
        how: ValueFit | None = None,
        backend: Backend | None = None,
    ) -> Values:
        """Plays games by a policy and learns how they end."""
        how = how or ValueFit()
        engine = prepare(game, threads=how.threads).engine
        networks = [policy.networks[0][p % len(policy.networks[0])] for p in range(game.players)]
        walks = Walks(method="value", exploration=how.exploration, softmax=policy.mix)
        found: list[dict[str, Any]] = []
        for player in range(game.players):
            samples = engine.traverse(Task(walks, networks, None, player, how.games, 1, how.seed))
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
        sizes = [engine.game.history_feature_count, *how.hidden, 1]
        fit = Fit("value", how.steps, how.batch, how.learning_rate, how.gradient_clip)
        begun = Network.make(sizes, (how.seed,))
        fitted = (backend or NumpyBackend()).fit(begun, data, fit, (how.seed,), None)
        return cls(str(game), game.players, fitted.network)

    def save(self, path: str | Path, *, half: bool = False) -> Path:
        """Writes one file; ``half`` stores 16-bit numbers."""
        kind = np.float16 if half else np.float32
        arrays = {name: part.astype(kind) for name, part in self.network.arrays().items()}
        write_arrays(Path(path), _KIND, {"game": self.game, "players": self.players}, arrays)
        return Path(path)

    @classmethod
    def load(cls, path: str | Path) -> Values:
        header, arrays = read_arrays(Path(path), _KIND, ("weight0",))
        try:
            game, players = str(header["game"]), int(header["players"])
            network = Network.of_arrays(arrays)
        except (FileFormatError, KeyError, ValueError, TypeError) as error:
            raise FileFormatError(f"'{path}' is damaged: {error}") from error
        return cls(game, players, network)

    @classmethod
    def shipped(cls) -> Values:
        """The network in the package."""
        with as_file(files("fogtree.games.cambia") / "networks" / _SHIPPED) as path:
            if not path.exists():
                raise FileFormatError("this installation has no value network; use  net:FILE")
            return _loaded(path)

    @classmethod
    def read(cls, path: str | Path) -> Values:
        """As :meth:`load`, but a file that has not changed is read once per process."""
        return _loaded(path)

    def fits(self, game: Cambia) -> bool:
        """Whether it was trained at such a table."""
        sizes = self.network.inputs, self.network.outputs
        return (self.game, self.players) == (str(game), game.players) and sizes == (
            game.encoding.size,
            1,
        )

    def check(self, game: Cambia) -> None:
        """Refuses a table that it was not trained for."""
        if not self.fits(game):
            raise OptionError(
                f"these values are of {self.game} with {self.players} players, "
                f"not of {game} with {game.players}"
            )


_loaded = read_once(Values.load)
