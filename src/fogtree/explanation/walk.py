"""``explain``: an algorithm's first iterations with all numbers they compute.

With ``deals`` an iteration is one traversal of a game in which chance has that outcome for sure: no
chance weight, all players learn from the strategies of before the iteration, and information sets
that cannot occur have regret 0. Without, it is the solver's own iteration over the whole game.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from fogtree.errors import OptionError
from fogtree.explanation.deals import read_deal
from fogtree.explanation.record import END, EVENT, Explanation, Step
from fogtree.explanation.sweep import Floats, Sweep, Walker
from fogtree.game import CHANCE, TERMINAL
from fogtree.minimizers import Hedge, Minimizer, NormalHedge, scale
from fogtree.solvers.recipes import Recipe, recipe
from fogtree.solvers.tabular import IterateAverage, PlayerMinimizer
from fogtree.strategy import Strategy
from fogtree.tree import AnyGame, compile

MOST_STEPS = 200_000
"""Most steps of an explanation of several iterations; each takes about two kilobytes."""


def explain(
    game: AnyGame,
    algorithm: str | Recipe = "cfr+",
    *,
    deals: Sequence[str] = (),
    iterations: int | None = None,
) -> Explanation:
    """Run an algorithm's first iterations and record every number on the way: reaches, values,
    regrets, the next and the average strategy, at every information set with more than one action.

    With ``deals`` there is one iteration per deal, or ``iterations`` that go round the deals.
    Otherwise there are ``iterations`` over the whole game (1 if not given).

    >>> import fogtree
    >>> steps = fogtree.explain("kuhn_poker", "cfr+", deals=["JQ", "QK"]).steps
    >>> steps[0].infoset, steps[0].cumulative_regret
    ('J', (0.0, 0.375))
    """
    tree = compile(game)
    row = recipe(algorithm)
    count = (len(deals) or 1) if iterations is None else iterations
    if count < 1:
        raise OptionError(f"iterations must be at least 1, not {count}")
    walker = Walker(tree)
    read = [read_deal(walker, text) for text in deals]
    learner = _Learner(walker, row)
    everyone = range(tree.players)
    steps: list[Step] = []
    averages: list[Floats] = []
    reaches: list[Floats] = []
    whole = _Scene.of(walker, None, tree.chance) if not read else None
    scenes = [_Scene.of(walker, deal.text, deal.chance) for deal in read]
    decisions = max(len(scene.histories) for scene in ([whole] if whole else scenes))
    if count > 1 and count * decisions > MOST_STEPS:
        raise OptionError(
            f"{count:,} iterations are too many to explain: each has up to {decisions:,} steps, "
            f"and all together may have {MOST_STEPS:,}"
        )
    for t in range(count):
        scene = whole or scenes[t % len(scenes)]
        learner.average.begin(t + 1)
        together = bool(read) or not row.alternating
        for movers in [tuple(everyone)] if together else [(p,) for p in everyone]:
            steps.extend(learner.learn(t + 1, scene, movers))
        averages.append(learner.answer())
        reaches.append(learner.reach.copy())
    names = tuple(deals[t % len(deals)] for t in range(count)) if deals else ()
    return Explanation(
        tree.game,
        tree.players,
        row,
        names,
        tuple(steps),
        averages=tuple(averages),
        reaches=tuple(reaches),
    )


@dataclass(frozen=True, eq=False)
class _Scene:
    """The part of the game that one iteration covers: its deal, and the histories that can occur,
    by information set in the order of play."""

    deal: str | None
    chance: Floats
    possible: np.ndarray[tuple[int], np.dtype[np.bool_]]
    histories: dict[int, list[int]]

    @classmethod
    def of(cls, walker: Walker, deal: str | None, chance: Floats) -> _Scene:
        """Find the histories that can occur with these chance probabilities."""
        tree = walker.tree
        possible = walker.reach(np.where(walker.slot >= 0, 1.0, chance)) > 0
        histories: dict[int, list[int]] = {}
        for node in np.flatnonzero(possible & (tree.player >= 0)).tolist():
            histories.setdefault(int(tree.index[node]), []).append(node)
        return cls(deal, chance, possible, histories)


class _Learner:
    """The players' regret minimizers, which keep their regrets from iteration to iteration."""

    def __init__(self, walker: Walker, row: Recipe) -> None:
        """Begin with uniform strategies. ``column`` is the place of every information set in the
        arrays of its player's minimizer; ``reach`` is the own reach of every action, as it was
        last averaged."""
        tree = walker.tree
        self.walker, self.tree = walker, tree
        self.players = [PlayerMinimizer(tree, p, row) for p in range(tree.players)]
        self.strategy: Floats = np.array(Strategy.uniform(tree).probabilities)
        self.average = IterateAverage(tree, row, self.strategy.copy())
        self.last = row.averaging == "last"
        self.reach: Floats = np.zeros(tree.slots)
        self.column = np.zeros(len(tree.infoset_names), dtype=np.int64)
        for p in range(tree.players):
            mine = np.flatnonzero((tree.infoset_player == p) & (tree.infoset_actions > 1))
            self.column[mine] = np.arange(len(mine))

    def learn(self, t: int, scene: _Scene, movers: tuple[int, ...]) -> Iterator[Step]:
        """One traversal, after which the players ``movers`` have new regrets and strategies; yields
        a step for each of their information sets."""
        sweep = self.walker.sweep(self.strategy, scene.chance)
        following = self.strategy.copy()
        reach = sweep.own_reach[self.tree.slot_infoset] * self.strategy
        lessons: dict[int, _Lesson] = {}
        for p in movers:
            player, before = self.players[p], self.players[p].minimizer.regret
            self.average.add(player.slots, reach[player.slots])
            self.reach[player.slots] = reach[player.slots]
            following[player.slots] = player.learn(sweep.utility)
            lessons[p] = _Lesson.of(player.minimizer, before)
        used, self.strategy = self.strategy, following
        answer = self.answer()
        for infoset, histories in scene.histories.items():
            mover = int(self.tree.infoset_player[infoset])
            count = int(self.tree.infoset_actions[infoset])
            if mover in lessons and count > 1:
                slots = slice(*self.tree.first_slot[infoset : infoset + 2].tolist())
                yield Step(
                    iteration=t,
                    deal=scene.deal,
                    infoset=self.tree.infoset_names[infoset],
                    player=mover,
                    actions=self.tree.infoset_labels[infoset],
                    moves=self.moves(histories),
                    histories=len(histories),
                    leads_to=self.leads_to(histories, scene),
                    strategy=_numbers(used[slots]),
                    next_strategy=_numbers(following[slots]),
                    average_strategy=_numbers(answer[slots]),
                    profile=used,
                    **self.found(sweep, infoset, slots, used[slots]),
                    **lessons[mover].about(int(self.column[infoset]), count),
                )

    def answer(self) -> Floats:
        """The algorithm's answer so far as an array over slots: the average strategy, or the next
        strategy if it does not average."""
        return self.strategy if self.last else self.average.strategy()

    @staticmethod
    def found(sweep: Sweep, infoset: int, slots: slice, mix: Floats) -> dict[str, Any]:
        """The numbers that a traversal found for one information set, as fields of a
        :class:`Step`; ``mix`` is the strategy in use there."""
        values = sweep.value[slots]
        return {
            "own_reach": float(sweep.own_reach[infoset]),
            "opponent_reach": float(sweep.opponent_reach[infoset]),
            "values": _numbers(values),
            "expected_value": _numbers(values @ mix)[0],
        }

    def moves(self, histories: list[int]) -> tuple[str, ...] | None:
        """The players' moves that lead to these histories, without chance; None if they differ."""
        ways = {self.path(node) for node in histories}
        return ways.pop() if len(ways) == 1 else None

    def path(self, node: int) -> tuple[str, ...]:
        """The labels of the players' moves from the root to a node, without chance outcomes."""
        out: list[str] = []
        while node > 0:
            if self.walker.mover[node] != CHANCE:
                out.append(self.tree.labels[self.tree.label[node]])
            node = int(self.tree.parent[node])
        return tuple(reversed(out))

    def leads_to(self, histories: list[int], scene: _Scene) -> tuple[tuple[str, ...], ...]:
        """For every action, what may follow it: names of information sets, ``END`` or ``EVENT``."""
        following: list[dict[str, None]] = [{} for _ in self.walker.below(histories[0])]
        for history in histories:
            for names, child in zip(following, self.walker.below(history), strict=True):
                for reached in self.after_events(child, scene):
                    names[reached] = None
        return tuple(tuple(names) for names in following)

    def after_events(self, node: int, scene: _Scene) -> Iterator[str]:
        """What follows a node: an information set, the end, or a chance event. Chance events with a
        single possible outcome are skipped."""
        mover = self.tree.player[node]
        if mover == TERMINAL:
            yield END
        elif mover != CHANCE:
            yield self.tree.infoset_names[self.tree.index[node]]
        else:
            possible = [child for child in self.walker.below(node) if scene.possible[child]]
            if len(possible) > 1:
                yield EVENT
            else:
                yield from self.after_events(possible[0], scene)


@dataclass(frozen=True, eq=False)
class _Lesson:
    """The numbers by which a player's minimizer changed in one iteration, one column per
    information set."""

    before: Floats
    regret: Floats
    after: Floats
    weights: Floats
    scale: Floats | None
    rate: Floats | None

    @classmethod
    def of(cls, minimizer: Minimizer, before: Floats) -> _Lesson:
        """Read the numbers from a minimizer that has just been updated; ``before`` are its earlier
        regrets."""
        after, weights, c = minimizer.regret, minimizer.weights(minimizer.regret), None
        if isinstance(minimizer, NormalHedge):
            c = scale(after, minimizer.legal)
            positive, divisor = np.maximum(after, 0.0), np.where(c > 0, c, 1.0)
            weights = positive / divisor * np.exp(positive**2 / (2 * divisor)) * (c > 0)
        rate = minimizer.rate() if isinstance(minimizer, Hedge) else None
        return cls(before, minimizer.instantaneous, after, weights, c, rate)

    def about(self, column: int, count: int) -> dict[str, Any]:
        """The numbers of the information set in a column, which has ``count`` actions, as fields of
        a :class:`Step`."""
        return {
            "regret": _numbers(self.regret[:count, column]),
            "previous_regret": _numbers(self.before[:count, column]),
            "cumulative_regret": _numbers(self.after[:count, column]),
            "weights": _numbers(self.weights[:count, column]),
            "scale": None if self.scale is None else float(self.scale[column]),
            "rate": None if self.rate is None else float(self.rate[column]),
        }


def _numbers(values: Floats) -> tuple[float, ...]:
    """An array as a tuple of floats, with 0 instead of negative zero."""
    return tuple(float(value) + 0.0 for value in np.atleast_1d(values))
