"""The process of a training run that a page started; it writes lines of JSON about its progress.

Called as ``python -m fogtree.web.training_process ORDER``, where the order is a JSON object.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import time
from _thread import interrupt_main
from dataclasses import replace
from pathlib import Path
from typing import Any

from fogtree.deep.checkpoint import TrainingFolder
from fogtree.deep.config import TrainingOptions, default_options, options_from
from fogtree.deep.report import Activity
from fogtree.deep.train import train
from fogtree.errors import FogtreeError
from fogtree.game import Game
from fogtree.registry import game_by_name
from fogtree.text.amounts import duration
from fogtree.web.child_process import watch_parent

_TELL_EVERY = 0.5  # seconds


def main(order: dict[str, Any]) -> None:
    """Train as ordered; errors are written as lines of JSON."""
    signal.signal(signal.SIGINT, signal.default_int_handler)  # also if the server ignores Ctrl-C
    if hasattr(os, "nice"):
        os.nice(10)
    try:
        watch_parent(_interrupt)
        run_training(order)
    except KeyboardInterrupt:  # before the first iteration
        pass
    except FogtreeError as error:
        _say("error", why=str(error))
    except Exception as error:
        _say("error", why=f"{type(error).__name__}: {error}")


def _interrupt() -> None:
    """Interrupt the main thread as Ctrl-C does; called from another thread."""
    if sys.platform == "win32":  # os.kill would end the process at once
        interrupt_main()
    else:
        os.kill(os.getpid(), signal.SIGINT)


def run_training(order: dict[str, Any]) -> None:
    """Train as ordered, on from the folder's run if it has one."""
    folder = TrainingFolder(Path(order["folder"]))
    game = game_by_name(order["game"])
    told = 0.0

    def tell(activity: Activity) -> None:
        """Write the present activity, but not too often."""
        nonlocal told
        if time.monotonic() - told > _TELL_EVERY:
            told = time.monotonic()
            _say("activity", text=_text(activity))

    run = train(
        game, _options(order, game, folder), folder=folder.path, resume=folder.exists, pulse=tell
    )
    found = {
        "iterations": run.iterations,
        "seconds": run.seconds,
        "stopped": run.stopped,
        "exploitability": run.exploitability,
    }
    _say("result", result=found)


def _options(order: dict[str, Any], game: Game, folder: TrainingFolder) -> TrainingOptions:
    """The saved options of a run, or those of a new one, with the time that was asked for."""
    if folder.exists:
        options = folder.manifest().options
    else:
        options = options_from(order["options"] or {}, default_options(game))
    limits = replace(options.run, iterations=order["iterations"], seconds=float(order["seconds"]))
    return replace(options, run=limits)


def _text(activity: Activity) -> str:
    """What a run does at this moment, in words."""
    if activity.asked is not None:
        return f"stopping after iteration {activity.iteration:,}"
    doing = activity.doing or "working"
    return f"iteration {activity.iteration:,}: {doing}, {duration(activity.seconds)}"


def _say(kind: str, **content: Any) -> None:
    """Write a line of JSON for the server. If the server is gone, output goes nowhere from then on,
    and the run is saved all the same."""
    try:
        print(json.dumps({"type": kind, **content}), flush=True)
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)


if __name__ == "__main__":
    main(json.loads(sys.argv[1]))
