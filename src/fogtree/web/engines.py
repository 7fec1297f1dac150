"""What the searches of a server's agents share: memory, threads, and a record of how late they
ended."""

from __future__ import annotations

import ctypes
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace

from fogtree import _core
from fogtree.search.agent import SearchAgent
from fogtree.search.settings import SearchSettings
from fogtree.system.cores import cores
from fogtree.system.memory import free_memory
from fogtree.web.limits import Limits

_MARGIN = 0.05  # seconds before the publication of a move at which its search should end
_PATIENCE = 0.9  # factor by which the remembered lateness shrinks with every search


class Engines:
    """The searches of a server, each of which gets a share of memory and threads; used from many
    threads."""

    def __init__(self, limits: Limits) -> None:
        self._bytes = min(limits.search_bytes, free_memory() // 2)
        self._lock = threading.Lock()
        self._alone: dict[SearchAgent, SearchSettings] = {}  # what each may use if it is alone
        self._running = 0
        self._late = 0.0

    @property
    def margin(self) -> float:
        """How many seconds before the publication of its move a search must end. It is longer after
        searches that ended late, because a busy machine lets threads wait."""
        return _MARGIN + self._late

    def add(self, agent: SearchAgent) -> None:
        """Count the search of a new agent among those that share the memory."""
        with self._lock:
            self._alone[agent] = agent.settings

    def remove(self, agent: SearchAgent) -> None:
        """Stop counting the search of an agent that was closed."""
        with self._lock:
            self._alone.pop(agent, None)

    @contextmanager
    def running(self, agent: SearchAgent, deadline: float) -> Iterator[None]:
        """Give a search its share of memory and threads, and count it as running meanwhile; it must
        end at ``deadline``, a moment of the monotonic clock."""
        with self._lock:
            self._running += 1
            alone = self._alone.get(agent, agent.settings)
            share = self._bytes // max(1, len(self._alone))
            threads = max(1, cores() // self._running)
        try:
            agent.limit_memory(min(alone.options.most_bytes, share))
            agent.settings = replace(agent.settings, threads=min(alone.threads, threads))
            yield
        finally:
            with self._lock:
                self._running -= 1
                self._late = max(time.monotonic() - deadline, _PATIENCE * self._late)


def give_back_memory() -> None:
    """Return memory that searches have released to the system: the native core and the C library
    keep some of it for the next use. A C library without such a call keeps its part."""
    _core.free_kept_memory()
    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).malloc_trim(0)
