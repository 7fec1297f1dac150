"""The wording of explanations, and how long ones are shortened."""

from __future__ import annotations

from fogtree import load_game, recipe
from fogtree.explanation import explain
from fogtree.explanation.markdown import markdown
from fogtree.explanation.words import conclusion, judgement, mix, number, weight
from tests.support.games import compiled


def test_wording() -> None:
    assert mix(("fold", "call"), (0.0, 1.0)) == "always call"
    assert mix(("a", "b", "c"), (1 / 3, 1 / 3, 1 / 3)) == "a, b and c equally often"
    assert mix(("fold", "call"), (0.25, 0.75)) == "fold 25 %, call 75 %"
    assert (number(-1e-17), number(0.1 + 0.2), weight(2e-17)) == ("0", "0.3", "2e-17")
    first, *_ = explain(compiled("kuhn_poker"), "cfr", deals=["JQ"]).steps
    said = judgement(first)
    assert said.endswith("Regret of this iteration: check -0.375, bet +0.375.")  # cfr keeps both
    assert first.cumulative_regret == (-0.375, 0.375)
    assert conclusion(first) == "Only bet has a positive weight. Next: always bet."
    never = explain(compiled("kuhn_poker"), "cfr", deals=["JQ", "JQ"]).steps[5]
    assert (never.infoset, never.opponent_reach) == ("Qc", 0.0)
    assert judgement(never).endswith(
        "the probability that they come here is 0, so every regret is 0."
    )


def test_a_regret_that_is_kept_at_zero_is_told():
    first, *_ = explain(compiled("kuhn_poker"), "cfr+", deals=["JQ"]).steps
    assert first.cumulative_regret == (0.0, 0.375)
    assert judgement(first).endswith(
        "Regret of this iteration: check -0.375, bet +0.375. "
        "The cumulative regret of check would be negative and is kept at 0."
    )
    floored = {"cfr": False, "cfr+": True, "lcfr": False, "dcfr": False, "pcfr+": True}
    for name, told in floored.items():
        steps = explain(compiled("leduc_poker"), name, iterations=3).shortened(60).steps
        assert any("kept at 0" in judgement(step) for step in steps) == told


def test_the_rule_of_players_turns_is_told() -> None:
    assert "in turn" in markdown(explain(compiled("kuhn_poker"), "cfr"))
    assert "at once, from" in markdown(
        explain(compiled("kuhn_poker"), recipe("cfr", alternating=False))
    )


def test_a_shortened_explanation_keeps_the_likeliest_in_order():
    whole = explain(load_game("kuhn_poker"), "cfr+", iterations=20)
    short = whole.shortened(100)
    assert len(short.steps) + short.left_out == len(whole.steps) == 240
    assert short.steps == whole.steps[:96]  # eight whole iterations
    few = whole.shortened(7)
    assert len(few.steps) == 7
    left = [step for step in whole.steps[:12] if step not in few.steps]
    reach = [min(s.own_reach * s.opponent_reach for s in few.steps)]
    assert max(s.own_reach * s.opponent_reach for s in left) <= reach[0]
    numbers = [whole.steps.index(step) for step in few.steps]
    assert numbers == sorted(numbers)
    assert whole.shortened(240) is whole
