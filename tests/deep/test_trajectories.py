"""Games of self-play: what both engines record, and advantages against a loop written by hand."""

from __future__ import annotations

import numpy as np
import pytest

from fogtree import load_game
from fogtree.deep.engine import prepare
from fogtree.deep.network import Network
from fogtree.deep.trajectories import Trajectories, generalised_advantages, next_decisions
from fogtree.deep.traversal import Task, Walks
from fogtree.errors import OptionError
from tests.support.cambia_networks import cambia_game, cambia_networks, options_for


def played_games(spec, kind, games=400):
    prepared = prepare(load_game(spec), engine=kind, values=False)
    game = prepared.engine.game
    networks = [Network.make([game.feature_count, 8, game.action_count], (p,)) for p in (1, 2)]
    task = Task(Walks("selfplay", softmax=True), networks, None, 0, games, 1, 5)
    return prepared, prepared.engine.traverse(task)


@pytest.mark.parametrize("kind", ["python", "native"])
def test_kuhn_is_recorded_as_it_is_played(kind):
    prepared, samples = played_games("kuhn_poker", kind)
    tree, found = prepared.tree.tree, Trajectories.of(samples)
    assert (found.steps == 0).sum() == 400
    assert samples.nodes == len(found) + 400
    infoset = np.ascontiguousarray(found.codes).view("<i4").reshape(-1)
    node = np.ascontiguousarray(found.histories).view("<i4").reshape(-1)
    assert np.array_equal(tree.index[node], infoset)
    assert np.array_equal(tree.infoset_player[infoset], found.players)
    assert np.allclose(found.played[found.columns >= 0], 0.5)
    ends = np.append(found.steps[1:] == 0, True)
    for row in np.flatnonzero(ends):  # the action taken there ends the game
        child = np.flatnonzero((tree.parent == node[row]) & (tree.action == found.taken[row]))[0]
        payoffs = tree.payoffs[tree.index[child]]
        first = row - found.steps[row]
        for number in range(first, row + 1):
            assert found.returns[number] == payoffs[found.players[number]]
        for number in range(first, row):  # and the others lead to the next decision
            assert tree.parent[node[number + 1]] == node[number]
            assert tree.action[node[number + 1]] == found.taken[number]
    share = np.mean(found.taken)
    assert share == pytest.approx(0.5, abs=0.1)


def test_both_engines_have_equal_means():
    means = []
    for kind in ("python", "native"):
        _, samples = played_games("leduc_poker", kind, 1500)
        found = Trajectories.of(samples)
        first = found.players == 0
        means.append([len(found) / 1500, found.steps.mean(), found.returns[first].std()])
    assert means[0] == pytest.approx(means[1], rel=0.1)


def test_threads_change_nothing_and_depth_is_refused():
    from fogtree import _core

    game = cambia_game(players=3, profile="training", max_turns=6)
    traverser = _core.DeepTraverser(game, options_for("selfplay"))
    one, two = (
        traverser.traverse(cambia_networks(game), None, 1, 80, 3, 5, threads).tables()
        for threads in (1, 2)
    )
    assert len(one["strategy_codes"]) == len(one["value_codes"]) > 80
    for key, column in one.items():
        assert np.array_equal(column, two[key]), key
    with pytest.raises(OptionError, match="depth must be 0"):
        Walks("selfplay", depth=3)


def reference_advantages(games, decay):
    """Sums of temporal differences, player by player: no arrays, no recursion."""
    out = {}
    for rows in games:
        for player in {row["player"] for row in rows}:
            mine = [row for row in rows if row["player"] == player]
            for number, row in enumerate(mine):
                total = 0.0
                for later in range(number, len(mine)):
                    last = later == len(mine) - 1
                    after = mine[later]["return"] if last else mine[later + 1]["value"]
                    total += decay ** (later - number) * (after - mine[later]["value"])
                out[row["row"]] = total
    return [out[row] for row in range(len(out))]


@pytest.mark.parametrize("decay", [0.0, 0.7, 1.0])
def test_advantages_against_a_loop(decay):
    dice, games, row = np.random.default_rng(4), [], 0
    for _ in range(30):
        payoffs = dice.normal(size=3)
        rows = []
        for _ in range(dice.integers(1, 9)):
            player = int(dice.integers(3))
            rows.append(
                {"row": row, "player": player, "return": payoffs[player], "value": dice.normal()}
            )
            row += 1
        games.append(rows)
    flat = [one for rows in games for one in rows]
    steps = np.array([number for rows in games for number in range(len(rows))])
    players = np.array([one["player"] for one in flat], dtype=np.int8)
    values = np.array([one["value"] for one in flat], dtype=np.float32)
    returns = np.array([one["return"] for one in flat], dtype=np.float32)
    found = generalised_advantages(values, returns, next_decisions(players, steps), decay)
    assert found == pytest.approx(reference_advantages(games, decay), abs=1e-5)


def test_estimates_of_all_actions_are_unbiased():
    """Kuhn poker, uniform play: the mean estimate by action is its mean return."""
    prepared, samples = played_games("kuhn_poker", "native", 40_000)
    found, tree = Trajectories.of(samples), prepared.tree.tree
    infoset = np.ascontiguousarray(found.codes).view("<i4").reshape(-1)
    estimates = found.by_action(found.returns)
    mean = estimates[infoset == tree.infoset("K")].mean(axis=0)
    # By uniform play a king that bets wins 1 or 2; one that checks wins 1 if the other checks, and
    # after a bet it loses 1 by folding or wins 2 by calling.
    assert sorted(mean) == pytest.approx([0.5 * 1 + 0.5 * 0.5, 1.5], abs=0.06)
