"""Worlds that a player cannot tell apart, told by the rules and not by the views.

Two cards that lay in the stock together and were not shown to a player since are alike to that
player: give each the other's name from then on, and everything shown must stay as it was. The stock
is whole at the start and whenever it was refilled, also with cards that everybody once saw.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import pairwise, product

from fogtree.errors import IllegalActionError
from fogtree.game import CHANCE, TERMINAL
from fogtree.games.cambia.cards import CODE, KING, NAMES, NINE, SEVEN, TEN, rank_of
from fogtree.games.cambia.game import Cambia, CambiaState
from fogtree.games.cambia.position import ABILITY, DEAL, DRAW, DRAWN, GAP, STARTER

# How much a player of these games likes to do things, and what they often draw.
LIKES = {"discard_ability": 12.0, "cambia": 0.05, "pass": 4.0, "draw_discard": 0.1, "replace": 0.1}
RIGHT_SNAP, WRONG_SNAP, FRESH_LOOK = 2.0, 0.02, 9.0
LUCK = dict.fromkeys(range(SEVEN, KING), 3.0) | {NINE: 6.0, TEN: 6.0, KING: 6.0}


def play(game: Cambia, generator: random.Random) -> list[CambiaState]:
    """A game full of looks, swaps and snaps: abilities come and are used, players rather look at
    what nobody knows, and snap what matches, known or not."""
    states = [game.root()]
    while states[-1].player != TERMINAL:
        state = states[-1]
        if state.player == CHANCE:
            outcomes = [outcome for outcome, _ in state.chance()]
            lucky = state.position.phase == DRAW
            likes = [LUCK.get(rank_of(CODE[str(o)]), 1.0) if lucky else 1.0 for o in outcomes]
            step = generator.choices(outcomes, likes)[0]
        else:
            actions = state.actions()
            step = generator.choices(actions, [_liking(state, str(a)) for a in actions])[0]
        states.append(state.child(step))
    return states


def _liking(state: CambiaState, action: str) -> float:
    move, here = state.game.layout.moves[state.game.layout.number[action]], state.position
    whose = (here.actor + 1 + move.opponent) % state.game.players
    if move.kind in ("snap_own", "snap_other"):
        own = move.kind == "snap_own"
        card = here.hands[here.actor][move.own] if own else here.hands[whose][move.slot]
        return RIGHT_SNAP if rank_of(card) == rank_of(here.discard[-1]) else WRONG_SNAP
    if move.kind == "look_own":
        return 1.0 if here.seen[here.actor][move.own] else FRESH_LOOK
    if move.kind in ("look_other", "king_look"):
        return 1.0 if here.seen[whose][move.slot] else FRESH_LOOK
    return LIKES.get(move.kind, 1.0)


def steps(states: Sequence[CambiaState]) -> list[str]:
    """The actions and outcomes between the states, as text."""
    out = []
    for before, after in pairwise(states):
        number = after.last.action
        moved = before.player >= 0
        out.append(before.game.layout.texts[number] if moved else before._outcome_text(number))
    return out


def shown(before: CambiaState, after: CambiaState, player: int) -> set[int]:
    """The cards that one step showed to the player."""
    rules, here, then = before.game.rules, before.position, after.position
    found = set(then.discard)
    if then.phase == DRAWN and then.actor == player:
        found.add(then.drawn)
    if here.phase == DEAL:
        found.update(then.hands[player][: rules.looks])
    if before.player >= 0:
        move = before.game.layout.moves[after.last.action]
        other = here.hands[(here.actor + 1 + move.opponent) % rules.players]
        mine, all_see = here.actor == player, rules.show_wrong_snap
        if (mine and move.kind in ("look_own", "king_look")) or (
            all_see and move.kind == "snap_own"
        ):
            found.add(here.hands[here.actor][move.own])
        if (mine and move.kind in ("look_other", "king_look")) or (
            all_see and move.kind == "snap_other"
        ):
            found.add(other[move.slot])
    return found


def alike(states: Sequence[CambiaState], player: int) -> list[tuple[int, list[int]]]:
    """Sets of cards that are alike to the player, each with the step it is so from."""
    stocks = [(0, set(states[0].game.rules.deck))]
    for number, state in enumerate(states[:-1]):
        here = state.position
        if here.player == CHANCE and here.phase > STARTER and here.stock_size == 0:
            stocks.append((number, set(here.discard[:-1])))
    told = [shown(before, after, player) for before, after in pairwise(states)]
    hidden = [(begin, sorted(cards.difference(*told[begin:]))) for begin, cards in stocks]
    return [(begin, cards) for begin, cards in hidden if len(cards) > 1]


def renamed(states: Sequence[CambiaState], names: dict[int, int]) -> list[CambiaState] | None:
    """What follows the first of the states if cards have other names, or None if it cannot."""
    words = {NAMES[old]: NAMES[new] for old, new in names.items()}
    return replay(states[0], [words.get(step, step) for step in steps(states)])


def replay(first: CambiaState, path: Sequence[str]) -> list[CambiaState] | None:
    """The states of a path, or None if it is not one."""
    states = [first]
    for step in path:
        try:
            states.append(states[-1].child(step))
        except IllegalActionError:
            return None
    return states


def same_course(one: Sequence[CambiaState], two: Sequence[CambiaState]) -> bool:
    """Whether the same was done in the open: who was asked what, and what went to the discard."""
    return [_open(state) for state in one] == [_open(state) for state in two]


def _open(state: CambiaState) -> tuple[object, ...]:
    here = state.position
    sizes = [len(hand) for hand in here.hands]
    return here.phase, here.actor, sizes, here.stock_size, here.discard


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
    if actual[-1].player == me:
        assert actual[-1].name() == imagined[-1].name()


def check_everything_alike(game: Cambia, generator: random.Random) -> int:
    """Where nothing but cards shown tells anything: renames all that are alike, in a ring."""
    actual, checked = play(game, generator)[:-1], 0
    for me, (fresh, end) in product(range(game.players), pairwise(moments(actual))):
        for begin, cards in alike(actual[:end], me):
            generator.shuffle(cards)
            ring = dict(zip(cards, [*cards[1:], cards[0]], strict=True))
            imagined = renamed(actual[begin:end], ring)
            assert imagined is not None
            since = max(begin, fresh)
            assert_looks_the_same(actual[since:end], imagined[since - begin :], me)
            checked += 1
    return checked


def check_pairs_alike(game: Cambia, generator: random.Random, tries: int = 2) -> int:
    """Where a question or a silent wrong snap tells a rank: exchanges two cards, and compares if
    everything done in the open stays the same."""
    actual, checked = play(game, generator)[:-1], 0
    for me, (fresh, end) in product(range(game.players), pairwise(moments(actual))):
        for begin, cards in alike(actual[:end], me):
            for _ in range(tries):
                one, two = _pair(cards, actual[end - 1], generator)
                imagined = renamed(actual[begin:end], {one: two, two: one})
                if imagined is not None and same_course(actual[begin:end], imagined):
                    since = max(begin, fresh)
                    assert_looks_the_same(actual[since:end], imagined[since - begin :], me)
                    checked += 1
    return checked


def moments(states: Sequence[CambiaState]) -> list[int]:
    """Where cards were dealt, drawn, looked at or moved, as ends of a part of the game: a secret
    is one when it comes about, though its card may be shown soon after."""
    ends = [0]
    for end in range(1, len(states)):
        before = states[end - 1]
        if before.player == CHANCE or before.position.phase in (ABILITY, GAP):
            ends.append(end + 1)
    return ends


def _pair(cards: list[int], end: CambiaState, generator: random.Random) -> tuple[int, int]:
    """Two of the cards, one of them rather on the table than in the stock."""
    held = [card for hand in end.position.hands for card in hand if card in cards]
    one = generator.choice(held or cards)
    return one, generator.choice([card for card in cards if card != one])
