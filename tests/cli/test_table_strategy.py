"""``fogtree strategy show`` of a table that was sampled without compiling."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import fogtree
from fogtree.cli import main


@pytest.fixture
def table(tmp_path: Path) -> str:
    run = fogtree.simulate("leduc_poker", "mccfr-outcome", iterations=2_000)
    return str(run.strategy().save(tmp_path / "table"))


def test_show_prints_what_games_come_to(table: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["strategy", "show", table, "--top", "5"]) == 0
    shown = capsys.readouterr().out
    assert "2,000 games by this strategy" in shown
    assert main(["strategy", "show", table, "--json", "--top", "3"]) == 0
    document: dict[str, Any] = json.loads(capsys.readouterr().out)
    assert document["game"] == "leduc_poker"
    assert len(document["infosets"]) == 3
    for row in document["infosets"]:
        assert sum(action["probability"] for action in row["actions"].values()) == pytest.approx(1)
        assert 0 < row["reach"] <= 1


@pytest.mark.parametrize(
    ("more", "words"),
    [
        (["--infoset", "Js"], "--infoset takes a strategy of a compiled game"),
        (["--rounding", "2"], "--rounding takes a strategy of a compiled game"),
        (["--game", "kuhn_poker"], "is for 'leduc_poker', not for 'kuhn_poker'"),
    ],
)
def test_what_takes_the_compiled_game_is_refused(
    table: str, more: list[str], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["strategy", "show", table, *more]) == 2
    assert words in " ".join(capsys.readouterr().err.split())
