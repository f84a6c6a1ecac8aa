# Generated from packages/nn/src/lamella/nn/ops/conv.yaml (sha256 ab1ffc6498b43dcf). Do not edit:
# change the source and run `uv run tools/gen.py`.
from lamella.core.runtime import (
    MISSING as _MISSING,
    SEQUENCES as _SEQUENCES,
    Tensor as _Tensor,
    as_bool as _as_bool,
    as_float as _as_float,
    as_int as _as_int,
    as_ints as _as_ints,
    as_number as _as_number,
    backend_bit as _backend_bit,
    explain_call as _explain,
    foreign as _foreign,
    is_number as _is_number,
    keys_in as _keys_in,
    not_tensor as _not_tensor,
    no_tensor as _no_tensor,
    number_keys as _number,
    numpy_names as _numpy_names,
    old_form as _old_form,
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
    {1: "lamella.nn._gen.conv_cpu", 2: "lamella.nn._gen.conv_cuda", 3: "lamella.nn._gen.conv_meta", 65: "lamella.nn.composite.conv", },
    "lamella.nn/ops/conv.yaml",
)


def op_convolution(input, weight, bias, stride, padding, dilation, transposed, output_padding, groups):
    try:
        ks = input._ks | weight._ks | (0 if bias is None else bias._ks)
    except AttributeError:
        raise _not_tensor("convolution", {"input": input, "weight": weight, "bias": bias, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if stride.__class__ not in _SEQUENCES:
        stride = _as_ints("convolution", "stride", stride, False)
    if padding.__class__ not in _SEQUENCES:
        padding = _as_ints("convolution", "padding", padding, False)
    if dilation.__class__ not in _SEQUENCES:
        dilation = _as_ints("convolution", "dilation", dilation, False)
    if transposed is not False and transposed is not True:
        transposed = _as_bool("convolution", "transposed", transposed)
    if output_padding.__class__ not in _SEQUENCES:
        output_padding = _as_ints("convolution", "output_padding", output_padding, False)
    if groups.__class__ is not int:
        groups = _as_int("convolution", "groups", groups)
    try:
        return _T_convolution[ks](input, weight, bias, stride, padding, dilation, transposed, output_padding, groups)
    except Exception:
        _explain(_T_convolution, (input, weight, bias, stride, padding, dilation, transposed, output_padding, groups, ))
        raise


def convolution(input, weight, bias, stride, padding, dilation, transposed, output_padding, groups):
    """A convolution over any number of spatial dimensions; see nn.functional.conv2d for the usual forms."""
    try:
        ks = input._ks | weight._ks | (0 if bias is None else bias._ks)
    except AttributeError:
        raise _not_tensor("convolution", {"input": input, "weight": weight, "bias": bias, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if stride.__class__ not in _SEQUENCES:
        stride = _as_ints("convolution", "stride", stride, False)
    if padding.__class__ not in _SEQUENCES:
        padding = _as_ints("convolution", "padding", padding, False)
    if dilation.__class__ not in _SEQUENCES:
        dilation = _as_ints("convolution", "dilation", dilation, False)
    if transposed is not False and transposed is not True:
        transposed = _as_bool("convolution", "transposed", transposed)
    if output_padding.__class__ not in _SEQUENCES:
        output_padding = _as_ints("convolution", "output_padding", output_padding, False)
    if groups.__class__ is not int:
        groups = _as_int("convolution", "groups", groups)
    try:
        return _T_convolution[ks](input, weight, bias, stride, padding, dilation, transposed, output_padding, groups)
    except Exception:
        _explain(_T_convolution, (input, weight, bias, stride, padding, dilation, transposed, output_padding, groups, ))
        raise


def op_convolution_backward(grad_output, input, weight, bias_sizes, stride, padding, dilation, transposed, output_padding, groups, output_mask):
    try:
        ks = grad_output._ks | input._ks | weight._ks
    except AttributeError:
        raise _not_tensor("convolution_backward", {"grad_output": grad_output, "input": input, "weight": weight, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if bias_sizes is not None and bias_sizes.__class__ not in _SEQUENCES:
        bias_sizes = _as_ints("convolution_backward", "bias_sizes", bias_sizes, False)
    if stride.__class__ not in _SEQUENCES:
        stride = _as_ints("convolution_backward", "stride", stride, False)
    if padding.__class__ not in _SEQUENCES:
        padding = _as_ints("convolution_backward", "padding", padding, False)
    if dilation.__class__ not in _SEQUENCES:
        dilation = _as_ints("convolution_backward", "dilation", dilation, False)
    if transposed is not False and transposed is not True:
        transposed = _as_bool("convolution_backward", "transposed", transposed)
    if output_padding.__class__ not in _SEQUENCES:
        output_padding = _as_ints("convolution_backward", "output_padding", output_padding, False)
    if groups.__class__ is not int:
        groups = _as_int("convolution_backward", "groups", groups)
    try:
        return _T_convolution_backward[ks](grad_output, input, weight, bias_sizes, stride, padding, dilation, transposed, output_padding, groups, output_mask)
    except Exception:
        _explain(_T_convolution_backward, (grad_output, input, weight, bias_sizes, stride, padding, dilation, transposed, output_padding, groups, output_mask, ))
        raise


def op_im2col(self, kernel_size, dilation, padding, stride):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("im2col", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if kernel_size.__class__ not in _SEQUENCES and kernel_size.__class__ is not int:
        kernel_size = _as_ints("im2col", "kernel_size", kernel_size, True)
    if dilation.__class__ not in _SEQUENCES and dilation.__class__ is not int:
        dilation = _as_ints("im2col", "dilation", dilation, True)
    if padding.__class__ not in _SEQUENCES and padding.__class__ is not int:
        padding = _as_ints("im2col", "padding", padding, True)
    if stride.__class__ not in _SEQUENCES and stride.__class__ is not int:
        stride = _as_ints("im2col", "stride", stride, True)
    try:
        return _T_im2col[ks](self, kernel_size, dilation, padding, stride)
    except Exception:
        _explain(_T_im2col, (self, kernel_size, dilation, padding, stride, ))
        raise


def op_col2im(self, output_size, kernel_size, dilation, padding, stride):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("col2im", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if output_size.__class__ not in _SEQUENCES and output_size.__class__ is not int:
        output_size = _as_ints("col2im", "output_size", output_size, True)
    if kernel_size.__class__ not in _SEQUENCES and kernel_size.__class__ is not int:
        kernel_size = _as_ints("col2im", "kernel_size", kernel_size, True)
    if dilation.__class__ not in _SEQUENCES and dilation.__class__ is not int:
        dilation = _as_ints("col2im", "dilation", dilation, True)
    if padding.__class__ not in _SEQUENCES and padding.__class__ is not int:
        padding = _as_ints("col2im", "padding", padding, True)
    if stride.__class__ not in _SEQUENCES and stride.__class__ is not int:
        stride = _as_ints("col2im", "stride", stride, True)
    try:
        return _T_col2im[ks](self, output_size, kernel_size, dilation, padding, stride)
    except Exception:
        _explain(_T_col2im, (self, output_size, kernel_size, dilation, padding, stride, ))
        raise


METHODS = {
}


FUNCTIONS = {
    "convolution": convolution,
}
