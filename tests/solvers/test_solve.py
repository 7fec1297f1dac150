"""solve(): limits, curves, own minimizers, and games that are not two-player zero-sum."""

from __future__ import annotations

import numpy as np
import pytest

from fogtree import (
    TERMINAL,
    Game,
    Minimizer,
    Recipe,
    State,
    Strategy,
    TabularSolver,
    best_response,
    compile,
    equilibrium,
    exploitability,
    inspect,
    load_game,
    resume,
    solve,
)
from fogtree.errors import FileFormatError, GameError, OptionError, UnknownNameError


def test_until(tree_of):
    run = solve(tree_of("kuhn_poker"), "cfr+", until=1e-3, every=1)
    assert run.stopped == "until"
    assert run.exploitability <= 1e-3
    assert run.iterations == 68  # tests/golden/data/convergence.toml
    assert run.reached(1e-2).iteration == 16


def test_without_a_limit_as_on_the_command_line(tmp_path):
    run = solve("kuhn_poker", save=tmp_path / "run")
    assert (run.iterations, run.stopped) == (1000, "iterations")
    assert resume(tmp_path / "run").iterations == 1000


def test_seconds_and_zero_iterations(tree_of):
    assert solve(tree_of("kuhn_poker"), seconds=0.05).stopped == "seconds"
    run = solve(tree_of("kuhn_poker"), iterations=0)
    assert run.iterations == 0
    assert run.strategy.to_dict() == Strategy.uniform(tree_of("kuhn_poker")).to_dict()


def test_checks_are_counted_apart(tree_of):
    run = solve(tree_of("leduc_poker"), iterations=200, every=1)
    assert len(run.curve) == 200
    assert run.check_seconds > 0
    assert run.curve[-1].seconds == run.seconds
    assert run.curve[-1].exploitability == pytest.approx(run.exploitability, abs=1e-12)


def test_progress_is_told(tree_of):
    seen = []
    solve(tree_of("kuhn_poker"), iterations=10, every=5, progress=seen.append)
    assert [check.iteration for check in seen] == [5, 10]


def test_a_result_does_not_change_afterwards(tree_of):
    solver = TabularSolver(tree_of("kuhn_poker"), "cfr")
    solver.run(5)
    before = solver.strategy()
    kept = before.to_dict()
    solver.run(50)
    assert before.to_dict() == kept
    with pytest.raises(ValueError):
        before.probabilities[0] = 0.3


def test_a_minimizer_of_ones_own(tree_of):
    class Squared(Minimizer):
        def weights(self, regret):
            return np.maximum(regret, 0) ** 2

    run = solve(
        tree_of("kuhn_poker"), Recipe("squared", Squared, averaging="linear"), iterations=2000
    )
    assert run.exploitability < 5e-3


def test_unknown_algorithm_suggests(tree_of):
    with pytest.raises(UnknownNameError, match=r"did you mean 'cfr\+'"):
        solve(tree_of("kuhn_poker"), "cfr++", iterations=1)


def test_three_players(tree_of):
    """Two-player proofs do not hold, but regret minimization does well on three-player Kuhn."""
    run = solve(tree_of("kuhn_poker(players=3)"), "cfr+", iterations=5000)
    assert run.exploitability < 1e-4
    assert run.nash_conv == pytest.approx(3 * run.exploitability)
    with pytest.raises(GameError, match="not a two-player zero-sum"):
        equilibrium(tree_of("kuhn_poker(players=3)"))


def test_best_response_gains_what_exploitability_says(tree_of):
    tree = tree_of("leduc_poker")
    uniform = Strategy.uniform(tree)
    measured = exploitability(tree, uniform)
    for player in (0, 1):
        answer = best_response(tree, uniform, player)
        assert answer.value == pytest.approx(measured.best_response_values[player])
        played = exploitability(tree, answer.strategy)
        assert played.values[player] == pytest.approx(answer.value)


def test_inspect_adds_up(tree_of):
    tree = tree_of("kuhn_poker")
    run = solve(tree, "pcfr+", iterations=2000)
    reports = {report.name: report for report in inspect(tree, run.strategy)}
    assert sum(reports[card].reach for card in "JQK") == pytest.approx(1)
    total = sum(reports[card].reach * reports[card].expected_value for card in "JQK")
    assert total == pytest.approx(run.value)
    assert reports["Jcb"].values == pytest.approx((-1.0, -2.0), abs=1e-6)


class Pennies(Game):
    """Matching pennies where one match pays more; its value is 0.2 of the scale."""

    players = 2

    def __init__(self, scale, offset=0.0):
        self.scale, self.offset = scale, offset

    def root(self):
        return Coins(self, ())


class Coins(State):
    def __init__(self, game, sides):
        self.game, self.sides = game, sides

    @property
    def player(self):
        return len(self.sides) if len(self.sides) < 2 else TERMINAL

    def actions(self):
        return ("heads", "tails")

    def child(self, action):
        return Coins(self.game, (*self.sides, action))

    def returns(self):
        pays = {("heads", "heads"): 2.0, ("tails", "tails"): 1.0}.get(self.sides, -1.0)
        return (
            self.game.scale * pays + self.game.offset,
            -self.game.scale * pays - self.game.offset,
        )

    def observation(self, player):
        return None

    def name(self):
        return f"player {self.player}"


@pytest.mark.parametrize("scale", [1e-300, 1e-30, 1e-9, 1.0, 1e30, 1e300])
@pytest.mark.parametrize("precision", ["float64", "float32"])
def test_payoffs_of_any_size(scale, precision):
    tree = compile(Pennies(scale))
    assert equilibrium(tree).value == pytest.approx(0.2 * scale, rel=1e-6)
    run = solve(tree, "cfr+", iterations=5000, precision=precision)
    assert run.value == pytest.approx(0.2 * scale, rel=1e-2)
    assert run.exploitability < 1e-2 * scale
    assert run.curve[-1].exploitability == pytest.approx(run.exploitability, abs=1e-4 * scale)


def test_a_large_offset_hides_no_decision():
    tree = compile(Pennies(0.3, offset=1e12))
    run = solve(tree, "cfr+", iterations=2000)
    assert run.exploitability < 0.01
    assert run.curve[-1].exploitability == pytest.approx(run.exploitability, abs=1e-3)


def test_padding_of_ones_own_minimizer_is_ignored(tree_of):
    class Exponential(Minimizer):
        def weights(self, regret):
            return np.exp(regret - regret.max(axis=0))

    solver = TabularSolver(tree_of("leduc_poker"), Recipe("mine", Exponential))
    solver.run(50)
    for mix in solver.current().to_dict().values():
        assert sum(mix.values()) == pytest.approx(1)


def test_a_recipe_of_ones_own_resumes_as_it_was(tree_of, tmp_path):
    tree = tree_of("leduc_poker")
    mine = Recipe("cfr+", "regret_matching", positive_exponent=2, negative_exponent=0)
    whole = solve(tree, mine, iterations=60)
    solve(tree, mine, iterations=30, save=tmp_path / "run")
    again = resume(tmp_path / "run", game=tree, iterations=60)
    assert np.array_equal(whole.strategy.probabilities, again.strategy.probabilities)


def test_strategies_that_cannot_be(tree_of):
    tree = tree_of("kuhn_poker")
    whole = Strategy.uniform(tree)
    for wrong in (np.zeros(1), np.zeros(24), np.full(24, np.nan), np.full(24, 3.0)):
        with pytest.raises(OptionError):
            Strategy(tree.game, whole.names, whole.labels, whole.infoset_player, wrong)
        with pytest.raises(OptionError):
            Strategy.of(tree, wrong)


def test_states_that_cannot_be(tree_of):
    solver = TabularSolver(tree_of("kuhn_poker"), "cfr+")
    solver.run(5)
    good = solver.state()
    for name, wrong in (
        ("regret", np.full(24, np.nan)),
        ("strategy", np.full(24, 7.0)),
        ("average", np.full(24, -1.0)),
        ("iteration", -5),
        ("weight", float("nan")),
        ("regret", np.zeros(3)),
    ):
        with pytest.raises(FileFormatError):
            solver.restore({**good, name: wrong})
    solver.restore(good)


def test_wrong_kinds_of_numbers(tree_of):
    tree = tree_of("kuhn_poker")
    for options in (
        {"iterations": 1.5},
        {"iterations": 1, "every": 2.5},
        {"iterations": 1, "threads": 2**40},
        {"iterations": 1, "delay": 0.5},
    ):
        with pytest.raises(OptionError):
            solve(tree, **options)
    with pytest.raises(UnknownNameError):
        Recipe("x", "nope")


def test_a_game_by_name():
    by_name = solve("kuhn_poker(bet=2)", "cfr+", iterations=50)
    by_game = solve(load_game("kuhn_poker(bet=2)"), "cfr+", iterations=50)
    assert by_name.game == "kuhn_poker(bet=2)"
    assert by_name.strategy.to_dict() == by_game.strategy.to_dict()
    assert compile("kuhn_poker").game == "kuhn_poker"
    with pytest.raises(UnknownNameError, match="did you mean 'kuhn_poker'"):
        solve("kuhn_pokr", iterations=1)
    with pytest.raises(OptionError, match="a game is needed"):
        compile(7)
