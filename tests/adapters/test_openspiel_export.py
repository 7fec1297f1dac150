"""Games and strategies handed to OpenSpiel, checked by OpenSpiel's own test and algorithms."""

from __future__ import annotations

import sys

import numpy as np
import pytest

import fogtree
from fogtree.errors import IllegalActionError, MissingExtraError, OptionError

pyspiel = pytest.importorskip("pyspiel", reason="needs OpenSpiel: pip install 'fogtree[openspiel]'")
exploitability = pytest.importorskip("open_spiel.python.algorithms.exploitability")

GAMES = (
    "rock_paper_scissors",
    "rock_paper_scissors(scissors=2)",
    "matching_pennies",
    "kuhn_poker",
    "kuhn_poker(ante=2, bet=3)",
    "kuhn_poker(players=3)",
    "leduc_poker(ranks=2, raises=1)",
    "goofspiel(cards=3)",
    'goofspiel(cards=3, points="random", hidden=False)',
    "battleship(height=1, width=2, ships=(1,), shots=2, repeats=True, loss_multiplier=2)",
    "liars_dice(sides=2)",
    "phantom_ttt(rows=1, columns=4, line=2, max_plies=3)",
)


@pytest.mark.parametrize("spec", [*GAMES, "leduc_poker", "fog_chess", "cambia"])
def test_the_random_simulations_of_openspiel_pass(spec: str) -> None:
    game = fogtree.to_openspiel(spec)
    pyspiel.random_sim_test(game, num_sims=2, serialize=True, verbose=False)


def some_strategy(tree: fogtree.GameTree) -> fogtree.Strategy:
    """A strategy with a different mix at every information set."""
    numbers = np.random.default_rng(7).exponential(size=tree.slots)
    totals = np.bincount(tree.slot_infoset, weights=numbers)
    return fogtree.Strategy.of(tree, numbers / totals[tree.slot_infoset])


@pytest.mark.parametrize("spec", GAMES)
def test_openspiel_finds_our_exploitability(spec: str) -> None:
    tree = fogtree.compile(spec)
    for strategy in (some_strategy(tree), fogtree.solve(tree, iterations=50).strategy):
        policy = fogtree.to_openspiel_policy(strategy, spec)
        theirs = exploitability.nash_conv(policy.game, policy) / tree.players
        ours = fogtree.exploitability(tree, strategy).exploitability
        assert theirs == pytest.approx(ours, abs=1e-9)


def test_the_exploitability_of_two_players_by_openspiels_own_core() -> None:
    tree = fogtree.compile("kuhn_poker")
    policy = fogtree.to_openspiel_policy(some_strategy(tree))
    ours = fogtree.exploitability(tree, some_strategy(tree)).exploitability
    assert exploitability.exploitability(policy.game, policy) == pytest.approx(ours, abs=1e-9)


def test_openspiel_loads_the_game_by_its_name() -> None:
    game = fogtree.to_openspiel("leduc_poker(ranks=2, raises=1)")
    name = "fogtree_leduc_poker_ranks_2_raises_1"
    assert game.get_type().short_name == name
    again = pyspiel.load_game(name)
    assert again.num_distinct_actions() == 4
    assert (again.min_utility(), again.max_utility(), again.utility_sum()) == (-7, 7, 0)
    assert again.max_chance_outcomes() == 4
    assert again.max_game_length() == 9
    assert again.get_type().utility == pyspiel.GameType.Utility.ZERO_SUM


def test_games_with_equal_names_are_kept_apart() -> None:
    class Other(type(fogtree.load_game("matching_pennies"))):
        pass

    first, second = fogtree.to_openspiel("matching_pennies"), fogtree.to_openspiel(Other())
    assert first.get_type().short_name == "fogtree_matching_pennies"
    assert second.get_type().short_name == "fogtree_matching_pennies_2"
    assert fogtree.to_openspiel(Other()).get_type().short_name == "fogtree_matching_pennies_2"


def test_a_game_that_is_not_zero_sum_says_so() -> None:
    game = fogtree.to_openspiel(GAMES[9])
    assert game.get_type().utility == pyspiel.GameType.Utility.GENERAL_SUM


def test_texts_of_actions_and_states() -> None:
    state = fogtree.to_openspiel("kuhn_poker").new_initial_state()
    assert [state.action_to_string(a) for a, _ in state.chance_outcomes()] == ["J", "Q", "K"]
    for action in (1, 1, 1):  # the queen, of jack and king the king, a bet
        state.apply_action(action)
    assert state.current_player() == 1
    assert state.legal_actions() == [2, 3]
    assert [state.action_to_string(a) for a in state.legal_actions()] == ["fold", "call"]
    assert state.information_state_string(1) == "1 | None | 'K' | 'Kb'"
    assert state.observation_string(0) == "0 | 'Qb'"
    with pytest.raises(IllegalActionError, match="kuhn_poker: action 0 is not legal"):
        state.apply_action(0)


def test_information_states_do_not_show_the_other_card() -> None:
    game = fogtree.to_openspiel("kuhn_poker")
    seen = set()
    for other in (0, 1):  # a jack or the queen against the king
        state = game.new_initial_state()
        state.apply_action(other)
        state.apply_action(state.legal_actions()[-1])
        state.apply_action(1)
        text, tensor = state.information_state_string(1), state.information_state_tensor(1)
        seen.add((text, tuple(tensor), state.observation_string(1)))
    assert len(seen) == 1


def test_an_exported_game_comes_back_in() -> None:
    back = fogtree.from_openspiel(fogtree.to_openspiel("kuhn_poker"))
    ours, theirs = fogtree.compile("kuhn_poker"), fogtree.compile(back)
    assert theirs.sizes().infosets == ours.sizes().infosets
    assert np.array_equal(theirs.parent, ours.parent)
    assert np.array_equal(theirs.payoffs, ours.payoffs)
    assert np.array_equal(theirs.chance, ours.chance)
    assert theirs.infoset_labels == ours.infoset_labels


def test_a_strategy_for_another_game_is_refused() -> None:
    strategy = fogtree.Strategy.uniform(fogtree.compile("kuhn_poker"))
    with pytest.raises(OptionError, match="this strategy is for 'kuhn_poker'"):
        fogtree.to_openspiel_policy(strategy, "matching_pennies")


def test_without_openspiel(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    monkeypatch.delitem(sys.modules, "fogtree.adapters.openspiel_game", raising=False)
    with pytest.raises(MissingExtraError, match=r"fogtree\[openspiel\]"):
        fogtree.to_openspiel("kuhn_poker")
