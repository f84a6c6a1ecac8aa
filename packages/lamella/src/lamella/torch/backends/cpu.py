"""torch.backends.cpu: the processor."""

from __future__ import annotations

from .._missing import lookup


def get_cpu_capability() -> str:
    """The widest vector instructions that NumPy's kernels use, under torch's names."""
    from numpy._core._multiarray_umath import __cpu_features__ as found

    if found.get("AVX512F"):
        return "AVX512"
    return "AVX2" if found.get("AVX2") else "DEFAULT"


__getattr__, __dir__ = lookup(__name__)
