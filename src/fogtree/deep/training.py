"""Deep CFR: in every iteration walk the game, store the samples, fit the networks.

N. Brown, A. Lerer, S. Gross, T. Sandholm, "Deep counterfactual regret minimization", ICML 2019;
average ``single``: E. Steinberger, "Single deep counterfactual regret minimization", 2019;
method ``dcfr_plus``: see :mod:`fogtree.deep.cumulative_regrets`.
*Deviations:* an iteration is weighted by any power of its number; a network may be fitted further
instead of from scratch; in a symmetric game one network plays every seat.

Random numbers depend only on the seed, the iteration and their use, so a state saved between two
iterations continues exactly.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from time import perf_counter
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from fogtree.deep.config import FitOptions, TrainingOptions
from fogtree.deep.cumulative_regrets import cumulative_targets, discount
from fogtree.deep.engine import PreparedGame
from fogtree.deep.fitting import (
    Backend,
    Data,
    Fit,
    Fitted,
    Loss,
    merge_equal_codes,
    normalise_targets,
)
from fogtree.deep.network import Network
from fogtree.deep.reservoir import Column, Reservoir, Window
from fogtree.deep.samples import Kind, Samples
from fogtree.deep.state_checks import SavedNetworks, SavedSamples, check_state, whole_number
from fogtree.deep.training_counters import TrainingCounters
from fogtree.deep.traversal import Task, Walks
from fogtree.errors import OptionError, TrainingError

_REGRET, _STRATEGY, _VALUE, _FIT_REGRET, _FIT_AVERAGE, _FIT_VALUE, _WALK = range(7)
_FITTING: dict[Loss, str] = {
    "regret": "fitting regrets",
    "value": "fitting values",
    "mix": "fitting the average strategy",
}


@dataclass(frozen=True, eq=False)
class PlayerSamples:
    """The samples of one player's walks, or of its games for the value network."""

    kind: Literal["regret", "value"]
    player: int
    iteration: int
    samples: Samples


AverageState = tuple[list[Network], int, dict[str, dict[str, NDArray[Any]]]]


class DeepTrainer:
    """Trains on a prepared game, one :meth:`iterate` at a time.

    Players share one network, reservoir and optimiser if the game is symmetric; :meth:`owner` gives
    the index of the one that a player uses.
    """

    def __init__(
        self,
        prepared: PreparedGame,
        options: TrainingOptions,
        backend: Backend,
        folder: Path | None = None,
    ) -> None:
        self.prepared, self.options, self.backend = prepared, options, backend
        self.cumulative = options.run.method == "dcfr_plus"
        if self.cumulative and prepared.tree is None:
            raise OptionError(f"{prepared.game} is not compiled: training needs method deep_cfr")
        game = self.game = prepared.engine.game
        shared = options.network.shared
        self.owners = 1 if (prepared.symmetric if shared is None else shared) else game.players
        self.iteration = 0
        self.average_of = -1  # the iteration that the average was fitted after
        self.counters = TrainingCounters()
        self.regret: list[Network] = []
        self.average: list[Network] = []
        self.value: list[Network] = []
        self.stored: list[tuple[Network, ...]] = []
        self.optimisers: dict[str, dict[str, NDArray[Any]]] = {}
        self._disk = folder if options.storage.samples == "disk" else None
        self.regret_samples = [
            self._reservoir(Reservoir, f"regret{owner}", options.regret.capacity)
            for owner in range(self.owners)
        ]
        self.strategy_samples = [
            self._reservoir(Reservoir, f"strategy{owner}", options.average.capacity)
            for owner in range(self.owners if options.run.average == "network" else 0)
        ]
        self.value_samples = [
            self._reservoir(Window, f"value{owner}", options.value.capacity)
            for owner in range(self.owners if options.needs_value else 0)
        ]

    def _reservoir(self, kind: type[Reservoir], name: str, capacity: int) -> Reservoir:
        """A reservoir on the fitting device; on disk if the options say so; in main memory if the
        game is compiled, because :func:`merge_equal_codes` reads the rows before each fit."""
        value, game = kind is Window, self.game  # only samples of the value network are in a Window
        most = 1 if value else game.most_actions
        columns = (
            Column("codes", (game.history_code_bytes if value else game.code_bytes,), "uint8"),
            Column("actions", (most,), "int16"),
            Column("targets", (most,), "float32"),
            Column("weights", (), "float32"),
            Column("iteration", (), "int32"),
        )
        folder = None if self._disk is None else self._disk / "samples" / name
        # Drawing the gaps between kept rows is faster than one number per row, but keeps other rows
        # for the same seed: only pipelined training, which is for speed, does it.
        skipping = self.options.run.pipelined
        if folder is None and self.prepared.tree is None:
            return self.backend.reservoir(kind, columns, capacity, skipping=skipping)
        return kind(columns, capacity, folder, skipping=skipping)

    def owner(self, player: int) -> int:
        """The index of the network, reservoir and optimiser that a player uses."""
        return player if self.owners > 1 else 0

    def strategy(self) -> list[Network]:
        """The current regret networks by player; empty before the first iteration."""
        return [self.regret[self.owner(p)] for p in range(self.game.players)] if self.regret else []

    def iterate(self) -> None:
        """One iteration: walks for every player, and networks fitted to the samples.

        Players are fitted in turn, each against the newest networks of those before; in the first
        iteration all play uniformly.
        """
        self.iteration += 1
        in_turn = self.owners > 1 and self.iteration > 1
        for player in range(self.game.players):
            if self.options.needs_value:
                self._store(self._play_for_values(player))
                if player == self.game.players - 1 or self.owners > 1 or self.iteration == 1:
                    self._fit_value(self.owner(player))
            self._store(self._walk(player))
            if in_turn:
                self._fit_regret(player)
        for owner in range(0 if in_turn else self.owners):
            self._fit_regret(owner)
        if self.options.run.average == "single":
            self.stored.append(tuple(self.regret))

    # Collecting samples.

    def _current_networks(self) -> tuple[Sequence[Network], Sequence[Network]]:
        """The networks that walks ask: regret networks by player, value networks by owner."""
        return self.strategy(), self.value

    def _walk(self, player: int) -> PlayerSamples:
        options = self.options.traversal
        _, values = self._current_networks()
        value = values[self.owner(player)] if values else None
        collected = self._collect("regret", options.walks(), value, player, options.traversals)
        self.counters.root_value = collected.samples.value
        return collected

    def _play_for_values(self, player: int) -> PlayerSamples:
        """Games whose results the value network is fitted to."""
        options = self.options.traversal
        walks = replace(options.walks(), method="value", exploration=options.value_exploration)
        count = options.value_traversals or options.traversals
        return self._collect("value", walks, None, player, count)

    def _collect(
        self,
        kind: Literal["regret", "value"],
        walks: Walks,
        value: Network | None,
        player: int,
        count: int,
    ) -> PlayerSamples:
        """Make one player's walks or games with the current networks."""
        start = perf_counter()
        networks, _ = self._current_networks()
        seed = self.options.run.seed
        keep = self._keep_probabilities(player) if kind == "regret" else (1.0, 1.0)
        task = Task(walks, networks, value, player, count, self.iteration, seed, keep)
        with self.counters.while_doing("walking" if kind == "regret" else "playing for values"):
            samples = self.prepared.engine.traverse(task)
        self.counters.nodes += samples.nodes
        self.counters.walk_seconds += perf_counter() - start
        return PlayerSamples(kind, player, self.iteration, samples)

    def _keep_probabilities(self, player: int) -> tuple[float, float]:
        """The shares of a player's regret and strategy samples that reservoirs may keep."""
        del player
        return 1.0, 1.0

    def _store(self, collected: PlayerSamples) -> None:
        """Offers samples to the reservoirs."""
        start = perf_counter()
        with self.counters.while_doing("keeping samples"):
            (self._store_values if collected.kind == "value" else self._store_decisions)(collected)
        self.counters.keep_seconds += perf_counter() - start

    def _store_decisions(self, collected: PlayerSamples) -> None:
        """Offer regret samples to the player's reservoir, strategy samples to the others'."""
        self._offer(self.regret_samples[self.owner(collected.player)], collected, "regret", _REGRET)
        if not self.strategy_samples:
            return
        others = [player for player in range(self.game.players) if player != collected.player]
        for other in others:
            use = _STRATEGY + 100 * (other + 1)
            mine = None
            if len(others) > 1:
                mine = np.flatnonzero(collected.samples.players("strategy") == other)
            samples = self.strategy_samples[self.owner(other)]
            self._offer(samples, collected, "strategy", use, mine)

    def _store_values(self, collected: PlayerSamples) -> None:
        """Offer value samples; a value per history is learnt only from play without exploration."""
        samples = self.value_samples[self.owner(collected.player)]
        if self.options.network.action_values:
            self._offer(samples, collected, "value", _VALUE)
        else:
            mine = np.flatnonzero(collected.samples.explored() == 0)
            self._offer(samples, collected, "value", _VALUE, mine)

    def _offer(
        self,
        reservoir: Reservoir,
        collected: PlayerSamples,
        kind: Kind,
        use: int,
        mine: NDArray[np.int64] | None = None,
    ) -> None:
        """Offers rows to a reservoir: those with the indices ``mine``, by default all."""
        limit = np.float32(self.options.traversal.importance_limit)

        def take(kept: NDArray[np.int64]) -> dict[str, NDArray[Any]]:
            rows = collected.samples.take(kind, kept if mine is None else mine[kept])
            if kind == "value":
                rows["actions"] = rows["actions"][:, None].astype(np.int16)
                if not self.options.network.action_values:
                    rows["actions"] = np.zeros_like(rows["actions"])
                rows["targets"] = rows["targets"][:, None]
                rows["weights"] = np.ones(len(kept), dtype=np.float32)
            else:
                rows["weights"] = np.minimum(rows["weights"], limit)
            rows["iteration"] = np.full(len(kept), collected.iteration, dtype=np.int32)
            return rows

        count = collected.samples.count(kind) if mine is None else len(mine)
        seed = self.options.run.seed, collected.iteration, use, collected.player
        reservoir.offer_lazily(count, take, seed, collected.samples.subsample(kind))

    # Fitting networks.

    def sizes(self, *, value: bool) -> list[int]:
        """The widths of a network's layers: of a regret network, or of the value network."""
        if not value:
            return [self.game.feature_count, *self.options.network.hidden, self.game.action_count]
        outputs = self.game.action_count if self.options.network.action_values else 1
        return [self.game.history_feature_count, *self.options.network.value_hidden, outputs]

    def _fit_seed(self, use: int, owner: int) -> tuple[int, ...]:
        """The seed of one fit: it depends on the iteration and on the network."""
        return self.options.run.seed, self.iteration, use, owner

    def _fit(
        self,
        networks: list[Network],
        owner: int,
        samples: Reservoir,
        options: FitOptions,
        *,
        loss: Loss,
        use: int,
    ) -> None:
        """Fit one network to its reservoir, in place in ``networks``; ``use`` enters the seed."""
        name = f"{loss}{owner}"
        seed = self._fit_seed(use, owner)
        from_scratch = options.fresh or owner >= len(networks)
        network = (
            networks[owner]
            if not from_scratch
            else Network.make(self.sizes(value=loss == "value"), seed)
        )
        data = self._data(samples, loss, options.weight_exponent)
        if self.prepared.tree is not None and not (
            loss == "value" and self.sizes(value=True)[-1] > 1
        ):
            data = merge_equal_codes(data, self.prepared.tree.code_count(history=loss == "value"))
        cumulative = self.cumulative and loss == "regret"
        if cumulative:
            last = networks[owner] if owner < len(networks) else None
            factor = discount(self.iteration, options.weight_exponent)
            data = cumulative_targets(data, last, factor)
        scale = 1.0
        if (from_scratch or cumulative) and loss != "mix" and data.reservoir is None:
            data, scale = normalise_targets(data)
            network = network.scaled(1.0 / scale)
        fit = Fit(
            loss, options.steps, options.batch, options.learning_rate, options.gradient_clip,
            decay=options.fresh,
        )  # fmt: skip
        start = perf_counter()
        optimiser = None if from_scratch else self.optimisers.get(name)
        with self.counters.while_doing(_FITTING[loss]):
            fitted = self.backend.fit(network, data, fit, seed, optimiser)
        self.counters.fit_seconds += perf_counter() - start
        self._check_finite(name, fitted)
        networks[owner : owner + 1] = [fitted.network.scaled(scale)]
        if not options.fresh:
            self.optimisers[name] = fitted.optimiser
        self.counters.losses[name] = fitted.loss

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

    def _data(self, samples: Reservoir, loss: Loss, exponent: float) -> Data:
        """The rows of a reservoir in the form that a backend fits."""
        names = ("codes", "actions", "targets", "weights", "iteration")
        empty = [np.zeros((0, *column.shape), column.kind) for column in samples.columns]
        rows = empty if samples.on_device else [samples[name] for name in names]
        return Data(
            codes=rows[0],
            decode=self.game.decode_history if loss == "value" else self.game.decode,
            columns=rows[1],
            targets=rows[2],
            weights=rows[3],
            iterations=rows[4],
            iteration=0 if loss == "value" else self.iteration,
            exponent=exponent,
            vectors=self._vectors(loss),
            decoding_plan=self.prepared.decoding_plan,
            reservoir=samples,
        )

    def _vectors(self, loss: Loss) -> Callable[[], NDArray[np.float32]] | None:
        """A function that returns the network inputs of all codes of a compiled game; None if the
        game is not compiled."""
        tree = self.prepared.tree
        if tree is None:
            return None
        return (lambda: tree.history) if loss == "value" else (lambda: tree.features)

    def _fit_regret(self, owner: int) -> None:
        samples = self.regret_samples[owner]
        self._fit(self.regret, owner, samples, self.options.regret, loss="regret", use=_FIT_REGRET)
        if self.cumulative:
            samples.clear()

    def _fit_value(self, owner: int) -> None:
        samples = self.value_samples[owner]
        self._fit(self.value, owner, samples, self.options.value, loss="value", use=_FIT_VALUE)

    def fit_average(self) -> Sequence[Network]:
        """The networks of the average strategy by owner, fitted to the stored strategy samples."""
        if self.average_of == self.iteration:
            return self.average
        self.average_of = self.iteration
        for owner, samples in enumerate(self.strategy_samples):
            self._fit(
                self.average, owner, samples, self.options.average, loss="mix", use=_FIT_AVERAGE
            )
        return self.average

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

    # Saving and restoring.

    def state(self) -> dict[str, NDArray[Any]]:
        """The trainer's state as arrays by name, for :meth:`restore`."""
        out: dict[str, NDArray[Any]] = {"iteration": np.array(self.iteration)}
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

    def restore(self, state: dict[str, NDArray[Any]]) -> None:
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

    def _network_counts(self, iteration: int, average_of: int) -> dict[str, int]:
        """The number of networks of each kind after some iterations, with an average that was
        fitted after ``average_of`` of them (-1: not yet)."""
        return {
            "regret": self.owners if iteration else 0,
            "average": len(self.strategy_samples) if average_of >= 0 else 0,
            "value": len(self.value_samples) if iteration else 0,
        }

    def _saved_networks(self, counts: dict[str, int]) -> dict[str, SavedNetworks]:
        optimisers = {"regret": "regret", "average": "mix", "value": "value"}
        return {
            kind: SavedNetworks(count, self.sizes(value=kind == "value"), optimisers[kind])
            for kind, count in counts.items()
        }

    def _saved_samples(self) -> dict[str, SavedSamples]:
        out, tree = {}, self.prepared.tree
        for name, samples in self.samples().items():
            value = isinstance(samples, Window)
            codes = None if tree is None else tree.code_count(history=value)
            out[name] = SavedSamples(samples.columns, self.sizes(value=value)[-1], codes)
        return out

    def _networks(self) -> dict[str, list[Network]]:
        return {"regret": self.regret, "average": self.average, "value": self.value}

    def samples(self) -> dict[str, Reservoir]:
        """All reservoirs by name: ``regret0``, ``strategy0``, ``value0``."""
        kinds: dict[str, Sequence[Reservoir]] = {
            "regret": self.regret_samples,
            "strategy": self.strategy_samples,
            "value": self.value_samples,
        }
        return {f"{kind}{n}": one for kind, many in kinds.items() for n, one in enumerate(many)}


def _part(state: dict[str, NDArray[Any]], prefix: str) -> dict[str, NDArray[Any]]:
    """The arrays whose names begin with a prefix, without the prefix."""
    return {key.removeprefix(prefix): state[key] for key in state if key.startswith(prefix)}
