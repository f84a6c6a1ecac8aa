# Generated from packages/autograd/src/lamella/autograd/derivatives/distance.yaml (sha256 2a3aae488904ce3f). Do not edit:
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

from lamella.autograd.formulas_distance import cdist_backward


BIND = True


class CdistBackward0(_Node):
    __slots__ = ("x1_", "x1_v", "x2_", "x2_v", "p_", "compute_mode_", "result_", "result_v", )
    kind = _SAVES
    saved = ("x1_", "x2_", "result_", )

    def apply(node, grad):
        edges = node.edges
        x1 = node.x1_
        if x1.__class__ is not _Tensor or (x1._vc is not None and x1._vc.n != node.x1_v):
            x1 = _unpack(node, "x1_")
        x2 = node.x2_
        if x2.__class__ is not _Tensor or (x2._vc is not None and x2._vc.n != node.x2_v):
            x2 = _unpack(node, "x2_")
        result = _unpack_output(node, "result_", 0)
        p = node.p_
        compute_mode = node.compute_mode_
        needs = (edges[0] is not None, edges[1] is not None, )
        g0, g1,  = cdist_backward(grad, x1, x2, p, compute_mode, result)
        return g0, g1

    def release(node):
        node.x1_ = node.x2_ = node.result_ = _FREED


def bind__cdist_forward(op, ks, _lower):
    bits = _autograd_bits(ks)

    def _cdist_forward(x1, x2, p, compute_mode):
        out = _lower(x1, x2, p, compute_mode)
        e0 = x1._ag
        e1 = x2._ag
        node = CdistBackward0()
        node.seq = next(_counter)
        node.edges = (e0, e1, )
        node.x1_ = x1 if x1._twin is None else x1._twin
        node.x1_v = 0 if x1._vc is None else x1._vc.n
        node.x2_ = x2 if x2._twin is None else x2._twin
        node.x2_v = 0 if x2._vc is None else x2._vc.n
        node.p_ = p
        node.compute_mode_ = compute_mode
        out._ag = node
        out._ks |= bits
        _save_output(node, "result_", out)
        if _packers:
            _pack(node)
        return out

    return _cdist_forward
