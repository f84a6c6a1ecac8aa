# Generated from packages/nn/src/lamella/nn/ops/linear.yaml (sha256 ef39e33a3869864c). Do not edit:
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
    _T_linear,
    _T_linear_backward,
) = _define(
    "aten",
    "lamella.nn.linear",
    (
        ('linear(Tensor input, Tensor weight, Tensor? bias=None) -> Tensor', True),
        ('linear_backward(Tensor self, Tensor grad_output, Tensor weight, bool[3] output_mask) -> (Tensor, Tensor, Tensor)', True),
    ),
    {1: "lamella.nn._gen.linear_cpu", 2: "lamella.nn._gen.linear_cuda", 3: "lamella.nn._gen.linear_meta", 65: "lamella.nn.composite.linear", },
    "lamella.nn/ops/linear.yaml",
)


def op_linear(input, weight, bias=None):
    try:
        ks = input._ks | weight._ks | (0 if bias is None else bias._ks)
    except AttributeError:
        raise _not_tensor("linear", {"input": input, "weight": weight, "bias": bias, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_linear[ks](input, weight, bias)
    except Exception:
        _explain(_T_linear, (input, weight, bias, ))
        raise


def linear(input, weight, bias=None, *, out=None):
    """``input`` times the transposed ``weight``, plus ``bias``.

    Args:
        input: a tensor of shape ``(*, in_features)``.
        weight: ``(out_features, in_features)``, or ``(in_features,)`` for one feature without a dimension.
        bias: ``(out_features,)`` or ``()``.

    Returns:
        A tensor of shape ``(*, out_features)``, or ``(*)`` for a weight of one dimension.

    Raises:
        RuntimeError: for sizes or types that do not match.

    Example:
        >>> from lamella import core
        >>> linear(core.ones(1, 2), core.tensor([[1.0, 2.0], [3.0, 4.0]]), core.tensor([0.0, 1.0]))
        tensor([[3., 8.]])"""
    if out is not None:
        return _out("linear", out, op_linear(input, weight, bias), True, inputs=(input, weight, bias, ))
    try:
        ks = input._ks | weight._ks | (0 if bias is None else bias._ks)
    except AttributeError:
        raise _not_tensor("linear", {"input": input, "weight": weight, "bias": bias, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_linear[ks](input, weight, bias)
    except Exception:
        _explain(_T_linear, (input, weight, bias, ))
        raise


def op_linear_backward(self, grad_output, weight, output_mask):
    try:
        ks = self._ks | grad_output._ks | weight._ks
    except AttributeError:
        raise _not_tensor("linear_backward", {"self": self, "grad_output": grad_output, "weight": weight, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_linear_backward[ks](self, grad_output, weight, output_mask)
    except Exception:
        _explain(_T_linear_backward, (self, grad_output, weight, output_mask, ))
        raise


def linear_backward(input, grad_output, weight, output_mask):
    """The gradients of `linear` for input, weight and bias; None where the mask says no."""
    try:
        ks = input._ks | grad_output._ks | weight._ks
    except AttributeError:
        raise _not_tensor("linear_backward", {"input": input, "grad_output": grad_output, "weight": weight, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_linear_backward[ks](input, grad_output, weight, output_mask)
    except Exception:
        _explain(_T_linear_backward, (input, grad_output, weight, output_mask, ))
        raise


METHODS = {
}


FUNCTIONS = {
    "linear": linear,
    "linear_backward": linear_backward,
}
