"""Which device a solver runs on, and what is refused in one line."""

from __future__ import annotations

import sys
from types import SimpleNamespace

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


@pytest.fixture
def a_card(monkeypatch):
    """A card, and games that are worth it from 100 sequences on; returns what it is asked for."""
    asked = []

    def engine(tree, row, precision):
        asked.append((tree.game, row.name))
        raise MemoryLimitError("the card is full")

    monkeypatch.setattr(choice, "find_cupy", lambda: None)
    monkeypatch.setattr(choice, "gpu_engine", engine)
    monkeypatch.setattr(choice, "WORTH_A_GPU", 100)
    return asked


def test_a_large_game_goes_to_a_card_if_there_is_one(tree_of, a_card):
    large, small = tree_of("leduc_poker"), tree_of("kuhn_poker")
    with pytest.raises(MemoryLimitError, match="full"):
        fogtree.solve(large, iterations=1)
    assert a_card == [("leduc_poker", "cfr+")]
    for tree, algorithm, options in [
        (small, "cfr+", {}),
        (large, "cfr+", {"device": "cpu"}),
        (large, "cfr+", {"threads": 2}),
        (large, "hedge", {}),
        (large, "mccfr-external", {}),
        (tree_of("kuhn_poker(players=3)"), "cfr+", {}),
    ]:
        assert fogtree.solve(tree, algorithm, iterations=1, **options).device == "cpu"
    assert len(a_card) == 1


def test_a_large_game_stays_here_if_there_is_no_card(tree_of, monkeypatch):
    monkeypatch.setitem(sys.modules, "cupy", None)
    monkeypatch.setattr(choice, "WORTH_A_GPU", 100)
    assert fogtree.solve(tree_of("leduc_poker"), iterations=1).device == "cpu"


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


def test_without_cupy_the_extra_is_named(monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "cupy", None)
    assert main(["solve", "kuhn_poker", "--device", "gpu"]) == 2
    assert "pip install 'fogtree[gpu]'" in capsys.readouterr().err.splitlines()[-1]


class NoDriver(RuntimeError):
    """What CuPy raises on a machine without a driver."""


@pytest.mark.parametrize("count", [0, NoDriver("cudaErrorNoDevice: no CUDA-capable device")])
def test_without_a_gpu(monkeypatch, capsys, count):
    def get_device_count():
        if isinstance(count, Exception):
            raise count
        return count

    runtime = SimpleNamespace(getDeviceCount=get_device_count, CUDARuntimeError=NoDriver)
    monkeypatch.setitem(sys.modules, "cupy", SimpleNamespace(cuda=SimpleNamespace(runtime=runtime)))
    assert main(["solve", "kuhn_poker", "--device", "gpu"]) == 2
    said = capsys.readouterr().err.splitlines()[-1]
    assert said.startswith("fogtree: CuPy finds no NVIDIA GPU here")
    assert said.endswith("use --device cpu")


@pytest.mark.parametrize("algorithm", ["cfr+", "mccfr-external"])
def test_no_such_device(tree_of, algorithm):
    with pytest.raises(OptionError, match="device must be cpu or gpu, not tpu"):
        fogtree.solve(tree_of("kuhn_poker"), algorithm, iterations=1, device="tpu")
