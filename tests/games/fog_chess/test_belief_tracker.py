"""The belief of a player within the time that there is: exact in the end, a sample meanwhile."""

from __future__ import annotations

import random

import pytest

from fogtree._core import FogChessBeliefStep, StopFlag
from fogtree.errors import FogtreeError
from fogtree.games.fog_chess import belief_tracker
from fogtree.games.fog_chess.belief import BeliefLimits, FogBelief
from fogtree.games.fog_chess.belief_tracker import BeliefTracker
from fogtree.games.fog_chess.game import FogChess, FogChessState

GAME = FogChess()
LIMITS = BeliefLimits(threads=1)
NO_TIME = 1e-9


@pytest.fixture
def waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    """No update is done at once."""
    monkeypatch.setattr(belief_tracker, "AT_ONCE", 0)


def random_game(seed: int, plies: int) -> list[tuple[str, FogChessState]]:
    """Quiet moves, and the states after them."""
    generator = random.Random(seed)
    state, out = GAME.root(), []
    for _ in range(plies):
        quiet = [move for move in state.actions() if "x" not in state.san(move)]
        move = generator.choice(quiet)
        state = state.child(move)
        out.append((move, state))
    return out


def tracker(player: int, stop: StopFlag | None = None) -> BeliefTracker:
    start = FogBelief.start(player, limits=LIMITS)
    return BeliefTracker(start, GAME.rules, LIMITS, stop or StopFlag())


def show(one: BeliefTracker, player: int, move: str, state: FogChessState) -> None:
    own = state.position.side != player
    number = one.own_moves.read_uci(move) if own else None
    one.observe(state.observation(player), number)


def exact(player: int, game: list[tuple[str, FogChessState]]) -> FogBelief:
    belief = FogBelief.start(player, limits=LIMITS)
    for move, state in game:
        view = state.observation(player)
        own = state.position.side != player
        belief = belief.after_own_move(move, view) if own else belief.after_other_move(view)
    return belief


@pytest.mark.parametrize("player", [0, 1])
def test_without_time_a_part_of_the_belief_and_later_all_of_it(player: int, waiting: None) -> None:
    for seed in range(4):
        game = random_game(seed, 13)
        one = tracker(player)
        for number, (move, state) in enumerate(game):
            show(one, player, move, state)
            assert one.view == state.observation(player)
            if number % 3 == 2:
                some = one.now(NO_TIME)
                assert len(some) > 0
                assert some.view == one.view
                assert set(some) <= set(exact(player, game[: number + 1]))
        assert list(one.whole()) == list(exact(player, game))
        assert one.whole().complete
        assert list(one.now(NO_TIME)) == list(one.whole())
        assert one.restarts == 0


def test_a_sample_is_not_called_complete(waiting: None) -> None:
    game = random_game(2, 14)
    one = tracker(0)
    for move, state in game:
        show(one, 0, move, state)
    whole = exact(0, game)
    assert len(whole) > 3000
    some = one.now(NO_TIME)
    assert not some.complete
    assert 0 < len(some) <= 256


def test_an_update_in_pieces_is_the_update(waiting: None) -> None:
    game = random_game(2, 13)
    belief = exact(0, game[:-1])
    view = game[-1][1].observation(0)
    step = FogChessBeliefStep(belief.native, belief.native[0].read_uci(game[-1][0]), view.native)
    pieces = 1
    while not step.advance(None, 0.0):
        pieces += 1
    assert pieces > 3
    assert list(FogBelief(step.take())) == list(exact(0, game))


def test_a_stop_ends_the_enumeration_and_nothing_is_lost(waiting: None) -> None:
    game = random_game(3, 12)
    stop = StopFlag()
    one = tracker(1, stop)
    for move, state in game:
        show(one, 1, move, state)
    stop.set()
    one.catch_up()
    some = one.now()
    assert len(some) < len(exact(1, game))
    assert set(some) <= set(exact(1, game))
    stop.clear()
    assert list(one.now()) == list(exact(1, game))


def test_a_wrong_view_is_noticed_at_once_or_when_the_enumeration_comes_to_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    wrong = FogChess(fen="4k3/8/8/8/8/8/8/4K3 b - - 0 1").root().observation(1)
    one = tracker(1)
    with pytest.raises(FogtreeError, match="leads to this view"):
        one.observe(wrong)
    assert one.view == GAME.root().observation(1)
    assert len(one.whole()) == 1
    monkeypatch.setattr(belief_tracker, "AT_ONCE", 0)
    one = tracker(1)
    one.observe(wrong)
    for ask in (one.whole, one.now, lambda: one.now(NO_TIME), one.catch_up):
        with pytest.raises(FogtreeError, match="leads to this view"):
            ask()


def test_a_view_alone(waiting: None) -> None:
    view = random_game(5, 12)[-1][1].observation(0)
    one = tracker(0)
    one.restart(view)
    some = one.now(NO_TIME)
    assert 0 < len(some) <= 256
    assert some.view == view
    assert one.restarts == 1
    whole = one.whole()
    assert set(some) <= set(whole) or not whole.complete


@pytest.mark.usefixtures("waiting")
def test_a_captured_king_is_the_end_also_while_views_wait() -> None:
    one, state = tracker(1), GAME.root()
    for move in ("e2e4", "f7f6", "d1h5", "a7a6", "h5e8"):
        assert not one.over
        state = state.child(move)
        show(one, 1, move, state)
    assert one.over
