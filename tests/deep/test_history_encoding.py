"""The encoding of a game that is not compiled: the same in every process, and known to networks."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

import fogtree
from fogtree import TERMINAL, Game, State
from fogtree.agents.lookup import agent as make_agent
from fogtree.arena.play import play_game
from fogtree.deep.history_encoding import HistoryEncoding
from fogtree.deep.policy import Policy
from fogtree.deep.policy_strategy import policy_strategy
from fogtree.errors import GameError, OptionError

QUICK = {
    "run": {"compiled": False, "iterations": 1},
    "traversal": {"traversals": 20},
    "network": {"hidden": [4]},
    "regret": {"steps": 2},
}


@dataclass(frozen=True)
class Pick(Game):
    """Two players choose a letter, one after the other, in secret."""

    short_name = "pick"
    players = 2
    letters = ("a", "b")
    shown = "a"

    def root(self) -> State:
        return Picking(self)

    def all_actions(self) -> object:
        return np.array(self.letters)


class Seeing(Pick):
    """The same with features of its own, which the end of a game does not have."""

    def features(self, view: object) -> Sequence[float]:
        assert view != "over"
        return [1.0]


class Changed(Pick):
    """The same game with its actions in another order."""

    letters = ("b", "a")


@dataclass(frozen=True)
class Opaque:
    """A part of a view that does not show its contents."""

    inside: object = field(repr=False)


class Hiding(Pick):
    """The same with views whose parts are not the same in every process."""

    shown = Opaque(object())


class Crowd(Pick):
    """A game of many players."""

    players = 33


@dataclass(frozen=True)
class Picking(State):
    game: Pick
    chosen: tuple = ()

    @property
    def player(self) -> int:
        return TERMINAL if len(self.chosen) == 2 else len(self.chosen)

    def actions(self) -> Sequence[object]:
        return self.game.letters

    def child(self, action: object) -> State:
        return Picking(self.game, (*self.chosen, action))

    def returns(self) -> Sequence[float]:
        won = 1 if self.chosen[0] == self.chosen[1] else -1
        return [-won, won]

    def observation(self, player: int) -> object:
        if self.player == TERMINAL:
            return "over"
        return self.game.shown, len(self.chosen)


def test_networks_of_another_encoding_are_refused(tmp_path: Path) -> None:
    folder, changed = tmp_path / "run", Changed()
    fogtree.train(Pick(), QUICK, folder=folder)
    policy, before, after = Policy.load(folder), HistoryEncoding(Pick()), HistoryEncoding(changed)
    assert policy.encoding == before.fingerprint == HistoryEncoding(Pick()).fingerprint
    assert (after.feature_count, after.action_count) == (before.feature_count, before.action_count)
    assert after.fingerprint != before.fingerprint
    make_agent(f"deep:{folder}", Pick())
    with pytest.raises(OptionError, match="by other rules"):
        make_agent(f"deep:{folder}", changed)
    with pytest.raises(OptionError, match="by other rules"):
        policy_strategy(changed, fogtree.compile(changed), policy)
    with pytest.raises(OptionError, match="by other rules"):
        fogtree.train(changed, {"run": {"iterations": 2}}, folder=folder, resume=True)


def test_the_end_of_a_game_is_not_encoded(tmp_path: Path) -> None:
    game = Seeing()
    fogtree.train(game, QUICK, folder=tmp_path / "run")
    agents = [make_agent(f"deep:{tmp_path / 'run'}", game) for _ in range(2)]
    assert len(play_game(game, agents, seed="1").record.returns) == 2


def test_views_that_differ_between_processes_are_refused() -> None:
    with pytest.raises(GameError, match=r"^pick: views and actions must be texts"):
        HistoryEncoding(Hiding())


def test_too_many_players_are_refused() -> None:
    with pytest.raises(OptionError, match=r"^pick: training is for at most 32 players, not 33$"):
        fogtree.train(Crowd(), QUICK)


def test_many_facts_share_many_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fogtree.deep.history_encoding.MOST_KNOWN", 5)
    monkeypatch.setattr("fogtree.deep.history_encoding.SHARED", 4)
    encoding = HistoryEncoding(fogtree.load_game("leduc_poker"))
    assert encoding.facts.shared > 4
    rows = encoding.tree_encoding(fogtree.compile("leduc_poker")).memory
    for first, end in pairwise(rows.first.tolist()):
        shared = rows.index[first:end] >= len(encoding.facts)
        assert shared.sum() <= encoding.facts.shared / 4


CODES = """
import fogtree
from fogtree.deep import history_encoding as module

module.MOST_KNOWN = 5  # most facts share columns
module.listed_actions = lambda game: None  # and new actions too
encoding = module.HistoryEncoding(fogtree.load_game("leduc_poker"))
tree = fogtree.compile("leduc_poker")
rows = encoding.tree_encoding(tree)
print(encoding.fingerprint, rows.memory.index.tolist(), rows.column.tolist())
print(encoding.columns(["raise", "new", "another"]).tolist())
"""


def test_codes_and_columns_are_the_same_in_every_process() -> None:
    found = {
        subprocess.run(
            [sys.executable, "-c", CODES],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(found) == 1
    assert len(next(iter(found))) > 1000
