"""Searches share memory and threads, and end earlier on a machine that lets them wait."""

from __future__ import annotations

import time

import pytest

pytest.importorskip("starlette", reason="needs the web app: pip install 'fogtree[web]'")

from fogtree.registry import load_game
from fogtree.search.agent import SearchAgent
from fogtree.web import engines as module
from fogtree.web.engines import Engines
from fogtree.web.limits import Limits
from fogtree.web.opponents import Roster

GAME = load_game("fog_chess")
HOUR = 3600.0  # seconds: no search of these tests ends late, however busy the machine is
LIMITS = Limits(search_bytes=120_000_000, search_threads=3)


def new_search(spec: str = "search(threads=3)") -> SearchAgent:
    found = Roster(LIMITS).load(spec, GAME, against_people=True)
    assert isinstance(found, SearchAgent)
    found.start(GAME, 0, "s")
    return found


@pytest.fixture
def engines(monkeypatch: pytest.MonkeyPatch) -> Engines:
    monkeypatch.setattr(module, "cores", lambda: 4)
    return Engines(LIMITS)


def memory_of(engines: Engines, search: SearchAgent) -> int:
    with engines.running(search, time.monotonic() + HOUR):
        return search.settings.options.most_bytes


def test_memory_is_shared_by_the_searches_that_exist(engines: Engines) -> None:
    searches = [new_search() for _ in range(3)]
    for number, search in enumerate(searches, 1):
        engines.add(search)
        assert memory_of(engines, searches[0]) == LIMITS.search_bytes // number
    engines.remove(searches[1])
    assert memory_of(engines, searches[2]) == LIMITS.search_bytes // 2
    modest = new_search("search(memory=10M)")
    engines.add(modest)
    assert memory_of(engines, modest) == 10 << 20


def test_threads_are_shared_by_the_searches_that_run(engines: Engines) -> None:
    first, second, third = searches = [new_search() for _ in range(3)]
    for search in searches:
        engines.add(search)
    later = time.monotonic() + HOUR
    with engines.running(first, later):
        assert first.settings.threads == 3
        with engines.running(second, later), engines.running(third, later):
            assert [s.settings.threads for s in searches] == [3, 2, 1]
    with engines.running(third, later):
        assert third.settings.threads == 3


def test_searches_that_end_late_make_the_next_ones_end_earlier(engines: Engines) -> None:
    search = new_search()
    engines.add(search)
    usual = engines.margin
    with engines.running(search, time.monotonic() - 0.2):
        pass
    assert engines.margin >= usual + 0.2
    for _ in range(100):
        with engines.running(search, time.monotonic() + HOUR):
            pass
    assert engines.margin == pytest.approx(usual, abs=1e-3)
