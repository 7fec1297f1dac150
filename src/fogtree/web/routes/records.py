"""Records of games from files: opened ones are stored as finished games and reviewed like them."""

from __future__ import annotations

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from fogtree.web.hub import GameHub
from fogtree.web.opened_records import list_document, numbered_record, read_upload
from fogtree.web.requests import read_body, reports_errors


@reports_errors
async def _open(request: Request) -> Response:
    """Store a game of the file that a visitor sent, and answer with its identifier. If the file has
    several and the request does not say which, the answer is their list."""
    hub: GameHub = request.app.state.hub
    content = await read_body(request, request.app.state.limits.upload_bytes)
    records = await run_in_threadpool(read_upload, content.get("name"), content.get("text"))
    record = numbered_record(records, content.get("game"))
    if record is None:
        return JSONResponse({"games": list_document(records)})
    setup = await run_in_threadpool(hub.add_record, record)
    return JSONResponse({"id": setup.id, "spectator_key": setup.spectator_key}, 201)


ROUTES = (Route("/api/records", _open, methods=["POST"]),)
