"""The rules of the games in words follow the parameters of each game."""

from __future__ import annotations

import dataclasses

import pytest

from fogtree.game.parameters import ParameterGame
from fogtree.registry import describe_game, game_names, load_game, rules_of

OTHERS = {
    "matching_pennies": (),
    "rock_paper_scissors": ("scissors=5",),
    "kuhn_poker": ("players=3", "players=12", "ante=3", "bet=5"),
    "leduc_poker": ("ranks=5", "suits=1", "suits=4", "raises=0", "raises=1", "players=3"),
    "liars_dice": ("dice=2", "sides=3", "sides=9"),
    "goofspiel": (
        "cards=6",
        "points=ascending",
        "points=random",
        "hidden=false",
        "reward=point_difference",
    ),
    "battleship": (
        "height=5",
        "width=4",
        "ships=[1, 2]",
        "values=[3]",
        "shots=1",
        "repeats=true",
        "loss_multiplier=2",
        "ships=[1, 1], values=[2, 3]",
    ),
    "phantom_ttt": ("rows=3", "columns=5", "line=2", "max_plies=8", "abrupt=true"),
    "dark_hex": ("rows=4", "columns=4", "abrupt=true"),
    "cambia": (
        "hand=6",
        "jokers=0",
        "looks=1",
        "looks=0",
        "penalty=1",
        "penalty=0",
        "max_turns=20",
        "cambia_from_round=2",
        "draw_discard=false",
        "opponent_snap=false",
        "replace_abilities=true",
        "lock_caller=false",
        "earlier_defects=true",
        "snap_window=always",
        "show_wrong_snap=false",
        "preset=tiny1",
        "profile=competitive",
        "deck='A 2 3 4 6 7'",
    ),
    "fog_chess": ("rules=openspiel", "rules=fairy", "rules=attacks", "rules=stalemate-wins"),
}
"""Other values of the parameters of each game, each of which changes a sentence of its rules."""
SAYS_NOTHING = {"leduc_poker": {"suit_isomorphism"}, "fog_chess": {"fen"}} | {
    "cambia": {"players", "suits", "engine"}
}
"""Parameters that change no sentence: how cards are told apart, engines, positions, and numbers of
players that the text does not name."""


@pytest.mark.parametrize(("name", "given"), [(n, one) for n in OTHERS for one in OTHERS[n]])
def test_the_rules_follow_every_parameter(name: str, given: str) -> None:
    usual, other = rules_of(load_game(name)), rules_of(load_game(f"{name}({given})"))
    assert usual != other
    assert other.endswith(".")
    assert ".." not in other
    assert "  " not in other


@pytest.mark.parametrize("name", game_names())
def test_no_parameter_is_forgotten(name: str) -> None:
    game = load_game(name)
    assert rules_of(game) == describe_game(name).rules
    assert isinstance(game, ParameterGame)
    tried = {one.split("=")[0] for given in OTHERS[name] for one in given.split("], ")}
    known = {field.name for field in dataclasses.fields(game)}
    assert tried | SAYS_NOTHING.get(name, set()) == known


@pytest.mark.parametrize(
    ("spec", "sentences"),
    [
        (
            "kuhn_poker",
            ["1 chip into", "three cards: jack, queen or king", "the higher card takes"],
        ),
        ("kuhn_poker(ante=3, bet=5)", ["3 chips into the pot", "bets 5 chips"]),
        ("kuhn_poker(ante=1234567)", ["1,234,567 chips into the pot"]),
        ("battleship(loss_multiplier=1234567.5)", ["the other 1,234,567.5 times as much"]),
        (
            "kuhn_poker(players=3)",
            ["four cards: jack, queen, king or ace", "every other player", "the highest card of"],
        ),
        ("leduc_poker", ["six cards: two each of jack, queen and king", "at most two raises a"]),
        ("leduc_poker(suits=1)", ["three cards: jack, queen or king", "The higher card wins"]),
        ("leduc_poker(raises=0)", ["all players only check"]),
        ("liars_dice(dice=2, sides=3)", ["two dice with the faces 1 to 3", "2x3", "1x3 is below"]),
        ("goofspiel(cards=6, points='random')", ["prizes 1 to 6", "in random order"]),
        (
            "battleship(height=3, ships=[2, 3], values=[4, 5], loss_multiplier=2)",
            ["2 ships of lengths 2 and 3", "worth 4 and 5", "the other 2 times as much"],
        ),
        ("phantom_ttt(rows=3, columns=3, max_plies=9)", ["when the board is full"]),
        ("phantom_ttt", ["draw after 5 marks", "A line of three own marks"]),
        ("dark_hex(abrupt=true)", ["the turn passes all the same"]),
        ("cambia", ["four cards face down", "joker 0", "costs two more cards", "only when some"]),
        ("cambia(earlier_defects=True)", ["but they may be snapped", "not called Cambia matches"]),
        ("cambia(profile='competitive')", ["card of yours or of somebody who has not called"]),
        ("cambia(profile='training', lock_caller=False)", ["some card that you may snap"]),
        ("cambia(profile='training')", ["take a card unseen from the stock. You put it in place"]),
        ("fog_chess(rules='openspiel')", ["A player without a move draws."]),
    ],
)
def test_sentences(spec: str, sentences: list[str]) -> None:
    text = rules_of(load_game(spec))
    assert [one for one in sentences if one not in text] == []


def test_sentences_that_other_rules_make_false_are_gone() -> None:
    three = rules_of(load_game("kuhn_poker(players=3)"))
    assert not [one for one in ("three cards", "the other folds", "higher card") if one in three]
    cambia = rules_of(load_game("cambia(hand=6, jokers=0, opponent_snap=False)"))
    assert "six cards face down" in cambia
    assert not [one for one in ("four cards", "joker", "give one of yours") if one in cambia]
    one_card = rules_of(load_game("cambia(preset='tiny1')"))
    assert "one card face down and has looked at it once" in one_card
    assert "king" not in one_card
    assert "may be used" not in one_card
