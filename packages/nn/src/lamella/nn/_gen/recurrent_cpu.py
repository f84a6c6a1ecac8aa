# Generated from packages/nn/src/lamella/nn/ops/recurrent.yaml (sha256 d502a54b3fe778c0). Do not edit:
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
import lamella.nn.kernels.recurrent as _k

_KS = 1  # of new tensors

_R_rnn_loop = _return_type("rnn_loop", ("output", "h_n", ))

_R_lstm_loop = _return_type("lstm_loop", ("output", "h_n", "c_n", "cells", "workspace", ))

_R_gru_loop = _return_type("gru_loop", ("output", "h_n", "hidden", "workspace", ))


def rnn_loop(gates, h, weight, nonlinearity, sizes, reverse):
    r = _k.rnn_loop(_xp, gates._a, h._a, weight._a, nonlinearity, sizes, reverse)
    return _R_rnn_loop([_wrap_result(x) for x in r])


def rnn_loop_backward(grad_output, grad_h, h, weight, nonlinearity, sizes, reverse, output):
    r = _k.rnn_loop_backward(_xp, None if grad_output is None else grad_output._a, None if grad_h is None else grad_h._a, h._a, weight._a, nonlinearity, sizes, reverse, output._a)
    return tuple([_wrap_result(x) for x in r])


def lstm_loop(gates, h, c, weight, sizes, reverse):
    r = _k.lstm_loop(_xp, gates._a, h._a, c._a, weight._a, sizes, reverse)
    return _R_lstm_loop([_wrap_result(x) for x in r])


def lstm_loop_backward(grad_output, grad_h, grad_c, h, c, weight, sizes, reverse, output, cells, workspace):
    r = _k.lstm_loop_backward(_xp, None if grad_output is None else grad_output._a, None if grad_h is None else grad_h._a, None if grad_c is None else grad_c._a, h._a, c._a, weight._a, sizes, reverse, output._a, cells._a, workspace._a)
    return tuple([_wrap_result(x) for x in r])


def gru_loop(gates, h, weight, bias, sizes, reverse):
    r = _k.gru_loop(_xp, gates._a, h._a, weight._a, None if bias is None else bias._a, sizes, reverse)
    return _R_gru_loop([_wrap_result(x) for x in r])


def gru_loop_backward(grad_output, grad_h, h, weight, sizes, reverse, output, hidden, workspace):
    r = _k.gru_loop_backward(_xp, None if grad_output is None else grad_output._a, None if grad_h is None else grad_h._a, h._a, weight._a, sizes, reverse, output._a, hidden._a, workspace._a)
    return tuple([_wrap_result(x) for x in r])
