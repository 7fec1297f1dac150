"""Which device a solver runs on, and what is refused in one line."""

from __future__ import annotations

import sys

import pytest

import fogtree
from fogtree.cli import main
from fogtree.errors import MemoryLimitError, OptionError
from fogtree.solvers.accelerated import choice
from fogtree.solvers.tabular import TabularSolver


def test_the_processor_is_the_default(tree_of, monkeypatch):
    def refused(*given):
        raise MemoryLimitError("the card is full")

    monkeypatch.setattr(choice, "gpu_engine", refused)
    tree = tree_of("kuhn_poker")
    assert fogtree.solve(tree, iterations=1).device == "cpu"
    assert TabularSolver(tree).device == "cpu"
    assert main(["solve", "kuhn_poker", "--iterations", "1"]) == 0
    with pytest.raises(MemoryLimitError, match="full"):
        fogtree.solve(tree, iterations=1, device="gpu")


@pytest.mark.parametrize("options", [{"reference": True}, {"merge": False}])
def test_other_engines_are_not_on_a_gpu(tree_of, options):
    with pytest.raises(OptionError, match="a GPU runs the merged game"):
        TabularSolver(tree_of("kuhn_poker"), device="gpu", **options)


@pytest.mark.parametrize(
    ("game", "options", "message"),
    [
        ("kuhn_poker", ["-a", "hedge"], "'hedge' does not run on a GPU; use --device cpu"),
        ("kuhn_poker", ["-a", "mccfr-external"], "'mccfr-external' does not run on a GPU"),
        ("kuhn_poker(players=3)", [], "a GPU solves games of two players, not of 3"),
    ],
)
def test_what_a_gpu_cannot_do(game, options, message, capsys):
    assert main(["solve", game, "--device", "gpu", *options]) == 2
    said = capsys.readouterr().err.splitlines()
    assert said[-1].startswith(f"fogtree: {message}")


def test_without_jax_the_extra_is_named(monkeypatch, capsys):
    for name in ("fogtree.system.jax_device", "fogtree.solvers.accelerated.kernels"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    monkeypatch.setitem(sys.modules, "jax", None)
    assert main(["solve", "kuhn_poker", "--device", "gpu"]) == 2
    assert "pip install 'fogtree[deep]'" in capsys.readouterr().err.splitlines()[-1]


def test_without_a_gpu(capsys):
    jax = pytest.importorskip("jax")
    if any(device.platform == "gpu" for device in jax.devices()):
        pytest.skip("there is a GPU")
    assert main(["solve", "kuhn_poker", "--device", "gpu"]) == 2
    said = capsys.readouterr().err.splitlines()[-1]
    assert said.startswith("fogtree: JAX finds no accelerator here")


@pytest.mark.parametrize("algorithm", ["cfr+", "mccfr-external"])
def test_no_such_device(tree_of, algorithm):
    with pytest.raises(OptionError, match="device must be cpu or gpu, not tpu"):
        fogtree.solve(tree_of("kuhn_poker"), algorithm, iterations=1, device="tpu")
