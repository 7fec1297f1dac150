"""``compile(game)``: any game as flat arrays, once, for everything native to run on."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, closing, nullcontext
from dataclasses import dataclass, fields, replace
from functools import cached_property
from time import perf_counter
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from fogtree import _core
from fogtree.errors import GameError, MemoryLimitError, OptionError, UnknownNameError
from fogtree.game import CHANCE, TERMINAL, Game
from fogtree.game.checks import checked_players
from fogtree.game.tree_source import MeasuredSource, Menus, TreeParts, TreeSource
from fogtree.registry import game_by_name
from fogtree.system.cores import cores
from fogtree.system.memory import usual_memory
from fogtree.system.user_code import is_user_code
from fogtree.tree.cache import load_tree, store_tree
from fogtree.tree.history_walk import HistoryWalk
from fogtree.tree.native_source import NodeFacts, native_source
from fogtree.tree.parallel_walk import ParallelWalk
from fogtree.tree.size import ENDLESS, PATHS, SizeGuess, guess_against

_FIRST_LOOK, _GUESS_AFTER, _STEP = 1 << 4, 1 << 16, 1 << 14
"""Histories before the size of the rest is guessed roughly, before it is guessed well if the game
seems too large, and between two calls of ``progress``."""

_WORTH_KEEPING = 1.0
"""Seconds of compiling from which on a tree is kept on disk."""

_WORKER_MEMORY = 1 << 29
"""Bytes that must be allowed per process of a divided walk. A process takes about a fifth of it,
most of it for Python and its modules."""

_MOST_MEMORY = 1e12
"""Bytes beyond which the error does not advise to allow more memory."""


@dataclass(frozen=True, slots=True)
class CompileProgress:
    """How far compiling is: histories visited, and how many there are by estimate."""

    histories: int
    expected: float


@dataclass(frozen=True, slots=True)
class Sizes:
    """Sizes of a compiled game; tuples have one number per player. ``nonzeros`` are the entries of
    the sequence form's payoff matrices, ``bytes`` the memory of the tree, its sequence forms and a
    solver; the ``merged_`` numbers count equivalent information sets once."""

    nodes: int
    terminals: int
    chance_nodes: int
    decision_nodes: int
    infosets: tuple[int, ...]
    sequences: tuple[int, ...]
    nonzeros: int
    bytes: int
    merged_infosets: tuple[int, ...]
    merged_sequences: tuple[int, ...]
    merged_nonzeros: int


@dataclass(frozen=True, eq=False)
class GameTree(TreeParts):
    """A compiled game. Nodes are in preorder; a strategy is an array over *slots*: the actions of
    information set 0, then those of information set 1, and so on."""

    game: str
    players: int
    seconds: float
    rules: Game | None = None
    """The game that was compiled."""

    def __repr__(self) -> str:
        return (
            f"<GameTree {self.game}: {self.players} players, {self.nodes:,} nodes, "
            f"{len(self.infoset_names):,} information sets>"
        )

    @cached_property
    def infoset_actions(self) -> NDArray[np.int32]:
        """The number of actions of every information set."""
        return Menus.of(self.infoset_labels).sizes

    @cached_property
    def first_slot(self) -> NDArray[np.int64]:
        """The first slot of every information set, and at the end the number of all slots."""
        return np.concatenate([[0], np.cumsum(self.infoset_actions, dtype=np.int64)])

    @cached_property
    def slot_infoset(self) -> NDArray[np.int64]:
        """The information set of every slot."""
        return np.repeat(np.arange(len(self.infoset_names)), self.infoset_actions)

    @property
    def slots(self) -> int:
        """The number of slots: the actions of all information sets together."""
        return int(self.first_slot[-1])

    @property
    def nodes(self) -> int:
        """The number of histories."""
        return len(self.parent)

    @cached_property
    def zero_sum(self) -> bool:
        """Whether the payoffs of all players add up to 0 at every end, up to rounding."""
        scale = float(np.abs(self.payoffs).max(initial=0.0))
        return bool(np.abs(self.payoffs.sum(axis=1)).max(initial=0.0) <= 1e-9 * scale)

    @property
    def payoff_sum(self) -> float | None:
        """The sum of all players' payoffs, if it is the same at every end up to rounding."""
        if self.zero_sum:
            return 0.0
        sums = self.payoffs.sum(axis=1)
        scale = float(np.abs(self.payoffs).max(initial=0.0))
        return float(sums[0]) if np.ptp(sums) <= 1e-9 * scale else None

    @property
    def payoff_kind(self) -> Literal["zero-sum", "constant-sum", "general-sum"]:
        """What the payoffs of all players add up to: 0, another number that is the same at every
        end, or different numbers."""
        if self.payoff_sum is None:
            return "general-sum"
        return "constant-sum" if self.payoff_sum else "zero-sum"

    def balanced(self) -> GameTree:
        """The game as a zero-sum game: every player's payoffs less an equal share of their constant
        sum. Equilibria and exploitability are the same; a general-sum game stays as it is."""
        share = (self.payoff_sum or 0.0) / self.players
        return replace(self, payoffs=self.payoffs - share) if share else self

    @cached_property
    def infoset_number(self) -> dict[str, int]:
        """The number of every information set, by its readable name."""
        return {name: number for number, name in enumerate(self.infoset_names)}

    def infoset(self, name: str) -> int:
        """The number of the information set with this readable name."""
        number = self.infoset_number.get(name)
        if number is None:
            raise UnknownNameError("information set", name, self.infoset_names)
        return number

    @property
    def native_arrays(self) -> dict[str, NDArray[Any]]:
        """The arrays from which the native core makes its tree."""
        nodes = ("parent", "player", "action", "index", "chance", "view", "payoffs")
        names = (*nodes, "infoset_player", "infoset_actions")
        return {name: getattr(self, name).reshape(-1) for name in names}

    @cached_property
    def flat(self) -> _core.FlatTree:
        """The tree for the native core."""
        return self.native or _core.FlatTree(self.players, **self.native_arrays)

    @cached_property
    def form(self) -> _core.SequenceForm:
        """The sequence form, with information sets that can never differ merged into one."""
        return _core.sequence_form(self.flat, True)

    @cached_property
    def full_form(self) -> _core.SequenceForm:
        """The sequence form with nothing merged, on which any strategy can be measured."""
        return _core.sequence_form(self.flat, False)

    def _engine_bytes(self) -> int:
        """Memory of a native tabular solver on this game, in bytes."""
        return regret_matching_engine(self.form, last=False).bytes

    def _node_facts(self) -> NodeFacts:
        """The numbers of nodes and of the sequence form's payoffs, and the memory that they
        take."""
        arrays = (self.parent, self.player, self.action, self.index, self.chance, self.view)
        kept = sum(a.nbytes for a in (*arrays, self.payoffs, self.label))
        return NodeFacts(
            nodes=len(self.parent),
            terminals=int((self.player == TERMINAL).sum()),
            chance_nodes=int((self.player == CHANCE).sum()),
            nonzeros=self.full_form.nonzeros,
            bytes=kept + self.flat.bytes + self.full_form.bytes,
        )

    def sizes(self) -> Sizes:
        """Numbers of nodes and information sets, and the memory that solving takes."""
        per_player = [int((self.infoset_player == p).sum()) for p in range(self.players)]
        actions = [
            1 + int(self.infoset_actions[self.infoset_player == p].sum())
            for p in range(self.players)
        ]
        facts = self._node_facts()
        return Sizes(
            nodes=facts.nodes,
            terminals=facts.terminals,
            chance_nodes=facts.chance_nodes,
            decision_nodes=facts.nodes - facts.terminals - facts.chance_nodes,
            infosets=tuple(per_player),
            sequences=tuple(actions),
            nonzeros=facts.nonzeros,
            bytes=facts.bytes + self.form.bytes + self._engine_bytes(),
            merged_infosets=tuple(self.form.infosets),
            merged_sequences=tuple(self.form.sequences),
            merged_nonzeros=self.form.nonzeros,
        )


def regret_matching_engine(form: _core.SequenceForm, *, last: bool) -> _core.Engine64:
    """A native engine with regret matching, made to measure memory or given strategies; with
    ``last`` it keeps no average strategy. It is not iterated, so its discounts do not matter."""
    schedule = _core.Schedule(
        rule=_core.Rule.regret_matching,
        alternating=True,
        positive_exponent=1.0,
        negative_exponent=1.0,
        averaging_exponent=0.0,
        delay=0.0,
        last=last,
    )
    return _core.Engine64(form, schedule)


AnyGame = str | Game | GameTree
"""A game's name, its rules, or the compiled game."""


def game_of(game: AnyGame) -> Game:
    """A game from its name, from its compiled tree, or unchanged."""
    if isinstance(game, GameTree):
        game = game.rules or game.game
    if isinstance(game, str):
        if is_user_code(game):
            raise OptionError(
                f"'{game}' names a Python file, which is not run here: only load_game() runs one"
            )
        return game_by_name(game)
    if not isinstance(game, Game):
        raise OptionError(f"a game is needed, by name or as load_game() gives it, not {game!r:.60}")
    checked_players(game)
    return game


def compile(
    game: AnyGame,
    *,
    memory: int | None = None,
    workers: int | None = None,
    progress: Callable[[CompileProgress], None] | None = None,
) -> GameTree:
    """Visit every history of a game once and return its flat tree; a tree is returned unchanged.

    A tree that took long to compile is kept on disk for the next time; see
    :mod:`fogtree.tree.cache`.

    ``memory`` is the number of bytes that may be used (default: four fifths of free memory);
    ``workers`` is the number of processes that walk a game in Python, if that takes longer than a
    few seconds (default: one per core; 1: none but this one). The tree does not depend on it.
    ``progress`` is called now and then with the number of histories so far and an estimate of all.

    >>> import fogtree
    >>> fogtree.compile("kuhn_poker").sizes().infosets
    (6, 6)
    """
    if isinstance(game, GameTree):
        return game
    game = game_of(game)
    allowed = allowed_memory(memory)
    start = perf_counter()
    with _source(game, worker_count(workers, allowed)) as source:
        parts = load_tree(game, allowed // source.bytes_per_node)
        if parts is None:
            grow_to_end(game, source, allowed, progress)
            parts = source.parts()
            if parts.native is None and len(set(parts.infoset_names)) != len(parts.infoset_names):
                raise GameError(f"{game}: two information sets have the same name")
            if perf_counter() - start > _WORTH_KEEPING:
                store_tree(game, parts)
    tree = GameTree(
        game=str(game),
        players=parts.payoffs.shape[1],
        seconds=perf_counter() - start,
        rules=game,
        **{field.name: getattr(parts, field.name) for field in fields(parts) if field.init},
    )
    tree.keep_native(parts.native)
    return tree


def allowed_memory(memory: int | None) -> int:
    """The bytes that may be used, as given or four fifths of free memory."""
    if memory is not None and memory < 1:
        raise OptionError(f"memory must be at least 1 byte, not {memory}")
    return memory or usual_memory()


def worker_count(workers: int | None, memory: int) -> int:
    """The number of processes of a divided walk: as given or one per core, but not more than fit
    into ``memory`` bytes."""
    if workers is not None and workers < 1:
        raise OptionError(f"workers must be at least 1, not {workers}")
    return min(cores() if workers is None else workers, max(1, memory // _WORKER_MEMORY))


def _source(game: Game, workers: int) -> AbstractContextManager[TreeSource]:
    """The walk over a game: its native one, or the one through its protocol, whose processes end
    with the ``with`` block."""
    native = native_source(game)
    return closing(ParallelWalk(game, workers)) if native is None else nullcontext(native)


def clearly_too_large(game: Game, memory: int | None = None) -> bool:
    """Whether a game would not fit into ``memory`` (default: four fifths of what is free), by a
    quick estimate. Where it says yes, it is almost never wrong."""
    source = native_source(game) or HistoryWalk(game)
    most = (memory or usual_memory()) // source.bytes_per_node
    return guess_against(game, most).lower_bound > most


def grow_to_end(
    game: Game,
    source: TreeSource,
    memory: int,
    progress: Callable[[CompileProgress], None] | None,
) -> None:
    """Walk the whole game with ``source``; refuse it if the number of histories, first by estimate
    and then as counted, would not fit into ``memory`` bytes."""
    most = memory // source.bytes_per_node
    if not source.grow(min(_FIRST_LOOK, most + 1)) and source.nodes <= most:
        return
    guess = guess_against(game, most)
    more, guessed_well = True, False
    while more and source.nodes <= most and guess.lower_bound <= most:
        more = source.grow(min(_STEP, most + 1 - source.nodes))
        expected = _expected_size(source, guess)
        if progress is not None:
            progress(CompileProgress(source.nodes, expected))
        if more and not guessed_well and source.nodes >= _GUESS_AFTER and expected > most:
            guess, guessed_well = guess_against(game, most, PATHS), True
    if more or source.nodes > most:
        raise _too_large(game, source, guess, memory)


def _expected_size(source: TreeSource, guess: SizeGuess) -> float:
    """The estimated number of histories: from the part walked so far, if the source knows how large
    that part is, else the first estimate."""
    if not isinstance(source, MeasuredSource):
        return max(guess.mean, source.nodes)
    share = source.share_visited()
    return source.nodes / share if share > 0 else guess.mean


def _too_large(game: Game, source: TreeSource, guess: SizeGuess, memory: int) -> MemoryLimitError:
    """The error for a game that does not fit into memory, with advice."""
    size = max(guess.mean, source.nodes)
    about = f"about {size:,.0f}" if size < 1e6 else f"about {size:.1e}"
    if size >= ENDLESS:
        about = f"more than {ENDLESS:.0e}"
    hopeless = guess.mean * source.bytes_per_node > _MOST_MEMORY
    instead = "choose smaller parameters" + ("" if hopeless else " or allow more memory")
    instead += ", or sample it (mccfr-outcome), for which it is not compiled"
    return MemoryLimitError(
        f"{game} would not fit in {memory / 2**30:.1f} GiB: by estimate it has {about} histories; "
        f"{instead}"
    )
