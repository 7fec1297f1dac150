"""The value network of Cambia: native values equal Python's, and an agent plays with them."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import fogtree
from fogtree import _core
from fogtree.agents import Budget
from fogtree.arena.play import play_game
from fogtree.deep.engine import prepare
from fogtree.deep.network import Network
from fogtree.deep.traversal import Task, Walks
from fogtree.deep.value_network import ValueFitOptions, ValueNetwork
from fogtree.errors import FileFormatError, FogtreeError, OptionError
from fogtree.games.cambia.game import Cambia, CambiaState
from fogtree.games.cambia.search import leaf_network
from fogtree.games.cambia.shipped_networks import shipped_policy, shipped_values
from fogtree.games.cambia.walkable import WalkableCambia
from fogtree.search import SearchOptions, search_settings

GAME = Cambia()
DRAW = 7  # the phase before a card comes from the stock


def any_network(seed: int = 0) -> Network:
    """Weights of every layer drawn, so that all inputs count."""
    dice = np.random.default_rng(seed)
    sizes = [GAME.encoding.size, 16, 8, 1]
    return Network(
        tuple(
            (
                (dice.standard_normal((out, into)) / np.sqrt(into)).astype(np.float32),
                dice.standard_normal(out).astype(np.float32) / 10,
            )
            for into, out in pairwise(sizes)
        )
    )


def expected(state: CambiaState, network: Network) -> float:
    """Player 0's value, by what is written down in the engine's *Deviations*."""
    if state.player == -2:
        return state.returns()[0]
    if state.player == -1:
        return sum(share * expected(state.child(o), network) for o, share in state.chance())
    code = WalkableCambia(GAME).history_code(state, 0)
    value = float(network.forward(code.view(np.float32)[None, :])[0, 0])
    return max(-1.0, min(1.0, value))


def walk(seed: int) -> list[CambiaState]:
    luck = random.Random(seed)
    states = [GAME.root()]
    while states[-1].player != -2:
        here = states[-1]
        moves = [o for o, _ in here.chance()] if here.player == -1 else list(here.actions())
        plain = [move for move in moves if str(move) != "cambia"]
        states.append(here.child(luck.choice(plain or moves)))
    return states


@pytest.mark.parametrize("seed", range(3))
def test_the_search_asks_the_network_what_python_would(seed: int) -> None:
    network = any_network(seed)
    search = _core.CambiaSearch(GAME.native_rules, SearchOptions().native(), 0, network.native())
    seen = {"decision": 0, "draw": 0, "end": 0}
    for state in walk(seed):
        if state.observation(0).refilled:
            break
        if state.player == -1:
            if state.position.phase != DRAW:
                continue
            seen["draw"] += 1
        else:
            seen["end" if state.player == -2 else "decision"] += 1
        assert search.value(state.position) == pytest.approx(expected(state, network), abs=1e-5)
    assert seen["decision"] > 20
    assert seen["draw"] > 3


def test_the_agent_plays_whole_games_by_the_network_and_is_the_same_each_time(
    tmp_path: Path,
) -> None:
    file = ValueNetwork("cambia", 2, any_network()).save(tmp_path / "values.npz")
    records = []
    for evaluator in (f"net:{file}", f"net:{file}", "cards", "net"):
        agents = [
            fogtree.agent(f"search(evaluator={evaluator},threads=1)", GAME),
            fogtree.agent("imperfect_greedy", GAME),
        ]
        played = play_game(GAME, agents, seed="one", budget=Budget(steps=60))
        assert played.end.player == -2
        records.append(tuple(map(str, played.record.steps)))
    assert records[0] == records[1]
    assert len(set(records)) == 3


def test_a_file_comes_back_as_it_was(tmp_path: Path) -> None:
    values = ValueNetwork("cambia", 2, any_network())
    again = ValueNetwork.load(values.save(tmp_path / "values.npz"))
    assert (again.game, again.players) == ("cambia", 2)
    for mine, theirs in zip(values.network.layers, again.network.layers, strict=True):
        for one, other in zip(mine, theirs, strict=True):
            np.testing.assert_array_equal(one, other)
    half = values.save(tmp_path / "half.npz", half=True)
    assert half.stat().st_size < 0.7 * (tmp_path / "values.npz").stat().st_size


def test_unless_it_is_said_the_network_judges_its_own_table_and_the_cards_others() -> None:
    assert leaf_network("auto", GAME) is not None
    for other in (Cambia(profile="training"), Cambia(preset="tiny2"), Cambia(max_turns=9)):
        assert leaf_network("auto", other) is None
    assert search_settings("cambia").evaluator == "auto"


@pytest.mark.parametrize(
    ("evaluator", "message"),
    [
        ("nets", "cards, net or net:FILE"),
        ("net:", "cards, net or net:FILE"),
        ("net:nowhere.npz", "no file 'nowhere.npz'"),
    ],
)
def test_unknown_leaf_values_are_refused(evaluator: str, message: str) -> None:
    with pytest.raises(FogtreeError, match=message):
        fogtree.agent(f"search(evaluator={evaluator})", GAME)


def test_values_of_something_else_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "values.npz"
    file.write_bytes(b"nothing")
    with pytest.raises(FileFormatError, match="damaged"):
        ValueNetwork.load(file)
    with pytest.raises(OptionError, match="3 players"):
        ValueNetwork("cambia", 3, any_network()).check(GAME, GAME.encoding.size)
    with pytest.raises(OptionError, match="not of cambia"):
        ValueNetwork("cambia", 2, Network.make([5, 1], [0])).check(GAME, GAME.encoding.size)
    with pytest.raises(OptionError, match="training"):
        shipped_values().check(Cambia(profile="training"), GAME.encoding.size)
    with pytest.raises(ValueError, match="other rules"):
        _core.CambiaSearch(
            GAME.native_rules,
            SearchOptions().native(),
            0,
            Network.make([5, 1], [0]).native(),
        )


def surprise(network: Network, games: int, seed: int) -> float:
    """The share of the outcomes' variance that the network does not tell, in fresh games of the
    strategy it was trained with, after their last mistake."""
    engine, policy = prepare(GAME).engine, shipped_policy()
    networks = [policy.networks[0][0]] * 2
    walks = Walks(method="value", exploration=0.1, softmax=policy.mix)
    samples = engine.traverse(Task(walks, networks, None, 0, games, 1, seed))
    rows = samples.take("value", np.flatnonzero(samples.explored() == 0))
    said = np.clip(network.forward(engine.game.decode_history(rows["codes"]))[:, 0], -1, 1)
    return float(np.mean((said - rows["targets"]) ** 2) / np.var(rows["targets"]))


def test_the_network_in_the_package_knows_how_games_end() -> None:
    assert surprise(shipped_values().network, 1000, 12345) < 0.55


def test_values_are_learnt_from_games() -> None:
    how = ValueFitOptions(games=800, hidden=(16,), steps=150, batch=128, learning_rate=1e-2)
    found = ValueNetwork.fit(GAME, shipped_policy(), how)
    assert found.network.inputs == GAME.encoding.size
    assert surprise(found.network, 500, 777) < 0.85


def test_stored_networks_share_the_games_that_values_are_learnt_from(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    shipped = shipped_policy()
    policy = replace(shipped, networks=shipped.networks * 3, weights=(1.0, 0.0, 3.0))
    engine, games = prepare(GAME).engine, []

    class Counting:
        game = engine.game

        def traverse(self, task: Task) -> Any:
            games.append(task.traversals)
            return engine.traverse(task)

    monkeypatch.setattr(
        "fogtree.deep.value_network.prepare", lambda *_, **__: SimpleNamespace(engine=Counting())
    )
    how = ValueFitOptions(games=400, hidden=(4,), steps=1)
    ValueNetwork.fit(GAME, policy, how)
    assert len(games) == 4  # two sets of networks with a weight, for each of two players
    assert games[:2] == games[2:]
    assert sum(games[:2]) == 400
    assert 60 < games[0] < 140
