"""``fogtree serve``: its address, its end, and addresses that cannot be used."""

from __future__ import annotations

import json
import signal
import socket
import subprocess
import sys
from pathlib import Path
from urllib.request import urlopen

import pytest

pytest.importorskip("starlette", reason="needs the web app: pip install 'fogtree[web]'")
pytest.importorskip("uvicorn", reason="needs the web app: pip install 'fogtree[web]'")
pytest.importorskip("websockets", reason="needs the web app: pip install 'fogtree[web]'")

from fogtree.cli import main
from tests.support.web_server import SECONDS, running

LONG = 60.0  # seconds: the longest time for a move


def test_ctrl_c_ends_it_while_agents_think_and_browsers_watch(tmp_path: Path) -> None:
    with running(tmp_path / "games.sqlite3") as server:
        seats = [{}, {"agent": "search"}]
        content = {"game": "fog_chess", "seats": seats, "move_seconds": LONG}
        made = server.post("/api/games", content)
        with server.seat(made, 0) as browser, server.seat(made, 0) as looking:
            for one in (browser, looking):
                one.recv(SECONDS), one.recv(SECONDS)
            looking.send(json.dumps({"type": "look", "seconds": 10}))
            assert json.loads(looking.recv(SECONDS))["type"] == "look"
            browser.send(json.dumps({"type": "act", "at": 2, "action": "e2e4"}))
            assert json.loads(browser.recv(SECONDS))["type"] == "view"
            lab = {"game": "leduc_poker", "algorithms": ["cfr"], "iterations": 10_000_000}
            server.post("/api/lab", lab)
            server.process.send_signal(signal.SIGINT)
            assert server.process.wait(LONG / 2) == 0  # it waits for none of them
        server.start()
        with server.seat(made, 0) as browser:
            assert [json.loads(browser.recv(SECONDS))["n"] for _ in range(3)] == [1, 2, 3]


def test_it_starts_without_what_only_some_pages_need() -> None:
    """Each of these takes longer to import than all the rest."""
    wanted = "import sys, fogtree.web.app; print(*sys.modules)"
    run = subprocess.run([sys.executable, "-c", wanted], capture_output=True, text=True, check=True)
    loaded = set(run.stdout.split())
    assert "fogtree.web.hub" in loaded
    assert loaded.isdisjoint({"scipy", "pandas", "matplotlib", "jax", "fogtree.deep.train"})


def test_a_busy_port(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with running(tmp_path / "one.sqlite3") as server:
        taken = ["serve", "--no-browser", "--port", str(server.port)]
        assert main([*taken, "--data", str(tmp_path / "two.sqlite3")]) == 2
        assert "cannot listen on 127.0.0.1" in capsys.readouterr().err
        with urlopen(f"http://127.0.0.1:{server.port}/api/version", timeout=SECONDS) as answer:
            assert answer.headers["X-Content-Type-Options"] == "nosniff"
            assert answer.headers["server"] is None


def test_another_address_needs_a_token(capsys: pytest.CaptureFixture[str]) -> None:
    for host in ("0.0.0.0", "::", "192.0.2.1", "127.0.0.1.example"):
        assert main(["serve", "--no-browser", "--host", host]) == 2
        assert "--token" in capsys.readouterr().err
    assert main(["serve", "--no-browser", "--host", "0.0.0.0", "--token", ""]) == 2


def test_a_file_that_is_no_database(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "text"
    file.write_text("not a database" * 100)
    assert main(["serve", "--no-browser", "--port", "0", "--data", str(file)]) == 2
    assert "cannot be used as a database" in capsys.readouterr().err


def test_it_listens_on_loopback_only(tmp_path: Path) -> None:
    with running(tmp_path / "games.sqlite3") as server, socket.socket() as probe:
        probe.settimeout(2)
        own = socket.gethostbyname(socket.gethostname())
        if not own.startswith("127."):
            assert probe.connect_ex((own, server.port)) != 0


def test_refusals_name_the_command_of_this_machine(tmp_path: Path) -> None:
    from tests.support.web_jobs import refused, study_server

    with study_server(tmp_path, command=".venv/bin/fogtree", runs=None) as client:
        line = refused(client, "/api/own-code", {"name": "a.py", "source": ""}, 403)
        assert line.endswith("start it with .venv/bin/fogtree serve --own-code")
        line = refused(client, "/api/training", {"game": "kuhn_poker"})
        assert line.endswith("start it with .venv/bin/fogtree serve --runs FOLDER")
