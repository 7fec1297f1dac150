"""UCI engines as subprocesses: they die, talk nonsense or say nothing, and that is an error."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
from pathlib import Path

import pytest

from fogtree._core import FogChessPosition
from fogtree.games.fog_chess.uci.evaluator import UciEvaluator
from fogtree.games.fog_chess.uci.process import EngineError, UciEngine
from tests.support.fake_engine import READY, fake_engine
from tests.support.processes import HANGS

DYING = (
    """
import sys
from pathlib import Path
log = Path(__file__).with_name("starts")
starts = len(log.read_text()) if log.exists() else 0
log.write_text("x" * (starts + 1))
"""
    + READY
    + """\
    if line.startswith("go"):
        if starts < {deaths}:
            sys.exit(1)
        print("info depth 1 multipv 1 score cp 100 pv e2e4\\nbestmove e2e4", flush=True)
"""
)


def test_an_engine_that_dies_is_started_once_more(tmp_path: Path) -> None:
    engine = UciEngine(fake_engine(tmp_path, DYING.format(deaths=1)))
    start = FogChessPosition().fen
    answers = engine.search_all([start] * 3)
    assert [[line.centipawns for line in lines] for lines in answers] == [[100]] * 3
    assert engine.search(start)[0].move == "e2e4"
    assert engine.starts == 2
    engine.close()
    with pytest.raises(EngineError):
        engine._send("isready")


def test_an_engine_that_dies_twice_is_an_error(tmp_path: Path) -> None:
    engine = UciEngine(fake_engine(tmp_path, DYING.format(deaths=9)))
    with pytest.raises(EngineError, match="died"):
        engine.search(FogChessPosition().fen)
    engine.close()


WEAK = (
    """
import sys
answers = 0
"""
    + READY
    + """\
    if line.startswith("go"):
        if answers == 3:
            sys.exit(1)
        answers += 1
        print("info depth 1 multipv 1 score cp 100 pv e2e4\\nbestmove e2e4", flush=True)
"""
)


@pytest.mark.parametrize("batch", [1, 2, 9])
def test_an_engine_is_started_once_more_for_good_not_for_every_position(
    batch: int, tmp_path: Path
) -> None:
    """It dies after every third answer: the second death is an error, in one call or in many."""
    engine = UciEngine(fake_engine(tmp_path, WEAK))
    fens = [FogChessPosition().fen] * batch
    for _ in range(6 // batch):
        assert len(engine.search_all(fens)) == batch
    for _ in range(2):
        with pytest.raises(EngineError, match="died"):
            engine.search_all(fens)
        assert engine.starts == 2
    engine.close()


TALKING = (
    """
import sys
"""
    + READY
    + """\
    if line.startswith("go"):
        {answer}
"""
)


@pytest.mark.parametrize(
    ("answer", "part"),
    [
        ("print('bestmove e2e4', flush=True)", "no score"),
        ("print('info score cp ' + '9' * 5000 + ' pv e2e4\\nbestmove e2e4', flush=True)", "score"),
        ("[print('noise' * 1000) for _ in range(800)]", "never ends"),
        ("[print('noise' * 1000, end='') for _ in range(800)]", "never ends"),
    ],
)
def test_an_engine_that_talks_nonsense_is_an_error(answer: str, part: str, tmp_path: Path) -> None:
    program = fake_engine(tmp_path, TALKING.format(answer=answer))
    with (
        UciEvaluator(program, seconds=60) as evaluator,
        pytest.raises(EngineError, match=part),
    ):
        evaluator.children(FogChessPosition(), 0)


def test_engines_that_do_not_start_or_answer_are_errors(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(EngineError, match="cannot start"):
        UciEngine(str(tmp_path / "nothing"))
    with pytest.raises(EngineError, match="cannot start"):
        UciEngine("a\0b")
    silent = fake_engine(tmp_path, "import time\ntime.sleep(60)\n")
    started: list[subprocess.Popen[bytes]] = []

    class Watched(subprocess.Popen):  # type: ignore[type-arg]
        def __init__(self, *arguments: object, **options: object) -> None:
            super().__init__(*arguments, **options)  # type: ignore[arg-type,call-overload]
            started.append(self)

    monkeypatch.setattr(subprocess, "Popen", Watched)
    with pytest.raises(EngineError, match="no answer"):
        UciEngine(silent, starting=0.2)
    assert [process.poll() is None for process in started] == [False]  # nothing is left running


CONFUSED = (
    """
import sys, time
"""
    + READY
    + """\
    if line.startswith("position"):
        number = int(line.split()[-1])
    if line.startswith("go"):
        if number == 3:
            {trouble}
        print(f"info depth 1 multipv 1 score cp {{number}} pv e2e4\\nbestmove e2e4", flush=True)
"""
)


@pytest.mark.parametrize(
    "trouble", ["print('bestmove e2e4', flush=True); continue", "time.sleep(1)"]
)
def test_no_answer_is_taken_for_that_to_another_question(trouble: str, tmp_path: Path) -> None:
    engine = UciEngine(fake_engine(tmp_path, CONFUSED.format(trouble=trouble)), seconds=0.5)
    fens = [f"4k3/8/8/8/8/8/8/4K3 w - - 0 {number}" for number in range(1, 6)]
    with pytest.raises(EngineError):
        engine.search_all(fens)
    for number in (5, 1):
        assert engine.search(fens[number - 1])[0].centipawns == number
    engine.close()


def test_a_silent_engine_is_not_asked_again(tmp_path: Path) -> None:
    engine = UciEngine(fake_engine(tmp_path, TALKING.format(answer="pass")), seconds=0.2)
    with pytest.raises(EngineError, match=r"no answer for 0\.2 s"):
        engine.search(FogChessPosition().fen)
    assert engine.starts == 1


def test_an_engine_that_is_forgotten_ends(tmp_path: Path) -> None:
    engine = UciEngine(fake_engine(tmp_path, "import time\n" + TALKING.format(answer="pass")))
    process = engine._process
    assert process is not None
    assert process.poll() is None
    del engine
    gc.collect()
    assert process.poll() is not None


SLEEPING = """
import sys, time
for line in sys.stdin:
    if line == "uci\\n":
        print("uciok", flush=True)
    if line == "isready\\n":
        print("readyok", flush=True)
        break
time.sleep(600)
"""


@pytest.mark.parametrize(
    "ending", ["", "from fogtree.system.termination import exit_at_once; exit_at_once(0)"]
)
def test_an_engine_does_not_outlive_the_process(ending: str, tmp_path: Path) -> None:
    program = fake_engine(tmp_path, SLEEPING)
    code = (
        "from fogtree.games.fog_chess.uci.process import UciEngine\n"
        f"engine = UciEngine({program!r})\nprint(engine._process.pid)\n{ending}"
    )
    ended = subprocess.run(
        [sys.executable, "-u", "-c", code], capture_output=True, check=True, timeout=HANGS
    )
    with pytest.raises(ProcessLookupError):
        os.kill(int(ended.stdout), 0)


def test_a_system_without_poll_is_told_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr("select.poll")
    with pytest.raises(EngineError, match="need Linux or macOS"):
        UciEngine("stockfish")
