"""Damaged files of every kind, read by the commands that read them.

A damaged file is refused in one line, or gives the same answer as before. Archives, networks and
manifests, which have a checksum, never give another one; a text without a checksum may, if it still
says something possible, and that is counted as "other". No refused file is deleted or overwritten.
"""

from __future__ import annotations

import contextlib
import io
import json
import random
import re
import shutil
import sys
import traceback
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from tests.attack.damage import Damaged, bomb, damage
from tests.attack.part import Case, Finding, Part
from tests.attack.processes import Setting, run_forked
from tests.attack.samples import CHESS_DATA, TRAINING, contents, make_samples

PATIENCE = 10.0
"""Seconds of processor time after which Ctrl-C comes."""
MORE_MEMORY = 700
"""Megabytes beyond those of a sound file that a damaged one may take."""


@dataclass(frozen=True)
class Target:
    """Files that are damaged, one at a time, and the commands that read them."""

    files: str
    """A pattern; all files that fit are damaged in turn."""
    needs: tuple[str, ...]
    """Files and folders that the commands need."""
    commands: tuple[str, ...]


TARGETS = (
    Target(
        "kuhn.npz",
        ("kuhn.npz", "kuhn.json"),
        (
            "strategy show kuhn.npz --json",
            "exploitability kuhn_poker -s kuhn.npz --json",
            "arena kuhn_poker --agents random,tabular:kuhn.npz --games 2 --workers 1 --json",
            "strategy export kuhn.npz -o out.csv",
            "strategy diff kuhn.npz kuhn.json --json",
        ),
    ),
    Target(
        "kuhn.json",
        ("kuhn.json",),
        ("strategy show kuhn.json --json", "exploitability kuhn_poker -s kuhn.json --json"),
    ),
    Target(
        "table.npz",
        ("table.npz",),
        (
            "arena cambia(max_turns=4) --agents random,tabular:table.npz --games 2 --workers 1"
            " --json",
        ),
    ),
    Target("run/*", ("run",), ("strategy show run --json", "resume run -n 60 --json")),
    Target("sampled/*", ("sampled",), ("resume sampled -n 300 --json",)),
    Target("simulated/*", ("simulated",), ("resume simulated -n 300 --json",)),
    Target(
        "own_run/*", ("own_run", "own.py"), ("resume own_run --game own.py:Coin -n 30 --json",)
    ),
    Target(
        "training/*",
        ("training", "longer.toml"),
        ("resume training --config longer.toml --json",),
    ),
    Target(
        "training/policy.npz",
        ("training",),
        (
            "exploit kuhn_poker --agent deep:training/policy.npz --method exact --json",
            "arena kuhn_poker --agents random,deep:training --games 2 --workers 1 --json",
        ),
    ),
    Target(
        "records.jsonl",
        ("records.jsonl",),
        ("replay records.jsonl", "replay records.jsonl --game 2"),
    ),
    Target(
        "chess.jsonl",
        ("chess.jsonl",),
        ("replay chess.jsonl", "analyse --record chess.jsonl --ply 3 --steps 5 --json"),
    ),
    Target(
        "game.pgn",
        ("game.pgn",),
        ("replay game.pgn", "analyse --record game.pgn --ply 3 --steps 5 --json"),
    ),
    Target(
        "ledger.jsonl",
        ("ledger.jsonl", "kuhn.npz"),
        (
            "arena kuhn_poker --agents random,tabular:kuhn.npz --games 6 --workers 1"
            " --file ledger.jsonl --json",
        ),
    ),
    Target(
        "safety.jsonl",
        ("safety.jsonl",),
        (
            "study safety kuhn_poker --steps 20 --orders 1 --gadgets both --presets paper"
            " --workers 1 --file safety.jsonl --json",
        ),
    ),
    Target(
        "options.toml",
        ("options.toml",),
        ("train kuhn_poker --config options.toml --save new --json",),
    ),
    Target(
        "small.fognet",
        ("small.fognet",),
        (
            "chess evaluator inspect small.fognet --json",
            "chess evaluator values net:small.fognet --json",
        ),
    ),
    Target("data/*", ("data",), (CHESS_DATA,)),
    Target("own.py", ("own.py",), ("info own.py:Coin --json",)),
    Target("games.sqlite3", ("games.sqlite3",), ("READ games.sqlite3",)),
)  # fmt: skip
SEALED = (".npz", ".fognet")
BOMBS = ("kuhn.npz", "table.npz", "run/state-50.npz", "training/policy.npz")


class DamagedFiles(Part):
    """Damaged files."""

    name = "damaged_files"
    goal = required = 20_000
    short = 40
    chunk = 100

    def prepare(self, shared: Path) -> None:
        from tests.attack.web_samples import make_database

        sound = shared / "sound"
        sound.mkdir()
        make_samples(sound)
        (sound / "longer.toml").write_text(TRAINING.replace("iterations = 3", "iterations = 4"))
        make_database(sound / "games.sqlite3")
        answers = {}
        for number, target in enumerate(TARGETS):
            folder = shared / "try"
            _copy(sound, folder, target.needs)
            found = read_all(target.commands, folder)
            shutil.rmtree(folder)
            if any(one["status"] != 0 for one in found["answers"]):
                raise RuntimeError(f"sound files are refused: {found}")
            answers[number] = found
        (shared / "answers.json").write_text(json.dumps(answers))

    def attack(self, case: Case) -> Counter[str]:
        luck, sound = case.luck, case.shared / "sound"
        number = luck.randrange(len(TARGETS))
        target = TARGETS[number]
        victim = luck.choice(sorted(p for p in sound.glob(target.files) if p.is_file()))
        name = str(victim.relative_to(sound))
        damaged = self._damage(luck, case.shared, name)
        folder = case.folder / "here"
        _copy(sound, folder, target.needs)
        (folder / name).write_bytes(damaged.content)
        before = contents(folder)
        known = _answers(case.shared)[str(number)]
        found = read_all(target.commands, folder)
        wrong, outcome = judge(known, found, damaged, name)
        refused = all(one["status"] == 2 for one in found["answers"])
        if not wrong and refused:
            after = contents(folder)
            lost = [one for one in before if after.get(one) != before[one]]
            if lost and name != "games.sqlite3":
                wrong = f"refused, but '{lost[0]}' was changed or deleted"
        if wrong:
            raise Finding(f"{wrong}\n  {name}: {damaged.what}\n  {_short(found)}")
        return Counter({outcome: 1})

    def _damage(self, luck: random.Random, shared: Path, name: str) -> Damaged:
        if name in BOMBS and luck.random() < 0.02:
            content = bomb((shared / "sound" / name).read_bytes())
            return Damaged(content, "zeros of a gigabyte and a half", noise=False)
        sound = shared / "sound"
        others = [(sound / one).read_bytes() for one in ("kuhn.npz", "kuhn.json", "small.fognet")]
        return damage(luck, name, (sound / name).read_bytes(), others)


@cache
def _answers(shared: Path) -> dict[str, Any]:
    """The answers with sound files, by number of the target."""
    found: dict[str, Any] = json.loads((shared / "answers.json").read_text())
    return found


def _copy(sound: Path, folder: Path, needs: Sequence[str]) -> None:
    folder.mkdir(parents=True)
    for name in needs:
        if (sound / name).is_dir():
            shutil.copytree(sound / name, folder / name)
        else:
            shutil.copy(sound / name, folder / name)


def read_all(commands: Sequence[str], folder: Path) -> dict[str, Any]:
    """The answers of all commands in a folder, read in one fork of this process."""

    def work() -> int:
        answers = [_answer(command.split()) for command in commands]
        json.dump(answers, sys.stdout)
        return 0

    ended = run_forked(work, Setting(folder, interrupt=PATIENCE))
    try:
        answers = json.loads(ended.output)
    except ValueError:
        answer = {"status": ended.status, "output": ended.output, "errors": ended.errors}
        answers = [answer | {"crashed": True}]
    return {"answers": answers, "status": ended.status, "megabytes": ended.megabytes,
            "hung": ended.hung, "left": ended.left, "interrupted": ended.interrupted}  # fmt: skip


def _answer(arguments: list[str]) -> dict[str, Any]:
    """What one command prints, with everything that depends on the clock left out."""
    from fogtree.cli import main

    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            if arguments[0] == "READ":
                from tests.attack.web_samples import read_database

                status = read_database(Path(arguments[1]))
            else:
                status = main(arguments)
        except Exception:
            traceback.print_exc()
            status = 1
    return {"status": status, "output": out.getvalue(), "errors": err.getvalue()}


_TIMES = re.compile(r'"(part|[a-z_]*second[a-z_]*)": [-0-9.e+]+,?')


def timeless(output: str) -> str:
    return _TIMES.sub("", output)


def judge(
    known: dict[str, Any], found: dict[str, Any], damaged: Damaged, name: str
) -> tuple[str, str]:
    """What is wrong with the answers, or how the case ended."""
    if found["hung"]:
        return "hangs", ""
    if found["status"] == 130 and found["interrupted"]:
        return "", "interrupted"  # the second Ctrl-C ends training at once, without an answer
    if found["status"] != 0 or any("crashed" in one for one in found["answers"]):
        return f"ends the process with status {found['status']}", ""
    if found["left"]:
        return "leaves processes behind", ""
    if found["megabytes"] > known["megabytes"] + MORE_MEMORY:
        return f"takes {found['megabytes']} MB, {known['megabytes']} before", ""
    outcome = "same"
    for before, now in zip(known["answers"], found["answers"], strict=True):
        if now["status"] == 2:
            lines = now["errors"].splitlines()
            said = [line for line in lines if line.startswith("fogtree: ")]
            if len(said) != 1 or said[0] != lines[-1] or len(said[0]) > 1500:
                return "does not say in one line what is wrong", ""
            outcome = "refused" if outcome == "same" else outcome
        elif now["status"] == 130 and found["interrupted"]:
            outcome = "interrupted"  # options that are missing now have long defaults
        elif now["status"] != 0 or "Traceback" in now["errors"]:
            return f"ends with status {now['status']}", ""
        elif timeless(now["output"]) != timeless(before["output"]):
            if (damaged.noise and name.endswith(SEALED)) or name.endswith("manifest.json"):
                return "gives another answer", ""
            if now["output"].count("null") > before["output"].count("null"):
                return "gives an answer without numbers", ""
            outcome = "other"
    return "", outcome


def _short(found: dict[str, Any]) -> str:
    return "\n  ".join(
        f"{one['status']}: {one['output'][-300:]!r} {one['errors'][-2000:]!r}"
        for one in found["answers"]
    )
