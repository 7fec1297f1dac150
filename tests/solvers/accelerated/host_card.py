"""The kernels of the GPU, compiled as C++ and run by one thread of the processor."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np

from fogtree.solvers.accelerated.card import kernel_text
from tests.support.compilers import shared_library

SHIM = """
struct int2 { int x, y; };
struct int4 { int x, y, z, w; };
struct Three { unsigned x; };
static const Three threadIdx{0}, blockIdx{0}, blockDim{1}, gridDim{1};
#define __global__
#define __device__
#define __shared__ static
#define __launch_bounds__(...)
static void __syncthreads() {}
static void __threadfence() {}
static unsigned atomicAdd(unsigned* at, unsigned more) { return (*at += more) - more; }
"""
ARGUMENTS = {
    "iterate": [ctypes.c_void_p] * 3 + [ctypes.c_int] * 2 + [ctypes.c_double],
    "spread": [ctypes.c_void_p] * 2,
    "evaluate": [ctypes.c_void_p] * 2 + [ctypes.c_int, ctypes.c_void_p],
}


def library(real: str) -> ctypes.CDLL:
    """The kernels as a shared library, compiled once."""
    text = f"#define REAL {real}\n#define THREADS 1\n#define BLOCKS 1\n{SHIM}\n{kernel_text()}"
    return shared_library(text, "cpp", "-std=c++17", "-O1", "-ffp-contract=off", "-w")


class HostCard:
    """One thread of the processor in the place of a GPU."""

    threads = 1

    def __init__(self, precision: str, free: int = 1 << 40) -> None:
        self._library = library("double" if precision == "float64" else "float")
        self._free = free

    def put(self, array: Any) -> Any:
        return np.array(array)

    def get(self, array: Any) -> Any:
        return array.copy()

    def address(self, array: Any) -> int:
        return array.ctypes.data

    def launch(self, kernel: str, *arguments: Any) -> None:
        function = getattr(self._library, kernel)
        function.argtypes, function.restype = ARGUMENTS[kernel], None
        function(*(self._plain(argument) for argument in arguments))

    def _plain(self, argument: Any) -> Any:
        return argument.ctypes.data if isinstance(argument, np.ndarray) else argument.item()

    def free_bytes(self) -> int:
        return self._free
