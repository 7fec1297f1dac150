"""The application: puts the pages, the JSON interface and the websockets together."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

from starlette.applications import Starlette
from starlette.middleware import Middleware

from fogtree.web.guard import Guard
from fogtree.web.hub import GameHub
from fogtree.web.jobs import Jobs
from fogtree.web.limits import Limits
from fogtree.web.routes import games, live, pages
from fogtree.web.routes import jobs as job_routes
from fogtree.web.routes import runs as run_routes
from fogtree.web.security import Access
from fogtree.web.storage import Storage


def make_app(
    storage: Storage,
    *,
    access: Access,
    limits: Limits | None = None,
    own_code: bool = False,
    runs: Path | None = None,
) -> Starlette:
    """The application of one server; ``runs`` is the folder whose saved runs it shows."""
    bounds = limits or Limits()
    hub = GameHub(storage, bounds)
    jobs = Jobs(bounds)

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        del app
        sweeping = asyncio.create_task(hub.sweep())
        yield
        sweeping.cancel()
        with suppress(asyncio.CancelledError):
            await sweeping
        jobs.stop_all()
        await hub.close()

    routes = [*pages.ROUTES, *games.ROUTES, *job_routes.ROUTES, *run_routes.ROUTES, *live.ROUTES]
    app = Starlette(routes=routes, middleware=[Middleware(Guard, access)], lifespan=lifespan)
    app.state.hub, app.state.limits, app.state.access = hub, bounds, access
    app.state.own_code = own_code
    app.state.jobs = jobs
    app.state.runs = runs
    app.state.sockets = 0
    return app
