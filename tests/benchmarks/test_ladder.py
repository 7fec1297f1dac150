"""The ratings of ``benchmarks/ladder.py``."""

from __future__ import annotations

import importlib
import json
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import pytest

from fogtree.arena.ledger import Outcome
from fogtree.games.fog_chess.levels import LEVELS
from fogtree.games.fog_chess.network.file import find_net, net_sha256, read_net
from tests.support.paths import ROOT

LADDER = ROOT / "benchmarks" / "ladder.py"


NET = net_sha256(read_net(find_net()))


def printed(file: Path, *options: str) -> list[str]:
    """The rows of the table that the ladder prints."""
    done = subprocess.run(
        [sys.executable, str(LADDER), "--file", str(file), *options],
        capture_output=True,
        text=True,
        check=True,
    )
    return [line for line in done.stdout.splitlines() if line.startswith("|")]


def test_ratings_are_those_of_the_kept_games(tmp_path: Path) -> None:
    """Three of four points are 191 Elo points; a cut line at the end is skipped, and
    ``greedy`` has the rating 1000."""
    file = tmp_path / "ladder.jsonl"
    chain = ["random", LEVELS[0].agent, LEVELS[1].agent, "greedy"]
    rows = [
        {"net": NET, "first": first, "second": second, "deal": deal, "gains": [-1.0, gain]}
        for first, second in pairwise(chain)
        for deal in range(1000)
        for gain in (-1.0 if deal % 2 else 1.0,)
    ]
    rows += [row | {"net": "another", "gains": [1.0, 1.0]} for row in rows]
    lines = [json.dumps(row) for row in rows]
    file.write_text("\n".join([*lines, lines[0][:20]]))
    table = [
        [cell.strip() for cell in row.strip("|").split("|")]
        for row in printed(file, "--games", "0")
    ]
    assert [row[0] for row in table[2:]] == ["random", "level 1", "level 2", "greedy"]
    assert [row[2] for row in table[2:]] == ["2000", "4000", "4000", "2000"]
    ratings = [tuple(map(float, row[3].split(" ± "))) for row in table[2:]]
    margin = 1.96 * 400 / 2.302585 / (2000 * 0.75 * 0.25) ** 0.5
    for steps, (rating, half) in enumerate(reversed(ratings)):
        assert rating == pytest.approx(1000 - 190.8 * steps, abs=1)
        assert half == pytest.approx(margin * steps**0.5, abs=1)
    assert float(table[4][4].split(" ± ")[1]) == pytest.approx(margin, abs=1)


def test_a_file_without_games_of_the_anchor(tmp_path: Path) -> None:
    assert printed(tmp_path / "none.jsonl", "--games", "0") == []


def test_a_row_after_a_cut_one_is_read_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(LADDER.parent))
    ladder = importlib.import_module("ladder")
    file = tmp_path / "ladder.jsonl"
    file.write_text('{"first": "a", "sec')
    games = [Outcome(1.0, 0.0, {}, None)]
    for deal in range(2):
        ladder.Results(file, "net").add("a", "b", deal, games)
    assert ladder.Results(file, "another").deals == {}
    assert ladder.Results(file, "net").deals == {("a", "b", 0): [1.0], ("a", "b", 1): [1.0]}
