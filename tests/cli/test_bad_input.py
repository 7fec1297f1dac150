"""Bad input to any command: one line on standard error, status 2, and nothing written."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import pytest

from fogtree import load_game, solve
from tests.support.manifests import change_manifest

OWN = """
from __future__ import annotations
from dataclasses import dataclass
from fogtree import CHANCE, TERMINAL, Game, State

@dataclass(frozen=True)
class Coin(Game):
    short_name = "coin"
    players = 2
    def root(self): return Toss(())

@dataclass(frozen=True)
class Toss(State):
    seen: tuple
    @property
    def player(self): return {0: CHANCE, 1: 0, 2: 1}.get(len(self.seen), TERMINAL)
    def chance(self): return [("h", CHANCE_OF_HEADS), ("t", 0.5)]
    def actions(self): return ACTIONS
    def child(self, action): return CHILD
    def returns(self): return RETURNS
    def observation(self, player): return OBSERVATION
    def name(self): return NAME
"""
SOUND = {
    "CHANCE_OF_HEADS": "0.5",
    "ACTIONS": "('l', 'r')",
    "CHILD": "Toss((*self.seen, action))",
    "RETURNS": "(1.0, -1.0)",
    "OBSERVATION": "self.seen[:1] if player == 0 else None",
    "NAME": "None",
}
BROKEN = {
    "unequal actions": ({"ACTIONS": "('l', 'r') if self.seen[0] == 'h' else ('l',)"}, "actions"),
    "chance": ({"CHANCE_OF_HEADS": "0.4"}, "sum to 1"),
    "cycle": ({"CHILD": "Toss((*self.seen, action)[:2])"}, "cycle"),
    "same state": ({"CHILD": "Toss((*self.seen, action)) if not self.seen else self"}, "same"),
    "not a number": ({"RETURNS": "(float('nan'), 0.0)"}, "finite"),
    "names": ({"NAME": "'twice' if self.player == 0 else None"}, "twice"),
    "payoffs": ({"RETURNS": "(1.0,)"}, "payoffs"),
    "crash": ({"ACTIONS": "1 / 0"}, "ZeroDivisionError"),
}

WRONG = [
    (["solve", "kuhn_pokr"], "did you mean 'kuhn_poker'"),
    (["info", "leduc"], "did you mean 'leduc_poker'"),
    (["solve", "kuhn_poker(playrs=3)"], "did you mean 'players'"),
    (["solve", "kuhn_poker(players=1)"], "at least 2"),
    (["solve", "kuhn_poker("], "cannot read game"),
    (["solve", "kuhn_poker", "-a", "cfr++"], "did you mean 'cfr+'"),
    (["solve", "kuhn_poker", "-a", "cfrplus"], "did you mean 'cfr+'"),
    (["solve", "kuhn_poker", "-a", "CFR_Plus"], "did you mean 'cfr+'"),
    (["solve", "kuhn_poker", "-a", "dcfr++"], "did you mean 'dcfr+'"),
    (["solve", "kuhn_poker", "-a", "pcfr"], "did you mean 'pcfr+'"),
    (["solve", "kuhn_poker", "-a", "linear-cfr"], "did you mean 'lcfr'"),
    (["solve", "kuhn_poker", "-a", "mccfr"], "did you mean 'mccfr-external'"),
    (["solve", "kuhn_poker", "-a", "banana"], "known: cfr, cfr+, lcfr, dcfr, dcfr+, pcfr+"),
    (["solve", "kuhn_poker", "--output", "k.xyz"], "ends in one of .json, .csv, .npz"),
    (["solve", "kuhn_poker", "--memory", "foo"], "--memory must be a size as in 4GB"),
    (["study", "safety", "kuhn_poker", "--orders", "1,0"], "1, 2, 3, ... or inf, not '0'"),
    (
        ["analyse", "kuhn_poker", "--moves", "e2e4"],
        "'e2e4', is not possible; possible: J, Q, K",
    ),
    (["analyse", "cambia", "--fen", "x"], "--fen is not for cambia: say --record"),
    (["analyse", "kuhn_poker", "--infoset", "J", "--record", "x"], "does not go with --infoset"),
    (["analyse", "leduc_poker", "--infoset", "~"], " more"),
    (["analyse", "kuhn_poker", "--infoset", "J", "--no-compile"], "--no-compile needs --moves"),
    (["analyse", "fog_chess", "--no-compile"], "'compile'"),
    (["study", "ablate", "fog_chess", "--games", "3"], "games must be even"),
    (["compare", "kuhn_poker", "-a", "cfr,normalhegde"], "did you mean 'normalhedge'"),
    (["compare", "kuhn_poker", "-a", "cfr,lcfr,cfr"], "'cfr' is there twice"),
    (["compare", "kuhn_poker", "-a", ","], "at least one"),
    (["compare", "kuhn_poker(players=3)", "-n", "1", "--distances"], "zero-sum"),
    (["solve", "kuhn_poker", "--iterations", "-1"], "--iterations"),
    (["solve", "kuhn_poker", "--iterations", "many"], "--iterations"),
    (["solve", "kuhn_poker", "--iterations", "nan"], "--iterations"),
    (["solve", "kuhn_poker", "--until", "nan"], "--until"),
    (["solve", "kuhn_poker", "--until", "-1e-3"], "--until"),
    (["solve", "kuhn_poker", "--seconds", "-1"], "--seconds"),
    (["solve", "kuhn_poker", "--every", "0"], "--every"),
    (["solve", "kuhn_poker", "--delay", "-1"], "--delay"),
    (["solve", "kuhn_poker", "--delay", "1000"], "leaves out all 1,000 iterations"),
    (["solve", "kuhn_poker", "--delay", "9", "-n", "5"], "leaves out all 5 iterations"),
    (["solve", "kuhn_poker", "--threads", "0"], "--threads"),
    (["solve", "kuhn_poker", "--threads", "1000000"], "--threads"),
    (["solve", "kuhn_poker", "--averaging", "cubic"], "--averaging"),
    (["solve", "kuhn_poker", "--precision", "float16"], "--precision"),
    (["solve", "kuhn_poker", "--digits", "99"], "--digits"),
    (["solve", "kuhn_poker", "--itertions", "5"], "--itertions"),
    (["solve", "kuhn_poker", "--output", "no/such/folder/x"], "no folder"),
    (["solve", "kuhn_poker", "--output", "."], "it is a folder"),
    (["solve", "kuhn_poker", "--plot", "x.gif"], ".png"),
    (["solve", "kuhn_poker", "--plot", "no/such/x.png"], "no folder"),
    (["solve"], "GAME"),
    (["slove", "kuhn_poker"], "slove"),
    (["strategy"], ""),
    (["strategy", "shwo"], "shwo"),
    (["strategy", "show", "nothing.npz"], "there is no file"),
    (["strategy", "export", "nothing.npz", "-o", "x"], "there is no file"),
    (["exploitability", "kuhn_poker", "--strategy", "nothing.npz"], "there is no file"),
    (["exploitability", "kuhn_poker"], "--strategy"),
    (["resume", "nothing"], "not a saved run"),
    (["demo", "--only", "solve,serch"], "did you mean 'search'"),
    (["solve", "nothing.py:Game"], "there is no file"),
    (["arena", "kuhn_poker(players=3)", "--agents", "all"], "only 'random' plays kuhn_poker("),
    (["solve", "kuhn_poker", "--seed", "3"], "'cfr+' samples nothing: it has no --seed"),
    (["solve", "kuhn_poker", "--batch", "3"], "'cfr+' samples nothing: it has no --batch"),
    (["solve", "kuhn_poker", "--workers", "3"], "'cfr+' samples nothing: it has no --workers"),
    (["solve", "kuhn_poker", "--save", ""], "--save needs a name"),
    (["solve", "kuhn_poker", "--output="], "--output needs a name"),
    (["solve", "kuhn_poker", "--output", "n" * 300], "cannot write 'nnn"),
    (["solve", "kuhn_poker", "--output", "loop"], "cannot write 'loop': Too many levels"),
    (["solve", "kuhn_poker", "--save", "loop"], "'loop'"),
    (["strategy", "show", "loop"], "cannot read 'loop': Too many levels"),
    (["replay", "loop"], "cannot read 'loop': Too many levels"),
    (["resume", "loop"], "'loop' is not a saved run"),
    (["train", "kuhn_poker", "--config", "loop"], "cannot read 'loop': Too many levels"),
    (["replay", "/dev/zero"], "cannot read '/dev/zero': it has more than"),
    (["strategy", "show", "/dev/zero"], "cannot read '/dev/zero': it has more"),
    (["train", "kuhn_poker", "--config", "/dev/zero"], "cannot read '/dev/zero': it has more"),
    (["explain", "kuhn_poker", "-n", "100000000"], "100,000,000 iterations are too many"),
    (["explain", "kuhn_poker", "--output", "no/such/x"], "no folder"),
    (["analyse", "kuhn_poker", "--infoset", "J", "--output", "x"], "--output is where a --trace"),
    (["analyse", "kuhn_poker", "--infoset", "J", "--game", "2"], "--game is a place in a --record"),
    (["analyse", "kuhn_poker", "--infoset", "J", "--evaluator", "nope"], "'evaluator'"),
    (["analyse", "kuhn_poker", "--infoset", "J", "--rules", "x"], "--rules is not for kuhn_poker"),
    (["analyse", "kuhn_poker", "--infoset", "J", "--set", f"seed={10**30}"], "fit in 64 bits"),
    (["analyse", "kuhn_poker", "--infoset", "J", "--set", "seed=\udcff"], "cannot be written"),
    (["arena", "kuhn_poker", "--agents", "random,search", "--seed", f"{10**30}"], "--seed"),
    (["exploit", "kuhn_poker", "--agent", "random", "--seed", f"{10**30}"], "--seed"),
    (["study", "safety", "kuhn_poker", "--seed", f"{10**30}"], "--seed"),
    (["study", "safety", "kuhn_poker", "--workers", f"{10**30}"], "--workers"),
    (["study", "ablate", "fog_chess", "--workers", f"{10**30}"], "--workers"),
    (["train", "kuhn_poker", "--workers", f"{10**30}"], "--workers"),
]


def refused(command, *arguments, says=""):
    before = contents()
    for extra in ([], ["--json"]):
        outcome = command(*arguments, *extra)
        assert outcome.status == 2
        assert outcome.output == ""
        assert outcome.errors.startswith("fogtree: ")
        assert outcome.errors.count("\n") == 1
        assert says in outcome.errors
        assert "Traceback" not in outcome.errors
        assert contents() == before


def contents():
    return {path: path.read_bytes() for path in Path().rglob("*") if path.is_file()}


@pytest.mark.parametrize(("arguments", "says"), WRONG, ids=[" ".join(w[0])[:60] for w in WRONG])
def test_refused(command, arguments, says):
    if "loop" in arguments:
        Path("loop").symlink_to("loop")
    refused(command, *arguments, says=says)


TOML = {
    "nested lists": "[run]\nseed = " + "[" * 5000,
    "nested names": "a." * 3000 + "b = 1",
    "nested value": "[run]\nseed = " + "[" * 200 + "]" * 200,
    "many digits": "[run]\nseed = " + "9" * 5000,
    "beyond 64 bits": f"[run]\nseed = {2**70}",
    "no text": "\udcff",
    "a number": "run = 3",
    "infinite": "[regret]\nlearning_rate = inf",
}


@pytest.mark.parametrize("name", TOML)
def test_training_options_that_make_no_sense(command, name):
    Path("options.toml").write_bytes(TOML[name].encode(errors="surrogateescape"))
    refused(command, "train", "kuhn_poker", "--config", "options.toml", says="options.toml")


NO_GAME = """
from dataclasses import dataclass
from fogtree import TERMINAL, Game, State

@dataclass(frozen=True)
class Ends(Game):
    players = 2
    def root(self): return Over()

@dataclass(frozen=True)
class Over(State):
    player = TERMINAL
    def child(self, action): return self
    def returns(self): return (0.0, 0.0)
    def observation(self, player): return None

@dataclass(frozen=True)
class Raises(Ends):
    def root(self): return Bad()

class Bad(Over):
    player = 0
    def actions(self): raise ValueError("oh no")

class NoRoot(Ends):
    def root(self): raise RuntimeError("no root")
"""


@pytest.mark.parametrize(
    "arguments",
    [
        ["train", "--save", "run"],
        ["exploit", "--agent", "random"],
        ["study", "safety", "--steps", "5"],
    ],
    ids=lambda arguments: " ".join(arguments[:2]),
)
@pytest.mark.parametrize(
    ("game", "says"), [("Ends", "nobody decides"), ("Raises", "oh no"), ("NoRoot", "no root")]
)
def test_own_games_that_raise_or_end_at_once(command, monkeypatch, arguments, game, says):
    monkeypatch.setattr("sys.dont_write_bytecode", True)
    Path("own.py").write_text(NO_GAME)
    refused(command, *arguments, f"own.py:{game}", says=says)


def test_the_answer_is_printed_if_a_file_cannot_be_written(command):
    for arguments, answer in (
        (["solve", "kuhn_poker", "-n", "10", "--output", "/dev/full"], "exploitability"),
        (["solve", "kuhn_poker", "-n", "10", "--output", "/dev/full", "--json"], '"nash_conv"'),
        (["compare", "kuhn_poker", "-n", "10", "--csv", "/dev/full"], "exploitability"),
        (["analyse", "kuhn_poker", "--infoset", "J", "--steps", "9", "--html", "/dev/full"], "mix"),
        (
            [
                "arena",
                "kuhn_poker",
                "--agents",
                "random,search",
                "--games",
                "2",
                "--records",
                "/dev/full",
            ],
            "win rate",
        ),
    ):
        outcome = command(*arguments)
        assert outcome.status == 2
        assert answer in outcome.output
        assert outcome.errors.splitlines()[-1].startswith("fogtree: cannot write '/dev/full'")


def own_game(changes):
    text = OWN
    for key, value in {**SOUND, **changes}.items():
        text = text.replace(f" {key}" if key != "CHANCE_OF_HEADS" else key, f" {value}")
    Path("coin.py").write_text(text)


@pytest.mark.parametrize("fault", BROKEN)
def test_broken_games_are_refused(command, fault, monkeypatch):
    monkeypatch.setattr("sys.dont_write_bytecode", True)
    changes, says = BROKEN[fault]
    own_game(changes)
    refused(command, "solve", "coin.py:Coin", "--save", "run", "--output", "x", says=says)


@pytest.mark.parametrize(
    "line",
    [
        "play coin.py:Coin --seed 1",
        "arena coin.py:Coin --agents random,search --games 2",
        "exploit coin.py:Coin --agent random --method exact",
        "study safety coin.py:Coin --steps 5 --orders 1 --presets paper",
        "train coin.py:Coin",
    ],
)
@pytest.mark.parametrize("fault", ["crash", "text"])
def test_broken_games_are_refused_by_every_command(command, fault, line, monkeypatch):
    """Also where the error comes from our code that was handed something strange."""
    monkeypatch.setattr("sys.dont_write_bytecode", True)
    own_game(BROKEN["crash"][0])
    if fault == "text":
        own_game({})
        with Path("coin.py").open("a") as file:
            file.write("\nCoin.__str__ = lambda self: None\n")
    outcome = command(*line.split())
    assert outcome.status == 2
    assert outcome.output == "" or line.startswith("play")
    *_, last = outcome.errors.splitlines()
    assert last.startswith("fogtree: 'coin.py:Coin' fails")
    assert "Traceback" not in outcome.errors


def test_very_long_names_are_shortened_in_errors(command):
    outcome = command("strategy", "show", "x" * 5000)
    assert outcome.status == 2
    assert len(outcome.errors) < 600


def test_the_same_game_unbroken_is_solved(command):
    own_game({})
    assert command("solve", "coin.py:Coin", "--json").status == 0


def test_own_files_that_do_not_fit(command, monkeypatch):
    monkeypatch.setattr("sys.dont_write_bytecode", True)
    own_game({})
    refused(command, "solve", "coin.py:Coni", says="did you mean 'Coin'")
    refused(command, "solve", "coin.py:Toss", says="not a game")
    refused(command, "solve", "kuhn_poker", "-a", "coin.py:Coin", says="not an algorithm")
    Path("wrong.py").write_text("def oops(:\n")
    refused(command, "solve", "wrong.py:Game", says="SyntaxError")


@pytest.fixture
def saved(tmp_path):
    """A strategy file and a run folder."""
    run = solve(load_game("kuhn_poker"), "cfr+", iterations=100, save=tmp_path / "run")
    run.strategy.save(tmp_path / "kuhn.npz")
    return run


@pytest.mark.parametrize("share", [0.0, 0.01, 0.5, 0.99])
def test_truncated_strategies(command, saved, share):
    whole = Path("kuhn.npz").read_bytes()
    Path("kuhn.npz").write_bytes(whole[: int(len(whole) * share)])
    for arguments in (
        ["strategy", "show", "kuhn.npz"],
        ["strategy", "export", "kuhn.npz", "-o", "x.json"],
        ["strategy", "diff", "kuhn.npz", "run"],
        ["exploitability", "kuhn_poker", "-s", "kuhn.npz"],
    ):
        refused(command, *arguments, says="kuhn.npz")


@pytest.mark.parametrize(
    "content",
    [
        b"\x89PNG not ours",
        b"{",
        b"{}",
        b'{"game": "kuhn_poker", "strategy": []}',
        b'{"game": 7, "strategy": {}}',
        b'{"game": "kuhn_poker", "strategy": {"J": {"check": "x"}}}',
        b'{"game": "kuhn_poker", "strategy": {"J": {"check": 1, "bet": 0}}}',
        b'{"game": "nowhere", "strategy": {}}',
        b'{"strategy": ' + b"[" * 100_000,
    ],
)
def test_foreign_strategies(command, content):
    Path("foreign").write_bytes(content)
    refused(command, "strategy", "show", "foreign", says="foreign")


def test_csv_needs_its_game(command):
    command("solve", "kuhn_poker", "--output", "kuhn.csv")
    refused(command, "strategy", "show", "kuhn.csv", says="say it with --game")
    assert command("strategy", "show", "kuhn.csv", "--game", "kuhn_poker").status == 0
    assert command("exploitability", "kuhn_poker", "-s", "kuhn.csv").status == 0
    refused(command, "exploitability", "leduc_poker", "-s", "kuhn.csv", says="information set")


def test_json_strategies_with_impossible_numbers(command, saved):
    document = {"game": "kuhn_poker", "strategy": saved.strategy.to_dict()}
    for mix in ({"check": 0.5, "bet": 0.6}, {"check": -1, "bet": 2}, {"check": float("nan")}):
        Path("bad.json").write_text(
            json.dumps({**document, "strategy": {**document["strategy"], "J": mix}})
        )
        refused(command, "strategy", "show", "bad.json", says="J")


def test_strategies_of_another_game(command, saved):
    refused(command, "exploitability", "leduc_poker", "-s", "kuhn.npz", says="kuhn_poker")
    refused(command, "exploitability", "leduc_poker", "-s", "run", says="kuhn_poker")
    refused(command, "strategy", "show", "kuhn.npz", "--infoset", "Jbc", says="did you mean")


@pytest.mark.parametrize("name", ["manifest.json", "metrics.jsonl", "state-100.npz"])
@pytest.mark.parametrize("damage", ["gone", "empty", "half", "foreign"])
def test_damaged_runs_are_refused_and_left_alone(command, saved, name, damage):
    path = Path("run") / name
    whole = path.read_bytes()
    if damage == "gone":
        path.unlink()
    else:
        broken = {"empty": b"", "half": whole[: len(whole) // 2], "foreign": b'{"a": 1}'}[damage]
        path.write_bytes(broken)
    refused(command, "resume", "run", "--iterations", "200", says="run")
    refused(command, "strategy", "show", "run", says="run")


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("version", 99),
        ("game", "nowhere"),
        ("minimizer", "magic"),
        ("positive_exponent", "magic"),
        ("averaging", "magic"),
        ("precision", "magic"),
        ("threads", -1),
        ("delay", -1),
        ("goal", 7),
        ("goal", {"iterations": "x"}),
        ("goal", {"iterations": -5}),
        ("goal", {}),
        ("checks", "x"),
    ],
)
def test_manifests_that_were_tampered_with(command, saved, key, value):
    change_manifest(Path("run"), **{key: value})
    refused(command, "resume", "run")


def test_a_run_is_not_overwritten(command, saved):
    refused(command, "solve", "kuhn_poker", "--save", "run", says="already holds a run")


def test_outputs_are_checked_before_solving(command, monkeypatch):
    def never(*arguments, **options):
        raise AssertionError("solved before the outputs were checked")

    monkeypatch.setattr("fogtree.compile", never)
    Path("file").write_text("")
    refused(command, "solve", "kuhn_poker", "--save", "file/run", says="'file' is a file")
    refused(command, "solve", "kuhn_poker", "--output", "file/x", says="no folder")
    refused(command, "compare", "kuhn_poker", "--csv", "file/x", says="no folder")
    refused(command, "strategy", "export", "x", "-o", "file/x", says="no folder")


@pytest.mark.skipif(os.geteuid() == 0, reason="a superuser may write anywhere")
def test_folders_that_may_not_be_written(command):
    Path("locked").mkdir(mode=0o500)
    refused(command, "solve", "kuhn_poker", "--output", "locked/x", says="not writable")
    refused(command, "solve", "kuhn_poker", "--save", "locked/run", says="not writable")


def test_plots_need_matplotlib(command, monkeypatch):
    monkeypatch.setattr("fogtree.plot.figure.find_spec", lambda name: None)
    refused(command, "solve", "kuhn_poker", "--plot", "x.png", says="fogtree[plot]")


def test_disk_full_leaves_the_old_file(command, saved, monkeypatch):
    def full(*arguments):
        raise OSError(28, "No space left on device")

    shutil.copy("kuhn.npz", "out.npz")
    monkeypatch.setattr("fogtree.system.files.os.fsync", full)
    refused(command, "strategy", "export", "kuhn.npz", "-o", "out.npz", says="No space left")
