"""``solve``, ``resume``, ``exploitability``: what they print and what they write."""

from __future__ import annotations

from pathlib import Path

import pytest

from fogtree import RECIPES, Strategy, compile, exploitability, load_game, solve
from tests.support.paths import ROOT

REQUIRED = {
    "game": str,
    "algorithm": str,
    "iterations": int,
    "exploitability": float,
    "nash_conv": float,
    "value": float,
    "values": list,
    "seconds": float,
    "iterations_per_second": float,
    "strategy": dict,
    "stopped": str,
    "check_seconds": float,
    "compile_seconds": float,
    "precision": str,
    "threads": int,
    "curve": list,
}


@pytest.mark.parametrize("algorithm", list(RECIPES))
def test_solve_json_is_what_the_library_computes(done, algorithm):
    document = done(
        "solve", "kuhn_poker", "--algorithm", algorithm, "--iterations", 50, "--json"
    ).document
    for key, kind in REQUIRED.items():
        assert isinstance(document[key], kind), key
    run = solve(load_game("kuhn_poker"), algorithm, iterations=50)
    assert document["strategy"] == run.strategy.to_dict()
    assert document["exploitability"] == run.exploitability
    assert document["nash_conv"] == pytest.approx(2 * document["exploitability"])
    assert document["value"] == run.value
    assert [check["iteration"] for check in document["curve"]] == [1, 2, 5, 10, 20, 50]


@pytest.mark.parametrize(
    ("game", "players"), [("kuhn_poker(players=3)", 3), ("openspiel:matrix_pd", 2)]
)
def test_solve_tells_the_values_of_all_players(done, game, players):
    arguments = ("solve", game, "--iterations", 20)
    document = done(*arguments, "--json").document
    assert len(document["values"]) == players
    assert document["values"][0] == document["value"]
    run = solve(load_game(game), iterations=20)
    assert document["values"] == list(run.values)
    assert run.values == exploitability(compile(game), run.strategy).values
    shown = done(*arguments).output
    for player, value in enumerate(run.values):
        assert f"value, player {player}" in shown
        assert f"{value:.9g}" in shown


def test_one_value_tells_both_in_a_zero_sum_game_of_two(done):
    document = done("solve", "kuhn_poker", "--iterations", 20, "--json").document
    assert document["values"] == pytest.approx([document["value"], -document["value"]])
    shown = done("solve", "kuhn_poker", "--iterations", 20).output
    assert "value, player 0" in shown
    assert "value, player 1" not in shown


def test_solve_stops_by_default_after_a_thousand_iterations(done):
    document = done("solve", "kuhn_poker", "--json").document
    assert (document["iterations"], document["stopped"]) == (1000, "iterations")


def test_solve_until(done):
    document = done("solve", "leduc_poker", "--until", 0.05, "--json").document
    assert document["stopped"] == "until"
    assert document["exploitability"] <= 0.05


def test_solve_seconds(done):
    document = done("solve", "kuhn_poker", "--seconds", 0.05, "--json").document
    assert document["stopped"] == "seconds"
    assert document["seconds"] >= 0.05


def test_no_iterations_leave_the_pace_unknown(done):
    document = done("solve", "kuhn_poker", "--iterations", 0, "--json").document
    assert document["iterations_per_second"] is None
    assert document["strategy"]["J"] == {"check": 0.5, "bet": 0.5}


def test_options_reach_the_solver(done):
    document = done(
        "solve", "kuhn_poker", "-a", "cfr", "--iterations", 40, "--every", 10, "--averaging",
        "quadratic", "--simultaneous", "--delay", 3, "--precision", "float32", "--json",
    ).document  # fmt: skip
    assert (document["averaging"], document["alternating"], document["delay"]) == (
        "quadratic",
        False,
        3,
    )
    assert document["precision"] == "float32"
    assert [check["iteration"] for check in document["curve"]] == [10, 20, 30, 40]
    run = solve(
        load_game("kuhn_poker"), "cfr", iterations=40, averaging="quadratic", alternating=False,
        delay=3, precision="float32",
    )  # fmt: skip
    assert document["strategy"] == run.strategy.to_dict()


def test_three_players_say_what_they_divide_by(done):
    text = done("solve", "kuhn_poker(players=3)", "--iterations", 100).output
    assert "NashConv / 3" in text


def test_solve_prints_sizes_first_then_values_beside_mixes(done):
    lines = done("solve", "kuhn_poker", "--iterations", 2000, "--digits", 2).output.splitlines()
    assert lines[0].split() == ["game", "kuhn_poker"]
    assert any(line.startswith("memory") for line in lines[:7])
    row = next(line for line in lines if line.startswith("Kcb "))
    # player 0, fold 0 (worth -1), call 1 (worth +2), so the set is worth +2
    assert row.split()[1] == "0"
    assert row.split()[3:] == ["0.00", "-1.00", "1.00", "+2.00", "+2.00"]


def test_large_games_show_the_rows_most_often_reached(done):
    text = done("solve", "leduc_poker", "--iterations", 10).output
    assert "40 of 936 information sets" in text


def test_many_actions_fit(done):
    text = done("solve", "battleship", "--iterations", 1).output
    assert "probability, value" in text
    assert " more" in text


def test_rounding_is_shown_written_and_measured(done):
    document = done(
        "solve", "kuhn_poker", "--rounding", 1, "--output", "rounded.json", "--json"
    ).document
    assert document["strategy"]["Qb"] == {"fold": 0.7, "call": 0.3}
    measured = done("exploitability", "kuhn_poker", "-s", "rounded.json", "--json").document
    assert document["rounded"]["exploitability"] == pytest.approx(measured["exploitability"])
    assert measured["exploitability"] > document["exploitability"]


@pytest.mark.parametrize("name", ["kuhn.npz", "kuhn.json", "kuhn"])
def test_written_strategies_are_read_back(done, name):
    document = done("solve", "kuhn_poker", "--output", name, "--json").document
    measured = done("exploitability", "kuhn_poker", "--strategy", name, "--json").document
    assert measured["exploitability"] == pytest.approx(document["exploitability"], abs=1e-15)
    assert measured["value"] == pytest.approx(document["value"], abs=1e-15)


def test_solve_json_output_is_a_strategy_file(done):
    outcome = done("solve", "kuhn_poker", "--json")
    Path("answer.json").write_text(outcome.output)
    measured = done("exploitability", "kuhn_poker", "-s", "answer.json", "--json").document
    assert measured["exploitability"] == pytest.approx(outcome.document["exploitability"])


def test_exploitability_of_uniform_play(done):
    # Kuhn poker, both uniform, by hand: the values 1/8 and -1/8, best responses 1/2 and 5/12.
    document = done("exploitability", "kuhn_poker", "--strategy", "uniform", "--json").document
    assert document["value"] == pytest.approx(1 / 8)
    assert document["best_response_values"] == pytest.approx([1 / 2, 5 / 12])
    assert document["nash_conv"] == pytest.approx(11 / 12)
    assert document["exploitability"] == pytest.approx(11 / 24)
    text = done("exploitability", "kuhn_poker", "--strategy", "uniform").output
    assert "NashConv / 2" in text


def test_resume_goes_on_exactly(done):
    done("solve", "leduc_poker", "-a", "dcfr", "--iterations", 137, "--save", "run", "--json")
    resumed = done("resume", "run", "--iterations", 300, "--json").document
    straight = done("solve", "leduc_poker", "-a", "dcfr", "--iterations", 300, "--json").document
    assert resumed["strategy"] == straight["strategy"]
    assert resumed["folder"] == "run"
    measured = done("exploitability", "leduc_poker", "-s", "run", "--json").document
    assert measured["exploitability"] == resumed["exploitability"]


def test_resume_keeps_the_goal_it_was_started_with(command, done):
    done("solve", "kuhn_poker", "--iterations", 500, "--every", 250, "--save", "run")
    outcome = command("resume", "run", "--json")
    assert outcome.status == 0
    assert "nothing to do: at iteration" in outcome.errors
    assert outcome.document["iterations"] == 500
    document = done("resume", "run", "--iterations", 1000, "--json").document
    assert [check["iteration"] for check in document["curve"]] == [250, 500, 750, 1000]


def test_plot_is_written(done):
    done("solve", "kuhn_poker", "--plot", "curve.png", "--json")
    assert Path("curve.png").read_bytes().startswith(b"\x89PNG")


def test_overwriting_a_file_named_explicitly_is_fine(done):
    Path("k.npz").write_bytes(b"old")
    done("solve", "kuhn_poker", "--output", "k.npz")
    assert Strategy.load("k.npz").for_tree(compile(load_game("kuhn_poker"))) is not None


def test_runs_and_strategies_of_own_games_need_to_be_told_the_game(command, done):
    own = f"{ROOT / 'examples' / 'own_game.py'}:HalfStreet"
    done("solve", own, "--iterations", 100, "--save", "run", "--output", "own.npz", "--json")
    for arguments in (["resume", "run"], ["strategy", "show", "own.npz"]):
        outcome = command(*arguments)
        assert outcome.status == 2
        assert "--game" in outcome.errors
    resumed = done("resume", "run", "--iterations", 300, "--game", own, "--json").document
    straight = done("solve", own, "--iterations", 300, "--json").document
    assert resumed["strategy"] == straight["strategy"]
    assert "Kb" in done("strategy", "show", "own.npz", "--game", own).output


def test_a_delay_that_left_everything_out_is_told(command):
    outcome = command("solve", "kuhn_poker", "--delay", 10**12, "--seconds", 0.01, "--json")
    assert outcome.status == 0
    assert "nothing was averaged, and the answer is the uniform strategy" in outcome.errors
    assert set(outcome.document["strategy"]["J"].values()) == {0.5}
    assert command("solve", "kuhn_poker", "--delay", 999, "--json").errors == ""
    last = ["--averaging", "last", "--delay", 1000]
    assert command("solve", "kuhn_poker", *last, "--json").errors == ""
