"""The ablation study: its switches, its file, and its results."""

from __future__ import annotations

import json
import math
from dataclasses import replace

import pytest

from fogtree import load_game
from fogtree.agents import Budget
from fogtree.errors import OptionError, UnknownNameError
from fogtree.games.fog_chess.game import FogChess
from fogtree.search import search_settings
from fogtree.studies.ablation import ablations, study

GAME = FogChess()
FULL = search_settings(GAME, evaluator="simple", budget=Budget(nodes=80), threads=1)


def test_every_switch_changes_one_thing():
    for row in ablations(GAME, search_settings(GAME, evaluator="stockfish-net-static")):
        full = search_settings("fog_chess", evaluator="stockfish-net-static")
        changed = [
            name
            for name in full.options.__dataclass_fields__
            if getattr(full.options, name) != getattr(row.settings.options, name)
        ]
        other = row.settings.evaluator != full.evaluator
        assert len(changed) + other == (2 if row.name == "no gadget" else 1), row.name


def test_a_study_goes_on_from_its_file_and_counts_pairs(tmp_path):
    file = tmp_path / "games.jsonl"
    played = study("fog_chess", FULL, games=2, file=file, only=["frozen"], processes=1)
    assert played[0].games == 2
    lines = file.read_text().splitlines()
    assert len(lines) == 3
    row = json.loads(lines[1])
    points = [1.0, 0.0, 0.5, 0.5, 1.0, 0.5, 0.0, 0.0]
    rows = [json.dumps(row | {"game": k, "points": p}) for k, p in enumerate(points)]
    file.write_text("\n".join([lines[0], *rows]) + "\n")
    (result,) = study("fog_chess", FULL, games=8, file=file, only=["frozen"], processes=1)
    assert (result.wins, result.draws, result.losses) == (2, 3, 3)
    assert result.score.value == pytest.approx(3.5 / 8)
    assert result.paired.value == pytest.approx(3.5 / 8)
    # Pairs 1/2, 1/2, 3/4, 0: their variance is 19/192.
    reach = 1.959963984540054 * math.sqrt(19 / 192 / 4)
    assert result.paired.high - result.paired.value == pytest.approx(reach)


def test_what_cannot_be_had_and_what_differs_is_told_at_once(tmp_path):
    file = tmp_path / "games.jsonl"
    with pytest.raises(UnknownNameError, match="evaluator 'foo'"):
        study("fog_chess", replace(FULL, evaluator="foo"), games=2, file=file)
    assert not file.exists()
    with pytest.raises(OptionError, match="--evaluator net"):
        study("fog_chess", FULL, games=2, file=file, only=["simple evaluator"])
    study("fog_chess", FULL, games=2, file=file, only=["frozen"], processes=1)
    before = file.read_bytes()
    with pytest.raises(OptionError, match=r"\(nodes: 80, not 90\)"):
        study("fog_chess", replace(FULL, budget=Budget(nodes=90)), games=2, file=file)
    assert file.read_bytes() == before


def test_a_game_without_evaluators_has_the_switches_that_change_something():
    game = load_game("kuhn_poker")
    names = [row.name for row in ablations(game, search_settings(game))]
    assert "frozen" in names
    assert "no focus" not in names  # it is off already
    assert not any("evaluator" in name for name in names)
    assert all(row.published is None for row in ablations(game, search_settings(game)))


@pytest.mark.parametrize("game", ["kuhn_poker", "cambia"])
def test_other_games_are_studied_too(game, tmp_path):
    full = search_settings(game, budget=Budget(nodes=40), threads=1)
    (result,) = study(
        game, full, games=4, file=tmp_path / "games.jsonl", only=["frozen"], processes=1
    )
    assert result.games == result.wins + result.draws + result.losses == 4
