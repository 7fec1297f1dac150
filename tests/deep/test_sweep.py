"""Sweeps: settings as they are written, all their combinations, and the rows of the table."""

from __future__ import annotations

import pytest

from fogtree.deep.sweep import SweepRun, grid, read_settings, short_names, sweep_rows, tables_of
from fogtree.errors import FogtreeError


def test_settings_become_tables():
    settings = read_settings(["method=dcfr_plus,mmd", "network.hidden=[8, 8],[16]", "seconds=3"])
    assert [len(many) for many in settings] == [2, 2, 1]
    runs = grid(settings, [4, 5])
    assert len(runs) == 8
    assert tables_of(runs[0]) == {
        "run": {"method": "dcfr_plus", "seconds": 3, "seed": 4},
        "network": {"hidden": (8, 8)},
    }
    assert short_names(settings) == {"run.method": "method", "network.hidden": "hidden"}


def test_keys_of_several_sections_are_told_apart():
    settings = read_settings(["regret.steps=1,2", "value.steps=3,4", "average=single"])
    assert short_names(settings) == {"regret.steps": "regret.steps", "value.steps": "value.steps"}
    assert settings[2] == [("run.average", "single")]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("metod=mmd", "did you mean 'method'?"),
        ("regret.stepz=3", "did you mean 'steps'?"),
        ("regrets.steps=3", "did you mean 'regret'?"),
        ("steps=3", "write regret.steps or average.steps or value.steps or policy.steps"),
        ("method", "write it like  key=value,value"),
        ("method=", "write it like  key=value,value"),
    ],
)
def test_wrong_settings_are_told(text, says):
    with pytest.raises(FogtreeError, match=says.replace("?", r"\?")):
        read_settings([text])


def test_the_same_option_twice_is_refused():
    with pytest.raises(FogtreeError, match="twice"):
        read_settings(["method=mmd", "run.method=dcfr_plus"])


def run(method, seed, points):
    lines = [{"nodes": n, "seconds": s, "exploitability": e} for n, s, e in points[:-1]]
    lines.insert(1, {"nodes": 150, "seconds": 1.5})  # an iteration that was not measured
    nodes, seconds, value = points[-1]
    document = {"iterations": 9, "nodes": nodes, "seconds": seconds, "exploitability": value}
    return SweepRun.of((("run.method", method), ("run.seed", str(seed))), document, lines)


def test_rows_compare_at_the_end_and_at_equal_nodes():
    runs = [
        run("a", 1, [(100, 1, 0.5), (300, 3, 0.3)]),
        run("a", 2, [(100, 1, 0.7), (400, 3, 0.1)]),
        run("b", 1, [(200, 1, 0.9), (300, 2, 0.8), (900, 3, 0.2)]),
    ]
    first, second = sweep_rows(runs)
    assert (first.runs, first.seconds, first.nodes) == (2, 3, 350)
    assert first.final == (0.3, 0.1)
    assert first.equal_nodes == second.equal_nodes == 300
    assert first.at_equal_nodes == (0.3, 0.7)
    assert second.at_equal_nodes == (0.8,)
    assert second.final == (0.2,)
    assert sweep_rows([]) == []


def test_compared_methods_get_only_the_options_that_they_use():
    settings = read_settings(["method=dcfr_plus,mmd", "regret.steps=5,6", "policy.steps=7"])
    assert grid(settings, ()) == [
        (("run.method", "dcfr_plus"), ("regret.steps", "5")),
        (("run.method", "dcfr_plus"), ("regret.steps", "6")),
        (("run.method", "mmd"), ("policy.steps", "7")),
    ]


def test_an_option_that_no_compared_method_uses_is_refused():
    with pytest.raises(FogtreeError, match=r"policy\.steps means nothing"):
        grid(read_settings(["method=deep_cfr,dcfr_plus", "policy.steps=3"]), ())
