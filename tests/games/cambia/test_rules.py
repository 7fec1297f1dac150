"""The rules of Cambia, one at a time, and what is said about bad input."""

from __future__ import annotations

from typing import Any

import pytest

import fogtree
from fogtree.arena import play_game
from fogtree.errors import FogtreeError, GameError, IllegalActionError, OptionError
from fogtree.game import TERMINAL
from fogtree.games.cambia.actions import layout
from fogtree.games.cambia.cards import CODE, NAMES, POINTS, parse_deck
from fogtree.games.cambia.game import CambiaState
from fogtree.registry import load_game
from tests.support.cambia_play import after, dealt

ENGINES = ("python", "native")


@pytest.fixture(params=ENGINES)
def table(request: pytest.FixtureRequest) -> Any:
    def deal(rules: str, *hands: str, discard: str = "2D", starter: int = 0) -> CambiaState:
        extra = f", {rules}" if rules else ""
        players = len(hands)
        size = len(hands[0].split())
        spec = f"cambia(players={players}, hand={size}, engine='{request.param}'{extra})"
        return dealt(spec, starter, hands, discard)

    return deal


def hand(state: CambiaState, player: int) -> str:
    return " ".join(NAMES[card] for card in state.position.hands[player])


def test_points() -> None:
    points = {name: POINTS[CODE[name]] for name in ("KH", "KD", "XR", "AS", "TH", "JS", "QC", "KS")}
    assert list(points.values()) == [-1, -1, 0, 1, 10, 11, 12, 13]
    assert sum(POINTS) == 4 * sum(range(1, 13)) + 2 * 13 - 2


def test_action_numbers_are_those_of_the_specification() -> None:
    texts = layout(2).texts
    assert len(texts) == 146
    assert texts[:5] == ("draw", "take discard", "cambia", "discard", "discard and use")
    known = {
        5: "replace 0",
        16: "look own 5",
        17: "look other 0",
        23 + 2 * 6 + 3: "swap 2 with other 3",
        59 + 1 * 6 + 4: "look 1 and other 4",
        95: "keep",
        96: "swap",
        97: "pass",
        103: "snap own 5",
        104: "snap other 0",
        110 + 5 * 6 + 1: "move 5 to gap 1",
    }
    assert {number: texts[number] for number in known} == known


def test_a_replaced_card_goes_to_the_discard(table: Any) -> None:
    state = after(table("", "AS 9S", "3S 4S"), "draw", "2S", "replace 1")
    assert hand(state, 0) == "AS 2S"
    assert NAMES[state.position.discard[-1]] == "9S"


def test_looks_are_remembered_and_travel_with_the_card(table: Any) -> None:
    state = after(table("looks=0", "AS TS", "3S 4S"), "draw", "7H", "discard and use", "look own 1")
    assert state.observation(0).known[0] == (-1, CODE["TS"])
    assert state.observation(1).known[0] == (-1, -1)
    assert state.observation(1).seen[0] == (0, 1)
    state = after(state, "draw", "JH", "discard and use", "swap 0 with other 1")
    assert hand(state, 1) == "TS 4S"
    assert state.observation(0).known[1] == (CODE["TS"], -1)


def test_a_king_looks_then_swaps_or_not(table: Any) -> None:
    state = after(table("looks=0", "AS TS", "3S 4S"), "draw", "KH", "discard and use")
    state = after(state, "look 1 and other 0")
    assert state.actions() == ("keep", "swap")
    assert state.observation(0).known == ((-1, CODE["TS"]), (CODE["3S"], -1))
    assert state.observation(1).known == ((-1, -1), (-1, -1))
    assert hand(after(state, "swap"), 0) == "AS 3S"
    assert hand(after(state, "keep"), 0) == "AS TS"


def test_a_right_snap_closes_the_hand_and_a_wrong_one_costs_cards(table: Any) -> None:
    state = after(table("", "AS 9S", "3S 4S"), "draw", "9H", "discard")
    assert state.player == 0
    right = after(state, "snap own 1")
    assert hand(right, 0) == "AS"
    wrong = after(state, "snap own 0", "QS", "QD")
    assert hand(wrong, 0) == "AS 9S QS QD"
    assert wrong.observation(1).known[0] == (CODE["AS"], -1, -1, -1)


def test_a_hand_has_at_most_six_cards(table: Any) -> None:
    state = after(table("", "AS 2S 3S 4S 9S", "3H 4H 5H 6H 7H"), "draw", "9H", "discard")
    state = after(state, "snap own 0", "QS")
    assert len(state.position.hands[0]) == 6
    assert state.position.phase != 8


def test_snapping_from_an_opponent_fills_the_gap(table: Any) -> None:
    state = after(table("", "AS KS", "3S 9S"), "draw", "9H", "discard", "snap other 1")
    assert state.actions() == ("move 0 to gap 1", "move 1 to gap 1")
    state = after(state, "move 1 to gap 1")
    assert (hand(state, 0), hand(state, 1)) == ("AS", "3S KS")
    assert state.observation(0).known[1] == (-1, CODE["KS"])


def test_the_caller_is_left_alone(table: Any) -> None:
    state = after(table("", "AS 9S", "3S 9C"), "cambia", "draw", "9H", "discard")
    assert "snap own 1" in state.actions()
    assert not any("other" in str(action) for action in state.actions())
    state = after(state, "pass")
    assert state.player == -2


@pytest.mark.parametrize("ability", ["JH", "QH", "KH"])
def test_a_locked_hand_bars_swaps(table: Any, ability: str) -> None:
    locked = after(table("", "AS 9S", "3S 4S"), "cambia", "draw", ability)
    assert "discard and use" not in locked.actions()
    rules = "lock_caller=False"
    free = after(table(rules, "AS 9S", "3S 4S"), "cambia", "draw", ability)
    assert "discard and use" in free.actions()


def test_a_replaced_ability_without_a_target_is_skipped(table: Any) -> None:
    rules = "replace_abilities=True"
    state = after(table(rules, "AS 2S", "JS 4S"), "cambia", "draw", "5H", "replace 0")
    assert state.player == -2
    state = after(table(rules + ", earlier_defects=True", "AS 2S", "JS 4S"), "cambia")
    state = after(state, "draw", "5H", "replace 0")
    assert state.actions() == ()


def test_ties_go_to_the_caller(table: Any) -> None:
    state = after(table("", "AS 4H", "2S 3S"), "cambia", "draw", "TH", "discard")
    assert state.returns() == [1.0, -1.0]
    rules = "max_turns=1"
    nobody = after(table(rules, "AS 4H", "2S 3S"), "draw", "TH", "discard")
    assert nobody.returns() == [0.0, 0.0]


def test_three_players_pay_the_winners(table: Any) -> None:
    rules = "max_turns=1"
    state = after(table(rules, "AS 4H", "2S 3S", "KS KC"), "draw", "TH", "discard")
    assert state.returns() == [0.5, 0.5, -1.0]
    assert state.facts(2) == {"margin": -21.0, "turns": 1.0}


def test_the_stock_is_refilled_from_the_discard(table: Any) -> None:
    rules = "deck='AS 2S 3S 4S 5S 6S', jokers=0"
    state = after(table(rules, "AS 2S", "3S 4S", discard="5S"), "draw", "6S", "discard")
    assert [card for card, _ in after(state, "draw").chance()] == ["5S"]
    state = after(state, "draw", "5S")
    assert state.observation(0).refilled == (CODE["5S"],)
    assert state.position.discard == (CODE["6S"],)


def test_without_any_action_left_the_game_ends(table: Any) -> None:
    """A penalty takes the last card there was to draw; Cambia may not be called yet."""
    rules = (
        "deck='AS 2S 3S 4S 5S 6S', jokers=0, penalty=1, draw_discard=False, "
        "snap_window='always', cambia_from_round=9"
    )
    state = after(table(rules, "AS 2S", "3S 4S", discard="5S"), "draw", "6S", "discard")
    nobody_tries = after(state, "pass", "pass")
    assert nobody_tries.actions() == ("draw",)
    state = after(state, "snap own 0", "5S", "pass")
    assert state.player == TERMINAL
    assert (state.position.turn, state.position.stock) == (1, ())
    assert state.returns() == [-1.0, 1.0]


def test_suits_are_told_apart_only_if_asked_for() -> None:
    state: Any = load_game("cambia(suits=False)").root().child("player 0 starts")
    outcomes = dict(state.chance())
    assert len(outcomes) == 15
    assert outcomes["A"] == pytest.approx(4 / 54)
    assert outcomes["KH"] == outcomes["KS"] == outcomes["X"] == pytest.approx(2 / 54)


def test_decks() -> None:
    assert [NAMES[card] for card in parse_deck("A TH")] == ["AC", "AD", "AH", "AS", "TH"]


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(
    ("steps", "action"),
    [
        ((), "draw discard"),
        ((), "discard"),
        ((), "snap own 0"),
        (("draw",), "draw"),
        (("draw",), "AS"),
        (("draw", "2H"), "replace 5"),
        (("draw", "2H"), "discard and use"),
        (("draw", "9H", "discard"), "replace 0"),
        (("cambia", "draw", "2H", "discard", "pass"), "draw"),
        ((), 0),
        ((), None),
    ],
)
def test_an_illegal_action_is_one_clear_error(
    engine: str, steps: tuple[str, ...], action: Any
) -> None:
    spec = f"cambia(hand=2, engine='{engine}')"
    state = after(dealt(spec, 0, ["AS 9S", "2S 4S"], "2D"), *steps)
    before = state.observation(0), state.observation(1), state.player
    with pytest.raises(IllegalActionError) as caught:
        state.child(action)
    assert "\n" not in str(caught.value)
    assert (state.observation(0), state.observation(1), state.player) == before


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        (
            "cambia(deck='A', jokers=0)",
            "cambia: 2 players with 4 cards each need more than 9 cards, but the deck has 4",
        ),
        ("cambia(hand=7)", "cambia: hand must be at most 6, not 7"),
        ("cambia(players=7)", "cambia: players must be at most 6, not 7"),
        ("cambia(looks=5)", "cambia: 5 looks at a hand of 4: give fewer"),
        *(
            (
                f"cambia(deck='{word} 3 4 5')",
                f"cambia: no card is called '{word}'; write them like  AS TH XR  or  A 6",
            )
            for word in ("A2", "23", "TJQK")
        ),
        (
            "cambia(deck='ZZ')",
            "cambia: no card is called 'ZZ'; write them like  AS TH XR  or  A 6",
        ),
        (
            "cambia(deck='A A A A A A A A A A A A A A')",
            "cambia: a deck has at most 54 cards, not 58",
        ),
        ("cambia(draw_discard=1)", "cambia: draw_discard must be true or false, not 1"),
        (
            "cambia(snap_window='never')",
            'cambia: snap_window must be one of "always", "eligible", not \'never\'',
        ),
    ],
)
def test_bad_parameters(spec: str, message: str) -> None:
    with pytest.raises(OptionError) as caught:
        load_game(spec)
    assert str(caught.value) == message


def test_a_profile_can_be_changed_rule_by_rule() -> None:
    rules: Any = load_game("cambia(profile='training', draw_discard=True)")
    assert rules.rules.draw_discard
    assert not rules.rules.opponent_snap
    assert isinstance(IllegalActionError("x"), FogtreeError)


@pytest.mark.parametrize("engine", ENGINES)
def test_nobody_has_won_before_the_end(engine: str) -> None:
    state = dealt(f"cambia(hand=2, engine='{engine}')", 0, ["AS 9S", "2S 4S"], "2D")
    for early in (state, after(state, "draw")):
        with pytest.raises(GameError, match="the game is not over"):
            early.returns()


def test_a_deadlock_of_earlier_engines_is_told_at_the_table() -> None:
    game = load_game("cambia(earlier_defects=True, replace_abilities=True)")
    agents = [fogtree.agent("random", game), fogtree.agent("random", game)]
    told = []
    for seed in range(100):
        try:
            play_game(game, agents, seed=str(seed))
        except GameError as error:
            told.append(str(error))
    assert set(told) == {"random has no legal action: this game cannot go on"}


def test_a_state_has_a_short_name(table: Any) -> None:
    """However long the game was: what went before is not part of it."""
    state = after(table("max_turns=2", "AS 9S", "3S 4S"), "draw", "TH", "discard", "draw")
    assert repr(state).startswith("<cambia(hand=2, max_turns=2")
    assert repr(state).endswith("step 10: chance moves>")
    state = after(state, "TD")
    assert repr(state).endswith("step 11: player 1>")
    assert repr(after(state, "discard")).endswith("step 12: over>")


def test_the_table_in_words(table: Any) -> None:
    state = after(table("max_turns=1", "AS 9S", "3S 4S"), "draw", "TH", "discard and use")
    assert state.show(0) == (
        "Turn 1 of at most 1. Stock 48, discard TH.\n"
        "  you      1: AS   2: 9S\n"
        "  player 1 1: ?*   2: ?*\n"
        "  (* seen by the other player)"
    )
    state = after(state, "look other 1")
    assert state.player == TERMINAL
    assert state.show(1) == (
        "Over after 1 turn. Stock 48, discard TH.\n"
        "  player 0 1: AS   2: 9S\n"
        "  you      1: 3S   2: 4S"
    )


def test_more_players_are_named_by_what_they_have_seen(table: Any) -> None:
    state = table("looks=1", "AS 9S", "3S 4S", "6S 7S")
    state = after(state, "draw", "TH", "discard and use", "look +2 0")
    assert state.show(0).splitlines()[1:] == [
        "  you           1: AS   2: ?",
        "  player 1 (+1) 1: ?*1   2: ?",
        "  player 2 (+2) 1: 6S*2   2: ?",
        "  (* seen by the players named)",
    ]
    assert state.show(2).splitlines()[1].startswith("  player 0 (+1) ")
    assert state.show(2).splitlines()[3] == "  you           1: 6S*0   2: ?"
