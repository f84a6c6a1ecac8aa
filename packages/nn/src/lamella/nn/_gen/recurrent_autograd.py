# Generated from packages/nn/src/lamella/nn/derivatives/recurrent.yaml (sha256 4477442a54d7bc8e). Do not edit:
# change the source and run `uv run tools/gen.py`.
from lamella.autograd.graph import MULTI as _MULTI, SAVES as _SAVES, Node as _Node, counter as _counter
from lamella.autograd.inplace import check_inplace as _check_inplace, rebase_history as _rebase, original as _original
from lamella.autograd.saved import (
    FREED as _FREED,
    pack as _pack,
    packers as _packers,
    save_output as _save_output,
    unpack as _unpack,
    unpack_output as _unpack_output,
)
from lamella.autograd.fit import edge_of as _edge_of, fit as _fit, is_integral as _is_integral
from lamella.core.tensor import Tensor as _Tensor
from lamella.dispatch.keys import autograd_bits as _autograd_bits

from lamella.nn.formulas_recurrent import gru_loop_grads, lstm_loop_grads, rnn_loop_grads


BIND = True


class RnnLoopBackward0(_Node):
    __slots__ = ("gates_", "gates_v", "h_", "h_v", "weight_", "weight_v", "nonlinearity_", "sizes_", "reverse_", "output_", "output_v", )
    kind = _SAVES | _MULTI
    num_outputs = 2
    saved = ("gates_", "h_", "weight_", "output_", )

    def apply(node, *grads):
        edges = node.edges
        gates = node.gates_
        if gates.__class__ is not _Tensor or (gates._vc is not None and gates._vc.n != node.gates_v):
            gates = _unpack(node, "gates_")
        h = node.h_
        if h.__class__ is not _Tensor or (h._vc is not None and h._vc.n != node.h_v):
            h = _unpack(node, "h_")
        weight = node.weight_
        if weight.__class__ is not _Tensor or (weight._vc is not None and weight._vc.n != node.weight_v):
            weight = _unpack(node, "weight_")
        output = _unpack_output(node, "output_", 0)
        nonlinearity = node.nonlinearity_
        sizes = node.sizes_
        reverse = node.reverse_
        needs = (edges[0] is not None, edges[1] is not None, edges[2] is not None, )
        g0, g1, g2,  = rnn_loop_grads(grads, gates, h, weight, nonlinearity, sizes, reverse, output, needs)
        return g0, g1, g2

    def release(node):
        node.gates_ = node.h_ = node.weight_ = node.output_ = _FREED


class LstmLoopBackward0(_Node):
    __slots__ = ("gates_", "gates_v", "h_", "h_v", "c_", "c_v", "weight_", "weight_v", "sizes_", "reverse_", "output_", "output_v", "cells_", "cells_v", "workspace_", "workspace_v", )
    kind = _SAVES | _MULTI
    num_outputs = 5
    saved = ("gates_", "h_", "c_", "weight_", "output_", "cells_", "workspace_", )

    def apply(node, *grads):
        edges = node.edges
        gates = node.gates_
        if gates.__class__ is not _Tensor or (gates._vc is not None and gates._vc.n != node.gates_v):
            gates = _unpack(node, "gates_")
        h = node.h_
        if h.__class__ is not _Tensor or (h._vc is not None and h._vc.n != node.h_v):
            h = _unpack(node, "h_")
        c = node.c_
        if c.__class__ is not _Tensor or (c._vc is not None and c._vc.n != node.c_v):
            c = _unpack(node, "c_")
        weight = node.weight_
        if weight.__class__ is not _Tensor or (weight._vc is not None and weight._vc.n != node.weight_v):
            weight = _unpack(node, "weight_")
        output = _unpack_output(node, "output_", 0)
        cells = _unpack_output(node, "cells_", 3)
        workspace = _unpack_output(node, "workspace_", 4)
        sizes = node.sizes_
        reverse = node.reverse_
        needs = (edges[0] is not None, edges[1] is not None, edges[2] is not None, edges[3] is not None, )
        g0, g1, g2, g3,  = lstm_loop_grads(grads, gates, h, c, weight, sizes, reverse, output, cells, workspace, needs)
        return g0, g1, g2, g3

    def release(node):
        node.gates_ = node.h_ = node.c_ = node.weight_ = node.output_ = node.cells_ = node.workspace_ = _FREED


class GruLoopBackward0(_Node):
    __slots__ = ("gates_", "gates_v", "h_", "h_v", "weight_", "weight_v", "bias_", "bias_v", "sizes_", "reverse_", "output_", "output_v", "hidden_", "hidden_v", "workspace_", "workspace_v", )
    kind = _SAVES | _MULTI
    num_outputs = 4
    saved = ("gates_", "h_", "weight_", "bias_", "output_", "hidden_", "workspace_", )

    def apply(node, *grads):
        edges = node.edges
        gates = node.gates_
        if gates.__class__ is not _Tensor or (gates._vc is not None and gates._vc.n != node.gates_v):
            gates = _unpack(node, "gates_")
        h = node.h_
        if h.__class__ is not _Tensor or (h._vc is not None and h._vc.n != node.h_v):
            h = _unpack(node, "h_")
        weight = node.weight_
        if weight.__class__ is not _Tensor or (weight._vc is not None and weight._vc.n != node.weight_v):
            weight = _unpack(node, "weight_")
        bias = node.bias_
        if bias.__class__ is not _Tensor or (bias._vc is not None and bias._vc.n != node.bias_v):
            bias = _unpack(node, "bias_")
        output = _unpack_output(node, "output_", 0)
        hidden = _unpack_output(node, "hidden_", 2)
        workspace = _unpack_output(node, "workspace_", 3)
        sizes = node.sizes_
        reverse = node.reverse_
        needs = (edges[0] is not None, edges[1] is not None, edges[2] is not None, edges[3] is not None, )
        g0, g1, g2, g3,  = gru_loop_grads(grads, gates, h, weight, bias, sizes, reverse, output, hidden, workspace, needs)
        return g0, g1, g2, g3

    def release(node):
        node.gates_ = node.h_ = node.weight_ = node.bias_ = node.output_ = node.hidden_ = node.workspace_ = _FREED


def bind_rnn_loop(op, ks, _lower):
    bits = _autograd_bits(ks)

    def rnn_loop(gates, h, weight, nonlinearity, sizes, reverse):
        out = _lower(gates, h, weight, nonlinearity, sizes, reverse)
        e0 = gates._ag
        e1 = h._ag
        e2 = weight._ag
        node = RnnLoopBackward0()
        node.seq = next(_counter)
        node.edges = (e0, e1, e2, )
        node.gates_ = gates if gates._twin is None else gates._twin
        node.gates_v = 0 if gates._vc is None else gates._vc.n
        node.h_ = h if h._twin is None else h._twin
        node.h_v = 0 if h._vc is None else h._vc.n
        node.weight_ = weight if weight._twin is None else weight._twin
        node.weight_v = 0 if weight._vc is None else weight._vc.n
        node.nonlinearity_ = nonlinearity
        node.sizes_ = sizes
        node.reverse_ = reverse
        x = out[0]
        if x is not None and not _is_integral(x):
            x._ag = (node, 0)
            x._ks |= bits
        x = out[1]
        if x is not None and not _is_integral(x):
            x._ag = (node, 1)
            x._ks |= bits
        _save_output(node, "output_", out[0])
        if _packers:
            _pack(node)
        return out

    return rnn_loop


def bind_lstm_loop(op, ks, _lower):
    bits = _autograd_bits(ks)

    def lstm_loop(gates, h, c, weight, sizes, reverse):
        out = _lower(gates, h, c, weight, sizes, reverse)
        e0 = gates._ag
        e1 = h._ag
        e2 = c._ag
        e3 = weight._ag
        node = LstmLoopBackward0()
        node.seq = next(_counter)
        node.edges = (e0, e1, e2, e3, )
        node.gates_ = gates if gates._twin is None else gates._twin
        node.gates_v = 0 if gates._vc is None else gates._vc.n
        node.h_ = h if h._twin is None else h._twin
        node.h_v = 0 if h._vc is None else h._vc.n
        node.c_ = c if c._twin is None else c._twin
        node.c_v = 0 if c._vc is None else c._vc.n
        node.weight_ = weight if weight._twin is None else weight._twin
        node.weight_v = 0 if weight._vc is None else weight._vc.n
        node.sizes_ = sizes
        node.reverse_ = reverse
        x = out[0]
        if x is not None and not _is_integral(x):
            x._ag = (node, 0)
            x._ks |= bits
        x = out[1]
        if x is not None and not _is_integral(x):
            x._ag = (node, 1)
            x._ks |= bits
        x = out[2]
        if x is not None and not _is_integral(x):
            x._ag = (node, 2)
            x._ks |= bits
        _save_output(node, "output_", out[0])
        _save_output(node, "cells_", out[3])
        _save_output(node, "workspace_", out[4])
        if _packers:
            _pack(node)
        return out

    return lstm_loop


def bind_gru_loop(op, ks, _lower):
    bits = _autograd_bits(ks)

    def gru_loop(gates, h, weight, bias, sizes, reverse):
        out = _lower(gates, h, weight, bias, sizes, reverse)
        e0 = gates._ag
        e1 = h._ag
        e2 = weight._ag
        e3 = None if bias is None else bias._ag
        node = GruLoopBackward0()
        node.seq = next(_counter)
        node.edges = (e0, e1, e2, e3, )
        node.gates_ = gates if gates._twin is None else gates._twin
        node.gates_v = 0 if gates._vc is None else gates._vc.n
        node.h_ = h if h._twin is None else h._twin
        node.h_v = 0 if h._vc is None else h._vc.n
        node.weight_ = weight if weight._twin is None else weight._twin
        node.weight_v = 0 if weight._vc is None else weight._vc.n
        if isinstance(bias, _Tensor):
            node.bias_ = bias if bias._twin is None else bias._twin
            node.bias_v = 0 if bias._vc is None else bias._vc.n
        else:
            node.bias_ = bias
        node.sizes_ = sizes
        node.reverse_ = reverse
        x = out[0]
        if x is not None and not _is_integral(x):
            x._ag = (node, 0)
            x._ks |= bits
        x = out[1]
        if x is not None and not _is_integral(x):
            x._ag = (node, 1)
            x._ks |= bits
        _save_output(node, "output_", out[0])
        _save_output(node, "hidden_", out[2])
        _save_output(node, "workspace_", out[3])
        if _packers:
            _pack(node)
        return out

    return gru_loop
