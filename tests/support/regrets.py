"""Exact counterfactual regrets, and the expected update of a sampler."""

from __future__ import annotations

import numpy as np
import pytest

from fogtree import GameTree, Strategy, _core
from fogtree.evaluate.best_response import measuring_engine
from fogtree.solvers.samplers import Sampler


def random_table(tree: GameTree, seed: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Regrets, averages and baselines; some regrets negative, some strategies pure."""
    generator = np.random.default_rng(seed)
    regret = generator.normal(size=tree.slots)
    return regret, generator.random(tree.slots), generator.normal(size=tree.slots * tree.players)


def strategy_of(tree: GameTree, regret: np.ndarray) -> np.ndarray:
    weights = np.maximum(regret, 0.0)
    totals = np.bincount(tree.slot_infoset, weights=weights)[tree.slot_infoset]
    uniform = Strategy.uniform(tree).probabilities
    return np.where(totals > 0, weights / np.where(totals > 0, totals, 1.0), uniform)


def exact_regrets(tree: GameTree, slots: np.ndarray, player: int) -> np.ndarray:
    engine = measuring_engine(tree)
    engine.set_strategy(slots)
    utility = engine.utilities(player)
    expected = np.bincount(tree.slot_infoset, weights=utility * slots)[tree.slot_infoset]
    mine = (tree.infoset_player[tree.slot_infoset] == player) & (
        tree.infoset_actions[tree.slot_infoset] > 1
    )
    return np.where(mine, utility - expected, 0.0)


def expected_update(tree: GameTree, sampler: Sampler, player: int, seed: int):
    regret, average, baseline = random_table(tree, seed)
    update = _core.expected_update(tree.flat, sampler.options(), player, regret, average, baseline)
    assert update["probability"] == pytest.approx(1.0, abs=1e-13)
    return update, exact_regrets(tree, strategy_of(tree, regret), player)
