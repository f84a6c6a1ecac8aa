# Generated from packages/core/src/lamella/core/ops/reduction.yaml (sha256 07b77522051d1351). Do not edit:
# change the source and run `uv run tools/gen.py`.
from lamella.core.meta import meta_elementwise as _elementwise, meta_inplace as _inplace, meta_result as _result
from lamella.core.runtime import bump as _bump, return_type as _return_type, wrap_view as _wrap_view
import numpy as _xp
import lamella.core.kernels.reduction as _k
import lamella.core.meta.reduction as _m


def sum(self, *, dtype=None):
    return _result(_m.sum(self, dtype=dtype))


def sum_dim_IntList(self, dim, keepdim=False, *, dtype=None):
    return _result(_m.sum_dim_IntList(self, dim, keepdim, dtype=dtype))
