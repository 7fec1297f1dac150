"""The UCI server: usable by chess programs, reveals nothing hidden, survives any input."""

from __future__ import annotations

import re
import subprocess
import sys
import threading
import time
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import fogtree
from fogtree.errors import GameError, NotationError
from fogtree.games.fog_chess.game import FogChess
from fogtree.games.fog_chess.levels import LEVELS
from fogtree.games.fog_chess.network.file import write_net
from fogtree.games.fog_chess.network.net import FogNet
from fogtree.games.fog_chess.uci import server as uci_server
from fogtree.games.fog_chess.uci.messages import Go, read_go
from fogtree.games.fog_chess.uci.options import UciOptions
from fogtree.games.fog_chess.uci.server import UciServer
from fogtree.search import SearchAgent
from tests.support.fog_chess_twins import twin_games
from tests.support.processes import HANGS


def talk(*lines: str, agent: str = "belief-vote") -> list[str]:
    """What the engine answers; every search is let come to its end. ``belief-vote`` answers the
    same every time."""
    said: list[str] = []
    server = UciServer(said.append, UciOptions(agent=agent))
    for line in lines:
        if not server.handle(line):
            return said
        server.wait()
    server.close()
    return said


def timeless(lines: list[str]) -> list[str]:
    return [re.sub(r"time \d+", "time", line) for line in lines]


def test_introduction() -> None:
    said: list[str] = []
    server = UciServer(said.append)
    for line in ("uci", "isready", "ucinewgame", "debug on"):
        assert server.handle(line)
    assert not server.handle("quit")
    assert said[0] == f"id name fogtree {fogtree.__version__}"
    assert said[-2:] == ["uciok", "readyok"]
    assert "option name UCI_Variant type combo default fogofwar var fogofwar var chess" in said
    agents = next(line for line in said if line.startswith("option name Agent"))
    assert agents.endswith("default search var random var greedy var belief-vote var search")


@pytest.mark.parametrize("agent", ["belief-vote", "search(steps=5)"])
def test_an_evaluator_whose_path_has_a_comma(agent: str, tmp_path: Path) -> None:
    file = tmp_path / "a, b=c.fognet"
    write_net(FogNet.random(3, width=128), file)
    options = UciOptions(agent=agent, evaluator=f"net:{file}")
    options.load().close()
    said: list[str] = []
    server = UciServer(said.append, options)
    server.handle("go nodes 100")
    server.wait()
    server.close()
    assert said[-1].startswith("bestmove ")


def test_it_takes_a_king_that_it_sees() -> None:
    said = talk("position startpos moves e2e4 f7f6 d1h5 a7a6", "go nodes 1000")
    assert said[-1] == "bestmove h5e8"
    assert "info string belief " in said[0]
    assert said[1].endswith("pv h5e8")


def test_it_stops_when_told() -> None:
    said: list[str] = []
    server = UciServer(said.append)
    for endless in ("go infinite", "go ponder", "go movetime 900000000 nodes 999999999"):
        server.handle("position startpos moves e2e4 e7e5 g1f3")
        server.handle(endless)
        server.handle("isready")
        if "movetime" not in endless:
            time.sleep(0.05)
            assert not any(line.startswith("bestmove") for line in said)
        server.handle("stop")
        assert [line.split()[0] for line in said].count("bestmove") == 1
        said.clear()
    server.handle("stop")
    server.handle("go infinite")
    server.handle("quit")
    assert [line.split()[0] for line in said].count("bestmove") == 1


def test_only_some_moves() -> None:
    said = talk(
        "position startpos",
        "go searchmoves a2a3 nodes 9",
        "go nodes 100 searchmoves h2h4 a1a5",
    )
    assert [line for line in said if "error" in line] == [
        "info string error: searchmoves a1a5: cannot be played here"
    ]
    assert read_go(["searchmoves", "a2a3", "b2b3", "movetime", "9"]) == Go(
        movetime=9, searchmoves=("a2a3", "b2b3")
    )
    assert [line for line in said if line.startswith("bestmove")] == [
        "bestmove a2a3",
        "bestmove h2h4",
    ]


def test_an_option_out_of_range_stays_as_it_was() -> None:
    said: list[str] = []
    server = UciServer(said.append)
    for name, good, wrong in (
        ("Hash", 16, 1_000_001),
        ("Seed", 7, -7),
        ("Threads", 1, 0),
        ("Move Overhead", 9, 10**6),
    ):
        server.handle(f"setoption name {name} value {good}")
        server.handle(f"setoption name {name} value {wrong}")
    options = server.options
    assert (options.hash, options.seed, options.threads, options.overhead) == (16, 7, 1, 9)
    assert [line.split(":")[0] for line in said] == ["info string error"] * 4
    said.clear()
    server.handle("uci")
    assert "option name Hash type spin default 16 min 0 max 1000000" in said


def test_limited_strength_plays_the_level_of_the_rating() -> None:
    said: list[str] = []
    server = UciServer(said.append)
    server.handle("uci")
    low, high = LEVELS[0].elo, LEVELS[-1].elo
    assert "option name UCI_LimitStrength type check default false" in said
    assert f"option name UCI_Elo type spin default {high} min {low} max {high}" in said
    for elo, level in ((low, 0), (LEVELS[3].elo, 3), (LEVELS[4].elo - 1, 3), (high, 9)):
        server.handle(f"setoption name UCI_Elo value {elo}")
        assert server.options.player == "search"
        server.handle("setoption name UCI_LimitStrength value true")
        assert server.options.player == LEVELS[level].agent
        server.handle("setoption name UCI_LimitStrength value false")
    said.clear()
    for line in (
        "setoption name UCI_LimitStrength value true",
        f"setoption name UCI_Elo value {low}",
        "setoption name MultiPV value 20",
        "position startpos",
        "go infinite",
        "stop",
    ):
        server.handle(line)
        server.wait()
    server.close()
    assert sum("multipv" in line for line in said) == 20  # each move may be drawn
    assert said[-1].startswith("bestmove ")


def test_a_level_keeps_its_evaluator_but_not_the_memory() -> None:
    options = UciOptions(evaluator="simple", hash=3, threads=1, limit_strength=True)
    for elo in (LEVELS[0].elo, LEVELS[-1].elo):
        agent = replace(options, elo=elo).load()
        assert isinstance(agent, SearchAgent)
        assert agent.settings.evaluator == "net"
        assert agent.settings.options.most_bytes == 3 << 20
    assert not options.same_game(replace(options, elo=LEVELS[1].elo))
    free = replace(options, limit_strength=False)
    assert free.same_game(replace(free, elo=LEVELS[1].elo))


def test_a_wrong_agent_is_refused_while_the_strength_is_limited() -> None:
    said: list[str] = []
    server = UciServer(said.append)
    server.handle("setoption name UCI_LimitStrength value true")
    server.handle("setoption name Agent value nobody")
    assert [line.split(":")[0] for line in said] == ["info string error"]
    assert server.options.agent == "search"


def test_what_go_does_not_take_as_it_is_sent_is_told() -> None:
    said = talk("position startpos", "go depth 5 mate 2 movetime 99999999999 nodes 7")
    assert said[:3] == [
        "info string depth means nothing here",
        "info string mate means nothing here",
        "info string movetime 99999999999 is taken as 1000000000",
    ]
    assert said[-1].startswith("bestmove ")
    assert read_go(["nodes", "99999999999"]).nodes == 99_999_999_999
    assert read_go(["wtime", "-5", "winc", "-1"]).notes == ()


def test_the_search_plays_by_name() -> None:
    position = "position startpos moves e2e4 f7f6 d1h5 a7a6"
    said = talk("setoption name Agent value search", position, "go nodes 300")
    assert said[-1] == "bestmove h5e8"
    assert not any("error" in line for line in said)


def test_the_search_guesses_a_start_that_it_is_not_told() -> None:
    search, fen = (
        "setoption name Agent value search",
        "position fen 4k3/8/8/8/8/8/8/4R1K1 w - - 0 1",
    )
    said = talk(
        search, fen, "go nodes 300", "setoption name Known Start value true", "go nodes 300"
    )
    assert said[0] == "info string belief 20000 positions, a sample"
    assert [line for line in said if line.startswith("bestmove")] == ["bestmove e1e8"] * 2
    assert "error" not in " ".join(said)


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (GameError("nothing to say"), "nothing to say"),
        (MemoryError(), "internal: MemoryError()"),
        (OSError(5, "broken"), "internal: OSError(5, 'broken')"),
    ],
)
def test_an_agent_that_falls_is_stood_in_for(
    error: Exception, told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fall(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr(SearchAgent, "watch", fall)
    said = talk(
        "setoption name Agent value search",
        "position startpos moves e2e4 f7f6 d1h5 a7a6",
        "go nodes 300",
    )
    assert said == [f"info string error: {told}", "bestmove h5e8"]


def test_the_search_stops_when_told_and_answers_meanwhile() -> None:
    said: list[str] = []
    server = UciServer(said.append)
    server.handle("setoption name Agent value search")
    for endless in ("go infinite", "go movetime 900000000", "go wtime 900000000 btime 900000000"):
        server.handle("position startpos moves e2e4 e7e5 g1f3")
        server.handle(endless)
        time.sleep(0.05)
        server.handle("isready")
        assert said == ["readyok"]
        server.handle("stop")
        assert said[-1].startswith("bestmove")
        assert "error" not in " ".join(said)
        said.clear()
    server.close()


@pytest.mark.parametrize(("after", "called"), [(0.0, True), (1e6, False)])
def test_the_belief_catches_up_a_moment_after_the_move(
    after: float, called: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Engines that were asked at the same time answer first; a new position ends the waiting."""
    caught = threading.Event()
    monkeypatch.setattr(uci_server, "_CATCH_UP_AFTER", after)
    monkeypatch.setattr(SearchAgent, "catch_up", lambda self: caught.set())
    server = UciServer(lambda line: None, UciOptions(agent="search(steps=5)"))
    server.handle("go")
    server.wait()
    if called:
        assert caught.wait(60)
    server.handle("position startpos moves e2e4")
    assert caught.is_set() == called
    server.close()


def test_the_agent_is_loaded_before_the_first_move(monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[str] = []
    server = UciServer(said.append, UciOptions(agent="greedy"))
    server.handle("ucinewgame")
    server.handle("isready")
    assert said == ["readyok"]
    monkeypatch.delattr(UciOptions, "load")  # a second one would be an error
    server.handle("go")
    server.wait()
    assert said[-1].startswith("bestmove")
    assert not any("error" in line for line in said)
    server.close()


def test_pondering() -> None:
    """What the program expects is not looked at before it is played."""
    said: list[str] = []
    server = UciServer(said.append)
    for line in (
        "setoption name Agent value search",
        "setoption name Ponder value true",
        "position startpos moves e2e4 e7e5",
        "go movetime 100",
    ):
        server.handle(line)
    server.wait()
    move = said.pop().split()[1]
    said.clear()
    server.handle(f"position startpos moves e2e4 e7e5 {move} f7f6")
    server.handle("go ponder wtime 10000 btime 10000")
    seat = server._seat
    assert seat is not None
    assert isinstance(seat.agent, SearchAgent)
    assert seat.agent.belief.view.side == 1
    assert not said
    server.handle("ponderhit")
    server.wait()
    assert seat.agent.belief.view.side == 0
    assert said[-1].startswith("bestmove")
    said.clear()
    server.handle(f"position startpos moves e2e4 e7e5 {move} g7g6")
    server.handle("go ponder movetime 50")
    server.handle("stop")
    assert len(said) == 1
    assert said[0].startswith("bestmove")
    server.handle(f"position startpos moves e2e4 e7e5 {move} d7d6")
    server.handle("go movetime 50")
    server.wait()
    assert server._seat is seat
    assert "error" not in " ".join(said)
    server.close()


def test_a_search_says_how_far_it_is() -> None:
    said: list[str] = []
    server = UciServer(said.append)
    for line in ("setoption name Agent value search", "position startpos", "go movetime 1500"):
        server.handle(line)
    server.wait()
    server.close()
    looks = [line.split() for line in said if line.startswith("info nodes")]
    assert looks
    nodes = [int(words[2]) for words in looks]
    assert nodes == sorted(nodes)
    assert nodes[0] > 0


def test_a_game_that_is_over() -> None:
    said = talk("position startpos moves e2e4 f7f6 d1h5 a7a6 h5e8", "go")
    assert said == ["info string the game is over", "bestmove (none)"]


@pytest.mark.parametrize(
    ("line", "part"),
    [
        ("position startpos moves e2e4 e2e4", "cannot be played"),
        ("position fen rnbqkbnr w", "FEN"),
        ("position", "startpos"),
        ("position startpos moves e2e4 f7f6 d1h5 a7a6 h5e8 a6a5", "over"),
        ("setoption name UCI_Variant value atomic", "uci_variant"),
        ("setoption name Agent value all-seeing", "whole board"),
        ("setoption name Agent value nobody", "unknown agent"),
        ("setoption name Evaluator value deep", "unknown evaluator"),
        ("setoption name Known Start value maybe", "maybe"),
        ("setoption name Seed value -x", "whole number"),
        ("setoption name Seed value -1", "seed is a whole number from 0 to 1000000000, not -1"),
        ("setoption name Seed value 1000000001", "from 0 to 1000000000, not 1000000001"),
        ("setoption name Seed value " + "9" * 30, "whole number"),
        ("setoption name Hash value 1000001", "from 0 to 1000000, not 1000001"),
        ("setoption name Hash value", "whole number"),
        ("setoption name UCI_LimitStrength value 1", "uci_limitstrength"),
        ("setoption name UCI_Elo value strong", "whole number"),
        ("setoption name UCI_Elo value -1", f"from {LEVELS[0].elo} to {LEVELS[-1].elo}, not -1"),
        ("setoption name UCI_Elo value 99999", f"to {LEVELS[-1].elo}, not 99999"),
        ("setoption name Threads value 0", "from 1 to 256, not 0"),
        ("setoption name Threads value 257", "from 1 to 256, not 257"),
        ("setoption name Move Overhead value 5001", "from 0 to 5000, not 5001"),
        ("setoption name Evaluator value net:a\0b", "no file can have this name"),
        ("setoption name Evaluator value uci:a\0b", "cannot start"),
        ("setoption name Evaluator value stockfish-net:a\0b", "zero byte"),
        ("go searchmoves zzz nodes 9", "searchmoves zzz: cannot be played here; all moves"),
        ("go nodes -5", "from 0 up, not -5"),
        ("go movetime -5", "from 0 up, not -5"),
        ("setoption value", "name"),
        ("fly", "unknown command 'fly'"),
        ("go wtime soon", "whole number"),
        ("go fast", "'fast'"),
    ],
)
def test_mistakes_are_told_in_one_line(line: str, part: str) -> None:
    said = talk(line)
    assert said[0].startswith("info string error: ")
    assert part in said[0]
    assert len([text for text in said if "error" in text]) == 1
    after = talk(line, "position startpos", "isready", "go nodes 10")
    assert after[-1].startswith("bestmove ")


@pytest.mark.long
@pytest.mark.parametrize("agent", ["belief-vote", "search(steps=40)"])
@pytest.mark.parametrize("player", [0, 1])
def test_nothing_hidden_comes_out(player: int, agent: str) -> None:
    different = 0
    for seed in range(2):
        twins = twin_games(player, seed, 16)
        different += twins.first != twins.second
        heard = [
            timeless(
                talk(
                    "setoption name MultiPV value 3",
                    f"position startpos moves {' '.join(line)}",
                    "d",
                    "go" if "steps" in agent else "go nodes 2000",
                    agent=agent,
                )
            )
            for line in (twins.first, twins.second)
        ]
        assert heard[0] == heard[1]
        assert heard[0][-1].startswith("bestmove ")
    assert different


def test_a_fen_shows_no_more_than_the_side_sees() -> None:
    """The black rook is on h8 or on a8; White cannot see which."""
    pair = ("4k2r/8/8/8/8/8/P6P/4K3 w - - 0 1", "r3k3/8/8/8/8/8/P6P/4K3 w - - 0 1")
    views = {FogChess(fen=fen).root().observation(0) for fen in pair}
    assert len(views) == 1
    heard = [timeless(talk(f"position fen {fen}", "go nodes 5000")) for fen in pair]
    assert heard[0] == heard[1]
    known = [
        timeless(
            talk("setoption name Known Start value true", f"position fen {fen}", "go nodes 5000")
        )
        for fen in pair
    ]
    assert known[0][0] == "info string belief 1 positions, all"
    assert heard[0][0] != known[0][0]


def test_the_same_after_every_ply_or_all_at_once() -> None:
    moves = ["e2e4", "e7e5", "g1f3", "b8c6", "f1c4", "g8f6", "e1g1", "f8c5"]
    steps = [
        line
        for ply in range(0, len(moves) + 1, 2)
        for line in (f"position startpos moves {' '.join(moves[:ply])}", "go nodes 600")
    ]
    stepwise = [line for line in talk(*steps) if "belief" in line]
    for number, ply in enumerate(range(0, len(moves) + 1, 2)):
        at_once = talk(f"position startpos moves {' '.join(moves[:ply])}", "go nodes 600")
        assert at_once[0] == stepwise[number]


def test_time_for_a_move() -> None:
    assert read_go(["movetime", "500"]).seconds(0, 30) == 0.47
    assert read_go(["wtime", "60000", "btime", "30000", "movestogo", "10"]).seconds(1, 0) == 3.0
    assert read_go(["wtime", "60000", "winc", "1000"]).seconds(0, 0) == pytest.approx(2.75)
    assert Go(wtime=100, winc=5000).seconds(0, 30) == pytest.approx(0.05)
    assert read_go(["wtime", "-50", "btime", "5"]).seconds(0, 30) == 0.001
    assert read_go(["nodes", "5"]).seconds(0, 30) == 0.0
    for wrong in ("movetime", "movetime x", "nodes ²", "depth 1.5", "nodes " + "9" * 5000):
        with pytest.raises(NotationError):
            read_go(wrong.split())


SOME_WORDS = """
uci isready position startpos fen moves go stop ponderhit setoption name value Agent Evaluator
random greedy UCI_Variant fogofwar Rules chesscom Known Start true Seed 3 e2e4 e7e5 g1f3 a7a8q
nodes 5 -1 99999999999999999999 searchmoves ucinewgame d debug register e1g1 - 0 1 w KQkq
rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR 4k3/8/8/8/8/8/8/4K3 8/8/8/8/8/8/8/8
"""
WORDS = st.sampled_from(SOME_WORDS.split())


@settings(
    max_examples=150, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck)
)
@given(
    st.lists(
        st.one_of(
            st.lists(WORDS | st.text(st.characters(), max_size=9), max_size=12).map(" ".join),
            st.text(st.characters(), max_size=40),
        ),
        max_size=6,
    )
)
def test_no_input_makes_it_fall(lines: list[str]) -> None:
    said = talk(*[line.replace("\n", " ") for line in lines], "stop", "isready")
    assert said[-1] == "readyok" or any("quit" in line for line in lines)
    assert all("\n" not in line for line in said)
    assert not any("internal" in line for line in said)


def test_bytes_that_are_no_text() -> None:
    noise = bytes(range(256)) * 4 + b"\nposition startpos moves \xff\xfe\ngo\nisready\nquit\n"
    done = subprocess.run(
        [sys.executable, "-m", "fogtree", "uci"],
        input=noise,
        capture_output=True,
        timeout=HANGS,
        check=False,
    )
    assert done.returncode == 0
    assert done.stderr == b""
    assert b"readyok" in done.stdout


def test_a_reader_that_is_gone_ends_the_search_quietly(monkeypatch: pytest.MonkeyPatch) -> None:
    """The thread of a search does not fail; the main thread meets the error itself."""
    failed: list[object] = []
    monkeypatch.setattr(threading, "excepthook", failed.append)

    def write(line: str) -> None:
        raise BrokenPipeError

    server = UciServer(write)
    server.handle("position startpos")
    server.handle("go nodes 20")
    server.wait()
    with pytest.raises(BrokenPipeError):
        server.handle("isready")
    server.close()
    assert failed == []
