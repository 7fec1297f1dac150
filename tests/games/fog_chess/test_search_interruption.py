"""A search is interrupted by threads, signals or time, and pondering continues it."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
import time

import pytest

from fogtree import load_game
from fogtree.agents import Budget, Observation
from fogtree.errors import FogtreeError, GameError
from fogtree.games.fog_chess import belief_tracker
from fogtree.search import SearchAgent, search_options
from tests.support.processes import HANGS

GAME = load_game("fog_chess")
FOREVER = Budget(seconds=1e6)


def told(agent, state, player):
    actions = tuple(state.actions()) if state.player == player else ()
    agent.observe(Observation(player, state.observation(player), actions))


def begun(player=0, **settings):
    agent = SearchAgent("fog_chess", **settings)
    agent.start(GAME, player, "s")
    told(agent, GAME.root(), player)
    return agent


@pytest.mark.parametrize("threads", [1, 2])
def test_another_thread_ends_a_search(threads):
    agent = begun(threads=threads)
    timer = threading.Timer(0.1, agent.interrupt)
    timer.start()
    decision = agent.act(FOREVER)
    timer.join()
    assert decision.stats["stopped"]
    assert decision.action in GAME.root().actions()


SEARCHING = """
import sys
from fogtree import load_game
from fogtree.agents import Observation
from fogtree.agents import Budget
from fogtree.search import SearchAgent
game = load_game("fog_chess")
agent = SearchAgent("fog_chess")
agent.start(game, 0, "s")
root = game.root()
agent.observe(Observation(0, root.observation(0), tuple(root.actions())))
print("searching", flush=True)
try:
    {call}
except KeyboardInterrupt:
    print("interrupted", flush=True)
decision = agent.act(Budget(steps=10))
print("usable" if decision.action in root.actions() else "lost", flush=True)
"""


@pytest.mark.parametrize(
    "call",
    [
        "agent.act(Budget(seconds=1e6))",
        "agent.watch(lambda look: look.nodes, Budget(seconds=1e6), looks=4)",
    ],
)
def test_ctrl_c_ends_a_search_and_the_agent_stays_usable(call):
    process = subprocess.Popen(
        [sys.executable, "-c", SEARCHING.format(call=call)], stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "searching\n"
    time.sleep(0.2)
    process.send_signal(signal.SIGINT)
    assert process.communicate(timeout=HANGS)[0].split() == ["interrupted", "usable"]


def carried_after(seconds, *, ponder):
    """The nodes carried over after the opponent has thought for some seconds."""
    agent = begun(ponder=ponder, threads=2)
    state = GAME.root().child(agent.act(Budget(steps=300)).action)
    told(agent, state, 0)
    time.sleep(seconds)
    state = state.child("g8f6")
    told(agent, state, 0)
    decision = agent.act(Budget(steps=10))
    assert decision.action in state.actions()
    agent.close()
    return decision.stats["carried_nodes"]


def test_pondering_grows_the_tree_that_the_next_search_begins_with():
    without = carried_after(0, ponder=False)
    waits = (0.2, 1, 5, 20)  # on a busy machine pondering may take long to begin
    assert any(carried_after(seconds, ponder=True) > without for seconds in waits)


def test_pondering_ends_with_the_game_or_the_agent():
    agent = begun(ponder=True)
    told(agent, GAME.root().child(agent.act(Budget(steps=5)).action), 0)
    assert agent._pondering is not None
    agent.start(GAME, 1, "s")
    assert agent._pondering is None
    told(agent, GAME.root(), 1)
    assert agent._pondering is not None
    agent.close()
    assert "pondering" not in [thread.name for thread in threading.enumerate()]


PONDERING = """
import gc, sys, time
from fogtree import load_game
from fogtree.agents import Observation
from fogtree.search import SearchAgent, SearchSettings, search_settings
game = load_game("fog_chess")
agent = SearchAgent("fog_chess", ponder=True, threads=3)
agent.start(game, 1, "s")
agent.observe(Observation(1, game.root().observation(1), ()))
time.sleep(0.1)
{ending}
"""


@pytest.mark.parametrize("ending", ["", "del agent", "agent.me = agent; del agent; gc.collect()"])
def test_who_forgets_an_agent_that_ponders_can_still_leave(ending):
    code = PONDERING.format(ending=ending)
    done = subprocess.run(
        [sys.executable, "-c", code], check=False, capture_output=True, timeout=HANGS
    )
    assert (done.returncode, done.stderr) == (0, b"")


def test_wrong_views_are_refused_and_change_nothing():
    agent = begun(1)
    start = GAME.root()
    elsewhere = load_game('fog_chess(fen="4k3/8/8/8/8/8/8/4K3 b - - 0 1")').root()
    after = start.child("e2e4")
    wrong = [
        (elsewhere, 1),  # no first move leads there
        (after.child("e7e5").child("d2d4"), 1),  # two plies at once, and nobody said what we played
        (after, 0),  # White's view
    ]
    for state, player in wrong:
        with pytest.raises(FogtreeError) as caught:
            told(agent, state, player)
        assert "\n" not in str(caught.value)
    told(agent, after, 1)
    size = len(agent.belief)
    answer = after.child("e7e5")
    for state in (start, answer, answer.child("g1f3")):  # backwards; an answer nobody gave; too far
        with pytest.raises(FogtreeError):
            told(agent, state, 1)
        assert len(agent.belief) == size
    agent.follow("e7e5")
    with pytest.raises(FogtreeError):
        told(agent, after.child("d7d5"), 1)  # not what we played
    told(agent, answer, 1)
    with pytest.raises(GameError, match="view is another"):
        told(agent, after.child("d7d5"), 1)
    state = answer.child("g1f3")
    told(agent, state, 1)
    assert agent.act(Budget(steps=30)).action in state.actions()


def test_a_sampled_belief_that_runs_empty_is_begun_anew():
    """With room for one position, a knight that comes out of the fog is a surprise."""
    agent = SearchAgent("fog_chess", cap=1, threads=1)
    agent.start(GAME, 0, "s")
    state = GAME.root()
    told(agent, state, 0)
    for move in ["d2d4", "g8f6", "a2a3", "f6e4", "b2b3", "e4g3", "h2g3", "a7a6"]:
        if state.player == 0:
            assert agent.act(Budget(steps=5)).action in state.actions()
            agent.follow(move)
        state = state.child(move)
        told(agent, state, 0)
        assert len(agent.belief) > 0
        assert agent.belief.view == state.observation(0)
    assert agent.act(Budget(steps=5)).stats["restarts"] > 0


def after_eight_moves(agent):
    """The state after eight moves of an opening, which the agent has followed as White."""
    state = GAME.root()
    for move in ["e2e4", "e7e5", "g1f3", "b8c6", "f1c4", "g8f6", "f3g5", "f8c5"]:
        if state.player == 0:
            agent.follow(move)
        state = state.child(move)
        told(agent, state, 0)
    return state


@pytest.mark.parametrize("sample", [256, 2048])
def test_moves_that_nobody_searched_are_followed(sample):
    agent = begun(0, options=search_options("focus", sample=sample))
    state = after_eight_moves(agent)
    decision = agent.act(Budget(steps=400))
    assert decision.action in state.actions()
    assert len(decision.values) == len(state.actions())
    assert decision.stats["sampled"] == min(sample, len(agent.belief))
    assert agent.act(Budget(steps=50)).action in state.actions()  # asked again: another search


def test_there_is_an_answer_however_short_the_time():
    """Black's first move is one ply below the root of the whole game."""
    agent = begun(1)
    state = GAME.root().child("e2e4")
    told(agent, state, 1)
    decision = agent.act(Budget(seconds=1e-9))
    assert len(decision.values) == len(state.actions())
    assert decision.stats["nodes"] >= len(state.actions())


def test_moves_that_cannot_be_are_refused():
    agent = begun()
    view = GAME.root().observation(0)
    for actions in (("e2e5", "a1a8"), ("e2e4", "a1a8")):
        with pytest.raises(GameError, match="cannot be played here"):
            agent.observe(Observation(0, view, actions))
    agent.observe(Observation(0, view, ("e2e4",)))  # somebody may allow only some
    assert agent.act(Budget(steps=20)).action == "e2e4"


def interrupted_while_it_prepares(agent, monkeypatch):
    """An interruption arrives when the update of the belief begins."""
    prepare = agent.adapter.prepare

    def interrupt_and_prepare(*given, **options):
        agent.interrupt()
        prepare(*given, **options)

    monkeypatch.setattr(agent.adapter, "prepare", interrupt_and_prepare)


def test_an_interruption_before_the_search_ends_it(monkeypatch):
    monkeypatch.setattr(belief_tracker, "AT_ONCE", 0)
    agent = begun()
    state = after_eight_moves(agent)
    interrupted_while_it_prepares(agent, monkeypatch)
    decision = agent.act(FOREVER)
    assert decision.stats["stopped"]
    assert decision.action in state.actions()
    assert not agent.native.stop_flag.is_set
    assert state.position in agent.belief  # nothing of it was lost


def test_without_time_the_last_tree_is_left_and_there_is_an_answer():
    agent = begun()
    state = GAME.root().child(agent.act(Budget(steps=300)).action)
    told(agent, state, 0)
    state = state.child("g8f6")
    told(agent, state, 0)
    decision = agent.act(Budget(seconds=1e-9))
    assert decision.action in state.actions()
    assert len(decision.values) == len(state.actions())


def test_pondering_that_is_given_up_keeps_the_tree(monkeypatch):
    """A stop before the turn to the new position leaves the tree for the next search."""
    agent = begun()
    state = GAME.root().child(agent.act(Budget(steps=300)).action)
    told(agent, state, 0)
    agent.native.stop_flag.set()
    agent.adapter.prepare(pondering=True)
    state = state.child("g8f6")
    told(agent, state, 0)
    assert agent.act(Budget(steps=10)).stats["carried_nodes"] > 20
