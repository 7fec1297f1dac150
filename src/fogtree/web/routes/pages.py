"""The pages: each is the same document, which shows what its address asks for."""

from __future__ import annotations

from pathlib import Path

from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles

import fogtree
from fogtree.web.requests import refusal

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


_NOT_PAGES = ("/api/", "/static/", "/ws/")


async def _page(request: Request) -> Response:
    del request
    return _document(200)


async def no_such_page(request: Request, error: Exception) -> Response:
    """The answer to an unknown address: a page that says so, or one line where no page belongs."""
    del error
    if request.url.path.startswith(_NOT_PAGES):
        return refusal(404, "there is nothing at this address")
    return _document(404)


def _document(status: int) -> Response:
    index = STATIC / "index.html"
    if not index.exists():
        return Response("this installation has no front end; build it with  make web", 503)
    return FileResponse(index, status, headers={"Cache-Control": "no-cache"})


async def _version(request: Request) -> Response:
    del request
    return JSONResponse({"version": fogtree.__version__})


ROUTES: list[BaseRoute] = [
    *(Route(path, _page) for path in _PAGES),
    Route("/api/version", _version),
    Mount("/static", StaticFiles(directory=STATIC, check_dir=False)),
]
