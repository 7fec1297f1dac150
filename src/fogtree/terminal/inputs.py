"""Find the games, algorithms and strategies that a command line names."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import fogtree
from fogtree.errors import CacheWarning, OptionError, UnknownNameError
from fogtree.registry import game_by_name, load_game
from fogtree.system.user_code import (
    is_user_code,
    load_user_object,
    prints_to_stderr,
    user_game_errors,
)
from fogtree.terminal.console import messages
from fogtree.terminal.progress import compiling

if TYPE_CHECKING:
    from fogtree import Game, GameTree, Recipe, Strategy


def find_algorithm(name: str) -> Recipe:
    """An algorithm by name, or a Recipe or Minimizer class from a file."""
    if not is_user_code(name):
        return fogtree.recipe(name)
    found = load_user_object(name, _is_algorithm, "algorithm")
    if isinstance(found, type) and _is_algorithm(found):
        return fogtree.Recipe(found.__name__.lower(), found)
    if not isinstance(found, fogtree.Recipe):
        raise OptionError(f"'{name}' is not an algorithm: it should be a Recipe or a Minimizer")
    return found


def _is_algorithm(value: Any) -> bool:
    """Whether an object of a user's file is a recipe, or a class derived from Minimizer."""
    if isinstance(value, type):
        return issubclass(value, fogtree.Minimizer) and value is not fogtree.Minimizer
    return isinstance(value, fogtree.Recipe)


def compile_named(name: str | None, owner: Path) -> GameTree:
    """Compile the game that a strategy file or a run's folder, ``owner``, names; it is an error if
    it names none (None)."""
    if name is None:
        raise OptionError(f"'{owner}' does not say for which game it is; say it with --game")
    return compile_game(name, find=partial(find_named_game, owner=owner))


def find_named_game(name: str, owner: Path) -> Game:
    """The game ``name`` that a strategy file or a run's folder, ``owner``, names. No Python file is
    run for it: only the command line may name one."""
    with _advice_on_names(name, owner):
        return game_by_name(name)


@contextmanager
def _advice_on_names(name: str, owner: Path) -> Iterator[None]:
    """A context that adds advice to the error for a game that a file names but that cannot be
    found."""
    try:
        yield
    except (UnknownNameError, OptionError) as error:
        raise OptionError(
            f"'{owner}' is of game '{name}', which cannot be made from that name ({error}); "
            "say with --game where it is, as in  --game my_game.py:MyGame"
        ) from error


def compile_game(
    spec: str,
    memory: int | None = None,
    *,
    histories: bool = True,
    workers: int | None = None,
    find: Callable[[str], Game] = load_game,
) -> GameTree:
    """Find and compile a game within ``memory`` bytes, with so many ``workers`` (default: one per
    core); progress on a large one goes to standard error. With ``histories`` False, the histories
    of a two-player game with native rules are not kept: solvers that do not sample do not need
    them. ``find`` makes the game of its spec."""
    from fogtree.tree import compile_to_solve

    game = find(spec)
    with (
        warnings.catch_warnings(record=True) as warned,
        user_game_errors(spec),
        prints_to_stderr(),
        compiling(spec) as seen,
    ):
        warnings.simplefilter("always", CacheWarning)
        compiler = fogtree.compile if histories else compile_to_solve
        tree = compiler(game, memory=memory, workers=workers, progress=seen)
    for warning in warned:
        messages().print(str(warning.message), soft_wrap=True, markup=False)
    return tree


def find_strategy(source: Path, tree: GameTree | None = None) -> Strategy:
    """The strategy of a file or of the folder of a run, checked against ``tree`` if that is given;
    prints a note if it was made for the game with other parameters."""
    found = fogtree.load_strategy(
        source, tree, compile_named=lambda name: compile_named(name, source)
    )
    if tree is not None and found.game != tree.game:
        note = f"note: '{source}' was made for '{found.game}' and is used for '{tree.game}'"
        messages().print(note, soft_wrap=True)
    return found


def find_strategy_and_tree(source: Path, game: str | None) -> tuple[Strategy, GameTree]:
    """The strategy in a file or a run's folder with its compiled game: the one that ``game`` names,
    or else the one that the file names."""
    if game is not None:
        tree = compile_game(game)
        strategy = find_strategy(source, tree)
    else:
        strategy = find_strategy(source)
        tree = compile_named(strategy.game, source)
    strategy.for_tree(tree)
    return strategy, tree
