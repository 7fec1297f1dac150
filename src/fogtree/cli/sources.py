"""Where games, algorithms and strategies named on the command line come from."""

from __future__ import annotations

import importlib.util
import json
import sys
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import fogtree
from fogtree.cli.progress import compiling
from fogtree.errors import FileFormatError, GameError, OptionError, UnknownNameError

if TYPE_CHECKING:
    from fogtree import Game, GameTree, Recipe, Strategy

_OWN = ".py:"


def is_own(spec: str) -> bool:
    """Whether a game comes from somebody's own file, which other processes cannot import."""
    return _OWN in spec


def find_game(spec: str) -> Game:
    """A game by name, or from a file: ``my_game.py:MyGame``, a class or a ready game."""
    if _OWN not in spec:
        return fogtree.load_game(spec)
    game = _load_object(spec)
    if isinstance(game, type) and issubclass(game, fogtree.Game):
        with _told_in_one_line(spec):
            game = game()
    if not isinstance(game, fogtree.Game):
        raise OptionError(f"'{spec}' is not a game: it should be a fogtree.Game or a class of one")
    return game


def find_algorithm(name: str) -> Recipe:
    """An algorithm by name, or a Recipe or Minimizer class from a file."""
    if _OWN not in name:
        return fogtree.recipe(name)
    found = _load_object(name)
    if isinstance(found, type) and issubclass(found, fogtree.Minimizer):
        return fogtree.Recipe(found.__name__.lower(), found)
    if not isinstance(found, fogtree.Recipe):
        raise OptionError(f"'{name}' is not an algorithm: it should be a Recipe or a Minimizer")
    return found


def _load_object(spec: str) -> Any:
    file, _, name = spec.rpartition(":")
    path = Path(file)
    if not path.is_file():
        raise OptionError(f"there is no file '{path}'")
    module_spec = importlib.util.spec_from_file_location(f"own:{path.resolve()}", path)
    if module_spec is None or module_spec.loader is None:
        raise OptionError(f"cannot read Python from '{path}'")
    module = importlib.util.module_from_spec(module_spec)
    sys.modules[module_spec.name] = module  # dataclasses look their module up there
    with _told_in_one_line(file):
        module_spec.loader.exec_module(module)
    if name not in vars(module):
        names = [known for known in vars(module) if not known.startswith("_")]
        raise UnknownNameError(f"name in '{path}'", name, names)
    return vars(module)[name]


@contextmanager
def _told_in_one_line(what: str) -> Iterator[None]:
    """An error in somebody's own code: what it is, and in which line."""
    try:
        yield
    except fogtree.FogtreeError:
        raise
    except Exception as error:
        last = traceback.extract_tb(error.__traceback__)[-1]
        where = f"{Path(last.filename).name}, line {last.lineno}"
        raise GameError(f"'{what}' fails ({where}): {type(error).__name__}: {error}") from error


def compile_named(name: str, owner: Path) -> GameTree:
    """The game that a saved run or strategy says it is of."""
    try:
        return compile_game(name)
    except (UnknownNameError, OptionError) as error:
        raise OptionError(
            f"'{owner}' is of game '{name}', which cannot be found by that name; "
            "say with --game where it is, as in  --game my_game.py:MyGame"
        ) from error


def compile_game(spec: str, memory: int | None = None) -> GameTree:
    """Finds and compiles a game; a large one says on standard error how far it is."""
    game = find_game(spec)
    with _told_in_one_line(spec), compiling(spec) as seen:
        return fogtree.compile(game, memory=memory, progress=seen)


def find_strategy(source: Path, tree: GameTree | None = None) -> Strategy:
    """A strategy from a file, binary or JSON, or from the folder of a run."""
    if source.is_dir():
        from fogtree.solvers import saved_strategy
        from fogtree.solvers.run import load_manifest

        if tree is None:
            tree = compile_named(load_manifest(source)["game"], source)
        return saved_strategy(source, game=tree)
    if _is_text(source):
        return _from_json(source, tree)
    return fogtree.Strategy.load(source)


def _is_text(path: Path) -> bool:
    try:
        with path.open("rb") as file:
            return file.read(64).lstrip()[:1] == b"{"
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
    return fogtree.Strategy.from_mapping(tree, mixes)


def find_strategy_and_tree(source: Path, game: str | None) -> tuple[Strategy, GameTree]:
    """A strategy and the compiled game it belongs to, which ``game`` names if the file does not."""
    if game is not None:
        tree = compile_game(game)
        strategy = find_strategy(source, tree)
    else:
        strategy = find_strategy(source)
        tree = compile_named(strategy.game, source)
    strategy.for_tree(tree)
    return strategy, tree
