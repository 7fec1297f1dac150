"""Simulators that other packages provide as native code, by the header ``fogtree_simulator.h``."""

from __future__ import annotations

import ctypes
from _ctypes import CFuncPtr
from pathlib import Path

from fogtree import _core
from fogtree.errors import GameError, OptionError

_CAPSULE = ctypes.c_char_p(b"fogtree.simulator")  # a capsule keeps the address of its name


def include_dir() -> Path:
    """The folder of ``fogtree_simulator.h``, for a compiler's ``-I``.

    >>> import fogtree
    >>> (fogtree.include_dir() / "fogtree_simulator.h").exists()
    True
    """
    return Path(__file__).resolve().parent.parent / "include"


def native_simulator(provider: object, *arguments: object) -> _core.SimulatedGame:
    """A simulator in native code, as :meth:`Game.simulator() <fogtree.Game.simulator>` returns it.

    ``provider`` is a capsule named ``fogtree.simulator``, which is kept, or a function of a library
    opened by :mod:`ctypes`. The function is called with ``arguments`` and returns a pointer to a
    ``fogtree_simulator`` that stays as it is until the program ends, or ``NULL``.

    >>> import ctypes, fogtree
    >>> library = ctypes.CDLL("./kuhn.so")  # doctest: +SKIP
    >>> simulator = fogtree.native_simulator(library.kuhn)  # doctest: +SKIP
    """
    if isinstance(provider, CFuncPtr):
        return _core.provided_game(_capsule_of(provider, arguments))
    if type(provider).__name__ != "PyCapsule":
        raise OptionError(
            "a capsule or a function of a library opened by ctypes is needed, not a value of type "
            f"{type(provider).__name__}"
        )
    if arguments:
        raise OptionError("a native simulator in a capsule takes no arguments")
    return _core.provided_game(provider)


def _capsule_of(function: CFuncPtr, arguments: tuple[object, ...]) -> object:
    """A capsule with the pointer that a function of ctypes returns."""
    name = getattr(function, "__name__", "the function")
    code = ctypes.cast(function, ctypes.c_void_p).value
    if code is None:
        raise OptionError(f"{name} is NULL")
    try:
        address = ctypes.CFUNCTYPE(ctypes.c_void_p)(code)(*arguments)
    except ctypes.ArgumentError as error:
        raise OptionError(f"{name}: {error}") from error
    if address is None:
        raise GameError(f"{name}() returns NULL: there is no native simulator")
    types = (ctypes.py_object, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p)
    new = ctypes.PYFUNCTYPE(*types)(("PyCapsule_New", ctypes.pythonapi))
    capsule: object = new(address, _CAPSULE, None)
    return capsule
