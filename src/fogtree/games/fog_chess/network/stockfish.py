"""Getting the evaluation network out of the user's own Stockfish 15.1.

The network is in the public domain (CC0) but too large to come with this package; Stockfish has it
inside and writes it out with its command ``export_net``.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

from fogtree.errors import FileFormatError, FogtreeError
from fogtree.system.file_reader import open_file
from fogtree.system.files import check_writable, whole_file

NET_SHA256 = "ad9b423546714137916bd38978af6fd68d7b8951bef25ff76bf43da72d6cb786"
NET_NAME = f"nn-{NET_SHA256[:12]}.nnue"
_EXPORT_SECONDS = 60
_HINT = "install Stockfish 15.1 (Debian: apt install stockfish), then export its network"


class StockfishNetError(FogtreeError):
    """The network is not there, or Stockfish did not give it."""


def net_path() -> Path:
    """The path at which the exported network is kept."""
    cache = os.environ.get("XDG_CACHE_HOME")
    return (Path(cache) if cache else Path.home() / ".cache") / "fogtree" / NET_NAME


def find_stockfish_net() -> Path:
    """The network exported before; an error that says what to do if there is none."""
    path = net_path()
    if not path.is_file():
        raise StockfishNetError(
            f"no Stockfish network at {path}: {_HINT} with  "
            "fogtree chess evaluator export-stockfish-net"
        )
    return path


def find_stockfish() -> str | None:
    """The Stockfish program on the path, or where Debian puts games; None if there is none."""
    return shutil.which("stockfish") or shutil.which("stockfish", path="/usr/games")


def export_stockfish_net(stockfish: str | None = None, target: Path | None = None) -> Path:
    """Have Stockfish write its network, check it, and put it where evaluators look for it."""
    program = find_stockfish() if stockfish is None else stockfish
    if program is None:
        raise StockfishNetError(f"no Stockfish found: {_HINT}")
    target = target or net_path()
    _make_folder(target)
    check_writable(target)
    with tempfile.TemporaryDirectory() as folder:
        written = Path(folder) / "exported.nnue"
        _run_export(program, Path(folder), written.name)
        if not written.is_file():
            raise StockfishNetError(f"{program} wrote no network: {_HINT}")
        check_stockfish_net(written)
        with open_file(written) as found, whole_file(target) as out:
            shutil.copyfileobj(found, out)
    return target


def _make_folder(target: Path) -> None:
    """Make the folder of a file, if it is not there."""
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FileFormatError(f"cannot write '{target}': {error.strerror}") from error


def check_stockfish_net(path: Path) -> None:
    """Refuse a file that is not the one Stockfish network that this package reads."""
    with open_file(path) as stream:
        digest = hashlib.file_digest(stream, "sha256").hexdigest()
    if digest != NET_SHA256:
        raise FileFormatError(
            f"{path.name} is not the network of Stockfish 15.1: "
            f"its SHA-256 begins {digest[:12]}, not {NET_SHA256[:12]}"
        )


def _run_export(program: str, folder: Path, name: str) -> None:
    """Have Stockfish write its network into a folder."""
    try:
        subprocess.run(
            [program],
            input=f"export_net {name}\nquit\n",
            cwd=folder,
            capture_output=True,
            text=True,
            timeout=_EXPORT_SECONDS,
            check=True,
        )
    except (OSError, subprocess.SubprocessError) as error:
        raise StockfishNetError(f"{program} could not export its network: {error}") from None
