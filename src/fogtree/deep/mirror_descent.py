"""Method ``mmd``: magnetic mirror descent by self-play, a policy-gradient method.

S. Sokota, R. D'Orazio, J. Z. Kolter, N. Loizou, M. Lanctot, I. Mitliagkas, N. Brown, C. Kroer, "A
unified approach to reinforcement learning, quantal response equilibria, and two-player zero-sum
games", ICLR 2023; as regularised PPO it is measured in M. Rudolph et al., "Reevaluating policy
gradient methods for imperfect-information games", 2025 (arXiv 2502.08938).
In every iteration the current policies play games against each other; a value network that sees
whole histories gives the advantages of the actions taken (:mod:`fogtree.deep.trajectories`), and
each player's policy network descends the loss in :mod:`fogtree.deep.policy_loss`.
*Deviations:* values are of histories, not of information sets, and are asked only after the games;
returns are divided by their root mean square under uniform play, so that weights do not depend on a
game's payoffs; in a compiled game the advantages of an information set are averaged before the
fit, which changes the loss only where a ratio is clipped.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from time import perf_counter

import numpy as np
from numpy.typing import NDArray

from fogtree.deep.config import PolicyOptions, TrainingOptions
from fogtree.deep.engine import PreparedGame
from fogtree.deep.fitting import Backend, Data, Fit, merge_equal_codes
from fogtree.deep.network import Array, Network, softmax
from fogtree.deep.policy_loss import anchors
from fogtree.deep.trainer import Numbers, Trainer
from fogtree.deep.trajectories import Trajectories, generalised_advantages, next_decisions
from fogtree.deep.traversal import Task, Walks
from fogtree.errors import FileFormatError

_POLICY, _VALUE, _FIT_POLICY, _FIT_VALUE = range(4)  # parts of random seeds, by their use
_SCALE = "return_scale"


class MirrorDescentTrainer(Trainer):
    """Policy networks, one per owner, each with a value network as its baseline."""

    gives_logits = True

    def __init__(
        self,
        prepared: PreparedGame,
        options: TrainingOptions,
        backend: Backend,
        folder: Path | None = None,
    ) -> None:
        """Prepare a trainer; its networks are made in the first iteration."""
        super().__init__(prepared, options, backend, folder)
        self.encoded = prepared.tree or prepared.engine.game
        self.magnet: list[Network] = []  # empty: uniform play
        self.scale = 1.0  # of returns

    def iterate(self) -> None:
        """One iteration: games between the current policies, then all networks fitted to them."""
        if not self.current:
            self._make_networks()
        self.iteration += 1
        games = self._play()
        if self.iteration == 1:
            self.scale = float(np.sqrt(np.mean(games.returns**2.0))) or 1.0
        owners = games.players if self.owners > 1 else np.zeros_like(games.players)
        advantages, targets = self._advantages(games, owners)
        by_action = games.by_action(advantages)
        for owner in range(self.owners):
            mine = np.flatnonzero(owners == owner)
            if mine.size:
                self._fit_policy(owner, games, mine, by_action[mine])
                self._fit_value(owner, games.histories[mine], targets[mine])
        every = self.options.policy.magnet_interval
        if every and self.iteration % every == 0:
            self.magnet = list(self.current)
        if self.options.run.average == "single":
            self.stored.append(tuple(self.current))

    def sizes(self, *, value: bool) -> list[int]:
        """The widths of the layers, from inputs to outputs, of value networks or of policy
        networks."""
        network = self.options.network
        if value:
            return [self.encoded.history_feature_count, *network.value_hidden, 1]
        return [self.encoded.feature_count, *network.hidden, self.encoded.action_count]

    def _make_networks(self) -> None:
        """Make the first networks: policies that play uniformly, and value networks that give 0."""
        seed, owners = self.options.run.seed, range(self.owners)
        self.current[:] = [
            Network.make(self.sizes(value=False), (seed, _POLICY, o)) for o in owners
        ]
        self.value[:] = [Network.make(self.sizes(value=True), (seed, _VALUE, o)) for o in owners]

    def _play(self) -> Trajectories:
        """Play games between the current policies and collect their decisions."""
        start = perf_counter()
        options = self.options
        task = Task(
            Walks("selfplay", softmax=True),
            self.strategy(),
            None,
            traverser=0,
            traversals=options.traversal.traversals,
            iteration=self.iteration,
            seed=options.run.seed,
        )
        with self.counters.while_doing("playing"):
            samples = self.prepared.engine.traverse(task)
            games = Trajectories.of(samples)
        self.counters.nodes += samples.nodes
        self.counters.root_value = samples.value
        self.counters.walk_seconds += perf_counter() - start
        return games

    def _advantages(self, games: Trajectories, owners: NDArray[np.int8]) -> tuple[Array, Array]:
        """The advantage of the action taken at every decision, in scaled payoffs, and the targets
        of the value networks there; ``owners`` has the owner of every decision."""
        start = perf_counter()
        values = np.zeros(len(games), dtype=np.float32)
        with self.counters.while_doing("rating histories"):
            for owner, network in enumerate(self.value):
                mine = np.flatnonzero(owners == owner)
                data = self._history_data(games.histories[mine])
                values[mine] = self.backend.outputs(network, data)[:, 0]
        returns = games.returns / np.float32(self.scale)
        following = next_decisions(games.players, games.steps)
        decay = self.options.policy.trace_decay
        advantages = generalised_advantages(values, returns, following, decay)
        self.counters.fit_seconds += perf_counter() - start
        return advantages, values + advantages

    # Fitting networks.

    def weights(self) -> tuple[float, float]:
        """The weights of the two divergences in this iteration: from the magnet, and from the last
        policy (the inverse step size)."""
        options = self.options.policy
        magnet = options.magnet_weight * float(self.iteration) ** -options.magnet_decay
        return magnet, float(self.iteration) ** options.step_decay / options.step_size

    def _fit_policy(
        self, owner: int, games: Trajectories, mine: NDArray[np.int64], by_action: Array
    ) -> None:
        """Fit an owner's policy network to the advantages at its decisions ``mine``."""
        options = self.options.policy
        magnet_weight, inverse_step = self.weights()
        data = self._policy_data(games, mine, by_action)
        magnet = self._magnet(owner, data) if self.magnet else None
        assert data.played is not None
        data = replace(data, anchors=anchors(data.played, magnet, magnet_weight, inverse_step))
        fit = policy_fit(options, magnet_weight + inverse_step)
        rate = options.learning_rate * float(self.iteration) ** -options.rate_decay
        fit = replace(fit, learning_rate=rate)
        seed = self._fit_seed(_FIT_POLICY, owner)
        self.current[owner] = self._fitted(f"policy{owner}", self.current[owner], data, fit, seed)

    def _policy_data(self, games: Trajectories, mine: NDArray[np.int64], by_action: Array) -> Data:
        """The rows of an owner's decisions; of a compiled game one per information set."""
        data = Data(
            codes=games.codes[mine],
            decode=self.encoded.decode,
            columns=games.columns[mine],
            targets=by_action,
            weights=np.ones(len(mine), dtype=np.float32),
            vectors=self._vectors(history=False),
            decoding_plan=self.prepared.decoding_plan(),
            played=games.played[mine],
        )
        tree = self.prepared.tree
        return data if tree is None else merge_equal_codes(data, tree.code_count(history=False))

    def _magnet(self, owner: int, data: Data) -> Array:
        """The magnet's probabilities at the decisions of ``data``: one row per decision and one
        column per legal action."""
        columns = data.columns.astype(np.int64)
        outputs = self.backend.outputs(self.magnet[owner], data)
        chosen = np.take_along_axis(outputs, np.maximum(columns, 0), axis=1)
        return softmax(np.where(columns >= 0, chosen, -np.inf)).astype(np.float32)

    def _history_data(self, codes: NDArray[np.uint8], targets: Array | None = None) -> Data:
        """Rows of histories, with the values to learn; without ``targets`` for reading the
        network's outputs only."""
        targets = np.zeros(len(codes), dtype=np.float32) if targets is None else targets
        return Data(
            codes=codes,
            decode=self.encoded.decode_history,
            columns=np.zeros((len(codes), 1), dtype=np.int16),
            targets=targets[:, None],
            weights=np.ones(len(codes), dtype=np.float32),
            vectors=self._vectors(history=True),
            decoding_plan=self.prepared.decoding_plan(history=True),
        )

    def _fit_value(self, owner: int, codes: NDArray[np.uint8], targets: Array) -> None:
        """Fit an owner's value network to target values of histories."""
        data, tree = self._history_data(codes, targets), self.prepared.tree
        if tree is not None:
            data = merge_equal_codes(data, tree.code_count(history=True))
        options = self.options.value
        fit = Fit(
            "value", options.steps, options.batch, options.learning_rate, options.gradient_clip,
            decay=False,
        )  # fmt: skip
        seed = self._fit_seed(_FIT_VALUE, owner)
        self.value[owner] = self._fitted(f"value{owner}", self.value[owner], data, fit, seed)

    # Saving and restoring.

    def state(self) -> Numbers:
        """The trainer's state, with the scale of returns."""
        return {**super().state(), _SCALE: np.array(self.scale)}

    def restore(self, state: Numbers) -> None:
        """Continue from a saved state, which also has the scale of the payoffs."""
        state = dict(state)
        scale = state.pop(_SCALE, None)
        if scale is None or scale.shape or scale.dtype != np.float64 or not 0 < scale < np.inf:
            raise FileFormatError(f"'{_SCALE}' must be a positive number")
        super().restore(state)
        self.scale = float(scale)

    def _networks(self) -> dict[str, list[Network]]:
        """The lists of networks by kind, as a saved state names them."""
        return {"policy": self.current, "value": self.value, "magnet": self.magnet}

    def _network_counts(self, iteration: int, average_of: int) -> dict[str, int]:
        """The number of networks of each kind after some iterations, to check a saved state."""
        del average_of
        every = self.options.policy.magnet_interval
        owners = self.owners if iteration else 0
        return {
            "policy": owners,
            "value": owners,
            "magnet": self.owners if every and iteration >= every else 0,
        }


def policy_fit(options: PolicyOptions, entropy: float) -> Fit:
    """The fit of a policy network; ``entropy`` is the sum of both divergences' weights."""
    return Fit(
        "policy",
        options.steps,
        options.batch,
        options.learning_rate,
        options.gradient_clip,
        decay=False,
        ratio_clip=options.ratio_clip,
        entropy=entropy,
    )


__all__ = ["MirrorDescentTrainer", "policy_fit"]
