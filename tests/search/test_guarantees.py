"""What must hold of the search, point by point, measured exactly where that is possible."""

from __future__ import annotations

import numpy as np
import pytest

from fogtree import equilibrium, exploitability, load_game, solve
from fogtree.agents import Budget, Observation
from fogtree.evaluate.best_response import best_response
from fogtree.games.fog_chess.evaluator import FogEvaluator
from fogtree.games.fog_chess.observation import FogObservation
from fogtree.search import (
    SearchAgent,
    SearchOptions,
    TreeSearch,
    behaviour_strategy,
    search_options,
    search_settings,
)
from fogtree.search.behaviour import own_paths
from fogtree.search.tree_search import node_values
from fogtree.strategy import Strategy
from fogtree.studies.safety import GADGETS, Condition, game_facts, measure

LIARS_DICE = "liars_dice(sides=3)"
PHANTOM = "phantom_ttt(rows=1, columns=5, line=2, max_plies=4)"
ORDERS = (1, 2, 3, 0)


def first_infoset(tree, player):
    paths = own_paths(tree)
    return next(
        name
        for number, name in enumerate(tree.infoset_names)
        if tree.infoset_player[number] == player and not paths[number]
    )


# 1. Truth is always in P, for both sides, every ply, every game.


@pytest.mark.parametrize("seed", range(3))
def test_1_truth_is_possible_for_both_sides_at_every_ply_of_chess(seed):
    game = load_game("fog_chess")
    settings = search_settings("fog_chess", evaluator="simple", budget=Budget(steps=15))
    agents = [SearchAgent("fog_chess", settings), SearchAgent("fog_chess", settings)]
    for player, agent in enumerate(agents):
        agent.start(game, player, f"{seed}/{player}")
    state, plies = game.root(), 0
    while state.player >= 0 and plies < 70:
        for player, agent in enumerate(agents):
            own = tuple(state.actions()) if state.player == player else ()
            agent.observe(Observation(player, state.observation(player), own))
            assert agent.belief.complete
            assert state.position in agent.belief
        state = state.child(agents[state.player].act().action)
        plies += 1
    assert plies > 5


@pytest.mark.parametrize("game", ["kuhn_poker", "leduc_poker", LIARS_DICE, PHANTOM])
def test_1_what_is_possible_is_exactly_the_information_set(tree_of, game):
    tree = tree_of(game)
    for player in (0, 1):
        agent = TreeSearch(tree, player)
        for number in np.flatnonzero(tree.infoset_player == player):
            nodes = np.flatnonzero((tree.index == number) & (tree.player == player))
            view = int(tree.view[nodes[0], player])
            possible = set(agent.native.possible(view))
            seen = {_first_with_view(tree, int(node), player) for node in nodes}
            assert seen <= possible  # every truth
            assert all(tree.view[node, player] == view for node in possible)  # and nothing else


def _first_with_view(tree, node, player):
    """The earliest position on the way that already looks like this to the player."""
    view = tree.view[node, player]
    while node > 0 and tree.view[tree.parent[node], player] == view:
        node = int(tree.parent[node])
    return node


# 2. From the start of a small game, average and last iterate go to equilibrium.


@pytest.mark.long
@pytest.mark.parametrize(
    ("game", "steps", "last", "average", "seeds"),
    [
        ("kuhn_poker", 5_000, 1e-4, 2e-3, 3),
        (LIARS_DICE, 1_000_000, 1e-4, 5e-2, 3),
        ("goofspiel(cards=3)", 20_000, 1e-3, 2e-2, 3),
        (PHANTOM, 20_000, 1e-3, 1e-3, 3),
        ("leduc_poker", 3_000_000, 1e-2, 2e-2, 1),
    ],
)
def test_2_both_iterates_reach_equilibrium_from_the_start(
    tree_of, game, steps, last, average, seeds
):
    """Until the last leaf is opened there is something that the tree does not know; on the larger
    two more exploration opens it sooner."""
    tree = tree_of(game)
    for seed in range(seeds):
        _converges(tree, _options_from_the_start(game, seed), steps, last, average)


def _options_from_the_start(game, seed):
    constant = 3.0 if game in (LIARS_DICE, "leduc_poker") else 1.0
    return SearchOptions(purification="none", exploration_constant=constant, seed=seed)


def _converges(tree, options, steps, last, average):
    agent = TreeSearch(tree, 0, options)
    agent.observe(first_infoset(tree, 0))
    agent.act(Budget(steps=steps))
    assert exploitability(tree, agent.strategy()).exploitability < last
    assert exploitability(tree, agent.strategy(average=True)).exploitability < average


@pytest.mark.parametrize("preset", ["paper", "seed"])
def test_2_the_average_of_both_presets_reaches_equilibrium(tree_of, preset):
    tree = tree_of("kuhn_poker")
    agent = TreeSearch(tree, 1, search_options(preset))
    agent.observe("Qc")
    agent.act(Budget(steps=100_000))
    assert exploitability(tree, agent.strategy(average=True)).exploitability < 1e-3


# 3. Played at every information set, its behaviour is written out and measured.


@pytest.mark.parametrize("gadget", ["both", "resolve", "maxmargin"])
@pytest.mark.parametrize("frozen", [False, True])
@pytest.mark.parametrize("knowledge", ORDERS)
def test_3_behaviour_in_kuhn_is_an_equilibrium(tree_of, knowledge, frozen, gadget):
    result = measure("kuhn_poker", Condition(knowledge, frozen, gadget), Budget(steps=5_000))
    assert result.exploitability < 2e-3
    assert result.value == pytest.approx(equilibrium(tree_of("kuhn_poker")).value, abs=5e-3)


@pytest.mark.parametrize("frozen", [False, True])
@pytest.mark.parametrize("knowledge", ORDERS)
def test_3_behaviour_in_small_games_is_an_equilibrium(knowledge, frozen):
    for game in ("liars_dice(sides=2)", "phantom_ttt(rows=1, columns=4, line=2, max_plies=4)"):
        result = measure(game, Condition(knowledge, frozen, "both"), Budget(steps=3_000))
        assert result.exploitability < 2e-3


@pytest.mark.slow
@pytest.mark.parametrize("knowledge", ORDERS)
@pytest.mark.parametrize("game", [LIARS_DICE, PHANTOM, "leduc_poker"])
def test_3_behaviour_in_larger_games_is_far_better_than_chance(game, knowledge):
    result = measure(game, Condition(knowledge, False, "both"), Budget(steps=20_000))
    assert result.exploitability < game_facts(game).uniform / 4


@pytest.mark.parametrize("knowledge", ORDERS)
def test_3_without_a_gadget_the_search_is_exploitable(knowledge):
    """The reason that the gadget is there."""
    result = measure("kuhn_poker", Condition(knowledge, False, "none"), Budget(steps=5_000))
    assert result.exploitability > 0.02
    assert set(GADGETS) == {"both", "resolve", "maxmargin", "none"}


def test_3_behaviour_is_a_strategy_for_every_information_set(tree_of):
    tree = tree_of("kuhn_poker")
    strategy = behaviour_strategy(tree, SearchOptions(purification="none"), Budget(steps=500))
    sums = np.add.reduceat(strategy.probabilities, tree.first_slot[:-1])
    np.testing.assert_allclose(sums, 1, atol=1e-6)


# 4. Alternate values from an exact equilibrium: p_max goes to 0, nothing is lost.


def own_reach(tree, strategy):
    """How likely each information set's mover is to come there, as far as it is up to them."""
    slots = strategy.probabilities
    reach = np.ones(len(tree.infoset_names))
    for number, path in enumerate(own_paths(tree)):
        node = int(np.argmax((tree.index == number) & (tree.player >= 0)))
        for _ in range(len(path)):
            child, node = node, int(tree.parent[node])
            while tree.player[node] != tree.infoset_player[number]:
                child, node = node, int(tree.parent[node])
            reach[number] *= slots[tree.first_slot[tree.index[node]] + tree.action[child]]
    return reach


def replaced(tree, strategy, number, decision):
    slots = np.array(strategy.probabilities)
    mix = {c.action: c.strategy for c in decision.candidates}
    first = tree.first_slot[number]
    labels = tree.infoset_labels[number]
    slots[first : first + len(labels)] = [mix[label] for label in labels]
    return Strategy.of(tree, slots)


@pytest.mark.parametrize("frozen", [False, True])
@pytest.mark.parametrize("knowledge", ORDERS)
@pytest.mark.parametrize("game", ["kuhn_poker", LIARS_DICE])
def test_4_below_an_exact_equilibrium_p_max_is_0_and_nothing_is_lost(
    tree_of, game, knowledge, frozen
):
    """The opponent's part is a best response everywhere, also where equilibrium never goes: what an
    information set is worth to it is then what it could get there at most."""
    tree = tree_of(game)
    exact = equilibrium(tree).strategy
    options = SearchOptions(knowledge=knowledge, frozen=frozen, purification="none")
    reach, paths = own_reach(tree, exact), own_paths(tree)
    searched = 0
    for number in range(len(paths)):
        if not paths[number] or reach[number] < 1e-9:
            continue  # the first search is of the whole game; elsewhere equilibrium never goes
        player = int(tree.infoset_player[number])
        agent = TreeSearch(tree, player, options)
        agent.adopt(best_response(tree, exact, 1 - player).strategy)
        agent.observe(tree.infoset_names[number])
        decision = agent.act(Budget(steps=2_000))
        assert decision.p_max == 0
        assert decision.safe
        assert min(row.margin for row in agent.choices()) > -options.tolerance
        after = exploitability(tree, replaced(tree, exact, number, decision))
        assert after.exploitability < 1e-5
        searched += 1
    assert searched >= 3


@pytest.mark.parametrize("resolve", [True, False])
@pytest.mark.parametrize("name", ["Jscr", "Qscrc/Jsc", "Khr"])
def test_4_a_subgame_is_not_worse_than_a_poor_blueprint(tree_of, name, resolve):
    """All our information sets of a common-knowledge subgame, solved anew together."""
    tree = tree_of("leduc_poker")
    blueprint = solve(tree, "cfr", iterations=30).strategy
    number = tree.infoset(name)
    player = int(tree.infoset_player[number])
    before = exploitability(tree, blueprint).best_response_values[1 - player]
    options = SearchOptions(
        knowledge=0, gifts=False, resolve=resolve, maxmargin=True, purification="none"
    )
    agent = TreeSearch(tree, player, options)
    agent.adopt(best_response(tree, blueprint, 1 - player).strategy)
    agent.observe(name)
    agent.act(Budget(steps=60_000))
    slots = np.array(blueprint.probabilities)
    changed = 0
    for own in np.flatnonzero(tree.infoset_player == player):
        node = int(np.argmax((tree.index == own) & (tree.player == player)))
        actions, last, _ = agent.native.mix(int(tree.view[node, player]), player)
        if actions:
            first = tree.first_slot[own]
            slots[first : first + len(actions)] = last
            changed += 1
    assert changed > 3
    after = exploitability(tree, Strategy.of(tree, slots)).best_response_values[1 - player]
    assert after < before + options.tolerance * agent.scale


def test_4_exact_values_at_the_leaves_lose_nothing_either(tree_of):
    tree = tree_of("kuhn_poker")
    exact = equilibrium(tree)
    values = node_values(tree, exact.strategy)
    assert values[0] == pytest.approx(exact.value)
    for first in ("J", "Q", "K"):
        agent = TreeSearch(tree, 0, SearchOptions(purification="none"), values)
        agent.observe(first)
        agent.act(Budget(steps=5_000))
        assert exploitability(tree, agent.strategy()).exploitability < 1e-4


# 5. One node's terminal value equals the rules' value, whoever asks.


@pytest.mark.parametrize("game", ["kuhn_poker", "leduc_poker", LIARS_DICE, PHANTOM])
def test_5_ends_are_worth_what_the_rules_say(tree_of, game):
    tree = tree_of(game)
    ends = 0
    for player in (0, 1):
        agent = TreeSearch(tree, player)
        agent.observe(first_infoset(tree, player))
        agent.act(Budget(steps=5_000))
        for row in agent.native.nodes(100_000):
            if tree.player[row.state] == -2:
                payoff = tree.payoffs[tree.index[row.state], player]
                assert row.value * agent.scale == pytest.approx(payoff, abs=1e-5)
                ends += 1
    assert ends > 10


@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("rules", ["chesscom", "openspiel"])
@pytest.mark.parametrize(
    "fen",
    [
        "4k3/8/8/8/8/8/4q3/R3K2R {} - - 0 1",  # kings can be taken
        "7k/5Q2/8/8/8/8/8/K7 {} - - 0 1",  # Black has no move after some of White's
        "8/8/8/8/8/1p6/1P6/K1k5 {} - - 0 1",  # White has few moves
        "4k3/8/8/8/8/8/8/4K2R {} - - 98 80",  # fifty moves are nearly over
    ],
)
def test_5_ends_of_chess_are_worth_what_the_rules_say(fen, rules, player):
    game = load_game(f'fog_chess(rules="{rules}", fen="{fen.format("wb"[player])}")')
    settings = search_settings("fog_chess", evaluator="simple", budget=Budget(steps=400))
    agent = SearchAgent("fog_chess", settings)
    agent.start(game, player, "s")
    state = game.root()
    agent.observe(Observation(player, state.observation(player), tuple(state.actions())))
    agent.act()
    assert _ends_of_chess(agent, state, player)


class _NoOpinion(FogEvaluator):
    """All positions are equal, so that kings walk to and fro."""

    def __init__(self):
        super().__init__("none")

    def mover_values(self, position):
        return np.zeros(position.count_moves(), np.float32)


@pytest.mark.parametrize("player", [0, 1])
def test_5_repetitions_in_the_tree_of_chess_are_worth_what_the_rules_say(player, monkeypatch):
    monkeypatch.setattr(
        "fogtree.games.fog_chess.search.load_evaluator", lambda spec, rules: _NoOpinion()
    )
    side = "wb"[player]
    game = load_game(f'fog_chess(fen="k7/p1p5/P1P5/8/8/5p1p/5P1P/7K {side} - - 0 1")')
    agent = SearchAgent("fog_chess", search_settings("fog_chess", budget=Budget(steps=2_000)))
    agent.start(game, player, "s")
    state = game.root()
    agent.observe(Observation(player, state.observation(player), tuple(state.actions())))
    agent.act()
    assert "position occurred three times" in _ends_of_chess(agent, state, player)


def test_5_a_view_seen_twice_is_a_draw_the_third_time():
    """White never sees Black's king; what counts is what White has seen."""
    game = load_game('fog_chess(fen="k7/p7/P7/8/8/7p/7P/7K w - - 0 1")')
    settings = search_settings("fog_chess", evaluator="simple", budget=Budget(steps=200))
    agent = SearchAgent("fog_chess", settings)
    agent.start(game, 0, "s")
    state = first = game.root()
    for move in ["h1g1", "a8b8", "g1h1", "b8a8", "h1g1", "a8b8"]:
        _show(agent, state)
        if state.player == 0:
            agent.follow(move)
        state = state.child(move)
    _show(agent, state)
    agent.act()
    rows = agent.native.nodes(100_000)
    drawn = {True: set(), False: set()}
    for row in rows:
        if row.parent >= 0 and rows[row.parent].parent >= 0 and rows[row.parent].player == 1:
            again = FogObservation.of(row.state, 0, game.preset) == first.observation(0)
            drawn[again].add((row.player == -2, row.value == 0))
    assert drawn[True] == {(True, True)}
    assert (False, False) in drawn[False]
    assert state.child("g1h1").child("b8a8").outcome.reason == "position occurred three times"


def _show(agent, state):
    actions = tuple(state.actions()) if state.player == 0 else ()
    agent.observe(Observation(0, state.observation(0), actions))


def _ends_of_chess(agent, root, player):
    """Compare every node below the root state with the rules; returns why games end there."""
    states = []
    reasons = set()
    for row in agent.native.nodes(1_000_000):
        if row.parent < 0:
            state = root
        else:
            before = states[row.parent]
            seen = () if row.state.halfmove == 0 else before._seen_keys
            state = type(root)(root.game, row.state, (*seen, row.state.key))
        states.append(state)
        assert (row.player == -2) == (state.player < 0)
        if state.player < 0:
            assert row.value == state.returns()[player]
            reasons.add(state.outcome.reason)
    return reasons
