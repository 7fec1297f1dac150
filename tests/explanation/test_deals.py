"""Iterations over single deals: the worked example's numbers, and a computation by hand."""

from __future__ import annotations

import dataclasses
from collections.abc import Hashable, Sequence

import numpy as np
import pytest

from fogtree import CHANCE, RECIPES, TERMINAL, Game, GameTree, State, compile, load_game
from fogtree.errors import OptionError, UnknownNameError
from fogtree.explanation import Explanation, Step, explain
from fogtree.game import Action
from tests.support.kuhn_by_hand import KuhnByHand

FOUR = ["cfr", "cfr+", "normalhedge", "normalhedge+"]


@dataclasses.dataclass(frozen=True)
class TwoDraws(Game):
    """Two draws from the same labels, then a guess; the player sees both."""

    labels: tuple[str, ...]
    players = 1

    def root(self) -> State:
        return Draws(self, ())


@dataclasses.dataclass(frozen=True)
class Draws(State):
    game: TwoDraws
    drawn: tuple[str, ...]

    @property
    def player(self) -> int:
        return (CHANCE, CHANCE, 0, TERMINAL)[len(self.drawn)]

    def actions(self) -> Sequence[Action]:
        return ("low", "high")

    def chance(self) -> Sequence[tuple[Action, float]]:
        return [(label, 1 / len(self.game.labels)) for label in self.game.labels]

    def child(self, action: Action) -> State:
        return Draws(self.game, (*self.drawn, str(action)))

    def returns(self) -> Sequence[float]:
        return [1.0]

    def observation(self, player: int) -> Hashable:
        return self.drawn

    def name(self) -> str:
        return ":".join(self.drawn)


KUHN = compile(load_game("kuhn_poker"))
LEDUC = compile(load_game("leduc_poker"))


def steps_of(explanation: Explanation, iteration: int) -> dict[str, Step]:
    return {step.infoset: step for step in explanation.by_iteration()[iteration - 1]}


def test_jack_queen_values_and_visit_order() -> None:
    steps = steps_of(explain(KUHN, "cfr", deals=["JQ"]), 1)
    assert list(steps) == ["J", "Qc", "Jcb", "Qb"]
    assert steps["J"].values == (-1.25, -0.5)
    assert steps["J"].expected_value == -0.875
    assert steps["Jcb"].values == (-1.0, -2.0)
    assert steps["Jcb"].expected_value == -1.5
    assert steps["Qc"].values == (1.0, 1.5)
    assert steps["Qc"].expected_value == 1.25
    assert {name: step.opponent_reach for name, step in steps.items()} == {
        "J": 1.0, "Qc": 0.5, "Jcb": 0.5, "Qb": 0.5,
    }  # fmt: skip
    assert {name: step.own_reach for name, step in steps.items()} == {
        "J": 1.0, "Qc": 1.0, "Jcb": 0.5, "Qb": 1.0,
    }  # fmt: skip
    assert steps["Jcb"].moves == ("check", "bet")
    assert steps["J"].leads_to == (("Qc",), ("Qb",))


@pytest.mark.parametrize("algorithm", FOUR)
def test_jack_queen_regrets(algorithm: str) -> None:
    steps = steps_of(explain(KUHN, algorithm, deals=["JQ"]), 1)
    expected = {
        "J": (-0.375, 0.375),
        "Jcb": (0.25, -0.25),
        "Qc": (-0.125, 0.125),
        "Qb": (-0.75, 0.75),
    }
    for name, regret in expected.items():
        assert steps[name].regret == regret
        kept = tuple(max(r, 0.0) for r in regret) if algorithm.endswith("+") else regret
        assert steps[name].cumulative_regret == kept
    assert steps["J"].next_strategy == (0.0, 1.0)
    assert steps["Jcb"].next_strategy == (1.0, 0.0)


@pytest.mark.parametrize("algorithm", ["normalhedge", "normalhedge+"])
def test_jack_queen_scale_and_weight(algorithm: str) -> None:
    jack = steps_of(explain(KUHN, algorithm, deals=["JQ"]), 1)["J"]
    assert jack.scale == pytest.approx(0.0472, abs=5e-5)
    assert jack.weights[0] == 0.0
    assert jack.weights[1] == pytest.approx(35.25, abs=5e-3)
    assert jack.next_strategy == (0.0, 1.0)


@pytest.mark.parametrize("algorithm", FOUR)
@pytest.mark.parametrize(
    "deals", [["JQ", "QK"], ["JQ", "QK", "JQ", "QJ", "KJ", "JK", "KQ", "QJ", "JQ", "QK", "JK"]]
)
def test_against_hand_computation(algorithm: str, deals: list[str]) -> None:
    """The second deal of the example, and a longer run in which information sets come again."""
    hand = KuhnByHand(algorithm)
    explanation = explain(KUHN, algorithm, deals=deals)
    for deal, steps in zip(deals, explanation.by_iteration(), strict=True):
        by_hand = hand.play(*deal)
        assert [step.infoset for step in steps] == list(by_hand)
        for step in steps:
            for field, value in by_hand[step.infoset].items():
                assert getattr(step, field) == pytest.approx(value, abs=1e-12, rel=1e-12), field


def test_the_four_part_when_cards_come_back() -> None:
    """The probabilities that the tutorial quotes; and the four are not one algorithm."""
    checks = {"cfr": 0.625, "cfr+": 0.727, "normalhedge": 0.797, "normalhedge+": 0.902}
    for algorithm, probability in checks.items():
        steps = steps_of(explain(KUHN, algorithm, deals=["JQ", "QK", "QJ", "JQ"]), 4)
        assert steps["J"].next_strategy[0] == pytest.approx(probability, abs=5e-4)


@pytest.mark.parametrize("algorithm", RECIPES)
def test_every_algorithm_keeps_its_own_books(algorithm: str) -> None:
    row = RECIPES[algorithm]
    explanation = explain(KUHN, algorithm, deals=["JQ", "QK", "JK", "QJ"], iterations=12)
    assert [step.deal for step in explanation.steps[::4]] == ["JQ", "QK", "JK", "QJ"] * 3
    for step in explanation.steps:
        strategy, values = np.array(step.strategy), np.array(step.values)
        assert step.expected_value == pytest.approx(strategy @ values)
        assert step.regret == pytest.approx(step.opponent_reach * (values - step.expected_value))
        total = np.array(step.previous_regret) + np.array(step.regret)
        if row.negative_exponent == -np.inf:
            power = float(step.iteration) ** row.positive_exponent
            kept = 1.0 if row.positive_exponent == np.inf else power / (power + 1)
            assert step.cumulative_regret == pytest.approx(kept * np.maximum(total, 0))
        elif row.positive_exponent == np.inf:
            assert step.cumulative_regret == pytest.approx(total)
        share = np.array(step.weights)
        uniform = np.full(len(share), 1 / len(share))
        expected = share / share.sum() if share.sum() > 0 else uniform
        assert step.next_strategy == pytest.approx(expected)
        assert (step.scale is not None) == algorithm.startswith("normalhedge")
        assert (step.rate is not None) == (algorithm == "hedge")


def test_linear_cfr_weighs_iteration_t_by_t() -> None:
    """Discounting by t/(t+1) every iteration, seen or not, leaves sum t r_t / (T + 1)."""
    deals = ["JQ", "QK", "JK", "QJ", "JQ", "KJ", "JK"]
    explanation = explain(KUHN, "lcfr", deals=deals)
    at_jack = [step for step in explanation.steps if step.infoset == "J"]
    assert [step.iteration for step in at_jack] == [1, 3, 5, 7]
    total = sum(step.iteration * np.array(step.regret) for step in at_jack)
    assert at_jack[-1].cumulative_regret == pytest.approx(total / 8)


def test_where_the_opponent_never_comes_nothing_is_learned() -> None:
    again = steps_of(explain(KUHN, "cfr", deals=["JQ", "JQ"]), 2)["Qc"]
    assert again.opponent_reach == 0.0
    assert again.values == (1.0, 1.0)  # the jack now folds to a bet
    assert again.regret == (0.0, 0.0)
    assert again.cumulative_regret == (-0.125, 0.125)


def test_three_players() -> None:
    tree = compile(load_game("kuhn_poker(players=3)"))
    steps = steps_of(explain(tree, "cfr", deals=["JKQ"]), 1)
    king = steps["Kc"]
    assert (king.player, king.opponent_reach, king.own_reach) == (1, 0.5, 1.0)
    # A bet wins both antes and half a chip from each of two who call every second time. A check is
    # checked down for both antes, or bet at: then a fold costs 1 and a call wins 3 and a half.
    assert king.values == pytest.approx((0.5 * 2 + 0.5 * (0.5 * -1 + 0.5 * 3.5), 3.0))
    queen = steps["Qcb"]
    assert (queen.player, queen.opponent_reach, queen.own_reach) == (2, 0.25, 1.0)
    assert queen.values == (-1.0, -2.0)
    jack = steps["Jcbc"]
    assert (jack.player, jack.opponent_reach, jack.own_reach) == (0, 0.25, 0.5)
    assert jack.regret == (0.125, -0.125)


def test_leduc_consumes_the_shared_card_where_it_is_dealt() -> None:
    explanation = explain(LEDUC, "cfr", deals=["JsQhKs"])
    names = [step.infoset for step in explanation.steps]
    assert all("/" not in name or "/Ks" in name for name in names)
    assert all(step.histories == 1 for step in explanation.steps)
    steps = steps_of(explanation, 1)
    assert steps["Qhc"].leads_to == (("Jscc/Ks",), ("Jscr",))
    # No pair on the board: a queen beats a jack. After a raise in each round 1 + 2 + 4 are paid.
    assert steps["Qhcrc/Ksr"].actions == ("fold", "call", "raise")
    assert steps["Qhcrc/Ksr"].values[:2] == pytest.approx((-3.0, 7.0))
    # With a jack on the board the jack wins.
    paired = steps_of(explain(LEDUC, "cfr", deals=["JsQhJh"]), 1)
    assert paired["Qhcrc/Jhr"].values[:2] == pytest.approx((-3.0, -7.0))


def test_leduc_without_the_shared_card_walks_all_of_them() -> None:
    steps = steps_of(explain(LEDUC, "cfr", deals=["JsQh"]), 1)
    boards = {name.split("/")[1][:2] for name in steps if "/" in name}
    assert boards == {"Jh", "Qs", "Ks", "Kh"}
    assert steps["Jscc/Ks"].opponent_reach == pytest.approx(0.5 / 4)
    assert steps["Qhc"].leads_to[0] == ("(chance)",)
    parts = [steps[f"Jscc/{board}"].expected_value for board in sorted(boards)]
    # Player 1's check leads to the average over the boards.
    assert steps["Qhc"].values[0] == pytest.approx(-np.mean(parts))


def test_goofspiel_prizes_in_a_row() -> None:
    game = load_game("goofspiel(cards=3, points='random')")
    first = explain(game, "cfr", deals=["3,1"]).steps[0]
    assert first == dataclasses.replace(explain(game, "cfr", deals=["3 1"]).steps[0], deal="3,1")
    assert first.actions == ("1", "2", "3")


def reading(tree: GameTree, deal: str) -> list[str]:
    return [step.infoset for step in explain(tree, "cfr", deals=[deal]).steps]


@pytest.mark.parametrize("deal", ["J,Q", "J Q", " J, Q ", "J,Q,"])
def test_separators(deal: str) -> None:
    assert reading(KUHN, deal) == ["J", "Qc", "Jcb", "Qb"]


def test_half_a_deal_leaves_the_rest_to_chance() -> None:
    steps = steps_of(explain(KUHN, "cfr", deals=["J"]), 1)
    assert list(steps) == ["J", "Qc", "Jcb", "Qb", "Kc", "Kb"]
    assert steps["Jcb"].histories == 2
    assert steps["Jcb"].opponent_reach == pytest.approx(0.5)
    assert steps["Qc"].opponent_reach == pytest.approx(0.25)


def test_labels_that_start_alike() -> None:
    """A deal is cut wherever that makes sense of all of it; if in two ways, it needs commas."""
    tree = compile(TwoDraws(("1", "11", "2")))
    assert reading(tree, "2,1") == ["2:1"]
    assert reading(tree, "112") == ["11:2"]
    with pytest.raises(OptionError, match="1,11 or 11,1"):
        reading(tree, "111")
    assert reading(tree, "11,1") == ["11:1"]


@pytest.mark.parametrize(
    ("deal", "message"),
    [
        ("JJ", "deal 'JJ': 'J' cannot be dealt after J; possible: Q, K"),
        ("XQ", "deal 'XQ': 'XQ' cannot be dealt first; possible: J, Q, K"),
        ("J,X", "deal 'J,X': 'X' cannot be dealt after J; possible: Q, K"),
        ("JQK", "deal 'JQK': nothing is dealt after J,Q, so 'K' is too much"),
        ("", "deal '': nothing is named first; possible: J, Q, K"),
        ("jq", "deal 'jq': 'jq' cannot be dealt first; possible: J, Q, K"),
    ],
)
def test_bad_deals(deal: str, message: str) -> None:
    with pytest.raises(OptionError) as caught:
        explain(KUHN, "cfr", deals=["JQ", deal])
    assert str(caught.value) == message


def test_bad_leduc_deals() -> None:
    with pytest.raises(OptionError, match="'Js' cannot be dealt after Js,Qh; possible: Jh, Qs"):
        explain(LEDUC, "cfr", deals=["JsQhJs"])


def test_other_bad_options() -> None:
    with pytest.raises(OptionError, match="no chance events"):
        explain(load_game("rock_paper_scissors"), "cfr", deals=["J"])
    with pytest.raises(OptionError, match="at least 1, not 0"):
        explain(KUHN, "cfr", iterations=0)
    with pytest.raises(UnknownNameError, match="did you mean 'cfr\\+'"):
        explain(KUHN, "cfr++", deals=["JQ"])
