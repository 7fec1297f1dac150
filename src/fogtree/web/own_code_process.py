"""The process that runs a visitor's Python file: lists its games, or compiles one of them.

Called as ``python -m fogtree.web.own_code_process ORDER SPEC MEMORY SECONDS`` in a folder with the
file; the results are files in that folder.
"""

from __future__ import annotations

import dataclasses
import faulthandler
import inspect
import json
import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np

from fogtree.errors import FogtreeError
from fogtree.game import Game, Parameter, ParameterGame
from fogtree.game.tree_source import TreeParts
from fogtree.registry import is_game
from fogtree.system.user_code import OWN_MODULE, objects_in_file
from fogtree.terminal.inputs import compile_game
from fogtree.tree import GameTree
from fogtree.web.child_process import watch_parent

ANSWER, ARRAYS, WHERE = "answer.json", "tree.npz", "where.txt"
"""The files of results: the answer, a tree's arrays, and a traceback if the time was up."""
_ADDRESS_SPACE = 4_000_000_000  # bytes: the libraries reserve more than they use
_KINDS = {int: "whole number", float: "number", bool: "switch", tuple: "list", list: "list"}


def main(order: str, spec: str, memory: str, seconds: str) -> None:
    """Carry out one order, ``list`` or ``compile``, and write the answer or the error to a file."""
    watch_parent(lambda: os._exit(1))
    _bound(float(seconds))
    with open(WHERE, "w", encoding="utf-8") as where:
        faulthandler.dump_traceback_later(float(seconds), exit=True, file=where)
        try:
            answer = list_games(spec) if order == "list" else compile_to_files(spec, int(memory))
        except FogtreeError as error:
            answer = {"error": str(error)}
        except MemoryError:
            answer = {"error": f"'{spec}' needs more memory than this server allows"}
        except RecursionError:
            answer = {"error": f"'{spec}' fails: RecursionError: it calls itself too deeply"}
        faulthandler.cancel_dump_traceback_later()
    Path(ANSWER).write_text(json.dumps(answer), encoding="utf-8")


def _bound(seconds: float) -> None:
    """Limit memory and processor time, and give way to the server. Windows has no such limits, and
    macOS none on memory; the time of the clock is limited everywhere."""
    if sys.platform == "win32":
        return
    import resource  # noqa: PLC0415 - not on every system

    os.nice(10)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    with suppress(ValueError):
        resource.setrlimit(resource.RLIMIT_AS, (_ADDRESS_SPACE, _ADDRESS_SPACE))
    most = int(seconds) + 60
    resource.setrlimit(resource.RLIMIT_CPU, (most, most))


def list_games(file: str) -> dict[str, Any]:
    """The games that a file defines, or else those that it imports, for the list of games."""
    found = objects_in_file(Path(file), is_game)
    own = {name: one for name, one in found.items() if _module(one).startswith(OWN_MODULE)}
    games = [_described(f"{file}:{name}", one) for name, one in (own or found).items()]
    if not games:
        return {"error": f"there is no game in '{file}': write a class that is a fogtree.Game"}
    return {"games": games}


def _module(game: Any) -> str:
    """The name of the module that defines a game's class."""
    return str((game if isinstance(game, type) else type(game)).__module__)


def _described(name: str, game: Any) -> dict[str, Any]:
    """A game of the file as the list of games describes it."""
    cls: type[Game] = game if isinstance(game, type) else type(game)
    players = game.players if isinstance(getattr(game, "players", None), int) else 2
    summary = (cls.__doc__ or "").strip().splitlines()[:1]
    return {
        "name": name,
        "summary": summary[0] if summary else "",
        "players": players,
        "parameters": [one.to_dict() for one in _parameters(game)],
        "seats": [],
        "agents": [],
    }


def _parameters(game: Any) -> tuple[Parameter, ...]:
    """The parameters of a game's class whose defaults are plain values, for a form; none for an
    instance."""
    if not isinstance(game, type):
        return ()
    if issubclass(game, ParameterGame) and dataclasses.is_dataclass(game):
        return game.parameters()
    try:
        taken = inspect.signature(game).parameters.values()
    except (TypeError, ValueError):
        return ()
    plain = (int, float, bool, str)
    return tuple(
        Parameter(one.name, one.default, "", _KINDS.get(type(one.default), "text"))
        for one in taken
        if isinstance(one.default, plain)
    )


def compile_to_files(spec: str, memory: int) -> dict[str, Any]:
    """Compile a game; its arrays go to the file ARRAYS, and all else of the tree is returned as
    JSON."""
    tree = compile_game(spec, memory, workers=1)  # its limits are those of one process
    parts = {field.name: getattr(tree, field.name) for field in dataclasses.fields(TreeParts)}
    arrays = {name: value for name, value in parts.items() if isinstance(value, np.ndarray)}
    with open(ARRAYS, "wb") as out:
        np.savez(out, **arrays)  # type: ignore[arg-type]
    texts = {name: list(value) for name, value in parts.items() if isinstance(value, Sequence)}
    return {**_facts(tree), "texts": texts}


def _facts(tree: GameTree) -> dict[str, Any]:
    """The fields of a tree that are neither arrays nor lists of texts."""
    return {"game": tree.game, "players": tree.players, "seconds": tree.seconds}


if __name__ == "__main__":
    main(*sys.argv[1:])
