"""Kuhn poker by its own rules."""

from __future__ import annotations

import itertools

from fogtree.game import TERMINAL
from fogtree.games.kuhn_poker import KuhnPoker
from tests.support.history_walk import measure, walk


def test_names_are_the_usual_ones() -> None:
    names: list[set[str | None]] = [set(), set()]
    for visit in walk(KuhnPoker()):
        if visit.state.player >= 0:
            names[visit.state.player].add(visit.state.name())
    assert names[0] == {"J", "Q", "K", "Jcb", "Qcb", "Kcb"}
    assert names[1] == {"Jc", "Qc", "Kc", "Jb", "Qb", "Kb"}


def test_returns_of_every_line_of_play() -> None:
    for first, second in itertools.permutations("JQK", 2):
        higher = 1 if "JQK".index(first) > "JQK".index(second) else -1
        for line, gain in {
            ("check", "check"): higher,
            ("check", "bet", "fold"): -1,
            ("check", "bet", "call"): 2 * higher,
            ("bet", "fold"): 1,
            ("bet", "call"): 2 * higher,
        }.items():
            state = KuhnPoker().root()
            for action in (first, second, *line):
                state = state.child(action)
            assert state.player == TERMINAL
            assert state.returns() == [gain, -gain]


def test_ante_and_bet_scale_the_pot() -> None:
    state = KuhnPoker(ante=2, bet=5).root()
    for action in ("K", "J", "check", "bet", "call"):
        state = state.child(action)
    assert state.returns() == [7, -7]


def test_a_folded_hand_stays_hidden_and_a_called_one_is_shown() -> None:
    deal = KuhnPoker(players=3).root().child("J").child("Q").child("A").child("bet")
    assert deal.child("fold").child("fold").observation(0) == "Jbff"
    assert deal.child("fold").child("call").observation(1) == "Qbfc J?A"


def test_cards_grow_with_the_players() -> None:
    assert [KuhnPoker(players=n).deck for n in (2, 3, 4)] == ["JQK", "JQKA", "TJQKA"]


def test_sizes() -> None:
    """Counted in OpenSpiel 2.0.2's game of the same rules."""
    assert measure(KuhnPoker()).row() == (58, 30, [6, 6])
    assert measure(KuhnPoker(players=3)).row() == (617, 312, [16, 16, 16])
