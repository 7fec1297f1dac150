"""Games walked straight into their sequence form, against the same games with their histories."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

import fogtree
from fogtree.cli import main
from fogtree.errors import MemoryLimitError
from fogtree.tree import compile_to_solve, streamed_tree
from fogtree.tree.streamed_tree import StreamedTree

GAMES = [
    "leduc_poker",
    "leduc_poker(ranks=4)",
    "liars_dice(sides=4)",
    "goofspiel(cards=4)",
    "battleship(height=2, width=2, shots=2)",
    "phantom_ttt(rows=2, columns=3)",
]


def arrays_of(form):
    """Everything that a sequence form holds."""
    out = [form.place, np.array([form.merged])]
    for player in range(2):
        out += [*form.treeplex(player), *form.payoffs(player)]
        layout = form.device_layout(player)
        out += [layout[name] for name in sorted(layout) if name != "lanes"]
    return out


@pytest.fixture
def no_histories(monkeypatch):
    """Fail where histories are asked for."""

    def refuse(game, **options):
        raise AssertionError(f"the histories of {game} are walked")

    monkeypatch.setattr(streamed_tree, "compile", refuse)


@pytest.mark.parametrize("game", GAMES)
def test_the_same_form_bit_for_bit(game):
    whole, streamed = fogtree.compile(game), compile_to_solve(game)
    assert isinstance(streamed, StreamedTree)
    for form in ("form", "full_form"):
        pairs = zip(
            arrays_of(getattr(whole, form)), arrays_of(getattr(streamed, form)), strict=True
        )
        for expected, found in pairs:
            np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize("game", GAMES)
def test_the_same_facts_without_a_second_walk(game, no_histories):
    whole, streamed = fogtree.compile(game), compile_to_solve(game)
    assert repr(streamed) == repr(whole)
    assert streamed.zero_sum == whole.zero_sum
    assert streamed.labels == whole.labels
    assert streamed.infoset_names == whole.infoset_names
    assert streamed.infoset_labels == whole.infoset_labels
    np.testing.assert_array_equal(streamed.infoset_player, whole.infoset_player)
    found, expected = streamed.sizes(), whole.sizes()
    assert found.bytes < expected.bytes
    for name in ("nodes", "terminals", "chance_nodes", "decision_nodes", "infosets", "sequences",
                 "nonzeros", "merged_infosets", "merged_sequences", "merged_nonzeros"):  # fmt: skip
        assert getattr(found, name) == getattr(expected, name)


def test_solving_needs_no_histories(no_histories):
    run = fogtree.solve("liars_dice(sides=3)", iterations=40)
    whole = fogtree.solve(fogtree.compile("liars_dice(sides=3)"), iterations=40)
    assert run.exploitability == whole.exploitability
    np.testing.assert_array_equal(run.strategy.probabilities, whole.strategy.probabilities)


def test_nor_does_the_command(no_histories, capsys):
    assert main(["solve", "liars_dice(sides=3)", "--iterations", "9", "--json"]) == 0
    assert "exploitability" in capsys.readouterr().out


def test_histories_are_walked_for_those_who_ask():
    whole, streamed = fogtree.compile("leduc_poker"), compile_to_solve("leduc_poker")
    for name in ("parent", "player", "action", "index", "chance", "view", "payoffs", "label"):
        np.testing.assert_array_equal(getattr(streamed, name), getattr(whole, name))
    assert streamed.flat.bytes == whole.flat.bytes
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(streamed)).parent, whole.parent)
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        streamed.nothing  # noqa: B018


def test_a_saved_run_goes_on(tmp_path):
    begun = fogtree.solve("leduc_poker", iterations=10, save=tmp_path / "run")
    went_on = fogtree.resume(tmp_path / "run", iterations=30)
    whole = fogtree.solve("leduc_poker", iterations=30)
    assert begun.iterations == 10
    np.testing.assert_array_equal(went_on.strategy.probabilities, whole.strategy.probabilities)


@pytest.mark.parametrize("game", ["kuhn_poker", "leduc_poker(players=3)"])
def test_other_games_are_compiled_as_ever(game):
    tree = compile_to_solve(game)
    assert not isinstance(tree, StreamedTree)
    assert compile_to_solve(tree) is tree


def test_a_game_that_does_not_fit_is_refused():
    with pytest.raises(MemoryLimitError, match="would not fit"):
        compile_to_solve("liars_dice(sides=7)", memory=1_000_000)


def test_a_walk_is_streamed_from_its_start_and_gives_its_form_once():
    walk = fogtree.load_game("leduc_poker").tree_source()
    walk.grow(5)
    with pytest.raises(ValueError, match="the walk has begun"):
        walk.stream()
    with pytest.raises(ValueError, match="makes no sequence form"):
        walk.finished_form(merge=True)
    walk = fogtree.load_game("leduc_poker").tree_source()
    walk.stream()
    walk.grow(5)
    with pytest.raises(ValueError, match="histories left"):
        walk.finished_form(merge=True)
    while walk.grow(1 << 20):
        assert 0 < walk.share_visited() < 1
    assert walk.share_visited() == 1
    walk.finished_form(merge=True)
    with pytest.raises(ValueError, match="makes no sequence form"):
        walk.finished_form(merge=True)
    with pytest.raises(ValueError, match="keeps no tree"):
        walk.finished_tree()
