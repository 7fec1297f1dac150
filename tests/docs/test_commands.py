"""Every command line on a page is one that the program understands, and those that take seconds
run, one after another: the long ones with options that make them short."""

from __future__ import annotations

import io
import re
import shlex
import shutil
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
import typer

from fogtree.cli import app, main
from tests.support.paths import DOCS, ROOT

LINE = re.compile(r"^\$ fogtree (.+)$", re.MULTILINE)
WRITES = ("--efg", "--file", "--html", "--output", "--plot", "--records", "--save")


def commands_of(page: Path) -> list[str]:
    """The command lines of a page without their comments and the name of the program."""
    return [
        re.sub(r"\s+(#.*|&\s*)$", "", line).strip()
        for line in LINE.findall(page.read_text(encoding="utf-8"))
    ]


PAGES = {
    page: commands
    for page in (ROOT / "README.md", *sorted(DOCS.rglob("*.md")))
    if (commands := commands_of(page))
}
EVERY = [(page, line) for page, commands in PAGES.items() for line in commands]

WITHIN_TEXT = sorted(
    {
        line
        for page in (ROOT / "README.md", *DOCS.rglob("*.md"))
        for line in re.findall(r"`fogtree ([a-z][^`\n]*)`", page.read_text(encoding="utf-8"))
    }
    - {"infosets"}  # which a page shows how to add
)

SHORTER = {
    "analyse fog_chess --moves e2e4,e7e5,g1f3 --html report.html": "--steps 300",
    "train cambia --save run": "--config short.toml",
    'train "goofspiel(cards=9)" --set iterations=5 --save goofspiel9': "--config short.toml",
    "compare kuhn_poker --algorithms cfr,cfr+,normalhedge,normalhedge+ --iterations 10000 "
    "--plot kuhn.png": "--iterations 1000",
    "compare leduc_poker --algorithms sapcfr+,dcfr+,pdcfr+ --iterations 1000": "--iterations 100",
    'solve "phantom_ttt(rows=3, columns=3, max_plies=9)" --algorithm mccfr-outcome '
    "--seconds 3 --output sampled": "--seconds 0.5",
    "exploit kuhn_poker --agent deep:trained": "--iterations 1 --traversals 20",
    "arena kuhn_poker --agents deep:trained,tabular:kuhn.npz,random --games 2000": "--games 20",
    "arena kuhn_poker --agents tabular:kuhn.npz,random --games 2000": "--games 20",
    "exploit leduc_poker --agent tabular:leduc.npz --iterations 4 --traversals 500": (
        "--iterations 1 --traversals 20"
    ),
    "arena cambia --agents deep:run,imperfect_greedy,memory_heuristic,aggressive_snap "
    "--games 1000": "--games 2",
    "exploit cambia --agent deep:run": "--games 20 --iterations 1 --traversals 20",
    "arena fog_chess --agents search,belief-vote,greedy --games 20 --time 0.1": (
        "--games 2 --time 0.01"
    ),
    "train kuhn_poker --save kuhn": "--config short.toml",
    "train kuhn_poker --save trained": "--config short.toml",
    "train leduc_poker --save runs/leduc": "--config short.toml",
    "train leduc_poker --set method=mmd --save leduc-mmd": "--config short.toml",
    "train leduc_poker --set method=dcfr_plus,mmd --set seconds=60 --seeds 3": (
        "--config short.toml --seeds 1"
    ),
    "solve leduc_poker --algorithm mccfr-external --iterations 1000000 --workers 2 --seed 7": (
        "--iterations 1000"
    ),
    "solve 'liars_dice(dice=2)' -a mccfr-robust -n 10000000 --memory 4GB --save dice": (
        "-n 10 --workers 1 --batch 10"
    ),
    "solve cambia --algorithm mccfr-outcome --seconds 60 --memory 4GB "
    "--save cambia --output table": "--seconds 0.5",
    "arena cambia --agents tabular:table,random --games 1000": "--games 20",
    'solve "phantom_ttt(rows=3, columns=3, max_plies=9)" --algorithm mccfr-outcome '
    "--seconds 60 --output table": "--seconds 1",
    'arena "phantom_ttt(rows=3, columns=3, max_plies=9)" --agents tabular:table,random '
    "--games 1000": "--games 20",
    "arena fog_chess --agents greedy,random,belief-vote --games 200 "
    "--records games.jsonl --records games.pgn": "--games 4 --nodes 40",
    "arena fog_chess --agents belief-vote,greedy --games 2000 --nodes 4000 --sprt 0,30": (
        "--games 2 --nodes 40"
    ),
    "chess data games --games 2000 --seconds 0.05": "--games 2 --seconds 0.002 --workers 1",
    "chess train-net games --save run --steps 8000 --device gpu": (
        "--steps 2 --batch 16 --held-out 2 --device cpu"
    ),
    'chess data quick --quick --search "search(evaluator=stockfish-net)" --leaves 8 --limit 600': (
        "--games 4 --workers 1 --search search"
    ),
    "chess train-net quick --save distilled --start random --teacher 1 --search 0 --result 0 "
    "--device gpu": "--steps 2 --batch 16 --held-out 2 --device cpu",
    'chess data quick1 --quick --search "search(evaluator=stockfish-net)" --leaves 8 --limit 190': (
        "--games 4 --workers 1 --search search"
    ),
    'chess data quick2 --quick --seed 1 --search "search(evaluator=stockfish-net)" --leaves 8 '
    "--limit 250": "--games 4 --workers 1 --search search",
    'chess data trees --seconds 0.04 --search "search(evaluator=stockfish-net)" --leaves 400 '
    "--inner 0 --roots 0 --limit 190": "--games 2 --seconds 0.002 --workers 1 --search search",
    "chess train-net quick1 quick2 trees --save B --start random --teacher 1 --search 0 "
    "--result 0 --played-weight 1 --batch 16384 --held-out 200 --steps 90000 --device gpu": (
        "--steps 2 --batch 16 --held-out 2 --device cpu"
    ),
    "chess match net:run/net.fognet net --time 0.1 --games 400": (
        "--games 2 --time 0.002 --workers 1"
    ),
    "chess data games2 --games 2000 --seconds 0.05 "
    '--search "search(evaluator=net:run/net.fognet)"': "--games 2 --seconds 0.002 --workers 1",
    "chess train-net games games2 --start run/net.fognet --save run2 --steps 8000": (
        "--steps 2 --batch 16 --held-out 2"
    ),
}
"""Commands that take minutes, with the options that are added: of two the last one holds."""

NOT_RUN = {
    "exploit cambia --agent deep --iterations 1 --traversals 50 --games 200": (
        "another network of Cambia is measured by a command of the README"
    ),
    "info 'cambia(preset=\"tiny2\")'": "compiling the game takes a quarter of a minute",
    "solve 'cambia(preset=\"tiny2\")' --algorithm dcfr --until 1e-6": (
        "compiling the game takes a quarter of a minute"
    ),
    "serve": "it runs until it is stopped; tests/web starts servers",
    "serve --runs runs": "it runs until it is stopped; tests/web starts servers",
    'arena fog_chess --agents "search(time=0.5),search(time=0.125)" '
    "--games 200 --file match.jsonl": "the agents' own times make a game take half a minute",
}
"""Commands that cannot be made short, with the reason."""

TYPED = {
    "play fog_chess --against search --time 5": "resign\n",
    "play fog_chess --as white --against greedy": "e2e4\nresign\n",
    "uci": "uci\nquit\n",
    "uci --variant chess": "uci\nquit\n",
}
"""What is typed into commands that ask."""

REFUSED = {
    "solve 'leduc_poker(ranks=1)'",
    'solve "phantom_ttt(rows=3, columns=3, max_plies=9)"',
}
"""Commands whose refusal the page shows."""

ELSEWHERE = {
    DOCS / "howto" / "train_on_your_game.md",
    DOCS / "howto" / "write_a_native_simulator.md",
}
"""Pages with a test of their own, because their blocks are files."""

LIBRARIES = {
    "first_solve": "matplotlib",
    "openspiel": "pyspiel",
    "train_a_chess_network": "jax",
}
"""Pages that need a library which may be missing."""

SHORT_TRAINING = """
[run]
iterations = 1

[traversal]
traversals = 20

[network]
hidden = [8]

[regret]
steps = 2
batch = 32

[average]
steps = 2
batch = 32

[evaluation]
interval = 1
games = 2
"""


def find(words: list[str]) -> tuple[Any, Any, list[str]]:
    """The command that a line names, its context, and the words after its name."""
    command = typer.main.get_command(app)
    context = command.context_class(command, info_name="fogtree")
    while hasattr(command, "get_command"):
        found = command.get_command(context, words[0])
        assert found is not None, f"there is no command {words[0]}"
        command, context = found, found.context_class(found, info_name=words[0], parent=context)
        words = words[1:]
    return command, context, words


def parse(words: list[str]) -> None:
    """Read a command line as the program does, without running the command."""
    command, context, rest = find(words)
    command.parse_args(context, rest)


@pytest.mark.parametrize(("page", "line"), EVERY, ids=lambda part: getattr(part, "stem", part))
def test_a_command_is_understood(page, line):
    parse(shlex.split(line))


@pytest.mark.parametrize("words", [["slove"], ["solve", "kuhn_poker", "--untill", "1"], ["solve"]])
def test_a_mistake_is_found(words):
    with pytest.raises(Exception, match=r"no command|No such option|[Mm]issing"):
        parse(words)


@pytest.mark.parametrize("line", WITHIN_TEXT)
def test_a_command_within_a_text_has_its_options(line):
    """Such a line need not be complete."""
    command, _, words = find(shlex.split(line))
    options = {name for option in command.params for name in option.opts}
    assert [word for word in words if word.startswith("--") and word not in options] == []


@pytest.mark.long
@pytest.mark.parametrize("page", sorted(PAGES.keys() - ELSEWHERE), ids=lambda page: page.stem)
def test_the_commands_of_a_page_run(page, tmp_path, monkeypatch, capsys):
    library = LIBRARIES.get(page.stem, "fogtree")
    pytest.importorskip(library, reason=f"needs {library}")
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    (tmp_path / "short.toml").write_text(SHORT_TRAINING, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    for line in PAGES[page]:
        if line in NOT_RUN:
            continue
        words = shlex.split(f"{line} {SHORTER.get(line, '')}")
        monkeypatch.setattr("sys.stdin", io.StringIO(TYPED.get(line, "")))
        assert main(words) == (2 if line in REFUSED else 0), (line, capsys.readouterr().err)
        written = [file for option, file in pairwise(words) if option in WRITES]
        assert [file for file in written if not Path(file).exists()] == []


def test_the_lists_name_commands_of_pages():
    lines = {line for _, line in EVERY}
    assert {*SHORTER, *NOT_RUN, *TYPED, *REFUSED} <= lines
