"""``compile(game)``: any game as flat arrays, once, for everything native to run on."""

from __future__ import annotations

import math
import os
from array import array
from collections.abc import Callable, Hashable
from dataclasses import dataclass, fields
from functools import cached_property
from pathlib import Path
from time import perf_counter
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from fogtree import _core
from fogtree.errors import GameError, MemoryLimitError, OptionError, UnknownNameError
from fogtree.game import CHANCE, TERMINAL, Game, State

BYTES_PER_NODE = 270
"""What a history costs from compiling to solving at the most, measured on several games; Python's
own objects included."""

_SOURCE_STEP = 1 << 18

MOST_PLAYERS = 100

DEEPEST = 10_000
"""A path longer than this is taken for a cycle."""


Own = tuple[Hashable] | None
"""An own action, wrapped so that any value can be one; ``None`` where somebody else acted."""


@dataclass(frozen=True, slots=True)
class Sizes:
    """How large a compiled game is. Lists have one number per player."""

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
class GameTree:
    """A compiled game. Nodes are in preorder; a strategy is an array over *slots*: the actions of
    information set 0, then those of information set 1, and so on."""

    game: str
    players: int
    parent: NDArray[np.int32]
    player: NDArray[np.int8]
    action: NDArray[np.int32]
    index: NDArray[np.int32]
    chance: NDArray[np.float64]
    view: NDArray[np.int32]
    payoffs: NDArray[np.float64]
    label: NDArray[np.int32]
    labels: tuple[str, ...]
    infoset_player: NDArray[np.int8]
    infoset_names: tuple[str, ...]
    infoset_labels: tuple[tuple[str, ...], ...]
    seconds: float

    @cached_property
    def infoset_actions(self) -> NDArray[np.int32]:
        return np.array([len(names) for names in self.infoset_labels], dtype=np.int32)

    @cached_property
    def first_slot(self) -> NDArray[np.int64]:
        return np.concatenate([[0], np.cumsum(self.infoset_actions, dtype=np.int64)])

    @cached_property
    def slot_infoset(self) -> NDArray[np.int64]:
        return np.repeat(np.arange(len(self.infoset_names)), self.infoset_actions)

    @property
    def slots(self) -> int:
        return int(self.first_slot[-1])

    @cached_property
    def zero_sum(self) -> bool:
        scale = float(np.abs(self.payoffs).max(initial=0.0))
        return bool(np.abs(self.payoffs.sum(axis=1)).max(initial=0.0) <= 1e-9 * scale)

    @cached_property
    def infoset_number(self) -> dict[str, int]:
        return {name: number for number, name in enumerate(self.infoset_names)}

    def infoset(self, name: str) -> int:
        """The number of the information set with this readable name."""
        number = self.infoset_number.get(name)
        if number is None:
            raise UnknownNameError("information set", name, self.infoset_names)
        return number

    @cached_property
    def flat(self) -> _core.FlatTree:
        return _core.FlatTree(
            self.players,
            self.parent,
            self.player,
            self.action,
            self.index,
            self.chance,
            self.view.reshape(-1),
            self.payoffs.reshape(-1),
            self.infoset_player,
            self.infoset_actions,
        )

    @cached_property
    def form(self) -> _core.SequenceForm:
        """The sequence form, with information sets that can never differ merged into one."""
        return _core.sequence_form(self.flat, True)

    @cached_property
    def full_form(self) -> _core.SequenceForm:
        """The sequence form of the game as it is; what an arbitrary strategy is measured on."""
        return _core.sequence_form(self.flat, False)

    def _engine_bytes(self) -> int:
        schedule = _core.Schedule(
            rule=_core.Rule.regret_matching,
            alternating=True,
            positive_exponent=1.0,
            negative_exponent=1.0,
            averaging_exponent=0.0,
            delay=0.0,
            last=False,
        )
        return _core.Engine64(self.form, schedule).bytes

    def sizes(self) -> Sizes:
        """Sizes and memory; nothing is solved for it."""
        per_player = [int((self.infoset_player == p).sum()) for p in range(self.players)]
        actions = [
            1 + int(self.infoset_actions[self.infoset_player == p].sum())
            for p in range(self.players)
        ]
        terminals = int((self.player == TERMINAL).sum())
        chance = int((self.player == CHANCE).sum())
        arrays = (self.parent, self.player, self.action, self.index, self.chance, self.view)
        kept = sum(a.nbytes for a in (*arrays, self.payoffs, self.label))
        forms = self.form.bytes + self.full_form.bytes
        return Sizes(
            nodes=len(self.parent),
            terminals=terminals,
            chance_nodes=chance,
            decision_nodes=len(self.parent) - terminals - chance,
            infosets=tuple(per_player),
            sequences=tuple(actions),
            nonzeros=self.full_form.nonzeros,
            bytes=kept + self.flat.bytes + forms + self._engine_bytes(),
            merged_infosets=tuple(self.form.infosets),
            merged_sequences=tuple(self.form.sequences),
            merged_nonzeros=self.form.nonzeros,
        )


@dataclass(frozen=True, eq=False)
class TreeParts:
    """The arrays of a :class:`GameTree`, as a source hands them over."""

    parent: NDArray[np.int32]
    player: NDArray[np.int8]
    action: NDArray[np.int32]
    index: NDArray[np.int32]
    chance: NDArray[np.float64]
    view: NDArray[np.int32]
    payoffs: NDArray[np.float64]
    label: NDArray[np.int32]
    labels: tuple[str, ...]
    infoset_player: NDArray[np.int8]
    infoset_names: tuple[str, ...]
    infoset_labels: tuple[tuple[str, ...], ...]


class TreeSource(Protocol):
    """Walks a game's tree by itself: a game with a native engine offers one to ``compile``."""

    bytes_per_node: int

    @property
    def nodes(self) -> int: ...

    def grow(self, nodes: int) -> bool:
        """Visits up to so many more histories; false when there were none left."""

    def parts(self) -> TreeParts:
        """What was found, once everything has been visited."""


def compile(
    game: Game | str,
    *,
    memory: int | None = None,
    progress: Callable[[int], None] | None = None,
) -> GameTree:
    """Visits every history of a game once and returns its flat tree; a name is looked up.

    ``memory`` is how many bytes may be used (default: four fifths of what is free);
    ``progress`` is called now and then with the number of histories seen so far.
    """
    if isinstance(game, str):
        from fogtree.games import load_game  # noqa: PLC0415 - games are many, and imported when used

        game = load_game(game)
    if not isinstance(game, Game):
        raise OptionError(f"a game is needed, by name or as load_game() gives it, not {game!r:.60}")
    if memory is not None and memory < 1:
        raise OptionError(f"memory must be at least 1 byte, not {memory}")
    allowed = memory or _free_memory() * 4 // 5
    source = game.tree_source()
    if source is not None:
        return _from_source(game, source, allowed, progress)
    return _Compiler(game, allowed, progress).run()


def _from_source(
    game: Game, source: TreeSource, memory: int, progress: Callable[[int], None] | None
) -> GameTree:
    start = perf_counter()
    while source.grow(_SOURCE_STEP):
        if source.nodes * source.bytes_per_node > memory:
            raise _too_large(game, source.nodes, memory)
        if progress is not None:
            progress(source.nodes)
    parts = source.parts()
    if len(set(parts.infoset_names)) != len(parts.infoset_names):
        raise GameError(f"{game}: two information sets have the same name")
    return GameTree(
        game=str(game),
        players=game.players,
        seconds=perf_counter() - start,
        **{field.name: getattr(parts, field.name) for field in fields(parts)},
    )


def _too_large(game: Game, nodes: int, memory: int) -> MemoryLimitError:
    return MemoryLimitError(
        f"{game} has more than {nodes:,} histories and would not fit in "
        f"{memory / 2**30:.1f} GiB; choose smaller parameters or allow more memory"
    )


def _free_memory() -> int:
    """Bytes that this process can still have: of the machine, and of its control group."""
    try:
        free = os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (ValueError, OSError, AttributeError):
        free = 4 << 30
    try:
        group = Path("/sys/fs/cgroup")
        limit = int((group / "memory.max").read_text())
        free = min(free, limit - int((group / "memory.current").read_text()))
    except (OSError, ValueError):
        pass
    return max(free, 1)


class _Compiler:
    """One walk over the game. A player's remembered history is a number, found by what it adds to
    an earlier number; that is the whole of perfect recall."""

    def __init__(self, game: Game, memory: int, progress: Callable[[int], None] | None) -> None:
        self.game = game
        self.players = game.players
        self.most = memory // BYTES_PER_NODE
        self.memory = memory
        self.progress = progress
        self.parent, self.index, self.action, self.label = (array("i") for _ in range(4))
        self.player, self.chance, self.view = array("b"), array("d"), array("i")
        self.payoffs = array("d")
        # Remembered histories: (earlier history, own action or None, view) -> number.
        self.memories: dict[tuple[int, Own, Hashable], int] = {}
        self.infoset_of: dict[int, int] = {}
        self.infosets: list[tuple[int, tuple[Any, ...], str | None, Hashable, int]] = []
        self.label_of: dict[tuple[type, Hashable], int] = {}
        if not isinstance(self.players, int) or not 1 <= self.players <= MOST_PLAYERS:
            raise GameError(
                f"{game}: players must be a whole number from 1 to {MOST_PLAYERS}, "
                f"not {self.players!r}"
            )

    def run(self) -> GameTree:
        start = perf_counter()
        root = self.game.root()
        known: list[tuple[int, Hashable]] = []
        for p in range(self.players):
            view = root.observation(p)
            known.append((self.remember(-1 - p, None, view), view))
        # (state, parent, action's number, label, probability, what each player knows, depth)
        stack = [(root, -1, 0, -1, 1.0, tuple(known), 0)]
        while stack:
            state, parent, number, label, chance, known_here, depth = stack.pop()
            node = len(self.parent)
            if node % 4096 == 4095:
                self.pause(node)
            if depth > DEEPEST:
                raise GameError(
                    f"{self.game}: a path has more than {DEEPEST:,} moves; is there a cycle?"
                )
            mover = state.player
            self.parent.append(parent)
            self.player.append(self.check_player(mover))
            self.action.append(number)
            self.label.append(label)
            self.chance.append(chance)
            self.view.extend([k[0] for k in known_here])
            if mover == TERMINAL:
                self.index.append(len(self.payoffs) // self.players)
                self.payoffs.extend(self.returns(state))
                continue
            if mover == CHANCE:
                self.index.append(-1)
                edges = self.outcomes(state)
            else:
                edges = self.choices(state, mover, known_here[mover])
            for k in range(len(edges) - 1, -1, -1):
                action, probability = edges[k]
                child = state.child(action)
                if child is state:
                    raise GameError(f"{self.game}: action {action!s} leads back to the same state")
                seen = self.look(child, mover, action, known_here)
                stack.append(
                    (child, node, k, self.label_number(action), probability, seen, depth + 1)
                )
        self.pause(len(self.parent))
        return self.finish(perf_counter() - start)

    def pause(self, node: int) -> None:
        if node > self.most:
            raise _too_large(self.game, node, self.memory)
        if self.progress is not None:
            self.progress(node)

    def check_player(self, mover: int) -> int:
        if not isinstance(mover, int) or not TERMINAL <= mover < self.players:
            raise GameError(f"{self.game}: player {mover!r} to move, but there are {self.players}")
        return mover

    def remember(self, earlier: int, action: Own, view: Hashable) -> int:
        key = (earlier, action, view)
        try:
            number = self.memories.get(key)
        except TypeError:
            raise GameError(
                f"{self.game}: views and actions must be hashable, not {view!r}"
            ) from None
        if number is None:
            number = self.memories[key] = len(self.memories)
        return number

    def look(
        self, state: State, mover: int, action: Hashable, known: tuple[tuple[int, Hashable], ...]
    ) -> tuple[tuple[int, Hashable], ...]:
        """What each player knows at a state, from what they knew before it.

        After the end nobody decides any more, so what is shown there is not remembered.
        """
        if state.player == TERMINAL:
            return known
        out = []
        for p in range(self.players):
            earlier, before = known[p]
            view = state.observation(p)
            if p == mover:
                out.append((self.remember(earlier, (action,), view), view))
            elif view != before:
                out.append((self.remember(earlier, None, view), view))
            else:
                out.append(known[p])
        return tuple(out)

    def label_number(self, action: Hashable) -> int:
        # By type as well: True is not 1 to the person who reads it.
        return self.label_of.setdefault((type(action), action), len(self.label_of))

    def returns(self, state: State) -> list[float]:
        try:
            values = [float(value) for value in state.returns()]
        except (TypeError, ValueError):
            raise GameError(
                f"{self.game}: payoffs must be numbers, not {state.returns()}"
            ) from None
        if len(values) != self.players:
            raise GameError(
                f"{self.game}: {len(values)} payoffs at the end of a game of {self.players}"
            )
        if not all(math.isfinite(value) for value in values):
            raise GameError(f"{self.game}: a payoff is not a finite number: {values}")
        return values

    def outcomes(self, state: State) -> list[tuple[Hashable, float]]:
        edges = [(action, float(probability)) for action, probability in state.chance()]
        total = math.fsum(probability for _, probability in edges)
        if not abs(total - 1.0) <= 1e-9 or any(not probability >= 0 for _, probability in edges):
            raise GameError(
                f"{self.game}: chance probabilities must be at least 0 and sum to 1, "
                f"not {total:.9g}: {[probability for _, probability in edges][:8]}"
            )
        return [edge for edge in edges if edge[1] > 0]

    def choices(
        self, state: State, mover: int, known: tuple[int, Hashable]
    ) -> list[tuple[Hashable, float]]:
        actions = tuple(state.actions())
        number = self.infoset_of.get(known[0])
        if number is None:
            if not actions or len({str(action) for action in actions}) != len(actions):
                raise GameError(f"{self.game}: actions must be some and distinct, not {actions}")
            number = self.infoset_of[known[0]] = len(self.infosets)
            self.infosets.append((mover, actions, state.name(), known[1], known[0]))
        elif self.infosets[number][1] != actions:
            name = self.infosets[number][2] or known[1]
            raise GameError(
                f"{self.game}: information set '{name}' has actions {self.infosets[number][1]} in "
                f"one history and {actions} in another; its player could tell them apart"
            )
        self.index.append(number)
        return [(action, 1.0) for action in actions]

    def names(self) -> tuple[str, ...]:
        """Given names must be unique; the others are the view, or the whole history."""
        by_view = [f"{mover}:{view}" for mover, _, _, view, _ in self.infosets]
        taken: dict[str, int] = {}
        for name in by_view:
            taken[name] = taken.get(name, 0) + 1
        story = {number: key for key, number in self.memories.items()}
        out = []
        for (mover, _, given_name, _, known), short in zip(self.infosets, by_view, strict=True):
            own = short if taken[short] == 1 else f"{mover}:{_tell(story, known)}"
            out.append(own if given_name is None else given_name)
        seen: set[str] = set()
        for name in out:
            if name in seen:
                raise GameError(f"{self.game}: two information sets have the same name '{name}'")
            seen.add(name)
        return tuple(out)

    def finish(self, seconds: float) -> GameTree:
        names = self.names()
        return GameTree(
            game=str(self.game),
            players=self.players,
            parent=np.frombuffer(self.parent, dtype=np.int32),
            player=np.frombuffer(self.player, dtype=np.int8),
            action=np.frombuffer(self.action, dtype=np.int32),
            index=np.frombuffer(self.index, dtype=np.int32),
            chance=np.frombuffer(self.chance, dtype=np.float64),
            view=np.frombuffer(self.view, dtype=np.int32).reshape(-1, self.players),
            payoffs=np.frombuffer(self.payoffs, dtype=np.float64).reshape(-1, self.players),
            label=np.frombuffer(self.label, dtype=np.int32),
            labels=tuple(str(action) for _, action in self.label_of),
            infoset_player=np.array([entry[0] for entry in self.infosets], dtype=np.int8),
            infoset_names=names,
            infoset_labels=tuple(tuple(str(a) for a in entry[1]) for entry in self.infosets),
            seconds=seconds,
        )


def _tell(story: dict[int, tuple[int, Own, Hashable]], number: int) -> str:
    """What a player remembers, as text: own actions, and views where they changed."""
    steps: list[tuple[Own, Hashable]] = []
    while number >= 0:
        number, action, view = story[number]
        steps.append((action, view))
    parts: list[str] = []
    before: Hashable = None
    for action, view in reversed(steps):
        if action is not None:
            parts.append(str(action[0]))
        if view != before:
            parts.append(str(view))
        before = view
    return "/".join(parts)
