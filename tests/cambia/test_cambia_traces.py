"""Games of an independent engine, step by step, in both engines.

Seven short games are kept here; all 600 are read where the project's data lies beside it.
"""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from cambia_engines import native_rules

from fogtree import _core
from fogtree.games.cambia.cards import CODE, NAMES
from fogtree.games.cambia.position import Position
from fogtree.games.cambia.rules import make_rules

ROOT = Path(__file__).parents[2]
EXCERPT = ROOT / "tests" / "golden" / "cambia_traces.jsonl"
ALL = ROOT.parent / "shared" / "data" / "cambia_traces.jsonl.gz"


def first(engine: str, trace: dict[str, Any], *, earlier_defects: bool) -> Any:
    given = dict(trace["rules"])
    given["looks"] = given.pop("peek")
    rules = make_rules(2, trace["profile"], "full", earlier_defects, given)
    if engine == "python":
        position: Any = Position.first(rules)
    else:
        position = _core.CambiaPosition.first(native_rules(rules))
    position = position.child(trace["starter"])
    for cards in zip(*trace["hands"], strict=True):
        for card in cards:
            position = position.child(CODE[card])
    return position.child(CODE[trace["discard"]])


def follow(engine: str, trace: dict[str, Any], *, earlier_defects: bool = True) -> int:
    """Checks every step; how many there were."""
    position = first(engine, trace, earlier_defects=earlier_defects)
    stock = [CODE[card] for card in trace["stock"]]
    for player, phase, legal, action, *after in trace["steps"]:
        assert (position.player, position.phase) == (player, phase)
        assert position.legal() == legal
        position = position.child(action)
        while position.player == -1:
            position = position.child(stock.pop())
        hands = [[NAMES[card] for card in hand] for hand in position.hands]
        top = [NAMES[card] for card in position.discard[-1:]]
        counts = [len(position.discard), len(position.stock), position.turn]
        assert [hands, top, *counts] == after
    if trace["end"] == "terminal":
        assert position.player == -2
        assert position.returns() == trace["returns"]
    return len(trace["steps"])


def excerpt() -> list[dict[str, Any]]:
    return [json.loads(line) for line in EXCERPT.read_text().splitlines()]


@pytest.mark.parametrize("engine", ["python", "native"])
def test_excerpt(engine: str) -> None:
    assert [follow(engine, trace) for trace in excerpt()] == [12, 13, 3, 3, 19, 19, 4]


@pytest.mark.skipif(not ALL.exists(), reason="the project's data is not beside it")
@pytest.mark.parametrize("engine", ["python", "native"])
def test_every_step_of_every_game(engine: str) -> None:
    with gzip.open(ALL, "rt") as lines:
        counts = [follow(engine, json.loads(line)) for line in lines]
    assert (len(counts), sum(counts)) == (600, 45_816)


@pytest.mark.parametrize("engine", ["python", "native"])
def test_the_last_game_shows_a_defect(engine: str) -> None:
    """There a locked caller's cards were offered for snapping; by default they are not."""
    trace = excerpt()[-1]
    follow(engine, trace, earlier_defects=True)
    with pytest.raises(AssertionError):
        follow(engine, trace, earlier_defects=False)
