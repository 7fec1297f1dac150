"""600 games of an independent engine, step by step, in both engines."""

from __future__ import annotations

import hashlib
import json
from functools import cache
from typing import Any

import pytest

from fogtree import _core
from fogtree.games.cambia.cards import CODE, NAMES
from fogtree.games.cambia.position import SNAP, Position
from fogtree.games.cambia.rules import make_rules
from tests.support.cambia_engines import native_rules
from tests.support.cambia_traces import Trace, read_original, read_packed
from tests.support.paths import ROOT

ORIGINAL = ROOT.parent / "shared" / "data" / "cambia_traces.jsonl.gz"
DIGEST = "eb27aba95f1cf9dd202dce3ddc38b16f5e3cbf4f2e6f9552d34bd11f7f22b012"  # of its text
SNAP_OTHER = set(range(104, 110))

traces = cache(read_packed)


def first(engine: str, trace: Trace, *, earlier_defects: bool) -> Any:
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


def follow(engine: str, trace: Trace, *, earlier_defects: bool = True) -> int:
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


def test_nothing_of_the_original_is_left_out() -> None:
    text = "".join(json.dumps(trace, separators=(",", ":")) + "\n" for trace in traces())
    assert hashlib.sha256(text.encode()).hexdigest() == DIGEST


@pytest.mark.skipif(not ORIGINAL.exists(), reason="the original is not beside the project")
def test_the_original_is_the_same() -> None:
    assert traces() == read_original(ORIGINAL)


@pytest.mark.parametrize("engine", ["python", "native"])
def test_every_step_of_every_game(engine: str) -> None:
    counts = [follow(engine, trace) for trace in traces()]
    assert (len(counts), sum(counts)) == (600, 45_816)


@pytest.mark.parametrize("engine", ["python", "native"])
def test_by_default_a_locked_callers_cards_are_not_offered(engine: str) -> None:
    """That is all that differs from the independent engine, in 23 of the games."""
    found = [missing for trace in traces() if (missing := not_offered(engine, trace))]
    assert len(found) == 23
    assert all(set(missing) <= SNAP_OTHER for missing in found)


def not_offered(engine: str, trace: Trace) -> list[int]:
    """What the trace offers first that the rules without earlier defects do not."""
    position = first(engine, trace, earlier_defects=False)
    stock = [CODE[card] for card in trace["stock"]]
    for _, phase, legal, action, *_ in trace["steps"]:
        if position.legal() != legal:
            assert (position.phase, phase) == (SNAP, SNAP)
            assert position.caller >= 0
            assert set(position.legal()) < set(legal)
            return [action for action in legal if action not in position.legal()]
        position = position.child(action)
        while position.player == -1:
            position = position.child(stock.pop())
    return []
