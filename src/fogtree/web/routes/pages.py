"""The pages: each is the same document, which shows what its address asks for."""

from __future__ import annotations

from pathlib import Path

from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles

import fogtree

STATIC = Path(__file__).parents[1] / "static"
_PAGES = (
    "/",
    "/chess",
    "/puzzles",
    "/puzzles/{id}",
    "/analyse",
    "/cambia",
    "/play/{game}",
    "/game/{id}",
    "/open",
    "/lab",
    "/walk",
    "/arena",
)


async def _page(request: Request) -> Response:
    del request
    index = STATIC / "index.html"
    if not index.exists():
        return Response("this installation has no front end; build it with  make web", 503)
    return FileResponse(index, headers={"Cache-Control": "no-cache"})


async def _version(request: Request) -> Response:
    del request
    return JSONResponse({"version": fogtree.__version__})


ROUTES: list[BaseRoute] = [
    *(Route(path, _page) for path in _PAGES),
    Route("/api/version", _version),
    Mount("/static", StaticFiles(directory=STATIC, check_dir=False)),
]
