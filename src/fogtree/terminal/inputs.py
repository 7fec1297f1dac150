"""Find the games, algorithms and strategies that a command line names."""

from __future__ import annotations

import json
from inspect import isabstract
from pathlib import Path
from typing import TYPE_CHECKING, Any

import fogtree
from fogtree.errors import FileFormatError, OptionError, UnknownNameError
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


def find_game(spec: str) -> Game:
    """A game by name, or from a file, as in ``my_game.py:MyGame`` (a class or an instance)."""
    if not is_user_code(spec):
        return fogtree.load_game(spec)
    game = load_user_object(spec, is_game, "game")
    if isinstance(game, type) and issubclass(game, fogtree.Game):
        with user_game_errors(spec), prints_to_stderr():
            game = game()
    if not isinstance(game, fogtree.Game):
        raise OptionError(f"'{spec}' is not a game: it should be a fogtree.Game or a class of one")
    return game


def is_game(value: Any) -> bool:
    """Whether an object of a file is a game, or a class of one."""
    if isinstance(value, type):
        return issubclass(value, fogtree.Game) and not isabstract(value)
    return isinstance(value, fogtree.Game)


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
    if isinstance(value, type):
        return issubclass(value, fogtree.Minimizer) and value is not fogtree.Minimizer
    return isinstance(value, fogtree.Recipe)


def compile_named(name: str, owner: Path) -> GameTree:
    """Compile the game that a saved run or strategy names."""
    try:
        return compile_game(name)
    except (UnknownNameError, OptionError) as error:
        raise OptionError(
            f"'{owner}' is of game '{name}', which cannot be made from that name ({error}); "
            "say with --game where it is, as in  --game my_game.py:MyGame"
        ) from error


def compile_game(spec: str, memory: int | None = None) -> GameTree:
    """Find and compile a game; progress on a large one goes to standard error."""
    game = find_game(spec)
    with user_game_errors(spec), prints_to_stderr(), compiling(spec) as seen:
        return fogtree.compile(game, memory=memory, progress=seen)


def find_strategy(source: Path, tree: GameTree | None = None) -> Strategy:
    """A strategy from a file, binary or JSON, or from the folder of a run."""
    if source.is_dir():
        from fogtree.solvers import saved_strategy
        from fogtree.solvers.folder import SolverFolder

        if tree is None:
            tree = compile_named(SolverFolder(source).compiled_manifest().game, source)
        return saved_strategy(source, game=tree)
    beginning = _beginning(source)
    if beginning.startswith(b"infoset,"):
        raise FileFormatError(
            f"'{source}' is CSV, which is written for other programs and not read back; "
            "write the strategy as .npz or .json"
        )
    if beginning.startswith(b"{"):
        return _from_json(source, tree)
    strategy = fogtree.Strategy.load(source)
    if tree is not None:
        strategy.for_tree(tree)
        _note_other_game(source, strategy.game, tree)
    return strategy


def _note_other_game(source: Path, game: object, tree: GameTree) -> None:
    """Say so if a strategy was made for the same game with other parameters."""
    if game != tree.game:
        messages().print(
            f"note: '{source}' was made for '{game}' and is used for '{tree.game}'", soft_wrap=True
        )


def _beginning(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            return file.read(64).lstrip()
    except FileNotFoundError as error:
        raise FileFormatError(f"there is no file '{path}'") from error
    except OSError as error:
        raise FileFormatError(f"cannot read '{path}': {error.strerror or error}") from error


def _from_json(path: Path, tree: GameTree | None) -> Strategy:
    """``{"game": ..., "strategy": {name: {action: probability}}}``, as ``solve --json`` prints."""
    damaged = FileFormatError(f"'{path}' is damaged or not a fogtree strategy")
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
        mapping = document["strategy"]
        mixes = {
            str(name): {str(action): float(share) for action, share in mix.items()}
            for name, mix in mapping.items()
        }
        spec = document["game"]
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise damaged from error
    if tree is None:
        if not isinstance(spec, str):
            raise damaged
        tree = compile_named(spec, path)
    missing = [name for name in tree.infoset_names if name not in mixes]
    if missing:
        raise FileFormatError(f"'{path}' says nothing about information set '{missing[0]}'")
    strategy = fogtree.Strategy.from_mapping(tree, mixes)
    _note_other_game(path, spec, tree)
    return strategy


def find_strategy_and_tree(source: Path, game: str | None) -> tuple[Strategy, GameTree]:
    """A strategy and its compiled game, by ``game`` or by the name in the file."""
    if game is not None:
        tree = compile_game(game)
        strategy = find_strategy(source, tree)
    else:
        strategy = find_strategy(source)
        tree = compile_named(strategy.game, source)
    strategy.for_tree(tree)
    return strategy, tree
