"""The sources of a training run's error, each switched on alone."""

from __future__ import annotations

import numpy as np
import pytest

from fogtree import solve
from fogtree.deep.config import COMPILED_GAME, options_from
from fogtree.deep.diagnosis import SOURCES, conditions, diagnose
from fogtree.deep.engine import prepare
from fogtree.deep.train import train
from fogtree.errors import OptionError
from tests.support.training import small


def test_without_errors_training_is_tabular_linear_cfr():
    """The same as the native solver, but for what is played where no regret is positive."""
    options = small(run={"iterations": 200})
    found = diagnose("kuhn_poker", options, ())
    exact = solve("kuhn_poker", "lcfr", iterations=200)
    assert found.exploitability == pytest.approx(exact.exploitability, rel=0.15)


def test_with_all_errors_it_is_the_training_itself():
    options = small()
    run = train("kuhn_poker", options)
    found = diagnose("kuhn_poker", options, SOURCES)
    assert found.exploitability == pytest.approx(run.exploitability, rel=1e-6)
    assert found.iterations == run.iterations


@pytest.mark.parametrize("sources", conditions())
def test_every_source_alone_learns(sources):
    shorter = {
        "run": {"iterations": 20},
        "traversal": {"traversals": 1000},
        "average": {"steps": 300, "learning_rate": 3e-3},
    }
    options = options_from(shorter, options_from(COMPILED_GAME))
    assert diagnose("kuhn_poker", options, sources).exploitability < 0.1


def test_exact_regrets_are_the_mean_of_many_walks():
    from fogtree.deep.diagnosis import _ExactEngine
    from fogtree.deep.traversal import Task, Walks

    prepared = prepare("kuhn_poker", values=False)
    task = Task(Walks(), (), None, 1, 40_000, 1, 3)
    exact = _ExactEngine(prepared, met_only=False).traverse(task)
    for kind, target in (("regret", "targets"), ("strategy", "probabilities")):
        rows, walked = exact.arrays(), prepared.engine.traverse(task).arrays()
        codes = walked[f"{kind}_codes"].copy().view("<i4").reshape(-1)
        for row, code in enumerate(rows[f"{kind}_codes"].copy().view("<i4").reshape(-1)):
            met = codes == code
            assert met.mean() * len(codes) / 40_000 == pytest.approx(
                rows[f"{kind}_weights"][row], abs=0.02
            )
            mean = walked[f"{kind}_{target}"][met].mean(axis=0)
            np.testing.assert_allclose(mean, rows[f"{kind}_{target}"][row], atol=0.08)


def test_what_cannot_be_diagnosed_is_told():
    with pytest.raises(OptionError, match="a game that compiles"):
        diagnose("cambia", small(), ())
    with pytest.raises(OptionError, match="without values"):
        diagnose("kuhn_poker", small(traversal={"depth": 2}), ())
