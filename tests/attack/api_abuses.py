"""Abuses of the public interface: wrong types, wrong order, two threads, calls from callbacks.

Every abuse ends with a result, a :class:`~fogtree.FogtreeError` in one line, Python's own
``TypeError`` or ``ValueError`` for arguments of a wrong kind, or the error that a callback raised;
never with another exception, a crash or a hang.
"""

from __future__ import annotations

import random
import traceback
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import fogtree
from tests.attack.api_arguments import ALLOWED, Tell, cast, given
from tests.attack.api_calls import (
    call_function,
    make_object,
    misuse_agent,
    misuse_native,
    misuse_state,
    use_result,
)
from tests.attack.api_reentry import call_back, search_callback, two_threads
from tests.attack.fickle_game import PlannedError
from tests.attack.part import Case, Finding, Part
from tests.attack.processes import Setting, run_forked


class ApiAbuses(Part):
    """Abuses of the public interface."""

    name = "api_abuses"
    goal = required = 10_000
    short = 100
    chunk = 50

    def attack(self, case: Case) -> Counter[str]:
        scene = case.luck.choice(list(SCENES))
        cast()  # made before the fork

        def work() -> int:
            print(abuse(scene, case))
            return 0

        ended = run_forked(work, Setting(case.folder, interrupt=20.0))
        outcome = ended.output.strip().split("\n")[-1]
        if ended.interrupted and ended.status == 130 and "KeyboardInterrupt" in ended.errors:
            outcome = "interrupted"
        elif ended.status != 0 or outcome not in ("done", "refused", "language", "planned"):
            raise Finding(
                f"{scene}: status {ended.status}{', interrupted' if ended.interrupted else ''}\n"
                f"{ended.output[-3500:]}\n{ended.errors[-4000:]}"
            )
        return Counter({outcome: 1})


def abuse(scene: str, case: Case) -> str:
    """How one abuse ends, in one word, or all that is known about a wrong end."""
    told: list[str] = []
    given.clear()
    try:
        SCENES[scene](case.luck, told.append, case.folder)
    except fogtree.FogtreeError as error:
        text = str(error)
        if "\n" in text.strip() or len(text) > 5000:
            return f"{told}\nan error of {len(text)} letters in lines: {text[:500]!r}\n-"
        return "refused"
    except PlannedError:
        return "planned"
    except ALLOWED:
        return "language"
    except Exception as error:
        if isinstance(error, AttributeError) and any(error.obj is one for one in given):
            return "language"  # what was given is of a wrong kind
        if isinstance(error, LookupError) and scene == "misuse a state":
            return "language"
        return f"{told}\n{traceback.format_exc()}\n-"
    return "done"


SCENES: dict[str, Callable[[random.Random, Tell, Path], None]] = {
    "call a function": call_function,
    "call another function": call_function,
    "call one more function": call_function,
    "make an object": make_object,
    "use a result": use_result,
    "misuse an agent": misuse_agent,
    "two threads": two_threads,
    "call back": call_back,
    "watch a search": search_callback,
    "misuse a state": misuse_state,
    "misuse native objects": misuse_native,
}
