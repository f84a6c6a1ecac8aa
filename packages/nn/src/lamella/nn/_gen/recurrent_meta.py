# Generated from packages/nn/src/lamella/nn/ops/recurrent.yaml (sha256 d502a54b3fe778c0). Do not edit:
# change the source and run `uv run tools/gen.py`.
from lamella.core.meta import meta_elementwise as _elementwise, meta_inplace as _inplace, meta_result as _result
from lamella.core.runtime import bump as _bump, return_type as _return_type, wrap_view as _wrap_view
import numpy as _xp
import lamella.nn.kernels.recurrent as _k
import lamella.nn.meta.recurrent as _m

_R_rnn_loop = _return_type("rnn_loop", ("output", "h_n", ))
_R_lstm_loop = _return_type("lstm_loop", ("output", "h_n", "c_n", "cells", "workspace", ))
_R_gru_loop = _return_type("gru_loop", ("output", "h_n", "hidden", "workspace", ))


def rnn_loop(gates, h, weight, nonlinearity, sizes, reverse):
    return _R_rnn_loop([_result(x) for x in _m.rnn_loop(gates, h, weight, nonlinearity, sizes, reverse)])


def rnn_loop_backward(grad_output, grad_h, h, weight, nonlinearity, sizes, reverse, output):
    return tuple([_result(x) for x in _m.rnn_loop_backward(grad_output, grad_h, h, weight, nonlinearity, sizes, reverse, output)])


def lstm_loop(gates, h, c, weight, sizes, reverse):
    return _R_lstm_loop([_result(x) for x in _m.lstm_loop(gates, h, c, weight, sizes, reverse)])


def lstm_loop_backward(grad_output, grad_h, grad_c, h, c, weight, sizes, reverse, output, cells, workspace):
    return tuple([_result(x) for x in _m.lstm_loop_backward(grad_output, grad_h, grad_c, h, c, weight, sizes, reverse, output, cells, workspace)])


def gru_loop(gates, h, weight, bias, sizes, reverse):
    return _R_gru_loop([_result(x) for x in _m.gru_loop(gates, h, weight, bias, sizes, reverse)])


def gru_loop_backward(grad_output, grad_h, h, weight, sizes, reverse, output, hidden, workspace):
    return tuple([_result(x) for x in _m.gru_loop_backward(grad_output, grad_h, h, weight, sizes, reverse, output, hidden, workspace)])
