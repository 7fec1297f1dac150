"""Sound files of every kind that fogtree reads, made once by fogtree itself."""

from __future__ import annotations

import contextlib
import io
import os
import shutil
from pathlib import Path

OWN_GAME = """
from __future__ import annotations
from dataclasses import dataclass
from fogtree import CHANCE, TERMINAL, Game, State

@dataclass(frozen=True)
class Coin(Game):
    \"\"\"Guess a coin that only one player has seen.\"\"\"
    short_name = "coin"
    players = 2
    stake: int = 1

    def root(self):
        return Toss((), self.stake)

@dataclass(frozen=True)
class Toss(State):
    seen: tuple
    stake: int

    @property
    def player(self):
        return {0: CHANCE, 1: 0, 2: 1}.get(len(self.seen), TERMINAL)

    def chance(self):
        return [("h", 0.5), ("t", 0.5)]

    def actions(self):
        return ("h", "t")

    def child(self, action):
        return Toss((*self.seen, action), self.stake)

    def returns(self):
        won = self.stake if self.seen[0] == self.seen[2] else -self.stake
        return (-won, won)

    def observation(self, player):
        return self.seen[:1] if player == 0 else self.seen[1:2]
"""

TRAINING = """
[run]
iterations = 3
checkpoint_seconds = 0
[traversal]
traversals = 10
[network]
hidden = [8]
value_hidden = [8]
[regret]
steps = 3
batch = 16
capacity = 60
[average]
steps = 3
batch = 16
capacity = 60
[evaluation]
interval = 2
"""

CHESS_DATA = "chess data data --games 2 --steps 6 --roots 1 --leaves 2 --workers 1 --json"

COMMANDS = (
    "solve kuhn_poker -n 50 --every 10 --save run --output kuhn.npz",
    "solve kuhn_poker -n 20 --output kuhn.json",
    "solve leduc_poker -a mccfr-external -n 200 --every 100 --save sampled",
    "solve cambia(max_turns=4) -a mccfr-outcome --abstraction own_hand -n 200 --save simulated"
    " --output table.npz",
    "solve own.py:Coin -n 20 --save own_run --output coin.npz",
    "train kuhn_poker --config options.toml --save training",
    "arena kuhn_poker --agents random,tabular:kuhn.npz --games 6 --workers 1 --file ledger.jsonl"
    " --records records.jsonl",
    "arena fog_chess --agents random,greedy --games 2 --workers 1 --records game.pgn"
    " --records chess.jsonl",
    "study safety kuhn_poker --steps 20 --orders 1 --gadgets both --presets paper --workers 1"
    " --file safety.jsonl",
    "chess evaluator random small.fognet --width 128 --stacks 1",
    CHESS_DATA,
)


def make_samples(folder: Path) -> None:
    """Fill a folder with sound files, and some that are none."""
    from fogtree.cli import main

    before = Path.cwd()
    os.chdir(folder)
    try:
        Path("own.py").write_text(OWN_GAME)
        Path("options.toml").write_text(TRAINING)
        for line in COMMANDS:
            said = io.StringIO()
            with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
                status = main(line.split())
            if status != 0:
                raise RuntimeError(f"{line}: {status}\n{said.getvalue()}")
        shutil.rmtree("__pycache__", ignore_errors=True)
    finally:
        os.chdir(before)


def contents(folder: Path) -> dict[str, bytes]:
    """All files below a folder; links and folders are named too."""
    found = {}
    for path in sorted(folder.rglob("*")):
        name = str(path.relative_to(folder))
        if path.is_symlink():
            found[name] = b"link " + os.fsencode(os.readlink(path))
        elif path.is_file():
            found[name] = path.read_bytes()
        else:
            found[name] = b"folder"
    return found
