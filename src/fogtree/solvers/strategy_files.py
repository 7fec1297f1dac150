"""Read strategies from files and from the folders of saved runs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from msgspec import Struct

from fogtree.errors import FileFormatError, OptionError
from fogtree.solvers.folder import SolverFolder
from fogtree.solvers.solve import saved_strategy
from fogtree.strategy import Strategy
from fogtree.strategy.formats import read_csv
from fogtree.system.file_reader import open_file, read_bytes
from fogtree.system.records import parse_json, read_record
from fogtree.tree import AnyGame, GameTree, compile


class _Document(Struct):
    """The fields of ``solve --json`` that are a strategy; others are ignored."""

    game: str
    strategy: dict[str, dict[str, float]]


def _compile_named(name: str | None) -> GameTree:
    """Compile the game that a file names. It is an error if it names none."""
    if name is None:
        raise OptionError("a CSV file does not say for which game it is; give the game as well")
    return compile(name)


def load_strategy(
    source: str | Path,
    game: AnyGame | None = None,
    *,
    compile_named: Callable[[str | None], GameTree] = _compile_named,
) -> Strategy:
    """The strategy of a file, binary, JSON or CSV, or of the folder of a saved run as it stands.

    It must be a strategy for ``game``, which is needed only for CSV and for games that fogtree
    cannot find by name. Where a strategy cannot be read without its compiled game and none is
    given, ``compile_named`` makes it from the name in the file (None: the file has no name).

    >>> import fogtree, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     run = fogtree.solve("kuhn_poker", iterations=100, save=f"{folder}/run")
    ...     fogtree.load_strategy(run.folder) == run.strategy
    True
    """
    path = Path(source)
    tree = None if game is None else compile(game)
    if path.is_dir():
        name = SolverFolder(path).compiled_manifest().game
        return saved_strategy(path, tree or compile_named(name))
    beginning = _beginning(path)
    if b"infoset" in beginning and b"," in beginning and beginning[:1] not in (b"{", b"P"):
        return read_csv(path, tree or compile_named(None))
    if beginning.startswith(b"{"):
        return _from_json(path, tree, compile_named)
    strategy = Strategy.load(path)
    if tree is not None:
        strategy.for_tree(tree)
    return strategy


def _beginning(path: Path) -> bytes:
    """The first bytes of a file, by which its format is recognised."""
    with open_file(path) as file:
        return file.read(64).lstrip()


def _from_json(
    path: Path, tree: GameTree | None, compile_named: Callable[[str], GameTree]
) -> Strategy:
    """The strategy of a JSON file; it must name every information set."""
    document = read_record(parse_json(read_bytes(path), f"'{path}'"), _Document, f"'{path}'")
    tree = tree or compile_named(document.game)
    missing = [name for name in tree.infoset_names if name not in document.strategy]
    if missing:
        raise FileFormatError(f"'{path}' says nothing about information set '{missing[0]}'")
    return replace(Strategy.from_mapping(tree, document.strategy), game=document.game)
