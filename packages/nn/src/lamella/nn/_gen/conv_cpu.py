# Generated from packages/nn/src/lamella/nn/ops/conv.yaml (sha256 ab1ffc6498b43dcf). Do not edit:
# change the source and run `uv run tools/gen.py`.
from lamella.core.xp import NUMPY as _xp

from lamella.core.runtime import (
    BACKEND_MASK as _BACKENDS,
    F32 as _F32,
    F64 as _F64,
    Tensor as _Tensor,
    VersionCounter as _VersionCounter,
    asarray as _asarray,
    elementwise as _elementwise,
    elementwise_into as _elementwise_into,
    ndarray as _ndarray,
    new_tensor as _new_tensor,
    operand_error as _operand_error,
    recorder as _recorder,
    refuse_clash as _refuse_clash,
    return_type as _return_type,
    wrap_result as _wrap_result,
    wrap_view as _wrap_view,
    write_back as _write_back,
)
import lamella.nn.kernels.conv as _k

_KS = 1  # of new tensors


def convolution(input, weight, bias, stride, padding, dilation, transposed, output_padding, groups):
    r = _k.convolution(_xp, input._a, weight._a, None if bias is None else bias._a, stride, padding, dilation, transposed, output_padding, groups)
    if r.__class__ is not _ndarray:
        r = _asarray(r)
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def convolution_backward(grad_output, input, weight, bias_sizes, stride, padding, dilation, transposed, output_padding, groups, output_mask):
    r = _k.convolution_backward(_xp, grad_output._a, input._a, weight._a, bias_sizes, stride, padding, dilation, transposed, output_padding, groups, output_mask)
    return tuple([_wrap_result(x) for x in r])


def im2col(self, kernel_size, dilation, padding, stride):
    r = _k.im2col(_xp, self._a, kernel_size, dilation, padding, stride)
    if r.__class__ is not _ndarray:
        r = _asarray(r)
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def col2im(self, output_size, kernel_size, dilation, padding, stride):
    r = _k.col2im(_xp, self._a, output_size, kernel_size, dilation, padding, stride)
    if r.__class__ is not _ndarray:
        r = _asarray(r)
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t
