"""Games over HTTP: the list of games, new games, and what a finished game has to show."""

from __future__ import annotations

import asyncio
import tempfile
from pathlib import Path

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from fogtree.agents import agent_names
from fogtree.arena.record_files import write_games
from fogtree.registry import describe_game, entry_of, game_names, load_game
from fogtree.web.hub import GameHub
from fogtree.web.requests import read_body, reports_errors
from fogtree.web.review import record_of, review_document


@reports_errors
async def _games(request: Request) -> Response:
    del request
    games = []
    for name in game_names():
        info = describe_game(name)
        game = load_game(name)
        games.append(
            {
                "name": name,
                "summary": info.summary,
                "players": game.players,
                "parameters": [
                    {"name": p.name, "default": p.default, "help": p.help} for p in info.parameters
                ],
                "seats": list(entry_of(game).seats),
                "agents": list(agent_names(game)),
            }
        )
    return JSONResponse({"games": games})


@reports_errors
async def _new_game(request: Request) -> Response:
    hub: GameHub = request.app.state.hub
    content = await read_body(request)
    setup = await asyncio.get_running_loop().run_in_executor(None, hub.new_game, content)
    keys = {seat: s.key for seat, s in enumerate(setup.seats) if s.agent is None}
    return JSONResponse({"id": setup.id, "keys": keys}, 201)


@reports_errors
async def _review(request: Request) -> Response:
    hub: GameHub = request.app.state.hub
    session = await hub.session(request.path_params["id"])
    if session is None:
        return JSONResponse({"error": "there is no such game"}, 404)
    if session.seat_of(request.headers.get("x-seat-key", "")) is None:
        return JSONResponse({"error": "that key does not belong to this game"}, 403)
    if not session.over:
        return JSONResponse({"error": "the game is not over"}, 409)
    return JSONResponse(review_document(session.log))


@reports_errors
async def _record(request: Request) -> Response:
    """A finished game as a file: a JSON line, or the game's own format by its ending."""
    hub: GameHub = request.app.state.hub
    session = await hub.session(request.path_params["id"])
    key = request.headers.get("x-seat-key", "")
    if session is None or session.seat_of(key) is None:
        return JSONResponse({"error": "that key does not belong to this game"}, 403)
    if not session.over:
        return JSONResponse({"error": "the game is not over"}, 409)
    ending = f".{request.path_params.get('ending', 'jsonl')}"
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / f"game{ending}"
        write_games(file, [record_of(session.log)], session.game)
        return Response(file.read_bytes(), media_type="text/plain; charset=utf-8")


ROUTES: list[BaseRoute] = [
    Route("/api/games", _games, methods=["GET"]),
    Route("/api/games", _new_game, methods=["POST"]),
    Route("/api/games/{id}/review", _review),
    Route("/api/games/{id}/record", _record),
    Route("/api/games/{id}/record.{ending}", _record),
]
