"""Runs many cases of many parts on all cores: seeds in order, progress, findings and a summary."""

from __future__ import annotations

import gc
import importlib
import io
import json
import os
import pkgutil
import random
import select
import shutil
import signal
import sys
import tempfile
import time
import traceback
from collections.abc import Iterator, Sequence
from contextlib import redirect_stderr, redirect_stdout, suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, NoReturn

import typer

import fogtree
import fogtree.cli
from tests.attack.part import Case, Finding, Part
from tests.attack.processes import end_with_parent, show_fatal_signals
from tests.attack.results import Results

NOTHING: dict[str, Any] = {"outcomes": {}, "seconds": 0.0, "processor": 0.0}
"""The report of a case of which nothing is known."""
MOST_SHOWN = 30
"""Findings that are printed; the file has all of them."""


@dataclass(frozen=True)
class Chunk:
    """Cases of one part that run in one process: seeds from ``first`` to before ``end``."""

    part: Part
    first: int
    end: int


def chunks(seeds: dict[Part, range]) -> Iterator[Chunk]:
    """All chunks, so that every part is at the same share of its cases at any moment."""
    found = []
    for part, wanted in seeds.items():
        for begin in wanted[:: part.chunk]:
            end = min(wanted.stop, begin + part.chunk)
            share = (begin - wanted.start) / len(wanted)
            found.append((share, part.name, Chunk(part, begin, end)))
    for _, _, chunk in sorted(found, key=lambda one: one[:2]):
        yield chunk


class Worker:
    """A process that runs one chunk and reports every case on a pipe."""

    def __init__(self, chunk: Chunk, shared: Path, scratch: Path) -> None:
        self.chunk, self.current, self.began = chunk, chunk.first, time.monotonic()
        self._rest, self.ended = b"", False
        reader, writer = os.pipe()
        self.process = os.fork()
        if self.process == 0:
            os.close(reader)
            _run_chunk(chunk, shared, scratch, writer)
        os.close(writer)
        self.pipe = reader

    def reports(self) -> list[dict[str, Any]]:
        """Reports since the last call; empty at the end of the process."""
        found = os.read(self.pipe, 1 << 16)
        self.ended = not found
        *lines, self._rest = (self._rest + found).split(b"\n")
        return [json.loads(line) for line in lines]

    @property
    def late(self) -> bool:
        return time.monotonic() - self.began > self.chunk.part.seconds

    def close(self) -> int:
        """Wait for the process; returns its status."""
        os.close(self.pipe)
        with suppress(ProcessLookupError):
            if not self.ended:
                os.killpg(self.process, signal.SIGKILL)
        return os.waitstatus_to_exitcode(os.waitpid(self.process, 0)[1])


def _run_chunk(chunk: Chunk, shared: Path, scratch: Path, writer: int) -> NoReturn:
    """All cases of a chunk, in this process, which then ends."""
    status = 1
    try:
        end_with_parent()
        os.setsid()
        show_fatal_signals(2)
        for seed in range(chunk.first, chunk.end):
            report = _run_case(chunk.part, seed, shared, scratch)
            os.write(writer, json.dumps(report).encode() + b"\n")
        chunk.part.leave()
        status = 0
    except BrokenPipeError:
        pass  # nobody listens any more
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(status)


def _run_case(part: Part, seed: int, shared: Path, scratch: Path) -> dict[str, Any]:
    folder = Path(tempfile.mkdtemp(prefix=f"{part.name}-{seed}-", dir=scratch))
    began, used = time.monotonic(), _processor_time()
    report: dict[str, Any] = {"seed": seed, "outcomes": {}, "finding": None}
    luck = random.Random(f"{part.name} {seed}")
    try:
        report["outcomes"] = part.attack(Case(seed, luck, folder, shared / part.name))
    except Finding as found:
        report["finding"] = str(found)
    except Exception:
        report["finding"] = traceback.format_exc()
    report["seconds"] = time.monotonic() - began
    report["processor"] = _processor_time() - used
    os.chdir(scratch)
    shutil.rmtree(folder, ignore_errors=True)
    return report


def _processor_time() -> float:
    """Seconds of processor time of this process and of those that it waited for."""
    times = os.times()
    return sum(times[:4])


class Campaign:
    """Cases of several parts, by several workers, until all are done or the time is up."""

    def __init__(self, parts: Sequence[Part], folder: Path, *, quiet: bool = False) -> None:
        self.folder, self.quiet = folder, quiet
        self.parts = [part for part in parts if _can_run(part)]
        self.results = Results(folder, self.parts)
        self.findings = 0
        """Findings of this run."""
        self.scratch = Path(tempfile.mkdtemp(prefix="attack-"))
        self.shared = self.scratch / "shared"

    def prepare(self) -> None:
        """Make what the cases share, each part in a process of its own."""
        for part in self.parts:
            target = self.shared / part.name
            target.mkdir(parents=True)
            child = os.fork()
            if child == 0:
                status = 1
                try:
                    part.prepare(target)
                    status = 0
                except BaseException:
                    traceback.print_exc()
                finally:
                    os._exit(status)
            if os.waitpid(child, 0)[1]:
                raise SystemExit(f"{part.name} could not be prepared")

    def run(self, seeds: dict[str, range], workers: int, seconds: float | None) -> None:
        """Run everything; Ctrl-C and SIGTERM end it after the reports so far."""
        todo = chunks({part: seeds[part.name] for part in self.parts})
        began, told = time.monotonic(), 0.0
        running: dict[int, Worker] = {}
        waiting: list[Chunk] = []
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, signal.default_int_handler)
        try:
            while True:
                over = seconds is not None and time.monotonic() - began > seconds
                while len(running) < workers and not over:
                    chunk = waiting.pop() if waiting else next(todo, None)
                    if chunk is None:
                        break
                    self._start(chunk, running)
                if not running or (over and seconds is not None and _long_over(began, seconds)):
                    return
                for pipe in select.select(list(running), [], [], 0.5)[0]:
                    self._listen(running, pipe, waiting)
                for worker in [one for one in running.values() if one.late]:
                    del running[worker.pipe]
                    self._lost(worker, "hangs", waiting)
                if not self.quiet and time.monotonic() - told > 10:
                    told = time.monotonic()
                    self.results.save()
                    print(self._progress(told - began), flush=True)
        except KeyboardInterrupt:
            print("interrupted", flush=True)
        finally:
            for worker in running.values():
                worker.close()
            self.results.save()

    def _start(self, chunk: Chunk, running: dict[int, Worker]) -> None:
        score = self.results.scores[chunk.part.name]
        score.next = max(score.next, chunk.end)
        worker = Worker(chunk, self.shared, self.scratch)
        running[worker.pipe] = worker

    def _listen(self, running: dict[int, Worker], pipe: int, waiting: list[Chunk]) -> None:
        worker = running[pipe]
        for report in worker.reports():
            self._count(worker.chunk.part, report)
            worker.current, worker.began = report["seed"] + 1, time.monotonic()
        if worker.ended:
            del running[pipe]
            if worker.current < worker.chunk.end:
                self._lost(worker, "ended the process", waiting)
            else:
                worker.close()

    def _lost(self, worker: Worker, why: str, waiting: list[Chunk]) -> None:
        """A case that hangs or ended its process is a finding; the cases after it run anew."""
        status, part = worker.close(), worker.chunk.part
        text = f"the case {why} (status {status})"
        self._count(part, {**NOTHING, "seed": worker.current, "finding": text})
        if worker.current + 1 < worker.chunk.end:
            waiting.append(Chunk(part, worker.current + 1, worker.chunk.end))

    def _count(self, part: Part, report: dict[str, Any]) -> None:
        self.results.scores[part.name].add(report)
        if report["finding"] is not None:
            self.findings += 1
            line = {"part": part.name, "seed": report["seed"], "finding": report["finding"]}
            with (self.folder / "findings.jsonl").open("a") as out:
                out.write(json.dumps(line) + "\n")
            if self.findings <= MOST_SHOWN:
                print(f"FOUND by {part.name}, seed {report['seed']}:\n{report['finding']}\n")

    def _progress(self, seconds: float) -> str:
        scores = self.results.scores
        counts = (f"{name} {score.counted:,}" for name, score in scores.items())
        return f"{seconds:6.0f} s  {', '.join(counts)}; {self.findings} findings"

    def close(self) -> None:
        shutil.rmtree(self.scratch, ignore_errors=True)


def _can_run(part: Part) -> bool:
    missing = part.missing()
    if missing:
        print(f"skipped: {part.name} needs {', '.join(missing)}", flush=True)
    return not missing


def _long_over(began: float, seconds: float) -> bool:
    """Cases that run when the time is up have some more to end."""
    return time.monotonic() - began > seconds + 10


def warm() -> None:
    """Import all of fogtree, so that forks need not; but nothing that starts threads."""
    absent = [name for name in ("jax", "ray", "tensorboardX") if name not in sys.modules]
    sys.modules.update(dict.fromkeys(absent))  # an import of these fails
    for module in pkgutil.walk_packages(fogtree.__path__, "fogtree."):
        if module.name != "fogtree.__main__":
            with suppress(ImportError, fogtree.FogtreeError):
                importlib.import_module(module.name)
    with suppress(ImportError):
        import matplotlib

        matplotlib.use("Agg")
        importlib.import_module("matplotlib.pyplot")
    for name in absent:
        del sys.modules[name]
    _warm_commands()
    gc.collect()
    gc.freeze()  # forks share this memory as long as nobody writes to it
    sys.stdout.flush()


def _warm_commands() -> None:
    """Make what the parser of command lines makes and imports at its first use."""
    typer.main.get_command = cache(typer.main.get_command)
    with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
        for line in ("--version", "solve --help", "info kuhn_poker", "info nothing"):
            fogtree.cli.main(line.split())
