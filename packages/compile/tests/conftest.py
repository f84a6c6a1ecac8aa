"""Fixtures of the compiler's tests."""

import compile_cuda_standin
import pytest

from lamella import torch


@pytest.fixture
def fresh():
    """Nothing was compiled before, and nothing is left."""
    torch.compiler.reset()
    yield
    torch.compiler.reset()


@pytest.fixture
def gpu(cupy_on_numpy, monkeypatch):
    """Programs for tensors of the stand-in's GPUs run; its value names the kernels that were started."""
    with compile_cuda_standin.gpu(monkeypatch) as found:
        yield found
    torch.compiler.reset()
