"""Training that fits one player's network while the next player's walks are made.

*Deviations* from :mod:`fogtree.deep.training`: walks use networks that have not been fitted to the
previous player's samples yet; a network that plays every seat is fitted after each player's walks
instead of once an iteration; samples that the reservoirs would not keep are dropped during the
walks. The first iteration is the same. With walks on the processor the result depends on the seed
alone, and a saved run resumes exactly.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from numpy.typing import NDArray

from fogtree.deep.network import Network
from fogtree.deep.samples import Kind
from fogtree.deep.training import DeepTrainer, PlayerSamples


class PipelinedTrainer(DeepTrainer):
    """Makes walks in one thread and fits networks to earlier samples in another."""

    def __init__(self, *args: Any, **more: Any) -> None:
        """Prepare a trainer with an empty pipeline; the arguments are those of
        :class:`DeepTrainer`."""
        super().__init__(*args, **more)
        self._pending: list[PlayerSamples] = []  # collected, but not stored in reservoirs yet
        self._fitting_during: int | None = None  # the player who walks during the present fit
        # Networks and keep probabilities of the present walks, which the fit must not change.
        self._snapshot: tuple[Sequence[Network], Sequence[Network]] | None = None
        self._keep: tuple[float, float] | None = None

    def iterate(self) -> None:
        """One iteration: each player's walks are made while networks are fitted to the samples of
        the player who walked before."""
        if self.iteration == 0:
            super().iterate()
            return
        self.iteration += 1
        try:
            with ThreadPoolExecutor(1, thread_name_prefix="fit") as pool:
                for player in range(self.game.players):
                    self._snapshot = self.strategy(), list(self.value)
                    self._keep = self._keep_probabilities_after_pending(player)
                    fitting = pool.submit(self._fit_last, player)
                    collected = self._walk_as(player)
                    fitting.result()
                    self._pending = collected
        finally:
            self._snapshot = self._keep = None
        if self.options.run.average == "single":
            self.stored.append(tuple(self.current))

    def _current_networks(self) -> tuple[Sequence[Network], Sequence[Network]]:
        """The networks that walks ask (regret networks by player, value networks by owner), as they
        were before the fit that runs meanwhile."""
        return self._snapshot or super()._current_networks()

    def _keep_probabilities(self, player: int) -> tuple[float, float]:
        """The probabilities with which regret and strategy samples of a player's walks are kept,
        computed before the fit that runs meanwhile."""
        return self._keep or self._keep_probabilities_after_pending(player)

    def _keep_probabilities_after_pending(self, player: int) -> tuple[float, float]:
        """The probabilities with which reservoirs will keep regret and strategy samples of a
        player's walks, once all pending samples have been stored."""
        regrets = self.regret_samples[self.owner(player)].keep_probability(
            self._waiting("regret", player)
        )
        if not self.strategy_samples:
            return regrets, 0.0
        if self.game.players > 2:  # rows are split by player, which needs all of them
            return regrets, 1.0
        theirs = self.strategy_samples[self.owner(1 - player)]  # walks sample the opponent's mixes
        return regrets, theirs.keep_probability(self._waiting("strategy", player))

    def _waiting(self, kind: Kind, player: int) -> int:
        """The number of pending rows of a kind that go to the same reservoir as those of this
        player's walks."""
        return sum(
            one.samples.total(kind)
            for one in self._pending
            if one.kind == "regret" and self.owner(one.player) == self.owner(player)
        )

    def _walk_as(self, player: int) -> list[PlayerSamples]:
        """Make a player's walks, after its games for the value network if there is one."""
        games = [self._play_for_values(player)] if self.options.needs_value else []
        return [*games, self._walk(player)]

    def _fit_last(self, player: int) -> None:
        """Fits the networks to the samples of the player who walked last."""
        self._store_pending()
        owner = self.owner((player - 1) % self.game.players)
        self._fitting_during = player
        if self.options.needs_value:
            self._fit_value(owner)
        self._fit_regret(owner)
        self._fitting_during = None

    def _fit_seed(self, use: int, owner: int) -> tuple[int, ...]:
        """The seed of one fit, which also depends on the player who walks meanwhile: a network
        shared by all players is fitted several times per iteration."""
        seed = super()._fit_seed(use, owner)
        return seed if self._fitting_during is None else (*seed, self._fitting_during)

    def _store_pending(self) -> None:
        """Store the samples that no network has been fitted to yet."""
        while self._pending:
            self._store(self._pending[0])
            del self._pending[0]

    def fit_average(self) -> Sequence[Network]:
        """Fit the average strategy, after samples that wait in the pipeline were stored."""
        self._store_pending()
        return super().fit_average()

    def state(self) -> dict[str, NDArray[Any]]:
        """The trainer's state, after samples that wait in the pipeline were stored: a file has no
        pending samples."""
        self._store_pending()
        return super().state()

    def restore(self, state: dict[str, NDArray[Any]]) -> None:
        """Continue from a saved state, and forget samples that wait in the pipeline."""
        self._pending = []
        super().restore(state)
