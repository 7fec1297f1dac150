"""Sampled algorithms from the command line."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from fogtree.cli.sampling import read_memory


def test_solve_by_sampling(done):
    arguments = ("solve", "kuhn_poker", "-a", "mccfr-external", "--workers", 2, "--batch", 100)
    first = done(*arguments, "-n", 20_000, "--seed", 5, "--json").document
    again = done(*arguments, "-n", 20_000, "--seed", 5, "--json").document
    other = done(*arguments, "-n", 20_000, "--seed", 6, "--json").document
    assert first["strategy"] == again["strategy"] != other["strategy"]
    assert first["iterations"] == 20_000
    assert first["exploitability"] < 0.05
    assert first["precision"] == "float32"
    work = first["sampled"]
    assert (work["workers"], work["batch"], work["seed"], work["infosets"]) == (2, 100, 5, 12)
    assert work["nodes"] == first["curve"][-1]["nodes"]


def test_nodes_are_shown(done):
    output = done("solve", "leduc_poker", "-a", "mccfr-robust+", "-n", 2000).output
    assert "per second)" in output
    assert "seed 0, 1 thread, batches of 1,000, tried 2" in output


def test_interrupted_runs_go_on(done):
    options = ("-a", "mccfr-outcome", "--seed", 2, "--batch", 50)
    done("solve", "kuhn_poker", *options, "-n", 500, "--save", "run")
    rest = done("resume", "run", "-n", 1500, "--json").document
    whole = done("solve", "kuhn_poker", *options, "-n", 1500, "--json").document
    assert rest["strategy"] == whole["strategy"]
    assert rest["sampled"] == whole["sampled"]


@pytest.mark.parametrize(
    ("algorithm", "constants"),
    [
        ("mccfr-robust", {"tried": 1}),
        ("mccfr-outcome", {"exploration": 0.3}),
        ("mccfr-outcome-baseline", {"exploration": 0.3, "baseline_rate": 0.5}),
        ("mccfr-average", {"epsilon": 0.5, "tau": 2.0, "beta": 3.0}),
    ],
)
def test_constants_are_kept_by_a_saved_run(done, command, algorithm, constants):
    options = ("solve", "leduc_poker", "-a", algorithm, "--seed", 2, "--batch", 100)
    given = [f"--{name.replace('_', '-')}={value}" for name, value in constants.items()]
    done(*options, *given, "-n", 500, "--save", "run")
    rest = done("resume", "run", "-n", 1500, "--json").document
    whole = done(*options, *given, "-n", 1500, "--json").document
    assert rest["strategy"] == whole["strategy"]
    assert rest["sampled"]["constants"] == constants
    usual = done(*options, "-n", 1500, "--json").document
    assert usual["strategy"] != whole["strategy"]
    refused = command("solve", "kuhn_poker", "-a", "mccfr-external", *given)
    assert refused.status == 2
    assert f"mccfr-external has no {next(iter(constants))}: it is for " in refused.errors
    assert algorithm in refused.errors


def test_a_game_too_large_to_compile(done, command):
    game = "liars_dice(dice=2)"
    options = ("-a", "mccfr-robust", "--batch", 50, "--seed", 1)
    part = done("solve", game, *options, "-n", 100, "--save", "run", "--json").document
    assert part["exploitability"] is None
    assert part["sampled"]["infosets"] > 100
    rest = done("resume", "run", "-n", 300, "--json").document
    whole = done("solve", game, *options, "-n", 300, "--json").document
    assert rest["sampled"] == whole["sampled"]
    assert "native simulator" in done("resume", "run", "-n", 350).output
    shown = command("strategy", "show", "run")
    assert shown.status == 2
    assert "fogtree resume run --output FILE" in shown.errors
    assert "strategy written to table" in done("resume", "run", "--output", "table").output
    full = command("solve", game, *options, "-n", 10**9, "--memory", "6MB")
    assert full.status == 0
    assert "the memory allowed is full. Of 6.0 MB, 1.8 MB are for the tables" in full.errors
    none = command("solve", game, *options, "-n", 10**9, "--memory", "1MB", "--save", "none")
    assert (none.status, none.output) == (2, "")
    assert "not even one batch of 50 walks fits" in none.errors
    assert "or -a mccfr-outcome" in none.errors
    for wrong in (("--until", "0.1"), ("--output", "strategy.json")):
        refused = command("solve", game, *options, *wrong)
        assert refused.status == 2
        assert "needs the compiled game" in refused.errors


def test_the_size_of_a_game_too_large(done):
    assert "more than 20,000,000" in done("info", "cambia").output
    assert done("info", "cambia", "--json").document["histories_above"] == 20_000_000


def test_an_abstraction_from_training_to_the_table(done, command):
    game, options = "cambia(max_turns=6)", ("-a", "mccfr-outcome", "--batch", 200)
    trained = ("--abstraction", "own_hand_in_buckets", "-n", 2000, "--output", "table")
    told = done("solve", game, *options, *trained).output
    assert "own_hand_in_buckets" in told
    assert "strategy written to table" in told
    result = done("arena", game, "--agents", "tabular:table,random", "--games", 20, "--json")
    assert "tabular:table" in str(result.document)
    for wrong, why in (
        (("-a", "cfr+", "--abstraction", "own_hand"), "knows no abstraction"),
        ((*options, "--abstraction", "nothing"), "abstraction of cambia"),
    ):
        refused = command("solve", game, *wrong, "-n", 10)
        assert refused.status == 2
        assert why in refused.errors


@pytest.mark.parametrize(
    ("text", "size"),
    [("4GB", 4 * 10**9), ("500 mb", 5 * 10**8), ("1.5k", 1536), ("123", 123), (None, None)],
)
def test_amounts_of_memory(text, size):
    assert read_memory(text) == size


@pytest.mark.parametrize(
    "wrong",
    [
        ("-a", "mccfr-extern"),
        ("-a", "mccfr-external", "--memory", "lots"),
        ("-a", "mccfr-external", "--workers", "0"),
        ("-a", "mccfr-external", "--simultaneous"),
        ("-a", "mccfr-external", "--backend", "smoke"),
        ("-a", "cfr+", "--backend", "ray"),
        ("-a", "cfr+", "--tried", "2"),
        ("-a", "mccfr-robust", "--tried", "0"),
        ("-a", "mccfr-outcome", "--exploration", "nan"),
        ("-a", "mccfr-outcome", "--exploration", "1e-46"),
        ("-a", "mccfr-average", "--beta", "1e39"),
        ("-a", "mccfr-average", "--tau", "1e39"),
    ],
)
def test_bad_input_is_told_in_one_line(command, wrong):
    outcome = command("solve", "kuhn_poker", "-n", 10, *wrong)
    assert outcome.status == 2
    assert outcome.output == ""
    assert len(outcome.errors.strip().splitlines()) == 1


@pytest.mark.parametrize("game", ["kuhn_poker", "cambia"])
def test_iterations_are_said_to_be_rounded_up(command, tmp_path, game):
    options = ("-a", "mccfr-outcome", "--batch", 30, "--workers", 2, "--json")
    rounded = "100 iterations were rounded up to 120, whole batches of 30 for each of 2 workers"
    outcome = command("solve", game, *options, "-n", 100, "--save", tmp_path / "run")
    assert outcome.status == 0
    assert len(outcome.errors.strip().splitlines()) == 1
    assert rounded in outcome.errors
    assert "rounded up to 180" in command("resume", tmp_path / "run", "-n", 130, "--json").errors
    assert "rounded" not in command("resume", tmp_path / "run", "-n", 10, "--json").errors
    assert command("solve", game, *options, "-n", 120).errors == ""


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        (("--precision", "float32"), "float64, not float32"),
        (("--every", 10), "leave out --every"),
        (("--until", 0.1), "leave out --until"),
    ],
)
def test_what_a_table_does_not_have_is_refused(command, wrong, why):
    outcome = command("solve", "cambia", "-a", "mccfr-outcome", "-n", 10, *wrong)
    assert (outcome.status, outcome.output) == (2, "")
    assert len(outcome.errors.strip().splitlines()) == 1
    assert why in outcome.errors
    assert command("solve", "cambia", "-a", "mccfr-outcome", "--precision", "float64").status == 0


def test_not_one_batch_in_the_time_given(command):
    late = ("-a", "mccfr-external", "--batch", 10**9, "--seconds", 0.1)
    outcome = command("solve", "kuhn_poker", *late, "--json")
    assert (outcome.status, outcome.output) == (2, "")
    assert "not even one batch of 1,000,000,000 walks was done in the time given" in outcome.errors


def test_ray_is_missed_before_anything_is_printed(command, monkeypatch):
    monkeypatch.setitem(sys.modules, "ray", None)
    monkeypatch.delitem(sys.modules, "fogtree.solvers.ray_backend", raising=False)
    outcome = command("solve", "kuhn_poker", "-a", "mccfr-external", "--backend", "ray")
    assert (outcome.status, outcome.output) == (2, "")
    assert "pip install 'fogtree[ray]'" in outcome.errors


def test_what_is_said_of_a_game_that_cannot_be_compiled(command):
    """The advice must be one that can be followed: outcome sampling ends."""
    outcome = command("solve", "cambia", "-a", "cfr+", "--memory", "100MB")
    assert outcome.status == 2
    assert "or sample it (mccfr-outcome)" in outcome.errors


def test_too_little_memory(command):
    outcome = command("solve", "kuhn_poker", "-a", "mccfr-external", "-n", 10, "--memory", "1kB")
    assert outcome.status == 2
    assert "1,000 bytes of memory are too few" in outcome.errors


LARGE = "battleship(height=3, width=3, ships=(2, 3), values=(1, 2), shots=6)"


def test_a_game_that_does_not_fit_is_sampled(done, command):
    options = ("solve", LARGE, "-a", "mccfr-outcome", "--seed", 1)
    output = done(*options, "-n", 200, "--output", "table", "--save", "run").output
    assert "walked in Python, not compiled" in output
    assert "information sets" in output
    assert done("arena", LARGE, "--agents", "tabular:table,random", "--games", 4).output
    rest = done("resume", "run", "-n", 400, "--json").document
    whole = done(*options, "-n", 400, "--json").document
    assert rest["sampled"] == whole["sampled"]
    refused = command(*options, "--until", 0.1)
    assert "leave out --until" in refused.errors


def test_a_game_is_not_compiled_if_so_wished(done, command):
    sampled = done("solve", "kuhn_poker", "-a", "mccfr-external", "--no-compile", "--json").document
    assert sampled["exploitability"] is None
    assert sampled["sampled"]["infosets"] == 12
    refused = command("solve", "kuhn_poker", "--no-compile")
    assert "'cfr+' needs the compiled game" in refused.errors


def test_an_own_game_is_not_compiled(done, command):
    source = "from fogtree.games.kuhn_poker import KuhnPoker\n\nclass Mine(KuhnPoker):\n    "
    Path("mine.py").write_text(f"{source}short_name = 'mine'\n")
    options = ("solve", "mine.py:Mine", "-a", "mccfr-outcome", "--no-compile")
    assert done(*options, "--json").document["game"] == "mine"
    Path("wrong.py").write_text(f"{source}def root(self):\n        return 1 / 0\n")
    refused = command("solve", "wrong.py:Mine", "-a", "mccfr-outcome", "--no-compile")
    assert "ZeroDivisionError" in refused.errors
    assert "Traceback" not in refused.errors
