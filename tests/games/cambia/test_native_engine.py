"""The native engine against the reference, and what must hold in both."""

from __future__ import annotations

import os
from collections import Counter

import pytest

from fogtree import _core
from fogtree.games.cambia.actions import layout
from fogtree.games.cambia.rules import PROFILES, make_rules
from tests.support.cambia_engines import compare, compare_on_all_cores, native_rules

MANY_GAMES = int(os.environ.get("FOGTREE_CAMBIA_GAMES", "100000"))
KINDS = {move.kind for move in layout(2).moves}


def assert_covered(seen: Counter[str], games: int) -> None:
    assert seen["games"] == games
    assert all(seen[f"{players} players"] > games / 10 for players in range(2, 7))
    assert all(seen[profile] > games / 5 for profile in PROFILES)
    assert all(seen[kind] > 0 for kind in KINDS)


@pytest.mark.parametrize("seed", [1_000_011, pytest.param(1_000_012, marks=pytest.mark.slow)])
def test_engines_agree_after_every_action(seed: int) -> None:
    """Also: no position without a legal action, unless the earlier defects are asked for."""
    assert_covered(compare(400, seed), 400)


@pytest.mark.slow
def test_engines_agree_in_very_many_games() -> None:
    """``FOGTREE_CAMBIA_GAMES`` of them, 100,000 if nothing is said."""
    assert_covered(compare_on_all_cores(MANY_GAMES), MANY_GAMES)


def test_a_copy_is_small() -> None:
    assert _core.CambiaPosition.bytes <= 200


@pytest.mark.parametrize("players", range(2, 7))
@pytest.mark.parametrize("profile", PROFILES)
def test_random_games_always_end(profile: str, players: int) -> None:
    for window in ("eligible", "always"):
        given = {"snap_window": window, "replace_abilities": True, "lock_caller": True}
        rules = make_rules(players, profile, "full", False, given)
        _, _, deadlocks, _ = _core.cambia_random_games(native_rules(rules), 2_000, 5)
        assert deadlocks == 0


def test_the_deadlock_of_earlier_engines() -> None:
    """Replaced jacks, queens and kings with a locked caller: 8.5 % of random games, as known."""
    rules = make_rules(2, "default", "full", True, {"replace_abilities": True})
    _, _, deadlocks, _ = _core.cambia_random_games(native_rules(rules), 100_000, 1)
    assert deadlocks / 100_000 == pytest.approx(0.085, abs=0.003)


def test_external_sampling_visits_as_many_nodes_as_is_known() -> None:
    """A traversal of four turns in the training profile has 2.5 k nodes in the mean."""
    rules = make_rules(2, "training", "full", False, {"max_turns": 4})
    nodes, _ = _core.cambia_external_sampling(native_rules(rules), 4_000, 3)
    assert nodes / 4_000 == pytest.approx(2_500, rel=0.1)


def test_both_players_do_equally_well_at_random() -> None:
    rules = native_rules(make_rules(2, "training", "full", False, {}))
    _, _, _, returns = _core.cambia_random_games(rules, 200_000, 9)
    assert returns / 200_000 == pytest.approx(0.0, abs=0.01)
