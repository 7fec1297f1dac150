"""Regret minimization on a compiled game: a native engine, or a minimizer written in NumPy.

Both do the same thing per iteration and player: value every action against the others' current
strategies, let the minimizers learn, and average the strategy that was played.
"""

from __future__ import annotations

import sys
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from fogtree import _core
from fogtree.errors import FileFormatError, MinimizerError, OptionError
from fogtree.evaluate.best_response import Exploitability, measuring_engine, summarise
from fogtree.minimizers import MINIMIZERS, Minimizer
from fogtree.solvers.accelerated import choice
from fogtree.solvers.recipes import AVERAGING_EXPONENT, Recipe, recipe
from fogtree.strategy import Strategy
from fogtree.strategy.mixes import mixes_of
from fogtree.system.foreign_errors import report_errors
from fogtree.text.choices import Device, Precision
from fogtree.tree import AnyGame, GameTree, compile_to_solve

if TYPE_CHECKING:
    from fogtree.solvers.accelerated.engine import AcceleratedEngine

Floats = NDArray[np.float64]
Slots = NDArray[np.int64]

MOST_THREADS = 256


class TabularSolver:
    """Any recipe on any compiled game. ``reference=True`` runs the NumPy minimizers; ``merge``
    treats equivalent information sets as one. ``device`` is where it runs: ``cpu``, or ``gpu``
    (NVIDIA, with CuPy)."""

    def __init__(
        self,
        game: AnyGame,
        algorithm: str | Recipe = "cfr+",
        *,
        precision: Precision = "float64",
        threads: int = 1,
        reference: bool = False,
        merge: bool = True,
        device: Device = "cpu",
    ) -> None:
        if not 1 <= threads <= MOST_THREADS:
            raise OptionError(f"threads must be 1 to {MOST_THREADS}, not {threads}")
        if precision not in ("float64", "float32"):
            raise OptionError(f"precision must be float64 or float32, not {precision}")
        self.tree = tree = compile_to_solve(game)
        self.recipe = recipe(algorithm)
        choice.check_device(device, self.recipe, tree.players)
        self.precision = precision
        self.threads = threads
        self.device = device
        self._machine: _core.Engine32 | _core.Engine64 | _ReferenceEngine | AcceleratedEngine
        if device == "gpu":
            if reference or not merge:
                raise OptionError("a GPU runs the merged game with its own minimizers")
            self._machine = choice.gpu_engine(tree, self.recipe, precision)
        elif reference or not isinstance(self.recipe.minimizer, str):
            self._machine = _ReferenceEngine(tree, self.recipe, merge)
        else:
            engine = _core.Engine32 if precision == "float32" else _core.Engine64
            form = tree.form if merge else tree.full_form
            self._machine = engine(form, _schedule(self.recipe), threads)

    @property
    def iteration(self) -> int:
        """Iterations done so far."""
        return self._machine.iteration

    def run(self, iterations: int) -> None:
        """Run some more iterations."""
        if iterations < 0:
            raise OptionError(f"iterations must be at least 0, not {iterations}")
        self._machine.run(iterations)

    def evaluate(self) -> Exploitability:
        """Exploitability of the answer so far, in the engine's own precision."""
        return summarise(*self._machine.evaluate())

    def exploitability(self) -> float:
        """The exploitability of the answer so far, as one number."""
        return self._machine.nash_conv() / self.tree.players

    def strategy(self) -> Strategy:
        """The answer so far: the average, or the last iterate if the recipe says so."""
        average = self.recipe.averaging != "last"
        return Strategy.of(self.tree, self._machine.strategy(average))

    def current(self) -> Strategy:
        """The current strategy, which the minimizers play next."""
        return Strategy.of(self.tree, self._machine.strategy(False))

    def state(self) -> dict[str, Any]:
        """Arrays to save for an exact resume."""
        return self._machine.state()

    def restore(self, state: dict[str, Any]) -> None:
        """Continue from what :meth:`state` returned."""
        try:
            self._machine.restore(**state)
        except (ValueError, TypeError, KeyError, ArithmeticError) as error:
            raise FileFormatError(f"the saved state does not fit {self.tree.game}") from error


def _schedule(row: Recipe) -> _core.Schedule:
    """The native engine's options for a recipe."""
    return _core.Schedule(
        rule=getattr(_core.Rule, str(row.minimizer)),
        alternating=row.alternating,
        positive_exponent=row.positive_exponent,
        negative_exponent=row.negative_exponent,
        averaging_exponent=AVERAGING_EXPONENT[row.averaging],
        delay=float(row.delay),
        last=row.averaging == "last",
    )


class PlayerMinimizer:
    """One player's minimizer, and how its rectangular arrays lie in the slots of the tree."""

    def __init__(self, tree: GameTree, player: int, row: Recipe) -> None:
        """Make the minimizer of a player. Its arrays have one column per information set with a
        choice and one row per action; ``slots`` lists the tree's slots of the legal entries, row by
        row."""
        mine = np.flatnonzero((tree.infoset_player == player) & (tree.infoset_actions > 1))
        counts = tree.infoset_actions[mine]
        rows = np.arange(int(counts.max(initial=0)))[:, None]
        legal = rows < counts
        self.slots = (tree.first_slot[mine] + rows)[legal]
        self.legal = legal
        minimizer = row.minimizer
        self._make = MINIMIZERS[minimizer] if isinstance(minimizer, str) else minimizer
        with self._report_errors():
            self.minimizer: Minimizer = self._make(
                legal, row.positive_exponent, row.negative_exponent
            )

    def _report_errors(self) -> AbstractContextManager[None]:
        """Report errors of a user's own minimizer in one line."""
        name = getattr(self._make, "__name__", repr(self._make))
        home = sys.modules.get(getattr(self._make, "__module__", ""))
        return report_errors(f"minimizer '{name}'", getattr(home, "__file__", None), MinimizerError)

    def learn(self, utility: Floats) -> Floats:
        """Update the minimizer with utilities by slot, and return its next strategy by slot."""
        seen = self.rectangle(utility)
        with self._report_errors():
            self.minimizer.observe(seen)
            return self.minimizer.strategy(seen)[self.legal]

    def rectangle(self, slots: Floats) -> Floats:
        """An array over slots as a table with one column per information set and one row per
        action; 0 where an information set has fewer actions."""
        out = np.zeros(self.legal.shape)
        out[self.legal] = slots[self.slots]
        return out


def averaging_weight(row: Recipe, iteration: int) -> float:
    """The weight of an iteration in a recipe's average strategy; the first iteration is 1."""
    after = iteration - row.delay
    return float(after) ** AVERAGING_EXPONENT[row.averaging] if after > 0 else 0.0


class IterateAverage:
    """The average of what a recipe's players played: every iterate counts by the iteration's weight
    and the player's own reach. Arrays are over the slots of the tree."""

    def __init__(self, tree: GameTree, row: Recipe, reach: Floats) -> None:
        """``reach`` is the own reach of every action while nothing has been averaged yet."""
        self.reach, self.weight = reach, 0.0
        self._tree, self._row = tree, row
        self._share = 0.0

    def begin(self, iteration: int) -> None:
        """Begin an iteration; the first one is 1."""
        fresh = averaging_weight(self._row, iteration)
        self.weight += fresh
        self._share = fresh / self.weight if fresh > 0 else 0.0

    def add(self, slots: Slots, reach: Floats) -> None:
        """Add one player's strategy in this iteration: the own reach of its actions, whose slots
        are ``slots``."""
        self.reach[slots] += self._share * (reach - self.reach[slots])

    def strategy(self) -> Floats:
        """The average strategy so far."""
        return mixes_of(self.reach, self._tree.infoset_actions)


class _ReferenceEngine:
    """Runs iterations with minimizers in NumPy; reach and utilities come from the native tree."""

    def __init__(self, tree: GameTree, row: Recipe, merge: bool) -> None:
        """Begin with uniform strategies and no regrets; ``merge``: the native engine treats
        equivalent information sets as one."""
        self.tree = tree
        self.row = row
        self.iteration = 0
        self.native = measuring_engine(tree, merge=merge)
        self.players = [PlayerMinimizer(tree, p, row) for p in range(tree.players)]
        self.slots = np.array(Strategy.uniform(tree).probabilities)
        self.native.set_strategy(self.slots)
        reach = sum((self.native.reach(p) for p in range(tree.players)), np.zeros(tree.slots))
        self.average = IterateAverage(tree, row, reach)

    def run(self, iterations: int) -> None:
        """Run some iterations, in which players are updated in turn or all at once."""
        for _ in range(iterations):
            self.iteration += 1
            self.average.begin(self.iteration)
            if self.row.alternating:
                for p in range(len(self.players)):
                    self.step([p])
            else:
                self.step(list(range(len(self.players))))

    def step(self, movers: list[int]) -> None:
        """Update the strategies of these players by their utilities against the present
        strategies."""
        self.native.set_strategy(self.slots)
        following = self.slots.copy()
        for p in movers:
            player = self.players[p]
            self.average.add(player.slots, self.native.reach(p)[player.slots])
            following[player.slots] = player.learn(self.native.utilities(p))
        self.slots = following

    def strategy(self, average: bool) -> Floats:
        """The average or the current strategy, one probability per slot."""
        return self.average.strategy() if average else self.slots

    def evaluate(self) -> tuple[list[float], list[float]]:
        """The values of the strategy that the algorithm returns and of the best responses to it, by
        player."""
        self.native.set_strategy(self.strategy(self.row.averaging != "last"))
        return self.native.evaluate()

    def nash_conv(self) -> float:
        """The sum over players of what a best response gains."""
        return summarise(*self.evaluate()).nash_conv

    def state(self) -> dict[str, Any]:
        """Everything that :meth:`restore` needs to continue exactly."""
        out: dict[str, Any] = {
            "iteration": self.iteration,
            "weight": self.average.weight,
            "strategy": self.slots.copy(),
            "average": self.average.reach.copy(),
        }
        for p, player in enumerate(self.players):
            for name, values in player.minimizer.state().items():
                out[f"{name}_{p}"] = values
        return out

    def restore(self, **state: Any) -> None:
        """Continue from a saved state; a ValueError if its arrays do not fit."""
        for p, player in enumerate(self.players):
            expected = player.minimizer.state()
            parts = {
                name: np.array(state[f"{name}_{p}"]) for name in expected if f"{name}_{p}" in state
            }
            if {k: v.shape for k, v in parts.items()} != {k: v.shape for k, v in expected.items()}:
                raise ValueError("minimizer state does not fit")
            current = player.rectangle(np.asarray(state["strategy"]))
            player.minimizer.restore(int(state["iteration"]), current, parts)
        if state["average"].shape != self.average.reach.shape:
            raise ValueError("average does not fit")
        self.iteration, self.average.weight = int(state["iteration"]), float(state["weight"])
        self.slots, self.average.reach = np.array(state["strategy"]), np.array(state["average"])
