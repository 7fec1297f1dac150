"""Where the error of a training run comes from, on a compiled game: each source switched on alone.

A run without any source of error is tabular: all walks that can be made are made, weighted by their
probability, tables take the place of networks, and all strategies are averaged exactly.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass, replace
from time import process_time
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from fogtree.deep.config import FitOptions, TrainingOptions
from fogtree.deep.encoding import MOST_COLUMNS
from fogtree.deep.engine import NativeEngine, PreparedGame, native_tree, prepare
from fogtree.deep.fitting import AdamState, Data, Fit, Fitted, NumpyBackend, Seed
from fogtree.deep.measure import RunningAverage, network_strategy
from fogtree.deep.methods import trainer_class
from fogtree.deep.network import Network
from fogtree.deep.samples import ArraySamples
from fogtree.deep.sparse import SparseRows
from fogtree.deep.traversal import Task
from fogtree.deep.walkable import TreeGame
from fogtree.errors import OptionError
from fogtree.evaluate.best_response import exploitability, measuring_engine
from fogtree.evaluate.inspect import infoset_reach
from fogtree.strategy import Strategy
from fogtree.tree import AnyGame

Source = Literal["sampling", "reservoir", "fit", "average"]
SOURCES: tuple[Source, ...] = ("sampling", "reservoir", "fit", "average")
_UNLIMITED = 20_000_000
"""Rows of a reservoir that keeps everything."""


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """The exploitability of the average strategy of a run with some sources of error."""

    sources: tuple[Source, ...]
    iterations: int
    exploitability: float
    seconds: float  # of one processor


def conditions() -> list[tuple[Source, ...]]:
    """The combinations of error sources to train with: none, each alone, and all of them."""
    return [(), *((source,) for source in SOURCES), SOURCES]


def diagnose(game: AnyGame, options: TrainingOptions, sources: Sequence[Source]) -> Diagnosis:
    """Train with the given sources of error only, and compute the exploitability of the average
    strategy.

    ``sampling``: regrets come from sampled walks instead of the whole tree. ``reservoir``: only
    decisions that walks met and a reservoir kept are learnt from. ``fit``: regrets are held by
    networks instead of tables. ``average``: a network learns the average strategy,
    instead of the exact mean over all iterations.
    """
    start = process_time()
    prepared = prepare(game, own_features=options.network.encoding == "auto", values=False)
    compiled = prepared.tree
    if compiled is None or options.needs_value:
        raise OptionError("a diagnosis needs a game that compiles, and training without values")
    chosen = _options(options, sources)
    engine_game = prepared if "fit" in sources else _with_tables(prepared, compiled)
    backend = _ExactBackend(compiled, chosen, tables="fit" not in sources)
    trainer = trainer_class(chosen)(_with_exact_walks(engine_game, sources), chosen, backend)
    average = RunningAverage(compiled.tree)
    for _ in range(chosen.run.iterations):
        trainer.iterate()
        assert trainer.prepared.tree is not None
        strategy = network_strategy(trainer.prepared.tree, trainer.strategy(), mix=False)
        average.add(strategy, float(trainer.iteration) ** chosen.average.weight_exponent)
    found = average.strategy()
    if "average" in sources:
        networks = trainer.fit_average()
        by_player = [networks[trainer.owner(player)] for player in range(compiled.players)]
        found = network_strategy(compiled, by_player, mix=True)
    value = exploitability(compiled.tree, found).exploitability
    return Diagnosis(tuple(sources), trainer.iteration, value, process_time() - start)


def _options(options: TrainingOptions, sources: Sequence[Source]) -> TrainingOptions:
    """The options of a run with these sources of error."""

    def fit(given: FitOptions) -> FitOptions:
        """The options of a fit, with unlimited reservoirs unless these are a source of error."""
        return given if "reservoir" in sources else replace(given, capacity=_UNLIMITED)

    average: Literal["network", "single"] = "network" if "average" in sources else "single"
    return replace(
        options,
        run=replace(options.run, average=average),
        regret=fit(options.regret),
        average=replace(fit(options.average), fresh=True),
    )


def _with_tables(prepared: PreparedGame, compiled: TreeGame) -> PreparedGame:
    """The game with one network input per information set, so that a network without hidden layers
    is a table."""
    tree = compiled.tree
    count = len(tree.infoset_names)
    if count > MOST_COLUMNS:
        raise OptionError(f"{tree.game}: a table of {count:,} information sets is too large")
    table = copy(compiled)
    table.rows = SparseRows.of_columns(np.arange(count, dtype=np.int32)[:, None], count)
    table.feature_count = count
    return replace(prepared, engine=NativeEngine(native_tree(tree, table, False)), tree=table)


def _with_exact_walks(prepared: PreparedGame, sources: Sequence[Source]) -> PreparedGame:
    """The game with an engine whose regrets are exact, unless sampling is a source of error."""
    if "sampling" in sources:
        return prepared
    return replace(prepared, engine=_ExactEngine(prepared, met_only="reservoir" in sources))


class _ExactEngine:
    """An engine that computes regrets exactly from the whole tree. It returns every information
    set, weighted by the probability that a walk gets there, or with ``met_only`` only the decisions
    at which sampled walks arrive."""

    def __init__(self, prepared: PreparedGame, *, met_only: bool) -> None:
        """Make an exact engine of a compiled game; the engine of ``prepared`` makes the sampled
        walks of ``met_only``."""
        assert prepared.tree is not None
        self.game = prepared.engine.game
        self._walks, self._encoded, self._met_only = prepared.engine, prepared.tree, met_only
        self._engine = measuring_engine(prepared.tree.tree)

    def traverse(self, task: Task) -> ArraySamples:
        """The exact regrets of one player against the present networks, in the form of samples.
        With ``met_only`` the samples are those of sampled walks, with their targets replaced by
        exact regrets."""
        tree = self._encoded.tree
        strategy = Strategy.uniform(tree)
        if task.networks:
            strategy = network_strategy(self._encoded, task.networks, mix=False)
        slots = np.array(strategy.for_tree(tree))
        regrets, others = self._regrets(slots, task.traverser)
        if self._met_only:
            rows = dict(self._walks.traverse(task).arrays())
            codes = np.ascontiguousarray(rows["regret_codes"]).view("<i4").reshape(-1)
            rows["regret_targets"] = self._padded(regrets, codes, 0).astype(np.float32)
            return ArraySamples(rows)
        choices = tree.infoset_actions > 1
        mine = np.flatnonzero(choices & (tree.infoset_player == task.traverser) & (others > 0))
        # Walks try all actions of the traverser, so its own probabilities count as 1.
        free = np.where(tree.infoset_player[tree.slot_infoset] == task.traverser, 1.0, slots)
        met, _ = infoset_reach(tree, free)
        theirs = np.flatnonzero(choices & (tree.infoset_player != task.traverser) & (met > 0))
        arrays = {
            **self._rows("regret", "targets", mine, regrets, others),
            **self._rows("strategy", "probabilities", theirs, slots, met),
            "strategy_players": tree.infoset_player[theirs].astype(np.int8),
            "strategy_steps": np.arange(len(theirs), dtype=np.int32),
            "nodes": len(tree.parent),
        }
        return ArraySamples({**arrays, "queries": 0, "traversals": 0, "depth": 0, "value": 0.0})

    def _regrets(self, slots: NDArray[np.float64], player: int) -> tuple[NDArray[Any], ...]:
        """A player's regret per slot, given that play gets there, and per information set the
        probability that chance and the other players let play get there."""
        tree = self._encoded.tree
        self._engine.set_strategy(slots)
        utility = self._engine.utilities(player)
        _, others = infoset_reach(tree, slots)
        mean = np.bincount(tree.slot_infoset, slots * utility, minlength=len(others))
        weight = np.where(others > 0, others, 1.0)[tree.slot_infoset]
        return (utility - mean[tree.slot_infoset]) / weight, others

    def _padded(self, slots: NDArray[Any], infosets: NDArray[Any], fill: int) -> NDArray[Any]:
        """One row per information set with the values of its ``slots`` (an array over all slots),
        padded at the end with ``fill`` to the largest number of actions in the game."""
        tree = self._encoded.tree
        number = np.arange(self._encoded.most_actions)
        there = number < tree.infoset_actions[infosets][:, None]
        places = np.where(there, tree.first_slot[infosets][:, None] + number, 0)
        return np.where(there, slots[places], fill)

    def _rows(
        self,
        kind: str,
        target: str,
        infosets: NDArray[Any],
        slots: NDArray[Any],
        weights: NDArray[Any],
    ) -> dict[str, NDArray[Any]]:
        """Samples of one kind (``regret`` or ``strategy``) by column name, one row per information
        set; ``slots`` are the values of the column ``target``, ``weights`` are by information
        set."""
        columns = self._padded(self._encoded.encoding.column, infosets, -1)
        return {
            f"{kind}_codes": infosets.astype("<i4").view(np.uint8).reshape(-1, 4),
            f"{kind}_actions": columns.astype(np.int16),
            f"{kind}_{target}": self._padded(slots, infosets, 0).astype(np.float32),
            f"{kind}_weights": weights[infosets].astype(np.float32),
        }


class _ExactBackend(NumpyBackend):
    """Fits the networks of a diagnosis; with ``tables`` it replaces the regret networks by exact
    tables."""

    def __init__(self, features: TreeGame, options: TrainingOptions, *, tables: bool) -> None:
        super().__init__()
        self._features, self._tables = features, tables
        self._sizes = [features.feature_count, *options.network.hidden, features.action_count]

    def fit(
        self, network: Network, data: Data, fit: Fit, seed: Seed, optimiser: AdamState | None = None
    ) -> Fitted:
        """Fit a network to samples. The average network (loss ``mix``) is always a new network on
        the game's features. With ``tables``, regrets are not fitted: they are written into a
        network without hidden layers, one weight per information set and action."""
        if fit.loss == "mix":
            data = replace(data, decode=self._features.decode)
            return super().fit(Network.make(self._sizes, seed), data, fit, seed)
        if not self._tables:
            return super().fit(network, data, fit, seed, optimiser)
        weight = np.zeros((network.outputs, network.inputs), dtype=np.float32)
        if len(network.layers) == 1:
            weight[:] = network.layers[0][0]
        row, number = np.nonzero(data.columns >= 0)
        infosets = np.ascontiguousarray(data.codes).view("<i4").reshape(-1)[row]
        weight[data.columns[row, number], infosets] = data.targets[row, number]
        table = Network(((weight, np.zeros(network.outputs, dtype=np.float32)),))
        return Fitted(table, 0.0, {})
