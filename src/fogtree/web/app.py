"""The application: puts the pages, the JSON interface and the websockets together."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, suppress
from pathlib import Path

from starlette.applications import Starlette
from starlette.middleware import Middleware

from fogtree.web.equilibrium import Equilibria
from fogtree.web.guard import Guard
from fogtree.web.hub import GameHub
from fogtree.web.jobs import Jobs
from fogtree.web.limits import Limits
from fogtree.web.own_code import OwnCode
from fogtree.web.priority import give_way
from fogtree.web.routes import games, live, pages
from fogtree.web.routes import jobs as job_routes
from fogtree.web.routes import own_code as own_code_routes
from fogtree.web.routes import puzzles as puzzle_routes
from fogtree.web.routes import records as record_routes
from fogtree.web.routes import runs as run_routes
from fogtree.web.security import Access
from fogtree.web.storage import Storage
from fogtree.web.study_games import StudyGames

_PATIENCE = 1.0  # seconds that jobs have to stop when the server ends


def make_app(
    storage: Storage,
    *,
    access: Access,
    limits: Limits | None = None,
    own_code: bool = False,
    runs: Path | None = None,
    command: str = "fogtree",
) -> Starlette:
    """The application of one server. ``runs`` is the folder whose saved runs it shows and where it
    trains; with ``own_code`` visitors may bring games as Python files. ``command`` is how fogtree
    is called on its machine."""
    bounds = limits or Limits()
    hub = GameHub(storage, bounds, runs)
    jobs = Jobs(bounds, storage)

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        """Sweep the games while the server runs; at its end, stop jobs, threads and games."""
        sweeping = asyncio.create_task(hub.sweep())
        yield
        sweeping.cancel()
        with suppress(asyncio.CancelledError):
            await sweeping
        await asyncio.to_thread(jobs.stop_all, _PATIENCE)
        app.state.study_threads.shutdown(wait=False, cancel_futures=True)
        await hub.close()

    topics = (
        pages,
        games,
        record_routes,
        puzzle_routes,
        job_routes,
        own_code_routes,
        run_routes,
        live,
    )
    routes = [route for topic in topics for route in topic.ROUTES]
    app = Starlette(
        routes=routes,
        middleware=[Middleware(Guard, access=access)],
        exception_handlers={404: pages.no_such_page},
        lifespan=lifespan,
    )
    app.state.hub, app.state.limits, app.state.access = hub, bounds, access
    app.state.study_games = StudyGames(bounds, OwnCode(bounds, allowed=own_code, command=command))
    app.state.study_threads = ThreadPoolExecutor(
        bounds.study_threads, "study", initializer=give_way
    )
    app.state.equilibria = Equilibria(app.state.study_threads)
    app.state.jobs = jobs
    app.state.runs, app.state.command = runs, command
    app.state.sockets = 0
    return app
