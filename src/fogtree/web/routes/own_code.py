"""Visitors' own Python files: which games they bring."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from fogtree.web.limits import Limits
from fogtree.web.own_code import OwnCode
from fogtree.web.requests import in_study_thread, read_body, reports_errors

_ESCAPED = 6  # bytes of JSON that one letter of a file may take
_FRAME = 1000  # bytes of a request around the file


@reports_errors
async def _files(request: Request) -> Response:
    """Whether visitors may bring files, and the games of those they brought."""
    own_code: OwnCode = request.app.state.study_games.own_code
    return JSONResponse({"allowed": own_code.allowed, "games": own_code.games})


@reports_errors
async def _add(request: Request) -> Response:
    """Keep a visitor's file, and answer with its games."""
    own_code: OwnCode = request.app.state.study_games.own_code
    limits: Limits = request.app.state.limits
    own_code.check_allowed()
    content = await read_body(request, _ESCAPED * limits.own_code_bytes + _FRAME)
    games = await in_study_thread(request, own_code.add, content.get("name"), content.get("source"))
    return JSONResponse({"games": games}, 201)


ROUTES = (
    Route("/api/own-code", _files, methods=["GET"]),
    Route("/api/own-code", _add, methods=["POST"]),
)
