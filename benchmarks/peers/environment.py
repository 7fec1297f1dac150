"""The peers' own Python environment, made when it is first needed."""

from __future__ import annotations

import subprocess
import sys
import venv
from pathlib import Path

REQUIREMENTS = Path(__file__).with_name("requirements.txt")
DEFAULT_FOLDER = REQUIREMENTS.parents[2] / ".benchmark-env"


class EnvironmentFailedError(Exception):
    """The environment could not be made; the message says which step failed."""


def peer_python(folder: Path) -> Path:
    """The environment's interpreter, after installing what is pinned if that has changed."""
    python = folder / "bin" / "python"
    stamp = folder / "requirements.installed"
    wanted = REQUIREMENTS.read_text()
    if python.exists() and stamp.exists() and stamp.read_text() == wanted:
        return python
    print(f"Installing the peers into {folder} (about 1 GB, once)", file=sys.stderr)
    venv.create(folder, with_pip=True)
    command = [str(python), "-m", "pip", "install", "--quiet", "-r", str(REQUIREMENTS)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        reason = (done.stderr.strip().splitlines() or ["no reason given"])[-1]
        raise EnvironmentFailedError(f"pip could not install the peers: {reason}")
    stamp.write_text(wanted)
    return python
