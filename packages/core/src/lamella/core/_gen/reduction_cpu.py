# Generated from packages/core/src/lamella/core/ops/reduction.yaml (sha256 07b77522051d1351). Do not edit:
# change the source and run `uv run tools/gen.py`.
import numpy as _xp

from lamella.core.runtime import (
    F32 as _F32,
    F64 as _F64,
    Tensor as _Tensor,
    VersionCounter as _VersionCounter,
    asarray as _asarray,
    elementwise as _elementwise,
    elementwise_into as _elementwise_into,
    ndarray as _ndarray,
    new as _new,
    operand_error as _operand_error,
    record_write as _record,
    recording as _recording,
    return_type as _return_type,
    wrap_result as _wrap_result,
    wrap_view as _wrap_view,
    write_back as _write_back,
)
import lamella.core.kernels.reduction as _k


def sum(self, *, dtype=None):
    r = _k.sum(_xp, self._a, dtype)
    if r.__class__ is not _ndarray:
        r = _asarray(r)
    t = _new(_Tensor)
    t._a = r
    t._ks = 1
    t._ag = None
    t._vc = None
    t._base = None
    return t


def sum_dim_IntList(self, dim, keepdim=False, *, dtype=None):
    r = _k.sum_dim_IntList(_xp, self._a, dim, keepdim, dtype)
    if r.__class__ is not _ndarray:
        r = _asarray(r)
    t = _new(_Tensor)
    t._a = r
    t._ks = 1
    t._ag = None
    t._vc = None
    t._base = None
    return t
