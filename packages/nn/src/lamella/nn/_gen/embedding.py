# Generated from packages/nn/src/lamella/nn/ops/embedding.yaml (sha256 d9a8747a7aaf86c5). Do not edit:
# change the source and run `uv run tools/gen.py`.
from lamella.core.runtime import (
    Tensor as _Tensor,
    backend_bit as _backend_bit,
    is_number as _is_number,
    keys_in as _keys_in,
    not_tensor as _not_tensor,
    no_tensor as _no_tensor,
    number_keys as _number,
    varargs as _varargs,
    write_out as _out,
)
from lamella.dispatch.registry import define_many as _define
from lamella.dispatch.state import state as _S

(
    _T_embedding,
    _T_embedding_dense_backward,
    _T_embedding_renorm_,
    _T_one_hot,
) = _define(
    "aten",
    "lamella.nn.embedding",
    (
        ('embedding(Tensor weight, Tensor indices, SymInt padding_idx=-1, bool scale_grad_by_freq=False, bool sparse=False) -> Tensor', True),
        ('embedding_dense_backward(Tensor grad_output, Tensor indices, SymInt num_weights, SymInt padding_idx, bool scale_grad_by_freq) -> Tensor', True),
        ('embedding_renorm_(Tensor(a!) self, Tensor indices, float max_norm, float norm_type) -> Tensor(a!)', False),
        ('one_hot(Tensor self, int num_classes=-1) -> Tensor', False),
    ),
    {1: "lamella.nn._gen.embedding_cpu", 3: "lamella.nn._gen.embedding_meta", 65: "lamella.nn.composite.embedding", },
    "lamella.nn/ops/embedding.yaml",
)


def op_embedding(weight, indices, padding_idx=-1, scale_grad_by_freq=False, sparse=False):
    try:
        ks = weight._ks | indices._ks
    except AttributeError:
        raise _not_tensor("embedding", {"weight": weight, "indices": indices, }) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    return _T_embedding[ks](weight, indices, padding_idx, scale_grad_by_freq, sparse)


def embedding(weight, indices, padding_idx=-1, scale_grad_by_freq=False, sparse=False):
    """embedding: see torch.embedding."""
    try:
        ks = weight._ks | indices._ks
    except AttributeError:
        raise _not_tensor("embedding", {"weight": weight, "indices": indices, }) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    return _T_embedding[ks](weight, indices, padding_idx, scale_grad_by_freq, sparse)


def op_embedding_dense_backward(grad_output, indices, num_weights, padding_idx, scale_grad_by_freq):
    try:
        ks = grad_output._ks | indices._ks
    except AttributeError:
        raise _not_tensor("embedding_dense_backward", {"grad_output": grad_output, "indices": indices, }) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    return _T_embedding_dense_backward[ks](grad_output, indices, num_weights, padding_idx, scale_grad_by_freq)


def embedding_dense_backward(grad_output, indices, num_weights, padding_idx, scale_grad_by_freq):
    """embedding_dense_backward: see torch.embedding_dense_backward."""
    try:
        ks = grad_output._ks | indices._ks
    except AttributeError:
        raise _not_tensor("embedding_dense_backward", {"grad_output": grad_output, "indices": indices, }) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    return _T_embedding_dense_backward[ks](grad_output, indices, num_weights, padding_idx, scale_grad_by_freq)


def op_embedding_renorm_(self, indices, max_norm, norm_type):
    try:
        ks = self._ks | indices._ks
    except AttributeError:
        raise _not_tensor("embedding_renorm_", {"self": self, "indices": indices, }) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    return _T_embedding_renorm_[ks](self, indices, max_norm, norm_type)


def embedding_renorm_(input, indices, max_norm, norm_type):
    """embedding_renorm_: see torch.embedding_renorm_."""
    try:
        ks = input._ks | indices._ks
    except AttributeError:
        raise _not_tensor("embedding_renorm_", {"input": input, "indices": indices, }) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    return _T_embedding_renorm_[ks](input, indices, max_norm, norm_type)


def op_one_hot(self, num_classes=-1):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("one_hot", {"self": self, }) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    return _T_one_hot[ks](self, num_classes)


def one_hot(input, num_classes=-1):
    """Vectors that are 1 at the given place and 0 elsewhere.

    Args:
        input: int64 class numbers of any shape.
        num_classes: the length of the vectors; -1 means one more than the largest number.

    Returns:
        An int64 tensor of shape ``(*, num_classes)``.

    Raises:
        RuntimeError: for other types, negative numbers, or numbers beyond ``num_classes``.

    Example:
        >>> from lamella import core
        >>> one_hot(core.tensor([0, 2]))
        tensor([[1, 0, 0],
                [0, 0, 1]])"""
    try:
        ks = input._ks
    except AttributeError:
        raise _not_tensor("one_hot", {"input": input, }) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    return _T_one_hot[ks](input, num_classes)


METHODS = {
}


FUNCTIONS = {
    "embedding": embedding,
    "embedding_dense_backward": embedding_dense_backward,
    "embedding_renorm_": embedding_renorm_,
    "one_hot": one_hot,
}
