"""Mistakes that once killed the process, or gave no number: one clear error each."""

from __future__ import annotations

import math
import os
import resource
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import fogtree
from fogtree import _core
from fogtree.agents.budget import Budget
from fogtree.deep.network import Network
from fogtree.deep.reservoir import Column, Reservoir
from fogtree.errors import FileFormatError, InUseError, OptionError
from fogtree.evaluate.best_response import measuring_engine
from fogtree.games.cambia.game import Cambia
from fogtree.search.tree_search import TreeSearch
from tests.support.paths import ROOT
from tests.support.sanitizers import address_sanitizer


def tree_arguments(**changes: Any) -> tuple[Any, ...]:
    tree = fogtree.compile("kuhn_poker")
    fields = {
        "players": tree.players, "parent": tree.parent, "player": tree.player,
        "action": tree.action, "index": tree.index, "chance": tree.chance,
        "view": tree.view.reshape(-1), "payoffs": tree.payoffs.reshape(-1),
        "infoset_player": tree.infoset_player, "infoset_actions": tree.infoset_actions,
    }  # fmt: skip
    for name, change in changes.items():
        fields[name] = change(fields[name].copy())
    return tuple(fields.values())


def changed(place: int, value: float) -> Callable[[Any], Any]:
    def change(array: Any) -> Any:
        array[place] = value
        return array

    return change


@pytest.mark.parametrize(
    ("field", "change", "what"),
    [
        ("parent", changed(5, 7), "after their parents"),
        ("parent", changed(5, -1), "after their parents"),
        ("parent", lambda a: a.astype(np.int64), "incompatible function arguments"),
        ("parent", lambda a: a[::-1], "incompatible function arguments"),
        ("player", changed(3, 5), "no such player"),
        ("index", changed(2, 99), "no information set"),
        ("index", changed(-1, -1), "no payoffs"),
        ("action", changed(3, 1), "not in order"),
        ("chance", changed(1, math.nan), "no probability"),
        ("chance", changed(1, 0.5), "sum to 1"),
        ("view", changed(0, -5), "no such view"),
        ("view", changed(0, 2**30), "no such view"),
        ("payoffs", changed(0, math.inf), "not finite"),
        ("payoffs", lambda a: a[:-1], "one row per terminal"),
        ("infoset_player", changed(0, 100), "information set of its player"),
        ("infoset_actions", changed(0, 2**31 - 1), "leads nowhere"),
        ("infoset_actions", changed(0, 3), "leads nowhere"),
    ],
)
def test_malformed_trees_are_refused(field: str, change: Callable[[Any], Any], what: str) -> None:
    with pytest.raises((ValueError, TypeError), match=what):
        _core.FlatTree(*tree_arguments(**{field: change}))


def test_an_information_set_without_a_node_is_refused() -> None:
    more = {"infoset_player": lambda a: np.append(a, a[:1]),
            "infoset_actions": lambda a: np.append(a, a[:1])}  # fmt: skip
    with pytest.raises(ValueError, match="has no node"):
        _core.FlatTree(*tree_arguments(**more))


def test_leaf_values_that_are_no_numbers_are_refused() -> None:
    tree = fogtree.compile("kuhn_poker")
    values = np.zeros(len(tree.parent))
    for wrong in (math.nan, math.inf, 1e300):
        values[3] = wrong
        with pytest.raises(OptionError, match="leaf_values"):
            TreeSearch(tree, 0, leaf_values=values)
    with pytest.raises(OptionError, match="leaf_values"):
        TreeSearch(tree, 0, leaf_values=np.zeros(3))


def test_networks_with_nan_are_refused() -> None:
    weight = np.full((1, 3), np.nan, dtype=np.float32)
    layers = ((weight, np.zeros(1, dtype=np.float32)),)
    with pytest.raises(FileFormatError, match="not finite"):
        Network(layers).native()
    with pytest.raises(ValueError, match="not finite"):
        _core.DeepNetwork(layers)


def test_a_value_network_that_overflows_is_an_error() -> None:
    rules = Cambia().native_rules
    inputs = _core.DeepCambia(rules).history_feature_count
    large = np.full((32, inputs), 3e38, dtype=np.float32)
    head = np.full((1, 32), -3e38, dtype=np.float32)
    head[0, ::2] *= -1
    layers = [(large, np.zeros(32, np.float32)), (head, np.zeros(1, np.float32))]
    search = _core.CambiaSearch(rules, _core.SearchOptions(), 0, _core.DeepNetwork(layers))
    dealt = _core.CambiaPosition.first(rules)
    while dealt.player == -1:
        dealt = dealt.child(dealt.chance()[0][0])
    with pytest.raises(RuntimeError, match="not a number"):
        search.value(dealt)


def test_small_probabilities_give_numbers() -> None:
    tree = fogtree.compile("leduc_poker")
    for seed in range(20):
        luck = np.random.default_rng(seed)
        slots = np.full(tree.slots, 1e-20)
        slots[tree.first_slot[:-1] + luck.integers(0, tree.infoset_actions)] = 1.0
        search = TreeSearch(tree, seed % 2)
        search.native.adopt(slots.tolist())
        own = [n for n, p in zip(tree.infoset_names, tree.infoset_player, strict=True)
               if p == seed % 2]  # fmt: skip
        search.observe(own[int(luck.integers(len(own)))])
        found = search.act(Budget(steps=30))
        numbers = [found.value, *(c.value for c in found.candidates)]
        numbers += [c.alternate for c in search.choices()]
        assert all(math.isfinite(number) for number in numbers), seed


def test_players_that_do_not_exist_are_refused() -> None:
    search = TreeSearch(fogtree.compile("kuhn_poker"), 0).native
    for player in (-1, 2, 1000):
        with pytest.raises(ValueError, match="player must be 0 or 1"):
            search.mix(0, player)
    engine = measuring_engine(fogtree.compile("kuhn_poker"), merge=False)
    for player in (-1, 2):
        with pytest.raises(ValueError, match="no such player"):
            engine.reach(player)


@pytest.mark.parametrize("token", [2**31 - 1, 55 << 10, 60 << 16, 10 << 22, 2 << 26, 1 << 29, 900])
def test_tokens_of_no_game_are_refused(token: int) -> None:
    rules = Cambia().native_rules
    search = _core.CambiaSearch(rules, _core.SearchOptions(), 0)
    key = search.key
    for observer in (search, _core.CambiaBelief(rules, 0)):
        with pytest.raises(ValueError, match="no observation of this game"):
            observer.observe(token)
    assert search.key == key


def cambia_rules(hand: int, deck: int) -> _core.CambiaRules:
    return _core.CambiaRules(
        players=2, deck=list(range(deck)), hand=hand, looks=1, penalty=1, max_turns=4,
        cambia_from_round=0, draw_discard=True, opponent_snap=True, replace_abilities=False,
        lock_caller=True, snap_always=False, show_wrong_snap=True, earlier_defects=False,
    )  # fmt: skip


@pytest.mark.parametrize("other", [cambia_rules(1, 20), cambia_rules(3, 24)])
def test_positions_of_other_rules_are_not_played_on(other: _core.CambiaRules) -> None:
    """A hand that is larger than the other rules deal would be dealt to without an end."""
    rules = cambia_rules(3, 20)
    search = _core.CambiaSearch(rules, _core.SearchOptions(), 0)
    search.move_to(_core.CambiaBelief(rules, 0), 2, 2, 1)
    search.decide(_core.SearchBudget(steps=50))
    deepest = search.nodes(10_000)[-1].state
    assert search.steps(deepest, []) == []
    assert max(map(len, search.table(deepest).hands)) > 1
    foreign = _core.CambiaSearch(other, _core.SearchOptions(), 0)
    with pytest.raises(ValueError, match="other rules"):
        foreign.steps(deepest, [0])
    with pytest.raises(ValueError, match="other rules"):
        foreign.table(deepest)


def opening_belief(player: int, sight: _core.FogChessSight) -> _core.FogChessBelief:
    start = [_core.FogChessPosition()]
    return _core.FogChessBelief.of(start, player, sight, cap=99, seed=1, threads=1)


@pytest.mark.parametrize(
    ("player", "sight"),
    [(1, _core.FogChessSight()), (0, _core.FogChessSight(pawn_diagonals_always=True))],
)
def test_a_search_refuses_the_belief_of_another_game_or_player(
    player: int, sight: _core.FogChessSight
) -> None:
    rules = _core.FogChessEvaluatorRules(_core.FogChessSight(), 0.0)
    search = _core.FogChessSearch(
        _core.FogChessSimpleEvaluator(), rules, _core.SearchOptions(), 0, _core.FogChessPosition()
    )
    with pytest.raises(ValueError, match="another game or player"):
        search.move_to(opening_belief(player, sight), 99, 1)


def test_a_belief_is_taken_once_and_complete() -> None:
    sight = _core.FogChessSight()
    start = _core.FogChessPosition()
    view = start.play(start.read_uci("e2e4")).observation(1, sight)
    step = _core.FogChessBeliefStep(opening_belief(1, sight), None, view)
    with pytest.raises(ValueError, match="not complete"):
        step.take()
    assert step.advance(None, None)
    assert len(step.take()) == 20
    with pytest.raises(ValueError, match="taken already"):
        step.take()
    with pytest.raises(ValueError, match="taken already"):
        step.advance(None, None)


def test_iterations_beyond_counting_are_refused() -> None:
    tree = fogtree.compile("kuhn_poker")
    plan = _core.SamplingPlan(
        scheme=_core.SchemeOptions(scheme=_core.Scheme.external, exploration=0.6, tried=2,
                                   baseline_rate=0.5, epsilon=0.05, tau=1000.0, beta=1e6),
        positive_exponent=1.0, negative_exponent=1.0, averaging_exponent=1.0, delay=0.0, batch=3,
        workers=1, seed=1)  # fmt: skip
    for trainer in (
        _core.TreeTrainer64(tree.flat, plan),
        _core.hash_table_trainer(tree.flat, plan),
    ):
        trainer.run(1)
        with pytest.raises(ValueError, match="fit"):
            trainer.restore({**trainer.contents(), "epoch": 2**63 - 1})
    engine = measuring_engine(tree, merge=False)
    with pytest.raises(ValueError, match="out of range"):
        engine.restore(**{**engine.state(), "iteration": 2**63 - 1})


def test_none_is_no_network() -> None:
    tree = fogtree.compile("kuhn_poker")
    game = _core.DeepTree(
        tree.flat, np.eye(12, dtype=np.float32), np.zeros(tree.slots, dtype=np.int32), 2
    )
    with pytest.raises((TypeError, ValueError)):
        _core.DeepTraverser(game, _core.DeepOptions()).traverse([None, None], None, 0, 3, 1, 1)
    with pytest.raises((TypeError, ValueError)):
        _core.DeepContestant([[None]])


def test_positions_that_do_not_look_alike_are_refused() -> None:
    sight = _core.FogChessSight()
    start = _core.FogChessPosition()
    search = _core.FogChessSearch(
        _core.FogChessSimpleEvaluator(), _core.FogChessEvaluatorRules(sight, 0.0),
        _core.SearchOptions(), 1, start,
    )  # fmt: skip
    search.decide(_core.SearchBudget(steps=50))
    search.observe_opponent_move(start.play(start.read_uci("a2a3")).observation(1))
    ranks = [f"{file or ''}K{7 - file or ''}" for file in range(8)]
    boards = ["/".join("8" if row != at else rank for row in range(3, 8))
              for rank in ranks for at in range(3, 8)]  # fmt: skip
    kings = [_core.FogChessPosition(f"4k3/8/8/{board} b - - 0 1") for board in boards]
    belief = _core.FogChessBelief.of(kings, 1, sight, cap=99, seed=1, threads=1)
    search.move_to(belief, 99, 1)
    with pytest.raises(ValueError, match="look the same"):
        search.decide(_core.SearchBudget(steps=500))


def test_a_finished_session_is_over() -> None:
    game = _core.DeepCambia(Cambia().native_rules)
    session = _core.DeepTraverser(game, _core.DeepOptions(method="outcome")).begin(
        traverser=0, traversals=0, iteration=1, seed=1, walks=4
    )
    session.finish()
    with pytest.raises(ValueError, match="finished"):
        session.finish()
    with pytest.raises(ValueError, match="finished"):
        session.resume(0, np.zeros(64, dtype=np.float32))


def test_a_search_is_refused_inside_its_own_callback_and_read_there() -> None:
    search = TreeSearch(fogtree.compile("kuhn_poker"), 0).native
    seen: list[Any] = []

    def watch(moment: _core.SearchMoment) -> None:
        seen.append(len(search.roots()))
        with pytest.raises(InUseError, match="in use"):
            search.decide(_core.SearchBudget(steps=1))
        with pytest.raises(InUseError, match="in use"):
            search.move_to(0)

    search.watch(_core.SearchBudget(steps=20), watch, looks=3)
    assert seen
    search.decide(_core.SearchBudget(steps=1))  # afterwards it is free again


def in_another_thread(work: Callable[[], Any]) -> list[BaseException]:
    errors: list[BaseException] = []

    def quietly() -> None:
        try:
            work()
        except BaseException as error:
            errors.append(error)

    thread = threading.Thread(target=quietly)
    thread.start()
    thread.join()
    return errors


def test_two_threads_cannot_use_one_search() -> None:
    search = TreeSearch(fogtree.compile("kuhn_poker"), 0).native
    errors: list[BaseException] = []

    def watch(moment: _core.SearchMoment) -> None:
        errors.extend(in_another_thread(lambda: search.decide(_core.SearchBudget(steps=1))))
        errors.extend(in_another_thread(search.roots))

    search.watch(_core.SearchBudget(steps=20), watch, looks=2)
    assert errors
    assert all(isinstance(error, InUseError) for error in errors)


def test_two_threads_cannot_run_one_solver() -> None:
    solver = measuring_engine(fogtree.compile("leduc_poker"), merge=False)
    started, errors = threading.Event(), []

    def run() -> None:
        started.set()
        solver.run(20_000)

    thread = threading.Thread(target=run)
    thread.start()
    started.wait()
    while thread.is_alive():
        try:
            solver.strategy(True)
        except InUseError as error:
            errors.append(error)
            break
    thread.join()
    assert errors


THREADLESS = """
import fogtree
from fogtree import _core
from fogtree.agents.budget import Budget
from fogtree.search.tree_search import TreeSearch
tree = fogtree.compile("kuhn_poker")
search = TreeSearch(tree, 0)
search.observe(tree.infoset_names[0])
def outcome(work):
    try:
        work()
    except fogtree.FogtreeError as error:
        return type(error).__name__
    return "done"
plan = _core.SamplingPlan(
    scheme=_core.SchemeOptions(scheme=_core.Scheme.external, exploration=0.6, tried=2,
                               baseline_rate=0.5, epsilon=0.05, tau=1000.0, beta=1e6),
    positive_exponent=1.0, negative_exponent=1.0, averaging_exponent=1.0, delay=0.0, batch=3,
    workers=3, seed=1)
from fogtree.evaluate.best_response import measuring_engine
from fogtree.games.cambia.game import Cambia
game = _core.DeepCambia(Cambia().native_rules)
traverser = _core.DeepTraverser(game, _core.DeepOptions(method="outcome"))
print(outcome(lambda: search.act(Budget(steps=5, expanders=2))))
print(outcome(lambda: search.act(Budget(steps=5))))
print(outcome(lambda: _core.TreeTrainer64(tree.flat, plan).run(1)))
print(outcome(lambda: _core.hash_table_trainer(tree.flat, plan).run(1)))
print(outcome(lambda: traverser.traverse([], None, 0, 3, 1, 1, 3)))
print(outcome(lambda: traverser.begin(traverser=0, traversals=3, iteration=1, seed=1, threads=2)))
schedule = _core.Schedule(rule=_core.Rule.predictive, alternating=True, positive_exponent=1.0,
                          negative_exponent=1.0, averaging_exponent=2.0, delay=0.0, last=False)
print(outcome(lambda: _core.Engine64(tree.form, schedule, 2, "", 1).run(3)))
"""


def no_threads() -> None:
    """Stacks of new threads are larger than the address space: none can be started."""
    resource.setrlimit(resource.RLIMIT_AS, (16 << 30, 16 << 30))


@pytest.mark.skipif(address_sanitizer(), reason="AddressSanitizer needs the address space")
def test_threads_that_cannot_be_started_are_an_error_or_done_without() -> None:
    hard = resource.getrlimit(resource.RLIMIT_STACK)[1]
    if hard not in (resource.RLIM_INFINITY,) and hard < 64 << 30:
        pytest.skip("the limit on stacks cannot be raised here")
    command = f'ulimit -s {64 << 20} && exec {sys.executable} -c "$PROGRAM"'
    done = subprocess.run(
        ["bash", "-c", command],
        cwd=ROOT,
        env={**os.environ, "PROGRAM": THREADLESS, "OPENBLAS_NUM_THREADS": "1"},
        preexec_fn=no_threads,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    limit = "ThreadLimitError"
    assert done.stdout.split() == [limit, "done", limit, "done", "done", limit, limit]


def test_a_full_disk_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*arguments: Any) -> None:
        raise OSError(28, "No space left on device")

    samples = Reservoir([Column("x", (4,), "float32")], 1000, tmp_path)
    monkeypatch.setattr(os, "posix_fallocate", full)
    with pytest.raises(FileFormatError, match="No space left"):
        samples.offer({"x": np.ones((10, 4), dtype=np.float32)}, [1])


def test_samples_do_not_outgrow_a_small_disk(tmp_path: Path) -> None:
    """On a file system of a megabyte, which only root can make."""
    disk = tmp_path / "disk"
    disk.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(disk)]
    made = subprocess.run(mount, capture_output=True, check=False)
    if made.returncode != 0:
        pytest.skip("no file system can be mounted here")
    program = (
        "import numpy as np, sys; from pathlib import Path\n"
        "from fogtree.deep.reservoir import Column, Reservoir\n"
        "from fogtree.errors import FogtreeError\n"
        f"folder = Path({str(disk / 'rows')!r})\n"
        "samples = Reservoir([Column('x', (64,), 'float32')], 100_000, folder)\n"
        "try:\n"
        "    samples.offer({'x': np.ones((50_000, 64), dtype=np.float32)}, [1])\n"
        "except FogtreeError as error:\n"
        "    print(error)\n"
    )
    try:
        done = subprocess.run(
            [sys.executable, "-c", program], capture_output=True, text=True, check=False
        )
    finally:
        subprocess.run(["umount", str(disk)], check=True)
    assert done.returncode == 0, done.stderr
    assert "No space left" in done.stdout


def test_a_full_tree_ends_a_search_for_nodes() -> None:
    tree = fogtree.compile("leduc_poker")
    search = TreeSearch(tree, 0).native
    search.limit_memory(1)
    for expanders in (0, 2):
        assert search.decide(_core.SearchBudget(nodes=10**6, expanders=expanders)).full


@pytest.mark.parametrize("rows", [-(2**31), -1, 0, 2**31 - 1])
def test_a_board_whose_size_overflows_is_refused(rows: int) -> None:
    with pytest.raises(ValueError, match="no such board"):
        _core.HiddenBoard.chain(["a"] * 9, rows, 2**31 - 1, False)


@pytest.mark.parametrize("bid", [-1, 2**31 - 1])
def test_a_bid_that_does_not_exist_is_refused(bid: int) -> None:
    with pytest.raises(ValueError, match="no such bid"):
        _core.DeepLiarsDice(1, 6).code([0], [bid], 0)


@pytest.mark.parametrize("name", ["players", "action_count", "feature_count", "code_bytes"])
@pytest.mark.parametrize("value", [0, -1, 2**31 - 1, -(2**31)])
def test_sizes_of_an_encoding_that_overflow_are_refused(name: str, value: int) -> None:
    sizes: dict[str, int] = {
        "players": 2, "action_count": 2, "most_actions": 2, "feature_count": 8, "code_bytes": 1,
    }  # fmt: skip
    game = fogtree.load_game("kuhn_poker")
    with pytest.raises(ValueError, match="a size of the game's encoding is out of range"):
        _core.DeepProtocolGame(game=game, encoding=object(), bits=True, **(sizes | {name: value}))


@pytest.mark.parametrize("playouts", [-1, 10_001, 2**31 - 1])
def test_endless_random_games_for_a_value_are_refused(playouts: int) -> None:
    walk = fogtree.load_game("goofspiel(cards=3)").tree_source()
    assert isinstance(walk, _core.NativeWalk)
    with pytest.raises(ValueError, match="random games for a value"):
        _core.HistorySearch(walk, _core.SearchOptions(), 0, cap=5, playouts=playouts, scale=1.0)
