"""Deep CFR: in every iteration walk the game, store the samples, fit the networks.

N. Brown, A. Lerer, S. Gross, T. Sandholm, "Deep counterfactual regret minimization", ICML 2019;
average ``single``: E. Steinberger, "Single deep counterfactual regret minimization", 2019;
method ``dcfr_plus``: see :mod:`fogtree.deep.cumulative_regrets`.
*Deviations:* an iteration is weighted by any power of its number; a network may be fitted further
instead of from scratch; in a symmetric game one network plays every seat.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from time import perf_counter
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from fogtree.deep.config import FitOptions, TrainingOptions
from fogtree.deep.engine import PreparedGame
from fogtree.deep.fitting import Backend, Data, Fit, Loss, merge_equal_codes, normalise_targets
from fogtree.deep.network import Network
from fogtree.deep.reservoir import Column, Reservoir, Window
from fogtree.deep.samples import Kind, Samples
from fogtree.deep.trainer import Trainer
from fogtree.deep.traversal import Task, Walks

_PILOT_SEED = 1 << 40  # added to the seed of walks that only count nodes
# Parts of random seeds, by what the random numbers are for.
_REGRET, _STRATEGY, _VALUE, _FIT_REGRET, _FIT_AVERAGE, _FIT_VALUE = range(6)


@dataclass(frozen=True, eq=False)
class PlayerSamples:
    """The samples of one player's walks, or of its games for the value network."""

    kind: Literal["regret", "value"]
    player: int
    iteration: int
    samples: Samples


class DeepTrainer(Trainer):
    """Deep CFR: each player's regret network is fitted to the samples that a reservoir has kept of
    all iterations."""

    gives_logits = False
    rescales_regrets = False  # normalise targets in every fit, not only in fits from scratch

    def __init__(
        self,
        prepared: PreparedGame,
        options: TrainingOptions,
        backend: Backend,
        folder: Path | None = None,
    ) -> None:
        """Prepare a trainer with empty reservoirs, as many as its options need."""
        super().__init__(prepared, options, backend, folder)
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
            self.stored.append(tuple(self.current))

    # Collecting samples.

    def _current_networks(self) -> tuple[Sequence[Network], Sequence[Network]]:
        """The networks that walks ask: regret networks by player, value networks by owner."""
        return self.strategy(), self.value

    def _walk(self, player: int) -> PlayerSamples:
        """Make one player's walks with the current networks."""
        options = self.options.traversal
        _, values = self._current_networks()
        value = values[self.owner(player)] if values else None
        count = self._traversals(value, player)
        collected = self._collect("regret", options.walks(), value, player, count)
        if player == 0:
            self.counters.root_value = collected.samples.value
        return collected

    def _traversals(self, value: Network | None, player: int) -> int:
        """The number of a player's walks: as the options say, or fewer if they would visit more
        nodes than the limit, which is estimated from a pilot of a hundredth of the walks."""
        options = self.options.traversal
        pilot = max(1, options.traversals // 100)
        if not options.node_limit or options.traversals == pilot:
            return options.traversals
        networks, _ = self._current_networks()
        seed = self.options.run.seed + _PILOT_SEED
        task = Task(options.walks(), networks, value, player, pilot, self.iteration, seed)
        with self.counters.while_doing("walking"):
            nodes = self.prepared.engine.traverse(task).nodes
        self.counters.nodes += nodes
        return min(options.traversals, max(pilot, options.node_limit * pilot // max(nodes, 1)))

    def _play_for_values(self, player: int) -> PlayerSamples:
        """Play the games to whose results a player's value network is fitted."""
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
        """Make ``count`` walks of a player (kind ``regret``) or games for its value network (kind
        ``value``) with the current networks; ``value`` is the value network that walks ask."""
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
        """The probabilities with which reservoirs would keep a player's regret and strategy
        samples; walks may drop the others at once. Here 1: walks return all samples."""
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
            use = _STRATEGY + 100 * (other + 1)  # other random numbers for every player
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
        """Offers rows of a kind to a reservoir: those with the indices ``mine``, by default all.
        ``use`` enters the seed; weights above the options' importance limit are cut to it."""
        limit = np.float32(self.options.traversal.importance_limit)

        def take(kept: NDArray[np.int64]) -> dict[str, NDArray[Any]]:
            """The columns of the rows to keep, as the reservoir stores them."""
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
        data = self._merged(data, loss)
        if loss == "regret":
            data = self._regret_targets(data, owner)
        scale = 1.0
        rescaled = from_scratch or (loss == "regret" and self.rescales_regrets)
        if rescaled and loss != "mix" and data.reservoir is None:
            data, scale = normalise_targets(data)
            network = network.scaled(1.0 / scale)
        fit = Fit(
            loss, options.steps, options.batch, options.learning_rate, options.gradient_clip,
            decay=options.fresh,
        )  # fmt: skip
        fitted = self._fitted(name, network, data, fit, seed, anew=from_scratch)
        networks[owner : owner + 1] = [fitted.scaled(scale)]

    def _merged(self, data: Data, loss: Loss) -> Data:
        """The rows of a compiled game with equal codes merged, unless values are of actions."""
        tree = self.prepared.tree
        if tree is None or (loss == "value" and self.sizes(value=True)[-1] > 1):
            return data
        return merge_equal_codes(data, tree.code_count(history=loss == "value"))

    def _regret_targets(self, data: Data, owner: int) -> Data:
        """The samples with the targets of an owner's regret network: here unchanged, the sampled
        regrets."""
        del owner
        return data

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
            vectors=self._vectors(history=loss == "value"),
            decoding_plan=self.prepared.decoding_plan(history=loss == "value"),
            reservoir=samples,
        )

    def _fit_regret(self, owner: int) -> None:
        """Fit an owner's regret network, which plays the current strategy, to the stored
        regrets."""
        samples = self.regret_samples[owner]
        self._fit(self.current, owner, samples, self.options.regret, loss="regret", use=_FIT_REGRET)

    def _fit_value(self, owner: int) -> None:
        """Fit an owner's value network to the stored values of histories."""
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

    # Saving and restoring.

    def _network_counts(self, iteration: int, average_of: int) -> dict[str, int]:
        """The number of networks of each kind after some iterations, with an average that was
        fitted after ``average_of`` of them (-1: not yet)."""
        return {
            "regret": self.owners if iteration else 0,
            "average": len(self.strategy_samples) if average_of >= 0 else 0,
            "value": len(self.value_samples) if iteration else 0,
        }

    def _networks(self) -> dict[str, list[Network]]:
        """The lists of networks by kind, as a saved state names them."""
        return {"regret": self.current, "average": self.average, "value": self.value}

    def samples(self) -> dict[str, Reservoir]:
        """All reservoirs by name: ``regret0``, ``strategy0``, ``value0``."""
        kinds: dict[str, Sequence[Reservoir]] = {
            "regret": self.regret_samples,
            "strategy": self.strategy_samples,
            "value": self.value_samples,
        }
        return {f"{kind}{n}": one for kind, many in kinds.items() for n, one in enumerate(many)}
