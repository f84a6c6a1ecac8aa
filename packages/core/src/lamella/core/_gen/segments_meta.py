# Generated from packages/core/src/lamella/core/ops/segments.yaml (sha256 6cee8f6672444cbf). Do not edit:
# change the source and run `uv run tools/gen.py`.
from lamella.core.meta import meta_elementwise as _elementwise, meta_inplace as _inplace, meta_result as _result
from lamella.core.runtime import bump as _bump, return_type as _return_type, wrap_view as _wrap_view
import numpy as _xp
import lamella.core.kernels.segments as _k
import lamella.core.meta.segments as _m


def _segment_sum(self, lengths):
    return _result(_m._segment_sum(self, lengths))
