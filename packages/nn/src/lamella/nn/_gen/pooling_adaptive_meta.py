# Generated from packages/nn/src/lamella/nn/ops/pooling_adaptive.yaml (sha256 975d808a7e26d0ff). Do not edit:
# change the source and run `uv run tools/gen.py`.
from lamella.core.meta import meta_elementwise as _elementwise, meta_inplace as _inplace, meta_result as _result
from lamella.core.runtime import bump as _bump, return_type as _return_type, wrap_view as _wrap_view
import numpy as _xp
import lamella.nn.kernels.pooling_adaptive as _k
import lamella.nn.meta.pooling_adaptive as _m


def adaptive_avg_pool1d(self, output_size):
    return _result(_m.adaptive_avg_pool(self, output_size))


def _adaptive_avg_pool2d(self, output_size):
    return _result(_m.adaptive_avg_pool(self, output_size))


def _adaptive_avg_pool3d(self, output_size):
    return _result(_m.adaptive_avg_pool(self, output_size))


def _adaptive_avg_pool_backward(grad_output, size, spatial):
    return _result(_m._adaptive_avg_pool_backward(grad_output, size, spatial))


def adaptive_max_pool1d(self, output_size):
    return tuple([_result(x) for x in _m.adaptive_max_pool(self, output_size)])


def adaptive_max_pool2d(self, output_size):
    return tuple([_result(x) for x in _m.adaptive_max_pool(self, output_size)])


def adaptive_max_pool3d(self, output_size):
    return tuple([_result(x) for x in _m.adaptive_max_pool(self, output_size)])


def fractional_max_pool2d(self, kernel_size, output_size, random_samples):
    return tuple([_result(x) for x in _m.fractional_max_pool(self, kernel_size, output_size, random_samples)])


def fractional_max_pool3d(self, kernel_size, output_size, random_samples):
    return tuple([_result(x) for x in _m.fractional_max_pool(self, kernel_size, output_size, random_samples)])
