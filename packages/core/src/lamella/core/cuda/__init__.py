"""CUDA: the CPU's kernels, run over CuPy's arrays.

A tensor on a GPU holds a `cupy.ndarray`. Its kernels are made from the CPU's when a call first needs them: the same
code, with CuPy's names where NumPy's were (`twins`). What CuPy lacks or does otherwise is mended once, in `xp`; an
operator that needs more has a kernel of its own in the module of the same name below ``kernels``.

Nothing here imports CuPy before a tensor is asked for on a GPU.
"""

from __future__ import annotations

from .presence import available as available, device_count as device_count, missing as missing, require as require

__all__ = ["available", "device_count", "missing", "require"]
