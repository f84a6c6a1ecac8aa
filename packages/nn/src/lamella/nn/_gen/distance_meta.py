# Generated from packages/nn/src/lamella/nn/ops/distance.yaml (sha256 b8240470d5656be8). Do not edit:
# change the source and run `uv run tools/gen.py`.
from lamella.core.meta import meta_elementwise as _elementwise, meta_inplace as _inplace, meta_result as _result
from lamella.core.runtime import bump as _bump, return_type as _return_type, wrap_view as _wrap_view
import numpy as _xp
import lamella.nn.kernels.distance as _k
import lamella.nn.meta.distance as _m


def _pdist_forward(self, p=2):
    return _result(_m._pdist_forward(self, p))


def _pdist_backward(grad, self, pdist):
    return _result(_m._pdist_backward(grad, self, pdist))
