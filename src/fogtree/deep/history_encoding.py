"""Input vectors and output columns of networks for a game that is not compiled.

What a player remembers is a set of facts, as in :mod:`fogtree.deep.encoding`: own actions and
changes of the view, each with its place in the player's history. Facts that occur in some random
games have input columns of their own; all others share columns, two for each fact, by a hash that
is the same in every process. A game may define ``features(view)`` instead.

Actions get output columns in the same way: those that the game lists in ``all_actions()``, or that
occur in the random games, have columns of their own. Others share some, but never two at one
decision.
"""

from __future__ import annotations

import random
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NoReturn, cast

import numpy as np
from numpy.typing import NDArray

from fogtree import _core
from fogtree.deep.encoding import (
    Fact,
    MemoryWalk,
    TreeEncoding,
    Vector,
    checked_vector,
    new_facts,
)
from fogtree.deep.policy import Policy
from fogtree.errors import GameError, OptionError
from fogtree.game import CHANCE, TERMINAL, Action, Game
from fogtree.game.checks import (
    checked_child,
    checked_edges,
    checked_player,
    checked_players,
    checked_root,
    checked_view,
    in_one_line,
    listed_actions,
    same_views,
)
from fogtree.game.kept import kept_per_game
from fogtree.tree import GameTree
from fogtree.tree.size import DEEPEST, too_deep_error

Codes = NDArray[np.uint8]

SAMPLED_GAMES, SAMPLED_STATES = 200, 10_000
"""Random games by which columns are assigned, and the states after which no other one begins."""
MOST_KNOWN = 1024
"""Facts that have a column of their own, at the most."""
SHARED, FEW_SHARED, MOST_SHARED = 512, 64, 8192
"""Columns that all other facts share: usually, if the second half of the random games had none, and
at the most."""
SPREAD = 8
"""Shared columns for each fact without a column of its own that a player met in one random game: at
most a quarter of them are then 1."""
MOST_MENUS = 10_000
"""Lists of actions whose columns are kept."""
FORMAT = 1
"""The way in which columns are assigned; networks of another one are refused."""
MOST_INPUTS, MOST_OUTPUTS = 65_535, 32_767


class FactColumns:
    """The input columns of facts: their own, or two of those that are shared."""

    def __init__(self, game: Game) -> None:
        """Begin without facts; :meth:`learn` adds some."""
        self._game = game
        self._known: dict[Fact, tuple[int, ...]] = {}
        self.shared = SHARED

    def __len__(self) -> int:
        """The number of facts that have a column of their own."""
        return len(self._known)

    def __iter__(self) -> Iterator[Fact]:
        """The facts that have a column of their own, in the order of their columns."""
        return iter(self._known)

    @property
    def width(self) -> int:
        """The number of columns."""
        return len(self._known) + self.shared

    def learn(self, fact: Fact) -> bool:
        """Give a fact a column of its own, unless there are too many; returns whether it has
        one."""
        if fact not in self._known and len(self._known) < MOST_KNOWN:
            self._known[fact] = (len(self._known),)
        return fact in self._known

    def of(self, fact: Fact) -> tuple[int, ...]:
        """The columns that are 1 where a player knows the fact."""
        found = self._known.get(fact)
        if found is None:
            number, first = self.hashed(0, fact), len(self._known)
            found = first + number % self.shared, first + (number >> 32) % self.shared
        return found

    def hashed(self, number: int, fact: Fact) -> int:
        """A hash extended by a fact; a part of a view that cannot be hashed is an error."""
        try:
            return _core.history_after_view(number, fact)
        except GameError as error:
            raise GameError(f"{self._game}: {error}; or give the game features(view)") from None


def events(
    step: int, own: tuple[Action] | None, then: Hashable, now: Hashable
) -> tuple[int, list[Fact]]:
    """The new facts in a player's history after an own action, if there was one, and the next view;
    and the step of the last one. The action and a change of the view are a step each, so it does
    not matter whether views that did not change were shown in between."""
    facts: list[Fact] = []
    if own is not None:
        step += 1
        facts.append((step, "does", str(own[0])))
    if now != then:
        step += 1
        facts += new_facts(step, None, then, now)
    return step, facts


@dataclass(frozen=True, slots=True, eq=False)
class Memory:
    """All that a player remembers at one point of a game: the number of steps, the last view, and
    all facts as a code."""

    step: int
    view: Hashable
    code: Codes


class HistoryEncoding:
    """The encoding of a game for networks, made from some random games. A *code* is an input vector
    as bytes: one bit per number, or the numbers that ``features(view)`` gives."""

    def __init__(self, game: Game, *, own: bool = True) -> None:
        """Play the random games; with ``own``, use the game's ``features(view)`` if it has them."""
        self.game, self.players = game, checked_players(game)
        self.facts = FactColumns(game)
        self._labels: dict[str, int] = {}
        self._listed = listed_actions(game) or ()
        self._widest = 0
        self._others = 0  # facts without columns of their own, the most of a player in one game
        self.vector_size = 0  # of the game's own features; 0: facts are used
        self._own = own and type(game).features is not Game.features
        self._play_games()
        if not self._labels:
            raise OptionError(f"nobody decides anything in {game}: there is nothing to learn")
        if self._listed:
            self._labels = {label: number for number, label in enumerate(self._listed)}
        self._own_labels = len(self._labels)
        self.most_actions = 2 * self._widest + 8
        if self._listed:
            self.most_actions = min(self.most_actions, max(self._widest, len(self._listed)))
        self.action_count = self._own_labels + (0 if self._listed else self.most_actions)
        self.feature_count = self.vector_size or self.facts.width
        self.code_bytes = 4 * self.vector_size or (self.feature_count + 7) // 8
        if self.players * self.feature_count > MOST_INPUTS or self.action_count > MOST_OUTPUTS:
            raise OptionError(
                f"{game}: {self.feature_count:,} inputs and {self.action_count:,} actions are too "
                "many for networks"
            )
        self.fingerprint = self._fingerprint()
        """A hash of all columns, the same in every process: it tells whether networks fit."""
        self._menus: dict[tuple[str, ...], NDArray[np.int64]] = {}
        self.nothing = Memory(-1, None, np.zeros(self.code_bytes, dtype=np.uint8))
        """A player's memory before the first view."""

    # Random games.

    def _play_games(self) -> None:
        """Play random games, and give what occurs in them columns."""
        luck, states = random.Random(0), 0
        known: list[int] = []  # facts after each game
        while len(known) < SAMPLED_GAMES and states <= SAMPLED_STATES:
            states += self._play_game(luck)
            known.append(len(self.facts))
        most = min(MOST_SHARED, MOST_INPUTS // self.players - len(self.facts))
        self.facts.shared = max(SHARED, min(SPREAD * self._others, most))
        if known[len(known) // 2] == known[-1] < MOST_KNOWN:
            self.facts.shared = FEW_SHARED

    def _play_game(self, luck: random.Random) -> int:
        """Play one random game; returns the number of its states."""
        game, state = self.game, checked_root(self.game)
        steps, views = [-1] * self.players, cast("list[Hashable]", [None] * self.players)
        mover, move, others = CHANCE, cast("Action", None), [0] * self.players
        for count in range(DEEPEST):
            player = checked_player(game, state.player, self.players)
            if player == TERMINAL:
                self._others = max(self._others, *others)
                return count
            for seat in range(self.players):
                view, own = checked_view(game, state, seat), (move,) if seat == mover else None
                steps[seat], facts = events(steps[seat], own, views[seat], view)
                views[seat] = view
                others[seat] += sum(not self.facts.learn(fact) for fact in facts)
            edges = checked_edges(game, state, player)
            if player != CHANCE:
                self._meet(edges, views[player])
            mover, move = player, edges[int(luck.random() * len(edges))]
            state = checked_child(game, state, move)
        raise too_deep_error(game)

    def _meet(self, actions: Sequence[Action], view: Hashable) -> None:
        """Note the actions and the vector of a decision."""
        self._widest = max(self._widest, len(actions))
        for action in actions:
            self._labels.setdefault(str(action), len(self._labels))
        if self._own and not self.vector_size and view is not None:
            vector = checked_vector(self.game, self.game.features(view))
            self.vector_size = 0 if vector is None else len(vector)

    def _fingerprint(self) -> str:
        """See :attr:`fingerprint`."""
        sizes = self.players, self.feature_count, self.action_count, self.vector_size
        number = _core.history_after_view(0, (FORMAT, *sizes, self.facts.shared))
        for label in self._labels:
            number = _core.history_after_action(number, label)
        if not self.vector_size:
            for fact in self.facts:
                number = self.facts.hashed(number, fact)
        return f"{number:016x}"

    # Output columns.

    def columns(self, actions: Sequence[Action]) -> NDArray[np.int64]:
        """The output columns of the legal actions at a decision, all different."""
        labels = tuple(map(str, actions))
        found = self._menus.get(labels)
        if found is None:
            if len(self._menus) >= MOST_MENUS:
                self._menus.clear()
            found = self._menus[labels] = self._new_columns(labels)
        return found

    def column_list(self, actions: Sequence[Action]) -> list[int]:
        """As :meth:`columns`, for the native engine."""
        return [int(column) for column in self.columns(actions)]

    def refuse_actions(self, before: Sequence[Action], actions: Sequence[Action]) -> NoReturn:
        """Refuse actions of an information set that differ from those in another history."""
        raise GameError(
            f"{self.game}: an information set has actions {list(before)!s:.60} in one history and "
            f"{list(actions)!s:.60} in another; its player could tell them apart"
        )

    def _new_columns(self, labels: tuple[str, ...]) -> NDArray[np.int64]:
        """The columns of actions that are checked; one that was not met before takes the first free
        column from its hash on."""
        if len(set(labels)) != len(labels):
            raise GameError(f"{self.game}: actions must be distinct, not {list(labels)!s:.60}")
        if len(labels) > self.most_actions:
            raise GameError(
                f"{self.game}: a decision has {len(labels)} actions, and random games met at most "
                f"{self._widest}; training without compiling expects at most {self.most_actions}"
            )
        out, spare = [], self.action_count - self._own_labels
        for label in labels:
            column = self._labels.get(label)
            if column is None and not spare:
                raise GameError(f"{self.game}: all_actions() does not list '{label:.40}'")
            if column is None:
                number = _core.history_after_action(0, label)
                column = self._own_labels + number % spare
                while column in out:
                    column = self._own_labels + (column - self._own_labels + 1) % spare
            out.append(column)
        return np.array(out, dtype=np.int64)

    # What players remember.

    def next(self, memory: Memory, own: tuple[Action] | None, view: Hashable) -> Memory:
        """A player's memory after an own action, if there was one, and the next view."""
        try:
            hash(view)
        except TypeError:
            raise GameError(
                f"{self.game}: views must be hashable, not {in_one_line(view)}"
            ) from None
        if own is None and same_views(self.game, view, memory.view):
            return memory
        return self.extended(memory, own, view)

    def extended(self, memory: Memory, own: tuple[Action] | None, view: Hashable) -> Memory:
        """As :meth:`next`, for a step that adds something to the memory."""
        if self.vector_size:
            return Memory(memory.step, view, self._own_code(view))
        step, facts = events(memory.step, own, memory.view, view)
        code = bytearray(memory.code.tobytes())
        for fact in facts:
            for column in self.facts.of(fact):
                code[column >> 3] |= 1 << (column & 7)
        return Memory(step, view, np.frombuffer(code, dtype=np.uint8))

    def _own_code(self, view: Hashable) -> Codes:
        """The game's own features of a view as bytes; zeros where it has none."""
        found = None if view is None else checked_vector(self.game, self.game.features(view))
        if found is None:
            return np.zeros(self.code_bytes, dtype=np.uint8)
        if len(found) != self.vector_size:
            sizes = sorted({len(found), self.vector_size})
            raise GameError(f"{self.game}: features(view) has {sizes} numbers, not one size")
        return found.astype("<f4").view(np.uint8)

    def decode(self, codes: Codes) -> Vector:
        """The input vectors of codes, one row each."""
        if self.vector_size:
            return np.ascontiguousarray(codes).view("<f4").astype(np.float32)
        bits = np.unpackbits(codes, axis=1, count=self.feature_count, bitorder="little")
        return bits.astype(np.float32)

    def native_game(self) -> _core.DeepProtocolGame:
        """The game for the native engine, in this encoding."""
        return _core.DeepProtocolGame(
            game=self.game,
            encoding=self,
            players=self.players,
            action_count=self.action_count,
            most_actions=self.most_actions,
            feature_count=self.feature_count,
            code_bytes=self.code_bytes,
            bits=not self.vector_size,
        )

    # The same encoding for the compiled game, to measure a policy.

    def tree_encoding(self, tree: GameTree) -> TreeEncoding:
        """This encoding for the information sets of the compiled game."""
        walk = _EventWalk(self.game, tree, bool(self.vector_size))
        walk.run()
        columns = [self.columns(labels) for labels in tree.infoset_labels]
        column = np.concatenate(columns).astype(np.int32)
        names = [f"{number}" for number in range(self.action_count)]
        return TreeEncoding(walk.vectors(self.facts), column, tuple(names))


class _EventWalk(MemoryWalk):
    """A walk along a compiled tree that numbers steps as :func:`events` does."""

    def new_step(
        self, step: int, move: Action | None, then: Any, now: Hashable
    ) -> tuple[int, list[Fact]]:
        return events(step, None if move is None else (move,), then if step >= 0 else None, now)


@kept_per_game(8)
def history_encoding(game: Game, own: bool = True, /) -> HistoryEncoding:
    """The encoding of a game that is not compiled; the last few are kept. ``own``: as in
    :class:`HistoryEncoding`."""
    return HistoryEncoding(game, own=own)


def trained_encoding(game: Game, policy: Policy) -> HistoryEncoding:
    """The encoding that a policy's networks were trained with; an error if the game, as it is now,
    has another one."""
    for own in (True, False) if type(game).features is not Game.features else (True,):
        found = history_encoding(game, own)
        if found.fingerprint == policy.encoding:
            return found
    raise OptionError(
        f"these networks play {policy.game} by other rules: its actions or views have changed "
        "since they were trained"
    )
