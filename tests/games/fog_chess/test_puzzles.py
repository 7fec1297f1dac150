"""The puzzles that come with the package."""

from __future__ import annotations

import pytest

from fogtree.agents.budget import Budget
from fogtree.arena.puzzles import Puzzle
from fogtree.game import TERMINAL
from fogtree.games.fog_chess.puzzles import puzzles
from fogtree.search.agent import SearchAgent, search_settings
from fogtree.search.analysis import follow_history


def test_there_are_enough_and_all_are_different() -> None:
    found = puzzles()
    assert len(found) >= 30
    assert len({puzzle.id for puzzle in found}) == len(found)
    assert [puzzle.level for puzzle in found] == sorted(puzzle.level for puzzle in found)


@pytest.mark.parametrize("puzzle", puzzles(), ids=lambda one: one.id)
def test_a_puzzle_is_a_decision_with_one_move_that_is_clearly_best(puzzle: Puzzle) -> None:
    end = puzzle.history().end
    assert end.player != TERMINAL
    legal = set(end.actions())
    assert {move.action for move in puzzle.moves} == legal
    assert puzzle.played in legal
    assert len(legal) >= 8
    assert puzzle.best.probability >= 0.9
    assert puzzle.gap >= 0.12
    assert puzzle.best.value == max(move.value for move in puzzle.moves)
    assert end.child(puzzle.best.action).player != TERMINAL  # not the capture of a king in sight
    assert puzzle.positions >= 1


@pytest.mark.parametrize("puzzle", puzzles()[::10], ids=lambda one: one.id)
def test_a_search_with_another_seed_finds_it_from_what_the_side_saw(puzzle: Puzzle) -> None:
    history = puzzle.history()
    settings = search_settings(history.game, threads=1, budget=Budget(steps=500))
    agent = SearchAgent(history.game, settings)
    follow_history(agent, history, earlier=1, seed="another seed")
    decision = agent.act(Budget(steps=3000))
    agent.close()
    assert max(decision.candidates, key=lambda c: c.probability).action == puzzle.best.action
