"""Pictures: what is in them, how they are written, and that pyplot is left alone."""

from __future__ import annotations

import subprocess
import sys
from itertools import pairwise

import pytest

pytest.importorskip("matplotlib")

from fogtree import Check, Strategy, compile, inspect, load_game, solve
from fogtree.errors import FogtreeError, MissingExtraError, OptionError
from fogtree.plot import (
    convergence,
    mix_bars,
    mix_map,
    require_matplotlib,
    save_figure,
    side_by_side,
)
from fogtree.plot.curves import spread
from fogtree.plot.figure import FADED_REACH


@pytest.fixture(scope="module")
def kuhn():
    tree = compile(load_game("kuhn_poker"))
    runs = {name: solve(tree, name, iterations=200) for name in ("cfr", "cfr+")}
    return tree, runs


def texts(axes):
    return {text.get_text() for text in axes.texts}


def test_convergence_draws_what_was_measured(kuhn):
    _, runs = kuhn
    figure = convergence({name: run.curve for name, run in runs.items()}, title="kuhn_poker")
    left, right = figure.axes
    assert left.get_xscale() == left.get_yscale() == right.get_xscale() == "log"
    assert left.get_ylabel() == "exploitability (NashConv / 2)"
    for line, run in zip(left.lines, runs.values(), strict=True):
        assert list(line.get_xdata()) == [check.iteration for check in run.curve]
        assert list(line.get_ydata()) == [check.exploitability for check in run.curve]
    for line, run in zip(right.lines, runs.values(), strict=True):
        assert list(line.get_xdata()) == [check.seconds for check in run.curve]
    assert texts(left) == texts(right) == set(runs)


def test_convergence_of_little_or_nothing(tmp_path):
    none = [Check(0, 0.0, 0.5, 0.0)]
    solved = [Check(1, 1e-6, 0.0, 0.0), Check(2, 2e-6, 0.0, 0.0)]
    one = [Check(1, 1e-6, 0.1, 0.0)]
    for curves in ({}, {"none": none}, {"solved": solved}, {"one": one, "$odd": solved}):
        save_figure(convergence(curves, title="a $ sign"), tmp_path / "x.png")


def test_names_do_not_overlap():
    heights = spread([0.1, 0.11, 0.12, 0.5, 0.9, 0.9], 0.05)
    gaps = [b - a for a, b in pairwise(heights)]
    assert min(gaps) >= 0.05 - 1e-12
    assert heights[3] == 0.5
    assert spread([], 0.1) == []


def test_bars_fill_the_row(kuhn):
    tree, runs = kuhn
    figure = mix_bars(inspect(tree, runs["cfr+"].strategy), title="kuhn_poker")
    assert len(figure.axes) == 2
    for axes in figure.axes:
        assert sum(patch.get_width() for patch in axes.patches) == pytest.approx(6)


def test_what_is_hardly_reached_is_faded(kuhn):
    tree, _ = kuhn
    always_check = Strategy.from_mapping(tree, {name: {"check": 1} for name in ("J", "Q", "K")})
    reports = [report for report in inspect(tree, always_check) if report.name in ("Jb", "Jc")]
    assert min(report.reach for report in reports) < FADED_REACH
    alphas = {patch.get_alpha() for axes in mix_bars(reports).axes for patch in axes.patches}
    assert len(alphas) == 2


@pytest.mark.parametrize("name", ["a.png", "a.svg", "a.pdf"])
def test_all_pictures_in_all_formats(kuhn, tmp_path, name):
    tree, runs = kuhn
    reports = {algorithm: inspect(tree, run.strategy) for algorithm, run in runs.items()}
    for figure in (mix_map(reports["cfr"]), side_by_side(reports), mix_bars(reports["cfr"])):
        assert save_figure(figure, tmp_path / name).stat().st_size > 1000


def test_side_by_side_shows_every_probability(kuhn):
    tree, runs = kuhn
    reports = {algorithm: inspect(tree, run.strategy) for algorithm, run in runs.items()}
    image = side_by_side(reports).axes[0].images[0].get_array()
    assert image.shape == (24, 2)
    assert image[:, 1].tolist() == pytest.approx(runs["cfr+"].strategy.probabilities.tolist())


def test_unknown_format_and_missing_folder(kuhn, tmp_path):
    figure = convergence({})
    with pytest.raises(OptionError, match=r"\.png"):
        save_figure(figure, tmp_path / "x.gif")
    with pytest.raises(FogtreeError, match="cannot write"):
        save_figure(figure, tmp_path / "no" / "x.png")


def test_without_matplotlib(monkeypatch):
    monkeypatch.setattr("fogtree.plot.figure.find_spec", lambda name: None)
    with pytest.raises(MissingExtraError, match=r"fogtree\[plot\]"):
        require_matplotlib()
    with pytest.raises(MissingExtraError):
        convergence({})


def test_pyplot_is_left_alone(tmp_path):
    code = (
        "import sys; from fogtree.plot import convergence, save_figure; from fogtree import Check\n"
        "save_figure(convergence({'a': [Check(1, 1.0, 0.1, 0.0)]}), 'x.png')\n"
        "assert 'matplotlib.pyplot' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], cwd=tmp_path, check=True)
    assert (tmp_path / "x.png").exists()
