"""noregret's CFR+ on a GPU through CuPy, on the sequence form that fogtree solves."""

from __future__ import annotations

from importlib.metadata import version
from time import perf_counter
from typing import Any

import noregret
from ordered_set import OrderedSet
from scipy.sparse import csr_array

WARM_UP = 3
"""Iterations before the measured ones: the first ones compile kernels."""


def measure(tree: Any, seconds: float) -> dict[str, Any]:
    """Iterations a second of CFR+ with alternation and linear averaging, measured for so long, and
    the exploitability of the average."""
    kernel = noregret.CUDAKernel()
    start = perf_counter()
    game = game_of(tree.form, kernel)
    layout_seconds = perf_counter() - start
    minimizers = [noregret.CFR_plus(kernel, polytope) for polytope in game.sequence_form_polytopes]
    begun = end = perf_counter()
    done = 0

    def update() -> bool:
        """Note the time after an iteration; whether it was the last one."""
        nonlocal begun, end, done
        done += 1
        if done >= WARM_UP:
            kernel.numpy.cuda.get_current_stream().synchronize()
            end = perf_counter()
        if done == WARM_UP:
            begun = end
        return done > WARM_UP and end - begun > seconds

    strategies = noregret.regret_minimization(
        game,
        *minimizers,
        alternation=True,
        iteration_count=None,
        update=update,
        progress_bar=False,
    )
    return {
        "engine": "noregret " + version("noregret"),
        "layout_seconds": layout_seconds,
        "exploitability": float(game.exploitability(*strategies)),
        "iterations": done,
        "rate": (done - WARM_UP) / (end - begun),
    }


def game_of(form: Any, kernel: Any) -> Any:
    """A sequence form as noregret's game: information sets and actions have numbers as names."""
    polytopes = []
    for player in range(2):
        actions, first, parent, _ = form.treeplex(player)
        sequence: list[tuple[str, str] | None] = [None]
        named, parents = {}, {}
        for at, (count, begin, above) in enumerate(zip(actions, first, parent, strict=True)):
            if begin != len(sequence):
                raise ValueError("sequences are not in the order of their information sets")
            name = str(at)
            named[name] = OrderedSet(str(action) for action in range(count))
            parents[name] = sequence[above]
            sequence += [(name, str(action)) for action in range(count)]
        polytopes.append(noregret.SequenceFormPolytope(kernel, named, parents))
    rows, columns, values = form.payoffs(0)
    shape = tuple(polytope.column_count for polytope in polytopes)
    payoffs = kernel.scipy.sparse.csr_array(csr_array((values, (rows, columns)), shape=shape))
    return noregret.EFG_2p0s(kernel, payoffs, tuple(polytopes))
