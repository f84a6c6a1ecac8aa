# Generated from packages/nn/src/lamella/nn/derivatives/ctc.yaml (sha256 6c9df1648e8b916d). Do not edit:
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

from lamella.nn._gen.ctc import _ctc_loss_backward


BIND = True


class CtcLossBackward0(_Node):
    __slots__ = ("log_probs_", "log_probs_v", "targets_", "targets_v", "input_lengths_", "target_lengths_", "result0_", "result0_v", "result1_", "result1_v", "blank_", "zero_infinity_", )
    kind = _SAVES
    saved = ("log_probs_", "targets_", "result0_", "result1_", )

    def apply(node, grad):
        edges = node.edges
        log_probs = node.log_probs_
        if log_probs.__class__ is not _Tensor or (log_probs._vc is not None and log_probs._vc.n != node.log_probs_v):
            log_probs = _unpack(node, "log_probs_")
        targets = node.targets_
        if targets.__class__ is not _Tensor or (targets._vc is not None and targets._vc.n != node.targets_v):
            targets = _unpack(node, "targets_")
        result0 = _unpack_output(node, "result0_", 0)
        result1 = _unpack_output(node, "result1_", 0)
        input_lengths = node.input_lengths_
        target_lengths = node.target_lengths_
        blank = node.blank_
        zero_infinity = node.zero_infinity_
        g0 = _ctc_loss_backward(grad, log_probs, targets, input_lengths, target_lengths, result0, result1, blank, zero_infinity)
        return g0

    def release(node):
        node.log_probs_ = node.targets_ = node.result0_ = node.result1_ = _FREED


def bind__ctc_loss(op, ks, _lower):
    bits = _autograd_bits(ks)

    def _ctc_loss(log_probs, targets, input_lengths, target_lengths, blank=0, zero_infinity=False):
        out = _lower(log_probs, targets, input_lengths, target_lengths, blank, zero_infinity)
        e0 = log_probs._ag
        node = CtcLossBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        node.log_probs_ = log_probs if log_probs._twin is None else log_probs._twin
        node.log_probs_v = 0 if log_probs._vc is None else log_probs._vc.n
        node.targets_ = targets if targets._twin is None else targets._twin
        node.targets_v = 0 if targets._vc is None else targets._vc.n
        node.input_lengths_ = input_lengths
        node.target_lengths_ = target_lengths
        node.blank_ = blank
        node.zero_infinity_ = zero_infinity
        x = out[0]
        x._ag = node
        x._ks |= bits
        _save_output(node, "result0_", out[0])
        _save_output(node, "result1_", out[1])
        if _packers:
            _pack(node)
        return out

    return _ctc_loss
