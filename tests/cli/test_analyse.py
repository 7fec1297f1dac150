"""``fogtree analyse``."""

from __future__ import annotations

import json

import pytest

from fogtree import load_game
from fogtree.agents import RandomAgent
from fogtree.arena import play_game, write_records
from fogtree.cli import main
from fogtree.report.meanings import FACTS


def test_records_are_followed(tmp_path, capsys):
    played = play_game(load_game("fog_chess"), [RandomAgent(), RandomAgent()], seed="7")
    file = write_records(tmp_path / "game.jsonl", [played.record])
    assert (
        main(["analyse", "--record", str(file), "--ply", "6", "--as", "black", "--steps", "5"]) == 2
    )
    command = ["analyse", "--record", str(file), "--ply", "6", "--as", "white", "--steps", "20"]
    assert main([*command, "--html", str(tmp_path / "report.html"), "--json"]) == 0
    assert (tmp_path / "report.html").stat().st_size > 10_000
    assert main(["analyse", "cambia", "--record", str(file)]) == 2
    assert "is a record of fog_chess" in capsys.readouterr().err


@pytest.mark.parametrize(
    "arguments",
    [
        ["fog_chess", "--moves", "e2e5"],
        ["fog_chess", "--moves", "e2e4", "--as", "white"],
        ["fog_chess", "--fen", "nonsense"],
        ["fog_chess", "--steps", "5", "--set", "knowlege=2"],
        ["fog_chess", "--steps", "5", "--set", "knowledge=two"],
        ["fog_chess", "--steps", "5", "--set", "frozen=perhaps"],
        ["fog_chess", "--steps", "5", "--set", "frozen"],
        ["fog_chess", "--ply", "3"],
        ["--record", "missing.jsonl"],
        ["fog_chess", "--time", "0"],
        ["fog_chess", "--trace", "--time", "3"],
        ["fog_chess", "--trace", "--json"],
        ["fog_chess", "--preset", "papers", "--steps", "5"],
        [],
        ["kuhn_poker"],
        ["kuhn_poker", "--infoset", "Z"],
        ["kuhn_poker", "--infoset", "Qcb", "--blueprint", "missing.json"],
        ["fog_chess", "--evaluator", "wisdom", "--steps", "5"],
        ["fog_chess", "--infoset", "Qcb", "--steps", "5"],
        ["fog_chess", "--memory", "much", "--steps", "5"],
        ["kuhn_poker", "--infoset", "Qcb", "--evaluator", "simple"],
        ["kuhn_poker", "--infoset", "Qcb", "--all-seeing"],
        ["fog_chess", "--before", "5"],
        ["fog_chess", "--as", "north", "--steps", "5"],
    ],
)
def test_bad_input_is_one_line(arguments, capsys):
    assert main(["analyse", *arguments]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "Traceback" not in captured.err


def test_a_bound_on_memory(capsys):
    assert main(["analyse", "fog_chess", "--memory", "3M", "--nodes", "100000", "--json"]) == 0
    assert 500_000 < json.loads(capsys.readouterr().out)["bytes"] < 3 << 20


def test_json_has_what_is_promised(capsys):
    moves = ["--moves", "e2e4,e7e5,g1f3", "--as", "black"]
    command = ["analyse", "fog_chess", *moves, "--steps", "60", "--json"]
    documents = []
    for _ in range(2):
        assert main(command) == 0
        documents.append(json.loads(capsys.readouterr().out))
    names = [
        "mix",
        "value",
        "p_max",
        "belief_size",
        "nodes",
        "infosets",
        "carried_nodes",
        "iterations",
        "depth",
    ]
    for name in names:
        assert documents[0][name] == documents[1][name]  # one thread, a budget in steps
    assert sum(documents[0]["mix"].values()) == pytest.approx(1)
    assert documents[0]["belief_size"] == 20


def test_tables_and_traces_are_printed(capsys):
    command = ["analyse", "fog_chess", "--moves", "e2e4,e7e5,g1f3", "--steps", "60"]
    more = ("Convergence", "thinks possible", "margin", "order")
    assert main([*command, "--full"]) == 0
    whole = capsys.readouterr().out
    assert all(title in whole for title in ("Candidates", *more))
    assert main(command) == 0
    summary = capsys.readouterr().out
    assert "Candidates" in summary
    assert "--full" in summary
    assert "Convergence" not in summary
    assert len(summary) < len(whole) / 2
    assert "# blocks one of our pawns" in summary
    assert all(
        f"{name}: {FACTS[name][:20]}" in whole for name in ("evaluator", "p_max", "Nash gap")
    )
    assert main([*command, "--full", "--json"]) == 2
    assert "--full" in capsys.readouterr().err
    assert main(["analyse", "fog_chess", "--moves", "e2e4", "--trace", "--steps", "3"]) == 0
    assert "## Expansion 3" in capsys.readouterr().out
    assert (
        main(["study", "safety", "kuhn_poker", "--steps", "200", "--orders", "2", "--workers", "1"])
        == 0
    )
    assert "no gadget" in capsys.readouterr().out


def test_options_of_one_game_are_shown_apart(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "100")
    assert main(["analyse", "--help"]) == 0
    shared, own = capsys.readouterr().out.split("Options of fog_chess")
    for option in ("--fen", "--rules"):
        assert option not in shared
        assert option in own
    assert main(["arena", "--help"]) == 0
    assert "book" not in capsys.readouterr().out
