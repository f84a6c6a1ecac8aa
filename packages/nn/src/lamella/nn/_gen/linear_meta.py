# Generated from packages/nn/src/lamella/nn/ops/linear.yaml (sha256 ef39e33a3869864c). Do not edit:
# change the source and run `uv run tools/gen.py`.
from lamella.core.meta import meta_elementwise as _elementwise, meta_inplace as _inplace, meta_result as _result
from lamella.core.runtime import bump as _bump, return_type as _return_type, wrap_view as _wrap_view
import numpy as _xp
import lamella.nn.kernels.linear as _k
import lamella.nn.meta.linear as _m


def linear(input, weight, bias=None):
    return _result(_m.linear(input, weight, bias))


def linear_backward(self, grad_output, weight, output_mask):
    return tuple([_result(x) for x in _m.linear_backward(self, grad_output, weight, output_mask)])
