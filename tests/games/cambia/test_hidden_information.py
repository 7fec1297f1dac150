"""Views of Cambia reveal no hidden card, and the check would notice a leak."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise, product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fogtree.games.cambia import game as game_module
from fogtree.games.cambia.actions import layout
from fogtree.games.cambia.game import CambiaState
from fogtree.games.cambia.position import DEAL, DRAW, Position
from fogtree.games.cambia.rules import Rules
from fogtree.games.cambia.tokens import token_of
from fogtree.games.cambia.view import UNKNOWN, CambiaView, view_of
from fogtree.registry import load_game
from tests.support.cambia_secrets import alike, check_everything_alike, check_pairs_alike, play

ALWAYS = (
    "cambia(snap_window='always')",
    "cambia(snap_window='always', profile='competitive', engine='python', max_turns=30)",
    "cambia(snap_window='always', players=3, hand=3)",
    "cambia(snap_window='always', deck='A 5 7 8 9 T J K', penalty=1, cambia_from_round=9)",
    "cambia(snap_window='always', deck='2 7 8 9 K', jokers=0, looks=0, cambia_from_round=9)",
)
# Here ranks are told: who is asked has a match; a wrong snap, even if not shown, has not.
TELLING = (
    "cambia",
    "cambia(profile='competitive', engine='python', max_turns=30)",
    "cambia(players=3, deck='A 7 9 J K', jokers=0, opponent_snap=False, cambia_from_round=9)",
    "cambia(snap_window='always', profile='competitive', show_wrong_snap=False, max_turns=30)",
)


@pytest.mark.parametrize("spec", ALWAYS)
@given(seed=st.integers(0, 2**32))
@settings(max_examples=4, deadline=None)
def test_cards_not_shown_are_alike(spec: str, seed: int) -> None:
    """With everybody asked after every discard, cards are told by being shown and else not."""
    game: Any = load_game(spec)
    check_everything_alike(game, random.Random(seed))


@pytest.mark.parametrize("spec", TELLING)
@given(seed=st.integers(0, 2**32))
@settings(max_examples=4, deadline=None)
def test_a_question_tells_no_more_than_it_must(spec: str, seed: int) -> None:
    game: Any = load_game(spec)
    check_pairs_alike(game, random.Random(seed))


@pytest.mark.long
@pytest.mark.parametrize("specs", [ALWAYS, TELLING])
def test_the_games_are_full_of_secrets(specs: tuple[str, ...]) -> None:
    """Every ability, snaps and refilled stocks come up often, and worlds to compare with."""
    check = check_everything_alike if specs == ALWAYS else check_pairs_alike
    kinds, worlds = Counter[str](), 0
    for spec, seed in product(specs, range(3)):
        game: Any = load_game(spec)
        worlds += check(game, random.Random(seed))
        actual = play(game, random.Random(seed))[:-1]
        for before, after in pairwise(actual):
            if before.player >= 0:
                kinds[game.layout.moves[after.last.action].kind] += 1  # type: ignore[union-attr]
        kinds["refilled"] += any(begin > 0 for begin, _ in alike(actual, 0))
    assert worlds > 300
    assert kinds["refilled"] >= 2
    assert min(kinds[kind] for kind in ("look_own", "look_other", "blind_swap", "snap_own")) >= 10
    assert min(kinds[kind] for kind in ("king_look", "king_swap", "snap_other")) >= 5


# A check that cannot fail is none: here are views that say one thing too much.

Patched = tuple[str, Callable[..., Any]]


def leaked_token(*kinds: str) -> Patched:
    """Everybody notices what the mover notices of these moves, and of a draw."""

    def token(rules: Rules, before: Position, action: int, after: Position, player: int) -> int:
        moved = before.player >= 0
        kind = layout(rules.players).moves[action].kind if moved else f"chance {before.phase}"
        who = before.actor if kind in kinds else player
        return token_of(rules, before, action, after, who)

    return "token_of", token


def leaked_hands(knows: Callable[[Position, int, int, int], bool]) -> Patched:
    """More cards are known: ``knows(position, viewer, owner, seen)``."""

    def view(position: Position, player: int, *rest: Any) -> CambiaView:
        known = tuple(
            tuple(
                card if who >> player & 1 or knows(position, player, owner, who) else UNKNOWN
                for card, who in zip(hand, whos, strict=True)
            )
            for owner, (hand, whos) in enumerate(zip(position.hands, position.seen, strict=True))
        )
        return replace(view_of(position, player, *rest), known=known)

    return "view_of", view


def leaked_field(name: str, value: Callable[[Position], Any]) -> Patched:
    def view(position: Position, player: int, *rest: Any) -> CambiaView:
        return replace(view_of(position, player, *rest), **{name: value(position)})

    return "view_of", view


def leaked_text(name: str, text: Callable[..., str]) -> Patched:
    """A text that has the view of the one to move."""

    def told(self: CambiaState, player: int) -> str:
        return text(self, self.player if self.player >= 0 else player)

    return name, told


LEAKS: dict[str, Patched] = {
    "a look at an own card": leaked_token("look_own"),
    "a look at another's card": leaked_token("look_other"),
    "a king's look": leaked_token("king_look"),
    "a card drawn": leaked_token(f"chance {DRAW}"),
    "a card dealt": leaked_token(f"chance {DEAL}"),
    "the card in another's hand": leaked_field("drawn", lambda here: here.drawn),
    "cards that another has seen": leaked_hands(lambda here, me, owner, seen: seen > 0),
    "own cards not looked at": leaked_hands(lambda here, me, owner, seen: owner == me),
    "an own card that another has seen": leaked_hands(
        lambda here, me, owner, seen: owner == me and seen > 0
    ),
    "cards nobody has seen": leaked_hands(lambda here, me, owner, seen: seen == 0),
    "the stock": leaked_field("refilled", lambda here: here.stock),
    "what the mover is told": leaked_text("news", CambiaState.news),
    "what the mover sees": leaked_text("show", CambiaState.show),
}


@pytest.mark.parametrize("specs", [ALWAYS, TELLING])
@pytest.mark.parametrize("leak", LEAKS)
def test_a_leak_is_noticed(
    leak: str, specs: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    """In game after game, and not by luck in one of them."""
    name, patched = LEAKS[leak]
    place = CambiaState if name in ("news", "show") else game_module
    monkeypatch.setattr(place, name, patched)
    check = check_everything_alike if specs == ALWAYS else check_pairs_alike
    noticed, games = 0, 10
    for seed in range(games):
        game: Any = load_game(specs[seed % len(specs)])
        try:
            check(game, random.Random(seed))
        except AssertionError:
            noticed += 1
    assert noticed >= games / 2
