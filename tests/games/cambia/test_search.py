"""The search on Cambia: the truth is always possible, samples are exact, the agent plays on."""

from __future__ import annotations

import random
from collections import Counter

import pytest

import fogtree
from fogtree import _core, load_game
from fogtree.agents import Budget, Observation
from fogtree.arena.play import play_game
from fogtree.errors import GameError, OptionError
from fogtree.games.cambia.game import Cambia, CambiaState

TABLES = (
    "cambia",
    'cambia(profile="training")',
    'cambia(profile="competitive", max_turns=80)',
    'cambia(preset="tiny2")',
    'cambia(snap_window="always")',
    "cambia(players=3, show_wrong_snap=False, opponent_snap=False)",
    "cambia(players=6)",
)


def walk(game: Cambia, seed: int) -> list[CambiaState]:
    """All states of one game; nobody calls Cambia while something else can be done."""
    luck = random.Random(seed)
    states = [game.root()]
    while states[-1].player != -2:
        here = states[-1]
        if here.player == -1:
            outcomes = here.chance()
            action = luck.choices([a for a, _ in outcomes], [share for _, share in outcomes])[0]
        else:
            moves = list(here.actions())
            action = luck.choice([m for m in moves if str(m) != "cambia"] or moves)
        states.append(here.child(action))
    return states[:-1]


@pytest.mark.parametrize("name", TABLES)
def test_the_truth_is_always_possible(name: str) -> None:
    game = load_game(name)
    assert isinstance(game, Cambia)
    for seed in range(6):
        beliefs = [_core.CambiaBelief(game.native_rules, p) for p in range(game.players)]
        for state in walk(game, seed)[1:]:
            for player, belief in enumerate(beliefs):
                belief.observe(state.observation(player).event)
                assert belief.contains(state.position)


@pytest.mark.parametrize("name", TABLES)
def test_samples_look_the_same_to_the_player(name: str) -> None:
    game = load_game(name)
    assert isinstance(game, Cambia)
    states = walk(game, 1)
    belief = _core.CambiaBelief(game.native_rules, 0)
    for state in states[1:]:
        view = state.observation(0)
        belief.observe(view.event)
        if state.player != 0:
            continue
        for table in belief.sample(3, 2, 7):
            assert belief.contains(table)
            assert table.legal() == state.position.legal()
            for hand, known in zip(table.hands, view.known, strict=True):
                assert all(
                    card == seen for card, seen in zip(hand, known, strict=True) if seen >= 0
                )


def hands_by_enumeration(game: Cambia, tokens: list[int], player: int) -> Counter[object]:
    """Every deal that a player with these memories cannot rule out, with its weight."""
    found: Counter[object] = Counter()

    def follow(state: CambiaState, step: int, weight: float) -> None:
        if step == len(tokens):
            found[state.position.hands, state.position.drawn] += weight
            return
        chance = state.player == -1
        moves = state.chance() if chance else [(action, 1.0) for action in state.actions()]
        for action, share in moves:
            after = state.child(action)
            if after.observation(player).event == tokens[step]:
                follow(after, step + 1, weight * share)

    follow(game.root(), 0, 1.0)
    return found


@pytest.mark.parametrize("seed", range(4))
def test_samples_have_the_frequencies_of_an_enumeration(seed: int) -> None:
    game = Cambia(preset="tiny2")
    states = walk(game, seed)[1:]
    mine = [k for k, state in enumerate(states) if state.player == 0]
    last = mine[-1]
    tokens = [state.observation(0).event for state in states[: last + 1]]
    belief = _core.CambiaBelief(game.native_rules, 0)
    for token in tokens:
        belief.observe(token)
    exact = hands_by_enumeration(game, tokens, 0)
    total = sum(exact.values())
    count = 4000
    seen = Counter((table.hands, table.drawn) for table in belief.sample(count, 1, seed))
    assert set(seen) <= set(exact)
    for deal, weight in exact.items():
        share = weight / total
        spread = (share * (1 - share) / count) ** 0.5
        assert abs(seen[deal] / count - share) < 5 * spread + 1e-9


def test_a_view_that_cannot_follow_is_refused_and_nothing_is_lost() -> None:
    game = Cambia()
    states = walk(game, 3)[1:]
    belief = _core.CambiaBelief(game.native_rules, 0)
    for state in states[:14]:
        belief.observe(state.observation(0).event)
    with pytest.raises(ValueError, match=r"\w"):
        belief.observe(states[30].observation(0).event ^ (3 << 22))
    assert belief.contains(states[13].position)
    for state in states[14:]:
        belief.observe(state.observation(0).event)


def test_the_agent_plays_whole_games_and_is_the_same_each_time() -> None:
    game = load_game("cambia")
    records = []
    for _ in range(2):
        agents = [fogtree.agent("search", game), fogtree.agent("imperfect_greedy", game)]
        played = play_game(game, agents, seed="one", budget=Budget(steps=150))
        assert played.end.player == -2
        records.append(played.record.steps)
    assert records[0] == records[1]


def test_a_budget_of_nodes_ends_where_the_tree_does() -> None:
    game = load_game("cambia(preset='tiny2', max_turns=1)")
    agents = [fogtree.agent("search", game), fogtree.agent("search", game)]
    played = play_game(game, agents, seed="two", budget=Budget(nodes=10_000_000))
    assert played.end.player == -2


def test_the_agent_says_what_it_cannot_play() -> None:
    agent = fogtree.agent("search", load_game("cambia"))
    with pytest.raises(GameError, match="plays cambia"):
        agent.start(load_game("kuhn_poker"), 0, "x")
    with pytest.raises(OptionError, match="two players"):
        agent.start(load_game("cambia(players=3)"), 0, "x")
    agent.start(load_game("cambia"), 0, "x")
    state = walk(Cambia(), 5)[9]
    with pytest.raises(GameError, match="came after"):
        agent.observe(Observation(0, state.observation(0)))
