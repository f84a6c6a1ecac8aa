# Generated from packages/nn/src/lamella/nn/ops/dropout.yaml (sha256 b085960dd3bd38df). Do not edit:
# change the source and run `uv run tools/gen.py`.
from lamella.core.meta import meta_elementwise as _elementwise, meta_inplace as _inplace, meta_result as _result
from lamella.core.runtime import bump as _bump, return_type as _return_type, wrap_view as _wrap_view
import numpy as _xp
import lamella.nn.kernels.dropout as _k
import lamella.nn.meta.dropout as _m


def _dropout_noise(self, size, p, scaled, generator=None):
    return _result(_m._dropout_noise(self, size, p, scaled, generator=generator))
