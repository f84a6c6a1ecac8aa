# Generated from packages/core/src/lamella/core/ops/histogram.yaml (sha256 8c828063265ef290). Do not edit:
# change the source and run `uv run tools/gen.py`.
from lamella.core.xp import NUMPY as _xp

from lamella.core.runtime import (
    BACKEND_MASK as _BACKENDS,
    F32 as _F32,
    F64 as _F64,
    Tensor as _Tensor,
    VersionCounter as _VersionCounter,
    asarray as _asarray,
    elementwise as _elementwise,
    elementwise_into as _elementwise_into,
    ndarray as _ndarray,
    new_tensor as _new_tensor,
    operand_error as _operand_error,
    recorder as _recorder,
    refuse_clash as _refuse_clash,
    return_type as _return_type,
    wrap_result as _wrap_result,
    wrap_view as _wrap_view,
    write_back as _write_back,
)
import lamella.core.kernels.histogram as _k

_KS = 1  # of new tensors

_R_histogram_bins_tensor = _return_type("histogram", ("hist", "bin_edges", ))

_R_histogram_bin_ct = _return_type("histogram", ("hist", "bin_edges", ))


def histogram_bins_tensor(self, bins, weight=None, density=False):
    r = _k.histogram_bins_tensor(_xp, self._a, bins._a, None if weight is None else weight._a, density)
    return _R_histogram_bins_tensor([_wrap_result(x) for x in r])


def histogram_bin_ct(self, bins=100, range=None, weight=None, density=False):
    r = _k.histogram_bin_ct(_xp, self._a, bins, range, None if weight is None else weight._a, density)
    return _R_histogram_bin_ct([_wrap_result(x) for x in r])


def _histogramdd_bin_edges(self, bins, range=None, weight=None, density=False):
    r = _k._histogramdd_bin_edges(_xp, self._a, bins, range, None if weight is None else weight._a, density)
    return tuple([_wrap_result(x) for x in r])


def _histogramdd_from_bin_tensors(self, bins, weight=None, density=False):
    r = _k._histogramdd_from_bin_tensors(_xp, self._a, [t._a for t in bins], None if weight is None else weight._a, density)
    if r.__class__ is not _ndarray:
        r = _asarray(r)
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t
