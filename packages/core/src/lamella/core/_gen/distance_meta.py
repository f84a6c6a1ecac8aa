# Generated from packages/core/src/lamella/core/ops/distance.yaml (sha256 6ad0707454b5021f). Do not edit:
# change the source and run `uv run tools/gen.py`.
from lamella.core.meta import meta_elementwise as _elementwise, meta_inplace as _inplace, meta_result as _result
from lamella.core.runtime import bump as _bump, return_type as _return_type, wrap_view as _wrap_view
import numpy as _xp
import lamella.core.kernels.distance as _k
import lamella.core.meta.distance as _m


def _cdist_forward(x1, x2, p, compute_mode):
    return _result(_m._cdist_forward(x1, x2, p, compute_mode))
