"""Agents by name: which there are, and what is said about unknown ones."""

from __future__ import annotations

import pytest

from fogtree import load_game
from fogtree.agents import (
    quick_agent_names,
)
from fogtree.arena import (
    play_match,
    tournament,
)
from fogtree.errors import UnknownNameError


def test_everybody_who_can_sit_there_is_in_the_quick_agent_names() -> None:
    two, three = load_game("cambia"), load_game("cambia(players=3)")
    assert set(quick_agent_names(two)) - set(quick_agent_names(three)) == {"deep"}
    assert "search" not in quick_agent_names(two)
    found = tournament(three, quick_agent_names(three), games=3, processes=1)
    assert len(found.ratings) == 7


def test_unknown_agents_are_named() -> None:
    with pytest.raises(UnknownNameError, match="did you mean 'greedy'"):
        play_match("cambia", "gredy", "random", games=2)
    with pytest.raises(UnknownNameError, match="agent for kuhn_poker"):
        play_match("kuhn_poker", "greedy", "random", games=2)
