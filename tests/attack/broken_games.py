"""Games whose methods raise, lie, change their minds or never end, given to everything.

On the command line each ends with status 0, or with 2 and one clear line. In Python the error is a
:class:`~fogtree.FogtreeError`, or the one that the game itself raised. A game that compiling must
refuse is refused.
"""

from __future__ import annotations

import traceback
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import fogtree
from tests.attack.command_lines import describe, judge
from tests.attack.fickle_game import REFUSED, FickleGame, random_game
from tests.attack.part import Case, Finding, Part
from tests.attack.processes import Setting, run_command, run_forked

MEMORY = 64 << 20
QUICK = {
    "run": {"iterations": 1},
    "traversal": {"traversals": 5},
    "network": {"hidden": [4]},
    "regret": {"steps": 2, "batch": 8},
    "average": {"steps": 2, "batch": 8},
}
COMMANDS = (
    "info GAME --json",
    "solve GAME -n 5 --memory 64M",
    "solve GAME -n 5 -a mccfr-external --memory 64M --json",
    "explain GAME",
    "compare GAME -n 5",
    "play GAME --seed 1",
    "play GAME --seed 1 --against search(steps=5)",
    "arena GAME --agents random,search(steps=5) --games 2 --workers 1",
    "analyse GAME --steps 5",
    "train GAME --config quick.toml",
    "exploit GAME --agent random --method exact --method local",
    "study safety GAME --steps 5 --orders 1 --gadgets both --presets paper --workers 1",
    "exploitability GAME -s missing.npz",
)
TOML = """
[run]
iterations = 1
[traversal]
traversals = 5
[network]
hidden = [4]
[regret]
steps = 2
batch = 8
[average]
steps = 2
batch = 8
"""


def _compiled(game: Any) -> Any:
    return fogtree.compile(game, memory=MEMORY)


CALLS: dict[str, Callable[[Any], Any]] = {
    "compile": _compiled,
    "solve": lambda game: fogtree.solve(game, iterations=3, memory=MEMORY).strategy,
    "sample": lambda game: fogtree.solve(game, "mccfr-external", iterations=3, memory=MEMORY),
    "explain": lambda game: fogtree.explain(_compiled(game)).to_dict(),
    "play": lambda game: fogtree.play(game, ["random", "random"]),
    "search": lambda game: fogtree.play(
        _compiled(game), [fogtree.agent("search", game, steps=5), "random"]
    ),
    "match": lambda game: fogtree.match(game, "random", "random", games=2),
    "analyse": lambda game: fogtree.analyse(_compiled(game), steps=5),
    "train": lambda game: fogtree.train(game, QUICK),
    "equilibrium": lambda game: fogtree.equilibrium(_compiled(game)),
    "simulate": lambda game: fogtree.simulate(game, "mccfr-outcome", iterations=5),
    "names": lambda game: (fogtree.agent_names(game), str(game), repr(game)),
    "register": lambda game: fogtree.register_game(
        fogtree.GameEntry(name=f"{game.seed}", game=lambda: game)
    ),
}


class BrokenGames(Part):
    """Broken games."""

    name = "broken_games"
    goal = required = 2_000
    short = 30

    def attack(self, case: Case) -> Counter[str]:
        game = random_game(case.seed)
        if case.luck.random() < 0.5:
            return self._command(case, game)
        return self._call(case, game)

    def _command(self, case: Case, game: FickleGame) -> Counter[str]:
        luck = case.luck
        (case.folder / "game.py").write_text(
            f"from tests.attack.fickle_game import random_game\nGAME = random_game({case.seed})\n"
        )
        (case.folder / "quick.toml").write_text(TOML)
        line = luck.choice(COMMANDS).replace("GAME", "game.py:GAME")
        typed = b"\n".join(luck.choices([b"0", b"1", b"2", b"help", b"x"], k=20))
        setting = Setting(case.folder, typed=typed, interrupt=15.0)
        ended = run_command(line.split(), setting)
        wrong = judge(ended, setting)
        if wrong:
            raise Finding(f"{faults(game)}\n{describe(wrong, line.split(), setting, ended)}")
        return Counter({f"exit {ended.status}": 1})

    def _call(self, case: Case, game: FickleGame) -> Counter[str]:
        names = list(CALLS)
        if game.endless:  # playing a game without an end has none
            names = [name for name in names if name not in ("play", "match", "train")]
        name = case.luck.choice(names)

        def work() -> int:
            print(call(game, name))
            return 0

        ended = run_forked(work, Setting(case.folder, interrupt=None))
        outcome = ended.output.strip()
        if ended.status != 0 or outcome not in ("accepted", "refused", "own error"):
            raise Finding(
                f"{name} of a game with {faults(game)}: status {ended.status}\n"
                f"{ended.output[-3000:]}\n{ended.errors[-2000:]}"
            )
        return Counter({outcome: 1})


def faults(game: FickleGame) -> str:
    return f"[{'; '.join(map(str, game.faults))}]{' endless' if game.endless else ''}"


def call(game: FickleGame, name: str) -> str:
    """How a call with a broken game ends, in two words, or all that is known about a wrong end."""
    try:
        CALLS[name](game)
    except fogtree.FogtreeError as error:
        text = str(error)
        long = "\n" in text.strip() or len(text) > 3000
        return f"an error of {len(text)} letters: {text[:500]!r}" if long else "refused"
    except Exception as error:
        if _from_game(error):
            return "own error"
        return traceback.format_exc()
    for fault in game.faults:
        sure = (fault.method, fault.wrong_text) in REFUSED and fault.kind == "value"
        alone = len(game.faults) == 1 and fault.when == "always"
        if name == "compile" and sure and alone and str(fault) in game.met:
            return "accepted although it must be refused"
    return "accepted"


def _from_game(error: BaseException) -> bool:
    """Whether an error was raised by the game's own code."""
    if "__str__ returned non-string" in str(error):
        return True
    steps = traceback.extract_tb(error.__traceback__)
    return Path(steps[-1].filename).name in ("fickle_game.py", "random_games.py")
