"""Gambit's files: games go out and in unchanged, and damaged files are refused by their line."""

from __future__ import annotations

import pickle
import tracemalloc
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

import fogtree
from fogtree.adapters.efg_numbers import exact, exact_shares, read_number
from fogtree.errors import FileFormatError, GameError
from fogtree.games.matrix import MatrixState
from tests.support.command_line import Command

GAMES = (
    "rock_paper_scissors(scissors=2)",
    "matching_pennies",
    "kuhn_poker",
    "kuhn_poker(players=3)",
    "kuhn_poker(ante=2, bet=3)",
    "leduc_poker(ranks=2, raises=1)",
    "leduc_poker(suits=3, suit_isomorphism=True, raises=1)",
    "goofspiel(cards=3)",
    'goofspiel(cards=3, points="random", reward="point_difference")',
    "battleship(width=2, ships=(1,), shots=2, repeats=True, loss_multiplier=0.3)",
    "liars_dice(sides=3)",
    "phantom_ttt(rows=1, columns=5, line=2, max_plies=4)",
    'cambia(preset="tiny1", max_turns=1)',
)
ARRAYS = ("parent", "player", "action", "chance", "payoffs", "infoset_player", "index")


def assert_equal_trees(one: fogtree.GameTree, other: fogtree.GameTree) -> None:
    for name in ARRAYS:
        assert np.array_equal(getattr(one, name), getattr(other, name)), name
    assert one.infoset_names == other.infoset_names
    assert one.infoset_labels == other.infoset_labels
    edges = [[tree.labels[k] for k in tree.label[1:]] for tree in (one, other)]
    assert edges[0] == edges[1]


@pytest.mark.parametrize("spec", GAMES)
def test_a_game_goes_out_and_comes_in_unchanged(spec: str, tmp_path: Path) -> None:
    tree = fogtree.compile(spec)
    file = fogtree.write_efg(tree, tmp_path / "game.efg")
    read = fogtree.read_efg(file)
    assert_equal_trees(fogtree.compile(read), tree)
    again = fogtree.write_efg(read, tmp_path / "again.efg")
    assert again.read_bytes() == file.read_bytes()
    assert fogtree.read_efg(again) == read == pickle.loads(pickle.dumps(read))
    assert fogtree.load_game(str(read)) == read


@pytest.mark.parametrize("spec", GAMES)
def test_gambit_reads_the_same_game(spec: str, tmp_path: Path) -> None:
    """What Gambit has read it writes again, and that is the game that went out."""
    gambit = pytest.importorskip("pygambit", reason="needs Gambit: fogtree[test]")
    tree = fogtree.compile(spec)
    theirs = gambit.read_efg(str(fogtree.write_efg(tree, tmp_path / "ours.efg")))
    (tmp_path / "theirs.efg").write_text(theirs.to_efg())
    assert_equal_trees(fogtree.compile(fogtree.read_efg(tmp_path / "theirs.efg")), tree)


@pytest.mark.parametrize("spec", GAMES)
def test_openspiels_reader_finds_the_same_game(spec: str, tmp_path: Path) -> None:
    pyspiel = pytest.importorskip("pyspiel", reason="needs OpenSpiel: fogtree[openspiel]")
    tree = fogtree.compile(spec)
    file = fogtree.write_efg(tree, tmp_path / "game.efg")
    theirs = fogtree.compile(
        fogtree.from_openspiel(pyspiel.load_game(f"efg_game(filename={file})"))
    )
    for name in ("parent", "player", "chance", "payoffs", "infoset_player", "index"):
        assert np.array_equal(getattr(theirs, name), getattr(tree, name)), name
    assert theirs.infoset_labels == tree.infoset_labels


EXAMPLE = """EFG 2 R "An \\"example\\"" { "Alice" "Bob" }
"a comment"

c "ROOT" 1 "deal" { "heads" 1/3 "tails" 0.6666666666666667 } 0
p "" 1 1 "a" { "stay" "go" } 1 "entry fee" { -1, 1/7 }
t "" 2 "" { 2 -2.5e-1 }
p "" 2 1 "b" { "" "" } 0
t "" 3 { 4, 5 }
t "" 0
p "" 1 1 1
t "" 2
p "" 2 1 0
t "" 3
t "" 2
"""


def test_everything_that_the_format_allows(tmp_path: Path) -> None:
    """Outcomes on the way add up; lists are given once; labels that are equal get numbers."""
    file = tmp_path / "example.efg"
    file.write_text(EXAMPLE)
    game = fogtree.read_efg(file)
    assert (game.title, game.player_names) == ('An "example"', ("Alice", "Bob"))
    root = game.root()
    assert root.chance() == [("heads", 1 / 3), ("tails", 0.6666666666666667)]
    stay = root.child("heads").child("stay")
    assert stay.returns() == [1.0, -3 / 28]
    assert game.tree.payoffs[stay.node] == (Fraction(1), Fraction(1, 7) - Fraction(1, 4))
    bob = root.child("tails").child("go")
    assert bob.actions() == ("(1)", "(2)")
    assert bob.child("(1)").returns() == [3.0, 36 / 7]
    assert root.child("heads").child("go").child("(2)").returns() == [-1.0, 1 / 7]
    tree = fogtree.compile(game)
    assert tree.infoset_names == ("a", "b")
    again = fogtree.read_efg(fogtree.write_efg(game, tmp_path / "again.efg"))
    assert again.tree.payoffs[2] == (Fraction(1), Fraction(-3, 28))
    assert_equal_trees(fogtree.compile(again), tree)


def test_names_that_stand_for_two_information_sets_are_not_used(tmp_path: Path) -> None:
    file = tmp_path / "game.efg"
    file.write_text(
        'EFG 2 R "" { "A" "B" }\np "" 1 1 "x" { "l" "r" } 0\n'
        'p "" 2 1 "x" { "l" "r" } 0\nt "" 1 { 1 0 }\nt "" 0\nt "" 1\n'
    )
    assert fogtree.compile(fogtree.read_efg(file)).infoset_names == ("0:1", "1:1")


HEAD = 'EFG 2 R "t" { "A" "B" }\n'


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "line 1: a file of Gambit begins with  EFG 2 R"),
        ("NFG 1 R", "line 1: a file of Gambit begins with"),
        ("EFG 2 X", "line 1: after  EFG 2  there must be R or D"),
        ('EFG 2 R "t" "A"', "line 1: the list of players is missing"),
        ('EFG 2 R "t" { }', "line 1: there must be 1 to 100 players, not 0"),
        ('EFG 2 R "t', "line 1: a text in quotes does not end"),
        (HEAD, "line 2: the file ends before the tree is complete"),
        (HEAD + 'x "" 1', "line 2: a node must begin with c, p or t, not 'x'"),
        (HEAD + "t 1 { 1 1 }", "line 2: the name of the node is missing"),
        (HEAD + 'p "" 3 1 { "l" } 0', "line 2: the number of the player must be a whole number"),
        (HEAD + 'p "" 1 1 0', "line 2: information set 1 is new and has no list of actions"),
        (HEAD + 'p "" 1 1 { } 0', "line 2: an information set must have at least one action"),
        (HEAD + 'p "" 1 1 { "l" "r" } 0\nt "" 1 { 1 1 }', "line 3: the file ends before"),
        (HEAD + 't "" 1 { 1 1 }\nt "" 1', "line 3: the tree is complete, but more follows"),
        (HEAD + 't "" 1 { 1 }', "line 2: 1 payoffs for 2 players"),
        (HEAD + 't "" 1 { 1 1', "line 2: '}' is missing"),
        (HEAD + 't "" 1', "line 2: outcome 1 is new and has no payoffs"),
        (HEAD + 't "" 0 { 1 1 }', "line 2: outcome 0 stands for no outcome"),
        (HEAD + 't "" 1 { 1 x }', "line 2: a payoff must be a number, not 'x'"),
        (HEAD + 't "" 1 { 1 1/0 }', "line 2: a payoff must be a number, not '1/0'"),
        (HEAD + 't "" 1 { 1 nan }', "line 2: a payoff must be a number, not 'nan'"),
        (HEAD + 't "" 1 { 1 1e999999999 }', "line 2: a payoff must be a number"),
        (HEAD + 't "" 1 { 1 1e301 }', "line 2: a payoff must be a number"),
        (HEAD + 't "" 99999999999 { 1 1 }', "line 2: the number of the outcome must be a whole"),
        (HEAD + 'c "" 1 { "a" 1/2 "b" 1/3 } 0', "line 2: probabilities must be at least 0 and sum"),
        (HEAD + 'c "" 1 { "a" 2 "b" -1 } 0', "line 2: probabilities must be at least 0 and sum"),
        (HEAD + 'c "" 1 { "a" } 0', "line 2: a probability must be a number, not '}'"),
        (
            HEAD + 'p "" 1 1 { "l" "r" } 0\np "" 1 1 0',
            "line 3: player 1 would forget an own action at information set 1",
        ),
        (
            HEAD + 'p "" 1 1 { "l" "r" } 0\np "" 1 2 { "l" } 0\nt "" 0\np "" 1 2 0\nt "" 0',
            "line 5: player 1 would forget an own action at information set 2",
        ),
        (
            HEAD + 'p "" 1 1 { "l" "r" } 0\np "" 2 1 { "l" } 0\nt "" 0\np "" 2 1 { "m" } 0',
            "line 5: information set 1 has other actions here than before",
        ),
    ],
)
def test_a_damaged_file_is_refused_by_its_line(text: str, says: str, tmp_path: Path) -> None:
    file = tmp_path / "damaged.efg"
    file.write_text(text)
    with pytest.raises(FileFormatError) as caught:
        fogtree.read_efg(file)
    assert str(caught.value).startswith(f"'{file}', {says}")
    assert "\n" not in str(caught.value)


def test_every_beginning_of_a_file_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "cut.efg"
    for end in range(len(EXAMPLE.rstrip()) - 1):
        file.write_text(EXAMPLE[:end])
        with pytest.raises(FileFormatError, match=r"line \d+: "):
            fogtree.read_efg(file)


def test_long_sums_of_fractions_are_refused(tmp_path: Path) -> None:
    """Sums of payoffs on a path must not grow with its length."""
    nodes = "".join(
        f'p "" 1 {n} {{ "on" }} {n} {{ 1/{10**150 + 2 * n + 1} 0 }}\n' for n in range(1, 400)
    )
    file = tmp_path / "long.efg"
    file.write_text(HEAD + nodes + 't "" 0\n')
    with pytest.raises(FileFormatError, match="line 4: the sum of payoffs on the way is too"):
        fogtree.read_efg(file)


def test_memory_stays_within_its_bound(tmp_path: Path) -> None:
    count = 3000
    file = tmp_path / "wide.efg"
    labels = " ".join(f'"{k}"' for k in range(count))
    ends = 't "" 1 { 1 1 }\n' + 't "" 1\n' * (count - 1)
    file.write_text(f'{HEAD}p "" 1 1 {{ {labels} }} 0\n{ends}')
    tracemalloc.start()
    fogtree.read_efg(file)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 60 * file.stat().st_size


def test_a_file_that_is_too_large_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = fogtree.write_efg("kuhn_poker", tmp_path / "kuhn.efg")
    monkeypatch.setattr("fogtree.adapters.efg_reader.usual_memory", lambda: 60_000)
    with pytest.raises(FileFormatError, match="it has more than"):
        fogtree.read_efg(file)


def test_files_that_are_not_there(tmp_path: Path) -> None:
    with pytest.raises(FileFormatError, match="there is no file"):
        fogtree.load_game(f"efg:{tmp_path / 'nothing.efg'}")
    with pytest.raises(FileFormatError, match="cannot read"):
        fogtree.read_efg(tmp_path)


@pytest.mark.parametrize("name", ['a\\"b', "a\\"])
def test_names_that_gambit_cannot_hold_are_refused(name: str, tmp_path: Path) -> None:
    class Odd(fogtree.Game):
        players = 2

        def root(self) -> MatrixState:
            return MatrixState([name], {(name, name): 0.0})

    with pytest.raises(GameError, match="cannot hold the name"):
        fogtree.write_efg(Odd(), tmp_path / "odd.efg")
    assert not (tmp_path / "odd.efg").exists()


def test_numbers_are_exact() -> None:
    for value in (0.0, 1 / 3, 0.1, 2 / 7, -5.0, 1e-300, 0.1 + 0.2, 123456.789, 2.0**-60):
        assert float(exact(value)) == value
    assert str(exact(1 / 3)) == "1/3"
    assert str(exact(0.1 + 0.2)) == "1351079888211149/4503599627370496"
    shares = exact_shares([0.1 + 0.2, 0.7])
    assert sum(shares) == 1
    assert read_number("-.5e1") == -5
    assert read_number("1e") is None


def test_the_command_line_reads_and_writes_files(command: Command, tmp_path: Path) -> None:
    file = tmp_path / "kuhn.efg"
    outcome = command("info", "kuhn_poker", "--efg", file)
    assert outcome.status == 0, outcome.errors
    assert f"written to {file}" in outcome.output.replace("\n", "")
    outcome = command("solve", f"efg:{file}", "--iterations", 1000, "--json")
    assert outcome.status == 0, outcome.errors
    assert outcome.document["value"] == pytest.approx(-1 / 18, abs=1e-3)
    assert outcome.document["strategy"]["Jcb"]["fold"] > 0.99
    file.write_text("EFG 2 R 7")
    outcome = command("info", f"efg:{file}")
    assert outcome.status == 2
    assert outcome.errors == f"fogtree: '{file}', line 1: the title in quotes is missing\n"
