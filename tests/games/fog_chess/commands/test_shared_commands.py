"""``play``, ``replay``, ``arena`` and ``uci`` with Fog-of-War chess."""

from __future__ import annotations

import contextlib
import io
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from fogtree.arena import read_records, replay
from fogtree.games.fog_chess.pgn import PGN
from tests.support.processes import HANGS


@pytest.fixture
def typed(monkeypatch):
    """Puts lines on standard input."""
    return lambda *lines: monkeypatch.setattr(
        "sys.stdin", io.StringIO("".join(f"{line}\n" for line in lines))
    )


def test_play_to_the_end(done, typed, tmp_path):
    typed("help", "moves", "nonsense", "O-O", "e2e4", "Qh5", "e7e8", "board", "resign")
    out = done(
        "play",
        "fog_chess",
        "--as",
        "white",
        "--against",
        "random",
        "--seed",
        5,
        "--record",
        "game.jsonl",
    )
    text = out.output
    assert "e4 (e2e4)" in text
    assert "'nonsense' is not a move you can make" in text
    assert "'O-O' is not a move" in text
    assert "Black wins: white resigned." in text
    assert "You lose." in text
    (record,) = read_records("game.jsonl")
    assert record.resigned == 0
    assert record.steps[0::2] == ("e2e4", "d1h5")
    assert list(replay(record))
    assert len(record.views[0]) == len(record.steps) + 1


def test_play_as_black_until_the_king_is_gone(done, typed):
    typed("f5")
    game = 'fog_chess(fen="4k2r/5p2/8/7Q/8/8/8/4K3 b k - 0 1")'
    text = done("play", game, "--as", "black", "--against", "greedy", "--seed", 1).output
    assert "8 r . . k . ? ? ?\n  h g f e d c b a" in text  # Black is below
    assert "Your king on e8 was taken by a queen." in text
    assert "White wins: king captured.\nYou lose." in text


def test_leaving(done, typed):
    typed("e4", "q")
    text = done(
        "play", "fog_chess", "--against", "belief-vote", "--seconds", 0.01, "--seed", 1
    ).output
    assert "You left the game." in text
    assert "whole board" not in text
    typed()
    assert "You left the game." in done("play", "fog_chess").output
    typed("q")
    left = done("play", "fog_chess", "--record", "game.jsonl").output
    assert left.endswith("You left the game. game.jsonl was not written.\n")
    assert not Path("game.jsonl").exists()


def test_arena_writes_records_and_pgn_that_replay(done, command):
    arguments = ["arena", "fog_chess", "--agents", "greedy,random", "--games", 6, "--workers", 1]
    files = ["--records", "games.jsonl", "--records", "games.pgn"]
    document = done(*arguments, *files, "--openings", "random:3", "--nodes", 50, "--json").document
    assert document["matches"][0]["games"] == 6
    assert document["ratings"][0]["name"] == "greedy"
    records = list(read_records("games.jsonl"))
    games = list(PGN.read(Path("games.pgn")))
    assert [r.steps for r in records] == [g.steps for g in games]
    assert len(records) == 6
    for source in ("games.jsonl", "games.pgn"):
        whole = done("replay", source, "--game", 2).output
        assert whole.count("a b c d e f g h") == len(records[1].steps) + 1
        assert re.search(r"(wins|Drawn): ", whole)
        for number, side in enumerate(("white", "black")):
            document = done("replay", source, "--as", side, "--game", 2, "--json").document
            assert [step["view"] for step in document["steps"]] == list(records[1].views[number])
            own = [step["action"] for step in document["steps"]][1:]
            first = 0 if " w " in records[1].views[0][0] else 1
            assert own[(number - first) % 2 :: 2] == list(
                records[1].steps[(number - first) % 2 :: 2]
            )
            assert set(own[(number - first + 1) % 2 :: 2]) <= {None}
    text = done(*arguments, "--sprt", "0,300", "--games", 60).output
    assert "stronger" in text


def test_games_are_rounded_up_aloud(command):
    words = ["arena", "fog_chess", "--agents", "greedy,random", "--workers", 1, "--json"]
    odd = command(*words, "--games", 3)
    assert odd.status == 0
    assert odd.document["matches"][0]["games"] == 4
    assert odd.errors == "4 games a pair, not 3: every deal is played once from each seat\n"
    assert command(*words, "--games", 4).errors == ""


def test_every_record_names_its_rules(done, typed):
    words = ["arena", "fog_chess", "--agents", "greedy,random", "--workers", 1, "--games", 2]
    done(*words, "--records", "r", "--file", "f", "--records", "p.pgn", "--openings", "start")
    assert Path("r").read_text().count(r'"fog_chess(rules=\"chesscom\")"') == 2
    assert Path("f").read_text().count(r'"fog_chess(rules=\"chesscom\")"') == 2
    assert Path("p.pgn").read_text().count('[Rules "chesscom"]') == 2
    typed("resign")
    done("play", "fog_chess", "--record", "own")
    assert r'"fog_chess(rules=\"chesscom\")"' in Path("own").read_text()


def test_a_recorded_game_is_not_written_over(command, typed):
    typed("resign")
    assert command("play", "fog_chess", "--record", "own").status == 0
    before = Path("own").read_bytes()
    typed("resign")
    again = command("play", "fog_chess", "--record", "own")
    assert again.status == 2
    assert again.output == ""
    assert "there already" in again.errors
    assert Path("own").read_bytes() == before


@pytest.mark.parametrize("game", ["fog_chess", "kuhn_poker"])
def test_bytes_that_are_no_text_at_the_table(game):
    done = subprocess.run(
        [sys.executable, "-m", "fogtree", "play", game, "--seed", "1"],
        input=b"\xff\xfe\n" + b"9" * 5000 + b"\n\0\nq\n",
        capture_output=True,
        check=True,
        timeout=HANGS,
        env=os.environ | {"PYTHONIOENCODING": "utf-8:strict"},
    )
    assert done.stderr == b""
    assert done.stdout.endswith(b"You left the game.\n")


def test_replay_of_another_game(done):
    done(
        "arena",
        "cambia",
        "--agents",
        "random,greedy",
        "--games",
        2,
        "--workers",
        1,
        "--records",
        "c",
    )
    assert "The end: " in done("replay", "c", "--as", 0).output
    assert "seat 1: " in done("replay", "c").output


def test_stepping_through_a_game_in_a_terminal(done):
    done(
        "arena",
        "fog_chess",
        "--agents",
        "greedy,random",
        "--games",
        2,
        "--workers",
        1,
        "--records",
        "g",
    )
    (record, _) = read_records("g")
    try:
        ours, theirs = os.openpty()
    except OSError as error:
        pytest.skip(f"needs a pseudo-terminal: {error}")
    words = [sys.executable, "-m", "fogtree", "replay", "g", "--as", "white"]
    process = subprocess.Popen(words, stdin=theirs, stdout=theirs, stderr=theirs)
    os.close(theirs)
    os.write(ours, b"\n\nb\ne\nq\n")
    shown = b""
    with contextlib.suppress(OSError):  # the other end is closed when it leaves
        while part := os.read(ours, 4096):
            shown += part
    os.close(ours)
    assert process.wait(60) == 0
    last = len(record.steps)
    places = [int(number) for number in re.findall(rb"(\d+)/%d  " % last, shown)]
    assert places == [0, 1, 2, 1, last]


WRONG = [
    (["chess", "perft", "--fen", "x"], "FEN"),
    (
        ["chess", "perft", "--fen", "\udcff"],
        "cannot be written",
    ),  # bytes of the shell that are no text
    (["chess", "perft", "--fen", "\n"], "FEN"),
    (["chess", "perft", "--fen", "x" * 100_000], "200 characters"),
    (["chess", "perft", "--fen", "4k3/8/8/8/8/8/8/4K3 w - - 0 99999999999999999999"], "65535"),
    (["chess", "perft", "--depth", "99"], "--depth"),
    (["chess", "perft", "--depth", "-1"], "--depth"),
    (["chess", "see", "--fen", "8/8 w", "--as", "white"], "FEN"),
    (["chess", "see", "--as", "green"], "green"),
    (["chess", "see"], "--as"),
    (["chess", "see", "--as", "white", "--rules", "chescom"], "did you mean 'chesscom'"),
    (["chess", "belief", "--moves", "e2e4,e2e4", "--as", "white"], "e2e4"),
    (["chess", "belief", "--moves", "e2e4,zz", "--as", "white"], "zz"),
    (["chess", "belief", "--moves", "\udcff", "--as", "white"], "cannot be written"),
    (["chess", "belief", "--moves", "e2e4", "--as", "white", "--seed", "9" * 30], "seed"),
    (["chess", "evaluator", "values", "--fen", "\udcff"], "cannot be written"),
    (["chess", "evaluator", "values", "stockfish-net:\udcff"], "cannot read"),
    (["chess", "evaluator", "values", "net:\udcff"], "there is no file"),
    (["chess", "evaluator", "values", "uci:folder"], "cannot start"),
    (["chess", "evaluator", "random", "x", "--stacks", "-1"], "stacks"),
    (["chess", "evaluator", "random", "x", "--stacks", "9" * 30], "stacks"),
    (["chess", "evaluator", "export-stockfish-net", "--stockfish", ""], "network"),
    (["chess", "belief", "--moves", "e2e4,f7f6,d1h5,a7a6,h5e8,a6a5", "--as", "white"], "over"),
    (["chess", "belief", "--as", "white"], "--moves"),
    (["chess", "belief", "--moves", "e2e4", "--as", "white", "--cap", "0"], "--cap"),
    (["chess", "evaluator", "export-stockfish-net", "--stockfish", "/bin/false"], "network"),
    (["chess", "evaluator", "export-stockfish-net", "--stockfish", "/nowhere"], "network"),
    (["chess", "evaluator", "export-stockfish-net", "--output", "/nowhere/x"], "no folder"),
    (["chess", "evaluator", "export-stockfish-net", "--output", "noise"], "there already"),
    (["chess", "evaluator", "random", "noise"], "there already"),
    (["play", "fog_chess", "--as", "green"], "green"),
    (["play", "kuhn_poker", "--as", "white"], "unknown seat of kuhn_poker 'white'"),
    (["play", "fog_chess", "--as", "2"], "unknown seat of fog_chess '2'"),
    (["play", "fog_chess", "--against", "gredy"], "did you mean 'greedy'"),
    (["play", "fog_chess", "--seconds", "-1"], "--seconds"),
    (["play", "fog_chess", "--seconds", "nan"], "--seconds"),
    (["play", "fog_chess", "--record", "/nowhere/x"], "no folder"),
    (["play", "fog_chess", "--record", "noise"], "there already"),
    (["replay", "nowhere"], "there is no file"),
    (["replay", "folder"], "directory"),
    (["replay", "folder.pgn"], "directory"),
    (["replay", "bytes"], "UTF-8"),
    (["replay", "bytes.pgn"], "UTF-8"),
    (["replay", "huge"], "'huge', game 1, line 1: "),
    (["replay", "other", "--game", "2"], "'other', game 2: "),
    (["replay", "other", "--game", "9" * 30], "has 2 games"),
    (["analyse", "--record", "other", "--game", "2", "--as", "white"], "'other', game 2: "),
    (["arena", "fog_chess", "--agents", "greedy,random", "--file", "noise"], "not a fogtree arena"),
    (["arena", "fog_chess", "--agents", "greedy,random", "--file", "bytes"], "not a fogtree arena"),
    (["arena", "fog_chess", "--agents", "greedy,random", "--file", "folder"], "folder"),
    (["arena", "fog_chess", "--agents", "greedy,random", "--openings", "bytes"], "openings"),
    (["arena", "fog_chess", "--agents", "greedy,nobody", "--file", "new"], "unknown agent"),
    (["arena", "fog_chess", "--agents", "a,b", "--file", "new", "--records", "new"], "twice"),
    (
        ["arena", "fog_chess", "--agents", "a,b", "--records", "noise", "--records", "noise"],
        "twice",
    ),
    (["arena", "fog_chess", "--agents", "greedy,random", "--nodes", "9" * 30], "10^18"),
    (["arena", "fog_chess", "--agents", "search(time=inf),random", "--workers", "1"], "finite"),
    (["replay", "nowhere.pgn"], "there is no file"),
    (["replay", "noise"], "line 1"),
    (["replay", "noise.pgn"], "game 1"),
    (["replay", "empty"], "0 games"),
    (["arena", "fog_chess", "--agents", "greedy,random", "--openings", "nowhere"], "openings"),
    (["arena", "fog_chess", "--agents", "greedy,random", "--sprt", "5"], "--sprt"),
    (["arena", "fog_chess", "--agents", "greedy,random", "--sprt", "5,1"], "LOW < HIGH"),
    (["arena", "fog_chess", "--agents", "greedy,random", "--sprt", "0,6400"], "2000 Elo"),
    (["arena", "fog_chess", "--agents", "greedy,random", "--sprt=-1e308,1e308"], "2000 Elo"),
    (["arena", "fog_chess", "--agents", "greedy,random", "--nodes", "0"], "--nodes"),
    (["arena", "fog_chess", "--agents", "belief-vote:deep,random"], "unknown evaluator"),
    (["arena", "kuhn_poker", "--agents", "random,search", "--openings", "book"], "no openings"),
    (["arena", "kuhn_poker", "--agents", "random,x", "--records", "x.pgn"], "chess"),
    (["uci", "--agent", "all-seeing"], "whole board"),
    (["uci", "--agent", "nobody"], "unknown agent"),
    (["uci", "--evaluator", "nothing"], "unknown evaluator"),
]


def record(returns):
    """A short game that White wins."""
    moves = '["e2e4", "f7f6", "d1h5", "a7a6", "h5e8"]'
    return (
        '{"fogtree": "game", "version": 1, "game": "fog_chess", "agents": ["a", "b"], '
        f'"seed": "1", "steps": {moves}, "returns": {returns}}}'
    )


def contents(folder):
    return {path: path.is_file() and path.read_bytes() for path in folder.rglob("*")}


@pytest.mark.parametrize(("arguments", "part"), WRONG, ids=lambda value: str(value)[:40])
def test_wrong_input_is_one_line(command, arguments, part, tmp_path):
    (tmp_path / "noise").write_bytes(b"noise\n")
    (tmp_path / "noise.pgn").write_bytes(b"noise\n")
    (tmp_path / "empty").write_bytes(b"")
    for name in ("bytes", "bytes.pgn"):
        (tmp_path / name).write_bytes(bytes(range(256)))
    for name in ("folder", "folder.pgn"):
        (tmp_path / name).mkdir()
    (tmp_path / "huge").write_text(record("[1" + "0" * 400 + ", -1]"))
    (tmp_path / "other").write_text(f"{record('[1, -1]')}\n{record('[-1, 1]')}\n")
    before = contents(tmp_path)
    outcome = command(*arguments)
    assert contents(tmp_path) == before
    assert outcome.status == 2, outcome
    assert outcome.output == ""
    assert outcome.errors.count("\n") == 1
    assert part in outcome.errors


def test_uci_from_the_shell():
    talk = "uci\nposition startpos moves e2e4 f7f6 d1h5 a7a6\ngo nodes 500\n"
    done = subprocess.run(
        [sys.executable, "-m", "fogtree", "uci"],
        input=talk,
        capture_output=True,
        text=True,
        check=True,
        timeout=HANGS,
    )
    assert done.stdout.splitlines()[-1] == "bestmove h5e8"
    assert done.stderr == ""
