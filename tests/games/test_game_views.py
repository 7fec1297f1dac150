"""What a player cannot know never shows in the player's view."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Hashable, Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fogtree.game import TERMINAL, Action, Game, State
from fogtree.registry import load_game
from tests.support.history_walk import play, walk

DEALT = (
    "kuhn_poker",
    "kuhn_poker(players=4)",
    "leduc_poker",
    "leduc_poker(ranks=4, players=3)",
    "leduc_poker(suits=3, suit_isomorphism=True)",
    "liars_dice(dice=2)",
)


def states(game: Game, path: Sequence[Action]) -> list[State]:
    found = [game.root()]
    for action in path:
        found.append(found[-1].child(action))
    return found


def other_deals(game: Game, path: Sequence[Action], player: int) -> list[Action]:
    """What else the player could have been dealt, when everything else happened as it did."""
    before = states(game, path[:player])[-1]
    others = [outcome for outcome, _ in before.chance() if outcome != path[player]]
    return [outcome for outcome in others if possible(game, replace(path, player, outcome))]


def possible(game: Game, path: Sequence[Action]) -> bool:
    state = game.root()
    for action in path:
        if state.player < 0 and action not in dict(state.chance()):
            return False
        state = state.child(action)
    return True


def replace(path: Sequence[Action], place: int, action: Action) -> list[Action]:
    return [*path[:place], action, *path[place + 1 :]]


@pytest.mark.parametrize("spec", DEALT)
@given(seed=st.integers(0, 2**32))
@settings(max_examples=40, deadline=None)
def test_another_hidden_deal_looks_the_same(spec: str, seed: int) -> None:
    """Whatever an opponent was dealt, my views are equal until the end."""
    game, generator = load_game(spec), random.Random(seed)
    *_, last = play(game, generator)
    me, opponent = generator.sample(range(game.players), 2)
    actual = states(game, last.path)
    for outcome in other_deals(game, last.path, opponent):
        imagined = states(game, replace(last.path, opponent, outcome))
        for one, two in zip(actual[:-1], imagined[:-1], strict=True):
            assert one.player == two.player
            assert one.observation(me) == two.observation(me)


@pytest.mark.parametrize("spec", ["kuhn_poker", "leduc_poker", "liars_dice"])
def test_a_showdown_shows(spec: str) -> None:
    """The hidden deal is seen in the end if nobody folded, and not if somebody did."""
    game = load_game(spec)
    for seed in range(60):
        *_, last = play(game, random.Random(seed))
        for outcome in other_deals(game, last.path, 1):
            imagined = states(game, replace(last.path, 1, outcome))[-1]
            same = last.state.observation(0) == imagined.observation(0)
            assert same == ("fold" in last.path)


@pytest.mark.parametrize(
    "spec", ["rock_paper_scissors", "matching_pennies", "goofspiel", "goofspiel(hidden=False)"]
)
def test_the_first_of_two_bids_is_unseen(spec: str) -> None:
    for visit in walk(load_game(spec)):
        if visit.state.player == 0:
            views = {visit.state.child(a).observation(1) for a in visit.state.actions()}
            assert len(views) == 1


@pytest.mark.parametrize("player", [0, 1])
def test_hidden_bids_of_goofspiel_show_only_who_won(player: int) -> None:
    """Equal own bids and equal results make equal views, and nothing else does."""
    views: dict[Hashable, set[Hashable]] = defaultdict(set)
    for visit in walk(load_game("goofspiel")):
        bids = visit.path
        tricks = list(zip(bids[::2], bids[1::2], strict=False))
        if visit.state.player != TERMINAL:
            own = tuple(trick[player] for trick in tricks)
            results = tuple((first > second) - (first < second) for first, second in tricks)
            views[own, results].add(visit.state.observation(player))
    assert all(len(found) == 1 for found in views.values())
    assert len(set().union(*views.values())) == len(views)


@pytest.mark.parametrize("player", [0, 1])
def test_battleship_shows_own_results_and_the_squares_shot_at(player: int) -> None:
    """A view is a function of own ships, all shots, and how one's own shots went."""
    views: dict[Hashable, set[Hashable]] = defaultdict(set)
    for visit in walk(load_game("battleship")):
        ships, shots = visit.path[:2], visit.path[2:]
        key: list[Hashable] = [ships[player] if len(ships) > player else None]
        if len(ships) == 2:
            target = str(ships[1 - player]).split("-")
            for turn, square in enumerate(shots):
                mine = turn % 2 == player
                sunk = set(target) <= set(shots[player : turn + 1 : 2])
                key.append((square, mine and square in target, mine and sunk))
        views[tuple(key)].add(visit.state.observation(player))
    assert all(len(found) == 1 for found in views.values())


@given(seed=st.integers(0, 2**32))
@settings(max_examples=200, deadline=None)
def test_phantom_ttt_shows_own_tries_and_how_they_went(seed: int) -> None:
    game = load_game("phantom_ttt(rows=3, columns=3, max_plies=9)")
    board: dict[Action, int] = {}
    expected = ["", ""]
    *_, last = play(game, random.Random(seed))
    for state, action in zip(states(game, last.path), last.path, strict=False):
        assert [state.observation(0), state.observation(1)] == expected
        expected[state.player] += f" {action}?" if action in board else f" {action}"
        board.setdefault(action, state.player)
