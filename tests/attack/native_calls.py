"""Calls of everything in the native core with random arguments, right and wrong.

Run as ``python -m tests.attack.native_calls SEED CALLS [LOG]``. A call may raise any exception; the
process must not die. The log's last line is the call that killed it.
"""

from __future__ import annotations

import faulthandler
import inspect
import random
import re
import resource
import sys
import threading
import warnings
from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path
from typing import Any, TextIO

import numpy as np

from fogtree import _core
from tests.attack.native_objects import first_objects, flat_arrays
from tests.support.sanitizers import address_sanitizer

MEMORY = 4 << 30
"""Address space of the process, so that a huge size is an exception; not with sanitizers."""
SECONDS = 600
"""No call takes so long; then the process ends with its Python stack."""
KEPT = 6
"""Objects of one class that are kept to be used again."""

SMALL = (-(2**31), -3, -1, 0, 1, 2, 3, 5, 9)
LARGE = (*SMALL, 63, 64, 255, 256, 1000, 2**31 - 1, 2**31, 2**32, 2**63, 2**64, -(2**63))
WORK = frozenset({
    "games", "traversals", "epochs", "iterations", "steps", "nodes", "most", "groups", "group",
    "group_size", "samples", "batch", "size", "count", "tried", "looks", "together", "walks",
    "numbers", "cap", "index", "bytes",
})  # fmt: skip
"""Parameters by which a call may be made arbitrarily long: only small numbers are tried."""
THREADS = (-1, 0, 1, 2, 3, 5000, 2**31 - 1)
FLOATS = (0.0, -0.0, 1.0, -1.0, 0.5, 1e-9, 1e-320, 1e308, float("nan"), float("inf"), -float("inf"))
TEXTS = (
    "", "x", "e2e4", "O-O", "Nf3", "actions", "histories", "regret", "strategy", "value",
    "external", "outcome", "robust", "escher", "rollout", "rook", "bishop", "greedy", "random",
    "imperfect_greedy", "pext", "magic", "avx2", "portable", "base",
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "8/8/8/8/8/8/8/K7 w - - 0 1",
    "4k3/8/8/8/8/8/8/4K3 b - - 99 1", "\udc80", "a\0b", "x" * 5000,
)  # fmt: skip
KINDS = ("int8", "uint8", "int16", "uint16", "int32", "int64", "uint64", "float32", "float64",
         "complex128", ">f8", "bool", "object")  # fmt: skip


class Fuzzer:
    """Makes calls, and keeps what they return for later ones."""

    def __init__(self, seed: int, log: TextIO | None) -> None:
        self.luck = random.Random(seed)
        self.numbers = np.random.default_rng(seed)
        self.log = log
        self.objects: dict[str, list[Any]] = {}
        self.raised = 0
        for made in first_objects():
            self.keep(made)
        self.calls = bound_calls()

    def keep(self, made: Any) -> None:
        """Remember an object of a bound class, or all of a list."""
        if isinstance(made, (list, tuple)):
            for one in made[:3]:
                self.keep(one)
        elif type(made).__module__ == _core.__name__:
            for kind in type(made).__mro__[:-1]:
                kept = self.objects.setdefault(kind.__name__, [])
                if len(kept) < KEPT:
                    kept.append(made)
                else:
                    kept[self.luck.randrange(KEPT)] = made

    def one_call(self) -> None:
        name, function, signature = self.luck.choice(self.calls)
        if name == "FlatTree" and self.luck.random() < 0.7:
            arguments, named = self.damaged_tree(), {}
        else:
            arguments, named = self.arguments(name, signature)
        if self.log is not None:
            self.log.write(f"{name}{arguments!r:.600}{named!r:.400}\n")
            self.log.flush()
        try:
            self.keep(function(*arguments, **named))
        except Exception:
            self.raised += 1

    def damaged_tree(self) -> tuple[Any, ...]:
        """The arrays of a small tree with a few numbers, lengths or types changed."""
        players, *arrays = flat_arrays(self.luck)
        for _ in range(self.luck.randrange(4)):
            which = self.luck.randrange(len(arrays))
            array = arrays[which].copy()
            if self.luck.random() < 0.7 and array.size:
                place = self.luck.randrange(array.size)
                limits = np.iinfo(array.dtype) if array.dtype.kind == "i" else None
                if limits is None:
                    array.flat[place] = self.luck.choice(FLOATS)
                else:
                    value = self.luck.choice((*SMALL, limits.max, limits.min))
                    array.flat[place] = max(limits.min, min(limits.max, value))
            else:
                array = self.luck.choice([
                    array[::2], array[:-1], np.append(array, array[:1]), array.astype(np.float32),
                    array.astype(np.int64), array.reshape(1, -1), array[::-1], array[:0],
                ])  # fmt: skip
            arrays[which] = array
        if self.luck.random() < 0.1:
            players = self.luck.choice(LARGE)
        return (players, *arrays)

    def arguments(self, name: str, signature: str) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """Arguments for a signature, as it is written in the stub."""
        places: list[Any] = []
        named: dict[str, Any] = {}
        only_named = False
        for part in split_top(signature[signature.index("(") + 1 : signature.rindex(") ->")]):
            if part in {"*", "/"}:
                only_named = only_named or part == "*"
                continue
            parameter, _, kind = part.partition(":")
            kind, _, default = kind.partition(" = ")
            endless = name == "SearchBudget" and parameter.strip() == "steps"  # without a limit
            if endless:
                named["steps"] = self.luck.choice([1, 5, 20, -1])
                continue
            if default and self.luck.random() < 0.5:
                only_named = True
                continue
            value = self.value(kind.strip() or name, parameter.strip(), name)
            if self.luck.random() < 0.02:
                value = self.junk()
            if only_named:
                named[parameter.strip()] = value
            else:
                places.append(value)
        if self.luck.random() < 0.01:
            places.append(self.junk())
        return tuple(places), named

    def junk(self) -> Any:
        return self.luck.choice([
            None, 0, -1, 2**70, 1.5, float("nan"), "x", b"x", [], {}, (), object(), [None], [[1]],
            np.zeros(3), self.any_object(), type,
        ])  # fmt: skip

    def any_object(self) -> Any:
        return self.luck.choice(self.luck.choice(list(self.objects.values())))

    def value(self, kind: str, parameter: str, name: str) -> Any:
        """A value of a type, by its name in the stub."""
        kind = kind.removeprefix("fogtree._core.")
        if parameter == "self" and kind in self.objects:
            return self.luck.choice(self.objects[kind])
        if "|" in kind:
            return self.value(self.luck.choice(kind.split("|")).strip(), parameter, name)
        if kind == "int":
            if parameter in {"threads", "workers", "expanders"}:
                return self.luck.choice(THREADS)
            if parameter == "depth":
                return self.luck.choice([-1, 0, 1, 2, 65, 2**31 - 1])
            if name == "cambia_external_sampling" and parameter == "traversals":
                return self.luck.choice([-1, 0])  # visits every action of a whole game
            return self.luck.choice(SMALL if parameter in WORK else LARGE)
        if kind == "float":
            return self.luck.choice([0.01] if parameter == "seconds" else FLOATS)
        if kind == "None":
            return None
        if kind == "bool":
            return self.luck.random() < 0.5
        if kind == "str":
            return self.luck.choice(TEXTS)
        if kind == "bytes":
            return self.numbers.bytes(self.luck.choice([0, 1, 48, 56, 64]))
        return self.composite(kind, parameter, name)

    def composite(self, kind: str, parameter: str, name: str) -> Any:
        if kind.startswith(("ndarray", "numpy")):
            return self.array(kind)
        inner = re.fullmatch(r"(?:collections\.abc\.)?(\w+)\[(.*)\]", kind)
        if inner is not None and inner[1] in {"list", "Sequence"}:
            return [self.value(inner[2], parameter, name) for _ in range(self.luck.randrange(4))]
        if inner is not None and inner[1] == "tuple":
            parts = [part for part in split_top(inner[2]) if part != "..."]
            return tuple(self.value(part, parameter, name) for part in parts)
        if inner is not None and inner[1] == "dict":
            return self.table()
        if "Callable" in kind:
            return self.callback()
        if kind in self.objects:
            if self.luck.random() < 0.02:
                bare = getattr(_core, kind)
                return bare.__new__(bare)
            return self.luck.choice(self.objects[kind])
        members = getattr(getattr(_core, kind, None), "__members__", None)
        return self.luck.choice(list(members.values())) if members else self.junk()

    def array(self, kind: str) -> Any:
        """An array of the right type, or of any other, with some numbers that are none."""
        wanted = re.search(r"dtype=(\w+)", kind)
        dtype = wanted[1] if wanted and self.luck.random() < 0.85 else self.luck.choice(KINDS)
        two = "shape=(*, *)" in kind
        shape: tuple[int, ...] = (self.luck.choice([0, 1, 2, 4, 6, 12]),)
        if two:
            shape = (*shape, self.luck.choice([1, 2, 4, 5, 30]))
        if self.luck.random() < 0.05:
            shape = self.luck.choice([(), (3, 3, 3), (2, 2)])
        numbers = np.asarray(self.numbers.standard_normal(shape))
        array = np.asarray(numbers * self.luck.choice([1, 3, 100])).astype(dtype)
        if np.dtype(dtype).kind == "f" and array.size and self.luck.random() < 0.2:
            array.flat[0] = self.luck.choice(FLOATS)
        return array[::-1] if array.ndim and self.luck.random() < 0.05 else array

    def table(self) -> dict[str, Any]:
        """A trainer's contents with something changed."""
        trainers = self.objects["Trainer64"] + self.objects["Trainer32"]
        try:
            contents = dict(self.luck.choice(trainers).contents())
        except Exception:
            return {}
        key = self.luck.choice(list(contents))
        if self.luck.random() < 0.7:
            contents[key] = self.luck.choice([self.junk(), 0, 1, self.array("dtype=float64")])
        return contents

    def callback(self) -> Callable[..., Any]:
        """A function for a search or an evaluator to call: it answers, raises, or calls back."""
        luck = random.Random(self.luck.random())

        def call(*given: Any) -> Any:
            if luck.random() < 0.3:
                self.reenter(luck)
            if luck.random() < 0.1:
                raise ValueError("planned")
            count = given[0].count_moves() if hasattr(given[0], "count_moves") else 3
            numbers = np.zeros(max(0, count + luck.choice([0, 0, 0, 0, 1, -1])), dtype=np.float32)
            if numbers.size and luck.random() < 0.2:
                numbers[0] = luck.choice(FLOATS)
            return numbers

        return call

    def reenter(self, luck: random.Random) -> None:
        """Use a search from inside its callback, here and in another thread."""
        search = luck.choice(self.objects[luck.choice(["TreeSearch", "FogChessSearch"])])
        budget = _core.SearchBudget(steps=2)
        uses = [lambda: search.decide(budget), search.roots, search.trail, search.gap,
                lambda: search.stop_flag,
                lambda: search.move_to(0), lambda: search.nodes(10)]  # fmt: skip
        use = luck.choice(uses)

        def quietly() -> None:
            try:
                use()
            except Exception:
                self.raised += 1

        if luck.random() < 0.5:
            quietly()
        else:
            thread = threading.Thread(target=quietly)
            thread.start()
            thread.join()


def split_top(text: str) -> list[str]:
    """The parts of a list with commas, brackets kept together."""
    parts, depth, part = [], 0, ""
    for letter in text:
        depth += (letter in "[(") - (letter in "])")
        if letter == "," and depth == 0:
            parts.append(part.strip())
            part = ""
        else:
            part += letter
    return [*parts, part.strip()] if part.strip() else parts


def bound_calls() -> list[tuple[str, Callable[..., Any], str]]:
    """Every constructor, method, property and function of the core, with its signature."""
    found: list[tuple[str, Callable[..., Any], str]] = []

    def add(name: str, function: Any, as_call: Callable[..., Any]) -> None:
        for signature, *_ in getattr(function, "__nb_signature__", ()):
            found.append((name, as_call, signature.replace("(self)", f"(self: {name})").replace(
                "(self,", f"(self: {name},")))  # fmt: skip

    for name, member in vars(_core).items():
        if not inspect.isclass(member):
            add(name, member, member)
            continue
        for method, value in vars(member).items():
            if method in {"__init__", "__new__"}:
                for signature, *_ in getattr(value, "__nb_signature__", ()):
                    bare = re.sub(r"\((self|cls|arg)[^,)]*,? ?", "(", signature, count=1)
                    found.append((name, member, bare))
            elif isinstance(value, property):
                found.append((name, value.fget, f"(self: {name}) ->"))  # type: ignore[arg-type]
            elif callable(value) or hasattr(value, "__nb_signature__"):
                add(name, value, getattr(member, method))
    return found


def call_at_random(seed: int, calls: int, log: Path | None) -> None:
    """Make calls in this process, of which nothing else can be expected afterwards."""
    faulthandler.enable()
    warnings.simplefilter("ignore")  # of nanobind, on objects that were never initialised
    faulthandler.dump_traceback_later(SECONDS, exit=True)
    if not address_sanitizer():
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    with nullcontext() if log is None else log.open("w", errors="replace") as file:
        fuzzer = Fuzzer(seed, file)
        for _ in range(calls):
            fuzzer.one_call()
    print(f"{calls} calls of {len(fuzzer.calls)} functions, {fuzzer.raised} raised an exception")


if __name__ == "__main__":
    call_at_random(
        int(sys.argv[1]), int(sys.argv[2]), Path(sys.argv[3]) if len(sys.argv) > 3 else None
    )
