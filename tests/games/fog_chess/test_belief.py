"""The belief: it holds the true position, equals brute force, and is sampled without bias."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Iterator

import numpy as np
import pytest
from scipy import stats

from fogtree._core import FogChessPosition
from fogtree.errors import NotationError, OptionError
from fogtree.game import TERMINAL
from fogtree.games.fog_chess.belief import SQUARE_KINDS, BeliefLimits, FogBelief
from fogtree.games.fog_chess.game import FogChess, FogChessState
from fogtree.games.fog_chess.observation import FogObservation
from fogtree.games.fog_chess.rules import PRESETS, START_FEN, preset, read_fen
from tests.support.fog_chess_truth import (
    ALONE,
    ANEW,
    BEYOND,
    FROM_START,
    OF_AGENT,
    PLAYERS,
    follow_games,
)

pytestmark = pytest.mark.long

ONE_THREAD = BeliefLimits(threads=1)


def greedy_action(state: FogChessState, generator: random.Random) -> str:
    """Take a king or else any piece if that is possible, so that games are not all quiet."""
    captures = [a for a in state.actions() if "x" in state.san(a)]
    kings = [a for a in captures if state.san(a).endswith("#")]
    return generator.choice(kings or captures or state.actions())


def random_action(state: FogChessState, generator: random.Random) -> str:
    return generator.choice(state.actions())


def check_truth_along_a_game(
    seed: int, *, greedy: bool, rules: str, plies: int, cap: int = 200_000
) -> int:
    """Play a game and hold both players' beliefs; returns how many updates were checked.

    A belief that outgrew the cap may lose the truth; it is begun anew from the true position.
    """
    generator = random.Random(seed)
    state = FogChess(rules=rules).root()
    limits = BeliefLimits(cap=cap, threads=1)
    beliefs = [FogBelief.start(player, rules=rules, limits=limits) for player in (0, 1)]
    checked = 0
    for _ in range(plies):
        if state.player == TERMINAL:
            break
        action = (greedy_action if greedy else random_action)(state, generator)
        mover, state = state.player, state.child(action)
        for player in (0, 1):
            view = state.observation(player)
            belief = beliefs[player]
            belief = (
                belief.after_own_move(action, view)
                if player == mover
                else belief.after_other_move(view)
            )
            beliefs[player] = belief
            assert belief.view == view
            if belief.complete:
                assert state.position in belief, (seed, state.fen)
                checked += 1
            else:
                beliefs[player] = FogBelief.of([state.position], player, rules=rules, limits=limits)
    return checked


@pytest.mark.parametrize("greedy", [False, True], ids=["random", "greedy"])
def test_truth_is_in_the_belief_at_every_ply(greedy: bool) -> None:
    checked = sum(
        check_truth_along_a_game(seed, greedy=greedy, rules="chesscom", plies=60)
        for seed in range(16)
    )
    assert checked > 800


def test_truth_in_whole_games_of_all_kinds_in_beliefs_begun_anew_beyond_the_cap() -> None:
    check_counts(follow_games(18, cap=10_000), 18)


@pytest.mark.slow
def test_truth_in_2_000_whole_games_in_beliefs_begun_anew_beyond_the_cap() -> None:
    """See ``fog_chess_truth.py`` for what is counted, and how a belief that outgrows its cap is."""
    check_counts(follow_games(2_000, cap=200_000, processes=2), 2_000)


def check_counts(counts: Counter[str], games: int) -> None:
    assert counts["games"] == games
    assert counts[ALONE] == 2 * counts["plies"]
    followed = counts[FROM_START] + counts[ANEW] + counts[BEYOND]
    assert followed == 2 * counts["plies"] > 40 * games
    assert counts[FROM_START] > counts["plies"]
    assert all(counts[f"seats of {name}"] >= 2 * games // 3 - 2 for name in PLAYERS)
    assert counts[OF_AGENT] > 10 * games


@pytest.mark.parametrize("rules", list(PRESETS))
def test_an_update_is_the_union_of_the_updates_of_the_positions(rules: str, kernel: str) -> None:
    """The squares whose change a player would notice are found from one position of the belief and
    used for all: they must be the same whichever it is, or a belief loses what one alone keeps."""
    checked = 0
    for fen in SMALL:
        generator = random.Random(f"union/{fen}")
        state = FogChess(fen=fen, rules=rules).root()
        beliefs = [FogBelief.start(player, fen=fen, rules=rules) for player in (0, 1)]
        for _ in range(12):
            action = random_action(state, generator)
            mover, state = state.player, state.child(action)
            if state.player == TERMINAL or max(map(len, beliefs)) > 400:
                break
            views = [state.observation(player) for player in (0, 1)]
            beliefs[mover] = beliefs[mover].after_own_move(action, views[mover])
            waiting, view = beliefs[1 - mover], views[1 - mover]
            beliefs[1 - mover] = waiting.after_other_move(view)
            assert set(beliefs[1 - mover]) == {
                child for position in waiting for child in _after(position, view, rules)
            }
            checked += len(waiting)
    assert checked > 300


def _after(position: FogChessPosition, view: FogObservation, rules: str) -> FogBelief | tuple[()]:
    """What one position alone may have become; nothing if it cannot lead to the view."""
    try:
        return FogBelief.of([position], view.player, rules=rules).after_other_move(view)
    except NotationError as error:
        assert "leads to this view" in str(error)
        return ()


@pytest.mark.parametrize("rules", list(PRESETS))
def test_truth_is_in_the_belief_under_every_preset(rules: str, kernel: str) -> None:
    for seed in range(100, 104):
        check_truth_along_a_game(seed, greedy=seed % 2 == 0, rules=rules, plies=50)


Clocks = dict[FogChessPosition, set[int]]
"""Positions, each with the halfmove clocks of all histories that lead to it."""


def with_view(children: Iterable[FogChessPosition], view: FogObservation, rules: str) -> Clocks:
    """The positions that give the player this view: the definition, nothing clever."""
    found: Clocks = {}
    for child in children:
        if FogObservation.of(child, view.player, preset(rules)) == view:
            found.setdefault(child, set()).add(child.halfmove)
    return found


def histories(positions: Clocks) -> Iterator[FogChessPosition]:
    """Every position once with every clock that it can have."""
    for position, clocks in positions.items():
        fields = position.fen.split()
        for clock in clocks:
            yield read_fen(" ".join([*fields[:4], str(clock), fields[5]]))


SMALL = [
    START_FEN,
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "4k3/pppp4/8/8/4PPPP/8/8/4K3 b - - 0 1",
    "4k3/P6P/8/8/8/8/p6p/4K3 w - - 0 1",
    "r3k2r/1p4p1/8/P1p2P1P/p1P2p1p/8/1P4P1/R3K2R w KQkq - 0 1",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
]


@pytest.mark.parametrize("rules", list(PRESETS))
@pytest.mark.parametrize("fen", SMALL)
def test_belief_equals_brute_force(fen: str, rules: str, kernel: str) -> None:
    sizes: Counter[int] = Counter()
    for seed in range(3):
        generator = random.Random(seed)
        state = FogChess(fen=fen, rules=rules).root()
        beliefs = [FogBelief.start(player, fen=fen, rules=rules) for player in (0, 1)]
        expected = [{state.position: {state.position.halfmove}} for _ in (0, 1)]
        for _ in range(14):
            if state.player == TERMINAL:
                break
            action = random_action(state, generator)
            mover, state = state.player, state.child(action)
            for player in (0, 1):
                view = state.observation(player)
                if player == mover:
                    beliefs[player] = beliefs[player].after_own_move(action, view)
                    moved = (p.play(p.read_uci(action)) for p in histories(expected[player]))
                else:
                    beliefs[player] = beliefs[player].after_other_move(view)
                    before = histories(expected[player])
                    moved = (p.play(move) for p in before for move in p.moves())
                expected[player] = with_view(moved, view, rules)
                assert len(beliefs[player]) == len(expected[player])
                assert set(beliefs[player]) == set(expected[player])
                assert all(p.halfmove in expected[player][p] for p in beliefs[player])
                sizes[player] = max(sizes[player], len(beliefs[player]))
            if max(len(positions) for positions in expected) > 1_000:
                break
    assert max(sizes.values()) > 10


QUIET = ["a2a3", "a7a6", "h2h3", "h7h6", "b1c3", "b8c6", "c3b1", "c6b8", "b1c3", "b8c6", "c3b1"]


def quiet_belief(limits: BeliefLimits, moves: list[str]) -> tuple[FogBelief, FogChessState]:
    state = FogChess().root()
    belief = FogBelief.start(0, limits=limits)
    for move in moves:
        mover, state = state.player, state.child(move)
        view = state.observation(0)
        belief = belief.after_own_move(move, view) if mover == 0 else belief.after_other_move(view)
    return belief, state


def keys(belief: FogBelief) -> list[int]:
    return [position.key for position in belief]


def test_the_result_does_not_depend_on_threads() -> None:
    one, _ = quiet_belief(BeliefLimits(threads=1), QUIET)
    four, _ = quiet_belief(BeliefLimits(threads=4), QUIET)
    assert len(one) > 50_000
    assert keys(one) == keys(four)
    capped_one, _ = quiet_belief(BeliefLimits(threads=1, cap=20_000), QUIET)
    capped_four, _ = quiet_belief(BeliefLimits(threads=4, cap=20_000), QUIET)
    assert len(capped_one) <= 20_000
    assert keys(capped_one) == keys(capped_four)


def test_beyond_the_cap_a_belief_says_so_and_is_a_subset() -> None:
    full, _ = quiet_belief(ONE_THREAD, QUIET[:8])
    assert full.complete
    capped, _ = quiet_belief(BeliefLimits(cap=1_000, threads=1), QUIET[:8])
    assert not capped.complete
    assert len(capped) == 1_000
    assert set(capped) <= set(full)


def test_a_smaller_cap_keeps_a_part_of_what_a_larger_one_keeps() -> None:
    """Who is kept depends on the seed alone, not on where the cut was guessed to be. A belief made
    of positions does not know how often children repeat and guesses wrong; one that grew does."""
    grown, state = quiet_belief(ONE_THREAD, QUIET[:7])
    assert len(grown) > 1_000
    view = state.child(QUIET[7]).observation(0)
    full = keys(grown.after_other_move(view))
    larger = set(full)
    for cap in (15_000, 9_000, 4_000, 2_500, 1_800):
        made = FogBelief.of(grown, 0, limits=BeliefLimits(cap=cap, seed=5, threads=1))
        kept = set(keys(made.after_other_move(view)))
        assert len(kept) == min(cap, len(full))
        assert kept <= larger
        larger = kept
        followed, _ = quiet_belief(BeliefLimits(cap=cap, threads=1), QUIET[:8])
        assert len(followed) == min(cap, len(full))
        assert followed.complete == (cap >= len(full))


def test_the_subset_beyond_the_cap_is_drawn_without_bias() -> None:
    """Every position of one update is equally often among those kept, whatever its parents."""
    before, state = quiet_belief(ONE_THREAD, QUIET[:5])
    after = state.child(QUIET[5])
    full = before.after_other_move(after.observation(0))
    size, cap, draws = len(full), 300, 400
    kept: Counter[int] = Counter()
    for seed in range(draws):
        limits = BeliefLimits(cap=cap, seed=seed, threads=1)
        again = FogBelief.of(before, 0, limits=limits)
        kept.update(keys(again.after_other_move(after.observation(0))))
    assert set(kept) <= set(keys(full))
    counts = np.array([kept[key] for key in keys(full)])
    assert counts.sum() == cap * draws
    # Each count is binomial (draws, cap / size); their sum of squares is chi-square like.
    share = cap / size
    statistic = ((counts - draws * share) ** 2 / (draws * share * (1 - share))).sum()
    assert stats.chi2(size - 1).sf(statistic) > 1e-4
    # Positions that several parents lead to are not kept more often.
    parents: Counter[int] = Counter()
    for position in before:
        parents.update(position.play(move).key for move in position.moves())
    many = np.array([parents[key] > 1 for key in keys(full)])
    assert many.any()
    gap = counts[many].mean() - counts[~many].mean()
    error = np.sqrt(draws * share * (1 - share) * (1 / many.sum() + 1 / (~many).sum()))
    assert abs(gap) < 4 * error


def test_marginals_count_the_positions() -> None:
    belief, state = quiet_belief(ONE_THREAD, QUIET[:6])
    marginals = belief.marginals()
    assert marginals.shape == (64, len(SQUARE_KINDS))
    expected = np.zeros((64, 13))
    for position in belief:
        for square in range(64):
            expected[square, SQUARE_KINDS.index(position.letter_at(square))] += 1
    np.testing.assert_array_equal(marginals, expected / len(belief))
    np.testing.assert_allclose(marginals.sum(axis=1), 1)
    assert marginals[4, SQUARE_KINDS.index("K")] == 1
    assert state.position in belief


def test_samples_are_distinct_members() -> None:
    belief, _ = quiet_belief(ONE_THREAD, QUIET[:6])
    chosen = belief.sample(100, seed=3)
    assert len(set(chosen)) == 100
    assert set(chosen) <= set(belief)
    assert belief.sample(100, seed=3) == chosen
    assert len(belief.sample(10**6)) == len(belief)


def test_contradictions_are_errors() -> None:
    belief, state = quiet_belief(ONE_THREAD, QUIET[:1])
    elsewhere = FogChess().root().child("e2e4").child("e7e5").observation(0)
    with pytest.raises(NotationError, match="leads to this view"):
        belief.after_other_move(elsewhere)
    with pytest.raises(NotationError, match="side to move"):
        belief.after_other_move(state.observation(0))
    with pytest.raises(NotationError, match="other player"):
        belief.after_other_move(state.child("a7a6").observation(1))
    with pytest.raises(NotationError, match="other side's move"):
        belief.after_own_move("a7a6", state.child("a7a6").observation(0))
    with pytest.raises(NotationError, match="tell these positions apart"):
        FogBelief.of([FogChess().root().position, state.position], 0)
    with pytest.raises(NotationError, match="at least one"):
        FogBelief.of([], 0)
    for wrong in ({"cap": 0}, {"threads": -1}, {"seed": -1}):
        with pytest.raises(OptionError):
            BeliefLimits(**wrong)
