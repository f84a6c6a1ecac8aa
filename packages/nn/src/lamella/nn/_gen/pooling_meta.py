# Generated from packages/nn/src/lamella/nn/ops/pooling.yaml (sha256 d72bce4a02a185cd). Do not edit:
# change the source and run `uv run tools/gen.py`.
from lamella.core.meta import meta_elementwise as _elementwise, meta_inplace as _inplace, meta_result as _result
from lamella.core.runtime import bump as _bump, return_type as _return_type, wrap_view as _wrap_view
import numpy as _xp
import lamella.nn.kernels.pooling as _k
import lamella.nn.meta.pooling as _m


def _max_pool(self, kernel_size, stride, padding, dilation, ceil_mode):
    return _result(_m._max_pool(self, kernel_size, stride, padding, dilation, ceil_mode))


def _max_pool2d_with_places(self, kernel_size, stride, padding, dilation, ceil_mode):
    return tuple([_result(x) for x in _m.max_pool_with_places(self, kernel_size, stride, padding, dilation, ceil_mode)])


def _max_pool3d_with_places(self, kernel_size, stride, padding, dilation, ceil_mode):
    return tuple([_result(x) for x in _m.max_pool_with_places(self, kernel_size, stride, padding, dilation, ceil_mode)])


def _max_pool_put(self, places, size, kernel_size, stride, padding, dilation):
    return _result(_m._max_pool_put(self, places, size, kernel_size, stride, padding, dilation))


def _max_pool_take(self, places, kernel_size, stride, padding, dilation):
    return _result(_m._max_pool_take(self, places, kernel_size, stride, padding, dilation))


def _max_pool_index(places, size, kernel_size, stride, padding, dilation):
    return _result(_m._max_pool_index(places, size, kernel_size, stride, padding, dilation))


def avg_pool1d(self, kernel_size, stride=(), padding=0, ceil_mode=False, count_include_pad=True):
    return _result(_m.avg_pool(self, kernel_size, stride, padding, ceil_mode, count_include_pad))


def avg_pool2d(self, kernel_size, stride=(), padding=0, ceil_mode=False, count_include_pad=True, divisor_override=None):
    return _result(_m.avg_pool(self, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override))


def avg_pool3d(self, kernel_size, stride=(), padding=0, ceil_mode=False, count_include_pad=True, divisor_override=None):
    return _result(_m.avg_pool(self, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override))


def _avg_pool_backward(grad_output, size, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override):
    return _result(_m._avg_pool_backward(grad_output, size, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override))
