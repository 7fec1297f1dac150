"""Engines that walk a game and collect samples: the native one and the reference in Python."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from numpy.typing import NDArray

from fogtree import _core
from fogtree.deep.encoding import encode_tree
from fogtree.deep.history_encoding import history_encoding
from fogtree.deep.protocol_game import ProtocolGame
from fogtree.deep.samples import NativeSamples, Samples
from fogtree.deep.support import TrainingSupport, support_for
from fogtree.deep.traversal import Task, Walks, traverse
from fogtree.deep.walkable import EncodedGame, TreeGame, WalkableGame
from fogtree.errors import MemoryLimitError, OptionError
from fogtree.game import Game
from fogtree.system.memory import usual_memory
from fogtree.tree import AnyGame, GameTree, compile, game_of

EngineName = Literal["native", "python"]

MOST_PLAYERS = 32
"""The most players that native walks can have."""


class Engine(Protocol):
    """Walks a game and returns samples. Equal tasks give equal samples, whatever the number of
    threads; with an accelerator they are equal except for rounding."""

    @property
    def game(self) -> EncodedGame: ...
    def traverse(self, task: Task) -> Samples: ...


class PythonEngine:
    """The reference engine in Python: slow, and easy to read."""

    def __init__(self, game: WalkableGame) -> None:
        self.game = game

    def traverse(self, task: Task) -> Samples:
        """Make the walks of a task, and return their samples."""
        return traverse(self.game, task)


class NativeEngine:
    """Native walks, thousands in flight at a time, on ``threads`` threads."""

    def __init__(self, game: Any, threads: int = 1) -> None:
        self.game = game
        self.threads = threads
        self.neighbours = 1  # engines that share this machine's memory, including this one

    def traverse(self, task: Task) -> Samples:
        """Make the walks of a task natively; running out of memory for samples is an error."""
        made: dict[int, Any] = {id(network): network.native() for network in task.networks}
        with bounded(self.neighbours) as memory:
            found = _core.DeepTraverser(self.game, native_options(task.walks)).traverse(
                [made[id(network)] for network in task.networks],
                None if task.value is None else task.value.native(),
                task.traverser,
                task.traversals,
                task.iteration,
                task.seed,
                self.threads,
                task.keep_probabilities,
                memory,
            )
        return NativeSamples(found, self.threads, task.keep_probabilities)


@contextmanager
def bounded(parts: int = 1) -> Iterator[int]:
    """A context with the bytes that samples may use, one of ``parts`` equal parts of the usual
    memory. Running out of them inside is a MemoryLimitError."""
    memory = usual_memory() // parts
    try:
        yield memory
    except MemoryError as error:
        raise MemoryLimitError(
            f"the walks of one iteration meet more samples than fit into {memory / 1e9:.1f} GB: "
            "make fewer traversals, end them at a depth, or choose another sampling_method"
        ) from error


def native_options(walks: Walks) -> _core.DeepOptions:
    """The options of walks for the native engine."""
    return _core.DeepOptions(
        method=walks.method,
        epsilon=walks.exploration,
        tried=walks.tried,
        depth=walks.depth,
        uniform_fallback=walks.uniform_fallback,
        softmax=walks.softmax,
    )


@dataclass(frozen=True, eq=False)
class PreparedGame:
    """A game ready for training: its engine, and its compiled tree or its own support; neither if
    it is walked through its protocol, but the fingerprint of its encoding."""

    game: Game
    engine: Engine
    tree: TreeGame | None
    support: TrainingSupport | None = None
    encoding: str = ""

    @property
    def symmetric(self) -> bool:
        """Whether all seats see the game in the same way, so that one network can play all of
        them."""
        return self.support is not None and self.support.symmetric

    @property
    def by_protocol(self) -> bool:
        """Whether the game is walked through its protocol."""
        return self.tree is None and self.support is None

    def decoding_plan(self, *, history: bool = False) -> tuple[NDArray[Any], ...] | None:
        """How an accelerator decodes codes of information sets, or of histories; None for a
        compiled game, whose codes are rows of an array."""
        return None if self.support is None else self.support.decoding_plan(history=history)


def prepare(
    game: AnyGame,
    *,
    own_features: bool = True,
    engine: EngineName = "native",
    threads: int = 1,
    memory: int | None = None,
    values: bool = True,
    compiled: bool = True,
) -> PreparedGame:
    """Makes a game ready for training: with its own support if it has one, else by compiling it,
    or without if ``compiled`` is False.

    ``own_features``: use the game's ``features(view)`` if it has them. ``memory`` is the number of
    bytes that compiling may use. ``values``: whether a value network will be asked, which needs a
    vector for every history.
    """
    tree = game if isinstance(game, GameTree) else None
    game = game_of(game)
    support = support_for(game)
    if support is not None:
        if engine == "python":
            return PreparedGame(game, PythonEngine(support.walkable_game()), None, support)
        native = NativeEngine(support.native_game, threads)
        return PreparedGame(game, native, None, support)
    if not compiled:
        check_players(game)
        encoding = history_encoding(game, own_features)
        walked: Engine
        if engine == "python":
            walked = PythonEngine(ProtocolGame(game, encoding))
        else:
            walked = NativeEngine(encoding.native_game())
        return PreparedGame(game, walked, None, encoding=encoding.fingerprint)
    tree = tree or compile(game, memory=memory)
    if not tree.infoset_names:
        raise OptionError(f"nobody decides anything in {game}: there is nothing to learn")
    encoded = TreeGame(tree, encode_tree(game, tree, own=own_features))
    if engine == "python":
        return PreparedGame(game, PythonEngine(encoded), encoded)
    native = NativeEngine(native_tree(tree, encoded, values), threads)
    return PreparedGame(game, native, encoded)


def check_players(game: Game) -> None:
    """Refuse a game of one player, or of more players than walks can have."""
    if game.players < 2:
        raise OptionError(f"{game}: training needs at least two players")
    if game.players > MOST_PLAYERS:
        raise OptionError(
            f"{game}: training is for at most {MOST_PLAYERS} players, not {game.players}"
        )


def native_tree(compiled: GameTree, tree: TreeGame, values: bool) -> _core.DeepTree:
    """The compiled game for the native engine, with the histories' vectors if values are learnt."""
    check_players(game_of(compiled))
    rows = tree.rows
    features = rows.first, rows.index, rows.value, rows.width
    history = tree.history if values else None
    return _core.DeepTree(compiled.flat, features, tree.encoding.column, tree.action_count, history)
