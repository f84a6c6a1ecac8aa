# Generated from packages/nn/src/lamella/nn/ops/normalization.yaml (sha256 36b32273e626f68c). Do not edit:
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
    _T_native_layer_norm,
    _T_native_layer_norm_backward,
    _T__fused_rms_norm,
    _T__fused_rms_norm_backward,
    _T_native_group_norm,
    _T_native_group_norm_backward,
) = _define(
    "aten",
    "lamella.nn.normalization",
    (
        ('native_layer_norm(Tensor input, SymInt[] normalized_shape, Tensor? weight, Tensor? bias, float eps) -> (Tensor, Tensor, Tensor)', True),
        ('native_layer_norm_backward(Tensor grad_out, Tensor input, SymInt[] normalized_shape, Tensor mean, Tensor rstd, Tensor? weight, Tensor? bias, bool[3] output_mask) -> (Tensor, Tensor, Tensor)', True),
        ('_fused_rms_norm(Tensor input, int[] normalized_shape, Tensor? weight, float? eps) -> (Tensor, Tensor)', True),
        ('_fused_rms_norm_backward(Tensor grad_out, Tensor input, int[] normalized_shape, Tensor rstd, Tensor? weight, bool[2] output_mask) -> (Tensor, Tensor)', True),
        ('native_group_norm(Tensor input, Tensor? weight, Tensor? bias, SymInt N, SymInt C, SymInt HxW, int group, float eps) -> (Tensor, Tensor, Tensor)', True),
        ('native_group_norm_backward(Tensor grad_out, Tensor input, Tensor mean, Tensor rstd, Tensor? weight, SymInt N, SymInt C, SymInt HxW, int group, bool[3] output_mask) -> (Tensor, Tensor, Tensor)', True),
    ),
    {1: "lamella.nn._gen.normalization_cpu", 2: "lamella.nn._gen.normalization_cuda", 3: "lamella.nn._gen.normalization_meta", 65: "lamella.nn.composite.normalization", },
    "lamella.nn/ops/normalization.yaml",
)


def op_native_layer_norm(input, normalized_shape, weight, bias, eps):
    try:
        ks = input._ks | (0 if weight is None else weight._ks) | (0 if bias is None else bias._ks)
    except AttributeError:
        raise _not_tensor("native_layer_norm", {"input": input, "weight": weight, "bias": bias, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if normalized_shape.__class__ not in _SEQUENCES:
        normalized_shape = _as_ints("native_layer_norm", "normalized_shape", normalized_shape, False)
    if eps.__class__ is not float and eps.__class__ is not int:
        eps = _as_float("native_layer_norm", "eps", eps)
    try:
        return _T_native_layer_norm[ks](input, normalized_shape, weight, bias, eps)
    except Exception:
        _explain(_T_native_layer_norm, (input, normalized_shape, weight, bias, eps, ))
        raise


def native_layer_norm(input, normalized_shape, weight, bias, eps):
    """The layer norm of a tensor, with the mean and the inverse standard deviation that it used.

    Args:
        input: (*, *normalized_shape).
        normalized_shape: the last sizes, over which is normalised.
        weight, bias: of normalized_shape, or None.
        eps: added to the variance.

    Returns:
        The normalised tensor, and two with size 1 in the normalised dimensions."""
    try:
        ks = input._ks | (0 if weight is None else weight._ks) | (0 if bias is None else bias._ks)
    except AttributeError:
        raise _not_tensor("native_layer_norm", {"input": input, "weight": weight, "bias": bias, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if normalized_shape.__class__ not in _SEQUENCES:
        normalized_shape = _as_ints("native_layer_norm", "normalized_shape", normalized_shape, False)
    if eps.__class__ is not float and eps.__class__ is not int:
        eps = _as_float("native_layer_norm", "eps", eps)
    try:
        return _T_native_layer_norm[ks](input, normalized_shape, weight, bias, eps)
    except Exception:
        _explain(_T_native_layer_norm, (input, normalized_shape, weight, bias, eps, ))
        raise


def op_native_layer_norm_backward(grad_out, input, normalized_shape, mean, rstd, weight, bias, output_mask):
    try:
        ks = grad_out._ks | input._ks | mean._ks | rstd._ks | (0 if weight is None else weight._ks) | (0 if bias is None else bias._ks)
    except AttributeError:
        raise _not_tensor("native_layer_norm_backward", {"grad_out": grad_out, "input": input, "mean": mean, "rstd": rstd, "weight": weight, "bias": bias, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if normalized_shape.__class__ not in _SEQUENCES:
        normalized_shape = _as_ints("native_layer_norm_backward", "normalized_shape", normalized_shape, False)
    try:
        return _T_native_layer_norm_backward[ks](grad_out, input, normalized_shape, mean, rstd, weight, bias, output_mask)
    except Exception:
        _explain(_T_native_layer_norm_backward, (grad_out, input, normalized_shape, mean, rstd, weight, bias, output_mask, ))
        raise


def op__fused_rms_norm(input, normalized_shape, weight, eps):
    try:
        ks = input._ks | (0 if weight is None else weight._ks)
    except AttributeError:
        raise _not_tensor("_fused_rms_norm", {"input": input, "weight": weight, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if normalized_shape.__class__ not in _SEQUENCES:
        normalized_shape = _as_ints("_fused_rms_norm", "normalized_shape", normalized_shape, False)
    if eps is not None and eps.__class__ is not float and eps.__class__ is not int:
        eps = _as_float("_fused_rms_norm", "eps", eps)
    try:
        return _T__fused_rms_norm[ks](input, normalized_shape, weight, eps)
    except Exception:
        _explain(_T__fused_rms_norm, (input, normalized_shape, weight, eps, ))
        raise


def op__fused_rms_norm_backward(grad_out, input, normalized_shape, rstd, weight, output_mask):
    try:
        ks = grad_out._ks | input._ks | rstd._ks | (0 if weight is None else weight._ks)
    except AttributeError:
        raise _not_tensor("_fused_rms_norm_backward", {"grad_out": grad_out, "input": input, "rstd": rstd, "weight": weight, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if normalized_shape.__class__ not in _SEQUENCES:
        normalized_shape = _as_ints("_fused_rms_norm_backward", "normalized_shape", normalized_shape, False)
    try:
        return _T__fused_rms_norm_backward[ks](grad_out, input, normalized_shape, rstd, weight, output_mask)
    except Exception:
        _explain(_T__fused_rms_norm_backward, (grad_out, input, normalized_shape, rstd, weight, output_mask, ))
        raise


def op_native_group_norm(input, weight, bias, N, C, HxW, group, eps):
    try:
        ks = input._ks | (0 if weight is None else weight._ks) | (0 if bias is None else bias._ks)
    except AttributeError:
        raise _not_tensor("native_group_norm", {"input": input, "weight": weight, "bias": bias, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if N.__class__ is not int:
        N = _as_int("native_group_norm", "N", N)
    if C.__class__ is not int:
        C = _as_int("native_group_norm", "C", C)
    if HxW.__class__ is not int:
        HxW = _as_int("native_group_norm", "HxW", HxW)
    if group.__class__ is not int:
        group = _as_int("native_group_norm", "group", group)
    if eps.__class__ is not float and eps.__class__ is not int:
        eps = _as_float("native_group_norm", "eps", eps)
    try:
        return _T_native_group_norm[ks](input, weight, bias, N, C, HxW, group, eps)
    except Exception:
        _explain(_T_native_group_norm, (input, weight, bias, N, C, HxW, group, eps, ))
        raise


def native_group_norm(input, weight, bias, N, C, HxW, group, eps):
    """The group norm of a tensor, with the mean and the inverse standard deviation that it used.

    Args:
        input: (N, C, *) with HxW elements in each channel.
        weight, bias: (C,), or None.
        N, C, HxW: the sizes of input.
        group: into how many groups the channels are split.
        eps: added to the variance.

    Returns:
        The normalised tensor, and two of shape (N, group)."""
    try:
        ks = input._ks | (0 if weight is None else weight._ks) | (0 if bias is None else bias._ks)
    except AttributeError:
        raise _not_tensor("native_group_norm", {"input": input, "weight": weight, "bias": bias, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if N.__class__ is not int:
        N = _as_int("native_group_norm", "N", N)
    if C.__class__ is not int:
        C = _as_int("native_group_norm", "C", C)
    if HxW.__class__ is not int:
        HxW = _as_int("native_group_norm", "HxW", HxW)
    if group.__class__ is not int:
        group = _as_int("native_group_norm", "group", group)
    if eps.__class__ is not float and eps.__class__ is not int:
        eps = _as_float("native_group_norm", "eps", eps)
    try:
        return _T_native_group_norm[ks](input, weight, bias, N, C, HxW, group, eps)
    except Exception:
        _explain(_T_native_group_norm, (input, weight, bias, N, C, HxW, group, eps, ))
        raise


def op_native_group_norm_backward(grad_out, input, mean, rstd, weight, N, C, HxW, group, output_mask):
    try:
        ks = grad_out._ks | input._ks | mean._ks | rstd._ks | (0 if weight is None else weight._ks)
    except AttributeError:
        raise _not_tensor("native_group_norm_backward", {"grad_out": grad_out, "input": input, "mean": mean, "rstd": rstd, "weight": weight, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if N.__class__ is not int:
        N = _as_int("native_group_norm_backward", "N", N)
    if C.__class__ is not int:
        C = _as_int("native_group_norm_backward", "C", C)
    if HxW.__class__ is not int:
        HxW = _as_int("native_group_norm_backward", "HxW", HxW)
    if group.__class__ is not int:
        group = _as_int("native_group_norm_backward", "group", group)
    try:
        return _T_native_group_norm_backward[ks](grad_out, input, mean, rstd, weight, N, C, HxW, group, output_mask)
    except Exception:
        _explain(_T_native_group_norm_backward, (grad_out, input, mean, rstd, weight, N, C, HxW, group, output_mask, ))
        raise


METHODS = {
}


FUNCTIONS = {
    "native_layer_norm": native_layer_norm,
    "native_group_norm": native_group_norm,
}
