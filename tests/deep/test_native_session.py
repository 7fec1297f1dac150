"""Native traversals that are interrupted for network outputs give the same samples."""

from __future__ import annotations

import numpy as np
import pytest

from fogtree import _core
from tests.support.cambia_networks import cambia_game, cambia_networks, options_for
from tests.support.deep_games import Table
from tests.support.networks import random_layers


def answer_all(game, session, networks, value, groups: int, *, cut: bool = False) -> int:
    """Plays accelerator; the number of batches it was asked for."""
    batches, open_groups = 0, set(range(groups))
    while open_groups:
        for group in sorted(open_groups):
            asked, unused, *tables = session.collect(group)
            if asked == 0:
                open_groups.remove(group)
                continue
            codes, players, wanted, histories, value_wanted = (
                without_ends(table, session.sections, unused if cut else 1) for table in tables
            )
            features = game.decode(codes)
            outputs = np.stack([network.forward(features) for network in networks])
            outputs = outputs[players, np.arange(len(codes))]
            values = None
            if value:
                rated = value.forward(game.decode_history(histories))
                one = rated.shape[1] == 1
                values = rated[:, 0].copy() if one else picked(rated, value_wanted, session)
            session.resume(group, picked(outputs, wanted, session), values)
            batches += 1
    return batches


def without_ends(table, sections, by):
    if len(table) == 0:
        return table
    parts = table.reshape(sections, -1, *table.shape[1:])
    return parts[:, : max(parts.shape[1] // by, 1)].reshape(-1, *table.shape[1:])


def picked(outputs, wanted, session):
    parts = zip(
        np.split(outputs, session.sections), np.split(wanted, session.sections), strict=True
    )
    # What is left over from earlier batches may point beyond a section that was cut.
    return np.concatenate(
        [rows[np.minimum(pairs[:, 0], len(rows) - 1), pairs[:, 1]] for rows, pairs in parts]
    )


@pytest.mark.parametrize(
    ("threads", "cut", "few"), [(1, False, 0), (3, False, 0), (3, True, 0), (2, False, 4)]
)
@pytest.mark.parametrize("method", ["external", "outcome", "robust", "escher", "rollout", "value"])
def test_two_halves_are_one_whole(method, threads, cut, few):
    """Also if threads answer their last few walks themselves."""
    game = cambia_game(profile="training", max_turns=2 if method == "external" else 6)
    networks, value, form = cambia_networks(game), None, ""
    if method in ("escher", "outcome"):
        form = "histories" if method == "escher" else "actions"
        width = 1 if method == "escher" else game.action_count
        value = _core.DeepNetwork(random_layers(8, game.history_feature_count, 16, width))
    traverser = _core.DeepTraverser(game, options_for(method))
    whole = traverser.traverse(networks, value, 1, 120, 3, 5, 1).tables()
    session = traverser.begin(
        value=form,
        traverser=1,
        traversals=120,
        iteration=3,
        seed=5,
        threads=threads,
        groups=2,
        walks=20,
        networks=networks,
        value_network=value,
        finish_below=few,
    )
    assert answer_all(game, session, networks, value, 2, cut=cut) > 3
    halves = session.finish().tables()
    assert whole.keys() == halves.keys()
    for key, found in whole.items():
        assert np.array_equal(found, halves[key]), key


@pytest.mark.parametrize("few", [0, 4])
def test_samples_beyond_the_memory_are_refused(few):
    """Whoever answers; every action is tried everywhere, so that a walk does not end."""
    game = cambia_game(profile="training")
    networks = cambia_networks(game)
    session = _core.DeepTraverser(game, options_for("external")).begin(
        traverser=0,
        traversals=2,
        iteration=1,
        seed=1,
        groups=1,
        walks=4,
        memory=2_000_000,
        networks=networks,
        finish_below=few,
    )
    with pytest.raises(MemoryError):
        answer_all(game, session, networks, None, 1)


def test_some_rows_are_those_of_all():
    game = cambia_game(profile="training", max_turns=6)
    for method in ("outcome", "value"):
        traverser = _core.DeepTraverser(game, options_for(method))
        found = traverser.traverse([], None, 0, 400, 0, 1, 3)
        tables = found.tables()
        for kind in ("value",) if method == "value" else ("regret", "strategy"):
            count = found.count(kind)
            numbers = np.random.default_rng(1).permutation(count)[: count // 2]
            some = found.take(kind, numbers, 2)
            for name, rows in some.items():
                whole = {"targets": {"value": "returns", "strategy": "probabilities"}.get(kind)}
                column = whole.get(name) or name
                assert np.array_equal(rows, tables[f"{kind}_{column}"][numbers]), (kind, name)
            with pytest.raises(IndexError):
                found.take(kind, np.array([count]))
        if method == "value":
            assert np.array_equal(found.explored(), tables["value_explored"])
        else:
            assert np.array_equal(found.players("strategy"), tables["strategy_players"])
    with pytest.raises(ValueError):
        found.count("nothing")


def test_two_halves_on_a_tree(tree_of):
    table = Table(tree_of("leduc_poker"), 1, method="external")
    traverser = _core.DeepTraverser(table.game, table.options)
    whole = traverser.traverse(table.networks, None, 0, 50, 0, 1, 1).tables()
    session = traverser.begin(traverser=0, traversals=50, iteration=0, seed=1, groups=3, walks=8)
    answer_all(table.game, session, table.networks, None, 3)
    for key, found in session.finish().tables().items():
        assert np.array_equal(found, whole[key]), key


def test_wrong_answers_are_refused():
    game = cambia_game(max_turns=4)
    traverser = _core.DeepTraverser(game, options_for("outcome"))
    with pytest.raises(ValueError):
        traverser.begin(value="no", traverser=0, traversals=9, iteration=0, seed=0)
    session = traverser.begin(traverser=0, traversals=9, iteration=0, seed=0, walks=4)
    asked = session.collect(0)[0]
    assert asked == 4
    for size in (0, 3):
        with pytest.raises(ValueError, match="do not fit"):
            session.resume(0, np.zeros(size, np.float32))
    with pytest.raises(ValueError, match="unanswered"):
        session.finish()
    with pytest.raises(IndexError):
        session.collect(2)
    del session  # with questions open
