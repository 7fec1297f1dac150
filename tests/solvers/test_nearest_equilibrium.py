"""The nearest equilibrium against what is known of all equilibria of some games."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from fogtree import Strategy, compile, equilibrium, exploitability, load_game, solve
from fogtree.errors import GameError
from fogtree.solvers.nearest_equilibrium import EquilibriumSet


def kuhn_family(bluff: float) -> dict[str, dict[str, float]]:
    """All equilibria of Kuhn poker, one for every ``bluff`` from 0 to 1/3; Kuhn (1950)."""
    call, third = bluff + 1 / 3, 1 / 3
    return {
        "J": {"check": 1 - bluff, "bet": bluff},
        "Jcb": {"fold": 1},
        "Q": {"check": 1},
        "Qcb": {"fold": 1 - call, "call": call},
        "K": {"check": 1 - 3 * bluff, "bet": 3 * bluff},
        "Kcb": {"call": 1},
        "Jc": {"check": 1 - third, "bet": third},
        "Jb": {"fold": 1},
        "Qc": {"check": 1},
        "Qb": {"fold": 1 - third, "call": third},
        "Kc": {"bet": 1},
        "Kb": {"call": 1},
    }


@pytest.fixture(scope="module")
def kuhn():
    return EquilibriumSet(compile(load_game("kuhn_poker")))


def test_value(kuhn):
    assert kuhn.values == pytest.approx((-1 / 18, 1 / 18), abs=1e-9)


@pytest.mark.parametrize("bluff", [0.0, 0.1, 0.2, 1 / 3])
def test_every_equilibrium_of_kuhn_is_its_own_nearest(kuhn, bluff):
    strategy = Strategy.from_mapping(kuhn.tree, kuhn_family(bluff))
    assert exploitability(kuhn.tree, strategy).exploitability == pytest.approx(0, abs=1e-12)
    nearest = kuhn.nearest(strategy)
    assert nearest.distance == pytest.approx(0, abs=1e-6)
    assert nearest.largest == pytest.approx(0, abs=1e-6)


def test_the_nearest_of_kuhn_is_found_by_brute_force_too(kuhn):
    """Player 1's equilibrium is unique and player 0's a line: the nearest point by scanning it."""
    changed = {**kuhn_family(0.15), "J": {"check": 0.6, "bet": 0.4}, "K": {"check": 1, "bet": 0}}
    strategy = Strategy.from_mapping(kuhn.tree, changed)

    def reach(mixes, card):
        """Own reach of the sequences after a card: check, bet, check then fold or call."""
        first, second = mixes[card], mixes[f"{card}cb"]
        check, bet = first.get("check", 0), first.get("bet", 0)
        return [check, bet, check * second.get("fold", 0), check * second.get("call", 0)]

    def distance(bluff):
        family = kuhn_family(bluff)
        return sum(
            abs(mine - theirs)
            for card in "JQK"
            for mine, theirs in zip(reach(changed, card), reach(family, card), strict=True)
        )

    best = min(distance(bluff) for bluff in np.linspace(0, 1 / 3, 3001))
    assert kuhn.nearest(strategy).distance == pytest.approx(best, abs=1e-3)


def test_the_nearest_is_an_equilibrium(kuhn):
    nearest = kuhn.nearest(Strategy.uniform(kuhn.tree))
    assert nearest.distance > 1
    assert exploitability(kuhn.tree, nearest.strategy).exploitability < 1e-7
    by_name = {mix.infoset: mix for mix in nearest.mixes}
    assert by_name["Kb"].distance == pytest.approx(0.5)
    assert by_name["Jb"].nearest == pytest.approx((1, 0))
    assert by_name["Kb"].own_reach == 1


def test_where_an_equilibrium_never_goes_any_mix_is_as_near(kuhn):
    """With ``bluff`` 1/3 the king always bets, so what it does after a check is free."""
    free = {**kuhn_family(1 / 3), "Kcb": {"fold": 1}}
    nearest = kuhn.nearest(Strategy.from_mapping(kuhn.tree, free))
    assert nearest.distance == pytest.approx(0, abs=1e-6)
    king = next(mix for mix in nearest.mixes if mix.infoset == "Kcb")
    assert king.distance is None
    assert king.weighted == 0


def test_rock_paper_scissors_has_one_equilibrium():
    tree = compile(load_game("rock_paper_scissors"))
    rock = Strategy.from_mapping(tree, {"row": {"rock": 1}})
    nearest = EquilibriumSet(tree).nearest(rock)
    assert nearest.distance == pytest.approx(4 / 3, abs=1e-6)
    assert nearest.strategy["row"] == pytest.approx(dict.fromkeys(nearest.strategy["row"], 1 / 3))
    assert nearest.largest == pytest.approx(2 / 3, abs=1e-6)


@pytest.mark.parametrize("game", ["kuhn_poker", "goofspiel", "leduc_poker"])
def test_distance_falls_with_exploitability_and_is_zero_at_the_linear_program(game):
    tree = compile(load_game(game))
    equilibria = EquilibriumSet(tree)
    exact = equilibrium(tree)
    assert equilibria.values[0] == pytest.approx(exact.value, abs=1e-9)
    assert equilibria.nearest(exact.strategy).distance < 1e-4
    answers = [solve(tree, "pcfr+", iterations=n).strategy for n in (10, 100, 1000)]
    distances = [equilibria.nearest(answer).distance for answer in answers]
    assert distances[0] > distances[1] > distances[2]


def test_only_two_players_zero_sum():
    with pytest.raises(GameError, match="zero-sum"):
        EquilibriumSet(compile(load_game("kuhn_poker(players=3)")))


def test_a_constant_sum_changes_values_and_no_distance():
    tree = compile("kuhn_poker")
    shifted = replace(tree, payoffs=tree.payoffs + np.array([2.0, 0.5]))
    mine = solve(tree, "cfr+", iterations=20).strategy
    found, plain = EquilibriumSet(shifted).nearest(mine), EquilibriumSet(tree).nearest(mine)
    assert found.value == pytest.approx(plain.value + 2, abs=1e-9)
    assert found.distance == pytest.approx(plain.distance, abs=1e-6)
    assert exploitability(tree, found.strategy).exploitability == pytest.approx(0, abs=1e-4)
