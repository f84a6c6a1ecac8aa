"""Seed and offset of a GPU's generator as a tensor, for kernels that draw random numbers themselves."""

from __future__ import annotations

from typing import Any

import numpy as np

from lamella.core.random.gpu import default_gpu_generator
from lamella.core.tensor import CPU, Tensor, wrap
from lamella.dispatch.library import Library

NAME = "lamella_compile::draws"
_library = Library("lamella_compile", "DEF")


def _register() -> None:
    _library.define("draws(int count) -> Tensor")
    _library.impl("draws", _on_host, "CPU")
    _library.impl("draws", _on_gpu, "CUDA")


def _taken(index: int, count: int) -> np.ndarray:
    return np.array(default_gpu_generator(index).take(count), np.uint64).view(np.int64)


def _on_host(count: int) -> Tensor:
    """For devices that are played on the host: the first GPU's generator."""
    return wrap(_taken(0, count), CPU)


def _on_gpu(count: int) -> Tensor:
    import cupy

    from lamella.core.cuda.twins import CUDA

    found: Any = cupy.asarray(_taken(cupy.cuda.runtime.getDevice(), count))
    return wrap(found, CUDA)


_register()
