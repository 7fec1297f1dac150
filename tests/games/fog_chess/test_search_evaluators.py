"""The search with evaluators that are not native: functions of Python, programs that may die."""

from __future__ import annotations

import time

import numpy as np
import pytest

from fogtree import load_game
from fogtree.agents import Budget, Observation
from fogtree.agents.clock import Clock
from fogtree.errors import FogtreeError, GameError
from fogtree.games.fog_chess.evaluator import FogEvaluator
from fogtree.games.fog_chess.evaluators import load_evaluator, simple_evaluator
from fogtree.games.fog_chess.network.stockfish import find_stockfish
from fogtree.games.fog_chess.uci.process import EngineError
from fogtree.search import SearchAgent

STOCKFISH = find_stockfish()
needs_stockfish = pytest.mark.skipif(STOCKFISH is None, reason="stockfish is not installed")
GAME = load_game("fog_chess")


class Weary(FogEvaluator):
    """The simple evaluator, in Python; while ``tired`` it answers only so many questions."""

    def __init__(self):
        super().__init__("weary")
        self.simple = simple_evaluator()
        self.answers = 50
        self.asked = 0
        self.tired = False
        self.closed = 0

    def mover_values(self, position):
        self.asked += 1
        if self.tired and self.asked > self.answers:
            raise EngineError("no more today")
        return self.simple.mover_values(position)

    def close(self):
        self.closed += 1


def agent_with(evaluator, monkeypatch, **settings):
    monkeypatch.setattr(
        "fogtree.games.fog_chess.search.load_evaluator", lambda spec, rules: evaluator
    )
    return begun(SearchAgent("fog_chess", evaluator="weary", **settings))


def begun(agent, player=0):
    agent.start(GAME, player, "seed")
    told(agent, GAME.root(), player)
    return agent


def told(agent, state, player=0):
    actions = tuple(state.actions()) if state.player == player else ()
    agent.observe(Observation(player, state.observation(player), actions))


def play_on(agent, state, *moves):
    for move in moves:
        if state.player == 0:
            agent.follow(move)
        state = state.child(move)
        told(agent, state)
    return state


def test_python_and_native_values_make_the_same_search(monkeypatch):
    native = begun(SearchAgent("fog_chess", evaluator="simple"))
    foreign = agent_with(Weary(), monkeypatch)
    state = GAME.root()
    for _ in range(3):
        one, two = native.act(Budget(steps=200)), foreign.act(Budget(steps=200))
        assert one.mix == two.mix
        assert one.values == two.values
        assert one.stats["nodes"] == two.stats["nodes"] > 3000
        answer = state.child(one.action).actions()[5]
        play_on(native, state, one.action, answer)
        state = play_on(foreign, state, one.action, answer)


def test_an_evaluator_of_ones_own():
    evaluator = Weary()
    agent = begun(SearchAgent("fog_chess", evaluator=evaluator))
    assert agent.act(Budget(steps=20)).stats["nodes"] > 20
    assert evaluator.asked > 10
    agent.close()
    assert evaluator.closed == 0  # it is not the agent's
    with pytest.raises(GameError, match="rules"):
        agent.start(load_game('fog_chess(rules="openspiel")'), 0, "seed")


def test_many_threads_ask(monkeypatch):
    evaluator = Weary()
    agent = agent_with(evaluator, monkeypatch, threads=4)
    decision = agent.act(Budget(nodes=600))
    assert decision.stats["nodes"] >= 600
    assert evaluator.asked > 10


@pytest.mark.parametrize("threads", [1, 3])
def test_an_error_comes_through_and_the_agent_stays_usable(threads, monkeypatch):
    evaluator = Weary()
    agent = agent_with(evaluator, monkeypatch, threads=threads)
    evaluator.tired = True
    with pytest.raises(EngineError, match="no more today"):
        agent.act(Budget(seconds=1e6))
    evaluator.tired = False
    decision = agent.act(Budget(seconds=0.2))
    assert abs(sum(decision.mix.values()) - 1) < 1e-5
    state = play_on(agent, GAME.root(), decision.action, "e7e5")
    evaluator.tired, evaluator.answers = True, evaluator.asked
    with pytest.raises(EngineError, match="no more today"):
        agent.act(Budget(seconds=1e6))
    evaluator.tired = False
    assert agent.act(Budget(steps=50)).action in state.actions()


def test_what_failed_is_opened_the_next_time(monkeypatch):
    budget = Budget(steps=20)
    for again in (
        lambda agent: agent.native.decide(budget.native()),
        lambda agent: agent.act(budget),
    ):
        evaluator = Weary()
        agent = agent_with(evaluator, monkeypatch, threads=1)
        evaluator.tired, evaluator.answers = True, evaluator.asked
        with pytest.raises(EngineError, match="no more today"):
            agent.native.decide(budget.native())
        evaluator.tired = False
        found = again(agent)
        assert found.nodes > 20
        assert found.p_max == 0  # still of the whole game: nothing is promised to anybody


def test_a_game_that_cannot_begin_leaves_none(monkeypatch):
    evaluator = Weary()
    agent = agent_with(evaluator, monkeypatch)
    evaluator.tired, evaluator.answers = True, evaluator.asked
    with pytest.raises(EngineError, match="no more today"):
        agent.start(GAME, 1, "seed")
    assert evaluator.closed == 2  # by the last game and by the one that failed
    with pytest.raises(GameError):
        told(agent, GAME.root(), 1)
    with pytest.raises(GameError):
        agent.act(Budget(steps=1))


def test_a_clock_runs_while_a_search_fails(monkeypatch):
    evaluator = Weary()
    agent = agent_with(evaluator, monkeypatch, clock=Clock(60, 1))
    evaluator.tired, evaluator.answers = True, evaluator.asked
    with pytest.raises(EngineError, match="no more today"):
        agent.act()
    assert agent._clock.left < 60


def test_an_error_while_pondering_is_told_when_we_are_to_move(monkeypatch, capfd):
    evaluator = Weary()
    agent = agent_with(evaluator, monkeypatch, ponder=True, threads=2)
    move = agent.act(Budget(steps=20)).action
    evaluator.tired, evaluator.answers = True, evaluator.asked
    state = play_on(agent, GAME.root(), move)
    time.sleep(0.1)
    play_on(agent, state, "e7e5")
    with pytest.raises(EngineError, match="no more today"):
        agent.act(Budget(seconds=1e6))
    agent.close()
    assert evaluator.closed == 1
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize(
    ("answer", "complaint"),
    [
        (np.zeros(3, np.float32), "one number for every move"),
        ("nonsense", "one number for every move"),
        (np.full(20, np.nan, np.float32), "from -1 to 1"),
        (np.full(20, 1.5, np.float32), "from -1 to 1"),
    ],
)
def test_answers_that_are_none(answer, complaint, monkeypatch):
    evaluator = Weary()
    monkeypatch.setattr(evaluator, "mover_values", lambda position: answer)
    with pytest.raises(FogtreeError, match=complaint):
        agent_with(evaluator, monkeypatch)


@needs_stockfish
def test_an_engine_over_uci_may_die_once():
    agent = begun(SearchAgent("fog_chess", evaluator=f"uci:{STOCKFISH}"))

    nodes = 0

    def grows():
        """Whether a search adds 500 nodes; how many more it adds depends on the machine."""
        nonlocal nodes
        wanted = nodes + 500
        nodes = agent.act(Budget(nodes=wanted, expanders=1)).stats["nodes"]
        return nodes >= wanted

    assert grows()
    for starts in (1, 2):
        [engine] = agent.adapter.evaluator._idle
        assert engine.starts == starts
        engine._process.kill()
        if starts == 1:
            assert grows()
    with pytest.raises(EngineError, match="died"):
        grows()
    assert grows()  # with another one


@needs_stockfish
def test_threads_have_engines_of_their_own_which_end_with_the_game():
    budget = Budget(nodes=1000, expanders=3)
    agent = begun(SearchAgent("fog_chess", evaluator=f"uci:{STOCKFISH}"))
    assert agent.act(budget).stats["nodes"] >= 1000
    first = [engine._process for engine in agent.adapter.evaluator._idle]
    assert 1 <= len(first) <= 4
    begun(agent)
    assert all(process.poll() is not None for process in first)
    assert agent.act(budget).stats["nodes"] >= 1000
    second = [engine._process for engine in agent.adapter.evaluator._idle]
    agent.close()
    assert all(process.poll() is not None for process in second)


def interrupted(evaluator, position):
    with evaluator._taken() as engine:
        engine._ask(position.fen, 256)
        raise KeyboardInterrupt


@needs_stockfish
def test_an_engine_that_was_interrupted_is_not_asked_again():
    with load_evaluator(f"uci:{STOCKFISH}") as evaluator:
        position = GAME.root().position
        expected = evaluator.mover_values(position)
        first = evaluator.engine
        with pytest.raises(KeyboardInterrupt):
            interrupted(evaluator, position.play(position.moves()[0]))
        assert np.allclose(evaluator.mover_values(position), expected, atol=0.1)
        assert first._process is None
    with pytest.raises(FogtreeError, match="closed"):
        evaluator.mover_values(position)
