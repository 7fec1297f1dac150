"""Games brought in from OpenSpiel."""

from __future__ import annotations

import pickle
import sys

import pytest

from fogtree.adapters.openspiel_import import from_openspiel
from fogtree.errors import GameError, MissingExtraError, OptionError, UnknownNameError
from fogtree.game import CHANCE, TERMINAL
from fogtree.registry import load_game
from tests.support.history_walk import measure, outcomes, walk

pyspiel = pytest.importorskip("pyspiel")


@pytest.mark.parametrize(
    ("spec", "ours"),
    [
        ("kuhn_poker", "kuhn_poker"),
        ("kuhn_poker(players=3)", "kuhn_poker(players=3)"),
        ("leduc_poker(players=2)", "leduc_poker"),
        ("goofspiel(imp_info=True,num_cards=4,points_order=descending)", "goofspiel"),
        ("matrix_rps", "rock_paper_scissors"),
    ],
)
def test_an_imported_game_is_our_game(spec: str, ours: str) -> None:
    imported, game = load_game(f"openspiel:{spec}"), load_game(ours)
    assert measure(imported).row() == measure(game).row()
    for theirs, mine in zip(walk(imported), walk(game), strict=True):
        assert theirs.state.player == mine.state.player
        if mine.state.player == TERMINAL:
            assert list(theirs.state.returns()) == pytest.approx(list(mine.state.returns()))
        if mine.state.player == CHANCE:
            chances = [p for _, p in mine.state.chance()]
            assert [p for _, p in theirs.state.chance()] == pytest.approx(chances)


def test_actions_have_openspiels_labels() -> None:
    root = load_game("openspiel:kuhn_poker").root()
    state = root.child(outcomes(root)[0])
    state = state.child(outcomes(state)[0])
    assert list(state.actions()) == ["Pass", "Bet"]


def test_dice_that_openspiel_sorts_keep_its_information_sets() -> None:
    spec = "liars_dice(numdice=2,dice_sides=2)"
    assert measure(load_game(f"openspiel:{spec}")).row() == (8191, 4080, [384, 384])


def test_a_game_with_observations_only() -> None:
    game = load_game("openspiel:catch(rows=3,columns=3)")
    assert not game.game.get_type().provides_information_state_string
    sizes = measure(game)
    assert sizes.endings == 3 * 3 * 3
    assert sizes.row()[2] == [3 + 3 * 3]


def test_a_game_object_and_its_spec_are_equal() -> None:
    game = from_openspiel(pyspiel.load_game("leduc_poker"))
    assert game == load_game("openspiel:leduc_poker") == load_game(str(game))
    assert str(game) == "openspiel:leduc_poker"
    assert pickle.loads(pickle.dumps(game)) == game
    assert game != load_game("openspiel:kuhn_poker")


@pytest.mark.parametrize(
    ("spec", "kind", "message"),
    [
        ("leduc_pokr", UnknownNameError, "did you mean 'leduc_poker'?"),
        ("leduc_poker(foo=1)", OptionError, "Unknown parameter 'foo'"),
        ("leduc_poker(", OptionError, "closing bracket"),
        ("negotiation", GameError, "samples its chance events"),
        ("mfg_crowd_modelling", GameError, "mean-field"),
    ],
)
def test_what_cannot_come_in(spec: str, kind: type[Exception], message: str) -> None:
    with pytest.raises(kind) as caught:
        load_game(f"openspiel:{spec}")
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_without_openspiel(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    with pytest.raises(MissingExtraError, match=r"fogtree\[openspiel\]"):
        load_game("openspiel:kuhn_poker")
