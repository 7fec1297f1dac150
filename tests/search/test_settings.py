"""Agents with settings, clocks and bounds."""

from __future__ import annotations

import math
import threading
import time
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
from multiprocessing import get_context
from types import SimpleNamespace
from typing import Any

import pytest

import fogtree
from fogtree import load_game
from fogtree.agents import Budget, Decision, Observation, RandomAgent
from fogtree.agents.clock import Clock, RunningClock, time_for_move
from fogtree.arena import play_game
from fogtree.errors import FogtreeError, OptionError, UnknownNameError
from fogtree.search import (
    PRESETS,
    SearchAgent,
    SearchDecision,
    SearchOptions,
    search_agent,
    search_options,
    search_settings,
)
from fogtree.search.settings import default_threads

GAME = load_game("fog_chess")


def begun(**settings: Any) -> SearchAgent:
    agent = SearchAgent("fog_chess", **settings)
    agent.start(GAME, 0, "s")
    root = GAME.root()
    agent.observe(Observation(0, root.observation(0), tuple(root.actions())))
    return agent


def test_an_agent_with_settings() -> None:
    spec = "search(steps=7, knowledge=3, memory=1.5G, start=uniform, frozen=true, cap=99)"
    agent = fogtree.agent(spec, GAME)
    assert isinstance(agent, SearchAgent)
    assert agent.name == spec
    settings = agent.settings
    assert settings.options == search_options(
        "focus", knowledge=3, most_bytes=3 << 29, start="uniform", frozen=True
    )
    assert settings.budget == Budget(steps=7)
    assert settings.own_budget
    assert settings.threads == default_threads() >= 1
    assert settings.cap == 99


def test_a_temperature_draws_actions_by_their_values() -> None:
    plain = begun(options=search_options("focus"), threads=1)
    warm = begun(options=search_options("focus"), threads=1, temperature=0.2)
    decision, other = plain.act(Budget(steps=5)), warm.act(Budget(steps=5))
    assert other.values == decision.values  # the search is the same
    assert set(other.mix) == set(other.values)
    assert sum(other.mix.values()) == pytest.approx(1)
    first, second = list(other.mix)[:2]
    ratio = math.exp((other.values[first] - other.values[second]) / 0.2)
    assert other.mix[first] / other.mix[second] == pytest.approx(ratio)
    assert {str(a): share for a, share in other.mix.items()} == {
        c.action: c.probability for c in other.candidates
    }


def test_a_temperature_near_zero_plays_the_best_value_and_a_large_one_any_action() -> None:
    cold = begun(threads=1, temperature=1e-300).act(Budget(steps=5))
    assert cold.values[cold.action] == max(cold.values.values())
    hot = begun(threads=1, temperature=1e9).act(Budget(steps=5))
    assert list(hot.mix.values()) == pytest.approx([1 / len(hot.values)] * 20)


def test_a_win_at_once_is_played_at_every_temperature() -> None:
    agent = fogtree.agent("search(steps=1, temperature=1e9)", GAME)
    state, moves = GAME.root(), ("e2e4", "f7f6", "d1h5", "a7a6")
    agent.start(GAME, 0, "s")
    for move in (*moves, ""):
        actions = tuple(state.actions()) if state.player == 0 else ()
        agent.observe(Observation(0, state.observation(0), actions))
        if move and state.player == 0:
            agent.follow(move)
        state = state.child(move) if move else state
    assert agent.act().action == "h5e8"


@pytest.mark.parametrize("wrong", ["-1", "inf", "nan", "warm"])
def test_a_wrong_temperature_is_refused(wrong: str) -> None:
    with pytest.raises(OptionError, match="temperature"):
        fogtree.agent(f"search(temperature={wrong})", GAME)


def test_options_are_written_as_people_do() -> None:
    written = {
        "frozen": "on",
        "gifts": "off",
        "knowledge": "inf",
        "resolve": "No",
        "pruning": "false",
    }
    assert search_agent("kuhn_poker", **written).settings.options == search_options(
        frozen=True, gifts=False, knowledge=0, resolve=False, pruning=False
    )


def test_each_game_has_its_preset_unless_one_is_named() -> None:
    assert SearchAgent("fog_chess").settings.options == PRESETS["focus"]
    for spec, name in (("search", "focus"), ("search(preset=paper)", "paper")):
        agent = fogtree.agent(spec, GAME)
        assert isinstance(agent, SearchAgent)
        assert agent.settings.options == PRESETS[name]
    assert search_settings("cambia").options == PRESETS["paper"]
    assert search_settings("kuhn_poker").options == PRESETS["paper"]


def test_own_time_comes_before_the_tables() -> None:
    played = play_game(
        GAME,
        [fogtree.agent("search(steps=3)", GAME), fogtree.agent("random", GAME)],
        seed="own",
        budget=Budget(seconds=1000.0),
    )
    assert played.record.agents[0] == "search(steps=3)"


@pytest.mark.parametrize(
    "spec",
    [
        "search(time=0.5",
        "search(time)",
        "search(time=1,time=2)",
        "search(depth=3)",
        "search(most_bytes=3)",
        "search(time=soon)",
        "search(time=-1)",
        "search(ponder=maybe)",
        "search(memory=much)",
        "search(clock=0+1)",
        "search(clock=x)",
        "search(threads=0)",
        "search(preset=good)",
        "search(start=good)",
        "search(evaluator=good)",
        "greedy(time=1)",
        "nobody(time=1)",
    ],
)
def test_wrong_settings_are_one_clear_line(spec: str) -> None:
    with pytest.raises(FogtreeError) as caught:
        fogtree.agent(spec, GAME)
    assert "\n" not in str(caught.value)


def test_a_clock_is_never_overdrawn() -> None:
    left, spent = 10.0, []
    for _ in range(300):
        spent.append(time_for_move(left, 0.1))
        left += 0.1 - spent[-1]
        assert left > 0
    assert spent[0] == pytest.approx(10 / 30 + 0.075)
    assert spent[-1] > 0.08  # in the end a move takes about what it gains
    assert time_for_move(2.0, 0, 1) == pytest.approx(1.6)
    assert Clock.read("60+0.5") == Clock(60, 0.5)


def test_moves_take_their_share_of_a_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    agent = begun(clock=Clock(3.0), threads=1)
    given: list[Budget] = []
    native = Budget.native
    monkeypatch.setattr(Budget, "native", lambda self: given.append(self) or native(self))
    agent.act(Budget(seconds=1000.0))
    assert [0 < budget.seconds <= 3.0 / 30 for budget in given] == [True]
    assert agent._clock.left < 3.0


def test_a_clock_runs_while_a_move_is_chosen(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [5.0]
    monkeypatch.setattr("fogtree.agents.clock.time", SimpleNamespace(perf_counter=lambda: now[0]))
    clock = RunningClock(Clock(10.0, 0.5))
    with clock.running(0.25):
        now[0] += 2.0
    assert clock.left == 10.0 - 2.0 - 0.25 + 0.5
    with suppress(ValueError), clock.running():
        now[0] += 1.0
        raise ValueError("no move")
    assert clock.left == 7.25


@pytest.mark.parametrize("name", ["cambia", "leduc_poker"])
def test_other_games_on_a_clock(name: str) -> None:
    game = load_game(name)
    agent = fogtree.agent("search(clock=0.5+0.001, threads=1)", game)
    assert isinstance(agent, SearchAgent)
    play_game(game, [agent, fogtree.agent("random", game)], seed="clock")
    assert agent._clock.left < 0.5  # its time was counted; a busy machine may take more than it has


def test_a_bound_on_memory_stops_growing_but_not_solving() -> None:
    options = SearchOptions(most_bytes=16 << 20)
    for threads in (1, 2):
        agent = begun(options=options, threads=threads)
        decision = agent.act(Budget(steps=20_000))
        stats = decision.stats
        assert stats["full"]
        assert stats["bytes"] <= 16 << 20
        assert stats["iterations"] > 10
        assert decision.action in GAME.root().actions()


def test_a_bound_on_memory_holds_for_what_is_carried_over() -> None:
    """What is kept of a tree that filled its bound is cut, and nothing breaks."""
    agent = search_agent("fog_chess", steps="3000", memory="3M", knowledge="0", seed="1")
    state = load_game('fog_chess(fen="4k3/7p/8/8/8/8/P7/R3K3 w - - 0 1")').root()
    agent.start(state.game, 0, "s")
    carried = []
    for _ in range(4):
        agent.observe(Observation(0, state.observation(0), tuple(state.actions())))
        decision = agent.act()
        assert decision.action in state.actions()
        assert float(decision.stats["bytes"]) < 2.1 * (1 << 20)
        carried.append(float(decision.stats["carried_nodes"]))
        state = state.child(decision.action)
        if state.player < 0:  # it took the king
            break
        agent.observe(Observation(0, state.observation(0)))
        state = state.child("e8f8" if "e8f8" in state.actions() else "f8e8")
    assert max(carried[1:]) > 1000
    assert max(carried) * 100 < 1.1 * (1 << 20)


def test_a_bound_on_memory_can_be_lowered_during_a_game() -> None:
    """The next tree keeps to the new bound, and the memory of the old one goes back."""
    agent = search_agent("fog_chess", steps="6000", memory="64M", threads="1")
    state = GAME.root()
    agent.start(state.game, 0, "s")
    sizes = []
    for size in (None, 6 << 20):
        if size is not None:
            agent.limit_memory(size)
        agent.observe(Observation(0, state.observation(0), tuple(state.actions())))
        decision = agent.act()
        sizes.append(float(decision.stats["bytes"]))
        state = state.child(decision.action)
        agent.observe(Observation(0, state.observation(0)))
        state = state.child("e7e5" if "e7e5" in state.actions() else state.actions()[0])
    assert sizes[0] > 6 << 20
    assert sizes[1] < 4.1 * (1 << 20)  # two thirds: the rest is for what is carried over
    with pytest.raises(ValueError, match="at least 1"):
        agent.limit_memory(0)


def test_a_bound_on_nodes() -> None:
    agent = begun(options=SearchOptions(most_nodes=500), threads=1)
    decision = agent.act(Budget(steps=300))
    assert decision.stats["full"]
    assert float(decision.stats["nodes"]) < 500 + 100


def test_the_search_on_cambia_takes_settings() -> None:
    cambia = load_game("cambia")
    agent = fogtree.agent("search(steps=20, knowledge=1)", cambia)
    assert isinstance(agent, SearchAgent)
    assert agent.settings.own_budget
    assert agent.settings.options.knowledge == 1
    played = play_game(cambia, [agent, fogtree.agent("random", cambia)], seed="own")
    assert played.record.agents[0] == "search(steps=20, knowledge=1)"
    with pytest.raises(FogtreeError):
        fogtree.agent("search(evaluator=simple)", cambia)


def test_one_thread_where_games_run_side_by_side() -> None:
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        assert pool.submit(default_threads).result() == 1


class Slow(RandomAgent):
    def __init__(self, seconds: float) -> None:
        super().__init__()
        self.seconds = seconds

    def act(self, budget: Budget | None = None) -> Decision:
        time.sleep(self.seconds)
        return super().act(budget)


class Counting(SearchAgent):
    """How much of each tree was there before."""

    carried = 0.0

    def act(self, budget: Budget | None = None) -> SearchDecision:
        decision = super().act(budget)
        self.carried += float(decision.stats.get("carried_nodes", 0))
        return decision


def carried_on_cambia(seconds: float, ponder: str) -> float:
    """Nodes carried over in three games in which the opponent thinks for so long."""
    settings = search_agent("cambia", steps="50", threads="2", ponder=ponder).settings
    agent = Counting("cambia", settings)
    for seed in "abc":
        play_game(load_game("cambia"), [agent, Slow(seconds)], seed=seed)
    agent.close()
    return agent.carried


def test_pondering_on_cambia() -> None:
    without = carried_on_cambia(0, "false")
    assert without > 0
    waits = (0.03, 0.2, 1.0)  # on a busy machine pondering may take long to begin
    assert any(carried_on_cambia(seconds, "true") > 1.5 * without for seconds in waits)
    assert "pondering" not in [thread.name for thread in threading.enumerate()]


@pytest.mark.parametrize(
    ("game", "setting"),
    [
        ("kuhn_poker", {"evaluator": "net"}),
        ("kuhn_poker", {"ponder": True}),
        ("cambia", {"cap": 5}),
        ("fog_chess", {"compile": False}),
    ],
)
def test_a_setting_that_a_game_lacks_is_refused(game: str, setting: dict[str, Any]) -> None:
    (name,) = setting
    for make in (search_settings, SearchAgent):
        with pytest.raises(OptionError, match=f"no setting '{name}'"):
            make(game, **setting)
    with pytest.raises(UnknownNameError, match=f"setting of the search '{name}'"):
        search_agent(game, **setting)
