"""Sampled walks that ask a network at every decision, in Python: the native engine's reference.

``external``: N. Brown, A. Lerer, S. Gross, T. Sandholm, "Deep counterfactual regret minimization",
ICML 2019, with the external sampling of M. Lanctot, K. Waugh, M. Zinkevich, M. Bowling, "Monte
Carlo sampling for regret minimization in extensive games", NIPS 2009, which ``outcome`` is from as
well. ``robust``: H. Li, K. Hu, S. Zhang, Y. Qi, L. Song, "Double neural counterfactual regret
minimization", ICLR 2020. ``escher``: S. McAleer, G. Farina, M. Lanctot, T. Sandholm, "ESCHER:
eschewing importance sampling in games by computing a history value function to estimate regret",
ICLR 2023. *Deviations:* importance weights are returned beside the targets, so that training can
bound them; escher's traverser mixes exploration into its current strategy instead of playing one
fixed strategy in all iterations, which the paper's guarantee needs (``exploration=1`` is one), and
a value network with one output estimates the histories that actions lead to. ``rollout`` is escher
with the value of every action taken from one game played to its end. ``selfplay`` is one game in
which every decision of every player is recorded with the action taken and that player's return.

A walk is a generator that yields a query wherever it needs a network's outputs; the queries of all
walks are answered in one batch.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from fogtree.deep.network import Network, regret_matching, softmax
from fogtree.deep.samples import ArraySamples
from fogtree.deep.walkable import Codes, WalkableGame
from fogtree.errors import OptionError
from fogtree.game import CHANCE, TERMINAL

Method = Literal["external", "outcome", "robust", "escher", "rollout", "value", "selfplay"]
METHODS: tuple[Method, ...] = get_args(Method)
_VALUE = -1  # stands for the value network in a query


@dataclass(frozen=True, slots=True)
class Walks:
    """How the game is walked."""

    method: Method = "external"
    exploration: float = 0.6  # outcome, escher, rollout: weight of the uniform distribution
    tried: int = 2  # robust: number of the traverser's actions that are tried
    depth: int = 0  # decisions after which a value estimate ends the walk; 0: no limit
    uniform_fallback: bool = False  # without positive regrets play uniformly, not the best action
    softmax: bool = False  # network outputs are logarithms of probabilities, not regrets

    def __post_init__(self) -> None:
        """Refuse an unknown sampling method, and numbers that do not go with it."""
        if self.method not in METHODS:
            raise OptionError(f"sampling_method must be one of {', '.join(METHODS)}")
        if not 0 <= self.exploration <= 1:
            raise OptionError(f"exploration must be from 0 to 1, not {self.exploration}")
        if self.tried < 1 or self.depth < 0:
            raise OptionError("tried must be at least 1 and depth at least 0")
        if self.method == "selfplay" and self.depth:
            raise OptionError("selfplay needs whole games: depth must be 0")


@dataclass(frozen=True, eq=False)
class Task:
    """One call of an engine: the walks to make, and the networks that are played.

    ``networks`` has one network per player; if it is empty, all play uniformly.
    ``keep_probabilities``: the share of the regret and of the strategy samples that is needed; an
    engine may return all of them.
    """

    walks: Walks
    networks: Sequence[Network]
    value: Network | None
    traverser: int
    traversals: int
    iteration: int
    seed: int
    keep_probabilities: tuple[float, float] = (1.0, 1.0)


@dataclass
class _Samples:
    """The samples that one walk has collected so far, as lists of rows."""

    # Code, output columns, regrets, weight.
    regret: list[tuple[Codes, Any, Any, float]] = field(default_factory=list)
    # Code, output columns, probabilities, player, weight.
    strategy: list[tuple[Codes, Any, Any, int, float]] = field(default_factory=list)
    # Code of a history, column of the action taken, whether it explores, payoff at the end.
    value: list[tuple[Codes, int, bool, float]] = field(default_factory=list)
    nodes: int = 0
    queries: int = 0
    total: float = 0.0  # the estimated value of the root for the traverser
    deepest: int = 0


Query = tuple[int, Codes, "NDArray[np.int64] | None"]  # network, code, output columns or all
Ask = Generator[Query, NDArray[np.float32], float]
"""A part of a walk: yields queries, is sent the outputs asked for, and returns a value."""
Asking = Generator[Query, NDArray[np.float32], NDArray[np.float64]]
"""The same, but returns one number per legal action."""


class _Walk:
    """One walk, which yields a query whenever it needs a network's outputs.

    Methods that are called like a sampling method continue the walk at a decision of the traverser
    with this ``mix``, record its regrets, and return an estimate of the traverser's value there.
    """

    def __init__(self, game: WalkableGame, task: Task, *, value: int, rng: Any) -> None:
        """Prepare one walk of a task; ``value`` is the number of the value network's outputs (0:
        there is none)."""
        self.game, self.walks, self.rng = game, task.walks, rng
        self.uniform, self.traverser = not task.networks, task.traverser
        self.value_outputs = value  # 0: no value network
        self.samples = _Samples()

    def run(self) -> Ask:
        """The whole walk, or for the value network a whole game; returns an estimate of the
        traverser's value at the root."""
        root = self.game.root()
        if self.walks.method == "value":
            return (yield from self._play(root, self.walks.exploration, record=True))
        if self.walks.method == "selfplay":
            return (yield from self._selfplay(root))
        return (yield from self._walk(root, 0, 1.0))

    def _settle(self, state: Any) -> Any:
        """Move on to the next state with a choice, or to the end: sample chance, play forced
        actions."""
        while True:
            player = self.game.player(state)
            if player == CHANCE:
                state = self.game.child(state, self._draw(self.game.chance(state)))
                continue
            if player == TERMINAL or len(self.game.columns(state)) > 1:
                return state
            state = self.game.child(state, 0)

    def _draw(self, shares: Sequence[float] | NDArray[np.float64]) -> int:
        """Draw an index by these probabilities."""
        bounds = np.cumsum(shares)
        return min(int((bounds <= self.rng.random() * bounds[-1]).sum()), len(bounds) - 1)

    def _mix(self, state: Any) -> Asking:
        """The mover's mix; asks the mover's network unless all play uniformly."""
        columns = self.game.columns(state)
        if self.uniform:
            return np.full(len(columns), 1.0 / len(columns))
        outputs = yield self.game.player(state), self.game.code(state), columns
        if self.walks.softmax:
            return softmax(outputs)
        return regret_matching(outputs, uniform=self.walks.uniform_fallback)

    def _exploring(self, mix: NDArray[np.float64]) -> NDArray[np.float64]:
        """A mix with a share of uniform play."""
        share = self.walks.exploration
        return share / len(mix) + (1 - share) * mix

    def _walk(self, state: Any, depth: int, chance: float) -> Ask:
        """Walk on from a state and return an estimate of its value for the traverser. ``chance`` is
        the probability that the traverser's own sampled actions led here; it stays 1 in ESCHER and
        rollouts, which use no importance weights."""
        state = self._settle(state)
        self.samples.nodes += 1
        player = self.game.player(state)
        if player == TERMINAL:
            return float(self.game.returns(state)[self.traverser])
        if self.walks.depth and depth >= self.walks.depth:
            return (yield from self._estimate(state))
        self.samples.deepest = max(self.samples.deepest, depth + 1)
        mix = yield from self._mix(state)
        if player != self.traverser:
            code, columns = self.game.code(state), self.game.columns(state)
            self.samples.strategy.append((code, columns, mix, player, 1.0 / chance))
            child = self.game.child(state, self._draw(mix))
            return (yield from self._walk(child, depth + 1, chance))
        method = getattr(self, f"_{self.walks.method}")
        value: float = yield from method(state, depth, chance, mix)
        return value

    def _record(self, state: Any, values: NDArray[np.float64], mean: float, chance: float) -> None:
        """Add a regret sample: the actions' ``values`` minus their ``mean`` under the mix, with
        weight 1 / ``chance`` (see :meth:`_walk`)."""
        row = (self.game.code(state), self.game.columns(state), values - mean, 1.0 / chance)
        self.samples.regret.append(row)

    def _selfplay(self, state: Any) -> Ask:
        """Plays one game. Every decision is recorded as a strategy sample, and its history, with
        the mover's payoff at the end, as a value sample. Returns the traverser's payoff."""
        passed: list[tuple[Codes, int]] = []
        movers: list[int] = []
        while self.game.player(state := self._settle(state)) != TERMINAL:
            self.samples.nodes += 1
            mix = yield from self._mix(state)
            player, columns = self.game.player(state), self.game.columns(state)
            self.samples.strategy.append((self.game.code(state), columns, mix, player, 1.0))
            number = self._draw(mix)
            passed.append((self.game.history_code(state, player), int(columns[number])))
            movers.append(player)
            state = self.game.child(state, number)
        self.samples.nodes += 1
        self.samples.deepest = len(passed)
        returns = self.game.returns(state)
        for (code, column), player in zip(passed, movers, strict=True):
            self.samples.value.append((code, column, False, float(returns[player])))
        return float(returns[self.traverser])

    def _external(self, state: Any, depth: int, chance: float, mix: NDArray[np.float64]) -> Ask:
        """External sampling: try every action of the traverser."""
        values = np.zeros(len(mix))
        for number in range(len(mix)):
            child = self.game.child(state, number)
            values[number] = yield from self._walk(child, depth + 1, chance)
        mean = float(mix @ values)
        self._record(state, values, mean, chance)
        return mean

    def _robust(self, state: Any, depth: int, chance: float, mix: NDArray[np.float64]) -> Ask:
        """Robust sampling: try a few actions of the traverser, drawn uniformly; their values are
        divided by the probability to be tried, and the others count as 0."""
        count = len(mix)
        tried = min(self.walks.tried, count)
        share = tried / count
        values = np.zeros(count)
        for number in sorted(self.rng.choice(count, tried, replace=False).tolist()):
            child = self.game.child(state, number)
            found = yield from self._walk(child, depth + 1, chance * share)
            values[number] = found / share
        mean = float(mix @ values)
        self._record(state, values, mean, chance)
        return mean

    def _outcome(self, state: Any, depth: int, chance: float, mix: NDArray[np.float64]) -> Ask:
        """Outcome sampling: try one action, drawn with exploration; its value is divided by its
        probability, and the others count as 0."""
        sampled = self._exploring(mix)
        number = self._draw(sampled)
        share = float(sampled[number])
        child = self.game.child(state, number)
        found = yield from self._walk(child, depth + 1, chance * share)
        values = np.zeros(len(mix))
        values[number] = found / share
        mean = float(mix @ values)
        self._record(state, values, mean, chance)
        return mean

    def _escher(self, state: Any, depth: int, chance: float, mix: NDArray[np.float64]) -> Ask:
        """ESCHER: regrets come from the value network, and the walk continues along one drawn
        action."""
        children = [self.game.child(state, number) for number in range(len(mix))]
        if self.value_outputs > 1:
            values = yield from self._action_values(state)
        else:
            children = [self._settle(child) for child in children]
            values = np.zeros(len(mix))
            for number, child in enumerate(children):
                values[number] = yield from self._estimate(child)
        self._record(state, values, float(mix @ values), 1.0)
        number = self._draw(self._exploring(mix))
        return (yield from self._walk(children[number], depth + 1, chance))

    def _rollout(self, state: Any, depth: int, chance: float, mix: NDArray[np.float64]) -> Ask:
        """As ESCHER, with the value of every action from one game played to its end by the
        current strategies."""
        values = np.zeros(len(mix))
        for number in range(len(mix)):
            values[number] = yield from self._play(self.game.child(state, number))
        self._record(state, values, float(mix @ values), 1.0)
        child = self.game.child(state, self._draw(self._exploring(mix)))
        return (yield from self._walk(child, depth + 1, chance))

    def _action_values(self, state: Any) -> Asking:
        """Asks the value network for the traverser's values of all legal actions at a state."""
        columns = self.game.columns(state)
        code = self.game.history_code(state, self.traverser)
        values = yield _VALUE, code, columns
        return np.asarray(values, dtype=np.float64)

    def _estimate(self, state: Any) -> Ask:
        """An estimate of the traverser's value of a state that the walk does not enter: from the
        value network or, if there is none, from one game played to its end."""
        if self.game.player(state) == TERMINAL:
            return float(self.game.returns(state)[self.traverser])
        if self.value_outputs == 0:
            return (yield from self._play(state))
        if self.value_outputs == 1:
            code = self.game.history_code(state, self.traverser)
            values = yield _VALUE, code, None
            return float(values[0])
        mix = yield from self._mix(state)
        values64 = yield from self._action_values(state)
        return float(mix @ values64)

    def _play(self, state: Any, exploration: float = 0.0, *, record: bool = False) -> Ask:
        """Plays a game to its end from a state and returns the traverser's payoff. With ``record``
        an action is random with probability ``exploration``, and the decisions from the last such
        action on become value samples."""
        passed: list[tuple[Codes, int, bool]] = []
        while True:
            state = self._settle(state)
            self.samples.nodes += 1
            player = self.game.player(state)
            if player == TERMINAL:
                break
            mix = yield from self._mix(state)
            explores = record and self.rng.random() < exploration
            number = self._draw(np.ones(len(mix)) if explores else mix)
            if explores:
                passed.clear()
            if record:
                column = int(self.game.columns(state)[number])
                code = self.game.history_code(state, self.traverser)
                passed.append((code, column, explores))
            state = self.game.child(state, number)
        result = float(self.game.returns(state)[self.traverser])
        self.samples.value.extend((*row, result) for row in passed)
        return result


def traverse(game: WalkableGame, task: Task) -> ArraySamples:
    """Makes all walks of a task; rows have the native engine's layout."""
    networks, value = task.networks, task.value
    outputs = 0 if value is None else value.outputs
    walkers = []
    for number in range(task.traversals):
        rng = np.random.default_rng([task.seed, task.iteration, task.traverser, number])
        walkers.append(_Walk(game, task, value=outputs, rng=rng))
    running = {number: walker.run() for number, walker in enumerate(walkers)}
    answers: dict[int, Any] = dict.fromkeys(running)
    while running:
        queries: dict[int, Query] = {}
        for number in list(running):
            try:
                queries[number] = running[number].send(answers[number])
                walkers[number].samples.queries += 1
            except StopIteration as end:
                walkers[number].samples.total = end.value
                del running[number]
        answers = _answer(game, networks, value, queries)
    return _rows(game, [walker.samples for walker in walkers])


def _answer(
    game: WalkableGame,
    networks: Sequence[Network],
    value: Network | None,
    queries: dict[int, Query],
) -> dict[int, Any]:
    """The network outputs for all queries, by number of the walk that asks; one batch per
    network."""
    out: dict[int, Any] = {}
    for which in {query[0] for query in queries.values()}:
        asked = [number for number, query in queries.items() if query[0] == which]
        codes = np.stack([queries[number][1] for number in asked])
        if which == _VALUE:
            assert value is not None
            rows = value.forward(game.decode_history(codes))
        else:
            rows = networks[which].forward(game.decode(codes))
        for number, row in zip(asked, rows, strict=True):
            columns = queries[number][2]
            out[number] = row if columns is None else row[columns]
    return out


def _rows(game: WalkableGame, samples: Sequence[_Samples]) -> ArraySamples:
    """The samples of all walks as arrays, walk after walk."""
    regret = [row for one in samples for row in one.regret]
    strategy = [row for one in samples for row in one.strategy]
    value = [row for one in samples for row in one.value]
    most = game.most_actions
    arrays = {
        "regret_codes": _codes([row[0] for row in regret], game.code_bytes),
        "regret_actions": _padded([row[1] for row in regret], most, -1, np.int16),
        "regret_targets": _padded([row[2] for row in regret], most, 0, np.float32),
        "regret_weights": np.array([row[3] for row in regret], dtype=np.float32),
        "strategy_codes": _codes([row[0] for row in strategy], game.code_bytes),
        "strategy_actions": _padded([row[1] for row in strategy], most, -1, np.int16),
        "strategy_probabilities": _padded([row[2] for row in strategy], most, 0, np.float32),
        "strategy_players": np.array([row[3] for row in strategy], dtype=np.int8),
        "strategy_steps": np.array(
            [step for one in samples for step in range(len(one.strategy))], dtype=np.int32
        ),
        "strategy_weights": np.array([row[4] for row in strategy], dtype=np.float32),
        "value_codes": _codes([row[0] for row in value], game.history_code_bytes),
        "value_actions": np.array([row[1] for row in value], dtype=np.int16),
        "value_explored": np.array([row[2] for row in value], dtype=np.uint8),
        "value_returns": np.array([row[3] for row in value], dtype=np.float32),
        "nodes": sum(one.nodes for one in samples),
        "queries": sum(one.queries for one in samples),
        "traversals": len(samples),
        "depth": max((one.deepest for one in samples), default=0),
        "value": float(np.mean([one.total for one in samples])) if samples else 0.0,
    }
    return ArraySamples(arrays)


def _codes(codes: Sequence[Codes], size: int) -> Codes:
    """Codes as the rows of one array; ``size`` is the number of bytes of a code."""
    return np.stack(codes) if codes else np.zeros((0, size), dtype=np.uint8)


def _padded(rows: Sequence[Any], most: int, fill: int, kind: Any) -> NDArray[Any]:
    """Rows of different lengths as one array of ``most`` columns, filled up at the end with
    ``fill``."""
    out = np.full((len(rows), most), fill, dtype=kind)
    for number, row in enumerate(rows):
        out[number, : len(row)] = row
    return out
