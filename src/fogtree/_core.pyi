"""The native core of fogtree."""

from collections.abc import Callable, Sequence
import enum
from typing import Annotated, Any, Final, overload

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
    def __init__(self, form: SequenceForm, schedule: Schedule, threads: int = 1, instruction_set: str = '', least_parallel: int = 50000) -> None: ...

    def run(self, iterations: int) -> None: ...

    @property
    def iteration(self) -> int: ...

    @property
    def bytes(self) -> int: ...

    @property
    def instruction_set(self) -> str: ...

    def nash_conv(self) -> float:
        """What best responses gain, all players together."""

    def evaluate(self) -> tuple[list[float], list[float]]: ...

    def strategy(self, average: bool) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]: ...

    def set_strategy(self, slots: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None: ...

    def utilities(self, player: int) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]: ...

    def best_response(self, player: int) -> tuple[float, Annotated[NDArray[numpy.float64], dict(shape=(None,))]]: ...

    def reach(self, player: int) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]: ...

    def state(self) -> dict[str, Any]: ...

    def restore(self, iteration: int, weight: float, regret: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], strategy: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], average: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], memory: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None: ...

class Engine64:
    def __init__(self, form: SequenceForm, schedule: Schedule, threads: int = 1, instruction_set: str = '', least_parallel: int = 50000) -> None: ...

    def run(self, iterations: int) -> None: ...

    @property
    def iteration(self) -> int: ...

    @property
    def bytes(self) -> int: ...

    @property
    def instruction_set(self) -> str: ...

    def nash_conv(self) -> float:
        """What best responses gain, all players together."""

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
    def tolerance(self) -> float: ...

    @tolerance.setter
    def tolerance(self, arg: float, /) -> None: ...

    @property
    def minimizer(self) -> SearchMinimizer: ...

    @minimizer.setter
    def minimizer(self, arg: SearchMinimizer, /) -> None: ...

    @property
    def pruning(self) -> bool: ...

    @pruning.setter
    def pruning(self, arg: bool, /) -> None: ...

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
    def focus(self) -> bool: ...

    @focus.setter
    def focus(self, arg: bool, /) -> None: ...

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
    def solving(self) -> float: ...

    @solving.setter
    def solving(self, arg: float, /) -> None: ...

    @property
    def most_nodes(self) -> int: ...

    @most_nodes.setter
    def most_nodes(self, arg: int, /) -> None: ...

    @property
    def most_carried(self) -> int: ...

    @most_carried.setter
    def most_carried(self, arg: int, /) -> None: ...

    @property
    def most_roots(self) -> int: ...

    @most_roots.setter
    def most_roots(self, arg: int, /) -> None: ...

    @property
    def most_bytes(self) -> int: ...

    @most_bytes.setter
    def most_bytes(self, arg: int, /) -> None: ...

    @property
    def seed(self) -> int: ...

    @seed.setter
    def seed(self, arg: int, /) -> None: ...

class SearchBudget:
    def __init__(self, *, seconds: float = 0.0, steps: int = 0, nodes: int = 0, expanders: int = 0) -> None: ...

class SearchCandidate:
    """One of our actions after a search."""

    @property
    def action(self) -> int:
        """The action's number in its game."""

    @property
    def probability(self) -> float:
        """The probability to play it, after purification."""

    @property
    def strategy(self) -> float:
        """The probability by the solver."""

    @property
    def value(self) -> float:
        """Our expected value, from -1 to 1."""

    @property
    def visits(self) -> int:
        """How often the expander took it."""

class SearchResult:
    """The result of one search."""

    @property
    def candidates(self) -> list[SearchCandidate]:
        """Our actions; empty if the search ended before it got to our decision."""

    @property
    def action(self) -> int:
        """The action drawn from the probabilities."""

    @property
    def value(self) -> float:
        """Our expected value, from -1 to 1."""

    @property
    def p_max(self) -> float:
        """
        The largest probability with which the opponent would enter the subgame.
        """

    @property
    def safe(self) -> bool:
        """Whether the opponent gains nowhere by the new strategy: p_max is 0."""

    @property
    def full(self) -> bool:
        """Whether a bound on nodes or memory stopped the growth."""

    @property
    def stopped(self) -> bool:
        """Whether it was stopped before the budget was spent."""

    @property
    def nodes(self) -> int:
        """Nodes of the tree."""

    @property
    def infosets(self) -> int:
        """Information sets of the tree."""

    @property
    def bytes(self) -> int:
        """Memory of the tree."""

    @property
    def iterations(self) -> int:
        """Iterations of the solver."""

    @property
    def steps(self) -> int:
        """Walks of the expander."""

    @property
    def touched(self) -> int:
        """Nodes visited by the solver in all iterations."""

    @property
    def depth(self) -> int:
        """The deepest node, in plies below the root."""

    @property
    def seconds(self) -> float:
        """Duration of the search."""

    @property
    def carried_nodes(self) -> int:
        """Nodes kept from the tree of the search before."""

    @property
    def carried_infosets(self) -> int:
        """Information sets kept from the tree of the search before."""

    @property
    def sampled(self) -> int:
        """
        Positions of the belief that were not in the tree of the search before.
        """

    @property
    def cover(self) -> list[int]:
        """Nodes kept for each order of knowledge, the first order first."""

class SearchEvent(enum.Enum):
    """What a watcher of a search is called for."""

    opened = 0
    """The subgame is built."""

    expanded = 1
    """One walk of the expander has ended."""

    iterated = 2
    """One iteration of the solver has ended."""

    progress = 3
    """Another part of the budget is spent."""

class SearchMoment:
    """The state of a search that is being watched."""

    @property
    def event(self) -> SearchEvent:
        """Why the watcher is called."""

    @property
    def part(self) -> float:
        """The part of the budget that is spent, from 0 to 1."""

    @property
    def seconds(self) -> float:
        """Seconds since the search began."""

    @property
    def iterations(self) -> int:
        """Iterations of the solver so far."""

    @property
    def steps(self) -> int:
        """Walks of the expander so far."""

    @property
    def nodes(self) -> int:
        """Nodes of the tree."""

    @property
    def added(self) -> int:
        """Nodes that the last walk added."""

class LineStep:
    """One step of a principal variation."""

    @property
    def player(self) -> int:
        """Who acts; -1 is chance."""

    @property
    def action(self) -> int:
        """The likeliest action."""

    @property
    def probability(self) -> float:
        """The probability of the action."""

class RootPosition:
    """A position at the root of the subgame."""

    @property
    def choice(self) -> int:
        """
        The opponent's information set, as an index into the opponent's choices.
        """

    @property
    def state(self) -> Any:
        """The position."""

    @property
    def possible(self) -> bool:
        """Whether our observations allow it."""

    @property
    def weight(self) -> float:
        """Its probability within the opponent's information set."""

    @property
    def reach(self) -> float:
        """Its probability by the current strategies and the gadget."""

    @property
    def earlier_reach(self) -> float:
        """
        Its probability by the strategies of the search before; 0 if not in its tree.
        """

    @property
    def value(self) -> float:
        """Our value under the current strategies."""

    @property
    def nodes(self) -> int:
        """Nodes of its subtree."""

    @property
    def line(self) -> list[LineStep]:
        """The principal variation from here."""

    @property
    def line_value(self) -> float:
        """Our value at the end of the line."""

class OpponentChoice:
    """
    One of the opponent's information sets at the root, in the gadget game.
    """

    @property
    def nodes(self) -> int:
        """Positions at the root that belong to it."""

    @property
    def alternate(self) -> float:
        """Our value if the opponent does not enter the subgame."""

    @property
    def utility(self) -> float:
        """Our value if the opponent enters the subgame."""

    @property
    def margin(self) -> float:
        """Utility minus alternate; negative if the opponent gains."""

    @property
    def prior(self) -> float:
        """Its prior probability."""

    @property
    def reach(self) -> float:
        """The probability that the opponent chooses it."""

    @property
    def enter(self) -> float:
        """The probability to enter the subgame, by Resolve."""

    @property
    def maxmargin(self) -> float:
        """The probability to be chosen, by Maxmargin."""

class InfosetAction:
    """One action of an information set of the tree."""

    @property
    def action(self) -> int:
        """The action's number in its game."""

    @property
    def strategy(self) -> float:
        """Its probability in the current strategy."""

    @property
    def average(self) -> float:
        """Its probability in the average strategy."""

    @property
    def cumulative(self) -> float:
        """Its cumulative regret."""

    @property
    def regret(self) -> float:
        """Its regret in the last iteration."""

    @property
    def value(self) -> float:
        """The mover's value of it."""

    @property
    def variance(self) -> float:
        """The variance of its value between iterations."""

    @property
    def visits(self) -> int:
        """How often the expander took it."""

    def __eq__(self, other: object, /) -> bool: ...

class InfosetReport:
    """An information set of the tree."""

    @property
    def key(self) -> int:
        """The hash of what its player has observed."""

    @property
    def player(self) -> int:
        """Who decides."""

    @property
    def fixed(self) -> bool:
        """Whether its strategy stays as it is."""

    @property
    def value(self) -> float:
        """The mover's value."""

    @property
    def others_reach(self) -> float:
        """The probability of the others' actions."""

    @property
    def own_reach(self) -> float:
        """The probability of the mover's own actions."""

    @property
    def visits(self) -> int:
        """How often the expander came here."""

    @property
    def actions(self) -> list[InfosetAction]:
        """Its actions."""

    def __eq__(self, other: object, /) -> bool: ...

class TreeLevel:
    """Counts of the nodes at one ply below the root."""

    @property
    def nodes(self) -> int:
        """All nodes."""

    @property
    def expanded(self) -> int:
        """Nodes with children."""

    @property
    def terminal(self) -> int:
        """Nodes where the game is over."""

class SearchNode:
    """A node of the tree."""

    @property
    def parent(self) -> int:
        """
        The parent's index in the list; at the root -1 minus the opponent's choice.
        """

    @property
    def action(self) -> int:
        """The action that leads here."""

    @property
    def player(self) -> int:
        """Who acts; -1 is chance, -2 is nobody."""

    @property
    def expanded(self) -> bool:
        """Whether it has children."""

    @property
    def probability(self) -> float:
        """The probability of the chance event leading here."""

    @property
    def value(self) -> float:
        """Our value by the evaluator."""

    @property
    def infosets(self) -> tuple[int, int]:
        """Each player's information set, by its key."""

    @property
    def state(self) -> Any:
        """The position."""

class WalkChoice:
    """A choice on a walk of the expander."""

    @property
    def key(self) -> int:
        """The information set, by its key."""

    @property
    def player(self) -> int:
        """Who decides."""

    @property
    def action(self) -> int:
        """The action taken."""

    @property
    def explored(self) -> bool:
        """Whether it was chosen to explore, not drawn from the strategy."""

class TreeSearch:
    def __init__(self, tree: FlatTree, values: Sequence[float], options: SearchOptions, player: int) -> None: ...

    def decide(self, budget: SearchBudget) -> SearchResult:
        """Search until the budget is spent."""

    def watch(self, budget: SearchBudget, watcher: Callable[[SearchMoment], None], *, every: bool = False, looks: int = 0) -> SearchResult:
        """
        Search while a function is called with the progress; it may read the tree. It is called `looks` times and, if `every`, after every walk and iteration of a search with one thread.
        """

    def stop(self) -> None:
        """End the search that is running, from any thread."""

    def choices(self) -> list[OpponentChoice]:
        """The opponent's information sets at the root."""

    def roots(self) -> list[RootPosition]:
        """The positions at the root, with their principal variations."""

    def levels(self) -> list[TreeLevel]:
        """Counts of the nodes at each ply below the root."""

    def nodes(self, most: int) -> list[SearchNode]:
        """The tree in preorder, at most this many nodes."""

    def infoset(self, key: int, player: int) -> InfosetReport | None:
        """An information set of the tree, or None if it is not in the tree."""

    def gap(self) -> tuple[float, float]:
        """What we and the opponent would gain by a best response in the tree."""

    def trail(self) -> list[WalkChoice]:
        """The choices of the expander's last walk, while a search is watched."""

    @property
    def p_max(self) -> float:
        """
        The largest probability with which the opponent would enter the subgame.
        """

    @property
    def key(self) -> int:
        """The key of our information set."""

    def possible(self, view: int) -> list[int]:
        """The nodes our player cannot tell apart, knowing this."""

    def know(self, view: int) -> None: ...

    @property
    def fresh(self) -> bool:
        """Whether nothing has been searched yet."""

    def branch(self, view: int) -> TreeSearch:
        """
        Another search that is here next; this one, which has searched, stays where it is.
        """

    def adopt(self, slots: Sequence[float]) -> None:
        """
        Open the whole game and let both play this strategy, as if it had been found here.
        """

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

class Stop:
    """Ends a run early; the epoch that it is in is dropped."""

    def __init__(self) -> None: ...

    def ask(self) -> None: ...

    @property
    def asked(self) -> bool: ...

class OutOfMemory(MemoryError):
    pass

class Trainer32:
    def run(self, epochs: int, stop: Stop | None = None) -> int:
        """How many epochs were done, all of them whole."""

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
    def run(self, epochs: int, stop: Stop | None = None) -> int:
        """How many epochs were done, all of them whole."""

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

class SimulatedGame:
    """A game with a native simulator."""

    def trainer(self, plan: SamplingPlan) -> Trainer64: ...

    def histories(self, most: int) -> int:
        """How many there are; counts up to `most`."""

    def keys_of(self, tree: FlatTree) -> Annotated[NDArray[numpy.uint64], dict(shape=(None,))]:
        """The key of every information set of a compiled tree of the same game."""

    def key_after(self, steps: Sequence[int]) -> int:
        """
        The mover's key after steps from the start, each the number of a child.
        """

def tabled_trainer(tree: FlatTree, plan: SamplingPlan) -> Trainer64: ...

def fold(numbers: Sequence[int], start: int = 0) -> int:
    """Grows a hash by numbers, one after the other."""

def expected_update(tree: FlatTree, options: SchemeOptions, traverser: int, regret: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], average: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], baseline: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], together: int = 1) -> dict[str, Any]:
    """
    Exact expectation of what one walk adds, or several that learn together, from every walk that could happen.
    """

class DeepNetwork:
    def __init__(self, layers: Sequence[tuple[Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)], Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)]]], kernels: str = '', *, quantised: bool = False) -> None: ...

    @property
    def inputs(self) -> int: ...

    @property
    def outputs(self) -> int: ...

    def forward(self, features: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.float32], dict(shape=(None, None))]: ...

    @staticmethod
    def kernels() -> list[str]: ...

class DeepGame:
    @property
    def players(self) -> int: ...

    @property
    def action_count(self) -> int: ...

    @property
    def most_actions(self) -> int: ...

    @property
    def feature_count(self) -> int: ...

    @property
    def code_bytes(self) -> int: ...

    @property
    def history_feature_count(self) -> int: ...

    @property
    def history_code_bytes(self) -> int: ...

    def decode(self, codes: Annotated[NDArray[numpy.uint8], dict(shape=(None, None), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.float32], dict(shape=(None, None))]:
        """The inputs that codes stand for."""

    def decode_history(self, codes: Annotated[NDArray[numpy.uint8], dict(shape=(None, None), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.float32], dict(shape=(None, None))]:
        """The value network's inputs that codes stand for."""

class DeepTree(DeepGame):
    @overload
    def __init__(self, tree: FlatTree, features: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)], actions: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], action_count: int, history: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)] | None = None) -> None: ...

    @overload
    def __init__(self, tree: FlatTree, features: tuple[Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], Annotated[NDArray[numpy.uint16], dict(shape=(None,), order='C', device='cpu', writable=False)], Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)], int], actions: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], action_count: int, history: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)] | None = None) -> None:
        """
        Features without their zeros: where rows begin, columns, values, width.
        """

class DeepSamples:
    @property
    def nodes(self) -> int: ...

    @property
    def queries(self) -> int: ...

    @property
    def traversals(self) -> int: ...

    @property
    def depth(self) -> int: ...

    @property
    def value(self) -> float: ...

    def count(self, kind: str) -> int:
        """Rows of a kind: regret, strategy or value."""

    def met(self, kind: str) -> int:
        """Rows of a kind that were met, kept or not."""

    def order(self, kind: str) -> Annotated[NDArray[numpy.int64], dict(shape=(None,))]:
        """Which of the decisions met each row is."""

    def take(self, kind: str, numbers: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], threads: int = 1) -> dict[str, Any]:
        """Rows of a kind, by their numbers."""

    def players(self, kind: str) -> Annotated[NDArray[numpy.int8], dict(shape=(None,))]:
        """Whose decision each row is."""

    def explored(self) -> Annotated[NDArray[numpy.uint8], dict(shape=(None,))]:
        """Of each value row: the action was not the strategy's choice."""

    def tables(self, threads: int = 1) -> dict[str, Any]:
        """Everything, as arrays by name."""

class DeepOptions:
    def __init__(self, *, method: str = 'external', epsilon: float = 0.6000000238418579, tried: int = 2, depth: int = 0, uniform_fallback: bool = False, softmax: bool = False, softmax_players: Sequence[int] = []) -> None:
        """
        Which outputs are logarithms of a strategy: all players' networks', or some'.
        """

class DeepTraverser:
    def __init__(self, game: DeepGame, options: DeepOptions) -> None: ...

    def traverse(self, networks: Sequence[DeepNetwork], value: DeepNetwork | None, traverser: int, traversals: int, iteration: int, seed: int, threads: int = 1, shares: tuple[float, float] = (1.0, 1.0), memory: int = 0) -> DeepSamples:
        """
        Equal arguments give equal samples with any number of threads; shares: of the regrets and strategies met, how many are kept; memory: most bytes of samples, 0: any.
        """

    def begin(self, *, value: str = '', traverser: int, traversals: int, iteration: int, seed: int, threads: int = 1, groups: int = 2, lanes: int = 4096, shares: tuple[float, float] = (1.0, 1.0), memory: int = 0, networks: Sequence[DeepNetwork] = [], value_network: DeepNetwork | None = None, few: int = 0) -> DeepSession:
        """
        The same for networks that run elsewhere; value: what a value network rates, actions or histories. The networks given answer a thread's last walks, when they are few.
        """

class DeepSession:
    @property
    def sections(self) -> int:
        """
        A batch's tables have so many equal parts; rows are counted within one.
        """

    def collect(self, group: int) -> tuple[int, int, Annotated[NDArray[numpy.uint8], dict(shape=(None, None), writable=False)], Annotated[NDArray[numpy.uint8], dict(shape=(None,), writable=False)], Annotated[NDArray[numpy.uint16], dict(shape=(None, None), writable=False)], Annotated[NDArray[numpy.uint8], dict(shape=(None, None), writable=False)], Annotated[NDArray[numpy.uint16], dict(shape=(None, None), writable=False)]]:
        """
        Rows asked for, by what sections may be divided, then tables: codes, whose they are, wanted outputs as (row, output), histories, and wanted outputs of these.
        """

    def resume(self, group: int, strategies: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)], values: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)] | None = None) -> None:
        """Goes on with the wanted outputs, in the background."""

    def finish(self) -> DeepSamples:
        """Samples, after the last question."""

class DeepValidation:
    @property
    def mean_regret(self) -> float: ...

    @property
    def max_regret(self) -> float: ...

    @property
    def strategy_entropy(self) -> float: ...

    @property
    def traversals(self) -> int: ...

    @property
    def depth(self) -> int: ...

    @property
    def elapsed_seconds(self) -> float: ...

    @property
    def total_nodes(self) -> int: ...

def deep_validate(game: DeepGame, networks: Sequence[DeepNetwork], value: DeepNetwork | None, traversals: int, depth: int, seed: int, threads: int = 1, *, uniform_fallback: bool = False, softmax: bool = False) -> DeepValidation:
    """External traversals for every player in turn, exact down to a depth."""

def deep_expectation(game: DeepTree, options: DeepOptions, networks: Sequence[DeepNetwork], value: DeepNetwork | None, traverser: int) -> dict[str, Any]:
    """
    The exact mean of a traversal's samples, by going through all that can happen.
    """

def simulated_liars_dice(dice: int, sides: int) -> SimulatedGame:
    """The native simulator of liar's dice."""

def liars_dice_key(player: int, roll: int, bids: Sequence[int]) -> int:
    """
    The simulator's key of the information set of a player, a roll and the bids so far.
    """

class FogChessSight:
    """Where servers differ about what is shown."""

    def __init__(self, *, mark_blocked: bool = True, pawn_diagonals_always: bool = False, show_en_passant_victim: bool = True) -> None: ...

    @property
    def mark_blocked(self) -> bool: ...

    @property
    def pawn_diagonals_always(self) -> bool: ...

    @property
    def show_en_passant_victim(self) -> bool: ...

class FogChessPosition:
    """A position; never changes."""

    def __init__(self, fen: str = ...) -> None: ...

    @property
    def fen(self) -> str: ...

    @property
    def side(self) -> int: ...

    @property
    def halfmove(self) -> int: ...

    @property
    def fullmove(self) -> int: ...

    @property
    def castling(self) -> int: ...

    @property
    def en_passant(self) -> int: ...

    @property
    def key(self) -> int: ...

    @property
    def occupied(self) -> int: ...

    def pieces(self, player: int) -> int: ...

    def has_king(self, player: int) -> bool: ...

    def letter_at(self, square: int) -> str: ...

    def moves(self) -> list[int]: ...

    def count_moves(self) -> int: ...

    def play(self, move: int) -> FogChessPosition: ...

    def uci_moves(self) -> list[str]: ...

    def read_uci(self, text: str) -> int: ...

    def read_san(self, text: str) -> int: ...

    def write_san(self, move: int) -> str: ...

    def perft(self, depth: int) -> int: ...

    def make_and_see(self, depth: int, rules: FogChessSight = ...) -> tuple[int, int]:
        """Nodes below, and a checksum of both players' masks at each of them."""

    def sight(self, player: int, rules: FogChessSight = ...) -> tuple[int, int]: ...

    def observation(self, player: int, rules: FogChessSight = ...) -> FogChessObservation: ...

    def __eq__(self, other: object, /) -> bool: ...

    def __hash__(self) -> int: ...

    def __getstate__(self) -> str: ...

    def __setstate__(self, arg: str, /) -> None: ...

def fog_chess_write_uci(move: int) -> str: ...

class FogChessObservation:
    """One player's view; never changes."""

    def __init__(self, fog_fen: str, rules: FogChessSight = ...) -> None: ...

    @property
    def fog_fen(self) -> str: ...

    @property
    def seen(self) -> int: ...

    @property
    def blocked(self) -> int: ...

    @property
    def player(self) -> int: ...

    @property
    def side(self) -> int: ...

    @property
    def castling(self) -> int: ...

    @property
    def en_passant(self) -> int: ...

    def letter_at(self, square: int) -> str: ...

    @property
    def key(self) -> int: ...

    def to_bytes(self) -> bytes: ...

    def __eq__(self, other: object, /) -> bool: ...

    def __hash__(self) -> int: ...

    def __getstate__(self) -> bytes: ...

    def __setstate__(self, arg: bytes, /) -> None: ...

def fog_chess_kernel() -> str:
    """Name of the native kernel in use."""

def fog_chess_kernels() -> list[str]: ...

def fog_chess_choose_kernel(name: str) -> None: ...

def fog_chess_slider_attacks(piece: str, square: int, occupied: int) -> int: ...

class FogChessBelief:
    """All positions a player cannot rule out."""

    @staticmethod
    def of(positions: Sequence[FogChessPosition], player: int, rules: FogChessSight, *, cap: int, seed: int, threads: int) -> FogChessBelief: ...

    @staticmethod
    def from_view(view: FogChessObservation, rules: FogChessSight, *, promotions: int | None, samples: int, cap: int, seed: int, threads: int) -> FogChessBelief: ...

    def after_own_move(self, move: int, view: FogChessObservation) -> FogChessBelief: ...

    def after_other_move(self, view: FogChessObservation) -> FogChessBelief: ...

    def contains(self, position: FogChessPosition) -> bool: ...

    def marginals(self) -> Annotated[NDArray[numpy.float64], dict(shape=(64, 13))]: ...

    def sample(self, size: int, seed: int) -> list[FogChessPosition]: ...

    @property
    def view(self) -> FogChessObservation: ...

    @property
    def complete(self) -> bool: ...

    def __len__(self) -> int: ...

    def __getitem__(self, index: int) -> FogChessPosition: ...

class FogChessEvaluatorRules:
    def __init__(self, sight: FogChessSight, stalemate: float) -> None: ...

class FogChessEvaluator:
    def children(self, position: FogChessPosition, rules: FogChessEvaluatorRules) -> Annotated[NDArray[numpy.float32], dict(shape=(None,))]:
        """
        The value of every child for the side to move, in the order of its moves.
        """

    def children_of_all(self, positions: Sequence[FogChessPosition], rules: FogChessEvaluatorRules) -> Annotated[NDArray[numpy.float32], dict(shape=(None,))]:
        """The values of the children of many positions, one after the other."""

class FogChessPythonEvaluator(FogChessEvaluator):
    def __init__(self, ask: Callable[[FogChessPosition], Annotated[NDArray[numpy.float32], dict(shape=(None,))]]) -> None:
        """Asks a function, which gives a position's values as `children` does."""

class FogChessSimpleEvaluator(FogChessEvaluator):
    def __init__(self) -> None: ...

class FogChessNetwork(FogChessEvaluator):
    @staticmethod
    def read_stockfish(path: bytes, quiescence: bool) -> FogChessNetwork: ...

    @staticmethod
    def of(description: str, unit: float, mirrored: bool, king_bucket: Annotated[NDArray[numpy.uint8], dict(order='C', device='cpu', writable=False)], bias: Annotated[NDArray[numpy.int16], dict(order='C', device='cpu', writable=False)], weight: Annotated[NDArray[numpy.int16], dict(order='C', device='cpu', writable=False)], psqt: Annotated[NDArray[numpy.int32], dict(order='C', device='cpu', writable=False)], first_weight: Annotated[NDArray[numpy.int8], dict(order='C', device='cpu', writable=False)], first_bias: Annotated[NDArray[numpy.int32], dict(order='C', device='cpu', writable=False)], second_weight: Annotated[NDArray[numpy.int8], dict(order='C', device='cpu', writable=False)], second_bias: Annotated[NDArray[numpy.int32], dict(order='C', device='cpu', writable=False)], third_weight: Annotated[NDArray[numpy.int8], dict(order='C', device='cpu', writable=False)], third_bias: Annotated[NDArray[numpy.int32], dict(order='C', device='cpu', writable=False)]) -> FogChessNetwork:
        """A network of our own from the arrays of its file."""

    @property
    def description(self) -> str: ...

    def evaluate(self, position: FogChessPosition) -> int:
        """For the side to move, in the network's own units."""

    def quiesce(self, position: FogChessPosition) -> int:
        """The same after captures."""

    def trace(self, position: FogChessPosition) -> list[tuple[int, int]]:
        """What each of the stacks says: (psqt, positional)."""

    def choose(self, name: str) -> None: ...

def fog_chess_ruled_children(position: FogChessPosition, rules: FogChessEvaluatorRules) -> Annotated[NDArray[numpy.float32], dict(shape=(None,))]:
    """
    What the rules decide of every child, for the side to move; the rest is NaN.
    """

def fog_chess_inferences() -> list[str]:
    """How this processor can run a network, the fastest first."""

def fog_chess_wins_at_least(position: FogChessPosition, move: int, wanted: int) -> bool:
    """
    Whether a capture and what follows on its square win so much, 361 to a pawn.
    """

def fog_chess_squashed(centipawns: float) -> float: ...

class FogChessSearch:
    def __init__(self, evaluator: FogChessEvaluator, rules: FogChessEvaluatorRules, options: SearchOptions, player: int, start: FogChessPosition) -> None: ...

    def decide(self, budget: SearchBudget) -> SearchResult:
        """Search until the budget is spent."""

    def watch(self, budget: SearchBudget, watcher: Callable[[SearchMoment], None], *, every: bool = False, looks: int = 0) -> SearchResult:
        """
        Search while a function is called with the progress; it may read the tree. It is called `looks` times and, if `every`, after every walk and iteration of a search with one thread.
        """

    def stop(self) -> None:
        """End the search that is running, from any thread."""

    def choices(self) -> list[OpponentChoice]:
        """The opponent's information sets at the root."""

    def roots(self) -> list[RootPosition]:
        """The positions at the root, with their principal variations."""

    def levels(self) -> list[TreeLevel]:
        """Counts of the nodes at each ply below the root."""

    def nodes(self, most: int) -> list[SearchNode]:
        """The tree in preorder, at most this many nodes."""

    def infoset(self, key: int, player: int) -> InfosetReport | None:
        """An information set of the tree, or None if it is not in the tree."""

    def gap(self) -> tuple[float, float]:
        """What we and the opponent would gain by a best response in the tree."""

    def trail(self) -> list[WalkChoice]:
        """The choices of the expander's last walk, while a search is watched."""

    @property
    def p_max(self) -> float:
        """
        The largest probability with which the opponent would enter the subgame.
        """

    @property
    def key(self) -> int:
        """The key of our information set."""

    def moved(self, move: int, view: FogChessObservation) -> None:
        """We made this move and saw this."""

    def saw(self, view: FogChessObservation) -> None:
        """The other side moved and we saw this."""

    def guess(self, view: FogChessObservation) -> None:
        """The game did not begin where it was said to: this is all we know."""

    def know(self, possible: Sequence[FogChessPosition]) -> None:
        """Turn to what we know now; some or all positions that are possible."""

class CambiaRules:
    def __init__(self, *, players: int, deck: Sequence[int], hand: int, looks: int, penalty: int, max_turns: int, cambia_from_round: int, draw_discard: bool, opponent_snap: bool, replace_abilities: bool, lock_caller: bool, snap_always: bool, show_wrong_snap: bool, earlier_defects: bool) -> None: ...

class CambiaPosition:
    @staticmethod
    def first(rules: CambiaRules) -> CambiaPosition: ...

    bytes: Final[int] = ...
    """(arg: object, /) -> int"""

    @property
    def player(self) -> int: ...

    @property
    def hands(self) -> tuple[tuple[int, ...], ...]: ...

    @property
    def seen(self) -> tuple[tuple[int, ...], ...]: ...

    @property
    def stock(self) -> tuple[int, ...]: ...

    @property
    def stock_size(self) -> int: ...

    @property
    def discard(self) -> tuple[int, ...]: ...

    @property
    def discard_size(self) -> int: ...

    @property
    def top(self) -> int: ...

    @property
    def phase(self) -> int: ...

    @property
    def actor(self) -> int: ...

    @property
    def turn(self) -> int: ...

    @property
    def starter(self) -> int: ...

    @property
    def caller(self) -> int: ...

    @property
    def drawn(self) -> int: ...

    @property
    def drawn_seen(self) -> int: ...

    @property
    def from_discard(self) -> bool: ...

    @property
    def waiting(self) -> int: ...

    @property
    def owed(self) -> int: ...

    @property
    def other(self) -> int: ...

    @property
    def slot(self) -> int: ...

    @property
    def own(self) -> int: ...

    def legal(self) -> list[int]: ...

    def chance(self) -> list[tuple[int, float]]: ...

    def child(self, action: int) -> CambiaPosition: ...

    def scripted(self, script: str) -> int:
        """The action of a scripted player that leaves nothing to chance."""

    def returns(self) -> list[float]: ...

    def totals(self) -> list[int]: ...

class CambiaTreeBuilder:
    def __init__(self, rules: CambiaRules) -> None: ...

    def grow(self, nodes: int) -> bool: ...

    @property
    def nodes(self) -> int: ...

    def node_arrays(self) -> tuple[Annotated[NDArray[numpy.int32], dict(shape=(None,))], Annotated[NDArray[numpy.int8], dict(shape=(None,))], Annotated[NDArray[numpy.int32], dict(shape=(None,))], Annotated[NDArray[numpy.int32], dict(shape=(None,))], Annotated[NDArray[numpy.float64], dict(shape=(None,))], Annotated[NDArray[numpy.int32], dict(shape=(None,))], Annotated[NDArray[numpy.float64], dict(shape=(None,))], Annotated[NDArray[numpy.int32], dict(shape=(None,))]]: ...

    def infoset_arrays(self) -> tuple[Annotated[NDArray[numpy.int8], dict(shape=(None,))], Annotated[NDArray[numpy.int32], dict(shape=(None,))], Annotated[NDArray[numpy.int32], dict(shape=(None,))], Annotated[NDArray[numpy.int16], dict(shape=(None,))]]: ...

    def memory_arrays(self) -> tuple[Annotated[NDArray[numpy.int32], dict(shape=(None,))], Annotated[NDArray[numpy.uint32], dict(shape=(None,))]]: ...

def simulated_cambia(rules: CambiaRules, abstraction: str) -> SimulatedGame:
    """
    The native simulator of Cambia; an empty abstraction means perfect recall.
    """

class DeepCambia(DeepGame):
    def __init__(self, rules: CambiaRules) -> None: ...

    def columns(self) -> tuple[Annotated[NDArray[numpy.int32], dict(shape=(None,))], Annotated[NDArray[numpy.uint8], dict(shape=(None,))], Annotated[NDArray[numpy.int32], dict(shape=(None,))], Annotated[NDArray[numpy.float32], dict(shape=(None,))]]:
        """
        For each input: its byte, its kind (equal, bit, number, two bytes), argument, scale.
        """

    def code(self, steps: Sequence[int], viewer: int, all_seeing: bool) -> Annotated[NDArray[numpy.uint8], dict(shape=(None,))]:
        """What a player sees after these actions and outcomes of chance."""

class DeepContestant:
    def __init__(self, strategies: Sequence[Sequence[DeepNetwork]], weights: Sequence[float] = [], *, uniform_fallback: bool = False, softmax: bool = False) -> None:
        """
        Strategies of which one is drawn for each game: a network per seat, or one for all.
        """

    @staticmethod
    def scripted(name: str) -> DeepContestant: ...

class CambiaScore:
    @property
    def wins(self) -> int: ...

    @property
    def draws(self) -> int: ...

    @property
    def losses(self) -> int: ...

    @property
    def gains(self) -> float: ...

    @property
    def turns(self) -> int: ...

    @property
    def decisions(self) -> int: ...

def cambia_match(game: DeepCambia, first: DeepContestant, second: DeepContestant, games: int, seed: int, threads: int = 1) -> CambiaScore:
    """
    Every deal once from each seat of the first; equal arguments give equal scores.
    """

class CambiaBelief:
    def __init__(self, rules: CambiaRules, player: int) -> None: ...

    def observe(self, token: int) -> None:
        """The next thing that the player noticed."""

    @property
    def hidden(self) -> int: ...

    def sample(self, rules: CambiaRules, groups: int, group: int, seed: int) -> list[CambiaPosition]: ...

    def contains(self, position: CambiaPosition) -> bool:
        """Whether the table could be this."""

class CambiaSearchState:
    pass

class CambiaSearch:
    def __init__(self, rules: CambiaRules, options: SearchOptions, player: int, values: DeepNetwork | None = None) -> None:
        """Leaf values by a network, or by the cards."""

    def decide(self, budget: SearchBudget) -> SearchResult:
        """Search until the budget is spent."""

    def watch(self, budget: SearchBudget, watcher: Callable[[SearchMoment], None], *, every: bool = False, looks: int = 0) -> SearchResult:
        """
        Search while a function is called with the progress; it may read the tree. It is called `looks` times and, if `every`, after every walk and iteration of a search with one thread.
        """

    def stop(self) -> None:
        """End the search that is running, from any thread."""

    def choices(self) -> list[OpponentChoice]:
        """The opponent's information sets at the root."""

    def roots(self) -> list[RootPosition]:
        """The positions at the root, with their principal variations."""

    def levels(self) -> list[TreeLevel]:
        """Counts of the nodes at each ply below the root."""

    def nodes(self, most: int) -> list[SearchNode]:
        """The tree in preorder, at most this many nodes."""

    def infoset(self, key: int, player: int) -> InfosetReport | None:
        """An information set of the tree, or None if it is not in the tree."""

    def gap(self) -> tuple[float, float]:
        """What we and the opponent would gain by a best response in the tree."""

    def trail(self) -> list[WalkChoice]:
        """The choices of the expander's last walk, while a search is watched."""

    @property
    def p_max(self) -> float:
        """
        The largest probability with which the opponent would enter the subgame.
        """

    @property
    def key(self) -> int:
        """The key of our information set."""

    def saw(self, token: int) -> None:
        """The next thing that our player noticed."""

    def know(self, belief: CambiaBelief, groups: int, group: int, seed: int) -> None:
        """Turn to what we know now."""

    def value(self, table: CambiaPosition) -> float:
        """What player 0 will get from here, by the leaf values."""

    def table(self, position: CambiaSearchState) -> CambiaPosition: ...

    def steps(self, position: CambiaSearchState, numbers: Sequence[int]) -> list[tuple[int, int]]:
        """
        A line of the tree: who acts (-1: chance), and the action or the card that comes.
        """

def cambia_random_games(rules: CambiaRules, games: int, seed: int) -> tuple[int, int, int, float]:
    """
    Plays games at random: decisions, turns, deadlocks, and player 0's summed returns.
    """

def cambia_external_sampling(rules: CambiaRules, traversals: int, seed: int) -> tuple[int, float]:
    """
    External sampling under the uniform strategy: nodes visited, player 0's mean value.
    """
