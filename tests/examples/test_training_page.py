"""The example of the page on training does what the page says."""

from __future__ import annotations

import re
import runpy
from pathlib import Path

import pytest

from fogtree.cli import main

PAGE = Path(__file__).parents[2] / "docs" / "howto" / "train_on_your_game.md"


@pytest.fixture
def code():
    blocks = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    assert len(blocks) == 1
    return blocks[0]


def test_the_example_learns(code, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "high_card.py"
    file.write_text(code[: code.index("run = train(")], encoding="utf-8")
    (tmp_path / "whole.py").write_text(code, encoding="utf-8")
    names = runpy.run_path("whole.py", run_name="whole")
    assert names["run"].exploitability < 0.05
    capsys.readouterr()
    agent = "deep:high-card/policy.npz"
    status = main(
        ["exploit", "high_card.py:HighCard", "--agent", agent, "--method", "exact", "--json"]
    )
    assert status == 0
