"""A walk that is divided among processes gives the tree of an undivided one, bit for bit."""

from __future__ import annotations

import os
import pickle
import random
import signal
import subprocess
import sys
import time
from contextlib import closing
from functools import partial
from itertools import chain, count
from pathlib import Path
from threading import Thread
from typing import Any

import numpy as np
import pytest

import fogtree
from fogtree import Game, load_game
from fogtree.errors import GameError, MemoryLimitError, OptionError
from fogtree.game.tree_source import TreeParts
from fogtree.system.user_code import load_user_object
from fogtree.tree import game_tree, parallel_walk
from fogtree.tree.game_tree import CompileProgress
from fogtree.tree.history_walk import HistoryWalk
from fogtree.tree.parallel_walk import Pace, ParallelWalk
from fogtree.tree.walk_worker import Task, packed_game, walk_part
from tests.support import divided_games
from tests.support.divided_games import Cards, Ranks
from tests.support.processes import HANGS
from tests.support.random_games import RandomGame
from tests.support.reference_walk import assert_same_tree, walked
from tests.tree.test_history_walk import ODD, Odd

FINE = Pace(alone=0.0, rest=0.0, task_nodes=60, patient=True)
"""Processes are started after the first step, and get many small tasks."""
STEP = 40


@pytest.fixture
def divided_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """``compile`` divides every walk of more than one step."""
    monkeypatch.setattr(game_tree, "ParallelWalk", partial(ParallelWalk, pace=FINE))


def divided(game: Game, workers: int = 2) -> tuple[TreeParts, bool]:
    """The parts of a divided walk, and whether it was divided to its end."""
    with closing(ParallelWalk(game, workers, FINE)) as walk:
        while walk.grow(STEP):
            pass
        assert walk.processes == []
        return walk.parts(), walk.divided


def alive(process: int) -> bool:
    """Whether a process runs; one that has ended may still be listed for a while."""
    try:
        os.kill(process, 0)
        stat = Path(f"/proc/{process}/stat")
        return not stat.exists() or stat.read_text().rpartition(")")[2].split()[0] != "Z"
    except (ProcessLookupError, FileNotFoundError):
        return False


# Parts made in this process: tables, numbers and paths.


def in_parts(game: Game, luck: random.Random) -> TreeParts:
    """The parts of a tree of which pieces were walked apart from the rest, and copied."""
    walk, wide = HistoryWalk(game), dict[bytes, Any]()
    more = walk.grow(1 + luck.randrange(4))
    while more:
        first, _ = parallel_walk._cut(walk.pending(), luck.choice([0.0, 0.01, 0.1, 1.0]))
        answer = walk_part(game, Task(first, 1 + luck.randrange(30)), wide)
        walk.absorb(pickle.loads(pickle.dumps(answer)).part)
        more = walk.grow(0)
    return walk.parts()


@pytest.mark.parametrize("seed", range(30))
def test_random_games_in_parts(seed: int) -> None:
    players = 2 + seed % 3
    game = RandomGame(seed, depth=3 + seed % 3, players=players, zero_sum=players == 2)
    assert_same_tree(in_parts(game, random.Random(seed)), walked(HistoryWalk(game)))


@pytest.mark.parametrize("name", [name for name in ODD if name != "only an end"])
def test_games_with_odd_values_in_parts(name: str) -> None:
    game = Odd(ODD[name])
    assert_same_tree(in_parts(game, random.Random(1)), walked(HistoryWalk(game)))


@pytest.mark.parametrize(
    "game",
    [Cards(), Ranks(), load_game("leduc_poker"), load_game("kuhn_poker(players=3)")],
    ids=str,
)
def test_games_in_parts(game: Game) -> None:
    assert_same_tree(in_parts(game, random.Random(2)), walked(HistoryWalk(game)))


def test_what_is_pending_has_the_share_that_is_not_visited() -> None:
    walk = HistoryWalk(Cards())
    while walk.grow(7):
        groups = walk.pending()
        assert parallel_walk._share(groups) == pytest.approx(1 - walk.share_visited(), abs=1e-12)


@pytest.mark.parametrize("fault", ["token", "nan"])
def test_objects_that_differ_from_their_copies_are_not_sent(fault: str) -> None:
    with pytest.raises(GameError, match="copies"):
        walk_part(Cards(fault=fault), Task([([], 2, 3, 0.0)], 1000), {})


def test_a_part_of_another_game_is_refused() -> None:
    walk = HistoryWalk(Cards())
    walk.grow(5)
    answer = walk_part(Cards(cards=5), Task(walk.pending(), 50), {})
    with pytest.raises(ValueError, match="differs"):
        walk.absorb(answer.part)
    with pytest.raises(ValueError, match="ended with an error"):
        walk.grow(1)


NUMBERS = {
    "parent", "label", "view", "memory_before", "memory_action", "memory_view", "infoset_player",
    "infoset_memory", "pending_parent", "pending_label", "pending_view",
}  # fmt: skip


@pytest.mark.parametrize("name", walk_part(Cards(), Task([([], 0, 1, 0.0)], 20), {}).part)
def test_a_damaged_part_is_refused(name: str) -> None:
    part = walk_part(Cards(), Task([([], 0, 1, 0.0)], 20), {}).part
    wrong = [part[name][:-1]]
    if name in NUMBERS:
        wrong.append(np.full_like(part[name], 100))
    for column in wrong:
        walk = HistoryWalk(Cards())
        walk.grow(1)
        with pytest.raises((ValueError, GameError)):
            walk.absorb({**part, name: column})


# Walks with processes.


def n_card_kuhn(cards: int) -> Game:
    sys.path.insert(0, str(Path(__file__).parents[2] / "benchmarks"))
    from n_card_kuhn import NCardKuhn

    game: Game = NCardKuhn(cards)
    return game


@pytest.mark.parametrize(
    ("game", "workers"),
    [
        (n_card_kuhn(34), 2),  # so many deals that a process keeps their list
        (Cards(cards=5), 3),
        (RandomGame(3, depth=6, players=3, zero_sum=False), 2),
    ],
    ids=["n_card_kuhn", "cards", "random"],
)
def test_processes_give_the_same_tree(game: Game, workers: int) -> None:
    parts, to_the_end = divided(game, workers)
    assert to_the_end
    assert_same_tree(parts, walked(HistoryWalk(game)))


def test_a_game_of_openspiel() -> None:
    pytest.importorskip("pyspiel")
    game = load_game("openspiel:leduc_poker(players=2)")
    parts, to_the_end = divided(game)
    assert to_the_end
    assert_same_tree(parts, walked(HistoryWalk(game)))


def test_a_file_of_the_user(tmp_path: Path) -> None:
    """Its module has a name that other processes cannot import."""
    rules = Path(divided_games.__file__).read_text()
    (tmp_path / "mine.py").write_text(rules)
    game = load_user_object(f"{tmp_path}/mine.py:Ranks(cards=3)", lambda one: True, "game")
    parts, to_the_end = divided(game)
    assert to_the_end
    assert_same_tree(parts, walked(HistoryWalk(Ranks(cards=3))))


def same_error(game: Game) -> None:
    """A divided walk raises the error of an undivided one."""
    with pytest.raises(BaseException) as alone:
        walked(HistoryWalk(game))
    with pytest.raises(type(alone.value)) as together:
        divided(game)
    assert str(together.value) == str(alone.value)


@pytest.mark.parametrize("fault", ["raises", "exits", "actions"])
def test_errors_are_those_of_an_undivided_walk(fault: str) -> None:
    same_error(Cards(fault=fault))


def test_views_that_differ_from_their_copies() -> None:
    game = Cards(fault="token")
    parts, to_the_end = divided(game)
    assert not to_the_end
    assert_same_tree(parts, walked(HistoryWalk(game)))


def test_a_game_whose_copy_has_other_payoffs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(divided_games, "ANTE", 2.0)
    parts, to_the_end = divided(Cards())
    assert not to_the_end
    assert_same_tree(parts, walked(HistoryWalk(Cards())))


@pytest.mark.parametrize("tag", [lambda: 0, divided_games.Unreadable()], ids=["writing", "reading"])
def test_a_game_that_cannot_be_copied(tag: object) -> None:
    parts, to_the_end = divided(Cards(tag=tag))
    assert not to_the_end
    assert_same_tree(parts, walked(HistoryWalk(Cards())))


def test_a_game_of_the_main_program(monkeypatch: pytest.MonkeyPatch) -> None:
    assert packed_game(Cards()) is not None
    monkeypatch.setattr(Cards, "__module__", "__main__")
    assert packed_game(Cards()) is None


@pytest.mark.parametrize("survivors", [0, 1])
def test_workers_that_are_killed(survivors: int) -> None:
    game = Cards(cards=5)
    with closing(ParallelWalk(game, 2, FINE)) as walk:
        while not walk.divided:
            assert walk.grow(STEP)
        for process in walk.processes[survivors:]:
            os.kill(process, signal.SIGKILL)
        assert_same_tree(walked(walk, STEP), walked(HistoryWalk(game)))
        assert walk.divided == (survivors > 0)


@pytest.mark.usefixtures("divided_at_once")
def test_ctrl_c_ends_all_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[int] = []
    make = parallel_walk.TaskProcess

    def note(*arguments: Any) -> Any:
        process = make(*arguments)
        started.append(process.pid)
        return process

    def interrupt(progress: CompileProgress) -> None:
        if started:
            signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(parallel_walk, "TaskProcess", note)
    monkeypatch.setattr(game_tree, "_STEP", STEP)
    with pytest.raises(KeyboardInterrupt):
        fogtree.compile(Cards(), workers=2, progress=interrupt)
    assert len(started) == 2
    assert not any(map(alive, started))


def test_a_root_that_takes_long_does_not_make_tasks_small(monkeypatch: pytest.MonkeyPatch) -> None:
    """The root takes 100 seconds of a clock by which later steps take a millisecond each."""
    clock = chain([0.0], count(100.0, 0.001))
    monkeypatch.setattr(parallel_walk, "thread_time", lambda: next(clock))
    with closing(ParallelWalk(Cards(cards=5), 2, Pace(alone=0.0, rest=0.0, patient=True))) as walk:
        while not walk.divided:
            assert walk.grow(5)
        assert walk._task_nodes > 1000


SCRIPT = """
import time
from fogtree.tree.parallel_walk import Pace, ParallelWalk
from tests.support.divided_games import Cards

print("begins", flush=True)
walk = ParallelWalk(Cards(cards=5), 2, Pace(alone=0.0, rest=0.0, task_nodes=60, patient=True))
while not walk.divided:
    walk.grow(40)
print(*walk.processes, flush=True)
time.sleep(3600)
"""


def test_workers_end_with_their_parent_and_do_not_run_its_script(tmp_path: Path) -> None:
    (tmp_path / "script.py").write_text(SCRIPT)
    parent = subprocess.Popen(
        [sys.executable, tmp_path / "script.py"],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])},
    )
    assert parent.stdout is not None
    assert parent.stdout.readline() == "begins\n"
    workers = [int(word) for word in parent.stdout.readline().split()]
    assert len(workers) == 2
    parent.kill()
    rest, _ = parent.communicate(timeout=HANGS)
    assert rest == ""
    deadline = time.monotonic() + HANGS
    while any(map(alive, workers)):
        assert time.monotonic() < deadline
        time.sleep(0.02)


@pytest.mark.usefixtures("divided_at_once")
def test_compile_in_a_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(game_tree, "_STEP", STEP)
    trees: list[fogtree.GameTree] = []
    thread = Thread(target=lambda: trees.append(fogtree.compile(Cards(), workers=2)))
    thread.start()
    thread.join()
    assert_same_tree(trees[0], walked(HistoryWalk(Cards())))


def test_a_worker_process_starts_no_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parallel_walk, "in_worker", lambda: True)
    parts, to_the_end = divided(Cards())
    assert not to_the_end
    assert_same_tree(parts, walked(HistoryWalk(Cards())))


@pytest.mark.usefixtures("divided_at_once")
def test_a_game_that_is_too_large_is_refused_in_the_middle(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(game_tree, "_STEP", STEP)
    monkeypatch.setattr(game_tree, "_WORKER_MEMORY", 1)
    nodes = len(walked(HistoryWalk(Cards())).parent)
    memory = HistoryWalk.bytes_per_node * (nodes - 1)
    with pytest.raises(MemoryLimitError, match="would not fit"):
        fogtree.compile(Cards(), memory=memory, workers=2)


def test_the_number_of_workers() -> None:
    assert game_tree.worker_count(3, 1 << 40) == 3
    assert game_tree.worker_count(None, 1 << 40) >= 1
    assert game_tree.worker_count(8, 1 << 30) == 2
    assert game_tree.worker_count(8, 1) == 1
    with pytest.raises(OptionError, match="at least 1"):
        fogtree.compile("kuhn_poker", workers=0)
