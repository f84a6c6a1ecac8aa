# Generated from packages/nn/src/lamella/nn/ops/loss.yaml (sha256 a0e58c2905d9fa6b). Do not edit:
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
    _T__cross_entropy,
    _T__cross_entropy_backward,
    _T_nll_loss,
    _T__nll_loss_backward,
    _T_mse_loss,
    _T_mse_loss_backward,
    _T_smooth_l1_loss,
    _T_huber_loss,
    _T__limited_difference,
    _T_soft_margin_loss,
    _T_binary_cross_entropy,
    _T_binary_cross_entropy_with_logits,
) = _define(
    "aten",
    "lamella.nn.loss",
    (
        ('_cross_entropy(Tensor self, Tensor target, Tensor? weight, int reduction, int ignore_index, float label_smoothing) -> (Tensor loss, Tensor probs)', True),
        ('_cross_entropy_backward(Tensor grad_output, Tensor probs, Tensor target, Tensor? weight, int reduction, int ignore_index, float label_smoothing, SymInt[] shape) -> Tensor', False),
        ('nll_loss(Tensor self, Tensor target, Tensor? weight=None, int reduction=Mean, SymInt ignore_index=-100) -> Tensor', True),
        ('_nll_loss_backward(Tensor grad_output, Tensor target, Tensor? weight, int reduction, int ignore_index, SymInt[] shape) -> Tensor', True),
        ('mse_loss(Tensor self, Tensor target, int reduction=Mean) -> Tensor', True),
        ('mse_loss_backward(Tensor grad_output, Tensor self, Tensor target, int reduction) -> Tensor', True),
        ('smooth_l1_loss(Tensor self, Tensor target, int reduction=Mean, float beta=1.0) -> Tensor', True),
        ('huber_loss(Tensor self, Tensor target, int reduction=Mean, float delta=1.0) -> Tensor', True),
        ('_limited_difference(Tensor self, Tensor target, Tensor grad_output, int reduction, float bound, float scale) -> Tensor', False),
        ('soft_margin_loss(Tensor self, Tensor target, int reduction=Mean) -> Tensor', True),
        ('binary_cross_entropy(Tensor self, Tensor target, Tensor? weight=None, int reduction=Mean) -> Tensor', True),
        ('binary_cross_entropy_with_logits(Tensor self, Tensor target, Tensor? weight=None, Tensor? pos_weight=None, int reduction=Mean) -> Tensor', True),
    ),
    {1: "lamella.nn._gen.loss_cpu", 2: "lamella.nn._gen.loss_cuda", 3: "lamella.nn._gen.loss_meta", 65: "lamella.nn.composite.loss", },
    "lamella.nn/ops/loss.yaml",
)


def op__cross_entropy(self, target, weight, reduction, ignore_index, label_smoothing):
    try:
        ks = self._ks | target._ks | (0 if weight is None else weight._ks)
    except AttributeError:
        raise _not_tensor("_cross_entropy", {"self": self, "target": target, "weight": weight, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if reduction.__class__ is not int:
        reduction = _as_int("_cross_entropy", "reduction", reduction)
    if ignore_index.__class__ is not int:
        ignore_index = _as_int("_cross_entropy", "ignore_index", ignore_index)
    if label_smoothing.__class__ is not float and label_smoothing.__class__ is not int:
        label_smoothing = _as_float("_cross_entropy", "label_smoothing", label_smoothing)
    try:
        return _T__cross_entropy[ks](self, target, weight, reduction, ignore_index, label_smoothing)
    except Exception:
        _explain(_T__cross_entropy, (self, target, weight, reduction, ignore_index, label_smoothing, ))
        raise


def op__cross_entropy_backward(grad_output, probs, target, weight, reduction, ignore_index, label_smoothing, shape):
    try:
        ks = grad_output._ks | probs._ks | target._ks | (0 if weight is None else weight._ks)
    except AttributeError:
        raise _not_tensor("_cross_entropy_backward", {"grad_output": grad_output, "probs": probs, "target": target, "weight": weight, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if reduction.__class__ is not int:
        reduction = _as_int("_cross_entropy_backward", "reduction", reduction)
    if ignore_index.__class__ is not int:
        ignore_index = _as_int("_cross_entropy_backward", "ignore_index", ignore_index)
    if label_smoothing.__class__ is not float and label_smoothing.__class__ is not int:
        label_smoothing = _as_float("_cross_entropy_backward", "label_smoothing", label_smoothing)
    if shape.__class__ not in _SEQUENCES:
        shape = _as_ints("_cross_entropy_backward", "shape", shape, False)
    try:
        return _T__cross_entropy_backward[ks](grad_output, probs, target, weight, reduction, ignore_index, label_smoothing, shape)
    except Exception:
        _explain(_T__cross_entropy_backward, (grad_output, probs, target, weight, reduction, ignore_index, label_smoothing, shape, ))
        raise


def _cross_entropy_backward(grad_output, probs, target, weight, reduction, ignore_index, label_smoothing, shape):
    """_cross_entropy_backward: see torch._cross_entropy_backward."""
    try:
        ks = grad_output._ks | probs._ks | target._ks | (0 if weight is None else weight._ks)
    except AttributeError:
        raise _not_tensor("_cross_entropy_backward", {"grad_output": grad_output, "probs": probs, "target": target, "weight": weight, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if reduction.__class__ is not int:
        reduction = _as_int("_cross_entropy_backward", "reduction", reduction)
    if ignore_index.__class__ is not int:
        ignore_index = _as_int("_cross_entropy_backward", "ignore_index", ignore_index)
    if label_smoothing.__class__ is not float and label_smoothing.__class__ is not int:
        label_smoothing = _as_float("_cross_entropy_backward", "label_smoothing", label_smoothing)
    if shape.__class__ not in _SEQUENCES:
        shape = _as_ints("_cross_entropy_backward", "shape", shape, False)
    try:
        return _T__cross_entropy_backward[ks](grad_output, probs, target, weight, reduction, ignore_index, label_smoothing, shape)
    except Exception:
        _explain(_T__cross_entropy_backward, (grad_output, probs, target, weight, reduction, ignore_index, label_smoothing, shape, ))
        raise


def op_nll_loss(self, target, weight=None, reduction=1, ignore_index=-100):
    try:
        ks = self._ks | target._ks | (0 if weight is None else weight._ks)
    except AttributeError:
        raise _not_tensor("nll_loss", {"self": self, "target": target, "weight": weight, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if reduction.__class__ is not int:
        reduction = _as_int("nll_loss", "reduction", reduction)
    if ignore_index.__class__ is not int:
        ignore_index = _as_int("nll_loss", "ignore_index", ignore_index)
    try:
        return _T_nll_loss[ks](self, target, weight, reduction, ignore_index)
    except Exception:
        _explain(_T_nll_loss, (self, target, weight, reduction, ignore_index, ))
        raise


def nll_loss(input, target, weight=None, reduction=1, ignore_index=-100):
    """nll_loss: see torch.nll_loss."""
    try:
        ks = input._ks | target._ks | (0 if weight is None else weight._ks)
    except AttributeError:
        raise _not_tensor("nll_loss", {"input": input, "target": target, "weight": weight, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if reduction.__class__ is not int:
        reduction = _as_int("nll_loss", "reduction", reduction)
    if ignore_index.__class__ is not int:
        ignore_index = _as_int("nll_loss", "ignore_index", ignore_index)
    try:
        return _T_nll_loss[ks](input, target, weight, reduction, ignore_index)
    except Exception:
        _explain(_T_nll_loss, (input, target, weight, reduction, ignore_index, ))
        raise


def op__nll_loss_backward(grad_output, target, weight, reduction, ignore_index, shape):
    try:
        ks = grad_output._ks | target._ks | (0 if weight is None else weight._ks)
    except AttributeError:
        raise _not_tensor("_nll_loss_backward", {"grad_output": grad_output, "target": target, "weight": weight, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if reduction.__class__ is not int:
        reduction = _as_int("_nll_loss_backward", "reduction", reduction)
    if ignore_index.__class__ is not int:
        ignore_index = _as_int("_nll_loss_backward", "ignore_index", ignore_index)
    if shape.__class__ not in _SEQUENCES:
        shape = _as_ints("_nll_loss_backward", "shape", shape, False)
    try:
        return _T__nll_loss_backward[ks](grad_output, target, weight, reduction, ignore_index, shape)
    except Exception:
        _explain(_T__nll_loss_backward, (grad_output, target, weight, reduction, ignore_index, shape, ))
        raise


def _nll_loss_backward(grad_output, target, weight, reduction, ignore_index, shape):
    """_nll_loss_backward: see torch._nll_loss_backward."""
    try:
        ks = grad_output._ks | target._ks | (0 if weight is None else weight._ks)
    except AttributeError:
        raise _not_tensor("_nll_loss_backward", {"grad_output": grad_output, "target": target, "weight": weight, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if reduction.__class__ is not int:
        reduction = _as_int("_nll_loss_backward", "reduction", reduction)
    if ignore_index.__class__ is not int:
        ignore_index = _as_int("_nll_loss_backward", "ignore_index", ignore_index)
    if shape.__class__ not in _SEQUENCES:
        shape = _as_ints("_nll_loss_backward", "shape", shape, False)
    try:
        return _T__nll_loss_backward[ks](grad_output, target, weight, reduction, ignore_index, shape)
    except Exception:
        _explain(_T__nll_loss_backward, (grad_output, target, weight, reduction, ignore_index, shape, ))
        raise


def op_mse_loss(self, target, reduction=1):
    try:
        ks = self._ks | target._ks
    except AttributeError:
        raise _not_tensor("mse_loss", {"self": self, "target": target, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if reduction.__class__ is not int:
        reduction = _as_int("mse_loss", "reduction", reduction)
    try:
        return _T_mse_loss[ks](self, target, reduction)
    except Exception:
        _explain(_T_mse_loss, (self, target, reduction, ))
        raise


def mse_loss(input, target, reduction=1):
    """mse_loss: see torch.mse_loss."""
    try:
        ks = input._ks | target._ks
    except AttributeError:
        raise _not_tensor("mse_loss", {"input": input, "target": target, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if reduction.__class__ is not int:
        reduction = _as_int("mse_loss", "reduction", reduction)
    try:
        return _T_mse_loss[ks](input, target, reduction)
    except Exception:
        _explain(_T_mse_loss, (input, target, reduction, ))
        raise


def op_mse_loss_backward(grad_output, self, target, reduction):
    try:
        ks = grad_output._ks | self._ks | target._ks
    except AttributeError:
        raise _not_tensor("mse_loss_backward", {"grad_output": grad_output, "self": self, "target": target, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if reduction.__class__ is not int:
        reduction = _as_int("mse_loss_backward", "reduction", reduction)
    try:
        return _T_mse_loss_backward[ks](grad_output, self, target, reduction)
    except Exception:
        _explain(_T_mse_loss_backward, (grad_output, self, target, reduction, ))
        raise


def mse_loss_backward(grad_output, input, target, reduction):
    """mse_loss_backward: see torch.mse_loss_backward."""
    try:
        ks = grad_output._ks | input._ks | target._ks
    except AttributeError:
        raise _not_tensor("mse_loss_backward", {"grad_output": grad_output, "input": input, "target": target, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if reduction.__class__ is not int:
        reduction = _as_int("mse_loss_backward", "reduction", reduction)
    try:
        return _T_mse_loss_backward[ks](grad_output, input, target, reduction)
    except Exception:
        _explain(_T_mse_loss_backward, (grad_output, input, target, reduction, ))
        raise


def op_smooth_l1_loss(self, target, reduction=1, beta=1.0):
    try:
        ks = self._ks | target._ks
    except AttributeError:
        raise _not_tensor("smooth_l1_loss", {"self": self, "target": target, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if reduction.__class__ is not int:
        reduction = _as_int("smooth_l1_loss", "reduction", reduction)
    if beta.__class__ is not float and beta.__class__ is not int:
        beta = _as_float("smooth_l1_loss", "beta", beta)
    try:
        return _T_smooth_l1_loss[ks](self, target, reduction, beta)
    except Exception:
        _explain(_T_smooth_l1_loss, (self, target, reduction, beta, ))
        raise


def op_huber_loss(self, target, reduction=1, delta=1.0):
    try:
        ks = self._ks | target._ks
    except AttributeError:
        raise _not_tensor("huber_loss", {"self": self, "target": target, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if reduction.__class__ is not int:
        reduction = _as_int("huber_loss", "reduction", reduction)
    if delta.__class__ is not float and delta.__class__ is not int:
        delta = _as_float("huber_loss", "delta", delta)
    try:
        return _T_huber_loss[ks](self, target, reduction, delta)
    except Exception:
        _explain(_T_huber_loss, (self, target, reduction, delta, ))
        raise


def op__limited_difference(self, target, grad_output, reduction, bound, scale):
    try:
        ks = self._ks | target._ks | grad_output._ks
    except AttributeError:
        raise _not_tensor("_limited_difference", {"self": self, "target": target, "grad_output": grad_output, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if reduction.__class__ is not int:
        reduction = _as_int("_limited_difference", "reduction", reduction)
    if bound.__class__ is not float and bound.__class__ is not int:
        bound = _as_float("_limited_difference", "bound", bound)
    if scale.__class__ is not float and scale.__class__ is not int:
        scale = _as_float("_limited_difference", "scale", scale)
    try:
        return _T__limited_difference[ks](self, target, grad_output, reduction, bound, scale)
    except Exception:
        _explain(_T__limited_difference, (self, target, grad_output, reduction, bound, scale, ))
        raise


def op_soft_margin_loss(self, target, reduction=1):
    try:
        ks = self._ks | target._ks
    except AttributeError:
        raise _not_tensor("soft_margin_loss", {"self": self, "target": target, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if reduction.__class__ is not int:
        reduction = _as_int("soft_margin_loss", "reduction", reduction)
    try:
        return _T_soft_margin_loss[ks](self, target, reduction)
    except Exception:
        _explain(_T_soft_margin_loss, (self, target, reduction, ))
        raise


def op_binary_cross_entropy(self, target, weight=None, reduction=1):
    try:
        ks = self._ks | target._ks | (0 if weight is None else weight._ks)
    except AttributeError:
        raise _not_tensor("binary_cross_entropy", {"self": self, "target": target, "weight": weight, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if reduction.__class__ is not int:
        reduction = _as_int("binary_cross_entropy", "reduction", reduction)
    try:
        return _T_binary_cross_entropy[ks](self, target, weight, reduction)
    except Exception:
        _explain(_T_binary_cross_entropy, (self, target, weight, reduction, ))
        raise


def op_binary_cross_entropy_with_logits(self, target, weight=None, pos_weight=None, reduction=1):
    try:
        ks = self._ks | target._ks | (0 if weight is None else weight._ks) | (0 if pos_weight is None else pos_weight._ks)
    except AttributeError:
        raise _not_tensor("binary_cross_entropy_with_logits", {"self": self, "target": target, "weight": weight, "pos_weight": pos_weight, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if reduction.__class__ is not int:
        reduction = _as_int("binary_cross_entropy_with_logits", "reduction", reduction)
    try:
        return _T_binary_cross_entropy_with_logits[ks](self, target, weight, pos_weight, reduction)
    except Exception:
        _explain(_T_binary_cross_entropy_with_logits, (self, target, weight, pos_weight, reduction, ))
        raise


METHODS = {
}


FUNCTIONS = {
    "_cross_entropy_backward": _cross_entropy_backward,
    "nll_loss": nll_loss,
    "_nll_loss_backward": _nll_loss_backward,
    "mse_loss": mse_loss,
    "mse_loss_backward": mse_loss_backward,
}
