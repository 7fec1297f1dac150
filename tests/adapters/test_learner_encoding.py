"""What learners of other libraries get: numbers of actions, and vectors of what a seat knows."""

from __future__ import annotations

import random
from dataclasses import dataclass

import numpy as np
import pytest

from fogtree import CHANCE, TERMINAL, Game, State, load_game
from fogtree.adapters.learner_encoding import HASHED, LearnerEncoding, learner_encoding
from fogtree.errors import GameError, IllegalActionError
from fogtree.games.fog_chess.learner_view import ALL_MOVES
from tests.support.history_walk import outcomes, play, walk

WALKED = (
    "rock_paper_scissors",
    "kuhn_poker",
    "kuhn_poker(players=3)",
    "leduc_poker(ranks=2, raises=1)",
    "leduc_poker(raises=0)",
    "goofspiel(cards=3)",
    'goofspiel(cards=3, points="random", hidden=False)',
    "battleship(height=1, ships=(1, 2), values=(1, 3), shots=2)",
    "liars_dice(sides=3)",
    "phantom_ttt(rows=1, columns=5, line=2, max_plies=4)",
)


def vectors(encoding: LearnerEncoding, path: tuple[object, ...]) -> list[bytes]:
    """The vector of every player after a history, in the way an environment makes them."""
    state = encoding.game.root()
    memories = [encoding.memory(player) for player in range(encoding.game.players)]
    for player, memory in enumerate(memories):
        memory.look(state.observation(player), None)
    for action in path:
        mover, state = state.player, state.child(action)
        for player, memory in enumerate(memories):
            memory.look(state.observation(player), (action,) if player == mover else None)
    return [memory.vector().tobytes() for memory in memories]


@pytest.mark.parametrize("spec", WALKED)
def test_a_vector_tells_what_the_player_remembers_and_nothing_else(spec: str) -> None:
    encoding = learner_encoding(load_game(spec))
    vector_of: dict[object, bytes] = {}
    memory_of: dict[object, object] = {}
    for visit in walk(encoding.game):
        for player, vector in enumerate(vectors(encoding, visit.path)):
            memory = (player, visit.memories[player])
            assert vector_of.setdefault(memory, vector) == vector
            if visit.state.player == player:
                assert memory_of.setdefault(vector, memory) == memory


@pytest.mark.parametrize("spec", WALKED)
def test_actions_are_those_of_the_game(spec: str) -> None:
    game = load_game(spec)
    met = {
        str(action)
        for visit in walk(game)
        if visit.state.player >= 0
        for action in visit.state.actions()
    }
    actions = learner_encoding(game).actions
    assert len(actions) == len(set(actions))
    assert set(actions) == met


@pytest.mark.parametrize("spec", ["battleship", "phantom_ttt", "cambia", "fog_chess"])
def test_vectors_of_large_games_do_not_depend_on_what_is_hidden(spec: str) -> None:
    """Two games are compared as long as a player cannot tell them apart."""
    encoding = learner_encoding(load_game(spec))
    compared = 0
    for seed in range(12):
        seen = [list(play(encoding.game, random.Random(f"{seed} {k}"))) for k in range(2)]
        for first, second in zip(*seen, strict=False):
            for player in range(2):
                if first.memories[player] == second.memories[player]:
                    one, other = vectors(encoding, first.path), vectors(encoding, second.path)
                    assert one[player] == other[player]
                    compared += first.path != second.path
    assert compared > 0


def test_large_games_share_numbers_by_a_hash_that_is_always_the_same() -> None:
    encoding = learner_encoding(load_game("liars_dice"))
    assert encoding.size == 2 + HASHED
    memory = encoding.memory(1)
    memory.look("4", None)
    assert np.flatnonzero(memory.vector()).tolist() == [1, 2398]


def test_chess_has_1968_moves() -> None:
    assert len(ALL_MOVES) == len(set(ALL_MOVES)) == 1968
    game = load_game("fog_chess")
    for seed in range(5):
        for visit in play(game, random.Random(seed)):
            assert set(outcomes(visit.state)) <= set(ALL_MOVES)


def test_views_of_chess_from_either_side() -> None:
    """At the start, both sides see their own men at the same places; only the colour and whose turn
    it is differ."""
    game = load_game("fog_chess")
    encoding = learner_encoding(game)
    assert encoding.between_0_and_1
    white, black = (np.frombuffer(one, np.float32) for one in vectors(encoding, ()))
    assert np.flatnonzero(white != black).tolist() == [960, 961]
    state = game.root().child("e2e4").child("d7d5")
    after = [np.frombuffer(one, np.float32) for one in vectors(encoding, ("e2e4", "d7d5"))]
    board = after[0][:960].reshape(64, 15)
    for square, mark in enumerate(state.observation(0).marks()):
        assert "PNBRQKpnbrqk.?#"[int(board[square].argmax())] == mark
        assert board[square].sum() == 1


@dataclass(frozen=True)
class Walk(Game):
    """A step to the left or right at a time, ``length`` times; nobody lists the actions."""

    players = 1
    length: int = 3

    def root(self) -> Place:
        return Place(self, ())


@dataclass(frozen=True)
class Place(State):
    game: Walk
    steps: tuple[str, ...]

    @property
    def player(self) -> int:
        return TERMINAL if len(self.steps) == self.game.length else 0

    def actions(self) -> list[str]:
        return [f"left {len(self.steps)}", f"right {len(self.steps)}"]

    def child(self, action: object) -> Place:
        return Place(self.game, (*self.steps, str(action)))

    def returns(self) -> list[float]:
        return [float(sum(step.startswith("left") for step in self.steps))]

    def observation(self, player: int) -> object:
        return None


def test_actions_of_a_small_game_are_found() -> None:
    encoding = learner_encoding(Walk())
    assert encoding.actions == ("left 0", "right 0", "left 1", "right 1", "left 2", "right 2")
    assert encoding.lowest == 0


def test_a_large_game_must_list_its_actions() -> None:
    with pytest.raises(GameError, match=r"Walk\(length=40\) is too large .* all_actions\(\)"):
        learner_encoding(Walk(40))


def test_an_action_that_is_not_listed_is_an_error() -> None:
    class Wrong(Walk):
        def all_actions(self) -> tuple[str, ...]:
            return ("left 0",)

    encoding = learner_encoding(Wrong())
    with pytest.raises(GameError, match=r"all_actions\(\) does not list 'right 0'"):
        encoding.legal(encoding.game.root())


def test_illegal_numbers_are_errors_in_one_line() -> None:
    encoding = learner_encoding(load_game("kuhn_poker"))
    state = encoding.game.root()
    while state.player == CHANCE:
        state = state.child(state.chance()[0][0])
    legal = encoding.legal(state)
    assert encoding.chosen(legal, np.int64(1)) == "bet"
    for wrong in (2, -1, 99, None, "x", 1e9):
        with pytest.raises(IllegalActionError, match=r"legal: 0 \(check\), 1 \(bet\)$"):
            encoding.chosen(legal, wrong)


def test_views_without_a_text_of_their_own_are_refused_in_large_games() -> None:
    class Opaque:
        pass

    class Hidden(Walk):
        def all_actions(self) -> tuple[str, ...]:
            return ("left", "right")

    encoding = learner_encoding(Hidden(40))
    with pytest.raises(GameError, match=r"views must be made of texts, .* unlike"):
        encoding.memory(0).look((1, Opaque()), None)
