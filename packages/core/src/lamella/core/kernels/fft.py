"""Fourier transforms of arrays, by SciPy (which keeps single precision)."""

from __future__ import annotations

from typing import Any

import numpy as np

#: torch's numbers for the scaling -> SciPy's names, for forward and for inverse transforms.
_FORWARD = ("backward", "ortho", "forward")
_INVERSE = ("forward", "ortho", "backward")


def _scipy() -> Any:
    import scipy.fft

    return scipy.fft


def _fft_c2c(xp: Any, self: Any, dim: Any, normalization: int, forward: bool) -> Any:
    if not dim:
        return self.copy()
    if forward:
        return _scipy().fftn(self, axes=dim, norm=_FORWARD[normalization])
    return _scipy().ifftn(self, axes=dim, norm=_INVERSE[normalization])


def _fft_r2c(xp: Any, self: Any, dim: Any, normalization: int, onesided: bool) -> Any:
    if onesided:
        return _scipy().rfftn(self, axes=dim, norm=_FORWARD[normalization])
    return _scipy().fftn(self, axes=dim, norm=_FORWARD[normalization])


def _fft_c2r(xp: Any, self: Any, dim: Any, normalization: int, last_dim_size: int) -> Any:
    shape = [self.shape[d] for d in dim[:-1]] + [last_dim_size]
    r = _scipy().irfftn(self, shape, axes=dim, norm=_INVERSE[normalization])
    return np.asarray(r)
