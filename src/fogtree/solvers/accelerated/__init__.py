"""Tabular solving on an NVIDIA GPU, by CUDA kernels that CuPy compiles and runs."""
