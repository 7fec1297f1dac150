"""Games and algorithms from a user's own file: ``my_game.py:MyGame(bet=4)``."""

from __future__ import annotations

import importlib.util
import io
import pickle
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, redirect_stdout
from difflib import get_close_matches
from inspect import signature
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any, get_type_hints

from fogtree.errors import GameError, OptionError, UnknownNameError
from fogtree.system.foreign_errors import failure_text, report_errors
from fogtree.text.specs import Spec, parse_spec
from fogtree.text.validation import checked

OWN_MODULE = "own:"
"""The names of modules made of users' files begin like this."""
_FILE, _NAME = ".py", ".py:"
_loaded: list[str] = []  # specs of the objects that were loaded, the last one last
_CHECKED = (int, float, bool, str)  # types of parameters that are checked before a class is called


def is_user_code(spec: str) -> bool:
    """Whether a spec names a user's file, which other processes cannot import."""
    return _NAME in spec or spec.rstrip().endswith(_FILE)


@contextmanager
def prints_to_stderr() -> Iterator[None]:
    """Send what a user's code prints to standard error; standard output is for results."""
    with redirect_stdout(sys.stderr):
        yield


@contextmanager
def user_game_errors(spec: str) -> Iterator[None]:
    """Report errors in the block in one line that names the game, if the game's code is not
    fogtree's: if its spec names a user's file, or has a prefix such as ``openspiel:``."""
    if not is_user_code(spec) and ":" not in spec.partition("(")[0]:
        yield
        return
    with report_errors(f"'{spec}'", _file(spec), GameError):
        yield


def user_code_failure(error: Exception) -> str | None:
    """One line that attributes an unexpected error to the user's object that was loaded last; None
    if none was loaded."""
    if not _loaded:
        return None
    spec = _loaded[-1]
    return failure_text(f"'{spec}'", _file(spec), error)


def _file(spec: str) -> str:
    """The file that a spec names: ``my_game.py`` in ``my_game.py:MyGame(bet=4)``."""
    return spec.rstrip() if _NAME not in spec else spec.partition(_NAME)[0] + _FILE


def load_user_object(spec: str, fits: Callable[[Any], bool], what: str) -> Any:
    """The object that a spec such as ``my_game.py:MyGame(bet=4)`` names; a class is called if
    there are parameters. ``fits`` is the test for objects of the kind ``what``."""
    path, name = Path(_file(spec)), spec.partition(_NAME)[2]
    names = vars(_run(path))
    known = list(_public(names, fits))
    if not name and known:
        listed = ", ".join(f"{path}:{key}" for key in known[:8])
        raise OptionError(f"say which {what} of '{path}' is meant: {listed}")
    named = parse_spec(name, what) if name else Spec("")
    name, values = named.name, named.settings
    if name not in names and not known:
        raise OptionError(f"there is no {what} in '{path}'")
    if name not in names:
        raise UnknownNameError(f"{what} in '{path}'", name, known)
    found = names[name]
    _loaded.append(spec)
    if not values:
        return found
    if not (isinstance(found, type) and fits(found)):
        raise OptionError(f"'{spec}': '{name}' is not a class of a {what} and takes no parameters")
    return _instantiate(found, values, f"'{name}' in '{path}'", path)


def objects_in_file(path: Path, fits: Callable[[Any], bool]) -> dict[str, Any]:
    """The public objects of a user's file that pass a test, by their names."""
    return _public(vars(_run(path)), fits)


def _public(names: Mapping[str, Any], fits: Callable[[Any], bool]) -> dict[str, Any]:
    """The objects with a public name that pass the test ``fits``, among the names of a module."""
    return {key: value for key, value in names.items() if not key.startswith("_") and fits(value)}


def _instantiate(cls: type, values: Mapping[str, object], what: str, path: Path) -> Any:
    """Call a user's class with parameters that are checked first: their names, and the types of
    numbers, switches and texts. ``what`` names the class in errors."""
    taken = signature(cls).parameters
    for key, value in values.items():
        if not taken:
            raise OptionError(f"{what} takes no parameters, but '{key}' was given")
        if key not in taken and not any(one.kind is one.VAR_KEYWORD for one in taken.values()):
            raise UnknownNameError(f"parameter of {what}", key, taken)
        kind = _parameter_type(cls, key)
        if kind in _CHECKED:
            checked(value, kind, f"{what}: {key}")
    with prints_to_stderr(), report_errors(what, str(path), GameError):
        return cls(**values)


def _parameter_type(cls: type, name: str) -> Any:
    """The annotated type of a parameter of a class's own ``__init__``; None if it is unknown."""
    try:
        return get_type_hints(vars(cls)["__init__"]).get(name)
    except Exception:  # names in annotations may be missing in the running program
        return None


def _run(path: Path) -> ModuleType:
    """Import a user's file as a module."""
    if not path.is_file():
        raise OptionError(f"there is no file '{path}'{_similar_file_hint(path)}")
    spec = importlib.util.spec_from_file_location(f"{OWN_MODULE}{path.resolve()}", path)
    if spec is None or spec.loader is None:
        raise OptionError(f"cannot read Python from '{path}'")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look their module up there
    try:
        with prints_to_stderr(), report_errors(f"'{path}'", str(path), GameError):
            spec.loader.exec_module(module)
    except SystemExit as error:
        raise GameError(f"'{path}' fails: it ends the program when it is loaded") from error
    return module


class _Pickler(pickle.Pickler):
    """A pickler that knows classes and functions of users' files, which cannot be imported by the
    names of their modules."""

    def reducer_override(self, value: Any) -> Any:
        """Pickle such a class or function by its file and its name there; one made in a function
        (``<locals>``) has none and cannot be pickled."""
        module = getattr(value, "__module__", None)
        if isinstance(value, type | FunctionType) and str(module).startswith(OWN_MODULE):
            named: Any = value
            if "<" not in named.__qualname__:
                return _from_file, (module, named.__qualname__)
        return NotImplemented


def _from_file(module: str, name: str) -> Any:
    """The class or function of a user's file, which is imported if it is not yet."""
    found: Any = sys.modules.get(module)
    if found is None:
        found = _run(Path(module.removeprefix(OWN_MODULE)))
    for part in name.split("."):
        found = getattr(found, part)
    return found


def pickled(value: object) -> bytes:
    """Pickle a value for another process, to be read with ``pickle.loads``; its classes may be from
    users' files."""
    out = io.BytesIO()
    _Pickler(out, pickle.HIGHEST_PROTOCOL).dump(value)
    return out.getvalue()


def _similar_file_hint(path: Path) -> str:
    """What to add to "there is no file": that its folder is missing too, a file with a similar
    name, or the folder searched; else nothing."""
    if not path.parent.is_dir():
        return f" (nor a folder '{path.parent}')"
    there = [one.name for one in path.parent.glob(f"*{_FILE}")]
    close = get_close_matches(path.name, there, n=1, cutoff=0.5)
    if close:
        return f"; did you mean '{path.parent / close[0]}'?"
    return f" in '{path.parent.resolve()}'" if path.parent == Path() else ""
