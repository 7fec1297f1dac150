"""What games send to a browser follows from what the seat has seen."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator
from typing import Any

import pytest

from fogtree.game import CHANCE, TERMINAL, Action, State
from fogtree.games.fog_chess.game import FogChessState
from fogtree.registry import load_game
from fogtree.web.views import view_of

Memories = tuple[tuple[object, ...], ...]


def _all_states(state: State, memories: Memories) -> Iterator[tuple[State, Memories]]:
    """Every state, and for each player the views that it has noticed and its own actions."""
    memories = tuple(
        memory if memory[-1:] == ((view := state.observation(player)),) else (*memory, view)
        for player, memory in enumerate(memories)
    )
    yield state, memories
    if state.player == TERMINAL:
        return
    chance = state.player == CHANCE
    for action in [a for a, _ in state.chance()] if chance else state.actions():
        after = [
            (*memory, ("does", action)) if player == state.player else memory
            for player, memory in enumerate(memories)
        ]
        yield from _all_states(state.child(action), tuple(after))


def _random_states(state: State, seed: int) -> Iterator[State]:
    luck = random.Random(seed)
    for _ in range(200):
        yield state
        if state.player == TERMINAL:
            return
        chance = state.player == CHANCE
        options = [a for a, _ in state.chance()] if chance else list(state.actions())
        state = state.child(luck.choice(options))
    yield state


SMALL_GAMES = (
    "kuhn_poker",
    "kuhn_poker(players=3)",
    "leduc_poker(ranks=2)",
    "liars_dice(sides=2)",
    "matching_pennies",
    "rock_paper_scissors",
    "phantom_ttt(columns=2, line=2, max_plies=4)",
    "dark_hex(columns=2)",
    "dark_hex(columns=2, abrupt=True)",
    "battleship(width=2)",
    "battleship(height=1, width=2, ships=[1, 1], values=[1, 2], repeats=True)",
    "goofspiel(cards=3)",
    "goofspiel(cards=3, points='random', hidden=False)",
)


@pytest.mark.parametrize("spec", SMALL_GAMES)
def test_a_view_is_a_function_of_what_its_player_has_seen_and_done(spec: str) -> None:
    game = load_game(spec)
    view, sent, hidden = view_of(game), dict[object, str](), 0
    for state, memories in _all_states(game.root(), ((),) * game.players):
        for seat in range(game.players):
            text = json.dumps(view.seat_view(state, seat))
            hidden += (seat, memories[seat]) in sent
            assert sent.setdefault((seat, memories[seat]), text) == text
        json.dumps(view.full_view(state))
    assert hidden > 0  # some states look the same


@pytest.mark.parametrize("spec", SMALL_GAMES)
def test_every_action_has_words(spec: str) -> None:
    game = load_game(spec)
    view = view_of(game)
    for state, _ in _all_states(game.root(), ((),) * game.players):
        if state.player >= 0:
            labels = [view.action_label(state, action, state.player) for action in state.actions()]
            assert len(set(labels)) == len(labels)
            assert all(label[0].isupper() for label in labels)


def played(spec: str, *steps: Action) -> State:
    state = load_game(spec).root()
    for step in steps:
        state = state.child(step)
    return state


def test_a_view_of_phantom_tic_tac_toe() -> None:
    state = played("phantom_ttt", "a1", "a1", "b2", "d1")
    view = view_of(load_game("phantom_ttt"))
    first, second = view.seat_view(state, 0), view.seat_view(state, 1)
    assert first["squares"] == ["a2", "b2", "c2", "d2", "a1", "b1", "c1", "d1"]
    assert first["marks"] == {"a1": "X", "d1": "X"}
    assert second["marks"] == {"a1": "X", "b2": "O"}  # a1 was refused
    assert view.full_view(state)["marks"] == {"a1": "X", "b2": "O", "d1": "X"}
    won = played("phantom_ttt", "a1", "d2", "b1", "c2", "c1")
    assert view.full_view(won)["line"] == ["a1", "b1", "c1"]


def test_a_view_of_dark_hex() -> None:
    state = played("dark_hex", "a1", "a1", "b2", "b1")
    view = view_of(load_game("dark_hex"))
    first, second = view.seat_view(state, 0), view.seat_view(state, 1)
    assert first["squares"] == ["a2", "b2", "c2", "a1", "b1", "c1"]
    assert first["marks"] == {"a1": "first", "b1": "first"}
    assert second["marks"] == {"a1": "first", "b2": "second"}  # a1 was refused
    whole = view.full_view(state)
    assert whole["marks"] == {"a1": "first", "b1": "first", "b2": "second"}
    assert [(line["seat"], line["text"]) for line in whole["moves"]] == [
        (0, "takes a1"),
        (1, "tries a1, which is taken"),
        (1, "takes b2"),
        (0, "takes b1"),
    ]
    won = played("dark_hex", "c1", "c2", "b1", "b2", "a2")
    assert view.full_view(won)["line"] == ["b1", "c1", "a2"]


def test_the_log_of_an_abrupt_game_keeps_the_order_of_play() -> None:
    game = load_game("dark_hex(abrupt=True)")
    tries = ("a1", "a1", "b1", "b2", "b2", "c2")
    moves = view_of(game).full_view(played(str(game), *tries))["moves"]
    assert [line["seat"] for line in moves] == [0, 1, 0, 1, 0, 1]
    assert [line["yours"].split()[1].rstrip(",") for line in moves] == list(tries)


def test_a_view_of_battleship() -> None:
    state = played("battleship", "a1-b1", "b1-b2", "b1", "a1", "a1")
    view = view_of(load_game("battleship"))
    own, other = view.seat_view(state, 0)["seas"]
    assert own == {"ships": [["a1", "b1"]], "shots": [{"square": "a1", "result": "hit"}]}
    assert other["ships"] is None
    shots = [("b1", "hit"), ("a1", "water")]
    assert [(shot["square"], shot["result"]) for shot in other["shots"]] == shots
    assert view.seat_view(state, 1)["seas"][0]["ships"] is None
    assert view.full_view(state)["seas"][1]["ships"] == [["b1", "b2"]]


def test_a_sunk_ship_tells_only_the_square_that_was_told() -> None:
    """With several ships a hit of before may belong to another one."""
    spec = "battleship(height=2, width=2, ships=[2, 2], shots=3)"
    state = played(spec, "a1-b1", "a1-b1", "a2-b2", "a2-b2", "a1", "a1", "b1", "a2")
    shots = view_of(load_game(spec)).seat_view(state, 0)["seas"][1]["shots"]
    assert [shot["result"] for shot in shots] == ["hit", "sunk"]


def test_a_view_of_goofspiel() -> None:
    view = view_of(load_game("goofspiel"))
    state = played("goofspiel", 2, 4, 3)
    first, second = view.seat_view(state, 0), view.seat_view(state, 1)
    assert first["tricks"] == [{"prize": 4, "bids": [2, None], "winner": 1}]
    assert second["tricks"] == [{"prize": 4, "bids": [None, 4], "winner": 1}]
    assert first["hands"] == [[1, 3, 4], [None, None, None]]
    assert (first["bids"], second["bids"]) == ([3, None], [None, None])
    assert first["points"] == [0, 4]
    assert view.full_view(state)["tricks"][0]["bids"] == [2, 4]
    tie = view.seat_view(played("goofspiel", 2, 2), 0)
    assert tie["tricks"] == [{"prize": 4, "bids": [2, 2], "winner": None}]


def test_a_view_of_liars_dice() -> None:
    view = view_of(load_game("liars_dice"))
    state = played("liars_dice", "3", "6", "1x3", "2x3")
    assert view.seat_view(state, 0)["dice"] == [[3], [None]]
    over = view.seat_view(state.child("liar"), 1)
    assert (over["dice"], over["called"], over["count"]) == ([[3], [6]], 0, 2)
    assert over["moves"][-1]["text"] == "Two dice count for it: the bid was true."


@pytest.mark.parametrize("spec", ["cambia", "cambia(players=3)", "cambia(preset='tiny2')"])
def test_a_view_of_cambia_has_no_card_that_the_seat_has_not_seen(spec: str) -> None:
    game = load_game(spec)
    view, sent = view_of(game), {}
    for seed in range(10):
        for state in _random_states(game.root(), seed):
            for seat in range(game.players):
                table = view.seat_view(state, seat)
                seen = state.observation(seat)
                assert sent.setdefault(seen, json.dumps(table)) == json.dumps(table)
                for hand, known in zip(table["hands"], seen.known, strict=True):
                    for card, number in zip(hand, known, strict=True):
                        assert (card["face"] is None) == (number < 0)
            if state.player >= 0:
                for action in state.actions():
                    assert view.action_label(state, action, state.player)


@pytest.mark.parametrize("spec", ["cambia", "cambia(players=3)", "cambia(preset='tiny2')"])
def test_cambia_speaks_in_words(spec: str) -> None:
    """No codes of cards, no numbers of players, and cards counted from 1."""
    game = load_game(spec)
    view: Any = view_of(game)
    said: set[str] = set()
    for seed in range(10):
        for state in _random_states(game.root(), seed):
            said |= {view.seat_view(state, seat)["news"] for seat in range(game.players)}
            actions = state.actions() if state.player >= 0 else []
            said |= {view.action_label(state, action, state.player) for action in actions}
            said |= {view.review_label(state, action) for action in actions}
            if state.player == CHANCE:
                said |= {view.outcome_label(state, outcome) for outcome, _ in state.chance()}
            said |= {row["card"] for row in view.seat_view(state, 0)["values"]}
    assert len(said) > 30
    coded = re.compile(r"\b([A2-9TJQK][CDHS]|X[RB]?|T)\b|[Pp]layer|\bcard [07]")
    assert [text for text in said if coded.search(text)] == []


def test_a_card_taken_from_the_discard_is_named_and_not_called_drawn() -> None:
    game = load_game("cambia")
    view: Any = view_of(game)
    states = _random_states(game.root(), 0)
    table = next(one for one in states if one.player >= 0 and "take discard" in one.actions())
    top, taken = view.seat_view(table, 0)["discard"][-1], table.child("take discard")
    for seat, who in ((table.player, "You take"), (1 - table.player, f"{{{table.player}}} takes")):
        shown = view.seat_view(taken, seat)
        assert shown["from_discard"]
        assert shown["drawn"] == top
        assert re.fullmatch(rf"{re.escape(who)} the .+ from the discard\.", shown["news"])
    assert not view.seat_view(table.child("draw"), 0)["from_discard"]


def first_wrong_snaps(spec: str) -> list[str]:
    """What is said of the first wrong card that is snapped in each of several random games, in
    which no hand is full yet."""
    game, said = load_game(spec), []
    for seed in range(20):
        states = _random_states(game.root(), seed)
        news = (view_of(game).seat_view(state, 0)["news"] for state in states)
        found = next((line for line in news if "wrong" in line), None)
        said += [] if found is None else re.findall(r"wrong[^.]*\.", found)
    return said


def test_a_wrong_snap_that_costs_nothing_names_no_cards() -> None:
    said = first_wrong_snaps("cambia(penalty=0)")
    assert len(said) > 5
    assert set(said) == {"wrong."}


@pytest.mark.parametrize(
    ("penalty", "words"), [(1, "wrong: 1 penalty card."), (2, "wrong: 2 penalty cards.")]
)
def test_a_wrong_snap_says_what_it_costs(penalty: int, words: str) -> None:
    said = first_wrong_snaps(f"cambia(penalty={penalty})")
    assert len(said) > 5
    assert set(said) == {words}


def test_a_view_of_chess_has_the_marks_of_the_observation_and_public_numbers() -> None:
    game = load_game("fog_chess")
    view = view_of(game)
    for seed in range(3):
        for ply, state in enumerate(_random_states(game.root(), seed)):
            assert isinstance(state, FogChessState)
            for seat in (0, 1):
                sent = view.seat_view(state, seat)
                seen = state.observation(seat)
                assert sent == {
                    "kind": "chess",
                    "marks": "".join(seen.marks()),
                    "mover": seen.side,
                    "side": seat,
                    "ply": ply,
                }


@pytest.mark.parametrize("abrupt", [False, True])
def test_the_log_of_a_hidden_board_has_the_turns_of_the_other(abrupt: bool) -> None:
    game = load_game(f"phantom_ttt(abrupt={abrupt})")
    view, state = view_of(game), game.root()
    for square in ("a1", "a1", "b1", "b1", "c2", "c3"):
        if state.player >= 0:
            state = state.child(square) if square in map(str, state.actions()) else state
    logs = [view.seat_view(state, seat) for seat in (0, 1)]
    unseen = f"has {'tried' if abrupt else 'marked'} a square; you cannot see which"
    for seat, shown in enumerate(logs):
        told = [line["text"] for line in shown["moves"]]
        own = [text for text in told if text != unseen]
        others = told.count(unseen) + (shown["turn_line"] is not None and state.player == seat)
        assert len(own) == len(str(state.observation(seat)).split())
        turns = len(str(state.observation(1 - seat)).split())
        refused = str(state.observation(1 - seat)).count("?")
        assert others == (turns if abrupt else turns - refused)
        assert (told[0] == unseen) == (seat == 1)
