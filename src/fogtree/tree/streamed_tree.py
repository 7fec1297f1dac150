"""A compiled game whose histories are not kept: only its sequence form is, which solvers need."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from time import perf_counter
from typing import Any

from fogtree import _core
from fogtree.game import Game
from fogtree.tree.game_tree import (
    AnyGame,
    CompileProgress,
    GameTree,
    allowed_memory,
    compile,
    game_of,
    grow_to_end,
)
from fogtree.tree.native_source import FormParts, NativeFormSource, NodeFacts

_NODES = "parent", "player", "action", "index", "chance", "view", "payoffs", "label"


class StreamedTree(GameTree):
    """A :class:`GameTree` that was walked straight into its sequence form and has no arrays of
    histories. If one of them is asked for, the game is compiled again with its histories."""

    def __init__(self, game: Game, parts: FormParts, seconds: float) -> None:
        """Set the fields of a :class:`GameTree` that are known without its nodes."""
        self.__dict__.update(
            game=str(game),
            players=2,
            seconds=seconds,
            rules=game,
            labels=parts.labels,
            infoset_player=parts.infoset_player,
            infoset_names=parts.infoset_names,
            infoset_labels=parts.infoset_labels,
            form=parts.form,
            _facts=parts.facts,
        )
        if parts.zero_sum:
            self.__dict__["zero_sum"] = True

    @cached_property
    def _whole(self) -> GameTree:
        """The same game with its histories."""
        return compile(game_of(self))

    def __getattr__(self, name: str) -> Any:
        """An array with one entry per node, for which the game is compiled with its histories when
        one is first needed."""
        if name not in _NODES:
            raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")
        return getattr(self._whole, name)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle only the game, which is compiled when it is read."""
        return compile, (self.rules,)

    def balanced(self) -> GameTree:
        """The game as a zero-sum game, with its histories if payoffs have to change."""
        return self._whole.balanced() if self.payoff_sum else self

    @cached_property
    def flat(self) -> _core.FlatTree:
        """The tree for the native core, with all histories."""
        return self._whole.flat

    @property
    def full_form(self) -> _core.SequenceForm:
        """The sequence form with nothing merged, walked anew each time."""
        game = game_of(self)
        source = _form_source(game)
        if source is None or "_whole" in self.__dict__:
            return self._whole.full_form
        grow_to_end(game, source, allowed_memory(None), None)
        return source.full_form()

    @property
    def nodes(self) -> int:
        """The number of histories, counted when the game was walked."""
        return self._node_facts().nodes

    def _node_facts(self) -> NodeFacts:
        """The numbers of histories and payoffs, counted when the game was walked."""
        facts: NodeFacts = self.__dict__["_facts"]
        return facts


def compile_to_solve(
    game: AnyGame,
    *,
    memory: int | None = None,
    workers: int | None = None,
    progress: Callable[[CompileProgress], None] | None = None,
) -> GameTree:
    """Compile as :func:`compile` does, but keep no histories of a two-player game with native
    rules: this takes less than half the memory."""
    if isinstance(game, GameTree):
        return game
    game = game_of(game)
    start, source = perf_counter(), _form_source(game)
    if source is None:
        return compile(game, memory=memory, workers=workers, progress=progress)
    grow_to_end(game, source, allowed_memory(memory), progress)
    return StreamedTree(game, source.form_parts(), perf_counter() - start)


def _form_source(game: Game) -> NativeFormSource | None:
    """A walk of a two-player game with native rules that keeps no history; None for other games."""
    walk = game.tree_source()
    if not isinstance(walk, _core.NativeWalk) or game.players != 2:
        return None
    return NativeFormSource(walk)
