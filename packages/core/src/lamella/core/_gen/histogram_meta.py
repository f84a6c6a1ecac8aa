# Generated from packages/core/src/lamella/core/ops/histogram.yaml (sha256 8c828063265ef290). Do not edit:
# change the source and run `uv run tools/gen.py`.
from lamella.core.meta import meta_elementwise as _elementwise, meta_inplace as _inplace, meta_result as _result
from lamella.core.runtime import bump as _bump, return_type as _return_type, wrap_view as _wrap_view
import numpy as _xp
import lamella.core.kernels.histogram as _k
import lamella.core.meta.histogram as _m

_R_histogram_bins_tensor = _return_type("histogram", ("hist", "bin_edges", ))
_R_histogram_bin_ct = _return_type("histogram", ("hist", "bin_edges", ))


def histogram_bins_tensor(self, bins, weight=None, density=False):
    return _R_histogram_bins_tensor([_result(x) for x in _m.histogram_bins_tensor(self, bins, weight=weight, density=density)])


def histogram_bin_ct(self, bins=100, range=None, weight=None, density=False):
    return _R_histogram_bin_ct([_result(x) for x in _m.histogram_bin_ct(self, bins, range=range, weight=weight, density=density)])


def _histogramdd_bin_edges(self, bins, range=None, weight=None, density=False):
    return tuple([_result(x) for x in _m._histogramdd_bin_edges(self, bins, range=range, weight=weight, density=density)])


def _histogramdd_from_bin_tensors(self, bins, weight=None, density=False):
    return _result(_m._histogramdd_from_bin_tensors(self, bins, weight=weight, density=density))
