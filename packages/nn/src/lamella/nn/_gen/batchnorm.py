# Generated from packages/nn/src/lamella/nn/ops/batchnorm.yaml (sha256 0f8c16ed9f9d405f). Do not edit:
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
    _T__batch_norm_training,
    _T__batch_norm_inference,
    _T_native_batch_norm_backward,
    _T__update_running_stats,
) = _define(
    "aten",
    "lamella.nn.batchnorm",
    (
        ('_batch_norm_training(Tensor input, Tensor? weight, Tensor? bias, float eps) -> (Tensor, Tensor, Tensor, Tensor)', True),
        ('_batch_norm_inference(Tensor input, Tensor? weight, Tensor? bias, Tensor running_mean, Tensor running_var, float eps) -> Tensor', True),
        ('native_batch_norm_backward(Tensor grad_out, Tensor input, Tensor? weight, Tensor? running_mean, Tensor? running_var, Tensor? save_mean, Tensor? save_invstd, bool train, float eps, bool[3] output_mask) -> (Tensor, Tensor, Tensor)', True),
        ('_update_running_stats(Tensor(a!) running_mean, Tensor(b!) running_var, Tensor mean, Tensor var, float momentum) -> ()', False),
    ),
    {1: "lamella.nn._gen.batchnorm_cpu", 2: "lamella.nn._gen.batchnorm_cuda", 3: "lamella.nn._gen.batchnorm_meta", 65: "lamella.nn.composite.batchnorm", },
    "lamella.nn/ops/batchnorm.yaml",
)


def op__batch_norm_training(input, weight, bias, eps):
    try:
        ks = input._ks | (0 if weight is None else weight._ks) | (0 if bias is None else bias._ks)
    except AttributeError:
        raise _not_tensor("_batch_norm_training", {"input": input, "weight": weight, "bias": bias, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if eps.__class__ is not float and eps.__class__ is not int:
        eps = _as_float("_batch_norm_training", "eps", eps)
    try:
        return _T__batch_norm_training[ks](input, weight, bias, eps)
    except Exception:
        _explain(_T__batch_norm_training, (input, weight, bias, eps, ))
        raise


def op__batch_norm_inference(input, weight, bias, running_mean, running_var, eps):
    try:
        ks = input._ks | (0 if weight is None else weight._ks) | (0 if bias is None else bias._ks) | running_mean._ks | running_var._ks
    except AttributeError:
        raise _not_tensor("_batch_norm_inference", {"input": input, "weight": weight, "bias": bias, "running_mean": running_mean, "running_var": running_var, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if eps.__class__ is not float and eps.__class__ is not int:
        eps = _as_float("_batch_norm_inference", "eps", eps)
    try:
        return _T__batch_norm_inference[ks](input, weight, bias, running_mean, running_var, eps)
    except Exception:
        _explain(_T__batch_norm_inference, (input, weight, bias, running_mean, running_var, eps, ))
        raise


def op_native_batch_norm_backward(grad_out, input, weight, running_mean, running_var, save_mean, save_invstd, train, eps, output_mask):
    try:
        ks = grad_out._ks | input._ks | (0 if weight is None else weight._ks) | (0 if running_mean is None else running_mean._ks) | (0 if running_var is None else running_var._ks) | (0 if save_mean is None else save_mean._ks) | (0 if save_invstd is None else save_invstd._ks)
    except AttributeError:
        raise _not_tensor("native_batch_norm_backward", {"grad_out": grad_out, "input": input, "weight": weight, "running_mean": running_mean, "running_var": running_var, "save_mean": save_mean, "save_invstd": save_invstd, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if train is not False and train is not True:
        train = _as_bool("native_batch_norm_backward", "train", train)
    if eps.__class__ is not float and eps.__class__ is not int:
        eps = _as_float("native_batch_norm_backward", "eps", eps)
    try:
        return _T_native_batch_norm_backward[ks](grad_out, input, weight, running_mean, running_var, save_mean, save_invstd, train, eps, output_mask)
    except Exception:
        _explain(_T_native_batch_norm_backward, (grad_out, input, weight, running_mean, running_var, save_mean, save_invstd, train, eps, output_mask, ))
        raise


def op__update_running_stats(running_mean, running_var, mean, var, momentum):
    try:
        ks = running_mean._ks | running_var._ks | mean._ks | var._ks
    except AttributeError:
        raise _not_tensor("_update_running_stats", {"running_mean": running_mean, "running_var": running_var, "mean": mean, "var": var, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if momentum.__class__ is not float and momentum.__class__ is not int:
        momentum = _as_float("_update_running_stats", "momentum", momentum)
    try:
        return _T__update_running_stats[ks](running_mean, running_var, mean, var, momentum)
    except Exception:
        _explain(_T__update_running_stats, (running_mean, running_var, mean, var, momentum, ))
        raise


METHODS = {
}


FUNCTIONS = {
}
