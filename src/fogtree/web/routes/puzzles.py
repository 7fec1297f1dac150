"""Puzzles over HTTP: the list, one question, and the answer to whoever has chosen an action."""

from __future__ import annotations

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from fogtree.web.puzzles import (
    answer_document,
    find_puzzle,
    list_document,
    puzzles_of,
    question_document,
)
from fogtree.web.requests import in_study_thread, read_body, reports_errors


@reports_errors
async def _list(request: Request) -> Response:
    """The puzzles of a game, without their solutions."""
    found = await run_in_threadpool(puzzles_of, request.path_params["game"])
    return JSONResponse({"puzzles": list_document(found)})


@reports_errors
async def _question(request: Request) -> Response:
    """One puzzle as the seat to move knows it."""
    puzzle = find_puzzle(request.path_params["game"], request.path_params["id"])
    return JSONResponse(await run_in_threadpool(question_document, puzzle))


@reports_errors
async def _answer(request: Request) -> Response:
    """How good the chosen action is, and the solution."""
    puzzle = find_puzzle(request.path_params["game"], request.path_params["id"])
    content = await read_body(request)
    action = None if content.get("give_up") is True else str(content.get("action", ""))
    limits = request.app.state.limits
    return JSONResponse(await in_study_thread(request, answer_document, puzzle, action, limits))


ROUTES = (
    Route("/api/puzzles/{game}", _list, methods=["GET"]),
    Route("/api/puzzles/{game}/{id}", _question, methods=["GET"]),
    Route("/api/puzzles/{game}/{id}", _answer, methods=["POST"]),
)
