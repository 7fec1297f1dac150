"""Command lines made from the real tree of commands, with values of the right and the wrong kind.

Every command ends with status 0, or with 2 and one clear line; after Ctrl-C with 130, and with 1 if
the reader of its output is gone. There is no traceback, no crash, no hang, and no file changes that
the command line does not name.
"""

from __future__ import annotations

import inspect
import os
import random
import re
from collections import Counter
from dataclasses import dataclass
from enum import Enum
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any, get_args, get_type_hints

from tests.attack.part import Case, Finding, Part
from tests.attack.processes import Ended, Setting, run_command, run_interpreter
from tests.attack.samples import make_samples
from tests.attack.stage import Stage

JUNK = (
    "", " ", "-", "--", "-1", "0", "1", "2", "3", "007", "nan", "inf", "-inf", "1e400", "1e-400",
    "9" * 30, "-" + "9" * 30, "9" * 5000, str(2**31), str(2**32), str(2**63 - 1), str(2**63),
    str(2**64), "0x10", "1_000", "1.5", "٣", "½", "²", "\udcff", "\udcff\udcfe.npz", "a" * 10_000,
    "ÿ", "\x1b[31m", "\n", "\t", "🂡", "a b", ",", ",,,", "=", "(", ")", "((((", "[]", "{}", "x=y",
    "--json", "None", "True", "%s%n", "'", '"', "\\", "..", "~", "x(", "x(y=", "x(y=1", "x(y=1))",
    "x:y:z", ":", "x(y=[[[[", "x(=1)", "random", "kuhn_poker", "kuhn.npz", "(" * 3000, "[" * 3000,
)  # fmt: skip
GAMES = (
    "kuhn_poker", "kuhn_poker", "kuhn_poker", "matching_pennies", "rock_paper_scissors",
    "leduc_poker", "kuhn_poker(players=3)", "liars_dice(sides=2)", "goofspiel(cards=3)", "cambia",
    "cambia(max_turns=4)", "fog_chess", "phantom_ttt", "battleship", "own.py:Coin",
    "own.py:Coin(stake=2)", "own.py:Coin(stake=nan)", "own.py:Coin(stake=99999999999999999999999)",
    "own.py", "own.py:", "own.py:Toss", "own.py:Nothing", "missing.py:Game", "wrong.py:Game",
    "raises.py:Game", "exits.py:Game", "endless.py:Game", "folder.py:Game", "loop.py:Game",
    "/dev/zero.py:Game", "kuhn_poker(players=1)", "kuhn_poker(players=99999999999999999999)",
    "kuhn_poker(players='two')", "kuhn_poker(players=True)", "kuhn_poker(players=2.0)",
    "leduc_poker(ranks=100000)", "leduc_poker(ranks=-1)", "goofspiel(cards=40)",
    "liars_dice(dice=9, sides=9)", "fog_chess(fen='x')", "fog_chess(rules='x')",
    "cambia(players=9)", "cambia(max_turns=0)", "openspiel:kuhn_poker", "openspiel:x",
    "openspiel:", "openspiel:hearts", "openspiel:chess", "kuhn_poker()", " kuhn_poker ",
    "kuhn_pokr", "efg:", "efg:missing.efg", "efg:/dev/zero", "efg:own.py", "efg:.",
)  # fmt: skip
FILES = (
    "kuhn.npz", "kuhn.json", "coin.npz", "table.npz", "run", "sampled", "simulated", "own_run",
    "training", "training/policy.npz", "training/latest.npz", "run/manifest.json", "records.jsonl",
    "ledger.jsonl", "safety.jsonl", "game.pgn", "chess.jsonl", "options.toml", "small.fognet",
    "own.py", "empty", "missing", "missing/deep.json", "loop", "dangling", ".", "folder",
    "/dev/null", "/dev/full", "/dev/zero", "/proc/self/mem", "", "\udcff.json", "a" * 300,
    "new.json", "new.npz", "new.csv", "new.png", "new.svg", "new.pdf", "new.html", "new.jsonl",
    "new.pgn", "new", "new/deep", "empty/new.json", "loop/new.json",
)  # fmt: skip
WORDS: dict[str, tuple[str, ...]] = {
    "game": GAMES,
    "algorithm": (
        "cfr", "cfr+", "lcfr", "dcfr", "pcfr+", "hedge", "normalhedge", "normalhedge+",
        "mccfr-external", "mccfr-outcome", "mccfr-outcome-baseline", "mccfr-chance+",
        "mccfr-robust-linear", "mccfr-average-discounted", "mccfr", "own.py:Coin", "own.py:Toss",
    ),
    "algorithms": ("cfr,cfr+", "cfr", "cfr,cfr", "cfr,own.py:Coin", "mccfr-external,cfr", "all"),
    "agents": (
        "random,random", "random,tabular:kuhn.npz", "all", "random", "random,search(steps=5)",
        "random,deep:training", "random,deep:kuhn.npz", "random,tabular:table.npz",
        "random,tabular:/dev/zero", "greedy,random", "random,search(steps=0)",
        "search(steps=5,expanders=1),random", "random,search(time=nan)", "random,human",
    ),
    "agent": (
        "random", "deep:training", "deep", "tabular:kuhn.npz", "tabular:run", "deep:loop", "search",
    ),
    "against": ("random", "search(steps=5)", "tabular:kuhn.npz", "deep:training", "greedy", "you"),
    "evaluator": ("net", "simple", "net:small.fognet", "net:kuhn.npz", "net:/dev/zero", "nope",
                  "uci:missing", "uci:/bin/true", "uci:/bin/cat", "uci:", "net:loop"),
    "rules": ("chesscom", "nope", "standard", "dark"),
    "preset": ("paper", "seed", "focus", "nope"),
    "presets": ("paper", "paper,seed", "nope", ","),
    "gadgets": ("both", "none", "resolve,maxmargin", "nope", ","),
    "orders": ("1", "1,2", "inf", "0", "nan", ",", "9" * 30),
    "setting": ("order=2", "order=99999999999999999999999", "gadget=none", "pruning=on", "x=1",
                "=", "seed=1e5", "exploration=inf", "expanders=3", "order=inf", "memory=1K"),
    "infoset": ("J", "Q", "Kcb", "", "~", "x"),
    "deals": ("JQ", "QK", "J,Q", "JJ", "x", "", "JQK"),
    "fen": ("startpos", "8/8/8/8/8/8/8/8 w - - 0 1", "k7/8/8/8/8/8/8/K7 w - - 0 1", "x",
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 99999999999999999999"),
    "moves": ("e2e4", "e2e4,e7e5", "e2e5", ",", "0000", "e2e4,e7e5,g1f3,b8c6"),
    "as_": ("white", "black", "0", "1", "2", "-1", "red"),
    "memory": ("1", "0", "4K", "64M", "1GB", "9" * 30 + "G", "-1G", "nan", "1e3M"),
    "abstraction": ("own_hand", "nope"),
    "openings": ("start", "book", "random:2", "random:-1", "random:x", "own.py", "/dev/zero"),
    "sprt": ("0,20", "20,0", "0", "nan,1", "inf,1", "x,y", "0,20,30"),
    "blueprint": ("kuhn.npz", "equilibrium", "table.npz", "run", "/dev/zero", "loop"),
    "host": ("127.0.0.1", "localhost", "x", "256.1.1.1", "::1", "0.0.0.0"),
    "stockfish": ("/bin/true", "/bin/cat", "missing", "/dev/zero", "."),
    "only": ("pruning", "nope", "frozen"),
}  # fmt: skip
SOUND: dict[str, tuple[str, ...]] = {
    "game": GAMES[:15],
    "source": ("kuhn.npz", "kuhn.json", "run", "sampled"),
    "first": ("kuhn.npz", "kuhn.json", "run"),
    "second": ("kuhn.npz", "kuhn.json", "run"),
    "strategy": ("kuhn.npz", "kuhn.json", "run"),
    "agents": ("random,search(steps=5)", "random,random(seed=1)", "all", "random,tabular:kuhn.npz"),
    "agent": ("random", "deep:training", "tabular:kuhn.npz"),
    "record": ("records.jsonl", "game.pgn", "chess.jsonl", "new.jsonl"),
    "config": ("options.toml",),
    "file": ("records.jsonl", "game.pgn", "chess.jsonl", "small.fognet", "new.jsonl"),
    "folder": ("run", "sampled", "simulated", "new", "own_run", "training"),
    "save": ("new", "new/deep", "folder"),
    "output": ("new.json", "new.npz", "new.csv", "new"),
    "output_file": ("new",),
    "plot": ("new.png", "new.svg"),
    "infoset": ("J", "Q", "Jb"),
    "fen": ("startpos",),
    "moves": ("e2e4", "e2e4,e7e5", "e2e4,e7e5,g1f3,b8c6"),
    "as_": ("white", "black", "0"),
    "evaluator": ("net", "simple", "net:small.fognet"),
    "data": ("new.sqlite3",),
    "runs": (".",),
}  # fmt: skip
"""Values that make sense more often than not."""
BOUNDS = {
    "solve": ("--iterations", "20"),
    "resume": ("--iterations", "60"),
    "compare": ("--iterations", "20"),
    "explain": ("--iterations", "2"),
    "train": ("--config", "options.toml"),
    "exploit": ("--iterations", "1", "--traversals", "10", "--games", "10"),
    "arena": ("--games", "2", "--nodes", "20", "--workers", "1"),
    "analyse": ("--steps", "20"),
    "play": ("--seconds", "0.01"),
    "study safety": ("--steps", "20", "--workers", "1", "--orders", "1", "--presets", "paper"),
    "study ablate": ("--games", "2", "--nodes", "20", "--workers", "1"),
    "chess perft": ("--depth", "2"),
    "chess belief": ("--cap", "1000"),
    "chess evaluator check": ("--positions", "5"),
    "chess data": ("--games", "1", "--steps", "5", "--workers", "1"),
    "chess train-net": ("--steps", "2", "--batch", "16"),
    "chess match": ("--games", "2", "--steps", "5", "--workers", "1"),
    "serve": ("--no-browser", "--port", "0"),
}
"""Options, put last, that keep the work of a command short."""
WEIGHTS = {
    "serve": 0.2, "demo": 0.1, "games": 0.2, "study ablate": 0.5, "solve": 3.0, "arena": 2.0,
    "analyse": 3.0, "play": 2.0, "explain": 2.0, "resume": 2.0, "chess evaluator inspect": 0.3,
    "chess evaluator check": 0.3, "chess evaluator random": 0.3, "chess evaluator values": 0.5,
    "chess evaluator export-stockfish-net": 0.3, "chess see": 0.5, "chess perft": 0.5,
}  # fmt: skip
"""How often commands come, compared with the others."""
PATIENCE = (0.02, 0.1, 0.2, 0.3, 0.6)
"""Seconds after which Ctrl-C comes."""
STARTING = 8.0
"""More seconds, for a new interpreter or for JAX."""
NEW_PROCESSES = 0.02
"""The share of command lines that run in a new interpreter."""
SWALLOWED = re.compile(r"Exception ignored in: [^\n]*\nTraceback .*?\nKeyboardInterrupt: ?\n", re.S)
"""Ctrl-C inside a library that drops it, as the interpreter reports it."""
JAX = find_spec("jax") is not None
"""Without it a device is refused; with it the device's library takes address space without end."""
TYPED = (
    b"0", b"1", b"2", b"", b"?", b"help", b"q", b"quit", b"check", b"bet", b"e2e4", b"d2d4",
    b"resign", b"-1", b"99999999999", b"\xff\xfe", b"a" * 5000, b"\x00", b"uci", b"isready",
    b"ucinewgame",
    b"position startpos", b"position startpos moves e2e4 e7e5", b"position fen x", b"position",
    b"go nodes 20", b"go movetime 10", b"go depth 1", b"go infinite", b"go wtime -1", b"stop",
    b"setoption name Threads value 2", b"setoption name Hash value 99999999999999999999",
    b"setoption", b"setoption name Evaluator value net:/dev/zero", b"d", b"go movetime x",
)  # fmt: skip


class CommandLines(Part):
    """Command lines of all kinds."""

    name = "command_lines"
    goal = required = 20_000
    short = 30
    chunk = 50
    _stage: Stage | None = None

    def prepare(self, shared: Path) -> None:
        make_samples(shared)
        (shared / "empty").write_bytes(b"")
        (shared / "folder").mkdir()
        (shared / "folder.py").mkdir()
        (shared / "loop").symlink_to("loop")
        (shared / "loop.py").symlink_to("loop.py")
        (shared / "dangling").symlink_to("nowhere")
        (shared / "wrong.py").write_text("def oops(:\n")
        (shared / "raises.py").write_text("raise ValueError('two\\nlines')\n")
        (shared / "exits.py").write_text("import sys\nsys.exit(3)\n")
        (shared / "endless.py").write_text(ENDLESS)

    def attack(self, case: Case) -> Counter[str]:
        if self._stage is None:
            self._stage = Stage(case.shared, case.folder.with_name(f"stage-{os.getpid()}"))
        stage, folder, luck = self._stage, self._stage.folder, case.luck
        stage.restore()
        arguments = random_command(luck)
        plain = luck.random() < 0.7
        fresh = luck.random() < NEW_PROCESSES and not any("\0" in one for one in arguments)
        on_device = JAX and any("gpu" in one for one in arguments)
        setting = Setting(
            folder,
            typed=b"\n".join(luck.choices(TYPED, k=luck.randrange(12))) + b"\n",
            stdin="file" if plain else luck.choice(["file", "closed", "/dev/null"]),
            stdout="file" if plain else luck.choice(["file", "closed", "broken", "/dev/full"]),
            stderr="file" if plain else luck.choice(["file", "file", "closed", "/dev/full"]),
            encoding=luck.choice(["utf-8", "utf-8", "ascii", "latin-1"]),
            interrupt=luck.choice(PATIENCE) + (STARTING if fresh or on_device else 0.0),
            environment={"HOME": str(folder), "XDG_DATA_HOME": str(folder / "data")},
            limited=not on_device,
        )
        ended = (run_interpreter if fresh else run_command)(arguments, setting)
        wrong = judge(ended, setting) or changed(stage, arguments, ended)
        if wrong:
            raise Finding(describe(wrong, arguments, setting, ended))
        return Counter({f"exit {ended.status}{', new process' if fresh else ''}": 1})

    def leave(self) -> None:
        if self._stage is not None:
            self._stage.close()


ENDLESS = """
from fogtree import Game, State
class Game(Game):
    short_name = "endless"
    players = 2
    def root(self):
        return Here(0)
class Here(State):
    def __init__(self, depth):
        self.depth = depth
    player = property(lambda self: self.depth % 2)
    def actions(self):
        return (0, 1)
    def child(self, action):
        return Here(self.depth + 1)
    def observation(self, player):
        return self.depth
"""


@dataclass(frozen=True)
class Parameter:
    """An option or argument of a command, as the function of the command declares it."""

    name: str
    flags: tuple[str, ...]
    """Empty for an argument."""
    kind: type
    required: bool
    edges: tuple[int, ...]
    """Numbers around the ends of the allowed range."""


@cache
def command_tree() -> dict[str, tuple[Parameter, ...]]:
    """All commands by their full names."""
    from typer.main import get_command

    from fogtree.cli import app

    found: dict[str, tuple[Parameter, ...]] = {}

    def add(command: Any, words: tuple[str, ...]) -> None:
        if hasattr(command, "commands"):
            for name, sub in command.commands.items():
                add(sub, (*words, name))
        else:
            found[" ".join(words)] = _parameters(command)

    add(get_command(app), ())
    return found


def _parameters(command: Any) -> tuple[Parameter, ...]:
    """The parameters of a command; their types are those of its function, because versions of the
    parser keep them in different places."""
    hints = get_type_hints(inspect.unwrap(command.callback), include_extras=True)
    found = []
    for one in command.params:
        if one.name not in hints:  # --help
            continue
        declared, *about = get_args(hints[one.name])
        types = [k for k in _leaves(declared) if isinstance(k, type) and k is not type(None)]
        kind = next(iter(types), str)  # the values of a Literal are no types
        ends = [getattr(a, end, None) for a in about for end in ("min", "max")]
        edges = tuple(int(end) + step for end in ends if end is not None for step in (-1, 0, 1))
        flags = (*one.opts, *one.secondary_opts) if one.param_type_name == "option" else ()
        found.append(Parameter(one.name, flags, kind, bool(one.required), edges))
    return tuple(found)


def _leaves(declared: Any) -> list[type]:
    """The types in a union or a list."""
    parts = get_args(declared)
    return [leaf for part in parts for leaf in _leaves(part)] if parts else [declared]


def random_command(luck: random.Random) -> list[str]:
    """A command with options and values, most of them of the right kind."""
    tree = command_tree()
    names = list(tree)
    name = luck.choices(names, [WEIGHTS.get(one, 1.0) for one in names])[0]
    if luck.random() < 0.02:
        return luck.choices([*JUNK, *names, "--help", "--version"], k=luck.randrange(4))
    line, options = name.split(), []
    wildness = luck.choice([0.0, 0.0, 0.0, 0.05, 0.2, 0.5])
    for one in tree[name]:
        if not one.flags:
            count = 1 if luck.random() < 0.97 else luck.randrange(3)
            line += [_value(one, luck, wildness) for _ in range(count)]
        elif one.required and luck.random() < 0.95:
            options.append(_option(one, luck, wildness))
    optional = [one for one in tree[name] if one.flags and not one.required]
    for one in luck.sample(optional, min(len(optional), luck.choice([0, 0, 1, 1, 2, 3, 5]))):
        options.append(_option(one, luck, wildness))
    luck.shuffle(options)
    line += [word for option in options for word in option]
    if luck.random() < 0.93:
        line += BOUNDS.get(name, ())
    if luck.random() < wildness / 5:
        line.insert(luck.randrange(len(line) + 1), luck.choice([*JUNK, "--help"]))
    return line


def _option(parameter: Parameter, luck: random.Random, wildness: float) -> list[str]:
    flag = luck.choice(parameter.flags)
    if parameter.kind is bool:
        return [flag] if luck.random() > wildness / 5 else [f"{flag}={luck.choice(JUNK)}"]
    value = _value(parameter, luck, wildness)
    return [f"{flag}={value}"] if luck.random() < 0.2 else [flag, value]


def _value(parameter: Parameter, luck: random.Random, wildness: float) -> str:
    """A value for an option or an argument; with probability ``wildness`` any text at all."""
    kind = parameter.kind
    if luck.random() < wildness:
        return luck.choice(JUNK)
    name = "game" if parameter.name == "games" and kind is str else parameter.name
    words = WORDS.get(name)
    if luck.random() < 0.7 and name in SOUND:
        words = SOUND[name]
    if words is not None and kind is not int:
        return luck.choice(words)
    if issubclass(kind, Enum):
        return str(luck.choice(list(kind)).value)
    if kind is int:
        small = [0, 1, 2, 3, 5, 10]
        edges = [edge for edge in parameter.edges if not 20 < edge < 5000]
        return str(luck.choice([*small, *small, *edges]))
    if kind is float:
        return luck.choice(["0", "0.01", "0.5", "1", "-1", "nan", "inf", "1e-300", "1e300"])
    return luck.choice(words or FILES if kind is Path else JUNK)


DEVICES = [
    path for path in map(Path, ("/dev/null", "/dev/full", "/dev/zero")) if path.is_char_device()
]
"""What commands may be told to write to, and must not replace: a superuser could."""


def judge(ended: Ended, setting: Setting) -> str:
    """What is wrong with how a command ended; empty if nothing is."""
    allowed = {0, 2}
    if setting.stdout == "broken" or setting.stderr == "broken":
        allowed.add(1)
    if ended.interrupted:
        allowed.add(130)
    if ended.hung:
        return "hangs"
    if ended.status not in allowed:
        return "ends with a wrong status"
    errors = SWALLOWED.sub("", ended.errors) if ended.interrupted else ended.errors
    if "Traceback" in errors or "Traceback" in ended.output:
        return "prints a traceback"
    if ended.left:
        return "leaves processes behind"
    if ended.status == 2 and setting.stderr == "file":
        *_, last = ended.errors.splitlines() or [""]
        said = [line for line in ended.errors.splitlines() if line.startswith("fogtree: ")]
        if len(said) != 1 or not last.startswith("fogtree: ") or len(last) > 1500:
            return "does not say in one clear line what is wrong"
        if not last.removeprefix("fogtree: ").strip():
            return "says nothing"
    return ""


def changed(stage: Stage, arguments: list[str], ended: Ended) -> str:
    """A file that was deleted or overwritten although the command line does not name it, or a
    device that was replaced by a file."""
    for device in DEVICES:
        if not device.is_char_device():
            return f"replaces '{device}'"
    words = " ".join(arguments)
    for name, now in stage.changes().items():
        named = any(part and part in words for part in (name, *map(str, Path(name).parents[:-1])))
        if not named:
            return f"changes '{name}', which it was not told to"
        if ended.status == 2 and now is None and not _replaced(name, stage.added()):
            return f"deletes '{name}' and fails"
    return ""


def _replaced(name: str, added: set[str]) -> bool:
    """Whether a run's state gave way to a later one, before the output could not be written."""
    state = re.fullmatch(r"(.*/state-)\d+(\.npz)", name)
    return state is not None and any(
        re.fullmatch(re.escape(state[1]) + r"\d+" + re.escape(state[2]), one) for one in added
    )


def describe(wrong: str, arguments: list[str], setting: Setting, ended: Ended) -> str:
    """All of a case that is needed to understand it."""
    return (
        f"{wrong}: status {ended.status} after {ended.seconds:.1f} s"
        f"{', interrupted' if ended.interrupted else ''}\n"
        f"  fogtree {[word[:200] for word in arguments]!r}\n"
        f"  stdin {setting.stdin}, stdout {setting.stdout}, stderr {setting.stderr}, "
        f"{setting.encoding}\n"
        f"  typed {setting.typed[:200]!r}\n"
        f"  output {ended.output[-300:]!r}\n  errors {ended.errors[-2500:]!r}"
    )
