"""The pages: each is the same document, which shows what its address asks for."""

from __future__ import annotations

import gzip
import os
from functools import lru_cache
from pathlib import Path

from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

import fogtree
from fogtree.system.file_reader import read_bytes
from fogtree.web.requests import refusal

STATIC = Path(__file__).parents[1] / "static"
_PAGES = (
    "/",
    "/chess",
    "/puzzles",
    "/puzzles/{id}",
    "/analyse",
    "/cambia",
    "/play",
    "/play/{game}",
    "/game/{id}",
    "/open",
    "/lab",
    "/walk",
    "/arena",
)


_NOT_PAGES = ("/api/", "/static/", "/ws/")


async def _page(request: Request) -> Response:
    """A page of the web app, which is the same document at every address."""
    del request
    return _document(200)


async def no_such_page(request: Request, error: Exception) -> Response:
    """The answer to an unknown address: a page that says so, or one line where no page belongs."""
    del error
    if request.url.path.startswith(_NOT_PAGES):
        return refusal(404, "there is nothing at this address")
    return _document(404)


def _document(status: int) -> Response:
    """The HTML document of the web app, or a note that the front end was not built."""
    index = STATIC / "index.html"
    if not index.exists():
        return Response("this installation has no front end; build it with  make web", 503)
    return FileResponse(index, status, headers={"Cache-Control": "no-cache"})


async def _version(request: Request) -> Response:
    """The version of this server, and how to call it in a terminal."""
    found = {"version": fogtree.__version__, "command": request.app.state.command}
    return JSONResponse(found)


class _CompressedFiles(StaticFiles):
    """Serves the static files; browsers that accept gzip get a compressed copy, which is made
    once."""

    def file_response(
        self,
        full_path: str | os.PathLike[str],
        stat_result: os.stat_result,
        scope: Scope,
        status_code: int = 200,
    ) -> Response:
        """The answer with a file: compressed if the browser accepts gzip, else as Starlette sends
        it."""
        answer = super().file_response(full_path, stat_result, scope, status_code)
        answer.headers["Vary"] = "Accept-Encoding"
        takes = Headers(scope=scope).get("accept-encoding", "")
        if not isinstance(answer, FileResponse) or "gzip" not in takes:
            return answer
        content = _compressed(str(full_path), stat_result.st_mtime_ns)
        headers = {
            **{name: answer.headers[name] for name in ("content-type", "last-modified", "vary")},
            "etag": f"W/{answer.headers['etag']}",  # weak: other bytes of the same file
            "content-encoding": "gzip",
        }
        return Response(content, status_code, headers)


@lru_cache(8)
def _compressed(path: str, changed: int) -> bytes:
    """The content of a file, compressed by gzip. ``changed`` is the file's modification time: it is
    part of the cache key, so that a file that has changed is compressed again."""
    del changed
    return gzip.compress(read_bytes(Path(path)), mtime=0)


ROUTES: list[BaseRoute] = [
    *(Route(path, _page) for path in _PAGES),
    Route("/api/version", _version),
    Mount("/static", _CompressedFiles(directory=STATIC, check_dir=False)),
]
