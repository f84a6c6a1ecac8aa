"""torch.backends: what computes, and switches for it."""

from __future__ import annotations

from .._missing import lookup

__getattr__, __dir__ = lookup(__name__, submodules=(
    "cpu", "cuda", "cudnn", "mkl", "mkldnn", "mps", "openmp", "opt_einsum",
))
