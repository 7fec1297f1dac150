"""What all training methods share: networks and reservoirs by owner, fits, saving and restoring.

A method is a subclass of :class:`Trainer`; :mod:`fogtree.deep.methods` lists them by name. Random
numbers depend only on the seed, the iteration and their use, so a state saved between two
iterations continues exactly.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from pathlib import Path
from time import perf_counter
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from fogtree.deep.config import TrainingOptions
from fogtree.deep.engine import PreparedGame
from fogtree.deep.fitting import Backend, Data, Fit, Fitted
from fogtree.deep.network import Network
from fogtree.deep.reservoir import Reservoir, Window
from fogtree.deep.state_checks import SavedNetworks, SavedSamples, check_state, whole_number
from fogtree.deep.training_counters import TrainingCounters
from fogtree.errors import TrainingError

AverageState = tuple[list[Network], int, dict[str, dict[str, NDArray[Any]]]]
Numbers = dict[str, NDArray[Any]]


class Trainer(ABC):
    """Trains on a prepared game, one :meth:`iterate` at a time.

    Players share one network, reservoir and optimiser if the game is symmetric; :meth:`owner` gives
    the index of the one that a player uses. ``gives_logits``: whether the networks that play give
    logarithms of probabilities, not regrets.
    """

    gives_logits: ClassVar[bool]

    def __init__(
        self,
        prepared: PreparedGame,
        options: TrainingOptions,
        backend: Backend,
        folder: Path | None = None,
    ) -> None:
        """Prepare a trainer that has no networks yet; ``folder`` is where samples may be kept on
        disk."""
        self.prepared, self.options, self.backend = prepared, options, backend
        self.game = prepared.engine.game
        shared = options.network.shared
        self.owners = 1 if (prepared.symmetric if shared is None else shared) else self.game.players
        self.iteration = 0
        self.average_of = -1  # the iteration that the average was fitted after
        self.counters = TrainingCounters()
        self.current: list[Network] = []  # the networks that play, by owner
        self.average: list[Network] = []
        self.value: list[Network] = []
        self.stored: list[tuple[Network, ...]] = []  # by iteration, then by owner
        self.optimisers: dict[str, Numbers] = {}
        self._disk = folder if options.storage.samples == "disk" else None

    def owner(self, player: int) -> int:
        """The index of the network, reservoir and optimiser that a player uses."""
        return player if self.owners > 1 else 0

    def strategy(self) -> list[Network]:
        """The networks that play, by player; empty before the first iteration."""
        players = range(self.game.players)
        return [self.current[self.owner(p)] for p in players] if self.current else []

    @abstractmethod
    def iterate(self) -> None:
        """Play or walk the game once more, and fit the networks to the samples."""

    @abstractmethod
    def sizes(self, *, value: bool) -> list[int]:
        """The widths of a network's layers, from inputs to outputs: of a value network if
        ``value``, else of a network for strategies."""

    def fit_average(self) -> Sequence[Network]:
        """The networks of the average strategy by owner, where a method fits some."""
        return self.average

    def samples(self) -> dict[str, Reservoir]:
        """All reservoirs by name, where a method keeps samples."""
        return {}

    def filled(self) -> dict[str, float]:
        """The share of each reservoir that holds samples."""
        return {name: len(one) / one.capacity for name, one in self.samples().items()}

    # Fitting networks.

    def _fit_seed(self, use: int, owner: int) -> tuple[int, ...]:
        """The seed of one fit: it depends on the iteration, on the kind of network (``use``) and on
        its owner."""
        return self.options.run.seed, self.iteration, use, owner

    def _fitted(
        self,
        name: str,
        network: Network,
        data: Data,
        fit: Fit,
        seed: tuple[int, ...],
        *,
        anew: bool = False,
    ) -> Network:
        """Fit the network called ``name``. The optimiser continues from the last fit, unless
        ``anew``; its state is kept for the next fit if the learning rate does not decay."""
        start = perf_counter()
        optimiser = None if anew else self.optimisers.get(name)
        with self.counters.while_doing(_FITTING[fit.loss]):
            fitted = self.backend.fit(network, data, fit, seed, optimiser)
        self.counters.fit_seconds += perf_counter() - start
        self._check_finite(name, fitted)
        if not fit.decay:
            self.optimisers[name] = fitted.optimiser
        self.counters.losses[name] = fitted.loss
        return fitted.network

    def _check_finite(self, name: str, fitted: Fitted) -> None:
        """Refuse a network with numbers that are not finite, before anything uses it."""
        numbers = (part for layer in fitted.network.layers for part in layer)
        if np.isfinite(fitted.loss) and all(bool(np.isfinite(part).all()) for part in numbers):
            return
        section = "average" if name.startswith("mix") else name.rstrip("0123456789")
        raise TrainingError(
            f"training diverged in iteration {self.iteration}: the loss of {name} is "
            f"{fitted.loss:g}; choose a smaller learning_rate or gradient_clip in [{section}]"
        )

    def _vectors(self, *, history: bool) -> Callable[[], NDArray[np.float32]] | None:
        """A function that returns the network inputs of all codes of a compiled game; None if the
        game is not compiled."""
        tree = self.prepared.tree
        if tree is None:
            return None
        return (lambda: tree.history) if history else (lambda: tree.features)

    # Saving and restoring.

    def average_state(self) -> AverageState:
        """The average networks, the iteration they were fitted after, and their optimisers;
        :meth:`set_average` goes back to them after a fit that must leave no trace."""
        optimisers = {k: v for k, v in self.optimisers.items() if k.startswith("mix")}
        return list(self.average), self.average_of, optimisers

    def set_average(self, state: AverageState) -> None:
        """Restores what :meth:`average_state` returned."""
        self.average, self.average_of, optimisers = state
        others = {k: v for k, v in self.optimisers.items() if not k.startswith("mix")}
        self.optimisers = {**others, **optimisers}

    def state(self) -> Numbers:
        """The trainer's state as arrays by name, for :meth:`restore`."""
        out: Numbers = {"iteration": np.array(self.iteration)}
        out["average_of"] = np.array(self.average_of)
        out["nodes"] = np.array(self.counters.nodes)
        out["seconds"] = np.array([self.counters.walk_seconds, self.counters.fit_seconds])
        for kind, networks in self._networks().items():
            for owner, network in enumerate(networks):
                out.update(network.arrays(f"{kind}/{owner}/"))
        for name, optimiser in self.optimisers.items():
            out.update({f"optimiser/{name}/{key}": value for key, value in optimiser.items()})
        for name, samples in self.samples().items():
            out.update({f"samples/{name}/{key}": value for key, value in samples.state().items()})
        return out

    def restore(self, state: Numbers) -> None:
        """Take over a saved state, which is checked first."""
        iteration = whole_number(state, "iteration", 0)
        average_of = whole_number(state, "average_of", -1)
        nodes = whole_number(state, "nodes", 0)
        counts = self._network_counts(iteration, average_of)
        check_state(state, self._saved_networks(counts), self._saved_samples())
        self.iteration, self.average_of, self.counters.nodes = iteration, average_of, nodes
        self.counters.walk_seconds, self.counters.fit_seconds = state["seconds"].tolist()
        for kind, networks in self._networks().items():
            networks[:] = [
                Network.of_arrays(state, f"{kind}/{owner}/") for owner in range(counts[kind])
            ]
        names = {key.split("/")[1] for key in state if key.startswith("optimiser/")}
        self.optimisers = {name: _part(state, f"optimiser/{name}/") for name in names}
        for name, samples in self.samples().items():
            samples.restore(_part(state, f"samples/{name}/"))

    @abstractmethod
    def _networks(self) -> dict[str, list[Network]]:
        """The lists of networks by kind, as a state names them."""

    @abstractmethod
    def _network_counts(self, iteration: int, average_of: int) -> dict[str, int]:
        """The number of networks of each kind after some iterations, with an average that was
        fitted after ``average_of`` of them (-1: not yet)."""

    def _saved_networks(self, counts: dict[str, int]) -> dict[str, SavedNetworks]:
        """The networks that a saved state must contain, by kind, to check it before it is
        restored."""
        return {
            kind: SavedNetworks(
                count, self.sizes(value=kind == "value"), "mix" if kind == "average" else kind
            )
            for kind, count in counts.items()
        }

    def _saved_samples(self) -> dict[str, SavedSamples]:
        """The reservoirs that a saved state must contain, by name, to check it before it is
        restored."""
        out, tree = {}, self.prepared.tree
        for name, samples in self.samples().items():
            value = isinstance(samples, Window)
            codes = None if tree is None else tree.code_count(history=value)
            out[name] = SavedSamples(samples.columns, self.sizes(value=value)[-1], codes)
        return out


_FITTING = {
    "regret": "fitting regrets",
    "value": "fitting values",
    "mix": "fitting the average strategy",
    "policy": "fitting policies",
}


def _part(state: Numbers, prefix: str) -> Numbers:
    """The arrays whose names begin with a prefix, without the prefix."""
    return {key.removeprefix(prefix): state[key] for key in state if key.startswith(prefix)}
