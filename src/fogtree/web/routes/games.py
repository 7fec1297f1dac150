"""Games over HTTP: the list of games, new games, and what a finished game has to show."""

from __future__ import annotations

import asyncio
import sqlite3
import tempfile
from contextlib import suppress
from dataclasses import asdict
from functools import cache
from pathlib import Path
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from fogtree.agents.levels import levels_of
from fogtree.arena.record import GameRecord
from fogtree.arena.record_files import PlayedClock, write_games
from fogtree.errors import FogtreeError
from fogtree.game import Game
from fogtree.registry import describe_game, entry_of, game_by_name, game_names, rules_of, seat_name
from fogtree.web.equilibrium import Equilibria, equilibrium_document
from fogtree.web.game_analysis import GameAnalysis, RootAnalysis
from fogtree.web.game_size import too_large
from fogtree.web.hub import NO_SUCH_GAME, GameHub
from fogtree.web.jobs import Job, Jobs
from fogtree.web.limits import Limits
from fogtree.web.new_games import requested_game
from fogtree.web.opponents import Roster
from fogtree.web.requests import in_study_thread, read_body, refusal, reports_errors
from fogtree.web.review import record_of, review_document
from fogtree.web.session import Session
from fogtree.web.titles import game_title

_MOST_SEATS = 12
_SOLVING_SECONDS = 0.5  # until somebody who waits for an equilibrium is told that it takes longer


def _game_list(limits: Limits, roster: Roster) -> list[dict[str, Any]]:
    """All games with their parameters and agents, for the forms of a page."""
    runs = roster.saved_runs()
    return [one | roster.document(game_by_name(one["name"]), runs) for one in _games_alone(limits)]


@cache
def _games_alone(limits: Limits) -> list[dict[str, Any]]:
    """All games with their rules and parameters, without their agents."""
    games = []
    for name in game_names():
        info = describe_game(name)
        game = game_by_name(name)
        named = entry_of(game).seats
        games.append(
            {
                "name": name,
                "summary": info.summary,
                "rules": info.rules,
                "reading": game.reading,
                "too_large": too_large(game, limits.compile_bytes),
                "sampled": game.simulator() is not None,
                "trained": entry_of(game).training is not None,
                "players": game.players,
                "sizes": {name: dict(given) for name, given in entry_of(game).sizes.items()},
                "parameters": [parameter.to_dict() for parameter in info.parameters],
                "levels": [asdict(level) for level in levels_of(game)],
                "seats": list(named) or [seat_name(game, n) for n in range(_MOST_SEATS)],
            }
        )
    return games


@reports_errors
async def _games(request: Request) -> Response:
    """All games with their rules, parameters and agents."""
    state = request.app.state
    return JSONResponse(
        {"games": await run_in_threadpool(_game_list, state.limits, state.hub.roster)}
    )


@reports_errors
async def _agents(request: Request) -> Response:
    """The agents that can play a game with the parameters of its spec."""
    game = requested_game(request.query_params.get("game"))
    return JSONResponse(await in_study_thread(request, request.app.state.hub.roster.document, game))


@reports_errors
async def _rules(request: Request) -> Response:
    """The rules of a game with the parameters of its spec, in words."""
    game = requested_game(request.query_params.get("game"))
    return JSONResponse({"rules": rules_of(game)})


@reports_errors
async def _new_game(request: Request) -> Response:
    """Make a game; the answer has the keys of its seats."""
    hub: GameHub = request.app.state.hub
    content = await read_body(request)
    setup = await asyncio.get_running_loop().run_in_executor(None, hub.new_game, content)
    keys = {seat: s.key for seat, s in enumerate(setup.seats) if s.agent is None}
    if len(setup.seats) == 2:
        request.app.state.equilibria.prepare(game_by_name(setup.game))
    answer = {"id": setup.id, "keys": keys, "spectator_key": setup.spectator_key}
    return JSONResponse(answer, 201)


async def _finished_game(request: Request) -> Session | Response:
    """The game of a request once it is over, for its people and its spectators; else a refusal."""
    hub: GameHub = request.app.state.hub
    game = request.path_params["id"]
    setup, seat = hub.find(game, request.headers.get("x-seat-key", ""))
    if setup is None or seat is None:
        return refusal(404, NO_SUCH_GAME)
    session = await hub.session(game)
    if session is None or not session.over:
        return refusal(409, "the game is not over")
    return session


@reports_errors
async def _result(request: Request) -> Response:
    """Whether a game runs, is over (and how), or is unknown, for its people and its spectators."""
    hub: GameHub = request.app.state.hub
    game = request.path_params["id"]
    setup, seat = hub.find(game, request.headers.get("x-seat-key", ""))
    if setup is None or seat is None:
        return JSONResponse({"state": "unknown"})
    found = await hub.result(game)
    if found is None:
        return JSONResponse({"state": "running"})
    ended = {"returns": list(found.returns), "reason": found.reason}
    return JSONResponse({"state": "over", **ended})


@reports_errors
async def _review(request: Request) -> Response:
    """A finished game for the page of its review: the true states, what every seat saw, and the
    steps."""
    session = await _finished_game(request)
    if isinstance(session, Response):
        return session
    return JSONResponse(await run_in_threadpool(review_document, session.log))


@reports_errors
async def _record(request: Request) -> Response:
    """A finished game as a file: a JSON line, or the game's own format by its ending; with
    ``views=no`` without what the players saw. ``signs`` are the verdicts of a review on the steps,
    with commas between them: ``,,??,``."""
    session = await _finished_game(request)
    if isinstance(session, Response):
        return session
    ending = f".{request.path_params.get('ending', 'jsonl')}"
    if ending != ".jsonl" and ending not in entry_of(session.game).record_formats:
        return refusal(404, f"{session.game} has no records of this kind")
    views = request.query_params.get("views") != "no"
    signs = request.query_params.get("signs", "").split(",")
    reader = session.setup.seat_of(request.headers.get("x-seat-key", ""))
    record = record_of(session.log, reader)
    clock = None
    if session.setup.clock is not None:
        clock = PlayedClock(*session.setup.clock, session.log.seconds_left())
    content = await run_in_threadpool(
        _record_file, record, session.game, ending, views=views, signs=signs, clock=clock
    )
    return Response(content, media_type="text/plain; charset=utf-8")


def _record_file(
    record: GameRecord,
    game: Game,
    ending: str,
    *,
    views: bool,
    signs: list[str],
    clock: PlayedClock | None,
) -> bytes:
    """A record as the bytes of a file in the format that ``ending`` names."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / f"game{ending}"
        write_games(file, [record], game, views=views, signs=signs, clock=clock)
        return file.read_bytes()


@reports_errors
async def _analysed_seats(request: Request) -> Response:
    """The seats of a finished game whose decisions were analysed, or are being analysed now."""
    session = await _finished_game(request)
    if isinstance(session, Response):
        return session
    game = session.setup.id
    found = await run_in_threadpool(session.storage.analysed_seats, game)
    jobs: Jobs = request.app.state.jobs
    running = [work.seat for work, _ in _running_analyses(jobs, game)]
    return JSONResponse({"seats": sorted({*found, *running})})


@reports_errors
async def _analysis(request: Request) -> Response:
    """Analyse a finished game as a job, and keep the result; what is kept is answered at once."""
    session = await _finished_game(request)
    if isinstance(session, Response):
        return session
    limits: Limits = request.app.state.limits
    jobs: Jobs = request.app.state.jobs
    game, storage = session.setup.id, session.storage
    asked = GameAnalysis.read(await read_body(request), session.log, limits)
    if asked.ply is None:
        kept = await run_in_threadpool(storage.analysis, game, asked.seat, asked.seconds)
        if kept is not None:
            return JSONResponse({"events": kept})
        for work, job in _running_analyses(jobs, game):
            if (work.seat, work.seconds) == (asked.seat, asked.seconds):
                return JSONResponse(job.summary())

    def analyse(job: Job) -> None:
        """Run the analysis, and store its events if it covers the whole game."""
        asked.work(job, storage.looks(game, asked.seat))
        if asked.ply is None:
            with suppress(sqlite3.Error):  # the disk may be full; whoever waits has the events
                storage.add_analysis(game, asked.seat, asked.seconds, job.events, limits.analyses)

    title = f"{game_title(str(session.game))}, {asked.title}"
    job = jobs.start("analysis", title, analyse, asked, gives_way=True, private=True)
    return JSONResponse(job.summary(), 201)


def _running_analyses(jobs: Jobs, game: str) -> list[tuple[GameAnalysis, Job]]:
    """The jobs that now analyse all decisions of a seat of this game, as pairs (analysis, job)."""
    found = [(job.result, job) for job in jobs.all() if job.live]
    analyses = [(work, job) for work, job in found if isinstance(work, GameAnalysis)]
    return [(w, job) for w, job in analyses if w.ply is None and w.log.setup.id == game]


@reports_errors
async def _position_check(request: Request) -> Response:
    """Why a game's first position cannot be analysed; null if it can."""
    content = await read_body(request)
    try:
        RootAnalysis.read(content, requested_game(content.get("game")), request.app.state.limits)
    except FogtreeError as error:
        return JSONResponse({"problem": " ".join(str(error).split())})
    return JSONResponse({"problem": None})


@reports_errors
async def _position_analysis(request: Request) -> Response:
    """Start the analysis of a game's first position as a job."""
    content = await read_body(request)
    game = requested_game(content.get("game"))
    work = RootAnalysis.read(content, game, request.app.state.limits)
    jobs: Jobs = request.app.state.jobs
    job = jobs.start("analysis", game_title(str(game)), work.work, private=True)
    return JSONResponse(job.summary(), 201)


@reports_errors
async def _equilibrium(request: Request) -> Response:
    """What an equilibrium would have done in a finished hand of a small game; while the game is
    being solved, for how many seconds it has been; or why the game is not solved."""
    session = await _finished_game(request)
    if isinstance(session, Response):
        return session
    equilibria: Equilibria = request.app.state.equilibria
    try:
        seconds = await equilibria.seconds_so_far(session.game, _SOLVING_SECONDS)
    except FogtreeError as error:
        return JSONResponse({"unsolved": str(error)})
    if seconds is not None:
        return JSONResponse({"solving": round(seconds, 1)}, 202)
    return JSONResponse(await run_in_threadpool(equilibrium_document, session.log))


ROUTES: list[BaseRoute] = [
    Route("/api/games", _games, methods=["GET"]),
    Route("/api/games", _new_game, methods=["POST"]),
    Route("/api/agents", _agents),
    Route("/api/rules", _rules),
    Route("/api/analysis", _position_analysis, methods=["POST"]),
    Route("/api/analysis/check", _position_check, methods=["POST"]),
    Route("/api/games/{id}/result", _result),
    Route("/api/games/{id}/review", _review),
    Route("/api/games/{id}/equilibrium", _equilibrium),
    Route("/api/games/{id}/analysis", _analysed_seats, methods=["GET"]),
    Route("/api/games/{id}/analysis", _analysis, methods=["POST"]),
    Route("/api/games/{id}/record", _record),
    Route("/api/games/{id}/record.{ending}", _record),
]
