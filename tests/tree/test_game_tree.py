"""compile(): what it builds, and what it refuses in one clear line."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
import pytest

from fogtree import CHANCE, TERMINAL, Game, State, TabularSolver, compile, load_game
from fogtree.errors import GameError, MemoryLimitError, OptionError


@dataclass(frozen=True, slots=True)
class Node(State):
    """A state made of plain data, to build any game one likes, right or wrong."""

    player: int = TERMINAL
    children: tuple[tuple[object, object], ...] = ()
    probabilities: tuple[float, ...] = ()
    payoffs: tuple[float, ...] = (0.0, 0.0)
    views: tuple[object, ...] = (None, None)
    title: str | None = None

    def actions(self):
        return [action for action, _ in self.children]

    def chance(self):
        return list(zip(self.actions(), self.probabilities, strict=True))

    def child(self, action):
        return dict(self.children)[action]

    def returns(self):
        return self.payoffs

    def observation(self, player):
        return self.views[player]

    def name(self):
        return self.title


@dataclass(frozen=True)
class Wrapped(Game):
    start: State
    players: int = 2

    def root(self):
        return self.start

    def __str__(self):
        return "wrapped"


END = Node()


def choice(player=0, views=(None, None), title=None, *, actions=("a", "b"), ends=END):
    return Node(player, tuple((a, ends) for a in actions), views=views, title=title)


def chance(*children, probabilities=(0.5, 0.5)):
    return Node(CHANCE, tuple(enumerate(children)), probabilities)


def refused(start, match, *, players=2, error=GameError, **options):
    with pytest.raises(error, match=match) as caught:
        compile(Wrapped(start, players), **options)
    assert "\n" not in str(caught.value)


def test_unequal_actions_in_an_information_set():
    refused(chance(choice(), choice(actions=("a", "c"))), "could tell them apart")


@pytest.mark.parametrize("probabilities", [(0.5, 0.4), (0.5, math.nan), (1.5, -0.5), (math.inf, 0)])
def test_chance_that_does_not_sum_to_one(probabilities):
    refused(chance(END, END, probabilities=probabilities), "sum to 1")


@pytest.mark.parametrize("payoffs", [(math.nan, 0.0), (math.inf, 0.0)])
def test_payoffs_that_are_not_numbers(payoffs):
    refused(choice(ends=Node(payoffs=payoffs)), "not a finite number")


def test_payoffs_for_another_number_of_players():
    refused(choice(ends=Node(payoffs=(1.0,))), "1 payoffs at the end of a game of 2")


def test_the_same_name_twice():
    first = choice(views=("x", None), title="same")
    second = choice(views=("y", None), title="same")
    refused(chance(first, second), "the same name 'same'")


def test_a_state_that_is_its_own_child():
    class Loop(State):
        player = 0

        def actions(self):
            return ["again"]

        def child(self, action):
            return self

        def observation(self, player):
            return None

    refused(Loop(), "back to the same state")


def test_a_cycle():
    class Loop(State):
        player = 0

        def actions(self):
            return ["stop", "again"]

        def child(self, action):
            return END if action == "stop" else Loop()

        def observation(self, player):
            return None

    refused(Loop(), "cycle")


def test_no_actions_and_equal_actions():
    refused(choice(actions=()), "exist and differ")
    refused(choice(actions=("a", "a")), "exist and differ")
    refused(choice(actions=(1, True)), "exist and differ")


def test_a_player_that_is_not_there():
    refused(choice(player=2), "player 2 to move")
    refused(choice(player=-3), "player -3 to move")
    refused(END, "players must be", players=0)


def test_memory_limit():
    refused_game = load_game("liars_dice(sides=5)")
    with pytest.raises(MemoryLimitError, match="would not fit"):
        compile(refused_game, memory=1_000_000)


def test_perfect_recall_by_construction():
    """A careless view that forgets the own action still makes different information sets."""
    later = choice(player=0, views=("blank", None))
    start = Node(0, (("left", later), ("right", later)), views=("blank", None))
    tree = compile(Wrapped(start))
    assert len(tree.infoset_names) == 3
    assert len(set(tree.infoset_names)) == 3


def test_unnoticed_steps_stay_unnoticed():
    """The other player moves in secret; the view does not change, so nothing is known of it."""
    mine = choice(player=0, views=("v", None))
    start = Node(1, (("x", mine), ("y", mine)), views=("v", None))
    tree = compile(Wrapped(start))
    assert [int(p) for p in tree.infoset_player] == [1, 0]


def test_forced_moves_and_certain_chance():
    forced = Node(0, (("only", choice(player=1, ends=Node(payoffs=(1.0, -1.0)))),))
    tree = compile(Wrapped(Node(CHANCE, ((0, forced), (1, END)), (1.0, 0.0))))
    sizes = tree.sizes()
    assert sizes.infosets == (1, 1)
    assert sizes.sequences == (2, 3)
    assert sizes.nodes == 5  # the impossible outcome is not there


def test_sizes_of_known_games():
    leduc = compile(load_game("leduc_poker")).sizes()
    assert (leduc.nodes, leduc.terminals, leduc.infosets) == (9457, 5520, (468, 468))
    assert leduc.merged_infosets == (144, 144)  # suits decide nothing
    kuhn = compile(load_game("kuhn_poker")).sizes()
    assert (kuhn.nodes, kuhn.infosets, kuhn.sequences) == (58, (6, 6), (13, 13))
    assert kuhn.merged_infosets == (6, 6)


def test_names_of_kuhn():
    tree = compile(load_game("kuhn_poker"))
    assert set(tree.infoset_names) == {c + h for c in "JQK" for h in ("", "cb", "c", "b")}
    assert tree.infoset_labels[tree.infoset("Jcb")] == ("fold", "call")
    assert tree.zero_sum


def test_arrays_of_a_tree():
    tree = compile(load_game("kuhn_poker"))
    assert tree.slots == 24
    assert np.array_equal(tree.first_slot[1:] - tree.first_slot[:-1], tree.infoset_actions)
    assert tree.chance[tree.parent >= 0].min() > 0


def test_names_that_look_alike():
    """Derived names must be unique as well, and so must actions as they are read."""
    refused(chance(choice(views=(1, None)), choice(views=("1", None))), "same name '0:1'")
    given = choice(views=("x", None), title="0:y")
    refused(chance(given, choice(views=("y", None))), "same name '0:y'")
    refused(choice(actions=(1, "1")), "exist and differ")
    tree = compile(Wrapped(choice(actions=(True, False))))
    assert tree.infoset_labels == (("True", "False"),)


def test_names_of_views_that_do_not_compare_to_truth_values():
    """``np.float64(1) != ()`` is an empty array."""
    later = choice(views=((), None))
    tree = compile(Wrapped(Node(0, (("a", later), ("b", later)), views=(np.float64(1), None))))
    assert tree.infoset_names[1:] == ("0:1.0/a/()", "0:1.0/b/()")


def test_any_value_can_be_an_action():
    """None too: it is not the same as not acting."""
    later = choice(player=0, views=("seen", None))
    tree = compile(Wrapped(Node(0, ((None, later), ("b", later)), views=("seen", None))))
    assert len(tree.infoset_names) == 3


def test_what_is_not_a_game():
    refused(choice(views=([], None)), "hashable")
    refused(Node(player=None), "to move")
    refused(choice(ends=Node(payoffs=(None, 1.0))), "must be numbers")
    refused(END, "players must be", players=200)


def test_memory_of_tiny_games():
    with pytest.raises(MemoryLimitError):
        compile(load_game("kuhn_poker"), memory=10)
    for wrong in (0, -5):
        with pytest.raises(OptionError):
            compile(load_game("kuhn_poker"), memory=wrong)


def test_bytes_are_told_before_solving(tmp_path):
    """What is told is at least what the arrays take."""
    tree = compile(load_game("leduc_poker"))
    solver = TabularSolver(tree, "cfr+")
    assert tree.sizes().bytes >= solver._machine.bytes + tree.flat.bytes + tree.form.bytes


def test_small_payoffs_are_not_taken_for_zero_sum():
    tree = compile(Wrapped(choice(ends=Node(payoffs=(1e-10, 1e-10)))))
    assert not tree.zero_sum
    assert compile(Wrapped(choice())).zero_sum


def test_payoffs_of_constant_sum_are_told_from_others_and_balanced():
    tree = compile("kuhn_poker")
    shifted = replace(tree, payoffs=tree.payoffs + np.array([2.0, 0.5]))
    uneven = replace(tree, payoffs=tree.payoffs * np.array([2.0, 1.0]))
    kinds = [one.payoff_kind for one in (tree, shifted, uneven)]
    assert kinds == ["zero-sum", "constant-sum", "general-sum"]
    assert tree.balanced() is tree
    assert uneven.balanced() is uneven
    balanced = shifted.balanced()
    assert balanced.payoff_kind == "zero-sum"
    np.testing.assert_allclose(shifted.payoffs - balanced.payoffs, 1.25)
