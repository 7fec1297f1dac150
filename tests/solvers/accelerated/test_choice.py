"""Which device a solver runs on, and what is refused in one line."""

from __future__ import annotations

import sys

import pytest

import fogtree
from fogtree.cli import main
from fogtree.errors import MemoryLimitError, OptionError
from fogtree.solvers.accelerated import choice
from fogtree.solvers.tabular import TabularSolver


@pytest.fixture
def made(monkeypatch):
    """Games for which a GPU engine was asked, on a machine that seems to have a GPU."""
    asked = []

    def engine(tree, row, precision):
        asked.append(tree.game)
        raise MemoryLimitError("the card is full")

    monkeypatch.setattr(choice, "_engine", engine)
    monkeypatch.setattr(choice, "_DRIVER", choice.Path("/"))
    monkeypatch.setattr(choice, "find_spec", lambda name: object())
    return asked


def test_small_games_stay_on_the_processor(tree_of, made):
    assert fogtree.solve(tree_of("kuhn_poker"), iterations=1).device == "cpu"
    assert made == []


def test_large_games_go_to_the_gpu_and_come_back_if_it_is_full(tree_of, made, monkeypatch):
    monkeypatch.setattr(choice, "LARGE_GAME", 10)
    assert fogtree.solve(tree_of("kuhn_poker"), iterations=1).device == "cpu"
    assert made == ["kuhn_poker"]
    fogtree.solve(tree_of("kuhn_poker"), iterations=1, device="cpu")
    fogtree.solve(tree_of("kuhn_poker"), "hedge", iterations=1)
    fogtree.solve(tree_of("kuhn_poker(players=3)"), iterations=1)
    TabularSolver(tree_of("kuhn_poker"))
    assert made == ["kuhn_poker"]
    with pytest.raises(MemoryLimitError, match="full"):
        fogtree.solve(tree_of("kuhn_poker"), iterations=1, device="gpu")


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


def test_no_such_device(tree_of):
    with pytest.raises(OptionError, match="device must be auto, cpu or gpu, not tpu"):
        fogtree.solve(tree_of("kuhn_poker"), device="tpu")
