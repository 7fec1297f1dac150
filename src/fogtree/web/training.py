"""Training runs started from a page: each is a process of its own with a folder of its own."""

from __future__ import annotations

import json
import re
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fogtree.deep.checkpoint import TrainingFolder
from fogtree.deep.config import default_options, options_from
from fogtree.deep.support import support_for
from fogtree.errors import FileFormatError, FogtreeError, OptionError
from fogtree.web.child_process import ChildProcess
from fogtree.web.jobs import Job, JobStopped
from fogtree.web.limits import Limits
from fogtree.web.run_files import read_metrics, run_names
from fogtree.web.study_games import StudyGames, read_spec, read_whole

WIDTHS = (32, 64, 128, 256)
"""Units in each of a network's two layers that the page offers."""
_MOST_ITERATIONS = 1_000_000  # the clock ends a run
_SAMPLES = 200_000  # kept of each kind: some hundred megabytes in a large game
_PATIENCE = 30.0  # seconds in which a process ends after it was asked to
_LEAST_MINUTES = 0.05


@dataclass(frozen=True, slots=True)
class Request:
    """What was asked for, checked: a new run, or more of a saved one."""

    game: str
    runs: Path
    name: str
    """The run, by its path within the folder of runs."""
    seconds: float
    """Training time after which the run ends, from its beginning."""
    options: dict[str, dict[str, Any]] | None = None
    """The options of a new run, by section; None: those of the saved run."""

    @property
    def folder(self) -> Path:
        """The folder of the run."""
        return self.runs / self.name

    @classmethod
    def read(
        cls, content: dict[str, Any], runs: Path, games: StudyGames, limits: Limits
    ) -> Request:
        """Check a request; a mistake is an error in one line. The folder of a new run is made."""
        minutes = content.get("minutes", 2)
        most = limits.training_minutes
        if type(minutes) not in (int, float) or not _LEAST_MINUTES <= minutes <= most:
            raise OptionError(f"'minutes' must be {_LEAST_MINUTES:g} to {most:g}")
        if content.get("resume") is not None:
            return cls._of_saved_run(content["resume"], runs, 60.0 * minutes)
        spec, options = read_spec(content), _options(content)
        game = games.find(spec)
        if support_for(game) is None:
            games.check(spec)
        options_from(options, default_options(game))  # a mistake is found before the run begins
        name = _new_folder(runs, game.short_name or "game").name
        return cls(str(game), runs, name, 60.0 * minutes, options)

    @classmethod
    def _of_saved_run(cls, name: object, runs: Path, seconds: float) -> Request:
        """A request to continue a saved training run for more seconds."""
        if not isinstance(name, str) or name not in run_names(runs):
            raise OptionError("there is no such run")
        try:
            manifest = TrainingFolder(runs / name).manifest()
        except FileFormatError:
            raise OptionError(f"'{name}' is not a training run; only those go on here") from None
        lines = read_metrics(runs / name)
        done = lines[-1].get("seconds", 0.0) if lines else 0.0
        return cls(manifest.game, runs, name, done + seconds)


def _options(content: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """The training options of a new run by section, from the fields of a request; iterations are
    short, so that there soon is something to see."""
    walks = read_whole(content, "walks", 500, 10, 100_000)
    width, seed = content.get("width", 64), read_whole(content, "seed", 0, 0, 2**31)
    if width not in WIDTHS:
        raise OptionError(f"'width' must be one of {', '.join(map(str, WIDTHS))}")
    kept = {"batch": 512, "capacity": _SAMPLES}
    return {
        "run": {"seed": seed, "checkpoint_seconds": 10.0},
        "traversal": {"traversals": walks},
        "network": {"hidden": [width, width]},
        "regret": {"steps": 200, **kept},
        "average": {"steps": 400, **kept},
        "value": {"capacity": _SAMPLES},
        "evaluation": {"interval": 5, "games": 500},
    }


def _new_folder(runs: Path, game: str) -> Path:
    """Make a folder for a new run, with the first free number after the game's name."""
    base = re.sub(r"[^\w-]+", "-", game)[:40]
    for number in range(1, 10_000):
        folder = runs / f"{base}-{number}"
        try:
            folder.mkdir(parents=True)
        except FileExistsError:
            continue
        except OSError as error:
            raise OptionError(f"cannot make a folder in '{runs}': {error.strerror}") from error
        return folder
    raise OptionError(f"'{runs}' is full of runs of {base}")


class Training:
    """A training run as a job; stopped, it can go on from its folder."""

    def __init__(self, request: Request) -> None:
        self.request = request

    def work(self, job: Job) -> None:
        """Train in a process until the time is up or somebody stops it."""
        asked = self.request
        job.tell("begun", game=asked.game, run=asked.name, seconds=asked.seconds)
        job.note = "starting"
        order = {
            "game": asked.game,
            "folder": str(asked.folder.resolve()),
            "seconds": asked.seconds,
            "iterations": _MOST_ITERATIONS,
            "options": asked.options,
        }
        module = "fogtree.web.training_process"
        try:
            with ChildProcess(module, [json.dumps(order)], asked.folder.parent) as process:
                self._follow(job, process)
        finally:
            with suppress(OSError):
                asked.folder.rmdir()  # nothing was saved in it

    def _follow(self, job: Job, process: ChildProcess) -> None:
        """Pass the process's lines on as events of the job, until it ends or the job is stopped."""
        asked_at, ended, why = 0.0, False, ""
        while process.running:
            line = process.next_line(0.1)
            if job.stop_asked and not asked_at:
                asked_at = time.monotonic()
                process.ask_to_end()
            if asked_at and time.monotonic() - asked_at > _PATIENCE:
                process.kill()  # the last save stays
            said = json.loads(line) if line else {}
            if said.get("type") == "activity":
                job.note = str(said["text"])
            elif said.get("type") == "result":
                ended = True
                job.tell("result", **said["result"])
            elif said.get("type") == "error":
                why = str(said["why"])
        if why:
            raise FogtreeError(why)
        if job.stop_asked:
            raise JobStopped
        if not ended:
            raise FogtreeError(f"the training process ended early (status {process.status})")


def prepare(content: dict[str, Any], runs: Path, games: StudyGames, limits: Limits) -> Training:
    """The training run that a request asks for, checked and ready to be started as a job."""
    return Training(Request.read(content, runs, games, limits))
