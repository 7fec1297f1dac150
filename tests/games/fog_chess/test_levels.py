"""The levels of strength of Fog-of-War chess."""

from __future__ import annotations

from itertools import pairwise

import pytest

import fogtree
from fogtree.agents.levels import level_of_elo, levels_of
from fogtree.errors import OptionError, UnknownNameError
from fogtree.games.fog_chess.levels import LEVELS
from fogtree.search import SearchAgent
from tests.support.paths import DOCS

GAME = fogtree.load_game("fog_chess")


def test_there_are_ten_levels_each_stronger_than_the_one_below() -> None:
    assert levels_of(GAME) is LEVELS
    assert len(LEVELS) == 10
    assert len({level.name for level in LEVELS}) == 10
    assert all(below.elo < level.elo for below, level in pairwise(LEVELS))
    assert all(level.margin > 0 for level in LEVELS)
    assert [level.uses_time for level in LEVELS] == [False] * 9 + [True]


@pytest.mark.parametrize("number", range(1, 11))
def test_a_level_is_an_agent_by_its_number(number: int) -> None:
    made = fogtree.agent(f"level:{number}", GAME)
    expected = fogtree.agent(LEVELS[number - 1].agent, GAME)
    assert made.name == f"level:{number}"
    assert isinstance(made, SearchAgent)
    assert isinstance(expected, SearchAgent)
    assert made.settings == expected.settings
    assert made.settings.own_budget != LEVELS[number - 1].uses_time


def test_levels_that_do_not_use_their_time_play_the_same_on_every_machine() -> None:
    games = [fogtree.play(GAME, ["level:2", "level:6"], seed="s") for _ in range(2)]
    assert games[0] == games[1]
    assert games[0].agents == ("level:2", "level:6")


@pytest.mark.parametrize("number", ["0", "11", "-1", "3.0", "x", "٣"])
def test_other_numbers_are_refused(number: str) -> None:
    with pytest.raises(OptionError, match="fog_chess has levels 1 to 10, not"):
        fogtree.agent(f"level:{number}", GAME)


def test_a_level_needs_its_number_and_a_game_that_has_levels() -> None:
    with pytest.raises(UnknownNameError, match="level:NUMBER"):
        fogtree.agent("level", GAME)
    with pytest.raises(UnknownNameError):
        fogtree.agent("level:1", "kuhn_poker")


def test_a_rating_means_the_strongest_level_that_has_at_most_as_much() -> None:
    assert level_of_elo(LEVELS, LEVELS[0].elo - 1) is LEVELS[0]
    for level, above in pairwise(LEVELS):
        assert level_of_elo(LEVELS, level.elo) is level
        assert level_of_elo(LEVELS, above.elo - 1) is level
    assert level_of_elo(LEVELS, 10**6) is LEVELS[-1]


def test_the_page_has_the_names_and_ratings_of_the_levels() -> None:
    page = (DOCS / "howto" / "choose_a_strength.md").read_text(encoding="utf-8")
    for number, level in enumerate(LEVELS, 1):
        assert f"| {number} | {level.name} | {level.elo} ± {level.margin} |" in page
    assert f"| {len(LEVELS) + 1} |" not in page
