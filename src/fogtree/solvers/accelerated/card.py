"""An NVIDIA GPU through CuPy: memory, and kernels that are compiled when they are first used."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from importlib.resources import as_file, files
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from fogtree.errors import MemoryLimitError, MissingExtraError, OptionError
from fogtree.system.file_reader import read_text
from fogtree.text.choices import Precision

THREADS, BLOCKS = 1024, 1
"""Threads of a block, and blocks of a multiprocessor: few blocks meet sooner at a barrier."""


class Card(Protocol):
    """What an engine needs of the machine that runs ``kernels.cu``."""

    threads: int
    """Threads of all blocks together."""

    def put(self, array: NDArray[Any]) -> Any:
        """A copy of an array in the card's memory."""

    def get(self, array: Any) -> NDArray[Any]:
        """A copy of one of the card's arrays."""

    def address(self, array: Any) -> int:
        """The address of the first byte of one of the card's arrays."""

    def launch(self, kernel: str, *arguments: Any) -> None:
        """Run a kernel of the text ``kernels.cu`` to its end."""

    def free_bytes(self) -> int:
        """Bytes of memory that can still be allocated on the card."""


def kernel_text() -> str:
    """The kernels in CUDA C++."""
    with as_file(files(__package__) / "kernels.cu") as path:
        return read_text(path)


def find_cupy() -> Any:
    """The module ``cupy``; an error if it is not installed or finds no GPU."""
    try:
        cupy = import_module("cupy")
    except ImportError as error:
        raise MissingExtraError("cupy", "gpu") from error
    try:
        count = cupy.cuda.runtime.getDeviceCount()
    except cupy.cuda.runtime.CUDARuntimeError as error:
        why = str(error).partition(": ")[2]
        raise OptionError(f"CuPy finds no NVIDIA GPU here ({why}); use --device cpu") from error
    if not count:
        raise OptionError("CuPy finds no NVIDIA GPU here; use --device cpu")
    return cupy


class CupyCard:
    """The first GPU of the machine as a :class:`Card`. Kernels run on ``blocks`` blocks of
    ``threads`` threads per multiprocessor."""

    def __init__(self, precision: Precision, threads: int = THREADS, blocks: int = BLOCKS) -> None:
        """Compile the kernels for numbers of this precision."""
        self._cupy = cupy = find_cupy()
        self._grid = (blocks * int(cupy.cuda.Device(0).attributes["MultiProcessorCount"]),)
        self._block = (threads,)
        self.threads = self._grid[0] * threads
        real = "double" if precision == "float64" else "float"
        names = {"REAL": real, "THREADS": threads, "BLOCKS": blocks}
        self._module = cupy.RawModule(
            code=kernel_text(),
            options=("-std=c++17", *(f"-D{name}={value}" for name, value in names.items())),
            enable_cooperative_groups=True,
        )

    def put(self, array: NDArray[Any]) -> Any:
        """A copy of an array in the GPU's memory."""
        with self._errors():
            return self._cupy.asarray(array)

    def get(self, array: Any) -> NDArray[Any]:
        """A copy of one of the GPU's arrays in main memory."""
        with self._errors():
            return np.asarray(self._cupy.asnumpy(array))

    def address(self, array: Any) -> int:
        """The address of the first byte of an array in the GPU's memory."""
        return int(array.data.ptr)

    def launch(self, kernel: str, *arguments: Any) -> None:
        """Run a kernel of ``kernels.cu`` on all multiprocessors, and wait for its end."""
        with self._errors():
            self._module.get_function(kernel)(self._grid, self._block, arguments)
            self._cupy.cuda.get_current_stream().synchronize()

    def free_bytes(self) -> int:
        """Bytes that can be allocated: the GPU's free memory, and what CuPy has reserved and not
        used."""
        pool = self._cupy.get_default_memory_pool()
        return int(self._cupy.cuda.runtime.memGetInfo()[0]) + int(pool.free_bytes())

    @contextmanager
    def _errors(self) -> Iterator[None]:
        """Turn errors of the GPU into errors of fogtree, with advice."""
        cuda = self._cupy.cuda
        try:
            yield
        except cuda.memory.OutOfMemoryError as error:
            raise MemoryLimitError(
                "the GPU has too little free memory; end other programs that use it, or use "
                "--device cpu"
            ) from error
        except (
            cuda.runtime.CUDARuntimeError,
            cuda.driver.CUDADriverError,
            cuda.compiler.CompileException,
        ) as error:
            raise OptionError(f"the GPU fails; use --device cpu: {error}") from error
