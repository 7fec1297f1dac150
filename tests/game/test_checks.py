"""What a game's methods return is checked, whether the game is compiled or played."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pytest

import fogtree
from fogtree.errors import GameError
from fogtree.game import CHANCE, TERMINAL, Game, State
from fogtree.tree.size import guess_size


@dataclass(frozen=True)
class Coin(Game):
    """A coin that one player sees and the other guesses; every answer can be replaced."""

    players = 2
    first: Any = None
    mover: Any = None
    chances: Any = (("h", 0.5), ("t", 0.5))
    then: Any = None
    pays: Any = (1.0, -1.0)
    label: Any = None
    seen: Any = None
    known: Any = None
    offers: Any = ("h", "t")

    def root(self) -> Any:
        return Toss(self, 0) if self.first is None else self.first


@dataclass(frozen=True)
class Toss(State):
    game: Coin
    depth: int

    @property
    def player(self) -> Any:
        usual = {0: CHANCE, 1: 0, 2: 1}.get(self.depth, TERMINAL)
        return self.game.mover if self.depth == 1 and self.game.mover is not None else usual

    def chance(self) -> Any:
        return self.game.chances

    def actions(self) -> Any:
        return self.game.offers

    def child(self, action: Any) -> Any:
        late = self.depth == 1 and self.game.then is not None
        return self.game.then if late else Toss(self.game, self.depth + 1)

    def returns(self) -> Any:
        return self.game.pays

    def observation(self, player: int) -> Any:
        return self.depth if self.game.seen is None else self.game.seen

    def name(self) -> Any:
        return self.game.label

    def facts(self, player: int) -> Any:
        return self.game.known or {}


WRONG = {
    "the root is 7, which is not a State": {"first": 7},
    "player 5 to move, but there are 2": {"mover": 5},
    "player 'x' to move": {"mover": "x"},
    "player True to move": {"mover": True},
    "pairs of an outcome and a number": {"chances": (1, 2)},
    "sum to 1": {"chances": (("h", 0.5),)},
    "payoffs must be numbers": {"pays": ("a", "b")},
    r"payoffs must be numbers, not array\(\[\[0": {"pays": np.zeros((2, 2))},
    "actions must be a list of texts, numbers or other hashable values, not 7": {"offers": 7},
    "hashable": {"offers": [{}]},
    "1 payoffs at the end of a game of 2": {"pays": (1.0,)},
    "a payoff is not a finite number": {"pays": (float("nan"), 0.0)},
    "State": {"then": "a text"},
}


@pytest.mark.parametrize("says", WRONG)
def test_wrong_answers_are_errors_in_one_line(says):
    game = replace(Coin(), **WRONG[says])
    for use in (
        lambda: fogtree.compile(game),
        lambda: fogtree.play(game, ["random", "random"]),
        lambda: fogtree.match(game, "random", "random", games=2),
    ):
        with pytest.raises(GameError, match=says) as refused:
            use()
        assert "\n" not in str(refused.value)


def test_the_game_unbroken():
    assert fogtree.compile(Coin()).players == 2
    assert fogtree.match(Coin(known={"turns": 2}), "random", "random", games=2).games == 2


def test_names_are_texts_and_views_can_be_compared():
    with pytest.raises(GameError, match="no text"):
        fogtree.compile(Coin(label=["a"]))
    with pytest.raises(GameError, match="views"):
        fogtree.compile(Coin(seen=np.zeros(2)))


@pytest.mark.parametrize("known", [5, {"turns": "x"}, {3: 1.0}, {"turns": float("nan")}])
def test_facts_are_numbers_by_name(known):
    with pytest.raises(GameError, match="facts must be numbers by name"):
        fogtree.match(Coin(known=known), "random", "random", games=2)


@pytest.mark.parametrize("players", [0, "2", None, 2.0, 10**9, True])
def test_the_number_of_players_is_checked(players):
    class Odd(Coin):
        pass

    Odd.players = players
    for use in (
        lambda: fogtree.compile(Odd()),
        lambda: fogtree.play(Odd(), ["random", "random"]),
        lambda: fogtree.match(Odd(), "random", "random", games=2),
        lambda: fogtree.agent_names(Odd()),
    ):
        with pytest.raises(GameError, match="players must be a whole number from 1 to 100"):
            use()


@pytest.mark.parametrize("says", [says for says in WRONG if "payoff" not in says])
def test_a_guess_of_the_size_checks_the_same(says):
    with pytest.raises(GameError, match=says):
        guess_size(replace(Coin(), **WRONG[says]))


class Raising(Coin):
    """A coin whose methods may raise StopIteration, which ends generators."""

    where = ""

    def root(self) -> Any:
        return RaisingToss(self, 0)


class RaisingToss(Toss):
    def actions(self) -> Any:
        if self.game.where == "actions":
            raise StopIteration("planned")
        return super().actions()

    def child(self, action: Any) -> Any:
        return RaisingToss(self.game, self.depth + 1)

    def observation(self, player: int) -> Any:
        if self.game.where == "observation":
            raise StopIteration("planned")
        return super().observation(player)


@pytest.mark.parametrize(
    ("use", "where"), [(guess_size, "actions"), (fogtree.compile, "observation")]
)
def test_the_errors_of_a_game_come_through_as_they_are(use, where, monkeypatch):
    monkeypatch.setattr(Raising, "where", where)
    with pytest.raises(StopIteration, match="planned"):
        use(Raising())


@pytest.mark.parametrize("name", [["a"], None, 5])
def test_the_short_name_is_a_text(name, monkeypatch):
    monkeypatch.setattr(Coin, "short_name", name)
    for use in (
        lambda: fogtree.agent("random", Coin()),
        lambda: fogtree.train(Coin(), {"run": {"iterations": 1}}),
    ):
        with pytest.raises(GameError, match="Coin: short_name must be a text, not"):
            use()


def test_the_number_of_players_is_that_of_the_walk(monkeypatch):
    """A game that tells another number later is compiled with the one that was checked."""
    told = iter([2, 2])
    monkeypatch.setattr(Coin, "players", property(lambda self: next(told, 0)))
    assert fogtree.compile(Coin()).players == 2
