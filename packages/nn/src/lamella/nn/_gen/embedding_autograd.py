# Generated from packages/nn/src/lamella/nn/derivatives/embedding.yaml (sha256 41b80bebb9a679db). Do not edit:
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

from lamella.nn._gen.embedding import embedding_dense_backward
from lamella.nn.formulas_embedding import embedding_twice


BIND = True


class EmbeddingBackward0(_Node):
    __slots__ = ("indices_", "indices_v", "weight_shape_", "padding_idx_", "scale_grad_by_freq_", )
    kind = _SAVES
    saved = ("indices_", )

    def apply(node, grad):
        edges = node.edges
        indices = node.indices_
        if indices.__class__ is not _Tensor or (indices._vc is not None and indices._vc.n != node.indices_v):
            indices = _unpack(node, "indices_")
        weight_shape = node.weight_shape_
        padding_idx = node.padding_idx_
        scale_grad_by_freq = node.scale_grad_by_freq_
        g0 = embedding_dense_backward(grad, indices, weight_shape[0], padding_idx, scale_grad_by_freq)
        return g0

    def release(node):
        node.indices_ = _FREED


class EmbeddingDenseBackwardBackward0(_Node):
    __slots__ = ("indices_", "indices_v", "padding_idx_", )
    kind = _SAVES
    saved = ("indices_", )

    def apply(node, grad):
        edges = node.edges
        indices = node.indices_
        if indices.__class__ is not _Tensor or (indices._vc is not None and indices._vc.n != node.indices_v):
            indices = _unpack(node, "indices_")
        padding_idx = node.padding_idx_
        g0 = embedding_twice(grad, indices, padding_idx)
        return g0

    def release(node):
        node.indices_ = _FREED


def bind_embedding(op, ks, _lower):
    bits = _autograd_bits(ks)

    def embedding(weight, indices, padding_idx=-1, scale_grad_by_freq=False, sparse=False):
        out = _lower(weight, indices, padding_idx, scale_grad_by_freq, sparse)
        e0 = weight._ag
        node = EmbeddingBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        node.indices_ = indices if indices._twin is None else indices._twin
        node.indices_v = 0 if indices._vc is None else indices._vc.n
        node.weight_shape_ = weight.shape
        node.padding_idx_ = padding_idx
        node.scale_grad_by_freq_ = scale_grad_by_freq
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return embedding


def bind_embedding_dense_backward(op, ks, _lower):
    bits = _autograd_bits(ks)

    def embedding_dense_backward(grad_output, indices, num_weights, padding_idx, scale_grad_by_freq):
        out = _lower(grad_output, indices, num_weights, padding_idx, scale_grad_by_freq)
        e0 = grad_output._ag
        node = EmbeddingDenseBackwardBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        node.indices_ = indices if indices._twin is None else indices._twin
        node.indices_v = 0 if indices._vc is None else indices._vc.n
        node.padding_idx_ = padding_idx
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return embedding_dense_backward
