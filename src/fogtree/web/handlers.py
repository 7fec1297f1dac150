"""What all handlers of requests share: reading a body, and errors as one line of JSON."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from fogtree.errors import FogtreeError
from fogtree.web.hub import ServerFull

Handler = Callable[[Request], Awaitable[Response]]


def reports_errors(handler: Handler) -> Handler:
    """Turn a FogtreeError into one line of JSON with a fitting status."""

    async def handle(request: Request) -> Response:
        try:
            return await handler(request)
        except ServerFull as error:
            return JSONResponse({"error": str(error)}, 429)
        except FogtreeError as error:
            return JSONResponse({"error": str(error)}, 400)

    return handle


async def read_body(request: Request) -> dict[str, Any]:
    """The JSON object of a request, within the limit of size."""
    most = request.app.state.limits.message_bytes
    parts, size = [], 0
    async for part in request.stream():
        size += len(part)
        if size > most:
            raise FogtreeError(f"a request may have at most {most} bytes")
        parts.append(part)
    try:
        content = json.loads(b"".join(parts))
    except (ValueError, RecursionError):
        raise FogtreeError("the request is not JSON") from None
    if not isinstance(content, dict):
        raise FogtreeError("the request must be a JSON object")
    return content
