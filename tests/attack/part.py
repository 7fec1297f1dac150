"""What a part of the attack is: cases numbered by seeds, each sound or a finding."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path


class Finding(Exception):
    """What a case found wrong, with everything needed to understand it."""


@dataclass(frozen=True)
class Case:
    """One case: its random numbers, an empty folder of its own, and what all cases share."""

    seed: int
    luck: random.Random
    folder: Path
    shared: Path


class Part:
    """A part of the attack; subclasses say how a case is made and judged."""

    name: str
    goal: int
    """Cases of the long form, over all runs with one folder."""
    required: int = 0
    """Outcomes that the long form must reach; 0 if nothing is required."""
    short: int
    """Cases of the short form, which is part of the tests."""
    chunk: int = 20
    """Cases that run one after the other in one process."""
    seconds: float = 600.0
    """The longest wait for one case on a busy machine, before it counts as hanging."""
    needs: tuple[str, ...] = ()
    """Modules without which the part is skipped."""

    def missing(self) -> list[str]:
        """The modules that are needed and not installed."""
        return [name for name in self.needs if find_spec(name) is None]

    def prepare(self, shared: Path) -> None:
        """Make what all cases share; called once, in a process of its own."""

    def leave(self) -> None:
        """Remove what cases of this process have left; called after the last of them."""

    def attack(self, case: Case) -> Counter[str]:
        """Run one case; returns how it ended and raises :class:`Finding` if that is wrong."""
        raise NotImplementedError
