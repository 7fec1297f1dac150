"""Ctrl-C, kill -9 and readers that go away, on real processes."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.support.processes import FOGTREE, HANGS, start, wait_for

pytestmark = pytest.mark.long

OFTEN = (  # saves after every step instead of every half minute
    "import sys; from fogtree.runs import loop\n"
    "loop.SAVE_EVERY_SECONDS = 0.0\n"
    "from fogtree.cli import main; sys.exit(main())"
)
ENDLESS = ["leduc_poker", "--iterations", "1000000000", "--every", "7777", "--json"]


def manifest(folder: Path):
    return json.loads((folder / "run" / "manifest.json").read_text())


@pytest.mark.parametrize(
    ("number", "algorithm"),
    [
        (signal.SIGINT, "cfr+"),
        (signal.SIGINT, "normalhedge"),
        pytest.param(signal.SIGTERM, "cfr+", marks=pytest.mark.slow),
        (signal.SIGTERM, "pcfr+"),
    ],
)
def test_signals_save_and_resume_goes_on_bit_for_bit(tmp_path, done, number, algorithm):
    process = start(tmp_path, "solve", *ENDLESS, "-a", algorithm, "--save", "run")
    wait_for(process, (tmp_path / "run" / "manifest.json").exists)
    time.sleep(0.3)
    process.send_signal(number)
    output, errors = process.communicate()
    assert process.returncode == 128 + number
    assert "fogtree resume run" in errors
    assert "Traceback" not in errors
    interrupted = json.loads(output)
    assert interrupted["stopped"] == {2: "interrupted", 15: "terminated"}[number]
    goal = str(interrupted["iterations"] + 500)
    resumed = done("resume", "run", "--iterations", goal, "--json").document
    solve = ["solve", "leduc_poker", "-a", algorithm, "--iterations", goal]
    straight = done(*solve, "--json").document
    assert resumed["strategy"] == straight["strategy"]
    assert resumed["exploitability"] == straight["exploitability"]


@pytest.mark.parametrize("wait", [0.0, pytest.param(0.11, marks=pytest.mark.slow), 0.37])
def test_kill_leaves_a_run_that_resumes(tmp_path, done, wait):
    often = [sys.executable, "-c", OFTEN]
    process = start(tmp_path, "solve", *ENDLESS, "--save", "run", python=often)
    path = tmp_path / "run" / "manifest.json"
    wait_for(process, lambda: path.exists() and manifest(tmp_path)["iteration"] > 0)
    time.sleep(wait)
    process.kill()
    process.communicate()
    goal = str(manifest(tmp_path)["iteration"] + 1000)
    resumed = done("resume", "run", "--iterations", goal, "--json").document
    straight = done("solve", "leduc_poker", "--iterations", goal, "--json").document
    assert resumed["strategy"] == straight["strategy"]
    names = sorted(entry.name for entry in (tmp_path / "run").iterdir())
    assert names == ["manifest.json", "metrics.jsonl", f"state-{goal}.npz"]


def test_one_process_at_a_time_works_on_a_run(tmp_path, command):
    process = start(tmp_path, "solve", *ENDLESS, "--save", "run")
    wait_for(process, (tmp_path / "run" / "manifest.json").exists)
    second = command("resume", "run")
    assert (second.status, second.output) == (2, "")
    assert second.errors == "fogtree: 'run' is in use: another process is working on it\n"
    process.kill()
    process.communicate()
    goal = str(manifest(tmp_path)["iteration"] + 1000)
    resumed = command("resume", "run", "--iterations", goal, "--json")
    assert resumed.document["iterations"] == int(goal)


SLOW_GAME = """
import time
from dataclasses import dataclass
from fogtree import TERMINAL, Game, State

class Slow(Game):
    short_name, players = "slow", 2
    def root(self): return Node(())

@dataclass(frozen=True)
class Node(State):
    taken: tuple
    @property
    def player(self): return TERMINAL if len(self.taken) == 2 else len(self.taken)
    def actions(self): return tuple(range(100))
    def child(self, action): time.sleep(0.01); return Node((*self.taken, action))
    def observation(self, player): return None
    def returns(self): return (0.0, 0.0)
"""


def test_ctrl_c_while_compiling_is_clean(tmp_path):
    (tmp_path / "slow.py").write_text(SLOW_GAME)
    process = start(tmp_path, "info", "slow.py:Slow")
    time.sleep(1.5)
    process.send_signal(signal.SIGINT)
    output, errors = process.communicate()
    assert process.returncode in (130, -signal.SIGINT)
    assert output == ""
    assert process.returncode != 130 or errors == ""


def test_ctrl_c_without_save_still_answers(tmp_path):
    process = start(tmp_path, "solve", *ENDLESS)
    time.sleep(2.0)
    process.send_signal(signal.SIGINT)
    output, errors = process.communicate()
    if output:  # it had begun to solve
        assert json.loads(output)["stopped"] == "interrupted"
        assert "not saved" in errors
    assert process.returncode in (130, -signal.SIGINT)


def test_an_interrupted_run_says_once_that_it_is_saved(tmp_path):
    process = start(tmp_path, "solve", *ENDLESS[:-1], "--save", "run")
    wait_for(process, (tmp_path / "run" / "manifest.json").exists)
    time.sleep(0.3)
    process.send_signal(signal.SIGINT)
    output, errors = process.communicate()
    assert process.returncode == 130
    assert (output + errors).count("saved in run") == 1


def test_terminated_scripts_end_once_their_run_is_saved(tmp_path):
    script = (
        "import sys; from fogtree import load_game, solve\n"
        "solve(load_game('leduc_poker'), iterations=10**9, every=10**6, save='run')\n"
        "print('went on')"
    )
    process = start(tmp_path, python=[sys.executable, "-c", script])
    wait_for(process, (tmp_path / "run" / "manifest.json").exists)
    time.sleep(0.3)
    process.terminate()
    output, errors = process.communicate()
    assert (process.returncode, output, errors) == (143, "", "")
    assert manifest(tmp_path)["iteration"] > 0


@pytest.mark.parametrize("stream", ["stdout", "stderr"])
def test_closed_output_is_no_error(tmp_path, stream):
    close = {"stdout": ">&-", "stderr": "2>&-"}[stream]
    line = f"exec '{sys.executable}' -m fogtree solve kuhn_poker --save run --json {close}"
    shell = ["sh", "-c", line]
    result = subprocess.run(shell, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert result.returncode == 0
    assert result.stderr == ""
    assert (result.stdout == "") == (stream == "stdout")
    assert manifest(tmp_path)["iteration"] == 1000


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no such device here")
@pytest.mark.parametrize("command", ["games", "games --json", "explain kuhn_poker"])
def test_output_that_cannot_be_written_is_one_line(tmp_path, command):
    with Path("/dev/full").open("w") as full:
        words = [*FOGTREE, *command.split()]
        result = subprocess.run(words, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert result.returncode == 2
    assert result.stderr == "fogtree: cannot write: No space left on device\n"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no such device here")
@pytest.mark.parametrize("command", ["info nothing", "games"])
def test_a_message_that_cannot_be_written_changes_no_status(command):
    with Path("/dev/full").open("w") as full:
        words = [*FOGTREE, *command.split()]
        assert subprocess.run(words, stdout=full, stderr=full, check=False).returncode == 2


INTERRUPTED_COMMAND = """
import os, signal, sys, typer
from fogtree.terminal.outcome import run_to_exit_code
signal.signal(signal.SIGINT, signal.default_int_handler)
app = typer.Typer()
@app.command()
def stop():
    try:
        os.kill(os.getpid(), signal.SIGINT)
    except KeyboardInterrupt:
        print("the answer so far")
        print("interrupted", file=sys.stderr)
        raise
sys.exit(run_to_exit_code(app, []))
"""


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no such device here")
@pytest.mark.parametrize("full", ["1>", "2>", "1> /dev/full 2>", "<&- 1> /dev/full 2>"])
def test_an_interruption_keeps_its_status_where_nothing_can_be_written(full):
    shell = ["sh", "-c", f'exec "$@" {full} /dev/full', "sh"]
    words = [*shell, sys.executable, "-c", INTERRUPTED_COMMAND]
    result = subprocess.run(words, capture_output=True, text=True, check=False)
    assert result.returncode == 130
    assert result.stderr == ("" if "2>" in full else "interrupted\n")


@pytest.mark.parametrize("command", [["games"], ["games", "--json"], ["solve", "leduc_poker"]])
def test_a_reader_that_goes_away_is_no_error(tmp_path, command):
    reading, writing = os.pipe()
    os.close(reading)
    process = subprocess.Popen(
        [*FOGTREE, *command], cwd=tmp_path, stdout=writing, stderr=subprocess.PIPE, text=True
    )
    os.close(writing)
    _, errors = process.communicate()
    assert errors == ""
    assert process.returncode == 1


def test_ctrl_c_ends_a_count_of_lines(tmp_path):
    process = start(tmp_path, "chess", "perft", "--depth", "12")
    status = Path(f"/proc/{process.pid}/task")
    wait_for(process, lambda: len(list(status.iterdir())) > 1 and started(process))
    process.send_signal(signal.SIGINT)
    output, errors = process.communicate(timeout=HANGS)
    assert (process.returncode, output, errors) == (130, "", "")


def test_ctrl_c_ends_the_uci_engine_with_its_move(tmp_path):
    process = subprocess.Popen(
        [*FOGTREE, "uci", "--agent", "search"],
        cwd=tmp_path,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    process.stdin.write("position startpos moves e2e4\ngo infinite\nisready\n")
    process.stdin.flush()
    assert process.stdout.readline() == "readyok\n"
    process.send_signal(signal.SIGINT)
    output, errors = process.communicate(timeout=HANGS)
    assert (process.returncode, errors) == (130, "")
    assert output.splitlines()[-1].startswith("bestmove ")


def started(process):
    """Whether it is past its start: it has used some time of the processor since."""
    fields = Path(f"/proc/{process.pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK") > 1.5


@pytest.mark.parametrize("command", [["play", "fog_chess"], ["uci"], ["play", "kuhn_poker"]])
def test_no_standard_input_is_its_end(tmp_path, command):
    words = [*FOGTREE, *command]
    done = subprocess.run(
        ["sh", "-c", 'exec "$@" <&-', "sh", *words],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
        timeout=HANGS,
    )
    assert (done.returncode, done.stderr) == (0, "")
