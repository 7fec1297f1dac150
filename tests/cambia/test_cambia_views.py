"""What a player cannot know never shows, whatever else happened; what can be known is all there."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from fogtree.game import CHANCE, TERMINAL
from fogtree.games import load_game
from fogtree.games.cambia import Cambia, CambiaState
from fogtree.games.cambia.cards import CODE, KING, NAMES, rank_of
from fogtree.games.cambia.features import Encoding, kind_number
from fogtree.games.cambia.position import DEAL, DRAWN, OVER
from fogtree.games.cambia.tokens import read_token

ALWAYS = (
    "cambia(snap_window='always', cambia_from_round=2)",
    "cambia(snap_window='always', profile='competitive')",
    "cambia(snap_window='always', players=3, hand=3, engine='python', cambia_from_round=1)",
    "cambia(snap_window='always', deck='A 7 9 J K', hand=2, penalty=1, cambia_from_round=3)",
)
# Here ranks are told: who is asked has a match; a wrong snap, even if not shown, has not.
ELIGIBLE = (
    "cambia",
    "cambia(profile='competitive')",
    "cambia(players=4, engine='python')",
    "cambia(snap_window='always', profile='competitive', show_wrong_snap=False)",
)


def play(game: Any, generator: random.Random) -> list[CambiaState]:
    states = [game.root()]
    while states[-1].player != TERMINAL:
        state = states[-1]
        if state.player == CHANCE:
            step = generator.choice([outcome for outcome, _ in state.chance()])
        else:
            step = generator.choice(state.actions())
        states.append(state.child(step))
    return states


def steps(states: Sequence[CambiaState]) -> list[str]:
    """The actions and outcomes between the states, as text."""
    out = []
    for before, after in pairwise(states):
        number = after.last.action
        moved = before.player >= 0
        out.append(before.game.layout.texts[number] if moved else before._outcome_text(number))
    return out


def unseen_cards(states: Sequence[CambiaState], player: int) -> list[int]:
    """Every card that was never shown to the player, told by the rules and not by the views."""
    rules = states[0].game.rules
    found: set[int] = set()
    for before, after in pairwise(states):
        here, then = before.position, after.position
        found.update(then.discard)
        if then.phase == DRAWN and then.actor == player:
            found.add(then.drawn)
        if here.phase == DEAL:
            found.update(then.hands[player][: rules.looks])
        if before.player >= 0:
            move = before.game.layout.moves[after.last.action]
            other = here.hands[(here.actor + 1 + move.opponent) % rules.players]
            mine = here.actor == player
            if (mine and move.kind in ("look_own", "king_look")) or (
                rules.show_wrong_snap and move.kind == "snap_own"
            ):
                found.add(here.hands[here.actor][move.own])
            if (mine and move.kind in ("look_other", "king_look")) or (
                rules.show_wrong_snap and move.kind == "snap_other"
            ):
                found.add(other[move.slot])
    return sorted(set(rules.deck) - found)


def beginning(game: Any, generator: random.Random) -> list[CambiaState]:
    """A random game up to somewhere before its end."""
    states = play(game, generator)
    return states[: generator.randint(game.players * game.rules.hand, len(states) - 1)]


def swapped(path: list[str], one: str, two: str) -> list[str]:
    other = {one: two, two: one}
    return [other.get(step, step) for step in path]


def replay(game: Any, path: list[str]) -> list[CambiaState] | None:
    """The states of a path, or None if it is not one."""
    states = [game.root()]
    for step in path:
        here = states[-1]
        if here.player == TERMINAL or (here.player >= 0 and step not in here.actions()):
            return None
        states.append(here.child(step))
    return states


def assert_looks_the_same(
    actual: Sequence[CambiaState], imagined: Sequence[CambiaState], me: int
) -> None:
    assert len(actual) == len(imagined)
    for one, two in zip(actual, imagined, strict=True):
        assert one.player == two.player
        assert one.observation(me) == two.observation(me)
        assert one.show(me) == two.show(me)
        assert one.news(me) == two.news(me)
        if one.player == me:
            assert one.actions() == two.actions()
            assert one.name() == two.name()


@pytest.mark.parametrize("spec", ALWAYS)
@given(seed=st.integers(0, 2**32))
@settings(max_examples=15, deadline=None)
def test_exchanging_two_unseen_cards_changes_nothing(spec: str, seed: int) -> None:
    """With everybody asked after every discard, any two cards I never saw are alike to me."""
    game, generator = load_game(spec), random.Random(seed)
    actual = beginning(game, generator)
    me = generator.randrange(game.players)
    unseen = unseen_cards(actual, me)
    assume(len(unseen) > 1)
    for _ in range(3):
        one, two = generator.sample(unseen, 2)
        imagined = replay(game, swapped(steps(actual), NAMES[one], NAMES[two]))
        assert imagined is not None
        assert_looks_the_same(actual, imagined, me)


@pytest.mark.parametrize("spec", ELIGIBLE)
@given(seed=st.integers(0, 2**32))
@settings(max_examples=15, deadline=None)
def test_exchanging_suits_unseen_changes_nothing(spec: str, seed: int) -> None:
    """Being asked tells that a rank is there, and nothing more: suits stay hidden."""
    game, generator = load_game(spec), random.Random(seed)
    actual = beginning(game, generator)
    me = generator.randrange(game.players)
    unseen = unseen_cards(actual, me)
    pairs = [(a, b) for a in unseen for b in unseen if a < b and rank_of(a) == rank_of(b)]
    for one, two in generator.sample(pairs, min(3, len(pairs))):
        imagined = replay(game, swapped(steps(actual), NAMES[one], NAMES[two]))
        assert imagined is not None
        assert_looks_the_same(actual, imagined, me)


@pytest.mark.parametrize("spec", [*ALWAYS, *ELIGIBLE])
@given(seed=st.integers(0, 2**32))
@settings(max_examples=10, deadline=None)
def test_what_was_seen_is_known_wherever_it_lies(spec: str, seed: int) -> None:
    """The drawn card and every look are in the view, and the view's cards are true."""
    game, generator = load_game(spec), random.Random(seed)
    for state in play(game, generator)[:-1]:
        hands = state.position.hands
        for player in range(game.players):
            view = state.observation(player)
            for known, true in zip(view.known, hands, strict=True):
                assert all(k in (-1, t) for k, t in zip(known, true, strict=True))
            token = read_token(state.event(player))
            looked = token.action >= 0 and "look" in state.game.layout.texts[token.action]
            if looked:
                shown = {card for hand in view.known for card in hand}
                assert set(token.cards) <= shown
            if state.player == player and state.position.phase == 1:
                assert view.drawn == state.position.drawn


@pytest.mark.parametrize("spec", ["cambia", "cambia(players=5, hand=3, profile='competitive')"])
@given(seed=st.integers(0, 2**32))
@settings(max_examples=10, deadline=None)
def test_features_have_an_inverse(spec: str, seed: int) -> None:
    game, generator = load_game(spec), random.Random(seed)
    assert isinstance(game, Cambia)
    encoding = Encoding(game.rules)
    for state in play(game, generator)[2:]:
        me = generator.randrange(game.players)
        view = state.observation(me)
        vector = encoding.encode(view)
        assert vector.shape == (encoding.size,)
        back = encoding.decode(vector)
        assert back == encoding.values(view)
        order = [(me + k) % game.players for k in range(game.players)]
        cards = iter(back["cards"])
        seen = iter(back["seen"])
        for player in order:
            hand = view.known[player]
            kinds = [next(cards) for _ in range(6)]
            assert kinds[: len(hand)] == [16 if c < 0 else kind_number(c) for c in hand]
            assert kinds[len(hand) :] == [15] * (6 - len(hand))
            for slot in range(6):
                bits = {q for q in order if next(seen)}
                who = view.seen[player][slot] if slot < len(hand) else 0
                assert bits == {q for q in order if who >> q & 1}
        assert back["phase"] == (view.phase,)
        assert back["turn"] == (view.turn,)
        assert back["stock"] == (view.stock,)
        assert (me + back["actor"][0]) % game.players == view.actor


def test_kinds_are_numbered_without_gaps() -> None:
    kinds = [kind_number(card) for card in range(54)]
    assert sorted(set(kinds)) == list(range(15))
    assert kind_number(CODE["KS"]) == KING
    assert kind_number(CODE["KH"]) == kind_number(CODE["KD"]) == KING + 1
    assert kind_number(CODE["XR"]) == kind_number(CODE["XB"]) == 14


def test_in_the_end_all_hands_are_turned_up() -> None:
    end = play(load_game("cambia"), random.Random(3))[-1]
    assert end.position.phase == OVER
    assert end.observation(0).known == end.position.hands
