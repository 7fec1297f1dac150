"""Reading requests, and answering mistakes in one line."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from fogtree.errors import FogtreeError
from fogtree.web.hub import ServerFull


class TooLargeError(FogtreeError):
    """A request is larger than the server accepts."""


class ForbiddenError(FogtreeError):
    """The server was not started with the option that allows this."""


class GoneError(FogtreeError):
    """The server does not have, or no longer has, what a request names."""


def refusal(status: int, why: str) -> JSONResponse:
    """An answer that says in one line why a request is refused."""
    line = " ".join(why.encode(errors="replace").decode().split())
    return JSONResponse({"error": line}, status)


Result = TypeVar("Result")


async def in_study_thread(request: Request, work: Callable[..., Result], *given: Any) -> Result:
    """Run work of the study pages in one of their own threads, so that neither the event loop nor
    the threads of games are held up."""
    pool = request.app.state.study_threads
    return await asyncio.get_running_loop().run_in_executor(pool, work, *given)


Handler = Callable[[Request], Awaitable[Response]]


def reports_errors(handler: Handler) -> Handler:
    """Turn a FogtreeError into one line of JSON with a fitting status."""

    async def handle(request: Request) -> Response:
        """Answer the request; a FogtreeError becomes a refusal with the status of its kind."""
        try:
            return await handler(request)
        except ServerFull as error:
            return refusal(429, str(error))
        except TooLargeError as error:
            return refusal(413, str(error))
        except ForbiddenError as error:
            return refusal(403, str(error))
        except GoneError as error:
            return refusal(404, str(error))
        except FogtreeError as error:
            return refusal(400, str(error))

    return handle


async def read_body(request: Request, most: int | None = None) -> dict[str, Any]:
    """The JSON object of a request of at most ``most`` bytes, by default as large as a message."""
    most = most or int(request.app.state.limits.message_bytes)
    parts, size = [], 0
    async for part in request.stream():
        size += len(part)
        if size > most:
            raise TooLargeError(f"a request may have at most {most} bytes")
        parts.append(part)
    try:
        content = json.loads(b"".join(parts))
    except (ValueError, RecursionError):
        raise FogtreeError("the request is not JSON") from None
    if not isinstance(content, dict):
        raise FogtreeError("the request must be a JSON object")
    return content
