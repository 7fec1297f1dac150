"""Long work over HTTP: the solver lab, its solutions, the walk-through, and orders to jobs."""

from __future__ import annotations

import asyncio

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from fogtree.errors import FogtreeError
from fogtree.registry import load_game
from fogtree.solvers import RECIPES
from fogtree.web import lab
from fogtree.web.jobs import Job, Jobs
from fogtree.web.requests import read_body, reports_errors
from fogtree.web.walk import walk_document


@reports_errors
async def _new_lab(request: Request) -> Response:
    asked = lab.Request.read(await read_body(request))
    load_game(asked.game)
    work = lab.Lab(asked)
    jobs: Jobs = request.app.state.jobs
    job = jobs.start("lab", f"{asked.game}: {', '.join(asked.algorithms)}", work.work, work)
    return JSONResponse(job.summary(), 201)


@reports_errors
async def _jobs(request: Request) -> Response:
    jobs: Jobs = request.app.state.jobs
    return JSONResponse({"jobs": [job.summary() for job in jobs.all()]})


def _find_job(request: Request) -> Job:
    job: Job | None = request.app.state.jobs.find(request.path_params["id"])
    if job is None:
        raise FogtreeError("there is no such job")
    return job


@reports_errors
async def _job(request: Request) -> Response:
    """A job with its events after ``since``; waits a moment for new ones."""
    job = _find_job(request)
    asked = request.query_params.get("since", "0")
    since = int(asked) if asked.isdecimal() and len(asked) < 10 else 0
    loop = asyncio.get_running_loop()
    events = await loop.run_in_executor(None, job.wait_for_events, since, 0.5)
    return JSONResponse({**job.summary(), "new": events})


@reports_errors
async def _control(request: Request) -> Response:
    job = _find_job(request)
    job.control(request.path_params["order"])
    return JSONResponse(job.summary())


@reports_errors
async def _place(request: Request) -> Response:
    """A place in the solution of a lab's algorithm."""
    job, content = _find_job(request), await read_body(request)
    path, algorithm = content.get("path"), content.get("algorithm")
    if not isinstance(job.result, lab.Lab) or not isinstance(algorithm, str):
        raise FogtreeError("that job has no solution to look at")
    if not isinstance(path, list) or not all(isinstance(label, str) for label in path):
        raise FogtreeError("a place is a list of labels")
    loop = asyncio.get_running_loop()
    found = await loop.run_in_executor(None, job.result.place, algorithm, list(path))
    return JSONResponse(found)


@reports_errors
async def _walk(request: Request) -> Response:
    content = await read_body(request)
    loop = asyncio.get_running_loop()
    return JSONResponse(await loop.run_in_executor(None, walk_document, content))


async def _algorithms(request: Request) -> Response:
    del request
    return JSONResponse({"algorithms": [name for name in RECIPES if "mccfr" not in name]})


ROUTES: list[BaseRoute] = [
    Route("/api/jobs", _jobs, methods=["GET"]),
    Route("/api/lab", _new_lab, methods=["POST"]),
    Route("/api/jobs/{id}", _job, methods=["GET"]),
    Route("/api/jobs/{id}/place", _place, methods=["POST"]),
    Route("/api/jobs/{id}/{order}", _control, methods=["POST"]),
    Route("/api/walk", _walk, methods=["POST"]),
    Route("/api/algorithms", _algorithms),
]
