"""The search of games that are not compiled, compared with that of the same game compiled."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import pytest

import fogtree
from fogtree import _core
from fogtree.agents import Budget
from fogtree.agents.protocol import Observation
from fogtree.errors import GameError
from fogtree.game import CHANCE, TERMINAL, Game, State
from fogtree.registry import load_game
from fogtree.search import SearchAgent, history_adapter
from fogtree.search.decision import SearchDecision
from fogtree.search.history_adapter import HistoryAdapter
from fogtree.search.tree_adapter import TreeAdapter

LARGE = "phantom_ttt(rows=3,columns=3,max_plies=9)"
SMALL = "phantom_ttt(rows=2,columns=3,max_plies=4)"
BUDGET = Budget(steps=150)


@pytest.fixture(params=["native", "protocol"])
def rules(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Where the rules come from: the games' native walks, or their states in Python."""
    if request.param == "protocol":
        for name in ("leduc_poker", "phantom_ttt"):
            kind = type(load_game(name))
            monkeypatch.setattr(kind, "tree_source", lambda self: None)
    return str(request.param)


@pytest.fixture
def exact_values(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leaf values are exact, as in the search of compiled games."""
    monkeypatch.setattr(history_adapter, "_PLAYOUTS", 0)


def walked(game: Game, seed: int) -> Iterator[tuple[State, Any]]:
    """The states of a random game but the last, and the action or outcome at each."""
    luck, state = random.Random(seed), game.root()
    while state.player != TERMINAL:
        if state.player == CHANCE:
            action = luck.choice([action for action, share in state.chance() if share > 0])
        else:
            action = luck.choice(list(state.actions()))
        yield state, action
        state = state.child(action)


def show(agent: SearchAgent, state: State, player: int) -> None:
    actions = tuple(state.actions()) if state.player == player else ()
    name = state.name() if actions else None
    agent.observe(Observation(player, state.observation(player), actions, name))


def numbers(decision: SearchDecision) -> dict[str, Any]:
    """Everything about a decision but its time, its memory and how positions are written."""
    belief: Any = decision.belief
    stats = {k: v for k, v in decision.stats.items() if k not in ("seconds", "bytes")}
    found = {position.path: position.probability for position in belief}
    return {"mix": decision.mix, "values": decision.values, "belief": found, **stats}


@pytest.mark.usefixtures("exact_values", "rules")
@pytest.mark.parametrize("name", ["kuhn_poker", "leduc_poker", SMALL])
@pytest.mark.parametrize("preset", ["paper", "seed"])
def test_it_decides_as_the_search_of_the_compiled_game(name: str, preset: str) -> None:
    game, decisions = load_game(name), 0
    for seed in range(6):
        player = seed % 2
        compiled = fogtree.agent(f"search(preset={preset})", game)
        other = fogtree.agent(f"search(preset={preset}, compile=no)", game)
        assert isinstance(compiled, SearchAgent)
        assert isinstance(other, SearchAgent)
        compiled.start(game, player, str(seed))
        other.start(game, player, str(seed))
        assert type(compiled.adapter) is TreeAdapter
        assert type(other.adapter) is HistoryAdapter
        for state, action in walked(game, seed):
            show(compiled, state, player)
            show(other, state, player)
            if state.player == player:
                assert numbers(other.act(BUDGET)) == numbers(compiled.act(BUDGET))
                assert other.adapter.native.complete
                decisions += 1
                compiled.follow(action)
                other.follow(action)
    assert decisions > 6


@pytest.mark.usefixtures("rules")
def test_a_large_belief_is_a_sample_of_possible_histories() -> None:
    """With a small cap every history of the sample gives the player the same views and actions."""
    game = load_game(LARGE)
    for seed in range(4):
        player = seed % 2
        agent = SearchAgent(game, compile=False, cap=40)
        agent.start(game, player, str(seed))
        seen: list[Any] = []
        for state, action in walked(game, seed):
            show(agent, state, player)
            if state.player != player:
                continue
            native = agent.adapter.native
            assert isinstance(native, _core.HistorySearch)
            paths = native.positions
            assert 1 <= len(set(paths)) == len(paths) <= 40
            for path in paths:
                assert own_story(game, native.labels(path), player) == seen
            agent.act(Budget(steps=20))
            agent.follow(action)
            seen.append((state.observation(player), action))
        assert not agent.adapter.native.complete


def own_story(game: Game, labels: list[str], player: int) -> list[Any]:
    """A player's decisions on a path: the view and the action."""
    state, story = game.root(), []
    for label in labels:
        if state.player == player:
            story.append((state.observation(player), label))
        state = state.child(label)
    return story


@pytest.mark.usefixtures("rules")
def test_histories_that_are_not_needed_are_freed() -> None:
    game = load_game(LARGE)
    agent = SearchAgent(game, compile=False)
    agent.start(game, 0, "seed")
    freed, native = [], agent.adapter.native
    assert isinstance(native, _core.HistorySearch)
    for state, action in walked(game, 3):
        show(agent, state, 0)
        if state.player == 0:
            before = native.histories
            agent.adapter.prepare()
            freed.append(before - native.histories)
            agent.act(Budget(steps=300))
            agent.follow(action)
    assert len(freed) >= 3
    assert sum(freed) > 500


@pytest.mark.usefixtures("rules")
def test_what_no_history_fits_is_refused_and_changes_nothing() -> None:
    game = load_game(LARGE)
    agent = SearchAgent(game, compile=False)
    agent.start(game, 0, "seed")
    root = game.root()
    show(agent, root, 0)
    agent.act(Budget(steps=30))
    agent.follow("b2")
    before = agent.adapter.native.positions
    after = root.child("b2").child("a1")
    for view, name in ((" a1", "P0 a1"), (" b2?", "P0 b2?")):
        with pytest.raises(GameError, match="no history was found that fits"):
            agent.observe(Observation(0, view, tuple(after.actions()), name))
    with pytest.raises(GameError, match="other actions"):
        agent.observe(Observation(0, " b2", ("c3",), "P0 b2"))
    with pytest.raises(GameError, match="other player's view"):
        agent.observe(Observation(1, " a1", (), None))
    assert agent.adapter.native.positions == before
    show(agent, after, 0)
    assert agent.act(Budget(steps=30)).action in after.actions()


@dataclass(frozen=True)
class Guess(Game):
    """A chooser hides one of many numbers and a guesser names one: too wide to be compiled."""

    short_name = "guess"
    players = 2
    payoffs: tuple[float, float] = (1.0, -1.0)

    def root(self) -> State:
        return Guessing(self, ())


@dataclass(frozen=True)
class Guessing(State):
    game: Guess
    chosen: tuple[int, ...]

    @property
    def player(self) -> int:
        return TERMINAL if len(self.chosen) == 6 else len(self.chosen) % 2

    def actions(self) -> list[int]:
        return list(range(40))

    def child(self, action: Any) -> State:
        return replace(self, chosen=(*self.chosen, action))

    def returns(self) -> tuple[float, float]:
        hits = sum(a == b for a, b in zip(self.chosen[::2], self.chosen[1::2], strict=True))
        return (self.game.payoffs[1] * hits, self.game.payoffs[0] * hits)

    def observation(self, player: int) -> tuple[int, ...]:
        return self.chosen[player::2]


def test_it_beats_random_play_in_a_game_that_does_not_fit() -> None:
    result = fogtree.match(LARGE, "search(steps=100)", "random", games=60)
    assert result.win_rate.low > 0.6


def test_a_game_of_openspiel_is_searched() -> None:
    pytest.importorskip("pyspiel")
    result = fogtree.match("openspiel:phantom_ttt", "search(steps=30)", "random", games=2)
    assert result.games == 2
    result = fogtree.match(
        "openspiel:kuhn_poker", "search(compile=no, steps=50)", "random", games=4
    )
    assert result.games == 4


def test_a_game_of_ones_own_that_does_not_fit_is_searched() -> None:
    result = fogtree.match(Guess(), "search(steps=20)", "random", games=4)
    assert result.games == 4


def test_a_game_that_is_not_zero_sum_is_refused() -> None:
    for game in (load_game("battleship(loss_multiplier=3)"), Guess((1.0, 1.0))):
        agent = SearchAgent(game, compile=False)
        with pytest.raises(GameError, match="not a two-player zero-sum game; it cannot be search"):
            agent.start(game, 0, "seed")


@pytest.mark.parametrize("late", ["before the agent", "before the adapter"])
def test_a_stop_that_comes_late_takes_no_possible_history(rules: str, late: str) -> None:
    """A decision is interrupted after its end: the next update of the belief is not refused."""
    game = load_game(LARGE)
    for seed in range(4):
        agent = SearchAgent(game)
        agent.start(game, 1, "5")
        for state, action in walked(game, seed):
            if state.player != 1:
                continue
            if late == "before the agent":
                agent.interrupt()
                show(agent, state, 1)
            else:
                agent.native.stop_flag.set()
                view = state.observation(1), tuple(state.actions()), state.name()
                agent.adapter.observe(Observation(1, *view))
            agent.native.stop_flag.clear()
            assert agent.belief
            agent.follow(action)
