"""Games brought in from OpenSpiel."""

from __future__ import annotations

import pickle
import subprocess
import sys
from pathlib import Path

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


@pytest.mark.parametrize(
    ("spec", "says"),
    [
        ("nfg_game", "a parameter is missing"),
        ("efg_game(filename=/nowhere/at/all)", "it cannot open its file"),
        ("leduc_poker(players=99)", "num_players"),
    ],
)
def test_what_openspiel_refuses_is_one_line_without_its_sources(
    spec: str, says: str, capfd: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(OptionError, match=says) as refused:
        load_game(f"openspiel:{spec}")
    assert "\n" not in str(refused.value)
    assert ".cc" not in str(refused.value)
    assert capfd.readouterr().err == ""


def test_games_from_files_are_told_apart_and_made_again(tmp_path: Path) -> None:
    games = []
    for number in (1, 2):
        file = tmp_path / f"{number}.nfg"
        file.write_text(f'NFG 1 R "Pennies" {{ "A" "B" }} {{ 2 2 }} {number} -1 -1 1 -1 1 1 -1\n')
        games.append(load_game(f"openspiel:nfg_game(filename={file})"))
    assert games[0] != games[1]
    for game in games:
        assert load_game(str(game)) == game == pickle.loads(pickle.dumps(game))


def test_a_game_made_from_numbers_is_known_by_its_object_only() -> None:
    payoffs = [[1, -1], [-1, 1]], [[-1, 1], [1, -1]]
    first, second = (from_openspiel(pyspiel.create_matrix_game(*payoffs)) for _ in range(2))
    assert first == first
    assert first != second
    with pytest.raises(GameError, match="other processes cannot make it again"):
        pickle.dumps(first)


def test_games_that_openspiel_has_in_python() -> None:
    imported = load_game("openspiel:python_kuhn_poker")
    assert measure(imported).row() == measure(load_game("kuhn_poker")).row()


def test_objects_that_hold_more_than_their_name_are_told_apart() -> None:
    from_text = [
        from_openspiel(pyspiel.load_efg_game(text))
        for text in (pyspiel.get_sample_efg_data(), pyspiel.get_kuhn_poker_efg_data())
    ]
    assert from_text[0] != from_text[1]
    assert [game.rules_text for game in from_text] == [None, None]
    assert from_openspiel(pyspiel.load_game("kuhn_poker")) == from_openspiel("kuhn_poker")


def test_a_program_without_standard_error_imports_games() -> None:
    code = "import fogtree; print(fogtree.load_game('openspiel:kuhn_poker'))"
    done = subprocess.run(
        ["sh", "-c", 'exec "$0" -c "$1" 2>&-', sys.executable, code],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "openspiel:kuhn_poker\n"
