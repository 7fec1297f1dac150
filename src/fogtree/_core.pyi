"""The native core of fogtree."""

from collections.abc import Callable, Sequence
import enum
from typing import Annotated, Any, Final, overload

import numpy
from numpy.typing import NDArray


def build_facts() -> dict[str, str]:
    """
    How this module was built, and which of its kernels this processor runs.
    """

class FlatTree:
    """A game tree as flat arrays."""

    def __init__(self, players: int, parent: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], player: Annotated[NDArray[numpy.int8], dict(shape=(None,), order='C', device='cpu', writable=False)], action: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], index: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], chance: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], view: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], payoffs: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], infoset_player: Annotated[NDArray[numpy.int8], dict(shape=(None,), order='C', device='cpu', writable=False)], infoset_actions: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None:
        """
        Arrays by node, parents before children: parent, player, action, index, chance, and view by node and player; payoffs by end of the game and player; the last two by information set.
        """

    def arrays(self) -> dict[str, Any]:
        """The arrays that the constructor takes, by name and not copied."""

    @property
    def bytes(self) -> int:
        """Memory of the arrays in bytes."""

class SequenceForm:
    """The sequence form of a game tree."""

    @property
    def merged(self) -> bool:
        """Whether equivalent information sets were merged."""

    @property
    def nonzeros(self) -> int:
        """Number of entries of the payoff matrices."""

    @property
    def bytes(self) -> int:
        """Memory of the sequence form in bytes."""

    @property
    def infosets(self) -> list[int]:
        """Number of information sets of each player."""

    @property
    def sequences(self) -> list[int]:
        """Number of sequences of each player."""

    @property
    def place(self) -> Annotated[NDArray[numpy.int32], dict(shape=(None,))]:
        """
        The index of each information set of the tree within its player's treeplex; -1 if it has one action.
        """

    def payoffs(self, player: int) -> tuple[Annotated[NDArray[numpy.int32], dict(shape=(None,))], Annotated[NDArray[numpy.int32], dict(shape=(None,))], Annotated[NDArray[numpy.float64], dict(shape=(None,))]]:
        """
        Rows (own sequence), columns (the other's) and values, chance folded in.
        """

    def device_layout(self, player: int) -> dict[str, Any]:
        """
        One player's decisions and payoffs as arrays by name, in the order in which an accelerator reads them (device_layout.hpp).
        """

    def treeplex(self, player: int) -> tuple[Annotated[NDArray[numpy.int32], dict(shape=(None,))], Annotated[NDArray[numpy.int32], dict(shape=(None,))], Annotated[NDArray[numpy.int32], dict(shape=(None,))], Annotated[NDArray[numpy.float64], dict(shape=(None,))]]:
        """
        For each information set, its number of actions, first sequence and parent sequence; for each sequence, how many of the game's sequences it stands for.
        """

def sequence_form(tree: FlatTree, merge: bool) -> SequenceForm:
    """
    The sequence form of a tree; merge combines equivalent information sets.
    """

class Rule(enum.Enum):
    """A local regret minimizer."""

    regret_matching = 0

    predictive = 1

    asymmetric_predictive = 2

    normal_hedge = 3

    hedge = 4

class Schedule:
    """A minimizer with its update order, discounting and averaging."""

    def __init__(self, *, rule: Rule, alternating: bool, positive_exponent: float, negative_exponent: float, averaging_exponent: float, delay: float, last: bool) -> None: ...

class Engine32:
    """Regret minimization on a sequence form."""

    def __init__(self, form: SequenceForm, schedule: Schedule, threads: int = 1, instruction_set: str = '', least_parallel: int = 50000) -> None:
        """
        An empty instruction_set selects the fastest. Games with fewer than least_parallel sequences, or with other than two players, use one thread.
        """

    def run(self, iterations: int) -> None:
        """Run some iterations."""

    @property
    def iteration(self) -> int:
        """Iterations done."""

    @property
    def bytes(self) -> int:
        """Memory of the engine in bytes."""

    def nash_conv(self) -> float:
        """NashConv: the sum over players of what a best response gains."""

    def evaluate(self) -> tuple[list[float], list[float]]:
        """Each player's value, and each player's best-response value."""

    def strategy(self, average: bool) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]:
        """The average or the current strategy, one probability per slot."""

    def set_strategy(self, slots: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None:
        """Replace the current strategy by these probabilities, one per slot."""

    def utilities(self, player: int) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]:
        """The counterfactual values of a player's actions, one per slot."""

    def best_response(self, player: int) -> tuple[float, Annotated[NDArray[numpy.float64], dict(shape=(None,))]]:
        """
        The value of a player's best response to the others, and its strategy, one probability per slot.
        """

    def reach(self, player: int) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]:
        """
        For each slot, the product of the player's own probabilities up to and with that action.
        """

    def state(self) -> dict[str, Any]:
        """Everything that `restore` needs, as arrays by name."""

    def restore(self, iteration: int, weight: float, regret: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], strategy: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], average: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], memory: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None:
        """Continue from a saved state."""

class Engine64:
    """Regret minimization on a sequence form."""

    def __init__(self, form: SequenceForm, schedule: Schedule, threads: int = 1, instruction_set: str = '', least_parallel: int = 50000) -> None:
        """
        An empty instruction_set selects the fastest. Games with fewer than least_parallel sequences, or with other than two players, use one thread.
        """

    def run(self, iterations: int) -> None:
        """Run some iterations."""

    @property
    def iteration(self) -> int:
        """Iterations done."""

    @property
    def bytes(self) -> int:
        """Memory of the engine in bytes."""

    def nash_conv(self) -> float:
        """NashConv: the sum over players of what a best response gains."""

    def evaluate(self) -> tuple[list[float], list[float]]:
        """Each player's value, and each player's best-response value."""

    def strategy(self, average: bool) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]:
        """The average or the current strategy, one probability per slot."""

    def set_strategy(self, slots: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None:
        """Replace the current strategy by these probabilities, one per slot."""

    def utilities(self, player: int) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]:
        """The counterfactual values of a player's actions, one per slot."""

    def best_response(self, player: int) -> tuple[float, Annotated[NDArray[numpy.float64], dict(shape=(None,))]]:
        """
        The value of a player's best response to the others, and its strategy, one probability per slot.
        """

    def reach(self, player: int) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]:
        """
        For each slot, the product of the player's own probabilities up to and with that action.
        """

    def state(self) -> dict[str, Any]:
        """Everything that `restore` needs, as arrays by name."""

    def restore(self, iteration: int, weight: float, regret: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], strategy: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], average: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], memory: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None:
        """Continue from a saved state."""

def instruction_sets() -> list[str]:
    """The instruction sets that this processor supports, the fastest last."""

class StopFlag:
    """A flag that ends a piece of work; any thread may set it."""

    def __init__(self) -> None: ...

    def set(self) -> None:
        """Set the flag."""

    def clear(self) -> None:
        """Clear the flag."""

    @property
    def is_set(self) -> bool:
        """Whether the flag is set."""

class SearchMinimizer(enum.Enum):
    """The regret minimizer of the search."""

    pcfr_plus = 0

    cfr_plus = 1

class SearchAnswer(enum.Enum):
    """Which strategy the search returns."""

    last = 0

    average = 1

class SearchStart(enum.Enum):
    """The initial strategy of a new information set."""

    best = 0

    proportional = 1

    uniform = 2

class SearchExploration(enum.Enum):
    """How the expander chooses actions to explore."""

    puct = 0

    policy = 1

class SearchPurification(enum.Enum):
    """How unlikely actions are removed from the result."""

    stable = 0

    argmax = 1

    none = 2

class SearchOptions:
    """The settings of a search."""

    def __init__(self) -> None: ...

    @property
    def knowledge(self) -> int:
        """Order of common knowledge kept from the last tree; 0 keeps all."""

    @knowledge.setter
    def knowledge(self, arg: int, /) -> None: ...

    @property
    def frozen(self) -> bool:
        """
        Do not change the strategies of our information sets other than the actual one and those below it.
        """

    @frozen.setter
    def frozen(self, arg: bool, /) -> None: ...

    @property
    def sample(self) -> int:
        """Least number of positions of the belief in the subgame."""

    @sample.setter
    def sample(self, arg: int, /) -> None: ...

    @property
    def gifts(self) -> bool:
        """Subtract the opponent's earlier mistakes from the alternate values."""

    @gifts.setter
    def gifts(self, arg: bool, /) -> None: ...

    @property
    def uniform_prior(self) -> bool:
        """Use a uniform prior over the opponent's information sets in Resolve."""

    @uniform_prior.setter
    def uniform_prior(self, arg: bool, /) -> None: ...

    @property
    def resolve(self) -> bool:
        """Use the Resolve part of the gadget."""

    @resolve.setter
    def resolve(self, arg: bool, /) -> None: ...

    @property
    def maxmargin(self) -> bool:
        """Use the Maxmargin part of the gadget."""

    @maxmargin.setter
    def maxmargin(self, arg: bool, /) -> None: ...

    @property
    def tolerance(self) -> float:
        """Resolve enters only for a gain above this, in values from -1 to 1."""

    @tolerance.setter
    def tolerance(self, arg: float, /) -> None: ...

    @property
    def minimizer(self) -> SearchMinimizer:
        """The regret minimizer."""

    @minimizer.setter
    def minimizer(self, arg: SearchMinimizer, /) -> None: ...

    @property
    def pruning(self) -> bool:
        """Skip subtrees that the other player never reaches."""

    @pruning.setter
    def pruning(self, arg: bool, /) -> None: ...

    @property
    def answer(self) -> SearchAnswer:
        """Return the last or the average strategy."""

    @answer.setter
    def answer(self, arg: SearchAnswer, /) -> None: ...

    @property
    def start(self) -> SearchStart:
        """The initial strategy of new information sets."""

    @start.setter
    def start(self, arg: SearchStart, /) -> None: ...

    @property
    def exploration(self) -> SearchExploration:
        """How the expander chooses actions to explore."""

    @exploration.setter
    def exploration(self, arg: SearchExploration, /) -> None: ...

    @property
    def exploration_constant(self) -> float:
        """The weight of exploration."""

    @exploration_constant.setter
    def exploration_constant(self, arg: float, /) -> None: ...

    @property
    def two_sided(self) -> bool:
        """Expand for both players at once."""

    @two_sided.setter
    def two_sided(self, arg: bool, /) -> None: ...

    @property
    def focus(self) -> bool:
        """Explore for us only from positions that are possible."""

    @focus.setter
    def focus(self, arg: bool, /) -> None: ...

    @property
    def purification(self) -> SearchPurification:
        """How unlikely actions are removed from the result."""

    @purification.setter
    def purification(self, arg: SearchPurification, /) -> None: ...

    @property
    def most_actions(self) -> int:
        """Actions that a purified strategy may keep."""

    @most_actions.setter
    def most_actions(self, arg: int, /) -> None: ...

    @property
    def iterations_per_expansion(self) -> int:
        """
        Solver iterations per expansion with one thread; 0 divides the time by `solving`.
        """

    @iterations_per_expansion.setter
    def iterations_per_expansion(self, arg: int, /) -> None: ...

    @property
    def solving(self) -> float:
        """The solver's share of the time with one thread."""

    @solving.setter
    def solving(self, arg: float, /) -> None: ...

    @property
    def most_nodes(self) -> int:
        """Largest number of nodes; 0 is unlimited."""

    @most_nodes.setter
    def most_nodes(self, arg: int, /) -> None: ...

    @property
    def most_carried(self) -> int:
        """Largest number of nodes kept for the next search; 0 is unlimited."""

    @most_carried.setter
    def most_carried(self, arg: int, /) -> None: ...

    @property
    def most_roots(self) -> int:
        """Largest number of positions at the root; 0 is unlimited."""

    @most_roots.setter
    def most_roots(self, arg: int, /) -> None: ...

    @property
    def most_bytes(self) -> int:
        """Largest memory of the old and the new tree together; 0 is unlimited."""

    @most_bytes.setter
    def most_bytes(self, arg: int, /) -> None: ...

    @property
    def seed(self) -> int:
        """Random seed."""

    @seed.setter
    def seed(self, arg: int, /) -> None: ...

class SearchBudget:
    """The limits of one search; 0 means no limit of that kind."""

    def __init__(self, *, seconds: float = 0.0, steps: int = 0, nodes: int = 0, expanders: int = 0) -> None:
        """
        Expanders are threads that grow the tree while another one solves it; with none, one thread does both.
        """

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
        """The probability by the solver, before purification."""

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
    def wins_at_once(self) -> bool:
        """
        Whether the action was played alone because it wins at once in every possible position of the subgame.
        """

    @property
    def nodes(self) -> int:
        """Nodes of the tree."""

    @property
    def infosets(self) -> int:
        """Number of information sets of the tree."""

    @property
    def bytes(self) -> int:
        """Memory of the tree in bytes."""

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
        """Number of positions at the root that belong to it."""

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
        """
        The probability with which the opponent enters the subgame, by Resolve.
        """

    @property
    def maxmargin(self) -> float:
        """The probability with which the opponent chooses it, by Maxmargin."""

class InfosetAction:
    """One action of an information set of the tree."""

    @property
    def action(self) -> int:
        """The action's number in its game."""

    @property
    def strategy(self) -> float:
        """Its probability in the current strategy."""

    @property
    def cumulative(self) -> float:
        """Its regret, summed over the iterations by the minimizer."""

    @property
    def regret(self) -> float:
        """Its regret in the last iteration."""

    @property
    def value(self) -> float:
        """The mover's value of it."""

    @property
    def variance(self) -> float:
        """The variance of its value between the expander's visits."""

    @property
    def visits(self) -> int:
        """How often the expander took it."""

    def __eq__(self, other: object, /) -> bool: ...

class InfosetReport:
    """An information set of the tree."""

    @property
    def others_reach(self) -> float:
        """The probability that chance and the other player's actions lead here."""

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
    """A search on a compiled game."""

    def __init__(self, tree: FlatTree, values: Sequence[float], options: SearchOptions, player: int) -> None:
        """
        values: the leaf value of every node for player 0, in the unit of the payoffs.
        """

    def decide(self, budget: SearchBudget) -> SearchResult:
        """Search until the budget is spent."""

    def watch(self, budget: SearchBudget, watcher: Callable[[SearchMoment], None], *, every: bool = False, looks: int = 0) -> SearchResult:
        """
        Search, and call a function with the progress; it may read the tree. It is called `looks` times and, if `every`, after every walk and iteration of a search with one thread.
        """

    @property
    def stop_flag(self) -> StopFlag:
        """
        Set it to end the search that is running, or else the next one; a search clears it.
        """

    def limit_memory(self, bytes: int) -> None:
        """
        Limit the memory of the tree to this many bytes, from the next move on.
        """

    def examine(self, action: int | None) -> None:
        """
        Until the next move, let searches find out what the action with this number is worth at our information set, also if they do not play it: it gets at least a fifth of the strategy there. None: they just decide again.
        """

    def choices(self) -> list[OpponentChoice]:
        """The opponent's information sets at the root."""

    def roots(self) -> list[RootPosition]:
        """The positions at the root, with their principal variations."""

    @property
    def p_max(self) -> float:
        """
        The largest probability with which the opponent would enter the subgame.
        """

    @property
    def key(self) -> int:
        """The key of our information set."""

    def levels(self) -> list[TreeLevel]:
        """Counts of the nodes at each ply below the root."""

    def nodes(self, most: int) -> list[SearchNode]:
        """The tree in preorder, at most this many nodes."""

    def infoset(self, key: int, player: int) -> InfosetReport | None:
        """An information set of the tree, or None if it is not in the tree."""

    def gap(self) -> tuple[float, float]:
        """
        What we would gain by a best response in the tree, and what the opponent would gain.
        """

    def trail(self) -> list[WalkChoice]:
        """The choices of the expander's last walk, while a search is watched."""

    def possible(self, view: int) -> list[int]:
        """
        The nodes that are consistent with a view (number of a remembered history) of our player.
        """

    def move_to(self, view: int, seconds: float | None = None) -> None:
        """
        Move the search to what our player observes now. When the seconds are over or the stop flag is set, less of the last tree is kept.
        """

    @property
    def fresh(self) -> bool:
        """Whether nothing has been searched yet."""

    def branch(self, view: int) -> TreeSearch:
        """
        A new search at a later view that continues from this one, which stays unchanged.
        """

    def adopt(self, slots: Sequence[float]) -> None:
        """
        Expand the whole game and set both players' strategies, as if a search had found them.
        """

    def mix(self, key: int, player: int) -> tuple[list[int], list[float], list[float]]:
        """Actions, current strategy and average strategy of an information set."""

class HistorySearch:
    """A search on a game that is not compiled."""

    @overload
    def __init__(self, game: NativeWalk, options: SearchOptions, player: int, *, cap: int, playouts: int, scale: float = 0.0) -> None:
        """The same for a game with native rules."""

    @overload
    def __init__(self, game: object, options: SearchOptions, player: int, *, cap: int, playouts: int, scale: float = 0.0) -> None:
        """
        At most `cap` histories are in the belief. Leaf values are means of `playouts` random games, or exact with 0. Payoffs are divided by `scale`; 0: by the largest one in some random games.
        """

    def decide(self, budget: SearchBudget) -> SearchResult:
        """Search until the budget is spent."""

    def watch(self, budget: SearchBudget, watcher: Callable[[SearchMoment], None], *, every: bool = False, looks: int = 0) -> SearchResult:
        """
        Search, and call a function with the progress; it may read the tree. It is called `looks` times and, if `every`, after every walk and iteration of a search with one thread.
        """

    @property
    def stop_flag(self) -> StopFlag:
        """
        Set it to end the search that is running, or else the next one; a search clears it.
        """

    def limit_memory(self, bytes: int) -> None:
        """
        Limit the memory of the tree to this many bytes, from the next move on.
        """

    def examine(self, action: int | None) -> None:
        """
        Until the next move, let searches find out what the action with this number is worth at our information set, also if they do not play it: it gets at least a fifth of the strategy there. None: they just decide again.
        """

    def choices(self) -> list[OpponentChoice]:
        """The opponent's information sets at the root."""

    def roots(self) -> list[RootPosition]:
        """The positions at the root, with their principal variations."""

    @property
    def p_max(self) -> float:
        """
        The largest probability with which the opponent would enter the subgame.
        """

    @property
    def key(self) -> int:
        """The key of our information set."""

    def levels(self) -> list[TreeLevel]:
        """Counts of the nodes at each ply below the root."""

    def nodes(self, most: int) -> list[SearchNode]:
        """The tree in preorder, at most this many nodes."""

    def infoset(self, key: int, player: int) -> InfosetReport | None:
        """An information set of the tree, or None if it is not in the tree."""

    def gap(self) -> tuple[float, float]:
        """
        What we would gain by a best response in the tree, and what the opponent would gain.
        """

    def trail(self) -> list[WalkChoice]:
        """The choices of the expander's last walk, while a search is watched."""

    def follow(self, steps: Sequence[tuple[int, int]], actions: Sequence[str]) -> str:
        """
        Update the belief to our player's next decision, whose actions have the labels `actions`. Each step has the key that the player's history gets and the key that it may have shortly before. Returns an empty text or, if no history fits, the reason, and then nothing changes.
        """

    def follow_name(self, name: str, action: int, actions: Sequence[str]) -> str:
        """
        Update the belief as `follow` does, to our next decision, given the name of its information set and the number of our action at the last decision (-1: there was none).
        """

    def move_to(self, seconds: float | None = None) -> None:
        """
        Make the belief the root of the search. When the seconds are over or the stop flag is set, less of the last tree is kept.
        """

    @property
    def positions(self) -> list[tuple[int, ...]]:
        """
        The histories of the belief, each as the numbers of the actions that lead to it.
        """

    @property
    def complete(self) -> bool:
        """Whether the belief has every possible history, not only a sample."""

    @property
    def histories(self) -> int:
        """Number of histories that are kept in memory."""

    @property
    def scale(self) -> float:
        """The payoff that the search's value 1 stands for."""

    def actions(self) -> list[str]:
        """
        The labels of our actions at the present information set; empty if we do not decide.
        """

    def labels(self, path: Sequence[int]) -> list[str]:
        """
        The labels of the actions on the path to a history, which is given by their numbers.
        """

class Scheme(enum.Enum):
    """A Monte Carlo sampling scheme."""

    external = 0

    outcome = 1

    outcome_baseline = 2

    outcome_seed = 3

    robust = 4

    average = 5

    chance = 6

class SchemeOptions:
    """A sampling scheme with its constants."""

    def __init__(self, *, scheme: Scheme, exploration: float, tried: int, baseline_rate: float, epsilon: float, tau: float, beta: float) -> None: ...

class SamplingPlan:
    """A scheme with its discounting, averaging, batch size and workers."""

    def __init__(self, *, scheme: SchemeOptions, positive_exponent: float, negative_exponent: float, averaging_exponent: float, delay: float, batch: int, workers: int, seed: int) -> None: ...

class Stop:
    """A request to end a run early, which drops the epoch in progress."""

    def __init__(self) -> None: ...

    def request(self) -> None:
        """Ask the run to stop, from any thread."""

    @property
    def requested(self) -> bool:
        """Whether a stop was requested."""

class OutOfMemory(MemoryError):
    pass

class KeyCollision(RuntimeError):
    pass

class Trainer32:
    """Monte Carlo CFR by epochs of sampled traversals."""

    def run(self, epochs: int, stop: Stop | None = None) -> int:
        """
        Run this many epochs, or fewer if a stop is requested; returns how many were completed.
        """

    def sample(self, worker: int) -> dict[str, Any]:
        """
        One worker's changes in the next epoch, for `merge`, as arrays by name.
        """

    def merge(self, changes: Sequence[dict[str, Any]]) -> None:
        """
        End an epoch by adding the changes of all workers, in the order of the workers.
        """

    def contents(self) -> dict[str, Any]:
        """
        Everything that `restore` needs, as arrays by name: keys of information sets, regrets, sums of strategies, baselines.
        """

    def restore(self, contents: dict[str, Any]) -> None:
        """Continue from what `contents` returned."""

    def limit(self, bytes: int) -> None:
        """Limit the memory to this many bytes; OutOfMemory is raised beyond it."""

    @property
    def epoch(self) -> int:
        """Epochs done."""

    @property
    def nodes(self) -> int:
        """Nodes visited."""

    @property
    def infosets(self) -> int:
        """Information sets met so far."""

    @property
    def bytes(self) -> int:
        """Memory in use."""

class Trainer64:
    """Monte Carlo CFR by epochs of sampled traversals."""

    def run(self, epochs: int, stop: Stop | None = None) -> int:
        """
        Run this many epochs, or fewer if a stop is requested; returns how many were completed.
        """

    def sample(self, worker: int) -> dict[str, Any]:
        """
        One worker's changes in the next epoch, for `merge`, as arrays by name.
        """

    def merge(self, changes: Sequence[dict[str, Any]]) -> None:
        """
        End an epoch by adding the changes of all workers, in the order of the workers.
        """

    def contents(self) -> dict[str, Any]:
        """
        Everything that `restore` needs, as arrays by name: keys of information sets, regrets, sums of strategies, baselines.
        """

    def restore(self, contents: dict[str, Any]) -> None:
        """Continue from what `contents` returned."""

    def limit(self, bytes: int) -> None:
        """Limit the memory to this many bytes; OutOfMemory is raised beyond it."""

    @property
    def epoch(self) -> int:
        """Epochs done."""

    @property
    def nodes(self) -> int:
        """Nodes visited."""

    @property
    def infosets(self) -> int:
        """Information sets met so far."""

    @property
    def bytes(self) -> int:
        """Memory in use."""

class TreeTrainer32(Trainer32):
    """Monte Carlo CFR on a compiled tree."""

    def __init__(self, tree: FlatTree, plan: SamplingPlan) -> None: ...

class TreeTrainer64(Trainer64):
    """Monte Carlo CFR on a compiled tree."""

    def __init__(self, tree: FlatTree, plan: SamplingPlan) -> None: ...

class SimulatedGame:
    """A game with a native simulator."""

    def trainer(self, plan: SamplingPlan) -> Trainer64:
        """A new trainer of this game."""

    def histories(self, most: int) -> int:
        """Number of histories, counted up to `most`."""

    def keys_of(self, tree: FlatTree) -> Annotated[NDArray[numpy.uint64], dict(shape=(None,))]:
        """The key of every information set of a compiled tree of the same game."""

    def key_after(self, steps: Sequence[int]) -> int:
        """
        The key of the mover's information set after these steps from the root, each the index of a child.
        """

def hash_table_trainer(tree: FlatTree, plan: SamplingPlan) -> Trainer64:
    """
    A trainer of a compiled tree with the hash table of simulated games, for tests.
    """

def extend_hash(numbers: Sequence[int], start: int = 0) -> int:
    """The hash `start`, extended by the numbers one after the other."""

def expected_update(tree: FlatTree, options: SchemeOptions, traverser: int, regret: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], average: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], baseline: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], together: int = 1) -> dict[str, Any]:
    """
    The exact expected update of one traversal, or of `together` traversals at once, by enumerating all of them; for tests. Regrets give the strategy that is played.
    """

def protocol_game(game: object, players: int) -> SimulatedGame:
    """Any game as a simulated game, walked through its protocol."""

def history_start(player: int) -> int:
    """The hash of a player's history before anything has happened."""

def history_after_action(history: int, action: object | None) -> int:
    """The hash of a player's history after an action of that player."""

def history_after_view(history: int, view: object | None) -> int:
    """
    The hash of a player's history after a view that differs from the last one.
    """

def provided_game(capsule: object) -> SimulatedGame:
    """
    The game of a capsule that holds a fogtree_simulator, as a simulated game.
    """

class DeepNetwork:
    """A multilayer perceptron with rectified hidden layers."""

    def __init__(self, layers: Sequence[tuple[Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)], Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)]]], kernels: str = '', *, quantised: bool = False) -> None:
        """
        Layers are (weight, bias), weight of shape (outputs, inputs); a quantised network computes its hidden layers in integers.
        """

    @property
    def inputs(self) -> int:
        """Number of inputs."""

    @property
    def outputs(self) -> int:
        """Number of outputs."""

    def forward(self, features: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.float32], dict(shape=(None, None))]:
        """All outputs, one row for each row of inputs."""

    @staticmethod
    def kernels() -> list[str]:
        """The instruction sets that this processor supports, the fastest last."""

class DeepGame:
    """A game whose positions are encoded for networks."""

    @property
    def players(self) -> int:
        """Number of players."""

    @property
    def action_count(self) -> int:
        """
        Number of actions of the whole game, which is that of a network's outputs.
        """

    @property
    def most_actions(self) -> int:
        """Largest number of legal actions at one position."""

    @property
    def feature_count(self) -> int:
        """Number of inputs of a player's network."""

    @property
    def code_bytes(self) -> int:
        """Length of a position's code in bytes."""

    @property
    def history_feature_count(self) -> int:
        """Number of inputs of a value network; 0 if the game has none."""

    @property
    def history_code_bytes(self) -> int:
        """Length of a history's code in bytes."""

    def decode(self, codes: Annotated[NDArray[numpy.uint8], dict(shape=(None, None), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.float32], dict(shape=(None, None))]:
        """
        The inputs of a player's network from the codes of positions, one row each.
        """

    def decode_history(self, codes: Annotated[NDArray[numpy.uint8], dict(shape=(None, None), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.float32], dict(shape=(None, None))]:
        """
        The inputs of a value network from the codes of histories, one row each.
        """

class DeepTree(DeepGame):
    """A compiled tree for deep learning."""

    @overload
    def __init__(self, tree: FlatTree, features: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)], actions: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], action_count: int, history: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)] | None = None) -> None:
        """
        features: a row of network inputs for each information set; actions: for each slot, the network output that stands for its action; action_count: number of outputs; history: a row of inputs for each node, for a value network.
        """

    @overload
    def __init__(self, tree: FlatTree, features: tuple[Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], Annotated[NDArray[numpy.uint16], dict(shape=(None,), order='C', device='cpu', writable=False)], Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)], int], actions: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], action_count: int, history: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)] | None = None) -> None:
        """
        The same with sparse features: where each row begins, columns, values, number of columns.
        """

class DeepSamples:
    """The samples of some traversals."""

    @property
    def nodes(self) -> int:
        """Nodes visited."""

    @property
    def queries(self) -> int:
        """Rows of inputs that the traversals asked a network about."""

    @property
    def traversals(self) -> int:
        """Number of traversals."""

    @property
    def depth(self) -> int:
        """Most decisions on one path from the root."""

    @property
    def value(self) -> float:
        """
        The mean of the traversals' estimates of the game's value for the traverser.
        """

    def count(self, kind: str) -> int:
        """Number of rows kept of a kind: regret, strategy or value."""

    def met(self, kind: str) -> int:
        """Number of rows of a kind that the traversals produced, kept or not."""

    def order(self, kind: str) -> Annotated[NDArray[numpy.int64], dict(shape=(None,))]:
        """For each kept row, its index among all rows of its kind, kept or not."""

    def take(self, kind: str, numbers: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], threads: int = 1) -> dict[str, Any]:
        """
        Some rows of a kind, by their indices among those kept, as arrays by column name.
        """

    def players(self, kind: str) -> Annotated[NDArray[numpy.int8], dict(shape=(None,))]:
        """For each kept row of a kind, the player who decides."""

    def explored(self) -> Annotated[NDArray[numpy.uint8], dict(shape=(None,))]:
        """For each value row, whether its action was chosen to explore."""

    def tables(self, threads: int = 1) -> dict[str, Any]:
        """All rows of all kinds as arrays, and the counts, by name."""

class DeepOptions:
    """How traversals sample a game."""

    def __init__(self, *, method: str = 'external', epsilon: float = 0.6000000238418579, tried: int = 2, depth: int = 0, uniform_fallback: bool = False, softmax: bool = False, softmax_players: Sequence[int] = []) -> None:
        """
        method: external, outcome, robust, escher, rollout, value or selfplay; epsilon: probability to explore; tried: actions that robust tries at a decision; depth: decisions after which values are estimated (0: never); uniform_fallback: play uniformly, not the best action, where no advantage is positive; softmax: outputs are logits of a strategy, not advantages, for all players or for softmax_players.
        """

class DeepTraverser:
    """Traversals of one game with fixed options."""

    def __init__(self, game: DeepGame, options: DeepOptions) -> None: ...

    def traverse(self, networks: Sequence[DeepNetwork], value: DeepNetwork | None, traverser: int, traversals: int, iteration: int, seed: int, threads: int = 1, keep_probabilities: tuple[float, float] = (1.0, 1.0), memory: int = 0) -> DeepSamples:
        """
        Run traversals with networks on the processor; equal arguments give equal samples with any number of threads. keep_probabilities: of a regret row and of a strategy row; memory: the most bytes of samples (0: unlimited).
        """

    def begin(self, *, value: str = '', traverser: int, traversals: int, iteration: int, seed: int, threads: int = 1, groups: int = 2, walks: int = 4096, keep_probabilities: tuple[float, float] = (1.0, 1.0), memory: int = 0, networks: Sequence[DeepNetwork] = [], value_network: DeepNetwork | None = None, finish_below: int = 0) -> DeepSession:
        """
        Begin traversals whose networks run elsewhere, in groups of suspended walks. value: what the value network rates, actions or histories (empty: there is none). A thread that has at most finish_below walks of a group left, and no traversal to begin, finishes them with the networks given here.
        """

class DeepSession:
    """Traversals in progress whose networks run elsewhere."""

    @property
    def sections(self) -> int:
        """
        Number of equal sections of a batch; row numbers count within a section.
        """

    def collect(self, group: int) -> tuple[int, int, Annotated[NDArray[numpy.uint8], dict(shape=(None, None), writable=False)], Annotated[NDArray[numpy.uint8], dict(shape=(None,), writable=False)], Annotated[NDArray[numpy.uint16], dict(shape=(None, None), writable=False)], Annotated[NDArray[numpy.uint8], dict(shape=(None, None), writable=False)], Annotated[NDArray[numpy.uint16], dict(shape=(None, None), writable=False)]]:
        """
        Wait for a group's questions: number of rows, the number by which the length of every section may be divided, codes for the players' networks, the players, the wanted outputs as (row, output), codes of histories for the value network, and their wanted outputs.
        """

    def resume(self, group: int, strategies: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)], values: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)] | None = None) -> None:
        """
        Continue a group in the background with the outputs that it asked for, in the order of its questions.
        """

    def finish(self) -> DeepSamples:
        """The samples, after all traversals have ended."""

def deep_expectation(game: DeepTree, options: DeepOptions, networks: Sequence[DeepNetwork], value: DeepNetwork | None, traverser: int) -> dict[str, Any]:
    """
    The exact means of a traversal's samples, by enumerating all its random choices; for tests.
    """

class DeepProtocolGame(DeepGame):
    """Any game for deep learning, walked through its protocol."""

    def __init__(self, *, game: object, encoding: object, players: int, action_count: int, most_actions: int, feature_count: int, code_bytes: int, bits: bool) -> None:
        """
        The encoding says what players remember: see fogtree.deep.history_encoding. Codes are bits, or numbers of four bytes.
        """

class HistoryWalk:
    """A walk over every history of a game that fills a compiled tree."""

    def grow(self, nodes: int) -> bool:
        """Visit up to `nodes` more histories; False when none is left."""

    @property
    def nodes(self) -> int:
        """Histories visited so far."""

    def share_visited(self) -> float:
        """The share of the game visited so far, from 0 to 1, by estimate."""

    def finished_tree(self) -> FlatTree:
        """The tree, once every history has been visited."""

    def node_labels(self) -> Annotated[NDArray[numpy.int32], dict(shape=(None,))]:
        """
        For each history, the number of the label of the action or outcome that led to it, -1 at the root; can be called only once.
        """

    def menus(self) -> list[list[int]]:
        """
        The different lists of actions, each action as the number of its label.
        """

    def infoset_menus(self) -> Annotated[NDArray[numpy.int32], dict(shape=(None,))]:
        """For each information set, the index of its list of actions in `menus`."""

    @property
    def infosets(self) -> int:
        """Information sets met so far."""

class NativeWalk(HistoryWalk):
    """A walk over a game whose rules are native."""

    def stream(self) -> None:
        """
        Build the sequence form instead of a tree; to be called before the first visit.
        """

    def finished_form(self, merge: bool) -> tuple[SequenceForm, int, bool]:
        """
        The sequence form of a streamed walk, once every history has been visited; the number of its payoffs before any were merged; whether the two players' payoffs are exact opposites.
        """

    @property
    def streamed(self) -> tuple[int, int, int]:
        """
        Numbers of histories that a streamed walk has visited: all, terminal ones, those at which chance decides.
        """

    def infoset_players(self) -> Annotated[NDArray[numpy.int8], dict(shape=(None,))]:
        """The player of each information set."""

    def labels(self) -> list[str]:
        """
        The texts of actions and outcomes of chance, by the number of the label.
        """

    def infoset_names(self) -> list[str]:
        """The names of the information sets."""

class ProtocolWalk(HistoryWalk):
    """A walk over any game in Python, through its protocol."""

    def __init__(self, checks: object, root: object, mover: int, views: list[Any]) -> None:
        """
        checks: a WalkChecks object, which handles rare and faulty answers of the game; mover: who moves at the root; views: each player's first view.
        """

    def step(self, history: int) -> tuple[int, int, int]:
        """
        The last step of a player's history with this number: the number of the history before it (negative: none), of the player's action since then (-1: none), and of the view.
        """

    def labels(self) -> list[Any]:
        """All actions and outcomes of chance, by the number of the label."""

    @property
    def actions(self) -> list[Any]:
        """All actions of players, by number."""

    @property
    def views(self) -> list[Any]:
        """All views, by number."""

    def pending(self) -> list[tuple[list[int], int, int, float]]:
        """
        The histories still to visit, the next first, as groups of siblings: the numbers of the steps from the root to their parent, the number of the first sibling and the number after the last, and the share of each in the game by estimate.
        """

    def begin_at(self, groups: Sequence[tuple[Sequence[int], int, int, float]], wide: dict[bytes, Any]) -> None:
        """
        Visit only these histories, as `pending` returns them, and what is below them; to be called before the first visit. The number after the last sibling may be too large. wide: an empty dictionary, or that of another walk over the same game: keeps a long list of outcomes of chance.
        """

    def taken_part(self) -> dict[str, Any]:
        """
        What was visited since `begin_at`, with all tables, as arrays and lists by name; ends the walk.
        """

    def absorb(self, part: dict[str, Any]) -> None:
        """
        Add what `taken_part` returned in another process; it must begin with the next history to visit. Its histories still to visit can only be absorbed in turn.
        """

    def agrees(self, part: dict[str, Any]) -> bool:
        """
        Whether a part that begins with the root's first child is equal to what was visited here; if it is not, the walk ends.
        """

class ResponseGame:
    """
    A game whose best responses are computed without compiling it. The actions of a player's decisions, one after another, are its slots.
    """

    def decisions(self, player: int) -> int:
        """
        Number of a player's information sets at which the choice can change the outcome.
        """

    def slots(self, player: int) -> int:
        """Number of actions of all decisions of a player."""

    def infosets(self, player: int) -> int:
        """Number of all information sets of a player."""

    def describe(self, player: int, begin: int, end: int) -> tuple[Annotated[NDArray[numpy.uint8], dict(shape=(None, None))], Annotated[NDArray[numpy.uint64], dict(shape=(None,))], Annotated[NDArray[numpy.uint8], dict(shape=(None,))], Annotated[NDArray[numpy.int16], dict(shape=(None,))], Annotated[NDArray[numpy.int64], dict(shape=(None,))]]:
        """
        Of the decisions from `begin` to before `end`: codes for networks, the simulator's keys, numbers of actions, the network output of each of their actions, and the slot of the player's action before each decision (-1: none).
        """

    def best_response(self, player: int, mixes: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)], threads: int = 1) -> float:
        """
        The value of a player's best response; mixes: the other player's probability of each of its slots.
        """

def battleship_walk(labels: Sequence[str], squares: int, places: Sequence[Sequence[tuple[int, int]]], values: Sequence[float], shots: int, repeats: bool, loss_multiplier: float) -> NativeWalk:
    """
    A walk over all histories of battleship. labels: texts of the squares, then of the ships' places; places: for each ship, the places where it can lie, as (index of the label, squares as bits); values: of the ships; shots: of each player; repeats: whether a square may be shot at again.
    """

class GoofspielOrder(enum.Enum):
    """The order of the prizes."""

    descending = 0

    ascending = 1

    random = 2

def goofspiel_walk(cards: int, order: GoofspielOrder, hidden: bool, wins: bool) -> NativeWalk:
    """
    A walk over all histories of goofspiel; wins: payoffs are 1 and -1 instead of half the points' difference.
    """

class HiddenBoard:
    """The rules of a game whose marks the other player does not see."""

    @staticmethod
    def lines(squares: Sequence[str], lines: Sequence[Sequence[int]], plies: int, abrupt: bool) -> HiddenBoard:
        """
        Marks in a line win; lines: the winning lines through each square, as bits.
        """

    @staticmethod
    def chain(squares: Sequence[str], rows: int, columns: int, abrupt: bool) -> HiddenBoard:
        """Hex: a chain of marks between two sides wins."""

    def walk(self) -> NativeWalk:
        """A walk over all histories."""

    def simulator(self) -> SimulatedGame:
        """The native simulator."""

    def responses(self) -> ResponseGame:
        """
        Exact best responses; a board of 4 to 10 squares that is played until it is full.
        """

    def key(self, player: int, tried: Sequence[int]) -> int:
        """
        The simulator's key of a player's information set; tried: the squares that the player tried, in order, each as 2 * square, + 1 if the other player had it.
        """

class DeepHiddenBoard(DeepGame):
    """A hidden board for deep learning."""

    def __init__(self, board: HiddenBoard) -> None: ...

    def columns(self, history: bool = False) -> tuple[Annotated[NDArray[numpy.int32], dict(shape=(None,))], Annotated[NDArray[numpy.uint8], dict(shape=(None,))], Annotated[NDArray[numpy.int32], dict(shape=(None,))], Annotated[NDArray[numpy.float32], dict(shape=(None,))]]:
        """
        For each input of a policy network, or of a value network (history): the byte of the code, its kind (equal, bit, number, two bytes), argument and scale.
        """

    def code(self, views: Sequence[Sequence[int]]) -> Annotated[NDArray[numpy.uint8], dict(shape=(None,))]:
        """
        The code of an information set from what its player tried (2 * square, + 1 if the other had it), or with both players' tries, the viewer's first, of a history.
        """

def leduc_poker_walk(players: int, ranks: str, suits: int, raises: int, same_suit: bool) -> NativeWalk:
    """
    A walk over all histories of Leduc poker; ranks: a letter for each, the lowest first.
    """

def simulated_liars_dice(dice: int, sides: int) -> SimulatedGame:
    """The native simulator of liar's dice."""

def liars_dice_walk(dice: int, sides: int) -> NativeWalk:
    """A walk over all histories of liar's dice."""

def liars_dice_key(player: int, roll: int, bids: Sequence[int]) -> int:
    """
    The simulator's key of the information set of a player, a roll and the bids so far.
    """

def liars_dice_responses(dice: int, sides: int) -> ResponseGame:
    """Exact best responses in liar's dice with up to 24 bids."""

class DeepLiarsDice(DeepGame):
    """Liar's dice for deep learning."""

    def __init__(self, dice: int, sides: int) -> None: ...

    def columns(self, history: bool = False) -> tuple[Annotated[NDArray[numpy.int32], dict(shape=(None,))], Annotated[NDArray[numpy.uint8], dict(shape=(None,))], Annotated[NDArray[numpy.int32], dict(shape=(None,))], Annotated[NDArray[numpy.float32], dict(shape=(None,))]]:
        """
        For each input of a policy network, or of a value network (history): the byte of the code, its kind (equal, bit, number, two bytes), argument and scale.
        """

    def code(self, rolls: Sequence[int], bids: Sequence[int], viewer: int) -> Annotated[NDArray[numpy.uint8], dict(shape=(None,))]:
        """
        The code of the viewer's information set after these bids, from one roll; from two rolls, the viewer's first, the code of a history. A roll below 0 is not yet made.
        """

class FogChessSight:
    """The rules of sight in which servers differ."""

    def __init__(self, *, mark_blocked: bool = True, pawn_diagonals_always: bool = False, show_en_passant_victim: bool = True) -> None: ...

    @property
    def mark_blocked(self) -> bool:
        """Whether a hidden piece in front of a pawn is shown as blocked."""

    @property
    def pawn_diagonals_always(self) -> bool:
        """Whether pawns see their diagonals even without a capture."""

    @property
    def show_en_passant_victim(self) -> bool:
        """Whether a pawn that can be taken en passant is seen."""

class FogChessPosition:
    """A chess position; immutable."""

    def __init__(self, fen: str = ...) -> None:
        """Read a position in FEN."""

    @property
    def fen(self) -> str:
        """The position in FEN."""

    @property
    def side(self) -> int:
        """The player to move."""

    @property
    def halfmove(self) -> int:
        """Plies since the last capture or pawn move."""

    @property
    def fullmove(self) -> int:
        """Number of the move."""

    @property
    def castling(self) -> int:
        """Castling rights as a bit mask."""

    @property
    def en_passant(self) -> int:
        """The en passant square, or 0."""

    @property
    def key(self) -> int:
        """The Zobrist hash."""

    @property
    def occupied(self) -> int:
        """The occupied squares as a bitboard."""

    def pieces(self, player: int) -> int:
        """The squares of a player's pieces as a bitboard."""

    def has_king(self, player: int) -> bool:
        """Whether a player's king is on the board."""

    def letter_at(self, square: int) -> str:
        """The FEN letter of a square, or an empty string."""

    def moves(self) -> list[int]:
        """The legal moves."""

    def count_moves(self) -> int:
        """Number of legal moves."""

    def play(self, move: int) -> FogChessPosition:
        """The position after a legal move."""

    def uci_moves(self) -> list[str]:
        """The legal moves in UCI notation."""

    def read_uci(self, text: str) -> int:
        """The legal move written in UCI notation."""

    def read_san(self, text: str) -> int:
        """The legal move written in standard notation."""

    def write_san(self, move: int) -> str:
        """A move in standard notation."""

    def perft(self, depth: int) -> int:
        """Number of move sequences of a length."""

    def make_and_see(self, depth: int, rules: FogChessSight = ...) -> tuple[int, int]:
        """
        Number of nodes down to a depth, and a checksum of both players' sight at each.
        """

    def sight(self, player: int, rules: FogChessSight = ...) -> tuple[int, int]:
        """
        The squares that a player sees, and those marked as blocked, as bitboards.
        """

    def observation(self, player: int, rules: FogChessSight = ...) -> FogChessObservation:
        """What a player sees."""

    def __eq__(self, other: object, /) -> bool: ...

    def __hash__(self) -> int: ...

    def __getstate__(self) -> str: ...

    def __setstate__(self, arg: str, /) -> None: ...

def fog_chess_write_uci(move: int) -> str:
    """A move in UCI notation."""

class FogChessObservation:
    """What one player sees of a position; immutable."""

    def __init__(self, fog_fen: str, rules: FogChessSight = ...) -> None:
        """Read an observation in fog FEN."""

    @property
    def fog_fen(self) -> str:
        """The observation in fog FEN."""

    @property
    def seen(self) -> int:
        """The visible squares as a bitboard."""

    @property
    def blocked(self) -> int:
        """The squares marked as blocked as a bitboard."""

    @property
    def player(self) -> int:
        """The player who sees it."""

    @property
    def side(self) -> int:
        """The player to move."""

    @property
    def castling(self) -> int:
        """The player's own castling rights as a bit mask."""

    @property
    def en_passant(self) -> int:
        """The visible en passant square, or 0."""

    def letter_at(self, square: int) -> str:
        """The FEN letter of a visible piece, or an empty string."""

    @property
    def key(self) -> int:
        """A hash of the observation."""

    def to_bytes(self) -> bytes:
        """The observation as bytes."""

    def __eq__(self, other: object, /) -> bool: ...

    def __hash__(self) -> int: ...

    def __getstate__(self) -> bytes: ...

    def __setstate__(self, arg: bytes, /) -> None: ...

def fog_chess_kernel() -> str:
    """Name of the move generator in use."""

def fog_chess_kernels() -> list[str]:
    """The move generators that this processor supports, the fastest first."""

def fog_chess_choose_kernel(name: str) -> None:
    """Select the move generator."""

def fog_chess_slider_attacks(piece: str, square: int, occupied: int) -> int:
    """The squares that a rook or bishop attacks, as a bitboard."""

class FogChessBelief:
    """The positions consistent with a player's observations; immutable."""

    @staticmethod
    def of(positions: Sequence[FogChessPosition], player: int, rules: FogChessSight, *, cap: int, seed: int, threads: int) -> FogChessBelief:
        """The belief with these positions."""

    @staticmethod
    def from_view(view: FogChessObservation, rules: FogChessSight, *, promotions: int | None, samples: int, limit: int, cap: int, seed: int, threads: int) -> FogChessBelief:
        """
        The positions that give this view or, if they are more than `limit` or `cap`, a sample of them.
        """

    def after_own_move(self, move: int, view: FogChessObservation) -> FogChessBelief:
        """The belief after a move of its player, who then has this view."""

    def after_other_move(self, view: FogChessObservation) -> FogChessBelief:
        """The belief after any move of the opponent that leaves this view."""

    def contains(self, position: FogChessPosition) -> bool:
        """Whether a position is in the belief."""

    def marginals(self) -> Annotated[NDArray[numpy.float64], dict(shape=(64, 13))]:
        """The probability of each content of each square, shape (64, 13)."""

    def sample(self, size: int, seed: int) -> list[FogChessPosition]:
        """Some positions drawn without replacement, or all if there are fewer."""

    def reduced(self, size: int, seed: int) -> FogChessBelief:
        """
        A sample as a belief, which keeps at most as many positions after every move.
        """

    @property
    def view(self) -> FogChessObservation:
        """The last observation."""

    @property
    def complete(self) -> bool:
        """Whether it has all positions, not only a sample."""

    def __len__(self) -> int: ...

    def __getitem__(self, index: int) -> FogChessPosition: ...

class FogChessBeliefStep:
    """An update of a belief that can be done in several pieces."""

    def __init__(self, belief: FogChessBelief, move: int | None, view: FogChessObservation) -> None:
        """
        After a move of the player or, without one, after a move of the opponent.
        """

    def advance(self, stop: StopFlag | None, seconds: float | None) -> bool:
        """
        Go on until the update is complete (True), the seconds are over or the flag is set (False).
        """

    def take(self) -> FogChessBelief:
        """The new belief, once the update is complete."""

class FogChessEvaluatorRules:
    """The rules that an evaluator needs to know."""

    def __init__(self, sight: FogChessSight, stalemate: float) -> None: ...

class FogChessEvaluator:
    """Estimates the values of positions."""

    def children(self, position: FogChessPosition, rules: FogChessEvaluatorRules) -> Annotated[NDArray[numpy.float32], dict(shape=(None,))]:
        """
        The value of every child for the side to move in `position`, in the order of its moves.
        """

    def some_children(self, position: FogChessPosition, numbers: Sequence[int], rules: FogChessEvaluatorRules) -> Annotated[NDArray[numpy.float32], dict(shape=(None,))]:
        """
        The values of the children after the moves with these numbers, for the side to move; IndexError if the position has no such move, or for more numbers than moves.
        """

    def children_of_all(self, positions: Sequence[FogChessPosition], rules: FogChessEvaluatorRules) -> Annotated[NDArray[numpy.float32], dict(shape=(None,))]:
        """The values of the children of many positions, one after the other."""

class FogChessPythonEvaluator(FogChessEvaluator):
    """An evaluator that calls a Python function."""

    def __init__(self, ask: Callable[[FogChessPosition], Annotated[NDArray[numpy.float32], dict(shape=(None,))]]) -> None:
        """
        The function returns the values of a position's children, as `children` does.
        """

class FogChessSimpleEvaluator(FogChessEvaluator):
    """An evaluator that counts material and visible squares."""

    def __init__(self) -> None: ...

class FogChessNetwork(FogChessEvaluator):
    """An evaluator by an efficiently updatable network."""

    @staticmethod
    def read_stockfish(path: bytes, quiescence: bool) -> FogChessNetwork:
        """Read a network file of Stockfish."""

    @staticmethod
    def of(description: str, unit: float, mirrored: bool, king_bucket: Annotated[NDArray[numpy.uint8], dict(order='C', device='cpu', writable=False)], bias: Annotated[NDArray[numpy.int16], dict(order='C', device='cpu', writable=False)], weight: Annotated[NDArray[numpy.int16], dict(order='C', device='cpu', writable=False)], psqt: Annotated[NDArray[numpy.int32], dict(order='C', device='cpu', writable=False)], first_weight: Annotated[NDArray[numpy.int8], dict(order='C', device='cpu', writable=False)], first_bias: Annotated[NDArray[numpy.int32], dict(order='C', device='cpu', writable=False)], second_weight: Annotated[NDArray[numpy.int8], dict(order='C', device='cpu', writable=False)], second_bias: Annotated[NDArray[numpy.int32], dict(order='C', device='cpu', writable=False)], third_weight: Annotated[NDArray[numpy.int8], dict(order='C', device='cpu', writable=False)], third_bias: Annotated[NDArray[numpy.int32], dict(order='C', device='cpu', writable=False)], quiescence: bool) -> FogChessNetwork:
        """A network of this package's own format, from the arrays of its file."""

    @property
    def description(self) -> str:
        """The description in the network's file."""

    @property
    def unit(self) -> float:
        """
        The network's value that stands for tanh(1): a value is tanh(network's value / unit).
        """

    def evaluate(self, position: FogChessPosition) -> int:
        """The value for the side to move, in the network's units."""

    def trace(self, position: FogChessPosition) -> list[tuple[int, int]]:
        """The output of each layer stack: (piece-square part, positional part)."""

    def choose(self, name: str) -> None:
        """Select the inference code by its name in fog_chess_inferences."""

def fog_chess_ruled_children(position: FogChessPosition, rules: FogChessEvaluatorRules) -> Annotated[NDArray[numpy.float32], dict(shape=(None,))]:
    """
    The values of the children at which the game is over, for the side to move; others are NaN.
    """

def fog_chess_inferences() -> list[str]:
    """
    The ways to compute a network that this processor supports, the fastest first.
    """

def fog_chess_captures(position: FogChessPosition) -> list[int]:
    """
    All captures, and promotions to a queen, in the order of the position's moves.
    """

def fog_chess_wins_at_least(position: FogChessPosition, move: int, wanted: int) -> bool:
    """
    Whether a capture and the recaptures on its square win at least this much; a pawn is 361.
    """

def fog_chess_squashed(centipawns: float) -> float:
    """A value in hundredths of a pawn, mapped to between -1 and 1."""

class FogChessSampledNodes:
    """Nodes of a search tree as arrays; values are the mover's."""

    @property
    def boards(self) -> Annotated[NDArray[numpy.uint8], dict(shape=(None,))]:
        """Packed boards as their movers see them, 32 bytes each."""

    @property
    def searched(self) -> Annotated[NDArray[numpy.float32], dict(shape=(None,))]:
        """Values under the strategies of the search; NaN at leaves."""

    @property
    def evaluated(self) -> Annotated[NDArray[numpy.float32], dict(shape=(None,))]:
        """Values by the evaluator."""

def fog_chess_pack_boards(positions: Sequence[FogChessPosition]) -> Annotated[NDArray[numpy.uint8], dict(shape=(None,))]:
    """Packed boards of positions as their movers see them, 32 bytes each."""

class FogChessSearch:
    """A search on Fog-of-War chess."""

    def __init__(self, evaluator: FogChessEvaluator, rules: FogChessEvaluatorRules, options: SearchOptions, player: int, start: FogChessPosition) -> None: ...

    def decide(self, budget: SearchBudget) -> SearchResult:
        """Search until the budget is spent."""

    def watch(self, budget: SearchBudget, watcher: Callable[[SearchMoment], None], *, every: bool = False, looks: int = 0) -> SearchResult:
        """
        Search, and call a function with the progress; it may read the tree. It is called `looks` times and, if `every`, after every walk and iteration of a search with one thread.
        """

    @property
    def stop_flag(self) -> StopFlag:
        """
        Set it to end the search that is running, or else the next one; a search clears it.
        """

    def limit_memory(self, bytes: int) -> None:
        """
        Limit the memory of the tree to this many bytes, from the next move on.
        """

    def examine(self, action: int | None) -> None:
        """
        Until the next move, let searches find out what the action with this number is worth at our information set, also if they do not play it: it gets at least a fifth of the strategy there. None: they just decide again.
        """

    def choices(self) -> list[OpponentChoice]:
        """The opponent's information sets at the root."""

    def roots(self) -> list[RootPosition]:
        """The positions at the root, with their principal variations."""

    @property
    def p_max(self) -> float:
        """
        The largest probability with which the opponent would enter the subgame.
        """

    @property
    def key(self) -> int:
        """The key of our information set."""

    def levels(self) -> list[TreeLevel]:
        """Counts of the nodes at each ply below the root."""

    def nodes(self, most: int) -> list[SearchNode]:
        """The tree in preorder, at most this many nodes."""

    def infoset(self, key: int, player: int) -> InfosetReport | None:
        """An information set of the tree, or None if it is not in the tree."""

    def gap(self) -> tuple[float, float]:
        """
        What we would gain by a best response in the tree, and what the opponent would gain.
        """

    def trail(self) -> list[WalkChoice]:
        """The choices of the expander's last walk, while a search is watched."""

    def observe_own_move(self, move: int, view: FogChessObservation) -> None:
        """Our player made a move and then observed this."""

    def observe_opponent_move(self, view: FogChessObservation) -> None:
        """The opponent moved and our player observed this."""

    def restart(self, view: FogChessObservation) -> None:
        """Forget the game so far: this observation is all that is known."""

    def move_to(self, belief: FogChessBelief, size: int, seed: int, seconds: float | None = None, give_up: bool = False) -> None:
        """
        Move the search to what our player knows now, with at most `size` possible positions. When the seconds are over or the stop flag is set, less of the last tree is kept; with `give_up` the search stays where it was.
        """

    def sampled_nodes(self, leaves: int, inner: int, least_nodes: int, almost_won: float, seed: int) -> FogChessSampledNodes:
        """
        Random nodes of the tree, about this many leaves and expanded nodes; the latter have at least `least_nodes` nodes in their subtrees. Values of all are below `almost_won` for both sides.
        """

class CambiaRules:
    """The rules of a game of Cambia."""

    def __init__(self, *, players: int, deck: Sequence[int], hand: int, looks: int, penalty: int, max_turns: int, cambia_from_round: int, draw_discard: bool, opponent_snap: bool, replace_abilities: bool, lock_caller: bool, snap_always: bool, show_wrong_snap: bool, earlier_defects: bool) -> None: ...

class CambiaPosition:
    """A position of Cambia; immutable."""

    @staticmethod
    def first(rules: CambiaRules) -> CambiaPosition:
        """The position before the deal."""

    bytes: Final[int] = ...
    """Memory of a position."""

    @property
    def player(self) -> int:
        """Who acts; -1 is chance, -2 is nobody."""

    @property
    def hands(self) -> tuple[tuple[int, ...], ...]:
        """Each player's cards."""

    @property
    def seen(self) -> tuple[tuple[int, ...], ...]:
        """For each card of a hand, a bit mask of the players who have seen it."""

    @property
    def stock(self) -> tuple[int, ...]:
        """The cards of the stock, sorted."""

    @property
    def stock_size(self) -> int:
        """Number of cards in the stock."""

    @property
    def discard(self) -> tuple[int, ...]:
        """The discard pile, its top last."""

    @property
    def phase(self) -> int:
        """The phase of the turn."""

    @property
    def actor(self) -> int:
        """The player whose decision it is or was."""

    @property
    def turn(self) -> int:
        """Number of the turn, from 0."""

    @property
    def starter(self) -> int:
        """Who moved first, or -1."""

    @property
    def caller(self) -> int:
        """Who called Cambia, or -1."""

    @property
    def drawn(self) -> int:
        """The drawn card until it is kept or discarded, else -1."""

    @property
    def drawn_seen(self) -> int:
        """A bit mask of the players who have seen the drawn card."""

    @property
    def from_discard(self) -> bool:
        """Whether the drawn card came from the discard pile."""

    @property
    def waiting(self) -> int:
        """A bit mask of the players who may still snap."""

    @property
    def owed(self) -> int:
        """Penalty cards still to be drawn."""

    @property
    def other(self) -> int:
        """The player whose card was snapped or looked at with a king, or -1."""

    @property
    def slot(self) -> int:
        """The slot of that card in the player's hand, or -1."""

    @property
    def own(self) -> int:
        """The actor's own slot that was looked at with a king, or -1."""

    def legal(self) -> list[int]:
        """The legal actions."""

    def chance(self) -> list[tuple[int, float]]:
        """The outcomes of chance with their probabilities."""

    def child(self, action: int) -> CambiaPosition:
        """The position after an action or an outcome of chance."""

    def scripted(self, script: str) -> int:
        """The action of a deterministic scripted player."""

    def returns(self) -> list[float]:
        """Each player's return at the end of the game."""

    def totals(self) -> list[int]:
        """The points of each player's hand."""

class CambiaTreeBuilder:
    """Compiles Cambia into flat arrays."""

    def __init__(self, rules: CambiaRules) -> None: ...

    def grow(self, nodes: int) -> bool:
        """Add up to `nodes` more histories; returns whether any are left."""

    @property
    def nodes(self) -> int:
        """Number of nodes so far."""

    def node_arrays(self) -> tuple[Annotated[NDArray[numpy.int32], dict(shape=(None,))], Annotated[NDArray[numpy.int8], dict(shape=(None,))], Annotated[NDArray[numpy.int32], dict(shape=(None,))], Annotated[NDArray[numpy.int32], dict(shape=(None,))], Annotated[NDArray[numpy.float64], dict(shape=(None,))], Annotated[NDArray[numpy.int32], dict(shape=(None,))], Annotated[NDArray[numpy.float64], dict(shape=(None,))], Annotated[NDArray[numpy.int32], dict(shape=(None,))]]:
        """
        Parent, player, action, index, chance, view, payoffs and label arrays; only once.
        """

    def infoset_arrays(self) -> tuple[Annotated[NDArray[numpy.int8], dict(shape=(None,))], Annotated[NDArray[numpy.int32], dict(shape=(None,))], Annotated[NDArray[numpy.int32], dict(shape=(None,))], Annotated[NDArray[numpy.int16], dict(shape=(None,))]]:
        """
        Player, memory, first node and action count of each information set; only once.
        """

    def memory_arrays(self) -> tuple[Annotated[NDArray[numpy.int32], dict(shape=(None,))], Annotated[NDArray[numpy.uint32], dict(shape=(None,))]]:
        """
        Each memory as the memory before it and the observation added; only once.
        """

def simulated_cambia(rules: CambiaRules, abstraction: str) -> SimulatedGame:
    """
    The native simulator of Cambia; an empty abstraction means perfect recall.
    """

class DeepCambia(DeepGame):
    """Cambia for deep learning."""

    def __init__(self, rules: CambiaRules) -> None: ...

    def columns(self, history: bool = False) -> tuple[Annotated[NDArray[numpy.int32], dict(shape=(None,))], Annotated[NDArray[numpy.uint8], dict(shape=(None,))], Annotated[NDArray[numpy.int32], dict(shape=(None,))], Annotated[NDArray[numpy.float32], dict(shape=(None,))]]:
        """
        For each input of a policy network, or of a value network (history): the byte of the code, its kind (equal, bit, number, two bytes), argument and scale.
        """

    def code(self, steps: Sequence[int], viewer: int, all_seeing: bool) -> Annotated[NDArray[numpy.uint8], dict(shape=(None,))]:
        """
        The encoded position after some steps, as a player sees it or with everything visible.
        """

class DeepContestant:
    """A player of matches of Cambia."""

    def __init__(self, strategies: Sequence[Sequence[DeepNetwork]], weights: Sequence[float] = [], *, uniform_fallback: bool = False, softmax: bool = False) -> None:
        """
        Each game is played by a strategy drawn by weight; a strategy is one network per seat, or one for all seats.
        """

    @staticmethod
    def scripted(name: str) -> DeepContestant:
        """A scripted player."""

class CambiaScore:
    """The score of the first player of a match."""

    @property
    def wins(self) -> int:
        """Games won."""

    @property
    def draws(self) -> int:
        """Games drawn."""

    @property
    def losses(self) -> int:
        """Games lost."""

    @property
    def gains(self) -> float:
        """Sum of returns."""

    @property
    def turns(self) -> int:
        """Turns of all games."""

    @property
    def decisions(self) -> int:
        """Decisions of all games."""

def cambia_match(game: DeepCambia, first: DeepContestant, second: DeepContestant, games: int, seed: int, threads: int = 1) -> CambiaScore:
    """
    Play every deal once with the first player in each seat; equal arguments give equal scores.
    """

class CambiaBelief:
    """The positions consistent with a player's observations."""

    def __init__(self, rules: CambiaRules, player: int) -> None: ...

    def observe(self, token: int) -> None:
        """Add the player's next observation."""

    @property
    def hidden(self) -> int:
        """Number of cards in hands that the player has not seen."""

    def sample(self, groups: int, group: int, seed: int) -> list[CambiaPosition]:
        """
        Random positions of the belief, in groups of `group` that the opponent cannot tell apart.
        """

    def contains(self, position: CambiaPosition) -> bool:
        """Whether a position is consistent with the observations."""

class CambiaSearchState:
    """A position of the search tree."""

class CambiaSearch:
    """A search on two-player Cambia."""

    def __init__(self, rules: CambiaRules, options: SearchOptions, player: int, values: DeepNetwork | None = None) -> None:
        """Leaf values come from a value network or, without one, from the cards."""

    def decide(self, budget: SearchBudget) -> SearchResult:
        """Search until the budget is spent."""

    def watch(self, budget: SearchBudget, watcher: Callable[[SearchMoment], None], *, every: bool = False, looks: int = 0) -> SearchResult:
        """
        Search, and call a function with the progress; it may read the tree. It is called `looks` times and, if `every`, after every walk and iteration of a search with one thread.
        """

    @property
    def stop_flag(self) -> StopFlag:
        """
        Set it to end the search that is running, or else the next one; a search clears it.
        """

    def limit_memory(self, bytes: int) -> None:
        """
        Limit the memory of the tree to this many bytes, from the next move on.
        """

    def examine(self, action: int | None) -> None:
        """
        Until the next move, let searches find out what the action with this number is worth at our information set, also if they do not play it: it gets at least a fifth of the strategy there. None: they just decide again.
        """

    def choices(self) -> list[OpponentChoice]:
        """The opponent's information sets at the root."""

    def roots(self) -> list[RootPosition]:
        """The positions at the root, with their principal variations."""

    @property
    def p_max(self) -> float:
        """
        The largest probability with which the opponent would enter the subgame.
        """

    @property
    def key(self) -> int:
        """The key of our information set."""

    def levels(self) -> list[TreeLevel]:
        """Counts of the nodes at each ply below the root."""

    def nodes(self, most: int) -> list[SearchNode]:
        """The tree in preorder, at most this many nodes."""

    def infoset(self, key: int, player: int) -> InfosetReport | None:
        """An information set of the tree, or None if it is not in the tree."""

    def gap(self) -> tuple[float, float]:
        """
        What we would gain by a best response in the tree, and what the opponent would gain.
        """

    def trail(self) -> list[WalkChoice]:
        """The choices of the expander's last walk, while a search is watched."""

    def observe(self, token: int) -> None:
        """Add our player's next observation."""

    def move_to(self, belief: CambiaBelief, groups: int, group_size: int, seed: int, seconds: float | None = None, give_up: bool = False) -> None:
        """
        Move the search to what our player knows now. When the seconds are over or the stop flag is set, less of the last tree is kept; with `give_up` the search stays where it was.
        """

    def value(self, table: CambiaPosition) -> float:
        """Player 0's value of a position, by the leaf values."""

    def table(self, position: CambiaSearchState) -> CambiaPosition:
        """The position of a search state, with the rules."""

    def steps(self, position: CambiaSearchState, numbers: Sequence[int]) -> list[tuple[int, int]]:
        """
        A line of the tree as (player, action) pairs; player -1 is chance, its action a card.
        """

def cambia_random_games(rules: CambiaRules, games: int, seed: int) -> tuple[int, int, int, float]:
    """
    Play random games; returns the numbers of decisions, turns and deadlocks, and the sum of player 0's returns.
    """

def cambia_external_sampling(rules: CambiaRules, traversals: int, seed: int) -> tuple[int, float]:
    """
    Run traversals of external sampling under the uniform strategy; returns the nodes visited and player 0's mean value.
    """

def free_kept_memory() -> None:
    """Give memory that is kept for later use back to the system."""
