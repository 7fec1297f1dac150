"""Comparisons: dense measurements, milestones, and when distances are measured."""

from __future__ import annotations

import pytest

from fogtree import Check, Recipe, compile, load_game, solve
from fogtree.errors import FogtreeError
from fogtree.minimizers import RegretMatching
from fogtree.solvers.compare import TARGETS, compare, measurable, milestones


@pytest.fixture(scope="module")
def tree():
    return compile(load_game("kuhn_poker"))


def test_each_contender_is_the_run_that_solve_makes(tree):
    comparison = compare(tree, ["cfr", "dcfr"], iterations=300)
    for contender in comparison.contenders:
        straight = solve(tree, contender.run.algorithm, iterations=300)
        assert (contender.run.strategy.probabilities == straight.strategy.probabilities).all()
        assert contender.run.iterations == 300
        assert contender.nearest is not None
    assert comparison.value == pytest.approx(-1 / 18)
    assert not comparison.interrupted


def test_a_milestone_is_found_to_one_part_in_twenty(tree):
    comparison = compare(tree, ["pcfr+"], iterations=2000)
    every = solve(tree, "pcfr+", iterations=2000, every=1)
    for found, exact in zip(comparison.contenders[0].milestones, milestones(every), strict=True):
        assert exact.iteration is not None
        assert exact.iteration <= found.iteration <= exact.iteration * 1.05 + 1


def test_milestones_never_reached_are_none(tree):
    run = solve(tree, "cfr", iterations=1)
    assert [milestone.iteration for milestone in milestones(run)] == [None] * len(TARGETS)


def test_own_algorithms_take_part(tree):
    own = Recipe("own", RegretMatching)
    comparison = compare(tree, ["cfr", own], iterations=50)
    first, second = (one.run.exploitability for one in comparison.contenders)
    assert first == pytest.approx(second, abs=1e-12)


def test_distances_only_where_they_exist_and_come_quickly(tree):
    assert measurable(tree)
    assert not measurable(compile(load_game("kuhn_poker(players=3)")))
    assert compare(tree, ["cfr"], iterations=5, distances=False).contenders[0].nearest is None


def test_progress_names_the_algorithm(tree):
    seen: list[tuple[str, Check]] = []
    compare(
        tree,
        ["cfr", "cfr+"],
        iterations=10,
        progress=lambda name, check: seen.append((name, check)),
    )
    assert {name for name, _ in seen} == {"cfr", "cfr+"}


@pytest.mark.parametrize("algorithms", [[], ["cfr", "cfr"], ["cfrr"]])
def test_bad_lists(tree, algorithms):
    with pytest.raises(FogtreeError):
        compare(tree, algorithms, iterations=5)
