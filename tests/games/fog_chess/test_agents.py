"""Agents of Fog-of-War chess: captures, decisions from views alone, and their beliefs."""

from __future__ import annotations

import threading

import pytest

import fogtree
from fogtree.agents import Agent, Budget, Observation, agent_names
from fogtree.arena import play_game
from fogtree.errors import OptionError, UnknownNameError
from fogtree.game import State
from fogtree.games.fog_chess import belief_tracker
from fogtree.games.fog_chess.agents import BeliefVote, VoteOptions
from fogtree.games.fog_chess.game import FogChess, FogChessState
from fogtree.registry import load_game
from tests.support.fog_chess_twins import twin_games


def decide(agent: Agent, fen: str, budget: Budget | None = None) -> str:
    game = FogChess(fen=fen)
    state = game.root()
    agent.start(game, state.player, "1")
    agent.observe(Observation(state.player, state.observation(state.player), state.actions()))
    return str(agent.act(budget).action)


def test_agents_by_name() -> None:
    game = FogChess()
    assert agent_names(game) == ("random", "greedy", "belief-vote", "search", "all-seeing")
    assert fogtree.agent("belief-vote:net", game).name == "belief-vote"
    for wrong in ("greedy:simple", "belief-votes", "tabular", ""):
        with pytest.raises(UnknownNameError):
            fogtree.agent(wrong, game)
    with pytest.raises(UnknownNameError):
        fogtree.agent("belief-vote:deep", game)
    with pytest.raises(OptionError):
        fogtree.agent("greedy", game).start(load_game("kuhn_poker"), 0, "1")


@pytest.mark.parametrize(
    ("fen", "moves"),
    [
        ("4k3/8/8/8/q3R3/8/8/4K3 w - - 0 1", {"e4e8"}),  # the king before the queen
        ("3k4/8/8/2n1r3/3P4/8/8/4K3 w - - 0 1", {"d4e5"}),  # the rook before the knight
        ("3k4/8/8/2n1n3/3P4/8/8/4K3 w - - 0 1", {"d4e5", "d4c5"}),
        ("3k4/8/8/3pP3/8/8/8/4K3 w - d6 0 1", {"e5d6"}),  # en passant
    ],
)
def test_greedy_takes_the_most_it_sees(fen: str, moves: set[str]) -> None:
    agent = fogtree.agent("greedy", FogChess())
    game = FogChess(fen=fen)
    chosen = set()
    for seed in range(20):
        agent.start(game, 0, str(seed))
        root = game.root()
        agent.observe(Observation(0, root.observation(0), root.actions()))
        chosen.add(str(agent.act().action))
    assert chosen == moves


@pytest.mark.parametrize("name", ["belief-vote", "belief-vote:simple"])
def test_belief_vote_takes_a_king_and_flees_with_its_own(name: str) -> None:
    agent = fogtree.agent(name, FogChess())
    assert decide(agent, "4k3/8/8/8/4R3/8/8/4K3 w - - 0 1") == "e4e8"
    assert decide(agent, "4k3/8/8/8/8/8/3PqP2/3RKB2 w - - 0 1") in ("e1e2", "f1e2")


@pytest.mark.parametrize(
    ("white", "black"),
    [("belief-vote", "belief-vote"), ("belief-vote", "greedy"), ("random", "belief-vote")],
)
def test_the_truth_is_in_the_belief(white: str, black: str) -> None:
    checked = 0
    for seed in range(8):
        game = FogChess()
        agents = [fogtree.agent(white, game), fogtree.agent(black, game)]

        def watch(state: State, agents: list[Agent] = agents) -> None:
            nonlocal checked
            assert isinstance(state, FogChessState)
            for agent in agents:
                if isinstance(agent, BeliefVote) and agent.belief is not None:
                    assert agent.belief.view == state.observation(agent.player)
                    if agent.belief.complete:
                        assert state.position in agent.belief
                        assert agent.restarts == 0
                        checked += 1

        play_game(game, agents, seed=str(seed), watch=watch)
    assert checked > 50


def test_own_moves_are_in_the_same_order_in_a_whole_belief() -> None:
    game = FogChess()
    agents = [fogtree.agent("belief-vote", game), fogtree.agent("greedy", game)]
    checked = 0

    def watch(state: State) -> None:
        nonlocal checked
        agent = agents[0]
        assert isinstance(agent, BeliefVote)
        assert isinstance(state, FogChessState)
        if state.player == 0 and agent.belief is not None:
            for position in agent.belief.sample(100):
                assert position.uci_moves() == list(state.actions())
                checked += 1

    for seed in range(4):
        play_game(game, agents, seed=str(seed), watch=watch)
    assert checked > 1000


@pytest.mark.parametrize("name", ["random", "greedy", "belief-vote", "search"])
@pytest.mark.parametrize("player", [0, 1])
def test_decisions_depend_on_observations_only(name: str, player: int) -> None:
    different = 0
    for seed in range(1 if name == "search" else 3):
        twins = twin_games(player, seed, 10 if name == "search" else 16)
        different += twins.first != twins.second
        decisions = [told(name, player, line) for line in (twins.first, twins.second)]
        assert decisions[0] == decisions[1]
        assert decisions[0]
    assert different


def told(name: str, player: int, line: tuple[str, ...]) -> list[object]:
    """What an agent decides along a game, in which other moves may be made for it."""
    game = FogChess()
    agent = fogtree.agent(name, game)
    agent.start(game, player, "7")
    state, out = game.root(), []
    for move in (*line, None):
        actions = state.actions() if state.player == player else ()
        agent.observe(Observation(player, state.observation(player), tuple(actions)))
        if state.player == player:
            decision = agent.act(Budget(steps=40))
            out.append((decision.action, decision.values, len(decision.belief or ())))
            agent.follow(move)
        if move is not None:
            state = state.child(move)
    return out


def test_budgets() -> None:
    agent = BeliefVote(options=VoteOptions(samples=8, batch=4))
    game = FogChess()
    state = game.root()
    agent.start(game, 0, "1")
    agent.observe(Observation(0, state.observation(0), state.actions()))
    agent.follow("e2e4")
    for move in ("e2e4", "b8c6"):
        state = state.child(move)
        actions = state.actions() if state.player == 0 else ()
        agent.observe(Observation(0, state.observation(0), tuple(actions)))
    assert agent.belief is not None
    assert len(agent.belief) > 10
    moves = len(state.actions())
    assert agent.act().stats["positions"] == 8
    assert agent.act(Budget(nodes=3 * moves + 1)).stats["nodes"] == 3 * moves
    assert agent.act(Budget(nodes=1)).stats["positions"] == 1
    assert agent.act(Budget(seconds=1e-9)).stats["positions"] == 4
    assert agent.act(Budget(steps=5)).stats["positions"] == 5


def test_another_thread_can_end_a_decision() -> None:
    agent = BeliefVote(options=VoteOptions(batch=1))
    agent.start(FogChess(), 0, "1")
    root = FogChess(fen="4k3/8/8/8/8/8/8/4K2R w K - 0 1").root()
    agent.observe(Observation(0, root.observation(0), root.actions()))
    assert agent.belief is not None
    assert len(agent.belief) > 1000
    stopping = threading.Event()
    evaluate = agent.evaluator.children_of_all

    def slow(*arguments: object) -> object:
        stopping.set()
        stopped.wait(10)
        return evaluate(*arguments)  # type: ignore[arg-type]

    stopped = threading.Event()
    agent.evaluator.children_of_all = slow  # type: ignore[assignment,method-assign]
    found: list[object] = []
    thread = threading.Thread(target=lambda: found.append(agent.act(Budget(seconds=60))))
    thread.start()
    stopping.wait(10)
    agent.interrupt()
    stopped.set()
    thread.join(20)
    assert not thread.is_alive()
    assert found[0].stats["positions"] == 1  # type: ignore[attr-defined]


def test_a_contradicted_belief_is_begun_anew() -> None:
    """Told of one start, put at another: it goes on with what it sees."""
    agent = BeliefVote()
    agent.start(FogChess(), 0, "1")
    state = FogChess(fen="4k3/8/8/3p4/8/8/3R4/4K3 w - - 0 1").root()
    agent.observe(Observation(0, state.observation(0), state.actions()))
    assert agent.restarts == 1
    assert agent.belief is not None
    assert state.position in agent.belief or not agent.belief.complete
    assert agent.act().action in state.actions()


def test_a_game_can_be_played_to_any_end_with_a_tiny_belief() -> None:
    game = FogChess()
    tiny = VoteOptions(cap=4, samples=4)
    agents = [BeliefVote(options=tiny), BeliefVote(options=tiny)]
    restarts = 0
    for seed in range(3):
        assert play_game(game, agents, seed=str(seed)).record.steps
        restarts += sum(agent.restarts for agent in agents)
    assert restarts > 0


def test_the_one_who_sees_all_beats_the_greedy() -> None:
    game = FogChess()
    wins = 0.0
    for seed in range(6):
        seats = ["all-seeing", "greedy"] if seed % 2 else ["greedy", "all-seeing"]
        played = play_game(game, [fogtree.agent(name, game) for name in seats], seed=str(seed))
        wins += played.record.returns[seats.index("all-seeing")] > 0
    assert wins >= 5


GAME = ("e2e4", "e7e5", "g1f3", "b8c6", "f1c4", "g8f6", "f3g5", "f8c5")


def voting_after(moves: tuple[str, ...], agent: BeliefVote) -> FogChessState:
    """The state after a game that White's agent has observed."""
    state = FogChess().root()
    agent.start(FogChess(), 0, "1")
    for move in (*moves, None):
        actions = tuple(state.actions()) if state.player == 0 else ()
        agent.observe(Observation(0, state.observation(0), actions))
        if move is not None:
            agent.follow(move)
            state = state.child(move)
    return state


def test_the_vote_updates_its_belief_within_the_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without time a sample of the belief is asked; nothing of the belief is lost."""
    whole = BeliefVote()
    voting_after(GAME, whole)
    exact = whole.belief
    monkeypatch.setattr(belief_tracker, "AT_ONCE", 0)
    agent = BeliefVote()
    state = voting_after(GAME, agent)
    decision = agent.act(Budget(seconds=1e-9))
    assert decision.action in state.actions()
    assert exact is not None
    assert len(exact) > decision.stats["belief"] > 0
    assert not decision.stats["complete"]
    agent.catch_up()
    assert agent.act(Budget(seconds=1e-9)).stats["belief"] == len(exact)
    assert state.position in exact


def test_a_stop_ends_the_update_of_the_votes_belief(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(belief_tracker, "AT_ONCE", 0)
    agent = BeliefVote()
    state = voting_after(GAME, agent)
    tracker = agent._views.tracker  # type: ignore[union-attr]
    now = tracker.now

    def interrupted(seconds: float | None = None) -> object:
        agent.interrupt()
        return now(seconds)

    monkeypatch.setattr(tracker, "now", interrupted)
    decision = agent.act(Budget(seconds=1e6))
    assert decision.action in state.actions()
    assert not decision.stats["complete"]
    assert decision.stats["positions"] == agent.options.batch
    monkeypatch.setattr(tracker, "now", now)
    assert agent.act(Budget(steps=3)).stats["complete"]  # the stop was for one decision
