"""Native walks give the same tree as walks through the protocol, bit for bit."""

from __future__ import annotations

import pickle
from dataclasses import dataclass, replace
from itertools import product

import pytest

from fogtree import Strategy, _core, compile, exploitability, load_game
from fogtree.game.tree_source import DeferredNames, Menus
from fogtree.games.battleship import Battleship
from fogtree.games.dark_hex import DarkHex
from fogtree.games.goofspiel import Goofspiel
from fogtree.games.leduc_poker import LeducPoker
from fogtree.games.liars_dice import LiarsDice
from fogtree.games.phantom_ttt import PhantomTicTacToe
from fogtree.tree.native_source import NativeTreeSource, native_source
from tests.support.reference_walk import ReferenceWalk, assert_same_tree, walked

GAMES = [
    *(
        Goofspiel(cards=cards, points=points, hidden=hidden, reward=reward)
        for cards, points, hidden, reward in product(
            (2, 3, 4), ("descending", "ascending", "random"), (True, False),
            ("win_loss", "point_difference"),
        )
        if cards < 4 or points != "random"
    ),
    *(LiarsDice(dice=1, sides=sides) for sides in (2, 3, 5)),
    LiarsDice(dice=2, sides=2),
    LiarsDice(dice=3, sides=2),
    *(
        LeducPoker(ranks=ranks, suits=suits, raises=raises, suit_isomorphism=same)
        for ranks, suits, raises, same in product((2, 3, 4), (1, 2, 3), (0, 1, 2), (True, False))
        if ranks * suits > 2
    ),
    LeducPoker(players=3, raises=1),
    LeducPoker(players=3, ranks=2, suits=3, suit_isomorphism=True),
    LeducPoker(players=4, ranks=2, suits=3, raises=1, suit_isomorphism=True),
    Battleship(),
    Battleship(height=1, width=3, ships=(1,), shots=2, repeats=True),
    Battleship(height=1, width=4, ships=(1, 2), values=(3, 5), shots=2, loss_multiplier=2.5),
    Battleship(height=2, width=2, ships=(2, 1, 1), values=(1, 0, 7), shots=1, loss_multiplier=0.1),
    Battleship(height=2, width=2, ships=(1, 1), values=(2,), shots=2, repeats=True),
    PhantomTicTacToe(max_plies=4),
    PhantomTicTacToe(rows=1, columns=4, line=2, max_plies=9),
    PhantomTicTacToe(rows=2, columns=2, line=2, max_plies=4),
    PhantomTicTacToe(rows=2, columns=3, line=3, max_plies=4),
    PhantomTicTacToe(rows=2, columns=3, line=2, max_plies=4, abrupt=True),
    DarkHex(rows=2, columns=2),
    DarkHex(rows=1, columns=4),
    DarkHex(rows=3, columns=2),
    DarkHex(rows=2, columns=2, abrupt=True),
    DarkHex(rows=2, columns=3, abrupt=True),
]  # fmt: skip


def native(game) -> NativeTreeSource:
    source = native_source(game)
    assert isinstance(source, NativeTreeSource)
    return source


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_the_tree_is_the_same_as_through_the_protocol(game) -> None:
    assert_same_tree(walked(native(game)), walked(ReferenceWalk(game)))


@pytest.mark.parametrize("game", GAMES[::7], ids=str)
def test_steps_of_any_size_give_the_same_tree_and_the_share_rises(game) -> None:
    source, whole = native(game), walked(native(game))
    reference = ReferenceWalk(game)
    shares = [source.share_visited()]
    while source.grow(97):
        reference.grow(97)
        shares.append(source.share_visited())
        assert shares[-1] == pytest.approx(reference.share_visited(), abs=1e-12)
    assert shares == sorted(shares)
    assert source.share_visited() == 1.0
    assert source.parts().index.tobytes() == whole.index.tobytes()


def test_compile_uses_the_native_walk_and_its_arrays_cannot_be_changed() -> None:
    tree = compile("leduc_poker")
    assert tree.flat is tree.native
    with pytest.raises(ValueError, match="read-only"):
        tree.parent[0] = 1


def test_a_copy_with_other_payoffs_has_a_native_tree_of_its_own() -> None:
    tree = compile("kuhn_poker")
    doubled = replace(tree, payoffs=2 * tree.payoffs)
    strategy = Strategy.uniform(tree)
    assert exploitability(doubled, strategy).nash_conv == pytest.approx(
        2 * exploitability(tree, strategy).nash_conv
    )


@pytest.mark.parametrize(
    "kind", [Goofspiel, LiarsDice, LeducPoker, Battleship, PhantomTicTacToe, DarkHex]
)
def test_a_class_derived_from_a_game_is_walked_through_its_own_protocol(kind) -> None:
    @dataclass(frozen=True)
    class Changed(kind):
        pass

    assert Changed().tree_source() is None


@pytest.mark.parametrize(
    "spec",
    [
        "leduc_poker(raises=20000)",
        "phantom_ttt(rows=9, columns=9)",
        "dark_hex(rows=9, columns=9)",
        "battleship(height=9, width=9)",
        "battleship(ships=(1, 1, 1, 1, 1, 1), shots=1, height=3, values=(2000000,))",
    ],
)
def test_games_too_large_for_the_native_rules_have_none(spec: str) -> None:
    assert load_game(spec).tree_source() is None


def test_parts_before_the_end_of_the_walk_are_refused() -> None:
    source = native(LeducPoker())
    source.grow(10)
    with pytest.raises(ValueError, match="left to visit"):
        source.parts()


def test_parameters_without_a_game_are_refused() -> None:
    with pytest.raises(ValueError, match="cards"):
        _core.goofspiel_walk(14, _core.GoofspielOrder.random, True, True)
    with pytest.raises(ValueError, match="Leduc"):
        _core.leduc_poker_walk(4, "JQ", 2, 2, False)
    with pytest.raises(ValueError, match="Leduc"):
        _core.leduc_poker_walk(2, "JQK", 2**31 - 1, 2, False)
    with pytest.raises(ValueError, match="board"):
        _core.HiddenBoard.lines(["a1"], [], 1, False)
    with pytest.raises(ValueError, match="board"):
        _core.HiddenBoard.chain(["a1"], 2, 2, False)
    with pytest.raises(ValueError, match="board"):
        _core.HiddenBoard.chain(["a1"], 2**31 - 1, 2**31 - 1, False)
    with pytest.raises(ValueError, match="battleship"):
        _core.battleship_walk(["a1"], 1, [[(0, 2)]], [1.0], 1, False, 1.0)


def test_names_are_made_when_they_are_looked_at() -> None:
    made = []

    def make() -> list[str]:
        made.append(1)
        return ["a", "b"]

    names = DeferredNames(2, make)
    assert len(names) == 2
    assert made == []
    assert names[1] == "b"
    assert names == ("a", "b")
    assert names != ("a", "c")
    assert tuple(names) == ("a", "b") == names
    assert pickle.loads(pickle.dumps(names)) == ("a", "b")
    assert made == [1]


def test_equal_menus_are_kept_once() -> None:
    labels = [("x", "y"), ("z",), ("x", "y")]
    menus = Menus.of(labels)
    assert menus.menus == [("x", "y"), ("z",)]
    assert list(menus) == labels
    assert menus == labels
    assert menus[1:] == (("z",), ("x", "y"))
    assert menus.sizes.tolist() == [2, 1, 2]
