# Generated from packages/nn/src/lamella/nn/ops/embedding.yaml (sha256 d9a8747a7aaf86c5). Do not edit:
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
    {1: "lamella.nn._gen.embedding_cpu", 2: "lamella.nn._gen.embedding_cuda", 3: "lamella.nn._gen.embedding_meta", 65: "lamella.nn.composite.embedding", },
    "lamella.nn/ops/embedding.yaml",
)


def op_embedding(weight, indices, padding_idx=-1, scale_grad_by_freq=False, sparse=False):
    try:
        ks = weight._ks | indices._ks
    except AttributeError:
        raise _not_tensor("embedding", {"weight": weight, "indices": indices, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if padding_idx.__class__ is not int:
        padding_idx = _as_int("embedding", "padding_idx", padding_idx)
    if scale_grad_by_freq is not False and scale_grad_by_freq is not True:
        scale_grad_by_freq = _as_bool("embedding", "scale_grad_by_freq", scale_grad_by_freq)
    if sparse is not False and sparse is not True:
        sparse = _as_bool("embedding", "sparse", sparse)
    try:
        return _T_embedding[ks](weight, indices, padding_idx, scale_grad_by_freq, sparse)
    except Exception:
        _explain(_T_embedding, (weight, indices, padding_idx, scale_grad_by_freq, sparse, ))
        raise


def embedding(weight, indices, padding_idx=-1, scale_grad_by_freq=False, sparse=False):
    """embedding: see torch.embedding."""
    try:
        ks = weight._ks | indices._ks
    except AttributeError:
        raise _not_tensor("embedding", {"weight": weight, "indices": indices, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if padding_idx.__class__ is not int:
        padding_idx = _as_int("embedding", "padding_idx", padding_idx)
    if scale_grad_by_freq is not False and scale_grad_by_freq is not True:
        scale_grad_by_freq = _as_bool("embedding", "scale_grad_by_freq", scale_grad_by_freq)
    if sparse is not False and sparse is not True:
        sparse = _as_bool("embedding", "sparse", sparse)
    try:
        return _T_embedding[ks](weight, indices, padding_idx, scale_grad_by_freq, sparse)
    except Exception:
        _explain(_T_embedding, (weight, indices, padding_idx, scale_grad_by_freq, sparse, ))
        raise


def op_embedding_dense_backward(grad_output, indices, num_weights, padding_idx, scale_grad_by_freq):
    try:
        ks = grad_output._ks | indices._ks
    except AttributeError:
        raise _not_tensor("embedding_dense_backward", {"grad_output": grad_output, "indices": indices, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if num_weights.__class__ is not int:
        num_weights = _as_int("embedding_dense_backward", "num_weights", num_weights)
    if padding_idx.__class__ is not int:
        padding_idx = _as_int("embedding_dense_backward", "padding_idx", padding_idx)
    if scale_grad_by_freq is not False and scale_grad_by_freq is not True:
        scale_grad_by_freq = _as_bool("embedding_dense_backward", "scale_grad_by_freq", scale_grad_by_freq)
    try:
        return _T_embedding_dense_backward[ks](grad_output, indices, num_weights, padding_idx, scale_grad_by_freq)
    except Exception:
        _explain(_T_embedding_dense_backward, (grad_output, indices, num_weights, padding_idx, scale_grad_by_freq, ))
        raise


def embedding_dense_backward(grad_output, indices, num_weights, padding_idx, scale_grad_by_freq):
    """embedding_dense_backward: see torch.embedding_dense_backward."""
    try:
        ks = grad_output._ks | indices._ks
    except AttributeError:
        raise _not_tensor("embedding_dense_backward", {"grad_output": grad_output, "indices": indices, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if num_weights.__class__ is not int:
        num_weights = _as_int("embedding_dense_backward", "num_weights", num_weights)
    if padding_idx.__class__ is not int:
        padding_idx = _as_int("embedding_dense_backward", "padding_idx", padding_idx)
    if scale_grad_by_freq is not False and scale_grad_by_freq is not True:
        scale_grad_by_freq = _as_bool("embedding_dense_backward", "scale_grad_by_freq", scale_grad_by_freq)
    try:
        return _T_embedding_dense_backward[ks](grad_output, indices, num_weights, padding_idx, scale_grad_by_freq)
    except Exception:
        _explain(_T_embedding_dense_backward, (grad_output, indices, num_weights, padding_idx, scale_grad_by_freq, ))
        raise


def op_embedding_renorm_(self, indices, max_norm, norm_type):
    try:
        ks = self._ks | indices._ks
    except AttributeError:
        raise _not_tensor("embedding_renorm_", {"self": self, "indices": indices, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if max_norm.__class__ is not float and max_norm.__class__ is not int:
        max_norm = _as_float("embedding_renorm_", "max_norm", max_norm)
    if norm_type.__class__ is not float and norm_type.__class__ is not int:
        norm_type = _as_float("embedding_renorm_", "norm_type", norm_type)
    try:
        return _T_embedding_renorm_[ks](self, indices, max_norm, norm_type)
    except Exception:
        _explain(_T_embedding_renorm_, (self, indices, max_norm, norm_type, ))
        raise


def embedding_renorm_(input, indices, max_norm, norm_type):
    """embedding_renorm_: see torch.embedding_renorm_."""
    try:
        ks = input._ks | indices._ks
    except AttributeError:
        raise _not_tensor("embedding_renorm_", {"input": input, "indices": indices, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if max_norm.__class__ is not float and max_norm.__class__ is not int:
        max_norm = _as_float("embedding_renorm_", "max_norm", max_norm)
    if norm_type.__class__ is not float and norm_type.__class__ is not int:
        norm_type = _as_float("embedding_renorm_", "norm_type", norm_type)
    try:
        return _T_embedding_renorm_[ks](input, indices, max_norm, norm_type)
    except Exception:
        _explain(_T_embedding_renorm_, (input, indices, max_norm, norm_type, ))
        raise


def op_one_hot(self, num_classes=-1):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("one_hot", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if num_classes.__class__ is not int:
        num_classes = _as_int("one_hot", "num_classes", num_classes)
    try:
        return _T_one_hot[ks](self, num_classes)
    except Exception:
        _explain(_T_one_hot, (self, num_classes, ))
        raise


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
        raise _not_tensor("one_hot", {"input": input, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if num_classes.__class__ is not int:
        num_classes = _as_int("one_hot", "num_classes", num_classes)
    try:
        return _T_one_hot[ks](input, num_classes)
    except Exception:
        _explain(_T_one_hot, (input, num_classes, ))
        raise


METHODS = {
}


FUNCTIONS = {
    "embedding": embedding,
    "embedding_dense_backward": embedding_dense_backward,
    "embedding_renorm_": embedding_renorm_,
    "one_hot": one_hot,
}
