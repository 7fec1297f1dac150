"""The driver's end of a worker: starts it, asks it, ends it."""

from __future__ import annotations

import json
import os
import subprocess
from contextlib import suppress
from pathlib import Path
from typing import Any, Self

from peers.catalogue import SolverEntry

BENCHMARKS = Path(__file__).resolve().parent.parent

_ONE_THREAD = {
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "XLA_FLAGS": "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1",
    "JAX_PLATFORMS": "cpu",
    "TF_CPP_MIN_LOG_LEVEL": "3",
}


class WorkerError(Exception):
    """The worker could not do what it was asked; the message says why."""


class WorkerSession:
    """A running worker. Use as a context manager, or call :meth:`close`."""

    def __init__(self, entry: SolverEntry, game: str, python: Path) -> None:
        self._process = subprocess.Popen(
            [str(python), "-m", "peers.worker", entry.name, game],
            cwd=BENCHMARKS,
            env=os.environ | _ONE_THREAD,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        self._pin(entry.threads)
        try:
            self._read()
        except WorkerError:
            self.close()
            raise

    def ask(self, command: str, **arguments: Any) -> dict[str, Any]:
        """Send a request and wait for its answer."""
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(json.dumps({"command": command, **arguments}) + "\n")
            self._process.stdin.flush()
        except BrokenPipeError:
            raise WorkerError(self._ended()) from None
        return self._read()

    def close(self) -> None:
        """End the worker."""
        if self._process.stdin is not None:
            with suppress(BrokenPipeError):  # it has ended by itself
                self._process.stdin.close()
        try:
            self._process.wait(timeout=5)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def _read(self) -> dict[str, Any]:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            raise WorkerError(self._ended())
        answer: dict[str, Any] = json.loads(line)
        if "error" in answer:
            raise WorkerError(answer["error"])
        return answer

    def _ended(self) -> str:
        return f"the worker ended with status {self._process.wait()}"

    def _pin(self, threads: int) -> None:
        """Keep the worker on as many cores as it may use; the last ones, where it is quietest."""
        if hasattr(os, "sched_setaffinity"):
            cores = sorted(os.sched_getaffinity(0))[-threads:]
            os.sched_setaffinity(self._process.pid, cores)
