# Generated from packages/nn/src/lamella/nn/ops/recurrent.yaml (sha256 d502a54b3fe778c0). Do not edit:
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
    _T_rnn_loop,
    _T_rnn_loop_backward,
    _T_lstm_loop,
    _T_lstm_loop_backward,
    _T_gru_loop,
    _T_gru_loop_backward,
) = _define(
    "aten",
    "lamella.nn.recurrent",
    (
        ('rnn_loop(Tensor gates, Tensor h, Tensor weight, str nonlinearity, int[] sizes, bool reverse) -> (Tensor output, Tensor h_n)', True),
        ('rnn_loop_backward(Tensor? grad_output, Tensor? grad_h, Tensor h, Tensor weight, str nonlinearity, int[] sizes, bool reverse, Tensor output) -> (Tensor, Tensor, Tensor)', False),
        ('lstm_loop(Tensor gates, Tensor h, Tensor c, Tensor weight, int[] sizes, bool reverse) -> (Tensor output, Tensor h_n, Tensor c_n, Tensor cells, Tensor workspace)', True),
        ('lstm_loop_backward(Tensor? grad_output, Tensor? grad_h, Tensor? grad_c, Tensor h, Tensor c, Tensor weight, int[] sizes, bool reverse, Tensor output, Tensor cells, Tensor workspace) -> (Tensor, Tensor, Tensor, Tensor)', False),
        ('gru_loop(Tensor gates, Tensor h, Tensor weight, Tensor? bias, int[] sizes, bool reverse) -> (Tensor output, Tensor h_n, Tensor hidden, Tensor workspace)', True),
        ('gru_loop_backward(Tensor? grad_output, Tensor? grad_h, Tensor h, Tensor weight, int[] sizes, bool reverse, Tensor output, Tensor hidden, Tensor workspace) -> (Tensor, Tensor, Tensor, Tensor)', False),
    ),
    {1: "lamella.nn._gen.recurrent_cpu", 2: "lamella.nn._gen.recurrent_cuda", 3: "lamella.nn._gen.recurrent_meta", 65: "lamella.nn.composite.recurrent", },
    "lamella.nn/ops/recurrent.yaml",
)


def op_rnn_loop(gates, h, weight, nonlinearity, sizes, reverse):
    try:
        ks = gates._ks | h._ks | weight._ks
    except AttributeError:
        raise _not_tensor("rnn_loop", {"gates": gates, "h": h, "weight": weight, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if sizes.__class__ not in _SEQUENCES:
        sizes = _as_ints("rnn_loop", "sizes", sizes, False)
    if reverse is not False and reverse is not True:
        reverse = _as_bool("rnn_loop", "reverse", reverse)
    try:
        return _T_rnn_loop[ks](gates, h, weight, nonlinearity, sizes, reverse)
    except Exception:
        _explain(_T_rnn_loop, (gates, h, weight, nonlinearity, sizes, reverse, ))
        raise


def op_rnn_loop_backward(grad_output, grad_h, h, weight, nonlinearity, sizes, reverse, output):
    try:
        ks = (0 if grad_output is None else grad_output._ks) | (0 if grad_h is None else grad_h._ks) | h._ks | weight._ks | output._ks
    except AttributeError:
        raise _not_tensor("rnn_loop_backward", {"grad_output": grad_output, "grad_h": grad_h, "h": h, "weight": weight, "output": output, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if sizes.__class__ not in _SEQUENCES:
        sizes = _as_ints("rnn_loop_backward", "sizes", sizes, False)
    if reverse is not False and reverse is not True:
        reverse = _as_bool("rnn_loop_backward", "reverse", reverse)
    try:
        return _T_rnn_loop_backward[ks](grad_output, grad_h, h, weight, nonlinearity, sizes, reverse, output)
    except Exception:
        _explain(_T_rnn_loop_backward, (grad_output, grad_h, h, weight, nonlinearity, sizes, reverse, output, ))
        raise


def op_lstm_loop(gates, h, c, weight, sizes, reverse):
    try:
        ks = gates._ks | h._ks | c._ks | weight._ks
    except AttributeError:
        raise _not_tensor("lstm_loop", {"gates": gates, "h": h, "c": c, "weight": weight, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if sizes.__class__ not in _SEQUENCES:
        sizes = _as_ints("lstm_loop", "sizes", sizes, False)
    if reverse is not False and reverse is not True:
        reverse = _as_bool("lstm_loop", "reverse", reverse)
    try:
        return _T_lstm_loop[ks](gates, h, c, weight, sizes, reverse)
    except Exception:
        _explain(_T_lstm_loop, (gates, h, c, weight, sizes, reverse, ))
        raise


def op_lstm_loop_backward(grad_output, grad_h, grad_c, h, c, weight, sizes, reverse, output, cells, workspace):
    try:
        ks = (0 if grad_output is None else grad_output._ks) | (0 if grad_h is None else grad_h._ks) | (0 if grad_c is None else grad_c._ks) | h._ks | c._ks | weight._ks | output._ks | cells._ks | workspace._ks
    except AttributeError:
        raise _not_tensor("lstm_loop_backward", {"grad_output": grad_output, "grad_h": grad_h, "grad_c": grad_c, "h": h, "c": c, "weight": weight, "output": output, "cells": cells, "workspace": workspace, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if sizes.__class__ not in _SEQUENCES:
        sizes = _as_ints("lstm_loop_backward", "sizes", sizes, False)
    if reverse is not False and reverse is not True:
        reverse = _as_bool("lstm_loop_backward", "reverse", reverse)
    try:
        return _T_lstm_loop_backward[ks](grad_output, grad_h, grad_c, h, c, weight, sizes, reverse, output, cells, workspace)
    except Exception:
        _explain(_T_lstm_loop_backward, (grad_output, grad_h, grad_c, h, c, weight, sizes, reverse, output, cells, workspace, ))
        raise


def op_gru_loop(gates, h, weight, bias, sizes, reverse):
    try:
        ks = gates._ks | h._ks | weight._ks | (0 if bias is None else bias._ks)
    except AttributeError:
        raise _not_tensor("gru_loop", {"gates": gates, "h": h, "weight": weight, "bias": bias, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if sizes.__class__ not in _SEQUENCES:
        sizes = _as_ints("gru_loop", "sizes", sizes, False)
    if reverse is not False and reverse is not True:
        reverse = _as_bool("gru_loop", "reverse", reverse)
    try:
        return _T_gru_loop[ks](gates, h, weight, bias, sizes, reverse)
    except Exception:
        _explain(_T_gru_loop, (gates, h, weight, bias, sizes, reverse, ))
        raise


def op_gru_loop_backward(grad_output, grad_h, h, weight, sizes, reverse, output, hidden, workspace):
    try:
        ks = (0 if grad_output is None else grad_output._ks) | (0 if grad_h is None else grad_h._ks) | h._ks | weight._ks | output._ks | hidden._ks | workspace._ks
    except AttributeError:
        raise _not_tensor("gru_loop_backward", {"grad_output": grad_output, "grad_h": grad_h, "h": h, "weight": weight, "output": output, "hidden": hidden, "workspace": workspace, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if sizes.__class__ not in _SEQUENCES:
        sizes = _as_ints("gru_loop_backward", "sizes", sizes, False)
    if reverse is not False and reverse is not True:
        reverse = _as_bool("gru_loop_backward", "reverse", reverse)
    try:
        return _T_gru_loop_backward[ks](grad_output, grad_h, h, weight, sizes, reverse, output, hidden, workspace)
    except Exception:
        _explain(_T_gru_loop_backward, (grad_output, grad_h, h, weight, sizes, reverse, output, hidden, workspace, ))
        raise


METHODS = {
}


FUNCTIONS = {
}
