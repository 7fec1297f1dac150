"""The native core of fogtree."""

from collections.abc import Mapping, Sequence
import enum
from typing import Annotated, Any

import numpy
from numpy.typing import NDArray


class FlatTree:
    def __init__(self, players: int, parent: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], player: Annotated[NDArray[numpy.int8], dict(shape=(None,), order='C', device='cpu', writable=False)], action: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], index: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], chance: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], view: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], payoffs: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], infoset_player: Annotated[NDArray[numpy.int8], dict(shape=(None,), order='C', device='cpu', writable=False)], infoset_actions: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None: ...

    @property
    def nodes(self) -> int: ...

    @property
    def infosets(self) -> int: ...

    @property
    def slots(self) -> int: ...

    @property
    def bytes(self) -> int: ...

class SequenceForm:
    @property
    def merged(self) -> bool: ...

    @property
    def nonzeros(self) -> int: ...

    @property
    def bytes(self) -> int: ...

    @property
    def infosets(self) -> list[int]: ...

    @property
    def sequences(self) -> list[int]: ...

    @property
    def place(self) -> list[int]: ...

    def payoffs(self, player: int) -> tuple[Annotated[NDArray[numpy.int32], dict(shape=(None,))], Annotated[NDArray[numpy.int32], dict(shape=(None,))], Annotated[NDArray[numpy.float64], dict(shape=(None,))]]:
        """
        Rows (own sequence), columns (the other's) and values, chance folded in.
        """

    def treeplex(self, player: int) -> tuple[Annotated[NDArray[numpy.int32], dict(shape=(None,))], Annotated[NDArray[numpy.int32], dict(shape=(None,))], Annotated[NDArray[numpy.int32], dict(shape=(None,))], Annotated[NDArray[numpy.float64], dict(shape=(None,))]]:
        """
        Per information set: actions, first and parent sequence; per sequence: members.
        """

def sequence_form(tree: FlatTree, merge: bool) -> SequenceForm: ...

class Rule(enum.Enum):
    regret_matching = 0

    predictive = 1

    normal_hedge = 2

    hedge = 3

class Schedule:
    def __init__(self, *, rule: Rule, alternating: bool, positive_exponent: float, negative_exponent: float, averaging_exponent: float, delay: float, last: bool) -> None: ...

class Engine32:
    def __init__(self, form: SequenceForm, schedule: Schedule, threads: int = 1, instruction_set: str = '') -> None: ...

    def run(self, iterations: int) -> None: ...

    @property
    def iteration(self) -> int: ...

    @property
    def bytes(self) -> int: ...

    @property
    def instruction_set(self) -> str: ...

    def evaluate(self) -> tuple[list[float], list[float]]: ...

    def strategy(self, average: bool) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]: ...

    def set_strategy(self, slots: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None: ...

    def utilities(self, player: int) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]: ...

    def best_response(self, player: int) -> tuple[float, Annotated[NDArray[numpy.float64], dict(shape=(None,))]]: ...

    def reach(self, player: int) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]: ...

    def state(self) -> dict[str, Any]: ...

    def restore(self, iteration: int, weight: float, regret: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], strategy: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], average: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], memory: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None: ...

class Engine64:
    def __init__(self, form: SequenceForm, schedule: Schedule, threads: int = 1, instruction_set: str = '') -> None: ...

    def run(self, iterations: int) -> None: ...

    @property
    def iteration(self) -> int: ...

    @property
    def bytes(self) -> int: ...

    @property
    def instruction_set(self) -> str: ...

    def evaluate(self) -> tuple[list[float], list[float]]: ...

    def strategy(self, average: bool) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]: ...

    def set_strategy(self, slots: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None: ...

    def utilities(self, player: int) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]: ...

    def best_response(self, player: int) -> tuple[float, Annotated[NDArray[numpy.float64], dict(shape=(None,))]]: ...

    def reach(self, player: int) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]: ...

    def state(self) -> dict[str, Any]: ...

    def restore(self, iteration: int, weight: float, regret: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], strategy: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], average: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], memory: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None: ...

def instruction_sets() -> list[str]: ...

class SearchMinimizer(enum.Enum):
    pcfr_plus = 0

    cfr_plus = 1

class SearchAnswer(enum.Enum):
    last = 0

    average = 1

class SearchStart(enum.Enum):
    best = 0

    proportional = 1

    uniform = 2

class SearchExploration(enum.Enum):
    puct = 0

    policy = 1

class SearchPurification(enum.Enum):
    stable = 0

    argmax = 1

    none = 2

class SearchOptions:
    def __init__(self) -> None: ...

    @property
    def knowledge(self) -> int: ...

    @knowledge.setter
    def knowledge(self, arg: int, /) -> None: ...

    @property
    def frozen(self) -> bool: ...

    @frozen.setter
    def frozen(self, arg: bool, /) -> None: ...

    @property
    def sample(self) -> int: ...

    @sample.setter
    def sample(self, arg: int, /) -> None: ...

    @property
    def gifts(self) -> bool: ...

    @gifts.setter
    def gifts(self, arg: bool, /) -> None: ...

    @property
    def uniform_prior(self) -> bool: ...

    @uniform_prior.setter
    def uniform_prior(self, arg: bool, /) -> None: ...

    @property
    def resolve(self) -> bool: ...

    @resolve.setter
    def resolve(self, arg: bool, /) -> None: ...

    @property
    def maxmargin(self) -> bool: ...

    @maxmargin.setter
    def maxmargin(self, arg: bool, /) -> None: ...

    @property
    def minimizer(self) -> SearchMinimizer: ...

    @minimizer.setter
    def minimizer(self, arg: SearchMinimizer, /) -> None: ...

    @property
    def answer(self) -> SearchAnswer: ...

    @answer.setter
    def answer(self, arg: SearchAnswer, /) -> None: ...

    @property
    def start(self) -> SearchStart: ...

    @start.setter
    def start(self, arg: SearchStart, /) -> None: ...

    @property
    def exploration(self) -> SearchExploration: ...

    @exploration.setter
    def exploration(self, arg: SearchExploration, /) -> None: ...

    @property
    def exploration_constant(self) -> float: ...

    @exploration_constant.setter
    def exploration_constant(self, arg: float, /) -> None: ...

    @property
    def two_sided(self) -> bool: ...

    @two_sided.setter
    def two_sided(self, arg: bool, /) -> None: ...

    @property
    def purification(self) -> SearchPurification: ...

    @purification.setter
    def purification(self, arg: SearchPurification, /) -> None: ...

    @property
    def most_actions(self) -> int: ...

    @most_actions.setter
    def most_actions(self, arg: int, /) -> None: ...

    @property
    def iterations_per_expansion(self) -> int: ...

    @iterations_per_expansion.setter
    def iterations_per_expansion(self, arg: int, /) -> None: ...

    @property
    def most_nodes(self) -> int: ...

    @most_nodes.setter
    def most_nodes(self, arg: int, /) -> None: ...

    @property
    def seed(self) -> int: ...

    @seed.setter
    def seed(self, arg: int, /) -> None: ...

class SearchBudget:
    def __init__(self, *, seconds: float = 0.0, steps: int = 0, nodes: int = 0, expanders: int = 0) -> None: ...

class TreeSearch:
    def __init__(self, tree: FlatTree, values: Sequence[float], options: SearchOptions, player: int) -> None: ...

    def possible(self, view: int) -> list[int]:
        """The nodes our player cannot tell apart, knowing this."""

    def know(self, view: int) -> None: ...

    def decide(self, budget: SearchBudget) -> dict[str, Any]: ...

    def choices(self) -> list[dict[str, Any]]: ...

    def mix(self, key: int, player: int) -> tuple[list[int], list[float], list[float]]: ...

class Scheme(enum.Enum):
    external = 0

    outcome = 1

    outcome_baseline = 2

    outcome_seed = 3

    robust = 4

    average = 5

    chance = 6

class SchemeOptions:
    def __init__(self, *, scheme: Scheme, exploration: float, tried: int, baseline_rate: float, epsilon: float, tau: float, beta: float) -> None: ...

class SamplingPlan:
    def __init__(self, *, scheme: SchemeOptions, positive_exponent: float, negative_exponent: float, averaging_exponent: float, delay: float, batch: int, workers: int, seed: int) -> None: ...

class OutOfMemory(MemoryError):
    pass

class Trainer32:
    def run(self, epochs: int) -> None: ...

    def sample(self, worker: int) -> dict[str, Any]:
        """What one worker changes in the next epoch."""

    def merge(self, changes: Sequence[dict[str, Any]]) -> None:
        """Ends an epoch with the changes of all workers, in their order."""

    def contents(self) -> dict[str, Any]: ...

    def restore(self, contents: dict[str, Any]) -> None: ...

    def limit(self, bytes: int) -> None: ...

    @property
    def epoch(self) -> int: ...

    @property
    def nodes(self) -> int: ...

    @property
    def infosets(self) -> int: ...

    @property
    def bytes(self) -> int: ...

class Trainer64:
    def run(self, epochs: int) -> None: ...

    def sample(self, worker: int) -> dict[str, Any]:
        """What one worker changes in the next epoch."""

    def merge(self, changes: Sequence[dict[str, Any]]) -> None:
        """Ends an epoch with the changes of all workers, in their order."""

    def contents(self) -> dict[str, Any]: ...

    def restore(self, contents: dict[str, Any]) -> None: ...

    def limit(self, bytes: int) -> None: ...

    @property
    def epoch(self) -> int: ...

    @property
    def nodes(self) -> int: ...

    @property
    def infosets(self) -> int: ...

    @property
    def bytes(self) -> int: ...

class TreeTrainer32(Trainer32):
    def __init__(self, tree: FlatTree, plan: SamplingPlan) -> None: ...

class TreeTrainer64(Trainer64):
    def __init__(self, tree: FlatTree, plan: SamplingPlan) -> None: ...

def simulated_games() -> list[str]: ...

def simulated_trainer(game: str, parameters: Mapping[str, int], plan: SamplingPlan) -> Trainer32: ...

def tabled_trainer(tree: FlatTree, plan: SamplingPlan) -> Trainer32: ...

def count_histories(game: str, parameters: Mapping[str, int], most: int) -> int: ...

def keys_of_tree(game: str, parameters: Mapping[str, int], tree: FlatTree) -> Annotated[NDArray[numpy.uint64], dict(shape=(None,))]: ...

def expected_update(tree: FlatTree, options: SchemeOptions, traverser: int, regret: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], average: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], baseline: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> dict[str, Any]:
    """
    Exact expectation of what one walk adds, from every walk that could happen.
    """
