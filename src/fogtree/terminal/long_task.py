"""Long tasks whose results are kept in a file: a progress bar, and one line if ended early."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from fogtree.system.termination import Terminated, sigterm_raises
from fogtree.terminal.console import messages

if TYPE_CHECKING:
    from rich.progress import Progress


class TaskBar:
    """Counts the finished parts of a task; on a terminal, a bar is drawn from the first call."""

    def __init__(self, things: str) -> None:
        """``things`` is what the parts are called, such as "games"."""
        self.things, self.done = things, 0
        self.total: int | None = None
        self._bar: Progress | None = None

    def show(self, done: int, total: int | None) -> None:
        """Set the number of finished parts and of all parts (None: unknown), and draw the bar on a
        terminal."""
        self.done, self.total = done, total
        console = messages()
        if not console.is_terminal:
            return
        if self._bar is None:
            from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

            self._bar = Progress(
                BarColumn(bar_width=min(24, console.width // 3)),
                TextColumn("{task.description}", markup=False),
                TimeElapsedColumn(),
                console=console,
                transient=True,
            )
            self._bar.add_task("", total=total)
            self._bar.start()
        self._bar.update(self._bar.task_ids[0], completed=done, description=str(self))

    def add(self, more: int) -> None:
        """Count more finished parts."""
        self.show(self.done + more, self.total)

    def stop(self) -> None:
        """Remove the bar from the terminal."""
        if self._bar is not None:
            self._bar.stop()

    def __str__(self) -> str:
        of = "" if self.total is None else f" of {self.total:,}"
        return f"{self.done:,}{of} {self.things}"


@contextmanager
def long_task(things: str, file: Path | None) -> Iterator[TaskBar]:
    """Run a block that counts its finished parts (called ``things``, such as "games") in the bar
    that is yielded. On Ctrl-C or SIGTERM it ends at once, and the number of parts that ``file`` has
    kept is printed."""
    bar = TaskBar(things)
    with sigterm_raises():
        try:
            yield bar
        except (KeyboardInterrupt, Terminated) as end:
            bar.stop()
            how = "interrupted" if isinstance(end, KeyboardInterrupt) else "terminated"
            if file is None:
                what = f"after {bar}; nothing is kept (that is what --file FILE is for)"
                messages().print(f"{how} {what}", soft_wrap=True)
            else:
                kept = f"{bar} are kept in {file}" if bar.done else f"no {things} yet to keep"
                messages().print(f"{how}; {kept}", soft_wrap=True)
            raise
        finally:
            bar.stop()
