# Generated from packages/nn/src/lamella/nn/ops/ctc.yaml (sha256 69dd7da3a729cf3e). Do not edit:
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
    _T__ctc_loss,
    _T__ctc_loss_backward,
) = _define(
    "aten",
    "lamella.nn.ctc",
    (
        ('_ctc_loss(Tensor log_probs, Tensor targets, int[] input_lengths, int[] target_lengths, int blank=0, bool zero_infinity=False) -> (Tensor, Tensor)', True),
        ('_ctc_loss_backward(Tensor grad, Tensor log_probs, Tensor targets, int[] input_lengths, int[] target_lengths, Tensor neg_log_likelihood, Tensor log_alpha, int blank, bool zero_infinity=False) -> Tensor', True),
    ),
    {1: "lamella.nn._gen.ctc_cpu", 2: "lamella.nn._gen.ctc_cuda", 3: "lamella.nn._gen.ctc_meta", 65: "lamella.nn.composite.ctc", },
    "lamella.nn/ops/ctc.yaml",
)


def op__ctc_loss(log_probs, targets, input_lengths, target_lengths, blank=0, zero_infinity=False):
    try:
        ks = log_probs._ks | targets._ks
    except AttributeError:
        raise _not_tensor("_ctc_loss", {"log_probs": log_probs, "targets": targets, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if input_lengths.__class__ not in _SEQUENCES:
        input_lengths = _as_ints("_ctc_loss", "input_lengths", input_lengths, False)
    if target_lengths.__class__ not in _SEQUENCES:
        target_lengths = _as_ints("_ctc_loss", "target_lengths", target_lengths, False)
    if blank.__class__ is not int:
        blank = _as_int("_ctc_loss", "blank", blank)
    if zero_infinity is not False and zero_infinity is not True:
        zero_infinity = _as_bool("_ctc_loss", "zero_infinity", zero_infinity)
    try:
        return _T__ctc_loss[ks](log_probs, targets, input_lengths, target_lengths, blank, zero_infinity)
    except Exception:
        _explain(_T__ctc_loss, (log_probs, targets, input_lengths, target_lengths, blank, zero_infinity, ))
        raise


def _ctc_loss(log_probs, targets, input_lengths, target_lengths, blank=0, zero_infinity=False):
    """_ctc_loss: see torch._ctc_loss."""
    try:
        ks = log_probs._ks | targets._ks
    except AttributeError:
        raise _not_tensor("_ctc_loss", {"log_probs": log_probs, "targets": targets, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if input_lengths.__class__ not in _SEQUENCES:
        input_lengths = _as_ints("_ctc_loss", "input_lengths", input_lengths, False)
    if target_lengths.__class__ not in _SEQUENCES:
        target_lengths = _as_ints("_ctc_loss", "target_lengths", target_lengths, False)
    if blank.__class__ is not int:
        blank = _as_int("_ctc_loss", "blank", blank)
    if zero_infinity is not False and zero_infinity is not True:
        zero_infinity = _as_bool("_ctc_loss", "zero_infinity", zero_infinity)
    try:
        return _T__ctc_loss[ks](log_probs, targets, input_lengths, target_lengths, blank, zero_infinity)
    except Exception:
        _explain(_T__ctc_loss, (log_probs, targets, input_lengths, target_lengths, blank, zero_infinity, ))
        raise


def op__ctc_loss_backward(grad, log_probs, targets, input_lengths, target_lengths, neg_log_likelihood, log_alpha, blank, zero_infinity=False):
    try:
        ks = grad._ks | log_probs._ks | targets._ks | neg_log_likelihood._ks | log_alpha._ks
    except AttributeError:
        raise _not_tensor("_ctc_loss_backward", {"grad": grad, "log_probs": log_probs, "targets": targets, "neg_log_likelihood": neg_log_likelihood, "log_alpha": log_alpha, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if input_lengths.__class__ not in _SEQUENCES:
        input_lengths = _as_ints("_ctc_loss_backward", "input_lengths", input_lengths, False)
    if target_lengths.__class__ not in _SEQUENCES:
        target_lengths = _as_ints("_ctc_loss_backward", "target_lengths", target_lengths, False)
    if blank.__class__ is not int:
        blank = _as_int("_ctc_loss_backward", "blank", blank)
    if zero_infinity is not False and zero_infinity is not True:
        zero_infinity = _as_bool("_ctc_loss_backward", "zero_infinity", zero_infinity)
    try:
        return _T__ctc_loss_backward[ks](grad, log_probs, targets, input_lengths, target_lengths, neg_log_likelihood, log_alpha, blank, zero_infinity)
    except Exception:
        _explain(_T__ctc_loss_backward, (grad, log_probs, targets, input_lengths, target_lengths, neg_log_likelihood, log_alpha, blank, zero_infinity, ))
        raise


def _ctc_loss_backward(grad, log_probs, targets, input_lengths, target_lengths, neg_log_likelihood, log_alpha, blank, zero_infinity=False):
    """_ctc_loss_backward: see torch._ctc_loss_backward."""
    try:
        ks = grad._ks | log_probs._ks | targets._ks | neg_log_likelihood._ks | log_alpha._ks
    except AttributeError:
        raise _not_tensor("_ctc_loss_backward", {"grad": grad, "log_probs": log_probs, "targets": targets, "neg_log_likelihood": neg_log_likelihood, "log_alpha": log_alpha, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if input_lengths.__class__ not in _SEQUENCES:
        input_lengths = _as_ints("_ctc_loss_backward", "input_lengths", input_lengths, False)
    if target_lengths.__class__ not in _SEQUENCES:
        target_lengths = _as_ints("_ctc_loss_backward", "target_lengths", target_lengths, False)
    if blank.__class__ is not int:
        blank = _as_int("_ctc_loss_backward", "blank", blank)
    if zero_infinity is not False and zero_infinity is not True:
        zero_infinity = _as_bool("_ctc_loss_backward", "zero_infinity", zero_infinity)
    try:
        return _T__ctc_loss_backward[ks](grad, log_probs, targets, input_lengths, target_lengths, neg_log_likelihood, log_alpha, blank, zero_infinity)
    except Exception:
        _explain(_T__ctc_loss_backward, (grad, log_probs, targets, input_lengths, target_lengths, neg_log_likelihood, log_alpha, blank, zero_infinity, ))
        raise


METHODS = {
}


FUNCTIONS = {
    "_ctc_loss": _ctc_loss,
    "_ctc_loss_backward": _ctc_loss_backward,
}
