"""Games and minimizers in a user's file: found by name, and errors in them told in one line."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from fogtree import agent_names, load_game, load_strategy, match, simulate, solve, tournament
from fogtree.arena.record import GameRecord, replay
from fogtree.errors import FogtreeError, GameError, MinimizerError, OptionError
from fogtree.minimizers import Minimizer
from fogtree.solvers.recipes import Recipe
from tests.support.manifests import change_manifest

GAMES = """
print("loaded")
from dataclasses import dataclass
from fogtree import Game
from fogtree.games.matrix import MatrixState

@dataclass(frozen=True)
class Pennies(Game):
    short_name = "pennies"
    players = 2
    stake: int = 1

    def root(self):
        print("at the root")
        same, other = self.stake, -self.stake
        sides = ("heads", "tails")
        return MatrixState(sides, {(a, b): same if a == b else other for a in sides for b in sides})

@dataclass(frozen=True)
class Unready(Pennies):
    def root(self):
        return {}["no such key"]

class NoRoot(Game):
    players = 2

class Lost(Exception):
    pass

class Losing(Pennies):
    def root(self):
        raise Lost("again")

def inner():
    class Inner(Pennies):
        pass
    return Inner()

INNER = inner()
READY = Pennies(3)
"""
MINIMIZERS = """
import numpy as np
from fogtree import Minimizer, Recipe

class Late(Minimizer):
    def weights(self, regret):
        if self.t > 7:
            np.zeros(2).reshape(3)
        return np.maximum(regret, 0)

class Stubborn(Minimizer):
    def __init__(self):
        pass

LATE = Recipe("late", Late)
"""
UNFINISHED = """
from fogtree import Game, Minimizer, State

class Over(State):
    player = -2

    def child(self, action):
        return self

    def observation(self, player):
        return None

class Unpaid(Game):
    players = 2

    def root(self):
        return Over()

class Idle(Minimizer):
    pass
"""

BRIEF_TRAINING = """
[run]
iterations = 1
[traversal]
traversals = 20
[network]
hidden = [8]
[regret]
steps = 5
[average]
steps = 5
"""


@pytest.fixture(autouse=True)
def files(tmp_path, monkeypatch):
    monkeypatch.setattr("sys.dont_write_bytecode", True)
    (tmp_path / "own.py").write_text(GAMES)
    (tmp_path / "rules.py").write_text(MINIMIZERS)
    (tmp_path / "unfinished.py").write_text(UNFINISHED)
    (tmp_path / "exits.py").write_text("raise SystemExit(0)")


def said(command, *arguments):
    """The line on standard error, after whatever the file itself printed there."""
    before = set(Path().iterdir())
    outcome = command(*arguments, "--json")
    assert (outcome.status, outcome.output) == (2, "")
    lines = outcome.errors.splitlines()
    assert lines[-1].startswith("fogtree: ")
    assert set(lines[:-1]) <= {"loaded", "at the root"}
    assert set(Path().iterdir()) == before
    return lines[-1]


@pytest.mark.parametrize("command_line", ["solve kuhn_poker -a", "explain kuhn_poker -a"])
def test_a_minimizer_that_fails_is_named_with_its_line(command, command_line):
    more = ["--iterations", 20]
    line = said(command, *command_line.split(), "rules.py:Late", *more)
    assert "minimizer 'Late' fails (rules.py, line 8): ValueError: cannot reshape" in line
    line = said(command, *command_line.split(), "rules.py:Stubborn", *more)
    assert "minimizer 'Stubborn' fails: TypeError" in line


def test_a_method_that_is_missing_is_named(command):
    line = said(command, "solve", "unfinished.py:Unpaid")
    assert "Unpaid' fails: NotImplementedError: Over has no method 'returns'" in line
    line = said(command, "solve", "kuhn_poker", "-a", "unfinished.py:Idle")
    assert "'Idle' fails: NotImplementedError: Idle has no method 'weights'" in line


def test_a_minimizer_that_fails_among_others(command):
    line = said(command, "compare", "kuhn_poker", "-a", "cfr,rules.py:LATE", "--csv", "x.csv")
    assert "minimizer 'Late' fails (rules.py, line 8)" in line


def test_two_of_one_name_are_not_compared(command):
    line = said(command, "compare", "kuhn_poker", "-a", "cfr+,rules.py:Late,rules.py:LATE")
    assert "algorithm 'late' is there twice" in line


def test_a_run_with_an_own_minimizer_is_not_saved(command):
    line = said(command, "solve", "kuhn_poker", "-a", "rules.py:LATE", "--save", "run")
    assert "('late') cannot be saved" in line


def test_in_python_the_cause_is_kept():
    class Broken(Minimizer):
        def weights(self, regret):
            raise LookupError("lost")

    with pytest.raises(MinimizerError, match=r"'Broken' fails .*LookupError: lost") as caught:
        solve(load_game("kuhn_poker"), Recipe("broken", Broken), iterations=5)
    assert isinstance(caught.value.__cause__, LookupError)


@pytest.mark.parametrize("command_line", ["solve", "info", "explain", "arena --agents random,x"])
def test_a_game_that_fails_is_named_with_its_line(command, command_line):
    name, *options = command_line.split()
    if name == "arena":
        command("solve", "own.py:Pennies", "--output", "x.npz")
        options = ["--agents", "random,tabular:x.npz"]
    line = said(command, name, "own.py:Unready", *options)
    assert "'own.py:Unready' fails (own.py, line 22): KeyError: 'no such key'" in line


def test_a_game_that_fails_while_it_is_played(command, monkeypatch):
    outcome = command("play", "own.py:Unready")
    assert outcome.status == 2
    assert "'own.py:Unready' fails (own.py, line 22)" in outcome.errors
    assert "Traceback" not in outcome.errors


@pytest.mark.parametrize(
    ("spec", "says"),
    [
        ("own.py", "say which game of 'own.py' is meant: own.py:Pennies, own.py:Unready"),
        ("own.py:Penies", "did you mean 'Pennies'?"),
        ("own.py:Pennies(steak=2)", "did you mean 'stake'?"),
        ("own.py:Pennies(stake=os.remove)", "stake must be a whole number, not 'os.remove'"),
        ("own.py:Pennies(2)", "cannot read game"),
        ("own.py:READY(stake=2)", "not a class of a game"),
        ("own.py:NoRoot", "'own.py:NoRoot' fails: TypeError: Can't instantiate"),
        ("owm.py:Pennies", "there is no file 'owm.py'; did you mean 'own.py'?"),
        ("owm.py", "there is no file 'owm.py'; did you mean 'own.py'?"),
        ("no/own.py:Pennies", "nor a folder 'no'"),
        ("rules.py:Game", "there is no game in 'rules.py'"),
        ("exits.py:Pennies", "ends the program"),
    ],
)
def test_games_that_cannot_be_found(command, spec, says):
    line = said(command, "solve", spec)
    assert says in line
    with pytest.raises(FogtreeError) as caught:
        load_game(spec)
    assert line.split() == ["fogtree:", *str(caught.value).split()]


def test_algorithms_that_cannot_be_found(command):
    assert "did you mean 'Late'?" in said(command, "solve", "kuhn_poker", "-a", "rules.py:Lat")
    line = said(command, "solve", "kuhn_poker", "-a", "rules.py")
    assert "rules.py:Late, rules.py:Stubborn, rules.py:LATE" in line


@pytest.mark.parametrize(("spec", "name", "value"), [
    ("own.py:Pennies", "pennies", 1),
    ("own.py:Pennies(stake=4)", "pennies(stake=4)", 4),
    ("own.py:READY", "pennies(stake=3)", 3),
])  # fmt: skip
def test_parameters_reach_the_game(command, spec, name, value):
    Path("x.json").write_text(
        '{"game": "", "strategy": {"row": {"heads": 1}, "column": {"heads": 1}}}'
    )
    outcome = command("exploitability", spec, "-s", "x.json", "--json")
    assert outcome.status == 0
    assert outcome.document["value"] == value
    assert command("info", spec, "--json").document["game"] == name
    assert str(load_game(spec)) == name


@pytest.mark.usefixtures("command")  # in the folder of the files
def test_only_load_game_runs_a_file(capsys):
    """A file of fogtree's that names a Python file must not make fogtree run it."""
    spec = "own.py:Pennies"
    Path("x.json").write_text(f'{{"game": "{spec}", "strategy": {{}}}}')
    record = GameRecord(spec, ("random", "random"), "0", (), (0.0, 0.0))
    for call in (
        lambda: solve(spec),
        lambda: agent_names(spec),
        lambda: load_strategy("x.json"),
        lambda: list(replay(record)),
    ):
        with pytest.raises(OptionError, match="names a Python file, which is not run here"):
            call()
    assert "loaded" not in "".join(capsys.readouterr())
    assert agent_names(load_game(spec)) == ("random", "equilibrium", "search")
    assert capsys.readouterr() == ("", "loaded\n")


def test_no_command_runs_a_file_that_another_file_names(command):
    named = command("solve", "kuhn_poker", "--json").document | {"game": "own.py:Pennies"}
    Path("x.json").write_text(json.dumps(named))
    run = simulate("leduc_poker", "mccfr-outcome", iterations=10)
    replace(run.strategy(), game="own.py:Pennies").save("table")
    record = GameRecord("own.py:Pennies", ("random", "random"), "0", (), (0.0, 0.0))
    Path("x.jsonl").write_text(record.to_json())
    solve("kuhn_poker", iterations=10, save="compiled")
    simulate("kuhn_poker", "mccfr-outcome", iterations=10, save="sampled")
    Path("brief.toml").write_text(BRIEF_TRAINING)
    assert command("train", "kuhn_poker", "--config", "brief.toml", "--save", "trained").status == 0
    for run in ("compiled", "sampled", "trained"):
        change_manifest(Path(run), game="own.py:Pennies")
    for arguments, advice in (
        ("strategy show x.json", "--game my_game.py:MyGame"),
        ("strategy show table", "--game my_game.py:MyGame"),
        ("strategy diff x.json x.json", "--game my_game.py:MyGame"),
        ("resume compiled", "--game my_game.py:MyGame"),
        ("resume sampled", "--game my_game.py:MyGame"),
        ("resume trained", "--game my_game.py:MyGame"),
        ("replay x.jsonl", ""),
        ("analyse --record x.jsonl", ""),
    ):
        outcome = command(*arguments.split())
        assert outcome.status == 2
        assert "names a Python file, which is not run here" in outcome.errors
        assert advice in outcome.errors
        assert "load_game" not in outcome.errors  # a function is no advice on a command line
        assert "loaded" not in outcome.errors


def test_a_sampled_run_of_an_own_game_is_resumed_with_its_file(command):
    words = "--no-compile", "-a", "mccfr-outcome", "--iterations", 10, "--save", "run", "--json"
    assert command("solve", "own.py:Pennies", *words).status == 0
    line = said(command, "resume", "run")
    assert "'run' is of game 'pennies', which cannot be made from that name" in line
    assert line.endswith("say with --game where it is, as in --game my_game.py:MyGame")
    outcome = command("resume", "run", "--game", "own.py:Pennies", "--iterations", 5000, "--json")
    assert outcome.status == 0, outcome.errors
    assert outcome.document["iterations"] >= 5000
    words = "--game", "own.py:Unready", "--iterations", 9000
    assert "line 22): KeyError" in said(command, "resume", "run", *words)


def test_how_safe_the_search_is_in_an_own_game(command):
    words = "--steps", 50, "--orders", "1,inf", "--gadgets", "both", "--presets", "", "--json"
    outcome = command(
        "study", "safety", "own.py:Pennies(stake=2)", "kuhn_poker", *words, "--workers", 2
    )
    assert outcome.status == 0, outcome.errors
    own, known = outcome.document["games"]
    assert own["game"] == "own.py:Pennies(stake=2)"
    assert own["uniform"] == 0
    assert len(own["results"]) == 4
    assert known == {**known, "game": "kuhn_poker", "infosets": 12}
    assert "line 22): KeyError" in said(command, "study", "safety", "own.py:Unready", *words[:-1])


def test_a_study_of_the_parts_of_the_search_in_an_own_game(command):
    words = "--games", 2, "--nodes", 20, "--only", "frozen", "--workers", 2, "--json"
    outcome = command("study", "ablate", "own.py:Pennies(stake=2)", *words)
    assert outcome.status == 0, outcome.errors
    (result,) = outcome.document["results"]
    assert (result["switch"], result["games"]) == ("frozen", 2)
    assert outcome.errors.count("loaded") == 1
    Path("ablation.jsonl").unlink()
    assert "line 22): KeyError" in said(command, "study", "ablate", "own.py:Unready", *words[:-1])


@pytest.mark.usefixtures("command")  # in the folder of the files
def test_an_own_game_is_played_in_several_processes():
    def result(processes):
        agents = "random", "search(steps=20)"
        return tournament(game, agents, games=40, processes=processes, keep_records=True)

    game = load_game("own.py:Pennies(stake=2)")
    assert result(2) == result(1)
    with pytest.raises(OptionError, match=r"cannot be sent .* play in one process: .*Inner"):
        match(load_game("own.py:INNER"), "random", "random", games=2, processes=2)
    with pytest.raises(GameError, match=r"^pennies fails \(own.py, line 32\): Lost: again$"):
        match(load_game("own.py:Losing"), "random", "random", games=2, processes=2)


def test_what_a_file_prints_does_not_reach_the_document(command):
    outcome = command("solve", "own.py:Pennies", "--json")
    assert outcome.document["game"] == "pennies"
    assert outcome.errors == "loaded\nat the root\n"


def test_the_search_plays_an_own_game(command):
    outcome = command(
        "arena", "own.py:Pennies(stake=2)", "--agents", "search(steps=20),random", "--games", 8
    )
    assert outcome.status == 0, outcome.errors
    assert "search(steps=20) - random" in outcome.output
    for arguments in (["arena", "--agents", "search,random"], ["play", "--against", "search"]):
        outcome = command(arguments[0], "own.py:Unready", *arguments[1:])
        assert outcome.status == 2
        assert "Unready' fails (own.py, line 22): KeyError" in outcome.errors.splitlines()[-1]
