"""``fogtree serve``: the web app on this machine."""

from __future__ import annotations

import gc
import os
import secrets
import socket
import sys
import threading
import time
import webbrowser
from pathlib import Path
from typing import Annotated

import typer

from fogtree.errors import MissingExtraError, OptionError
from fogtree.terminal.console import messages, output
from fogtree.web.limits import Limits

PORT = 8000
_SWITCH = 0.001  # seconds after which a computing thread lets the one that answers browsers run
_COLLECT = 20_000, 20, 50  # games leave little garbage, and looking for it delays their answers
_PATIENCE = 0.5  # seconds for threads to end
_LOOPBACK = ("127.0.0.1", "localhost", "::1")


def serve(
    *,
    host: Annotated[str, typer.Option(help="The address to listen on.")] = "127.0.0.1",
    port: Annotated[
        int | None,
        typer.Option(min=0, max=65535, help="The port.", show_default=f"{PORT}, or a free one"),
    ] = None,
    browser: Annotated[
        bool, typer.Option("--browser/--no-browser", help="Open the page in a browser.")
    ] = True,
    token: Annotated[
        str | None, typer.Option(help="A secret that every visitor must know.", show_default=False)
    ] = None,
    own_code: Annotated[
        bool,
        typer.Option("--own-code", help="Allow visitors to run games from Python files."),
    ] = False,
    data: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="The database of games. All running games are kept, and of finished ones the "
            f"{Limits().finished_games:,} that ended last.",
            show_default="in your data folder",
        ),
    ] = None,
    runs: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER",
            file_okay=False,
            help="The folder of saved runs and of new training runs.",
            show_default="runs, beside the database",
        ),
    ] = None,
) -> None:
    """Play, look and learn in the browser: starts the web app and opens its page."""
    if host not in _LOOPBACK and not token:
        raise OptionError(
            f"listening on {host} lets others reach this server: give them a secret with  "
            f"--token {secrets.token_urlsafe(12)}"
        )
    try:
        import uvicorn
        import websockets  # noqa: F401 - uvicorn needs it for live games

        from fogtree.web.app import make_app
    except ImportError as error:
        raise MissingExtraError(error.name or "starlette", "web") from error
    from fogtree.web.command_name import command_name
    from fogtree.web.security import LOOPBACK, Access
    from fogtree.web.storage import Storage

    listener = _listen(host, port)
    number = listener.getsockname()[1]
    hosts = LOOPBACK if host in _LOOPBACK else ("*",)
    file = data or _data_folder() / "web.sqlite3"
    storage = Storage(file)
    app = make_app(
        storage,
        access=Access(tuple(hosts), token),
        own_code=own_code,
        runs=runs or file.parent / "runs",
        # Visitors from elsewhere need not know where it is installed.
        command=command_name() if host in _LOOPBACK else "fogtree",
    )
    shown = "127.0.0.1" if host in _LOOPBACK else host
    address = f"http://{shown}:{number}/" + (f"#token={token}" if token else "")
    output().print(f"fogtree is at {address}  (Ctrl-C ends it)", soft_wrap=True)
    if own_code and host not in _LOOPBACK:
        messages().print(
            "with --own-code everybody who knows the token can run Python on this machine",
            soft_wrap=True,
        )
    if browser:
        threading.Thread(target=_open, args=(address,), daemon=True).start()
    config = uvicorn.Config(
        app,
        log_level="warning",
        access_log=False,
        server_header=False,
        ws_max_size=app.state.limits.message_bytes,
        timeout_graceful_shutdown=1,
    )
    sys.setswitchinterval(_SWITCH)
    gc.freeze()  # what exists now stays: the collector need not look at it while people play
    gc.set_threshold(*_COLLECT)
    try:
        uvicorn.Server(config).run(sockets=[listener])
    except KeyboardInterrupt:  # how a server ends; all is stored
        pass
    finally:
        storage.close()
    output().print("fogtree has ended; games and training runs are saved", soft_wrap=True)
    _end_threads()


def _end_threads() -> None:
    """Wait a moment for the threads of agents and jobs, which were asked to stop. If one does not
    end, exit at once: leaving it in native code while Python shuts down could crash."""
    end = time.monotonic() + _PATIENCE
    others = [thread for thread in threading.enumerate() if thread is not threading.main_thread()]
    for thread in others:
        thread.join(max(0.0, end - time.monotonic()))
    if any(thread.is_alive() for thread in others):
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(0)


def _listen(host: str, port: int | None) -> socket.socket:
    """A listening socket on the given port; by default on the usual port, or a free one if that is
    in use."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    for wanted in (port,) if port is not None else (PORT, 0):
        listener = socket.socket(family, socket.SOCK_STREAM)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((host, wanted))
        except OSError as error:
            listener.close()
            reason = error.strerror or str(error)
            if wanted == 0 or port is not None:
                raise OptionError(f"cannot listen on {host}, port {wanted}: {reason}") from error
            continue
        listener.listen(128)
        return listener
    raise OptionError(f"there is no free port on {host}")


def _data_folder() -> Path:
    """The user's folder for fogtree's data, which is made if it does not exist."""
    base = os.environ.get("XDG_DATA_HOME") or str(Path.home() / ".local" / "share")
    folder = Path(base) / "fogtree"
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OptionError(
            f"cannot make '{folder}': {error.strerror}; name a --data FILE"
        ) from error
    return folder


def _open(address: str) -> None:
    """Open the address in a browser, or print it if there is none."""
    try:
        opened = webbrowser.open(address)
    except webbrowser.Error:
        opened = False
    if not opened:
        messages().print(f"no browser could be opened: visit {address}", soft_wrap=True)
