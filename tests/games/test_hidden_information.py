"""What a player of any dealt or simultaneous game cannot know never shows in its view."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fogtree.game import Action, Game
from fogtree.registry import load_game
from tests.support.history_walk import play, states, walk

DEALT = (
    "kuhn_poker",
    "kuhn_poker(players=4)",
    "leduc_poker",
    "leduc_poker(ranks=4, players=3)",
    "leduc_poker(suits=3, suit_isomorphism=True)",
    "liars_dice(dice=2)",
)


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
