"""Strategies as CSV, JSON, binary files and data frames, and back."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import fogtree
from fogtree import GameTree, Strategy
from fogtree.errors import FileFormatError, OptionError, UnknownNameError

GAMES = (
    "kuhn_poker",
    "leduc_poker(ranks=2, raises=1)",
    "goofspiel(cards=3)",
    "liars_dice(sides=2)",
)


@pytest.fixture(scope="module", params=GAMES)
def solved(request: pytest.FixtureRequest) -> tuple[GameTree, Strategy]:
    tree = fogtree.compile(request.param)
    return tree, fogtree.solve(tree, iterations=60).strategy


@pytest.mark.parametrize("ending", ["csv", "json", "npz", ""])
def test_a_strategy_is_read_as_it_was_written(
    solved: tuple[GameTree, Strategy], ending: str, tmp_path: Path
) -> None:
    tree, strategy = solved
    file = fogtree.write_strategy(strategy, tmp_path / f"strategy.{ending}".rstrip("."))
    again = fogtree.load_strategy(file, tree)
    assert again.game == strategy.game
    assert np.array_equal(again.probabilities, strategy.probabilities)


def test_a_strategy_comes_back_from_a_data_frame(solved: tuple[GameTree, Strategy]) -> None:
    pytest.importorskip("pandas", reason="needs pandas: pip install 'fogtree[frames]'")
    tree, strategy = solved
    frame = strategy.to_frame()
    again = Strategy.from_rows(tree, frame.sample(frac=1, random_state=1).to_dict("records"))
    assert np.array_equal(again.probabilities, strategy.probabilities)


def test_the_format_can_be_given(tmp_path: Path) -> None:
    strategy = Strategy.uniform(fogtree.compile("matching_pennies"))
    file = fogtree.write_strategy(strategy, tmp_path / "table.txt", "csv")
    assert file.read_text().splitlines()[0] == "infoset,player,action,probability"
    with pytest.raises(OptionError, match="ends in one of"):
        fogtree.write_strategy(strategy, tmp_path / "table.txt")
    with pytest.raises(OptionError, match="format must be one of json, csv, npz, not 'xml'"):
        fogtree.write_strategy(strategy, tmp_path / "table.csv", "xml")


def test_columns_in_any_order_and_from_a_spreadsheet(tmp_path: Path) -> None:
    file = tmp_path / "table.csv"
    rows = ["row,heads,1", "row,tails,0", "column,heads,0.25", "column,tails,0.75"]
    text = "\r\n".join(
        ["action,infoset,note,probability"]
        + [f"{action},{name},,{share}" for name, action, share in (row.split(",") for row in rows)]
    )
    file.write_bytes(b"\xef\xbb\xbf" + text.encode())
    strategy = fogtree.load_strategy(file, "matching_pennies")
    assert strategy.to_dict() == {
        "row": {"heads": 1.0, "tails": 0.0},
        "column": {"heads": 0.25, "tails": 0.75},
    }


HEAD = "infoset,player,action,probability\n"
ROW = "row,0,heads,0.5\nrow,0,tails,0.5\n"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (HEAD + ROW, ": nothing is said about information set 'column'"),
        (HEAD + "row,0,heads", ", line 2: 3 cells under 4 names of columns"),
        (HEAD + ROW + "column,1,heads,half", ", line 4: probability must be a number, not 'half'"),
        (HEAD + ROW + "row,0,heads,0.5", ": action 'heads' at 'row' is there twice"),
        (HEAD + ROW + "column,0,heads,1", ": another player decides at information set 'column'"),
        (HEAD + ROW + "column,1,head,1", ": unknown action at 'column' 'head'"),
        (HEAD + ROW + "middle,1,heads,1", ": unknown information set 'middle'"),
        (HEAD + ROW + "column,1,heads,0.5", ": probabilities at 'column' must be at least 0"),
        (HEAD + ROW + "column,1,heads,nan", ": probabilities at 'column' must be at least 0"),
        (HEAD + ROW + 'column,1,"heads', ", line 4: unexpected end of data"),
        ("infoset,action\n", " must have columns infoset, action and probability"),
    ],
)
def test_a_damaged_table_is_refused_in_one_line(text: str, says: str, tmp_path: Path) -> None:
    file = tmp_path / "table.csv"
    file.write_text(text)
    with pytest.raises(FileFormatError) as caught:
        fogtree.load_strategy(file, "matching_pennies")
    assert str(caught.value).startswith(f"'{file}'{says}")
    assert "\n" not in str(caught.value)


def test_rows_of_another_game_are_refused() -> None:
    rows = Strategy.uniform(fogtree.compile("kuhn_poker")).rows()
    with pytest.raises(UnknownNameError, match="information set"):
        Strategy.from_rows(fogtree.compile("matching_pennies"), rows)
