"""The seven baselines, each by what the rules of its script say, in Python and in the core."""

from __future__ import annotations

from typing import Any

import pytest

import fogtree
from fogtree.agents import Clairvoyant, Observation
from fogtree.games.cambia.game import CambiaState
from fogtree.games.cambia.position import SNAP
from tests.support.cambia_play import after, dealt

SCRIPTED = ("imperfect_greedy", "memory_heuristic", "aggressive_snap", "greedy")


def choice(state: CambiaState, name: str, seed: str = "0") -> str:
    """What the agent does here; the core's script must agree."""
    agent, me = fogtree.agent(name, state.game), state.player
    agent.start(state.game, me, seed)
    if isinstance(agent, Clairvoyant):
        agent.reveal(state)
    agent.observe(Observation(me, state.observation(me), tuple(state.actions()), state.name()))
    action = str(agent.act().action)
    if name in SCRIPTED:
        native: Any = state.position
        assert state.game.layout.texts[native.scripted(name)] == action
    return action


def table(rules: str, *hands: str) -> CambiaState:
    size = len(hands[0].split())
    return dealt(f"cambia(hand={size}{', ' + rules if rules else ''})", 0, hands, "2D")


def late(turn: int) -> CambiaState:
    """A hand nobody would call with, after so many turns without anything happening."""
    state = table("looks=0", "TS JS QS KS", "TC JC QC KC")
    while state.position.turn < turn:
        state = after(state, "draw")
        state = after(state, str(state.chance()[0][0]), "discard")
        while state.position.phase == SNAP:
            state = after(state, "pass")
    return state


@pytest.mark.parametrize(
    ("name", "looks", "hand", "calls"),
    [
        ("imperfect_greedy", 3, "AS 2S 6S", True),  # three known, nine points
        ("imperfect_greedy", 3, "AS 3S 6S", False),
        ("imperfect_greedy", 2, "KH KD AS", False),  # 4.5 points are expected, but two known
        ("imperfect_greedy", 3, "KH KD AS TS", True),  # 6.5 for the fourth
        ("imperfect_greedy", 2, "4S 5S", True),  # there are no three
        ("imperfect_greedy", 1, "4S 5S", False),
        ("memory_heuristic", 3, "AS 2S 6S", True),
        ("memory_heuristic", 3, "AS 3S 6S", False),
        ("aggressive_snap", 3, "AS AH 2S", True),  # four points
        ("aggressive_snap", 3, "AS 2H 2S", False),
        ("aggressive_snap", 0, "KS KC", True),  # two cards
    ],
)
def test_when_to_call(name: str, looks: int, hand: str, calls: bool) -> None:
    others = " ".join(["TC", "JC", "QC", "9C"][: len(hand.split())])
    state = table(f"looks={looks}", hand, others)
    assert choice(state, name) == ("cambia" if calls else "draw")


@pytest.mark.parametrize("name", ["imperfect_greedy", "memory_heuristic"])
def test_after_turn_20_they_call_with_anything(name: str) -> None:
    assert choice(late(20), name) == "draw"
    assert choice(late(21), name) == "cambia"


def test_random_callers_wait_or_never_call() -> None:
    seeds = [str(seed) for seed in range(60)]
    for turn, name, calls in (
        (7, "random_late_cambia", False),
        (8, "random_late_cambia", True),
        (8, "random_no_cambia", False),
        (0, "random", True),
    ):
        state = late(turn)
        assert ("cambia" in {choice(state, name, seed) for seed in seeds}) == calls


@pytest.mark.parametrize(
    ("name", "looks", "drawn", "action"),
    [
        ("imperfect_greedy", 2, "5H", "replace 1"),  # the worst card known is a nine
        ("imperfect_greedy", 2, "9H", "discard"),
        ("imperfect_greedy", 1, "6H", "replace 1"),  # an unknown card counts 6.5
        ("imperfect_greedy", 1, "7H", "discard and use"),  # looks are for unknown own cards
        ("imperfect_greedy", 2, "TH", "discard"),
        ("memory_heuristic", 1, "6H", "discard"),
        ("memory_heuristic", 1, "4H", "discard"),
        ("memory_heuristic", 1, "3H", "replace 1"),
        ("memory_heuristic", 2, "5H", "replace 1"),
        ("aggressive_snap", 1, "6H", "replace 1"),
        ("greedy", 0, "8H", "replace 1"),
        ("greedy", 0, "7H", "replace 1"),
        ("greedy", 0, "JH", "discard and use"),  # the other's three for its nine
    ],
)
def test_what_to_do_with_a_drawn_card(name: str, looks: int, drawn: str, action: str) -> None:
    state = table(f"looks={looks}, cambia_from_round=9", "AS 9S", "3S 4S")
    assert choice(after(state, "draw", drawn), name) == action


def test_a_look_goes_to_an_unknown_card() -> None:
    state = table("looks=1, cambia_from_round=9", "AS 9S", "3S 4S")
    state = after(state, "draw", "7H", "discard and use")
    assert choice(state, "imperfect_greedy") == "look own 1"


def test_a_king_swaps_if_it_gains() -> None:
    state = table("looks=1, cambia_from_round=9", "AS 9S", "3S 4S")
    state = after(state, "draw", "KC", "discard and use")
    assert choice(state, "imperfect_greedy") == "look 1 and other 0"
    assert choice(after(state, "look 1 and other 0"), "imperfect_greedy") == "swap"
    assert choice(after(state, "look 0 and other 0"), "imperfect_greedy") == "keep"
    assert choice(state, "greedy") == "look 1 and other 0"


@pytest.mark.parametrize(
    ("name", "looks", "action"),
    [
        ("imperfect_greedy", 2, "snap own 1"),
        ("imperfect_greedy", 1, "pass"),  # it does not know
        ("memory_heuristic", 2, "snap own 1"),
        ("aggressive_snap", 1, "snap own 1"),  # one of three cards it has not seen
        ("aggressive_snap", 0, "snap own 0"),  # one of four
        ("greedy", 0, "snap own 1"),
    ],
)
def test_what_to_snap(name: str, looks: int, action: str) -> None:
    state = table(f"looks={looks}, cambia_from_round=9", "AS 9S", "3S 4S")
    state = after(state, "draw", "9H", "discard")
    assert choice(state, name) == action


def test_a_long_shot_is_no_decent_chance() -> None:
    state = table("looks=0, cambia_from_round=9", "AS 9S 2S", "3S 4S 5S")
    assert choice(after(state, "draw", "9H", "discard"), "aggressive_snap") == "pass"
    always = table("looks=1, cambia_from_round=9, snap_window='always'", "AS 9S", "3S 4S")
    assert choice(after(always, "draw", "9H", "discard"), "aggressive_snap") == "pass"


def test_the_clairvoyant_calls_when_nobody_gets_lower() -> None:
    assert choice(table("looks=0", "AS 2S", "KS QS"), "greedy") == "cambia"
    assert choice(table("looks=0", "9S 9C", "KH QS"), "greedy") == "draw"
