"""Strategies are read in one way, wherever a file or a run's folder is named."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import fogtree
from fogtree.errors import FileFormatError, OptionError


@pytest.fixture
def places(tmp_path: Path) -> dict[str, Path]:
    """One strategy as a folder, a binary file and JSON."""
    run = fogtree.solve("kuhn_poker", iterations=50, save=tmp_path / "run")
    document = {"game": run.game, "strategy": run.strategy.to_dict(), "seconds": 1.0}
    (tmp_path / "text.json").write_text(json.dumps(document))
    binary = run.strategy.save(tmp_path / "binary.npz")
    table = fogtree.write_strategy(run.strategy, tmp_path / "table.csv")
    text = tmp_path / "text.json"
    return {"run": tmp_path / "run", "binary": binary, "text": text, "table": table}


@pytest.mark.parametrize("kind", ["run", "binary", "text", "table"])
def test_every_kind_is_read_measured_and_played(places: dict[str, Path], kind: str) -> None:
    path, tree = places[kind], fogtree.compile("kuhn_poker")
    first = fogtree.load_strategy(places["binary"])
    named = [] if kind == "table" else [fogtree.load_strategy(path)]
    for found in (*named, fogtree.load_strategy(path, tree)):
        np.testing.assert_allclose(found.for_tree(tree), first.probabilities, atol=1e-12)
    exact = fogtree.exploitability(tree, first).exploitability
    measured = fogtree.exploit("kuhn_poker", f"tabular:{path}", ["exact"])
    assert measured["exact"].value == pytest.approx(exact)
    assert fogtree.match("kuhn_poker", f"tabular:{path}", "random", games=4).games == 4


def test_a_table_does_not_name_its_game(places: dict[str, Path]) -> None:
    with pytest.raises(OptionError, match="give the game as well"):
        fogtree.load_strategy(places["table"])


@pytest.mark.parametrize("kind", ["run", "binary", "text", "table"])
def test_a_strategy_for_another_game_is_refused(places: dict[str, Path], kind: str) -> None:
    with pytest.raises(fogtree.FogtreeError):
        fogtree.load_strategy(places[kind], "leduc_poker")


def test_a_file_names_the_field_that_is_wrong(places: dict[str, Path]) -> None:
    path = places["text"]
    path.write_text('{"game": 3, "strategy": {}}')
    with pytest.raises(FileFormatError, match=r"text.json' is damaged: game must be a text"):
        fogtree.load_strategy(path)


def test_the_name_of_the_game_is_kept(places: dict[str, Path]) -> None:
    """The same tree under another name is accepted, and the strategy keeps the name in its file."""
    tree = fogtree.compile("kuhn_poker(bet=2)")
    for kind in ("binary", "text"):
        assert fogtree.load_strategy(places[kind], tree).game == "kuhn_poker"
    with pytest.raises(OptionError, match=r"not of 'kuhn_poker\(bet=2\)'"):
        fogtree.load_strategy(places["run"], tree)
