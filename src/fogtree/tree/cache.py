"""Compiled games on disk, so that a large game is compiled once.

A file is named by hashes of the game's class with its parameters and of the source of its rules: it
is found only by the same game with the same rules. Its arrays are mapped into memory and compared
with a checksum; a file that is damaged is ignored with a warning, and written again.
"""

from __future__ import annotations

import json
import mmap
import os
import sys
import sysconfig
import warnings
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, fields, is_dataclass
from functools import partial
from hashlib import blake2b
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from fogtree.errors import CacheWarning, FogtreeError
from fogtree.game import Game
from fogtree.game.tree_source import DeferredNames, Menus, TreeParts
from fogtree.system.file_reader import open_file, read_bytes
from fogtree.system.files import whole_file
from fogtree.system.records import parse_json, read_record
from fogtree.text.sizes import read_size
from fogtree.text.validation import Count

FOLDER, SIZE = "FOGTREE_CACHE", "FOGTREE_CACHE_SIZE"
"""Environment variables: the folder (``off``: no cache), and the bytes that all files may take."""
_USUAL_SIZE = "4GB"
_END = ".tree"
_MAGIC = b"fogtree compiled game 1\n"
_ALIGNED, _DIGEST = 64, 16
_DAMAGED = (FogtreeError, OSError, ValueError, KeyError, TypeError)
_TEXTS = ("labels", "infoset_names")
_NUMBERS = (
    "parent", "player", "action", "index", "chance", "view", "payoffs", "label", "infoset_player",
)  # fmt: skip


def cache_folder() -> Path | None:
    """The folder of compiled games; None if the user switched the cache off."""
    given = os.environ.get(FOLDER, "")
    if given.lower() in ("off", "0", "no"):
        return None
    if given:
        return Path(given)
    try:
        home = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    except RuntimeError:  # the user of the process has no home directory
        return None
    return Path(home) / "fogtree" / "trees"


def size_limit() -> int:
    """The bytes that all files of the cache may take."""
    return read_size(os.environ.get(SIZE) or _USUAL_SIZE, SIZE)


@dataclass(frozen=True, slots=True)
class CachedTree:
    """A file of the cache: the game's name, the number of its histories, the size of the file."""

    path: Path
    game: str
    nodes: int
    bytes: int


def cached_trees() -> list[CachedTree]:
    """The files of the cache, the last used first; files that cannot be read are left out."""
    found = []
    for path in _files():
        with suppress(*_DAMAGED), open_file(path) as file:
            header = _read_header(file.read(1 << 20))[0]
            found.append(CachedTree(path, header.game, header.nodes, path.stat().st_size))
    return found


def clear_cache() -> int:
    """Delete all files of the cache; returns how many there were."""
    files = _files()
    for path in files:
        path.unlink(missing_ok=True)
    return len(files)


def load_tree(game: Game, most: int) -> TreeParts | None:
    """The compiled game from the cache; None if it is not there, damaged, or has more than ``most``
    nodes."""
    try:
        path = _path(game, written=True)
        if path is None or not path.is_file():
            return None
        with open_file(path) as file:
            content = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        os.utime(path)
        return _unpacked(content, most)
    except _DAMAGED as error:
        told = f"the cached tree of {game} is damaged ({error}); it is compiled again"
        warnings.warn(told, CacheWarning, stacklevel=3)
        return None


def store_tree(game: Game, parts: TreeParts) -> None:
    """Keep a compiled game, and delete the files that were not used for the longest time; a disk
    that is full or not writable is no error."""
    with suppress(OSError, FogtreeError):
        path = _path(game, written=False)
        if path is None:
            return
        arrays = _packed(parts)
        size = sum(array.nbytes for array in arrays.values())
        if size > size_limit():
            return
        path.parent.mkdir(parents=True, exist_ok=True)
        _write(path, str(game), arrays)
        _make_room(path)


def _files() -> list[Path]:
    """The files of the cache, the last used first."""
    folder = cache_folder()
    if folder is None or not folder.is_dir():
        return []
    return sorted(folder.glob(f"*{_END}"), key=lambda path: -path.stat().st_mtime)


def _make_room(newest: Path) -> None:
    """Delete the least recently used files until the cache is within its size limit; ``newest``
    stays."""
    left = size_limit()
    for path in _files():
        left -= path.stat().st_size
        if left < 0 and path != newest:
            path.unlink(missing_ok=True)


def _path(game: Game, *, written: bool) -> Path | None:
    """The cache's file of a game, named by the game and the source code of its rules; None if the
    cache is off or the game cannot be identified. With ``written``, for a file to be read, also
    None if no file of this game was ever written, which saves reading the sources."""
    folder, identity = cache_folder(), _identity(game)
    if folder is None or identity is None:
        return None
    name = blake2b(identity.encode(), digest_size=12).hexdigest()
    if written and not any(folder.glob(f"{name}-*{_END}")):
        return None
    sources = blake2b(digest_size=12)
    for source in _sources(type(game)):
        if source.is_file():
            sources.update(read_bytes(source))
    return folder / f"{name}-{sources.hexdigest()}{_END}"


def _identity(game: Game) -> str | None:
    """A text that identifies a game: its class and its ``rules_text`` or, without that, its
    parameters. None if a parameter is no plain value, or if the class is defined in a function or
    outside of a file."""
    values: dict[str, Any] = vars(game) if hasattr(game, "__dict__") else {}
    if is_dataclass(game):
        values = {field.name: getattr(game, field.name) for field in fields(game)}
    kind, module = type(game), sys.modules.get(type(game).__module__)
    known = getattr(module, "__file__", None) is not None and "<locals>" not in kind.__qualname__
    if known and game.rules_text is not None:
        return f"{kind.__module__}.{kind.__qualname__} {game.rules_text}"
    if not known or not all(map(_is_plain, values.values())):
        return None
    return f"{kind.__module__}.{kind.__qualname__}{sorted(values.items())!r}"


def _is_plain(value: object) -> bool:
    """Whether a parameter's value is text, a number, a truth value, None, or a tuple of those."""
    if isinstance(value, tuple):
        return all(map(_is_plain, value))
    return value is None or type(value) in (int, float, str, bool)


def _sources(game: type) -> Iterator[Path]:
    """All source code that the rules of a game may depend on: the package's games, adapters and
    compiler, the native core, and every loaded module that is neither in Python's library nor in an
    installed package."""
    package = Path(__file__).parents[1]
    for folder in ("adapters", "game", "games", "tree"):
        yield from sorted((package / folder).rglob("*.py"))
    yield from sorted(package.glob("_core*.so"))
    paths = sysconfig.get_paths()
    libraries = [Path(paths[name]) for name in ("stdlib", "purelib", "platlib")]
    top = game.__module__.partition(".")[0]
    for name, module in sorted(sys.modules.items()):
        file = getattr(module, "__file__", None)
        if file is None or not file.endswith(".py") or name.partition(".")[0] == "fogtree":
            continue
        path = Path(file)
        foreign = any(path.is_relative_to(library) for library in libraries)
        if not foreign or name.partition(".")[0] == top:
            yield path


def _packed(parts: TreeParts) -> dict[str, NDArray[Any]]:
    """All parts as arrays of numbers; texts are bytes with the places where each ends."""
    arrays = {name: getattr(parts, name) for name in _NUMBERS}
    texts = {name: list(getattr(parts, name)) for name in _TEXTS}
    labels = Menus.of(parts.infoset_labels)
    arrays["infoset_menu"] = labels.numbers
    arrays["menu_ends"] = np.cumsum([len(menu) for menu in labels.menus], dtype=np.int64)
    texts["menus"] = [label for menu in labels.menus for label in menu]
    for name, words in texts.items():
        encoded = [word.encode("utf-8", "surrogatepass") for word in words]
        arrays[f"{name}_text"] = np.frombuffer(b"".join(encoded), dtype=np.uint8)
        arrays[f"{name}_ends"] = np.cumsum([len(word) for word in encoded], dtype=np.int64)
    return arrays


def _write(path: Path, game: str, arrays: dict[str, NDArray[Any]]) -> None:
    """Write the header, the arrays (each at a multiple of 64 bytes) and a checksum over
    everything."""
    listed, blocks, place = [], [], 0
    for name, array in arrays.items():
        block = np.ascontiguousarray(array).tobytes()
        block += bytes(-len(block) % _ALIGNED)
        listed.append([name, array.dtype.str, list(array.shape), place])
        blocks.append(block)
        place += len(block)
    header = {"game": game, "nodes": len(arrays["parent"]), "arrays": listed, "bytes": place}
    beginning = _MAGIC + json.dumps(header).encode() + b"\n"
    digest = blake2b(digest_size=_DIGEST)
    with whole_file(path) as out:
        for block in (beginning + bytes(-len(beginning) % _ALIGNED), *blocks):
            digest.update(block)
            out.write(block)
        out.write(digest.digest())


class _Header(Struct):
    """The header of a file: of each array its name, type, shape and place."""

    game: str
    nodes: Count
    arrays: list[tuple[str, str, list[Count], Count]]


def _read_header(content: bytes | mmap.mmap) -> tuple[_Header, int]:
    """The header of a file, and where the arrays begin."""
    end = content.find(b"\n", len(_MAGIC)) + 1
    if content[: len(_MAGIC)] != _MAGIC or end == 0:
        raise ValueError("another format")
    header = read_record(
        parse_json(content[len(_MAGIC) : end], "its header"), _Header, "its header"
    )
    return header, end + -end % _ALIGNED


def _unpacked(content: mmap.mmap, most: int) -> TreeParts | None:
    """The parts of a compiled game from the content of its file, in which the arrays stay; None if
    it has more than ``most`` nodes."""
    whole = memoryview(content)
    if blake2b(whole[:-_DIGEST], digest_size=_DIGEST).digest() != whole[-_DIGEST:]:
        raise ValueError("its checksum differs")
    header, start = _read_header(content)
    if header.nodes > most:
        return None
    arrays: dict[str, NDArray[Any]] = {}
    for name, kind, shape, place in header.arrays:
        count = int(np.prod(shape, dtype=np.int64))
        arrays[name] = np.frombuffer(whole, np.dtype(kind), count, start + place).reshape(shape)
    words = _texts(arrays, "menus")
    menus = [tuple(words[a:b]) for a, b in pairwise([0, *arrays["menu_ends"].tolist()])]
    names = partial(_texts, arrays, "infoset_names")
    return TreeParts(
        **{name: arrays[name] for name in _NUMBERS},
        labels=tuple(_texts(arrays, "labels")),
        infoset_names=DeferredNames(len(arrays["infoset_names_ends"]), names),
        infoset_labels=Menus(menus, arrays["infoset_menu"]),
    )


def _texts(arrays: dict[str, NDArray[Any]], name: str) -> list[str]:
    """The texts that :func:`_packed` stored under this name, as bytes and the end of each text."""
    text, ends = arrays[f"{name}_text"].tobytes(), [0, *arrays[f"{name}_ends"].tolist()]
    return [text[a:b].decode("utf-8", "surrogatepass") for a, b in pairwise(ends)]
