"""Tables of games that were not compiled: information sets met in games, beside exact ones."""

from __future__ import annotations

import pytest

import fogtree
from fogtree.evaluate.table_inspection import inspect_table
from fogtree.registry import load_game


@pytest.mark.parametrize("name", ["kuhn_poker", "liars_dice(sides=2)"])
def test_reach_mix_and_value_are_those_of_the_compiled_game(name: str) -> None:
    game, games = load_game(name), 4000
    table = fogtree.simulate(game, "mccfr-outcome", iterations=20_000).strategy()
    tree = fogtree.compile(game)
    exact = {one.name: one for one in fogtree.inspect(tree, table.for_tree(tree, game))}
    found = inspect_table(game, table, games=games)
    assert {one.name for one in found} >= {o.name for o in exact.values() if o.reach > 0.01}
    for one in found:
        true = exact[one.name]
        assert (one.player, one.actions) == (true.player, true.actions)
        assert one.probabilities == pytest.approx(true.probabilities, abs=1e-6)
        assert one.reach == pytest.approx(true.reach, abs=4 * (0.25 / games) ** 0.5)
        if one.reach > 0.1 and true.expected_value is not None:
            assert one.expected_value == pytest.approx(true.expected_value, abs=0.25)
