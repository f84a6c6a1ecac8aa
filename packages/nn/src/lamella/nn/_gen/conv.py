# Generated from packages/nn/src/lamella/nn/ops/conv.yaml (sha256 ab1ffc6498b43dcf). Do not edit:
# change the source and run `uv run tools/gen.py`.
from lamella.core.runtime import (
    Tensor as _Tensor,
    backend_bit as _backend_bit,
    is_number as _is_number,
    keys_in as _keys_in,
    not_tensor as _not_tensor,
    no_tensor as _no_tensor,
    number_keys as _number,
    varargs as _varargs,
    write_out as _out,
)
from lamella.dispatch.registry import define_many as _define
from lamella.dispatch.state import state as _S

(
    _T_convolution,
    _T_convolution_backward,
    _T_im2col,
    _T_col2im,
) = _define(
    "aten",
    "lamella.nn.conv",
    (
        ('convolution(Tensor input, Tensor weight, Tensor? bias, SymInt[] stride, SymInt[] padding, SymInt[] dilation, bool transposed, SymInt[] output_padding, SymInt groups) -> Tensor', True),
        ('convolution_backward(Tensor grad_output, Tensor input, Tensor weight, SymInt[]? bias_sizes, SymInt[] stride, SymInt[] padding, SymInt[] dilation, bool transposed, SymInt[] output_padding, SymInt groups, bool[3] output_mask) -> (Tensor, Tensor, Tensor)', True),
        ('im2col(Tensor self, int[2] kernel_size, int[2] dilation, int[2] padding, int[2] stride) -> Tensor', True),
        ('col2im(Tensor self, SymInt[2] output_size, int[2] kernel_size, int[2] dilation, int[2] padding, int[2] stride) -> Tensor', True),
    ),
    {1: "lamella.nn._gen.conv_cpu", 3: "lamella.nn._gen.conv_meta", 65: "lamella.nn.composite.conv", },
    "lamella.nn/ops/conv.yaml",
)


def op_convolution(input, weight, bias, stride, padding, dilation, transposed, output_padding, groups):
    try:
        ks = input._ks | weight._ks | (0 if bias is None else bias._ks)
    except AttributeError:
        raise _not_tensor("convolution", {"input": input, "weight": weight, "bias": bias, }) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    return _T_convolution[ks](input, weight, bias, stride, padding, dilation, transposed, output_padding, groups)


def convolution(input, weight, bias, stride, padding, dilation, transposed, output_padding, groups):
    """A convolution over any number of spatial dimensions; see nn.functional.conv2d for the usual forms."""
    try:
        ks = input._ks | weight._ks | (0 if bias is None else bias._ks)
    except AttributeError:
        raise _not_tensor("convolution", {"input": input, "weight": weight, "bias": bias, }) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    return _T_convolution[ks](input, weight, bias, stride, padding, dilation, transposed, output_padding, groups)


def op_convolution_backward(grad_output, input, weight, bias_sizes, stride, padding, dilation, transposed, output_padding, groups, output_mask):
    try:
        ks = grad_output._ks | input._ks | weight._ks
    except AttributeError:
        raise _not_tensor("convolution_backward", {"grad_output": grad_output, "input": input, "weight": weight, }) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    return _T_convolution_backward[ks](grad_output, input, weight, bias_sizes, stride, padding, dilation, transposed, output_padding, groups, output_mask)


def op_im2col(self, kernel_size, dilation, padding, stride):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("im2col", {"self": self, }) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    return _T_im2col[ks](self, kernel_size, dilation, padding, stride)


def op_col2im(self, output_size, kernel_size, dilation, padding, stride):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("col2im", {"self": self, }) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    return _T_col2im[ks](self, output_size, kernel_size, dilation, padding, stride)


METHODS = {
}


FUNCTIONS = {
    "convolution": convolution,
}
