"""The middleware that checks every request and adds the security headers to every answer."""

from __future__ import annotations

from typing import Any

from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from fogtree.web.security import HEADERS, Access


class Guard:
    """Checks host, origin and token of every request, and adds the security headers."""

    def __init__(self, app: ASGIApp, access: Access) -> None:
        self._app, self._access = app, access

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Called by the server for every request: refuse it, or pass it to the application."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        refused = self._refusal(scope)
        if refused is not None and scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 4403})
            return

        async def send_with_headers(message: Any) -> None:
            """Send a message of the answer, with the security headers added to its first part."""
            if message["type"] == "http.response.start":
                headers = [(k.lower().encode(), v.encode()) for k, v in HEADERS.items()]
                message = {**message, "headers": [*message.get("headers", ()), *headers]}
            await send(message)

        if refused is not None:
            await JSONResponse({"error": refused}, 403)(scope, receive, send_with_headers)
            return
        await self._app(scope, receive, send_with_headers)

    def _refusal(self, scope: Scope) -> str | None:
        """Why a request is refused, by its host, origin and token; None if it is allowed."""
        headers = {
            key.decode("latin-1"): value.decode("latin-1") for key, value in scope["headers"]
        }
        host, origin = headers.get("host"), headers.get("origin")
        if not self._access.host_allowed(host):
            return "this server does not answer to that host name"
        changes = scope["type"] == "websocket" or scope["method"] not in ("GET", "HEAD")
        if changes and not self._access.origin_allowed(origin, host):
            return "this request comes from another page"
        if scope["type"] == "http" and scope["path"].startswith("/api/"):
            given = headers.get("authorization", "").removeprefix("Bearer ")
            if not self._access.token_allowed(given or None):
                return "the access token is missing or wrong"
        return None
