"""Saved runs, and training runs that are started and resumed from a page."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from fogtree.errors import OptionError
from fogtree.registry import resolve
from fogtree.web.jobs import Jobs
from fogtree.web.requests import in_study_thread, read_body, refusal, reports_errors
from fogtree.web.run_files import list_runs, read_metrics, run_names
from fogtree.web.titles import game_title

if TYPE_CHECKING:
    from fogtree.web.training import Training


@reports_errors
async def _runs(request: Request) -> Response:
    """The saved runs, with the jobs that train some of them now."""
    folder: Path | None = request.app.state.runs
    if folder is None:
        return JSONResponse({"folder": None, "runs": []})
    rows = await in_study_thread(request, list_runs, folder)
    jobs = _running_jobs(request.app.state.jobs)
    for row in rows:
        row["job"] = jobs.get(row["name"])
        row["running"] |= row["job"] is not None  # also while its process starts
    return JSONResponse({"folder": _shown(folder), "runs": rows})


def _shown(folder: Path) -> str:
    """A folder as people write it, with ~ for their home."""
    place, home = folder.resolve(), Path.home()
    return f"~/{place.relative_to(home)}" if place.is_relative_to(home) else str(place)


def _running_jobs(jobs: Jobs) -> dict[str, str]:
    """The identifiers of the jobs that train now, by their runs."""
    found = {}
    for job in jobs.all():
        if job.live and job.kind == "training":
            found[job.result.request.name] = job.id
    return found


@reports_errors
async def _metrics(request: Request) -> Response:
    """The metrics of a saved run: the numbers of each line of its file."""
    folder: Path | None = request.app.state.runs
    name = request.query_params.get("run", "")
    if folder is None or name not in await in_study_thread(request, run_names, folder):
        return refusal(404, "there is no such run")
    return JSONResponse({"lines": await in_study_thread(request, read_metrics, folder / name)})


@reports_errors
async def _train(request: Request) -> Response:
    """Start a training run, or go on with a saved one, as a job."""
    state, content = request.app.state, await read_body(request)
    work = await in_study_thread(request, _training, content, state)
    title, jobs = f"{game_title(work.request.game)}, run {work.request.name}", state.jobs
    job = jobs.start("training", title, work.work, work, pausable=False, resumable=True)
    return JSONResponse(job.summary(), 201)


def _training(content: dict[str, Any], state: Any) -> Training:
    """The training run that a request asks for, checked."""
    if state.runs is None:
        advice = f"start it with  {state.command} serve --runs FOLDER"
        raise OptionError(f"this server keeps no runs; {advice}")
    # Imported when first needed, so that the server starts sooner.
    prepare: Callable[..., Training] = resolve("fogtree.web.training:prepare")
    return prepare(content, state.runs, state.study_games, state.limits)


ROUTES = (
    Route("/api/runs", _runs, methods=["GET"]),
    Route("/api/runs/metrics", _metrics, methods=["GET"]),
    Route("/api/training", _train, methods=["POST"]),
)
