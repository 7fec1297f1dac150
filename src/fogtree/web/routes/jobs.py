"""Requests about long work: the solver lab, the walk-through and matches."""

from __future__ import annotations

import asyncio
import json
import time

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from fogtree.errors import FogtreeError, OptionError
from fogtree.solvers import RECIPES
from fogtree.system.user_code import is_user_code
from fogtree.web import lab, matches
from fogtree.web.game_analysis import GameAnalysis
from fogtree.web.hub import GameHub
from fogtree.web.jobs import Job, Jobs
from fogtree.web.opened_records import list_document, numbered_record
from fogtree.web.requests import GoneError, in_study_thread, read_body, reports_errors
from fogtree.web.study_games import StudyGames
from fogtree.web.titles import game_title
from fogtree.web.walk import walk_document

_WAIT, _LOOK = 0.5, 0.05  # seconds: of one request for new events, and between two looks


@reports_errors
async def _new_lab(request: Request) -> Response:
    """Start a comparison of algorithms as a job."""
    asked = lab.Request.read(await read_body(request))
    games: StudyGames = request.app.state.study_games
    await in_study_thread(request, games.check, asked.game)
    work = lab.Lab(asked, games)
    jobs: Jobs = request.app.state.jobs
    title = f"{game_title(asked.game)}: {', '.join(asked.algorithms)}"
    kept = None if is_user_code(asked.game) else work.kept_solutions  # its file is not kept
    job = jobs.start("lab", title, work.work, work, resumable=True, solutions=kept)
    return JSONResponse(job.summary(), 201)


@reports_errors
async def _new_match(request: Request) -> Response:
    """Start a match or a tournament as a job."""
    content, state = await read_body(request), request.app.state
    asked = await in_study_thread(
        request, matches.Request.read, content, state.hub.roster, state.study_games
    )
    work = matches.Contest(asked)
    jobs: Jobs = request.app.state.jobs
    title = f"{game_title(str(asked.game))}: {' – '.join(work.titles.values())}"
    job = jobs.start("match", title, work.work, work, resumable=True, solutions=dict)
    return JSONResponse(job.summary(), 201)


@reports_errors
async def _jobs(request: Request) -> Response:
    """The list of all jobs, as far as everybody may know them."""
    jobs: Jobs = request.app.state.jobs
    return JSONResponse({"jobs": [job.outline() for job in jobs.all()]})


@reports_errors
async def _own_analyses(request: Request) -> Response:
    """The analyses that a request may know, by their tags: those of games for which it has a key
    (of a seat or for spectators), and those whose identifiers it has. ``keys`` are the keys by
    game, ``jobs`` the identifiers; what others analyse is not told."""
    content = await read_body(request)
    keys, known = content.get("keys"), content.get("jobs", [])
    if not isinstance(keys, dict) or not all(isinstance(key, str) for key in keys.values()):
        raise OptionError("'keys' must be the keys of games, by their identifiers")
    if not isinstance(known, list) or not all(isinstance(one, str) for one in known):
        raise OptionError("'jobs' must be a list of the identifiers of jobs")
    found = {}
    for job in request.app.state.jobs.all():
        if not job.private:
            continue
        game = None
        if isinstance(job.result, GameAnalysis):
            setup = job.result.log.setup
            if setup.seat_of(keys.get(setup.id, "")) is not None:
                game = setup.id
        if game is not None or job.id in known:
            found[job.tag] = {"title": job.title, "game": game}
    return JSONResponse({"analyses": found})


@reports_errors
async def _job(request: Request) -> Response:
    """A job with its events after ``since``; waits a moment for new ones."""
    job = _find_job(request)
    asked = request.query_params.get("since", "0")
    since = int(asked) if asked.isdecimal() and len(asked) < 10 else 0
    end = time.monotonic() + _WAIT
    while len(job.events) <= since and job.live and time.monotonic() < end:
        await asyncio.sleep(_LOOK)
    return JSONResponse(job.news(since))


@reports_errors
async def _control(request: Request) -> Response:
    """Pause, resume or stop a job, also one that is known by its tag alone."""
    jobs: Jobs = request.app.state.jobs
    job = jobs.find_by_tag(request.path_params["id"]) or _find_job(request)
    jobs.control(job, request.path_params["order"])
    return JSONResponse(job.outline())


@reports_errors
async def _place(request: Request) -> Response:
    """The node to which a path of actions leads from the root, with what one of the lab's
    algorithms plays there."""
    found, content = _find_lab(request), await read_body(request)
    path, algorithm = content.get("path"), content.get("algorithm")
    if not isinstance(algorithm, str):
        raise FogtreeError("'algorithm' must be a text")
    if not isinstance(path, list) or not all(isinstance(label, str) for label in path):
        raise FogtreeError("'path' must be a list of the names of actions")
    return JSONResponse(await in_study_thread(request, found.place, algorithm, list(path)))


@reports_errors
async def _equilibrium(request: Request) -> Response:
    """The exact value of a lab's game; null with a reason where there is none."""
    return JSONResponse(await in_study_thread(request, _find_lab(request).exact_value))


@reports_errors
async def _strategy(request: Request) -> Response:
    """The strategy of a lab's algorithm as a JSON file."""
    found, algorithm = _find_lab(request), request.query_params.get("algorithm", "")
    document = await in_study_thread(request, found.strategy_document, algorithm)
    name = "".join(
        c if c.isalnum() or c in "+-_" else "-" for c in f"{found.request.game}-{algorithm}"
    )
    headers = {"Content-Disposition": f'attachment; filename="{name[:80]}.json"'}
    return Response(json.dumps(document), media_type="application/json", headers=headers)


@reports_errors
async def _difference(request: Request) -> Response:
    """Where two solutions of a lab differ most."""
    found, query = _find_lab(request), request.query_params
    rows = await in_study_thread(
        request, found.differences, query.get("first", ""), query.get("second", "")
    )
    return JSONResponse({"differences": rows})


@reports_errors
async def _infosets(request: Request) -> Response:
    """The first information sets of a solution whose name contains a text."""
    found, query = _find_lab(request), request.query_params
    algorithm, contains = query.get("algorithm", ""), query.get("contains", "")
    return JSONResponse(await in_study_thread(request, found.infosets, algorithm, contains))


@reports_errors
async def _match_games(request: Request) -> Response:
    """The first finished games of a pair of a match; with the ``number`` of one, a link to its
    review."""
    job, content = _find_job(request), await read_body(request)
    found = job.result
    if found is None and job.kind == "match":
        raise FogtreeError("only the result of this match was kept when the server started again")
    if not isinstance(found, matches.Contest):
        raise FogtreeError("that job is not a match")
    records = found.records(content.get("first"), content.get("second"))
    record = (
        numbered_record(records, number) if (number := content.get("number")) is not None else None
    )
    if record is None:
        return JSONResponse({"games": list_document(records)})
    hub: GameHub = request.app.state.hub
    setup = await in_study_thread(request, hub.add_record, record)
    return JSONResponse({"id": setup.id, "spectator_key": setup.spectator_key}, 201)


@reports_errors
async def _walk(request: Request) -> Response:
    """A walk-through of an algorithm's first iterations."""
    games: StudyGames = request.app.state.study_games
    return JSONResponse(
        await in_study_thread(request, walk_document, await read_body(request), games)
    )


async def _algorithms(request: Request) -> Response:
    """The names and summaries of all algorithms."""
    del request
    rows = [{"name": name, "summary": one.summary} for name, one in RECIPES.items()]
    return JSONResponse({"algorithms": rows})


def _find_job(request: Request) -> Job:
    """The job that a request names."""
    job: Job | None = request.app.state.jobs.find(request.path_params["id"])
    if job is None:
        raise GoneError(
            "this is not on the server any more: a restart ends whatever runs and forgets large "
            "solves, and only the latest results are kept"
        )
    return job


def _find_lab(request: Request) -> lab.Lab:
    """The solver lab of the job that a request names, restored from storage if the job was done
    before the server restarted. A FogtreeError refuses a job of another kind."""
    job, state = _find_job(request), request.app.state
    if job.kind == "lab" and job.result is None:
        solutions = state.hub.storage.solutions(job.id)
        job.result = lab.Lab.restored(job.events, solutions, state.study_games)
    if not isinstance(job.result, lab.Lab):
        raise FogtreeError("that job has no solution to look at")
    return job.result


ROUTES = (
    Route("/api/lab", _new_lab, methods=["POST"]),
    Route("/api/match", _new_match, methods=["POST"]),
    Route("/api/walk", _walk, methods=["POST"]),
    Route("/api/algorithms", _algorithms),
    Route("/api/jobs", _jobs, methods=["GET"]),
    Route("/api/own-analyses", _own_analyses, methods=["POST"]),
    Route("/api/jobs/{id}", _job, methods=["GET"]),
    Route("/api/jobs/{id}/equilibrium", _equilibrium, methods=["GET"]),
    Route("/api/jobs/{id}/strategy", _strategy, methods=["GET"]),
    Route("/api/jobs/{id}/difference", _difference, methods=["GET"]),
    Route("/api/jobs/{id}/infosets", _infosets, methods=["GET"]),
    Route("/api/jobs/{id}/place", _place, methods=["POST"]),
    Route("/api/jobs/{id}/games", _match_games, methods=["POST"]),
    Route("/api/jobs/{id}/{order}", _control, methods=["POST"]),
)
