# Generated from packages/autograd/src/lamella/autograd/derivatives/segments.yaml (sha256 fad9645fccb44d7b). Do not edit:
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

from lamella.core.functions import repeat_interleave


BIND = True


class SegmentReduceBackward0(_Node):
    __slots__ = ("lengths_", "lengths_v", "self_shape_", )
    kind = _SAVES
    saved = ("lengths_", )

    def apply(node, grad):
        edges = node.edges
        lengths = node.lengths_
        if lengths.__class__ is not _Tensor or (lengths._vc is not None and lengths._vc.n != node.lengths_v):
            lengths = _unpack(node, "lengths_")
        self_shape = node.self_shape_
        g0 = repeat_interleave(grad, lengths, 0, output_size=self_shape[0])
        return g0

    def release(node):
        node.lengths_ = _FREED


def bind__segment_sum(op, ks, _lower):
    bits = _autograd_bits(ks)

    def _segment_sum(self, lengths):
        out = _lower(self, lengths)
        e0 = self._ag
        node = SegmentReduceBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        node.lengths_ = lengths if lengths._twin is None else lengths._twin
        node.lengths_v = 0 if lengths._vc is None else lengths._vc.n
        node.self_shape_ = self.shape
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return _segment_sum
