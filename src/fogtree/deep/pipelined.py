"""Training in which nobody waits: a player's network is fitted while the next player walks.

*Deviations* from :mod:`fogtree.deep.training`: walks follow networks that have not yet seen what
was met just before, the other player's walks; a network that serves all seats is fitted after each
player's walks, not once an iteration; decisions that find no place in a reservoir are dropped while
they are met. The first iteration is as there. With walks on the processor
what comes out depends on the seed alone, as there, and a saved run resumes exactly.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from numpy.typing import NDArray

from fogtree.deep.network import Network
from fogtree.deep.samples import Kind
from fogtree.deep.training import DeepTrainer, Met


class PipelinedTrainer(DeepTrainer):
    """Fits in one thread what was met an iteration ago, and walks in another."""

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self._unkept: list[Met] = []
        self._learning: int | None = None
        self._played: tuple[Sequence[Network], Sequence[Network]] | None = None
        self._wanted: tuple[float, float] | None = None

    def iterate(self) -> None:
        if self.iteration == 0:
            super().iterate()
            return
        self.iteration += 1
        try:
            with ThreadPoolExecutor(1, thread_name_prefix="fit") as pool:
                for player in range(self.game.players):
                    self._played = self.strategy(), list(self.value)
                    self._wanted = self._count_wanted(player)
                    learning = pool.submit(self._learn, player)
                    met = self._walk_as(player)
                    learning.result()
                    self._unkept = met
        finally:
            self._played = self._wanted = None
        if self.options.run.average == "single":
            self.stored.append(tuple(self.regret))

    def _playing(self) -> tuple[Sequence[Network], Sequence[Network]]:
        return self._played or super()._playing()

    def _shares(self, player: int) -> tuple[float, float]:
        return self._wanted or self._count_wanted(player)

    def _count_wanted(self, player: int) -> tuple[float, float]:
        """What reservoirs will take at most when all that waits for them has been offered."""
        regrets = self.regret_samples[self.owner(player)].share(self._waiting("regret", player))
        if not self.strategy_samples:
            return regrets, 0.0
        if self.game.players > 2:  # who shares them out must see all
            return regrets, 1.0
        mine = self.strategy_samples[self.owner(1 - player)]
        return regrets, mine.share(self._waiting("strategy", player))

    def _waiting(self, kind: Kind, player: int) -> int:
        """Rows for the same reservoir as this player's."""
        return sum(
            met.samples.met(kind)
            for met in self._unkept
            if met.kind == "regret" and self.owner(met.player) == self.owner(player)
        )

    def _walk_as(self, player: int) -> list[Met]:
        games = [self._play(player)] if self.options.needs_value else []
        return [*games, self._walk(player)]

    def _learn(self, player: int) -> None:
        """What the player before this one met."""
        self._keep_all()
        owner = self.owner((player - 1) % self.game.players)
        self._learning = player
        if self.options.needs_value:
            self._fit_value(owner)
        self._fit_regret(owner)
        self._learning = None

    def _fit_seed(self, use: int, owner: int) -> tuple[int, ...]:
        seed = super()._fit_seed(use, owner)
        return seed if self._learning is None else (*seed, self._learning)

    def _keep_all(self) -> None:
        while self._unkept:
            self._keep(self._unkept[0])
            del self._unkept[0]

    def fit_average(self) -> Sequence[Network]:
        self._keep_all()
        return super().fit_average()

    def state(self) -> dict[str, NDArray[Any]]:
        self._keep_all()
        return super().state()

    def restore(self, state: dict[str, NDArray[Any]]) -> None:
        self._unkept = []
        super().restore(state)
