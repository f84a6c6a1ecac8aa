# Generated from packages/core/src/lamella/core/ops/fft.yaml (sha256 e2e88840a9c6f566). Do not edit:
# change the source and run `uv run tools/gen.py`.
from lamella.core.meta import meta_elementwise as _elementwise, meta_inplace as _inplace, meta_result as _result
from lamella.core.runtime import bump as _bump, return_type as _return_type, wrap_view as _wrap_view
import numpy as _xp
import lamella.core.kernels.fft as _k
import lamella.core.meta.fft as _m


def _fft_c2c(self, dim, normalization, forward):
    return _result(_m._fft_c2c(self, dim, normalization, forward))


def _fft_r2c(self, dim, normalization, onesided):
    return _result(_m._fft_r2c(self, dim, normalization, onesided))


def _fft_c2r(self, dim, normalization, last_dim_size):
    return _result(_m._fft_c2r(self, dim, normalization, last_dim_size))
