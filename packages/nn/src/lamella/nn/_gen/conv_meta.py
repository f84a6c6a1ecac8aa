# Generated from packages/nn/src/lamella/nn/ops/conv.yaml (sha256 ab1ffc6498b43dcf). Do not edit:
# change the source and run `uv run tools/gen.py`.
from lamella.core.meta import meta_elementwise as _elementwise, meta_inplace as _inplace, meta_result as _result
from lamella.core.runtime import bump as _bump, return_type as _return_type, wrap_view as _wrap_view
import numpy as _xp
import lamella.nn.kernels.conv as _k
import lamella.nn.meta.conv as _m


def convolution(input, weight, bias, stride, padding, dilation, transposed, output_padding, groups):
    return _result(_m.convolution(input, weight, bias, stride, padding, dilation, transposed, output_padding, groups))


def convolution_backward(grad_output, input, weight, bias_sizes, stride, padding, dilation, transposed, output_padding, groups, output_mask):
    return tuple([_result(x) for x in _m.convolution_backward(grad_output, input, weight, bias_sizes, stride, padding, dilation, transposed, output_padding, groups, output_mask)])


def im2col(self, kernel_size, dilation, padding, stride):
    return _result(_m.im2col(self, kernel_size, dilation, padding, stride))


def col2im(self, output_size, kernel_size, dilation, padding, stride):
    return _result(_m.col2im(self, output_size, kernel_size, dilation, padding, stride))
