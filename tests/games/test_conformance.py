"""Rules that every game keeps, on its whole tree or on many random plays of a large one."""

from __future__ import annotations

import math
import pickle
import random
from collections.abc import Iterator
from itertools import islice

import pytest

from fogtree.game import CHANCE, TERMINAL, Game
from fogtree.registry import game_names, load_game
from tests.support.history_walk import Visit, outcomes, play, walk

LARGEST = 'fog_chess(fen="4k2r/4p3/8/3P4/3p4/8/4P3/4K2R w Kk - 94 60")'
SPECS = (
    "rock_paper_scissors",
    "rock_paper_scissors(scissors=2)",
    "matching_pennies",
    "kuhn_poker",
    "kuhn_poker(ante=2, bet=3)",
    "kuhn_poker(players=3)",
    "kuhn_poker(players=5)",
    "leduc_poker",
    "leduc_poker(ranks=4, players=3)",
    "leduc_poker(ranks=6, suits=1, raises=1)",
    "leduc_poker(suits=3, suit_isomorphism=True)",
    "goofspiel",
    "goofspiel(cards=3)",
    'goofspiel(cards=5, points="ascending", reward="point_difference")',
    'goofspiel(points="random", hidden=False)',
    "battleship",
    "battleship(height=1, ships=(1, 2), values=(1, 3), shots=3)",
    "battleship(width=2, ships=(1,), shots=3, repeats=True, loss_multiplier=2)",
    "liars_dice",
    "liars_dice(dice=2, sides=3)",
    "phantom_ttt",
    "phantom_ttt(rows=3, columns=3, max_plies=9)",
    "phantom_ttt(columns=3, line=2)",
    "phantom_ttt(rows=3, columns=3, max_plies=9, abrupt=True)",
    "dark_hex",
    "dark_hex(rows=3, abrupt=True)",
    LARGEST,
    'fog_chess(rules="openspiel", fen="k7/8/8/8/8/8/8/K1R5 w - - 90 60")',
    'cambia(preset="tiny1")',
    'cambia(preset="tiny1", max_turns=1, draw_discard=True, opponent_snap=True, engine="python")',
)
NOT_ZERO_SUM = ("battleship(width=2, ships=(1,), shots=3, repeats=True, loss_multiplier=2)",)
SHORT_WALK, LONG_WALK = (5_000, 400), (40_000, 400)  # histories of the tree, then random plays
SHORT_WALK_OF_LARGEST = (1_500, 120)


def visits(game: Game, most: int, plays: int) -> Iterator[Visit]:
    """The tree from its root, then random plays in case the tree is larger."""
    yield from islice(walk(game), most)
    generator = random.Random(1)
    for _ in range(plays):
        yield from play(game, generator)


@pytest.fixture(
    scope="module",
    params=[
        *(
            pytest.param(
                (spec, SHORT_WALK_OF_LARGEST if spec == LARGEST else SHORT_WALK),
                id=spec,
                marks=[pytest.mark.long] * (spec == LARGEST),
            )
            for spec in SPECS
        ),
        *(
            pytest.param((spec, LONG_WALK), id=f"far: {spec}", marks=pytest.mark.slow)
            for spec in SPECS
        ),
    ],
)
def seen(request: pytest.FixtureRequest) -> tuple[str, Game, list[Visit]]:
    spec, walked = request.param
    game = load_game(spec)
    return spec, game, list(visits(game, *walked))


def test_every_game_is_here() -> None:
    assert {spec.partition("(")[0] for spec in SPECS} == set(game_names())


def test_spec_round_trip(seen: tuple[str, Game, list[Visit]]) -> None:
    spec, game, _ = seen
    assert str(game) == spec
    assert load_game(str(game)) == game
    assert pickle.loads(pickle.dumps(game)) == game


def test_movers(seen: tuple[str, Game, list[Visit]]) -> None:
    _, game, tree = seen
    assert {visit.state.player for visit in tree} <= {TERMINAL, CHANCE, *range(game.players)}


def test_actions(seen: tuple[str, Game, list[Visit]]) -> None:
    _, _, tree = seen
    offered: dict[object, tuple[object, ...]] = {}
    for visit in tree:
        player = visit.state.player
        if player >= 0:
            actions = tuple(visit.state.actions())
            assert actions
            assert len({str(action) for action in actions}) == len(actions)
            known = offered.setdefault((player, visit.memories[player]), actions)
            assert actions == known, f"one information set, two lists of actions: {visit.path}"


def test_all_actions_are_listed(seen: tuple[str, Game, list[Visit]]) -> None:
    _, game, tree = seen
    listed = game.all_actions()
    assert listed is not None
    assert len(set(listed)) == len(listed)
    met = {action for v in tree if v.state.player >= 0 for action in v.state.actions()}
    assert met <= set(listed)


def test_chance(seen: tuple[str, Game, list[Visit]]) -> None:
    _, _, tree = seen
    for visit in tree:
        if visit.state.player == CHANCE:
            chance = visit.state.chance()
            assert math.isclose(math.fsum(p for _, p in chance), 1.0, abs_tol=1e-12)
            assert all(p > 0 for _, p in chance)
            assert len({str(outcome) for outcome, _ in chance}) == len(chance)


def test_returns(seen: tuple[str, Game, list[Visit]]) -> None:
    spec, game, tree = seen
    endings = [visit.state for visit in tree if visit.state.player == TERMINAL]
    assert endings
    for state in endings:
        returns = state.returns()
        assert len(returns) == game.players
        assert all(isinstance(value, float) and math.isfinite(value) for value in returns)
        if spec not in NOT_ZERO_SUM:
            assert math.isclose(math.fsum(returns), 0.0, abs_tol=1e-12)


def snapshot(visit: Visit, players: int) -> object:
    state = visit.state
    views = [state.observation(p) for p in range(players)]
    ends = tuple(state.returns()) if state.player == TERMINAL else ()
    return state.player, views, outcomes(state), ends


def test_a_state_never_changes(seen: tuple[str, Game, list[Visit]]) -> None:
    _, game, tree = seen
    for visit in tree:
        before = snapshot(visit, game.players)
        for action in outcomes(visit.state):
            child = visit.state.child(action)
            assert child is not visit.state
            for further in outcomes(child)[:2]:
                child.child(further)
        assert snapshot(visit, game.players) == before


def test_views_are_hashable(seen: tuple[str, Game, list[Visit]]) -> None:
    _, game, tree = seen
    for visit in tree:
        for player in range(game.players):
            hash(visit.state.observation(player))


def test_names_belong_to_one_information_set(seen: tuple[str, Game, list[Visit]]) -> None:
    _, _, tree = seen
    owner: dict[str, object] = {}
    named: dict[object, str | None] = {}
    for visit in tree:
        player = visit.state.player
        if player >= 0:
            key, name = (player, visit.memories[player]), visit.state.name()
            assert named.setdefault(key, name) == name
            if name is not None:
                assert owner.setdefault(name, key) == key, f"'{name}' names two information sets"
