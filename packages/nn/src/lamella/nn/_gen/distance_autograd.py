# Generated from packages/nn/src/lamella/nn/derivatives/distance.yaml (sha256 cbdef849b1e15ef4). Do not edit:
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

from lamella.nn.formulas_distance import pdist_gradient


BIND = True


class PdistBackward0(_Node):
    __slots__ = ("self_", "self_v", "p_", "result_", "result_v", )
    kind = _SAVES
    saved = ("self_", "result_", )

    def apply(node, grad):
        edges = node.edges
        self = node.self_
        if self.__class__ is not _Tensor or (self._vc is not None and self._vc.n != node.self_v):
            self = _unpack(node, "self_")
        result = _unpack_output(node, "result_", 0)
        p = node.p_
        g0 = pdist_gradient(grad, self, p, result)
        return g0

    def release(node):
        node.self_ = node.result_ = _FREED


def bind__pdist_forward(op, ks, _lower):
    bits = _autograd_bits(ks)

    def _pdist_forward(self, p=2):
        out = _lower(self, p)
        e0 = self._ag
        node = PdistBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        node.self_ = self if self._twin is None else self._twin
        node.self_v = 0 if self._vc is None else self._vc.n
        node.p_ = p
        out._ag = node
        out._ks |= bits
        _save_output(node, "result_", out)
        if _packers:
            _pack(node)
        return out

    return _pdist_forward
